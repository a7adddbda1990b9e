import GeometryWithBoundaries

@testable import IndexBenchmark

func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
}

extension CountedRandom {
  mutating func index(below count: Int) -> Int { Int(uniform(0, Double(count))) }

  /// Draws a place at most `radius` metres away, with uniform azimuth and distance.
  mutating func coordinate(near center: Coordinate, within radius: Double) -> Coordinate {
    Geodesic.destination(
      from: center, azimuth: .degrees(uniform(-180, 180)), distance: .metres(uniform(0, radius)))
  }

  /// A ring that doesn't cross itself: one vertex in each of `count` directions.
  mutating func ring(around center: Coordinate, radius: Double, count: Int) -> Ring {
    let first = uniform(0, 360)
    let vertices = (0..<count).map { index in
      Geodesic.destination(
        from: center, azimuth: .degrees(first + 360 * (Double(index) + uniform(0, 0.8)) / Double(count)),
        distance: .metres(radius * uniform(0.3, 1)))
    }
    guard let ring = try? Ring(vertices) else { preconditionFailure("a ring has three directions or more") }
    return ring
  }

  mutating func polygon(
    around center: Coordinate, radius: Double, count: Int, edges: EdgeKind = .geodesic
  ) -> Shape {
    let ring = ring(around: center, radius: radius, count: count)
    return .polygon(Polygon(parts: [.init(outer: ring)], edges: edges))
  }
}
