import Geometry
import TestSupport
import Testing

func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
}

func polygon(_ places: [(Double, Double)], _ edges: EdgeKind = .geodesic) throws -> Outline {
  Outline(.polygon(Polygon(parts: [.init(outer: try Ring(places.map { place($0.0, $0.1) }))], edges: edges)))
}

func metres(_ outline: Outline, _ latitude: Double, _ longitude: Double) -> Double {
  outline.signedDistance(from: place(latitude, longitude)).metres
}

@Suite("Outline")
struct OutlineTests {
  @Test func `measures to the zone of the documents`() throws {
    let zone = try polygon([(10.5, 123.4), (10.5, 124.4), (10.6, 124.4), (10.6, 123.4)])
    #expect(abs(metres(zone, 10.6, 124.41) - 1094.32) < 0.005)
    #expect(metres(zone, 10.5, 123.4) == 0)
    #expect(zone.contains(place(10.5, 123.4)))
    #expect(!zone.contains(place(10.6, 124.41)))
  }

  @Test(arguments: 0..<40) func `agrees with the slow witness`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let center = random.awkwardCoordinate()
    let radius = [20, 500, 10_000, 100_000, 1_000_000][Int(seed % 5)] * random.double(in: 0.5...1)
    let edges: EdgeKind = seed % 2 == 0 ? .geodesic : .lonLat
    var parts = [Polygon.Part(outer: random.ring(around: center, radius: radius, count: 3 + Int(seed % 7)))]
    if edges == .lonLat, abs(center.latitude.degrees) > 80 { return }
    if seed % 3 == 0 {
      parts[0] = .init(
        outer: parts[0].outer, holes: [random.ring(around: center, radius: radius * 0.3, count: 4)])
    }
    if seed % 4 == 0 {
      parts.append(
        .init(
          outer: random.ring(
            around: random.coordinate(near: center, within: radius), radius: radius, count: 5)))
    }
    let polygon = Polygon(parts: parts, edges: edges)
    let outline = Outline(.polygon(polygon))
    let witness = SlowOutline(polygon)
    for _ in 0..<4 {
      let p = random.coordinate(near: center, within: 1.5 * radius)
      let expected = witness.signedDistance(from: p)
      let allowed = abs(expected) < 10_000 ? 1e-6 : 1e-3
      let found = outline.signedDistance(from: p).metres
      #expect(abs(found - expected) < allowed, "seed \(seed): \(found) for \(expected) at \(p)")
      #expect(outline.contains(p) == (found <= 0))
    }
  }
}
