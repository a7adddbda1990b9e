import GeometryWithBoundaries

/// A longitude and a latitude in degrees, in the order of the workload files.
struct MapPoint {
  var longitude: Double
  var latitude: Double

  /// Rounds to a ten-millionth of a degree and wraps the longitude.
  init(longitude: Double, latitude: Double) {
    self.longitude = ((longitude + 180).remainder(turns: 360) * 1e7).rounded(.toNearestOrEven) / 1e7
    self.latitude = (latitude * 1e7).rounded(.toNearestOrEven) / 1e7
  }

  init(exactly place: Coordinate) {
    longitude = place.longitude.degrees
    latitude = place.latitude.degrees
  }

  var coordinate: Coordinate { Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude)) }

  /// The earth's mean radius in metres, used only to lay shapes out.
  static let radius = 6_371_008.7714

  /// Returns the point at an azimuth, in radians, and a distance, in metres, on a sphere.
  static func from(
    longitude: Double, latitude: Double, azimuth: Double, distance: Double
  ) -> MapPoint {
    let phi = Trigonometry.sineAndCosine(ofDegrees: latitude)
    let way = (sine: Trigonometry.sine(distance / radius), cosine: Trigonometry.cosine(distance / radius))
    let sine = phi.sine * way.cosine + phi.cosine * way.sine * Trigonometry.cosine(azimuth)
    let east = Trigonometry.arctangent(
      y: Trigonometry.sine(azimuth) * way.sine * phi.cosine, x: way.cosine - phi.sine * sine)
    return MapPoint(
      longitude: longitude + east * (180 / Double.pi),
      latitude: Trigonometry.arcsine(max(-1, min(1, sine))) * (180 / Double.pi))
  }

  /// The centre of the metropolis: Berlin.
  static let metropolis = (longitude: 13.405, latitude: 52.52)

  /// Returns the point so many metres east and north of the metropolis's centre, on a sphere; good enough to
  /// lay points out.
  static func metropolitan(east: Double, north: Double) -> MapPoint {
    let latitude = metropolis.latitude + north / radius * (180 / Double.pi)
    let cosine = Trigonometry.sineAndCosine(ofDegrees: latitude).cosine
    return MapPoint(
      longitude: metropolis.longitude + east / (radius * cosine) * (180 / Double.pi), latitude: latitude)
  }
}

extension Double {
  /// Wraps degrees counted from 180° W into one turn, and returns them counted from Greenwich.
  fileprivate func remainder(turns: Double) -> Double {
    self - (self / turns).rounded(.down) * turns - 180
  }
}
