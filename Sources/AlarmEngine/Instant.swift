/// A point in time: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public struct Instant: Comparable, Hashable, Sendable {
  public let millisecondsSince1970: Int64

  public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

  /// What any clock can say: the years 0001 to 9999. Dates beyond are refused where they enter.
  public static let allowed =
    Instant(
      millisecondsSince1970: -62_135_596_800_000)...Instant(
      millisecondsSince1970: 253_402_300_799_999)

  public static func < (a: Self, b: Self) -> Bool { a.millisecondsSince1970 < b.millisecondsSince1970 }

  public static func + (a: Self, b: TimeSpan) -> Self {
    Self(millisecondsSince1970: a.millisecondsSince1970 + b.milliseconds)
  }
  public static func - (a: Self, b: Self) -> TimeSpan {
    .milliseconds(a.millisecondsSince1970 - b.millisecondsSince1970)
  }
  public static func - (a: Self, b: TimeSpan) -> Self {
    Self(millisecondsSince1970: a.millisecondsSince1970 - b.milliseconds)
  }
}

/// A length of time in whole milliseconds, negative backwards.
///
/// The standard `Duration` counts attoseconds in 128 bits, which the page's build would have to carry along.
public struct TimeSpan: Comparable, Hashable, Sendable {
  public let milliseconds: Int64

  private init(_ milliseconds: Int64) { self.milliseconds = milliseconds }

  public static let zero = Self(0)
  public static func milliseconds(_ n: Int64) -> Self { Self(n) }
  /// Rounded to the nearest millisecond.
  /// - Precondition: within ±1e15 seconds.
  public static func seconds(_ n: Double) -> Self {
    precondition(abs(n) <= 1e15, "a time span is a number of seconds within 1e15")
    return Self(Int64(n * 1000 + (n < 0 ? -0.5 : 0.5)))
  }
  public static func minutes(_ n: Double) -> Self { .seconds(n * 60) }
  public static func hours(_ n: Double) -> Self { .seconds(n * 3600) }

  public var seconds: Double { Double(milliseconds) / 1000 }

  public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
  public static func + (a: Self, b: Self) -> Self { Self(a.milliseconds + b.milliseconds) }
  public static func - (a: Self, b: Self) -> Self { Self(a.milliseconds - b.milliseconds) }
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
  public static func < (a: Self, b: Self) -> Bool { a.metresPerSecond < b.metresPerSecond }
}
