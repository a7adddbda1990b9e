import Geometry

/// The inverse of the normal distribution, from arithmetic and our own logarithm, so that a seed gives the
/// same bytes on every machine.
enum NormalDistribution {
  /// The value that a standard normal variable stays below with probability `p`. Relative error below 1.2e-9.
  ///
  /// P. J. Acklam, "An algorithm for computing the inverse normal cumulative distribution function" (2003).
  /// - Precondition: 0 < p < 1.
  static func quantile(_ p: Double) -> Double {
    precondition(p > 0 && p < 1, "a probability between 0 and 1")
    if p < 0.02425 { return tail(p) }
    if p > 1 - 0.02425 { return -tail(1 - p) }
    let q = p - 0.5
    let r = q * q
    let numerator = polynomial(
      [
        -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.3577518672690, -30.66479806614716,
        2.506628277459239,
      ], at: r)
    let denominator = polynomial(
      [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1],
      at: r)
    return q * numerator / denominator
  }

  private static func tail(_ p: Double) -> Double {
    let q = (-2 * Trigonometry.naturalLogarithm(p)).squareRoot()
    let numerator = polynomial(
      [
        -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
        2.938163982698783,
      ], at: q)
    let denominator = polynomial(
      [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1], at: q)
    return numerator / denominator
  }

  /// Coefficients from the highest power down.
  private static func polynomial(_ coefficients: InlineArray<5, Double>, at x: Double) -> Double {
    var sum = 0.0
    for i in coefficients.indices { sum = sum * x + coefficients[i] }
    return sum
  }
  private static func polynomial(_ coefficients: InlineArray<6, Double>, at x: Double) -> Double {
    var sum = 0.0
    for i in coefficients.indices { sum = sum * x + coefficients[i] }
    return sum
  }
}
