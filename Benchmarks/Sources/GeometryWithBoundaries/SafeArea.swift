/// A circle that no boundary of an index's outlines enters, insets applied.
///
/// The test for a place takes a few multiplications and no table, so that a caller with a circle for each
/// device can skip most queries. A place near the edge may be reported as outside, never the reverse.
public struct SafeArea: Equatable, Sendable {
  public let center: Coordinate
  /// At most the distance to the nearest boundary; zero on a boundary.
  public let radius: Distance

  private let north: Double
  private let east: Double
  private let square: Double

  /// - Parameter radius: negative counts as zero.
  public init(center: Coordinate, radius: Distance) {
    self.center = center
    self.radius = max(radius, .zero)
    // Upper bounds of metres per degree in the circle: those of its latitude nearest to the equator.
    let least = max(0, abs(center.latitude.degrees) - self.radius.metres / Earth.leastMetresPerDegree)
    north = Earth.mostMetresPerDegree
    east = Earth.mostMetresPerDegree * Trigonometry.sineAndCosine(ofDegrees: least).cosine
    square = self.radius.metres * self.radius.metres
  }

  /// Returns true if `p` is certainly in the circle; false also for some places just inside its edge.
  ///
  /// The computed length is at least that of the straight line in latitude and longitude, which is at least
  /// as long as the geodesic.
  public func contains(_ p: Coordinate) -> Bool {
    let up = (p.latitude.degrees - center.latitude.degrees) * north
    let right = Coordinate.wrapped(p.longitude.degrees - center.longitude.degrees) * east
    return up * up + right * right <= square
  }
}
