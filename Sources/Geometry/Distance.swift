/// A length over the ground. May be negative where a doc comment says so
/// (inside a zone, the distance to its edge is negative). Never NaN, never infinite.
public struct Distance: Comparable, Hashable, Sendable {
  public let metres: Double

  private init(unchecked metres: Double) { self.metres = metres }

  /// - Precondition: `metres` is finite.
  public static func metres(_ metres: Double) -> Self {
    precondition(metres.isFinite, "a distance is a finite number of metres")
    return Self(unchecked: metres)
  }
  public static func kilometres(_ kilometres: Double) -> Self { .metres(kilometres * 1000) }

  public static let zero = Self(unchecked: 0)

  public static func < (a: Self, b: Self) -> Bool { a.metres < b.metres }
  public static func + (a: Self, b: Self) -> Self { .metres(a.metres + b.metres) }
  public static func - (a: Self, b: Self) -> Self { .metres(a.metres - b.metres) }
  public static func * (a: Self, factor: Double) -> Self { .metres(a.metres * factor) }
  public static prefix func - (a: Self) -> Self { Self(unchecked: -a.metres) }
}
