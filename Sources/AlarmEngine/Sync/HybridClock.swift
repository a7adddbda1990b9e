/// Creates `HybridTime`s, each later than all that this clock created or received before.
public struct HybridClock: Hashable, Sendable {
  public let node: UInt64
  /// The latest time created or received.
  public private(set) var last: HybridTime?

  public init(node: UInt64, last: HybridTime? = nil) {
    self.node = node
    self.last = last
  }

  /// Returns a time for an edit made now.
  public mutating func tick(at now: Instant) -> HybridTime {
    var made = HybridTime(time: now, counter: 0, node: node)
    if let last, last.time >= now {
      made =
        last.counter == .max
        ? HybridTime(time: last.time + .milliseconds(1), counter: 0, node: node)
        : HybridTime(time: last.time, counter: last.counter + 1, node: node)
    }
    last = made
    return made
  }

  /// Notes the time of another device's edit. All times created from now on are later.
  ///
  /// - Throws: `.ahead` if it is further ahead of `now` than `allowance`, since a clock years ahead would win
  ///   against every later edit. The sender corrects its clock, gives the edit a new time and sends it again.
  public mutating func receive(
    _ received: HybridTime, at now: Instant, allowance: TimeSpan = allowance
  ) throws(HybridClockError) {
    let allowed = now + allowance
    guard received.time <= allowed else { throw .ahead(given: received.time, allowed: allowed) }
    if let last, last >= received { return }
    last = received
  }

  /// Equal to `Settings.clockAllowance`.
  public static let allowance = TimeSpan.minutes(10)
}

/// The reason why an edit was refused.
public enum HybridClockError: Error, Equatable, Sendable {
  case ahead(given: Instant, allowed: Instant)
}
