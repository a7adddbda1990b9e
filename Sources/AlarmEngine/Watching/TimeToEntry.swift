import Geometry

/// When a phone will reach a level (an edge, an inset, an alert distance): earliest, likely, latest.
///
/// `earliest <= likely <= latest`, if they are not nil, all counted from the time of the fix. Zero for a
/// phone that is inside.
public struct TimeToEntry: Hashable, Sendable {
  /// No phone within the stated error and maximum speed can be there earlier: (distance - error) / maximum
  /// speed. At most `longest`.
  public let earliest: TimeSpan
  /// At the present speed: distance / closing speed. Nil if the phone stands, recedes or needs more than
  /// `longest`.
  public let likely: TimeSpan?
  /// The time by which the phone has entered: four times the time that it needs at the present speed within both
  /// errors, (distance + error) / (closing speed - its error), and a minute. Nil if it may be standing or receding, or
  /// if that takes more than `longest`.
  ///
  /// Unlike `earliest` this is not a bound: a phone that stops for long or turns away comes later. The factor and the
  /// minute, for stops and for ways that are not straight, are those with which the interval covered the entry at
  /// every distance of recorded drives, walks and rides: in 96 % or more of the moments more than five minutes before
  /// it, and in 98 % or more of the later ones.
  public let latest: TimeSpan?

  private static let detour = 4.0
  private static let stops = TimeSpan.minutes(1)

  /// A hundred years. An entry that takes longer counts as never.
  public static let longest = TimeSpan.hours(36_525 * 24)

  /// How fast a distance gets smaller, in metres per second; negative when it grows.
  public struct ClosingSpeed: Comparable, Hashable, Sendable {
    public let metresPerSecond: Double

    private init(unchecked value: Double) { metresPerSecond = value }

    /// - Precondition: finite.
    public static func metresPerSecond(_ value: Double) -> Self {
      precondition(value.isFinite, "a closing speed is a finite number of metres per second")
      return Self(unchecked: value)
    }
    public static func < (a: Self, b: Self) -> Bool { a.metresPerSecond < b.metresPerSecond }
  }

  /// One fix's distance to the level.
  public struct Measurement: Hashable, Sendable {
    /// Negative inside.
    public let distance: Distance
    /// Zero or more. The caller chooses which share of cases it covers; the answer covers the same share.
    public let error: Distance
    public let at: Instant
    public init(distance: Distance, error: Distance, at: Instant) {
      self.distance = distance
      self.error = error
      self.at = at
    }
  }

  /// - Parameters:
  ///   - distance: the distance to the level, negative inside.
  ///   - error: the error of that distance, zero or more; a negative one counts as zero.
  ///   - closing: how fast the distance gets smaller; more than `maximumSpeed` counts as that.
  ///   - closingError: the greatest error of `closing`, either way.
  ///   - maximumSpeed: the speed up to which `earliest` is promised.
  public init(
    distance: Distance, error: Distance, closing: ClosingSpeed, closingError: Speed, maximumSpeed: Speed
  ) {
    let error = max(error, .zero)
    let fastest = maximumSpeed.metresPerSecond
    let speed = min(closing.metresPerSecond, fastest)
    earliest = Self.time(distance - error, at: fastest) ?? Self.longest
    likely = Self.time(distance, at: speed)
    let straight = Self.time(
      distance + error, at: min(closing.metresPerSecond - closingError.metresPerSecond, fastest))
    latest = straight.flatMap { straight in
      if straight == .zero { return .zero }
      let time = straight * Self.detour + Self.stops
      return time <= Self.longest ? time : nil
    }
  }

  /// The time to entry from the last of two fixes, with the speed between them.
  ///
  /// The error of the speed is the error of both distances, assumed to be independent, divided by the time
  /// between them.
  /// - Returns: nil unless `last` is later than `first`.
  public init?(first: Measurement, last: Measurement, maximumSpeed: Speed) {
    let seconds = (last.at - first.at).seconds
    guard seconds > 0 else { return nil }
    let errors = (first.error.metres * first.error.metres + last.error.metres * last.error.metres)
      .squareRoot()
    self.init(
      distance: last.distance, error: last.error,
      closing: .metresPerSecond((first.distance - last.distance).metres / seconds),
      closingError: .metresPerSecond(errors / seconds), maximumSpeed: maximumSpeed)
  }

  /// The time for a distance at a speed; nil if it is infinite or more than `longest`.
  private static func time(_ distance: Distance, at metresPerSecond: Double) -> TimeSpan? {
    if distance <= .zero { return .zero }
    guard metresPerSecond > 0, distance.metres / metresPerSecond <= longest.seconds else { return nil }
    return .seconds(distance.metres / metresPerSecond)
  }
}

extension TimeToEntry {
  /// The delay and the warning that an alarm can promise before it is armed: "at 140 km/h with a fix each
  /// 60 s the alarm can come 60 s (2.3 km) after the line is crossed; to be warned at least 2 min before, set
  /// the alert distance to 7.0 km".
  public struct Feasibility: Hashable, Sendable {
    /// The speed of the phone, straight towards the zone.
    public let speed: Speed
    /// The time from one fix to the next, including its delay until it arrives; zero or more.
    public let fixInterval: TimeSpan
    /// The greatest distance by which a fix may be too far outside; zero or more.
    public let error: Distance

    /// Negative intervals and errors count as zero.
    public init(speed: Speed, fixInterval: TimeSpan, error: Distance = .zero) {
      self.speed = speed
      self.fixInterval = max(fixInterval, .zero)
      self.error = max(error, .zero)
    }

    /// The greatest delay of the alarm after the phone crosses the alert line (alert distance or edge).
    ///
    /// The time to the next fix plus the time to travel the error. Nil if a phone that stands still, or
    /// nearly so (more than `TimeToEntry.longest`), may never be seen beyond the line.
    public var latestAlarm: TimeSpan? {
      guard error > .zero else { return fixInterval }
      guard let toCoverError = Self.time(error, speed) else { return nil }
      return fixInterval + toCoverError
    }
    /// The greatest distance of the phone beyond the alert line at that time.
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
