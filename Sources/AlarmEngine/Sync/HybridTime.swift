/// The time of an edit by a hybrid logical clock, which never contradicts cause and effect.
///
/// It is close to the wall clock, and later than everything the device had seen. Times are ordered by time,
/// then counter, then node, so any two edits have the same order on every device.
/// Source: S. Kulkarni et al., "Logical Physical Clocks", OPODIS 2014.
public struct HybridTime: Hashable, Comparable, Sendable {
  public let time: Instant
  /// Distinguishes edits within one millisecond.
  public let counter: UInt32
  /// The device that made the edit: a random number, one for each phone, page and server.
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
