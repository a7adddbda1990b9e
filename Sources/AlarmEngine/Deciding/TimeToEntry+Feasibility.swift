import Geometry

extension TimeToEntry {
  /// What an alarm can promise before it is armed: "at 140 km/h with a fix each 60 s the alarm can come 60 s
  /// (2.3 km) after the line is crossed; to be warned at least 2 min before, set the alert distance to 7.0 km".
  public struct Feasibility: Hashable, Sendable {
    /// The speed of the phone, straight towards the zone.
    public let speed: Speed
    /// The time from one fix to the next, including the time until it arrives; zero or more.
    public let fixInterval: TimeSpan
    /// By how much a fix may be too far outside; zero or more.
    public let error: Distance

    /// Negative intervals and errors count as zero.
    public init(speed: Speed, fixInterval: TimeSpan, error: Distance = .zero) {
      self.speed = speed
      self.fixInterval = max(fixInterval, .zero)
      self.error = max(error, .zero)
    }

    /// How long after the phone crosses the alert line (alert distance or edge) the alarm can come.
    ///
    /// The time to the next fix plus the time to travel the error. Nil if a phone that stands still, or
    /// nearly so (more than `TimeToEntry.longest`), may never be seen beyond the line.
    public var latestAlarm: TimeSpan? {
      guard error > .zero else { return fixInterval }
      guard let toCoverError = Self.time(error, speed) else { return nil }
      return fixInterval + toCoverError
    }
    /// How far beyond the alert line the phone can be then.
    public var latestAlarmDistance: Distance {
      .metres(speed.metresPerSecond * fixInterval.seconds) + error
    }
    /// The alert distance that gives at least this much warning before the edge is crossed.
    public func alertDistance(forWarning warning: TimeSpan) -> Distance {
      .metres(speed.metresPerSecond * max(warning, .zero).seconds) + latestAlarmDistance
    }
    /// The warning that an alert distance gives in the worst case. Negative if the alarm can come after the
    /// edge is crossed. Nil if the phone never gets there, or not within `TimeToEntry.longest`.
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
