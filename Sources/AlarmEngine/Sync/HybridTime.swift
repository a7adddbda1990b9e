/// When an edit was made, by a clock that never contradicts cause and effect: a hybrid logical clock.
///
/// Near the wall clock, and later than everything its maker had seen. Ordered by time, then counter, then node, so
/// that any two edits have one order, the same for everybody.
/// Source: S. Kulkarni et al., "Logical Physical Clocks", OPODIS 2014.
public struct HybridTime: Hashable, Comparable, Sendable {
  public let time: Instant
  /// Tells apart what one millisecond holds.
  public let counter: UInt32
  /// Who made it; random, one for each phone, page and server.
  public let node: UInt64

  public init(time: Instant, counter: UInt32, node: UInt64) {
    self.time = time
    self.counter = counter
    self.node = node
  }

  public static func < (a: Self, b: Self) -> Bool {
    if a.time != b.time { return a.time < b.time }
    if a.counter != b.counter { return a.counter < b.counter }
    return a.node < b.node
  }
}
