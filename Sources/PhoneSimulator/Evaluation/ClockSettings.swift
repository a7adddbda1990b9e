import AlarmEngine

/// The times at which a phone's clock is set, and by how much; negative if it is set back.
public struct ClockSettings: Sendable {
  public var settings: [(at: Instant, by: TimeSpan)] = []
  public init() {}

  /// The phone's clock minus true time.
  func error(at time: Instant) -> TimeSpan {
    settings.reduce(.zero) { $1.at <= time ? $0 + $1.by : $0 }
  }

  /// The next time after one at which the clock is set.
  func next(after time: Instant) -> Instant? { settings.map(\.at).filter { $0 > time }.min() }
}
