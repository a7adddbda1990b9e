import Geometry

/// The probability that a phone is inside a zone, given a fix.
///
/// The error of a position is assumed to be normal, the same in all directions, with σ = accuracy / √2 along
/// each axis. Source of the factor: what Core Location's `horizontalAccuracy` was found to mean.
public enum Probability {
  /// The probability, from 0 to 1, that the phone is inside a zone.
  ///
  /// The zone is approximated by all the ground beyond a straight edge. So the answer is exact for a large
  /// zone and never too small for a convex one. For a small zone it is limited to the probability that a disc
  /// of the zone's depth holds the phone when the fix is at its centre. For a long and narrow zone that limit
  /// is too small.
  /// - Parameters:
  ///   - distance: to the level that counts (edge, inset or alert distance), negative inside.
  ///   - accuracy: radius of the circle that holds the phone with a probability of 68 %. Zero or less is an
  ///     exact fix: the answer is 1 up to the level and 0 beyond it.
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
