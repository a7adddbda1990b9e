import Glibc

/// Angles in radians.
public enum Trigonometry {
  public static func sine(_ x: Double) -> Double { sin(x) }
  public static func cosine(_ x: Double) -> Double { cos(x) }
  public static func tangent(_ x: Double) -> Double { tan(x) }
  public static func arctangent(_ x: Double) -> Double { atan(x) }
  public static func arctangent(y: Double, x: Double) -> Double { atan2(y, x) }
  public static func arcsine(_ x: Double) -> Double { asin(x) }
  public static func arccosine(_ x: Double) -> Double { acos(x) }
  public static func exponential(_ x: Double) -> Double { exp(x) }
  public static func naturalLogarithm(_ x: Double) -> Double { log(x) }
}
