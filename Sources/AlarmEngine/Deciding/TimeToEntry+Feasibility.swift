import Geometry

extension TimeToEntry {
  /// What an alarm can promise before it is armed: "at 140 km/h with a fix each 60 s the alarm can come 60 s
  /// (2.3 km) after the line is crossed; to be warned at least 2 min before, set the alert distance to 7.0 km".
  public struct Feasibility: Hashable, Sendable {
    /// Of the phone, straight towards the zone.
    public let speed: Speed
    /// From one fix to the next, the time it takes to arrive included; zero or more.
    public let fixInterval: TimeSpan
    /// By how much a fix may lie too far out; zero or more.
    public let error: Distance

    /// Negative intervals and errors count as zero.
    public init(speed: Speed, fixInterval: TimeSpan, error: Distance = .zero) {
      self.speed = speed
      self.fixInterval = max(fixInterval, .zero)
      self.error = max(error, .zero)
    }

    /// How long after crossing the line that it should ring at (alert distance or edge) the alarm can come.
    ///
    /// The time to the next fix, and to cover the error; nil when a phone that stands still, or nearly so (more
    /// than `TimeToEntry.longest`), need never be seen beyond it.
    public var latestAlarm: TimeSpan? {
      guard error > .zero else { return fixInterval }
      guard let toCoverError = Self.time(error, speed) else { return nil }
      return fixInterval + toCoverError
    }
    /// How far beyond that line the phone can then be.
    public var latestAlarmDistance: Distance {
      .metres(speed.metresPerSecond * fixInterval.seconds) + error
    }
    /// The alert distance that gives at least this much warning before the edge is crossed.
    public func alertDistance(forWarning warning: TimeSpan) -> Distance {
      .metres(speed.metresPerSecond * max(warning, .zero).seconds) + latestAlarmDistance
    }
    /// The warning that an alert distance gives in the worst case; negative when the alarm can come so long after
    /// the edge was crossed; nil when the phone never gets there, or not within `TimeToEntry.longest`.
    public func warning(fromAlertDistance alertDistance: Distance) -> TimeSpan? {
      let room = alertDistance - error
      guard let time = Self.time(room < .zero ? -room : room, speed) else { return nil }
      return (room < .zero ? .zero - time : time) - fixInterval
    }

    private static func time(_ distance: Distance, _ speed: Speed) -> TimeSpan? {
      guard speed.metresPerSecond > 0, distance.metres / speed.metresPerSecond <= longest.seconds else {
        return nil
      }
      return .seconds(distance.metres / speed.metresPerSecond)
    }
  }
}
