import Geometry

extension SeededGenerator {
  /// Anywhere on earth, uniform over its surface.
  public mutating func coordinate() -> Coordinate {
    let z = double(in: -1...1)
    return Coordinate(
      latitude: .radians(Trigonometry.arcsine(z)), longitude: .degrees(double(in: -180...180)))
  }

  /// At most `radius` metres away, uniform in the distance.
  public mutating func coordinate(near center: Coordinate, within radius: Double) -> Coordinate {
    Geodesic.destination(
      from: center, azimuth: .degrees(double(in: -180...180)), distance: .metres(double(in: 0...radius)))
  }

  /// A place that is difficult for geometry: a pole, the antimeridian, the equator, or anywhere.
  public mutating func awkwardCoordinate() -> Coordinate {
    let near = double(in: -0.02...0.02)
    let (latitude, longitude): (Double, Double) =
      switch next() % 6 {
      case 0: (90 - abs(near), double(in: -180...180))
      case 1: (-90 + abs(near), double(in: -180...180))
      case 2: (double(in: -80...80), 180 - abs(near))
      case 3: (double(in: -80...80), -180 + abs(near))
      case 4: (near, double(in: -180...180))
      default: (double(in: -85...85), double(in: -180...180))
      }
    return Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }

  /// A ring that doesn't cross itself: one vertex in each of `count` directions.
  public mutating func ring(around center: Coordinate, radius: Double, count: Int) -> Ring {
    let first = double(in: 0...360)
    let vertices = (0..<count).map { index in
      Geodesic.destination(
        from: center, azimuth: .degrees(first + 360 * (Double(index) + double(in: 0...0.8)) / Double(count)),
        distance: .metres(radius * double(in: 0.3...1)))
    }
    guard let ring = try? Ring(vertices) else { preconditionFailure("a ring has three directions or more") }
    return ring
  }
}
