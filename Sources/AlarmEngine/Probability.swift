import Geometry

/// How likely a phone is where a fix says.
///
/// The error of a position is taken to be normal, the same in all directions, with σ = accuracy / √2 along each
/// axis. Source of the factor: what Core Location's `horizontalAccuracy` was found to mean.
public enum Probability {
  /// How likely the phone is inside a zone, 0 to 1.
  ///
  /// The zone is taken for all the ground beyond a straight edge, so the answer is exact for a large zone and
  /// for a convex one never too small. A small zone can't hold more than a disc as deep as it would when the fix
  /// lies in its middle, and that is the most that is answered; for a long and narrow zone this is too little.
  /// - Parameters:
  ///   - distance: to the level that counts (edge, inset or alert distance), negative inside.
  ///   - accuracy: radius of the circle that holds the phone, 68 times in 100. Zero, or less, is an exact fix:
  ///     the answer is 1 up to the level and 0 beyond it.
  ///   - depth: how far the deepest point lies inside that level; zero or less is a zone without inside.
  public static func inside(distance: Distance, accuracy: Distance, depth: Distance) -> Double {
    guard accuracy > .zero else { return distance <= .zero ? 1 : 0 }
    guard depth > .zero else { return 0 }
    let deviation = accuracy.metres / 2.0.squareRoot()
    let beyondEdge = normalCumulative(-distance.metres / deviation)
    let depths = depth.metres / deviation
    let ofDisc = 1 - Trigonometry.exponential(-depths * depths / 2)
    return min(beyondEdge, ofDisc)
  }

  /// Φ, the part of a normal distribution below `x` deviations; within 1e-15.
  ///
  /// Source: G. Marsaglia, "Evaluating the Normal Distribution", Journal of Statistical Software 11 (2004).
  static func normalCumulative(_ x: Double) -> Double {
    if x > 8.5 { return 1 }
    if x < -8.5 { return 0 }
    // Φ(x) = 1/2 + φ(x)·(x + x³/3 + x⁵/15 + x⁷/105 + ...), to the first term that no longer changes the sum.
    var sum = x
    var term = x
    var divisor = 3.0
    while divisor < 400 {
      term *= x * x / divisor
      let next = sum + term
      if next == sum { break }
      sum = next
      divisor += 2
    }
    return 0.5 + sum * Trigonometry.exponential(-x * x / 2) / (2 * Double.pi).squareRoot()
  }
}
