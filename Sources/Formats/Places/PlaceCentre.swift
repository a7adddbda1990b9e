import Geometry

/// The point that represents a line or an area.
///
/// For a closed line it is the centre of gravity of the enclosed area, for an open one the mean of its
/// points. It is computed in degrees, which for buildings and car parks is as good as on the ellipsoid. The
/// centre of a bent building may lie outside it.
enum PlaceCentre {
  /// - Parameter points: degrees; a closed line ends where it begins. Longitudes may jump at the antimeridian.
  /// - Returns: nil for no points.
  static func of(_ points: [(latitude: Double, longitude: Double)]) -> Coordinate? {
    guard let first = points.first else { return nil }
    let isClosed = points.count > 3 && points[points.count - 1] == first
    // Relative to the first point, which avoids cancellation and keeps the antimeridian far away.
    let relative = points.map { point in
      (x: shortest(point.longitude - first.longitude), y: point.latitude - first.latitude)
    }
    var centre = mean(isClosed ? relative.dropLast() : relative[...])
    if isClosed, let area = gravity(relative) { centre = area }
    let latitude = min(90, max(-90, first.latitude + centre.y))
    return try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: shortest(first.longitude + centre.x))
  }

  private static func mean(_ points: ArraySlice<(x: Double, y: Double)>) -> (x: Double, y: Double) {
    var sum = (x: 0.0, y: 0.0)
    for point in points { sum = (sum.x + point.x, sum.y + point.y) }
    return (sum.x / Double(points.count), sum.y / Double(points.count))
  }

  /// Returns the centre of gravity; nil if the ring has no area, or if rounding or crossing sides put the
  /// centre outside the bounding box.
  private static func gravity(_ ring: [(x: Double, y: Double)]) -> (x: Double, y: Double)? {
    var twiceArea = 0.0
    var sum = (x: 0.0, y: 0.0)
    for (a, b) in zip(ring, ring.dropFirst()) {
      let cross = a.x * b.y - b.x * a.y
      twiceArea += cross
      sum = (sum.x + (a.x + b.x) * cross, sum.y + (a.y + b.y) * cross)
    }
    guard twiceArea != 0 else { return nil }
    let centre = (x: sum.x / (3 * twiceArea), y: sum.y / (3 * twiceArea))
    let xs = ring.map(\.x)
    let ys = ring.map(\.y)
    guard let left = xs.min(), let right = xs.max(), let bottom = ys.min(), let top = ys.max(),
      (left...right).contains(centre.x), (bottom...top).contains(centre.y)
    else { return nil }
    return centre
  }

  private static func shortest(_ degrees: Double) -> Double {
    degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
  }
}
