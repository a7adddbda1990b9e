import GeometryWithBoundaries

/// Random zones: circles, or rings of vertices.
struct ZoneLayout {
  enum Kind { case circles, polygons }
  let kind: Kind
  /// The index of each zone's first vertex, and the end of the last zone. A circle's vertex is its centre.
  private(set) var first: [Int] = [0]
  private(set) var vertices: [MapPoint] = []
  /// The radii of circles in metres; empty for polygons.
  private(set) var radii: [Double] = []

  var count: Int { first.count - 1 }

  static func circles(_ centers: [MapPoint], radii: [Double]) -> Self {
    var layout = Self(kind: .circles)
    layout.vertices = centers
    layout.radii = radii
    layout.first = Array(0...centers.count)
    return layout
  }

  /// Makes star-shaped rings: each vertex has its own distance from the centre, and azimuths are sorted.
  static func stars(
    _ random: inout CountedRandom, _ centers: [MapPoint], radii: [Double], vertices counts: [Int],
    roughness: Double = 0.35
  ) -> Self {
    var layout = Self(kind: .polygons)
    let total = counts.reduce(0, +)
    let jitter = random.uniforms(total, -0.35, 0.35)
    let shrink = random.uniforms(total)
    var vertex = 0
    for (zone, center) in centers.enumerated() {
      for number in 0..<counts[zone] {
        let azimuth = -2 * Double.pi * (Double(number) + 0.5 + jitter[vertex]) / Double(counts[zone])
        layout.vertices.append(
          .from(
            longitude: center.longitude, latitude: center.latitude, azimuth: azimuth,
            distance: radii[zone] * (1 - 2 * roughness * shrink[vertex])))
        vertex += 1
      }
      layout.first.append(layout.vertices.count)
    }
    return layout
  }

  /// Makes rings like coastlines, by noise in octaves whose amplitude falls as they get finer.
  static func coasts(
    _ random: inout CountedRandom, _ centers: [MapPoint], radii: [Double], vertices counts: [Int]
  ) -> Self {
    var layout = Self(kind: .polygons)
    for (zone, center) in centers.enumerated() {
      let count = counts[zone]
      var heights = [Double](repeating: 0, count: count)
      var (knotCount, amplitude) = (4, 0.3)
      while knotCount < count {
        let knots = random.normals(knotCount)
        for index in 0..<count {
          let place = Double(index) / Double(count) * Double(knotCount)
          let knot = Int(place)
          let share = place - Double(knot)
          heights[index] +=
            amplitude * (knots[knot % knotCount] * (1 - share) + knots[(knot + 1) % knotCount] * share)
        }
        (knotCount, amplitude) = (knotCount * 2, amplitude * 0.6)
      }
      for index in 0..<count {
        layout.vertices.append(
          .from(
            longitude: center.longitude, latitude: center.latitude,
            azimuth: -2 * Double.pi * Double(index) / Double(count),
            distance: radii[zone] * Trigonometry.exponential(max(-1.2, min(1.2, heights[index])))))
      }
      layout.first.append(layout.vertices.count)
    }
    return layout
  }

  func ring(_ zone: Int) -> ArraySlice<MapPoint> { vertices[first[zone]..<first[zone + 1]] }

  func shape(_ zone: Int) -> Shape {
    switch kind {
    case .circles: return .circle(center: vertices[zone].coordinate, radius: .metres(radii[zone]))
    case .polygons:
      guard let ring = try? Ring(ring(zone).map(\.coordinate)) else {
        preconditionFailure("rings are laid out with three vertices or more")
      }
      return .polygon(Polygon(parts: [.init(outer: ring)], edges: .geodesic))
    }
  }
}
