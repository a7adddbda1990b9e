/// A circle in which nothing changes: no boundary of an index's outlines, insets applied, lies in it.
///
/// Asking whether a place is still in it needs a few multiplications and no table, so that a caller who keeps one for
/// each device can skip most questions to the index. Errs on the side of asking again.
public struct SafeArea: Equatable, Sendable {
  public let center: Coordinate
  /// No more than the distance to the nearest boundary; zero where one is reached.
  public let radius: Distance

  private let north: Double
  private let east: Double
  private let square: Double

  /// - Parameter radius: negative counts as zero.
  public init(center: Coordinate, radius: Distance) {
    self.center = center
    self.radius = max(radius, .zero)
    // Metres per degree nowhere in the circle exceeded: those of the latitude nearest to the equator.
    let least = max(0, abs(center.latitude.degrees) - self.radius.metres / Earth.leastMetresPerDegree)
    north = Earth.mostMetresPerDegree
    east = Earth.mostMetresPerDegree * Trigonometry.sineAndCosine(ofDegrees: least).cosine
    square = self.radius.metres * self.radius.metres
  }

  /// Whether `p` is certainly in the circle; places near its edge may be refused.
  ///
  /// The straight line in latitude and longitude is at least as long as the geodesic, and no longer than this.
  public func contains(_ p: Coordinate) -> Bool {
    let up = (p.latitude.degrees - center.latitude.degrees) * north
    let right = Coordinate.wrapped(p.longitude.degrees - center.longitude.degrees) * east
    return up * up + right * right <= square
  }
}
