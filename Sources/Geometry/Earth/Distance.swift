/// A length over the ground. May be negative where a doc comment says so
/// (inside an outline, the distance to its edge is negative). Never NaN, never infinite: a sum or a product that is too large
/// for a double is the largest one.
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
  public static func + (a: Self, b: Self) -> Self { .atMost(a.metres + b.metres) }
  public static func - (a: Self, b: Self) -> Self { .atMost(a.metres - b.metres) }
  /// - Precondition: `factor` is finite.
  public static func * (a: Self, factor: Double) -> Self {
    precondition(factor.isFinite, "a distance is multiplied by a finite number")
    return .atMost(a.metres * factor)
  }
  public static prefix func - (a: Self) -> Self { Self(unchecked: -a.metres) }

  /// - Parameter metres: not NaN, as no sum or product of finite numbers is.
  private static func atMost(_ metres: Double) -> Self {
    if metres.isFinite { return Self(unchecked: metres) }
    return Self(unchecked: metres < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude)
  }
}
