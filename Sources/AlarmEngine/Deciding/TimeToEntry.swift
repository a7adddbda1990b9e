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
  /// If the phone goes on at the present speed, within both errors it is there by then: (distance + error) /
  /// (closing speed - its error). Nil if that is not certain, or takes more than `longest`.
  ///
  /// Unlike `earliest` this is not a bound: a phone that stops or turns comes later. Two minutes before entry
  /// it held for 77 to 99 % of real drives, walks and rides in town and country, and for 95 % or more of
  /// straight approaches.
  public let latest: TimeSpan?

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
  ///   - distance: to the level, negative inside.
  ///   - error: of that distance, zero or more; a negative one counts as zero.
  ///   - closing: how fast the distance gets smaller; more than `maximumSpeed` counts as that.
  ///   - closingError: by how much `closing` may be wrong, either way.
  ///   - maximumSpeed: the speed up to which `earliest` is promised.
  public init(
    distance: Distance, error: Distance, closing: ClosingSpeed, closingError: Speed, maximumSpeed: Speed
  ) {
    let error = max(error, .zero)
    let fastest = maximumSpeed.metresPerSecond
    let speed = min(closing.metresPerSecond, fastest)
    earliest = Self.time(distance - error, at: fastest) ?? Self.longest
    likely = Self.time(distance, at: speed)
    latest = Self.time(
      distance + error, at: min(closing.metresPerSecond - closingError.metresPerSecond, fastest))
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
