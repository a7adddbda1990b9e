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
    let beyondEdge = Trigonometry.normalCumulative(-distance.metres / deviation)
    let depths = depth.metres / deviation
    let ofDisc = 1 - Trigonometry.exponential(-depths * depths / 2)
    return min(beyondEdge, ofDisc)
  }
}
