import Geometry
import TestSupport
import Testing

@Suite("Self-crossing")
struct SelfCrossingTests {
  private func crossings(_ places: [(Double, Double)], _ edges: EdgeKind) throws -> [[Int]] {
    selfCrossings(of: try Ring(places.map { place($0.0, $0.1) }), edges: edges).map { [$0.first, $0.second] }
  }

  @Test(arguments: [EdgeKind.geodesic, .lonLat]) func `names the two edges that cross`(edges: EdgeKind) throws
  {
    #expect(try crossings([(0, 0), (0, 1), (1, 1), (1, 0)], edges) == [])
    #expect(try crossings([(0, 0), (1, 1), (0, 1), (1, 0)], edges) == [[0, 2]])
    // The same over the antimeridian, and with a repeated vertex.
    #expect(
      try crossings([(0, 179.5), (0, 179.5), (1, -179.5), (0, -179.5), (1, 179.5)], edges) == [[1, 3]])
  }

  @Test(arguments: [EdgeKind.geodesic, .lonLat])
  func `a touch is no crossing, coming out on the other side is`(edges: EdgeKind) throws {
    // Two triangles that share the vertex (1, 1): first side by side, then crossing each other.
    #expect(try crossings([(0, 0), (1, 1), (2, 0), (2, 2), (1, 1), (0, 2)], edges) == [])
    #expect(try crossings([(0, 0), (1, 1), (2, 2), (2, 0), (1, 1), (0, 2)], edges) == [[1, 4]])
    // A vertex in the middle of an edge on the equator: from one side and back, and through it.
    #expect(try crossings([(0, 0), (0, 2), (1, 2), (0, 1), (1, 0)], edges) == [])
    #expect(try crossings([(0, 0), (0, 2), (1, 2), (0, 1), (-1, 0)], edges).count == 1)
  }

  @Test(arguments: [EdgeKind.geodesic, .lonLat])
  func `edges along each other cross`(edges: EdgeKind) throws {
    // A spike, and a stretch of the equator that is passed twice.
    #expect(try crossings([(0, 0), (0, 2), (0, 1), (1, 1)], edges) == [[0, 1]])
    #expect(try crossings([(0, 0), (0, 3), (1, 3), (0, 2), (0, 1), (1, 0)], edges).contains([0, 3]))
  }

  @Test(arguments: 0..<10) func `finds what a loop over all pairs finds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let center = random.awkwardCoordinate()
    let places = (0..<40).map { _ in random.coordinate(near: center, within: 30_000) }
    let found = selfCrossings(of: try Ring(places), edges: .geodesic)
    var expected: [SelfCrossing] = []
    for i in places.indices {
      for j in places.indices where j > i + 1 && !(i == 0 && j == places.count - 1) {
        let ring = try Ring([places[i], places[i + 1], places[j], places[(j + 1) % places.count]])
        let a = Geodesic(from: ring.vertices[0], to: ring.vertices[1])
        let b = Geodesic(from: ring.vertices[2], to: ring.vertices[3])
        func right(_ line: Geodesic, _ p: Coordinate) -> Bool {
          Trigonometry.sine(
            (Geodesic(from: line.start, to: p).azimuthAtStart.degrees - line.azimuthAtStart.degrees) * .pi
              / 180)
            > 0
        }
        if right(a, b.start) != right(a, b.end), right(b, a.start) != right(b, a.end) {
          expected.append(SelfCrossing(first: i, second: j))
        }
      }
    }
    #expect(found == expected, "seed \(seed)")
  }

  @Test func `stops at the limit`() throws {
    var random = SeededGenerator(seed: 1)
    let places = (0..<60).map { _ in random.coordinate(near: place(10, 10), within: 30_000) }
    #expect(selfCrossings(of: try Ring(places), edges: .geodesic, limit: 5).count == 5)
  }
}
