import Geometry

/// The boundary of an outline, measured the slow and obvious way: points along every edge, and a search
/// between the nearest ones. Inside and outside are told by the total turn of a line of sight that follows
/// the boundary.
///
/// Uses no trees, boxes, longitudes or poles. Valid for rings that fit in a hemisphere.
public struct SlowOutline: Sendable {
  /// Rings of points, the first not repeated.
  private let rings: [[[Coordinate]]]
  private let edges: EdgeKind
  private let steps: Int

  /// - Parameter steps: points on each edge.
  public init(_ polygon: Polygon, steps: Int = 24) {
    edges = polygon.edges
    self.steps = steps
    rings = polygon.parts.map { part -> [[Coordinate]] in ([part.outer] + part.holes).map { $0.vertices } }
  }

  public func signedDistance(from p: Coordinate) -> Double {
    var least = Double.infinity
    for part in rings {
      var distance = Double.infinity
      var around = 0
      for ring in part {
        distance = min(distance, self.distance(from: p, toRing: ring))
        if isAround(ring, p) { around += 1 }
      }
      least = min(least, around % 2 == 1 ? -distance : distance)
    }
    return least
  }

  private func distance(from p: Coordinate, toRing ring: [Coordinate]) -> Double {
    ring.indices.map { index in
      Self.distance(from: p, a: ring[index], b: ring[(index + 1) % ring.count], edges: edges, steps: steps)
    }.min()!
  }

  /// The distance to one edge, by sampling and golden section search.
  public static func distance(
    from p: Coordinate, a: Coordinate, b: Coordinate, edges: EdgeKind, steps: Int = 24
  ) -> Double {
    let line = Geodesic(from: a, to: b)
    func at(_ t: Double) -> Double {
      p.distance(to: place(t, from: a, to: b, along: line, edges: edges)).metres
    }
    let samples = (0...steps).map { at(Double($0) / Double(steps)) }
    let least = samples.indices.min { samples[$0] < samples[$1] }!
    var low = Double(max(0, least - 1)) / Double(steps)
    var high = Double(min(steps, least + 1)) / Double(steps)
    let golden = (5.0.squareRoot() - 1) / 2
    for _ in 0..<60 {
      let (u, v) = (high - golden * (high - low), low + golden * (high - low))
      if at(u) < at(v) { high = v } else { low = u }
    }
    return min(samples[0], samples[steps], at((low + high) / 2))
  }

  private static func place(
    _ t: Double, from a: Coordinate, to b: Coordinate, along line: Geodesic, edges: EdgeKind
  ) -> Coordinate {
    switch edges {
    case .geodesic:
      return line.point(at: line.length * t)
    case .lonLat:
      var east = b.longitude.degrees - a.longitude.degrees
      if east > 180 { east -= 360 }
      if east < -180 { east += 360 }
      return Coordinate(
        latitude: .degrees(a.latitude.degrees + t * (b.latitude.degrees - a.latitude.degrees)),
        longitude: .degrees(a.longitude.degrees + t * east))
    }
  }

  /// True if the line of sight from `p` along the ring turns around an odd number of times.
  private func isAround(_ ring: [Coordinate], _ p: Coordinate) -> Bool {
    var turned = 0.0
    var before: Double?
    for index in ring.indices {
      let (a, b) = (ring[index], ring[(index + 1) % ring.count])
      let line = Geodesic(from: a, to: b)
      for step in 0..<steps {
        let place = Self.place(Double(step) / Double(steps), from: a, to: b, along: line, edges: edges)
        let azimuth = Geodesic(from: p, to: place).azimuthAtStart.degrees
        if let before { turned += Self.turn(from: before, to: azimuth) }
        before = azimuth
      }
    }
    turned += Self.turn(from: before!, to: Geodesic(from: p, to: ring[0]).azimuthAtStart.degrees)
    return Int((turned / 360).rounded()) % 2 != 0
  }

  private static func turn(from a: Double, to b: Double) -> Double {
    var d = b - a
    if d > 180 { d -= 360 }
    if d < -180 { d += 360 }
    return d
  }
}
