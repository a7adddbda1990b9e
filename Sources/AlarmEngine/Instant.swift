import Geometry

/// A point in time: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Sums and differences saturate at the range of 64 bits, 292 million years before and after 1970. No clock
/// shows the first or the last instant, so a deadline there never comes.
public struct Instant: Comparable, Hashable, Sendable {
  public let millisecondsSince1970: Int64

  public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

  /// The times that a clock can show: the years 0001 to 9999. Input with other dates is refused.
  public static let allowed =
    Instant(
      millisecondsSince1970: -62_135_596_800_000)...Instant(
      millisecondsSince1970: 253_402_300_799_999)

  public static func < (a: Self, b: Self) -> Bool { a.millisecondsSince1970 < b.millisecondsSince1970 }

  public static func + (a: Self, b: TimeSpan) -> Self {
    Self(millisecondsSince1970: a.millisecondsSince1970.plus(b.milliseconds))
  }
  public static func - (a: Self, b: Self) -> TimeSpan {
    .milliseconds(a.millisecondsSince1970.minus(b.millisecondsSince1970))
  }
  public static func - (a: Self, b: TimeSpan) -> Self {
    Self(millisecondsSince1970: a.millisecondsSince1970.minus(b.milliseconds))
  }
}

/// A length of time in whole milliseconds, negative backwards.
///
/// Sums and differences saturate at the range of 64 bits, 292 million years. The ranges allowed for zones,
/// reminders and settings are far smaller (``RangedField/allowed``).
///
/// The standard `Duration` counts attoseconds in 128 bits, whose arithmetic would make the page larger.
public struct TimeSpan: Comparable, Hashable, Sendable {
  public let milliseconds: Int64

  private init(_ milliseconds: Int64) { self.milliseconds = milliseconds }

  public static let zero = Self(0)
  public static func milliseconds(_ n: Int64) -> Self { Self(n) }
  /// Rounded to the nearest millisecond, and clamped to ±1e15 seconds, 32 million years.
  /// - Precondition: not NaN.
  public static func seconds(_ n: Double) -> Self {
    precondition(!n.isNaN, "a time span is a number of seconds")
    let n = max(-1e15, min(1e15, n))
    return Self(Int64(n * 1000 + (n < 0 ? -0.5 : 0.5)))
  }
  public static func minutes(_ n: Double) -> Self { .seconds(n * 60) }
  public static func hours(_ n: Double) -> Self { .seconds(n * 3600) }

  public var seconds: Double { Double(milliseconds) / 1000 }

  public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
  public static func + (a: Self, b: Self) -> Self { Self(a.milliseconds.plus(b.milliseconds)) }
  public static func - (a: Self, b: Self) -> Self { Self(a.milliseconds.minus(b.milliseconds)) }
  /// Rounded to the nearest millisecond.
  /// - Precondition: `factor` is not NaN.
  public static func * (a: Self, factor: Double) -> Self { .seconds(a.seconds * factor) }
}

/// Metres per second, never negative.
public struct Speed: Comparable, Hashable, Sendable {
  public let metresPerSecond: Double

  private init(_ value: Double) { metresPerSecond = value }

  /// - Precondition: finite and not negative.
  public static func metresPerSecond(_ value: Double) -> Self {
    precondition(
      value.isFinite && value >= 0, "a speed is a finite number of metres per second, not negative")
    return Self(value)
  }
  public static let zero = Self(0)

  public static func < (a: Self, b: Self) -> Bool { a.metresPerSecond < b.metresPerSecond }

  /// The distance travelled. A negative time gives a negative distance.
  public static func * (speed: Self, time: TimeSpan) -> Distance {
    Distance.metres(speed.metresPerSecond) * time.seconds
  }
}

extension Int64 {
  /// The sum, saturated at the ends of the range.
  fileprivate func plus(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
  /// The difference, saturated at the ends of the range.
  fileprivate func minus(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
