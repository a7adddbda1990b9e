/// Makes `HybridTime`s: each later than all that it made or received before.
public struct HybridClock: Hashable, Sendable {
  public let node: UInt64
  /// The latest that was made or received.
  public private(set) var last: HybridTime?

  public init(node: UInt64, last: HybridTime? = nil) {
    self.node = node
    self.last = last
  }

  /// A time for an edit made now.
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

  /// Takes note of another's edit; what is made from now on is later.
  ///
  /// - Throws: when it lies further ahead of `now` than `allowance`: a clock years ahead would win against every edit
  ///   to come. Its owner puts the clock right, stamps the edit anew and sends it again.
  public mutating func receive(
    _ received: HybridTime, at now: Instant, allowance: TimeSpan = allowance
  ) throws(HybridClockError) {
    let allowed = now + allowance
    guard received.time <= allowed else { throw .ahead(given: received.time, allowed: allowed) }
    if let last, last >= received { return }
    last = received
  }

  /// As `Settings.clockAllowance`.
  public static let allowance = TimeSpan.minutes(10)
}

/// Why an edit was not taken.
public enum HybridClockError: Error, Equatable, Sendable {
  case ahead(given: Instant, allowed: Instant)
}
