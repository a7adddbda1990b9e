import TestSupport
import Testing

@testable import Geometry

/// The pieces that a tree returns, compared with those it was built from.
@Suite("Boundary tree")
struct BoundaryTreeTests {
  /// Rings with holes, near places of every kind, from a hundred metres up to sizes at which edges are cut.
  private func polygon(_ random: inout SeededGenerator, _ kind: EdgeKind) -> Polygon {
    let center = random.awkwardCoordinate()
    let radius = Trigonometry.exponential(random.double(in: 4...12))
    let count = 4 + Int(random.double(in: 0...40))
    let outer = random.ring(around: center, radius: radius, count: count)
    let hole = random.ring(around: center, radius: radius / 10, count: 5)
    return Polygon(parts: [.init(outer: outer, holes: count % 2 == 0 ? [hole] : [])], edges: kind)
  }

  @Test(arguments: 0..<4, [EdgeKind.geodesic, .lonLat])
  func `says of each piece what was known when it was cut`(seed: UInt64, kind: EdgeKind) throws {
    var random = SeededGenerator(seed: 900 + seed)
    var plain = 0
    for number in 0..<200 {
      let polygon = polygon(&random, kind)
      let (build, tree) = (BoundaryTreeBuilder(polygon), BoundaryTree(polygon))
      let told = "seed \(seed), polygon \(number)"
      if tree.details.isEmpty { plain += 1 }
      #expect(tree.edgeCount == build.edges.count, "\(told)")
      for ring in tree.rings {
        for piece in ring {
          let (vertex, detail) = (build.vertices[piece], build.details[piece])
          let (own, edge) = (tree.vertex(piece), build.edges[Int(detail.edge)])
          try #require(tree.edgeNumber(of: piece) == Int(detail.edge), "\(told)")
          for found in [tree.edge(of: piece), tree.edge(Int(detail.edge))] {
            #expect(found.start == edge.start && found.end == edge.end, "\(told)")
            #expect(found.sweep == edge.sweep && found.kind == edge.kind, "\(told)")
          }
          #expect(own.place == vertex.place && own.unwrapped == vertex.unwrapped, "\(told)")
          #expect(own.latitude == vertex.latitude && own.turns == vertex.turns, "\(told)")
          #expect(tree.bounds(piece) == detail.bounds && tree.bulge(of: piece) == detail.bulge, "\(told)")
          #expect(
            tree.sag(of: piece) >= detail.sag && tree.sag(of: piece) < 1.000_001 * detail.sag, "\(told)")
          let (start, end) = tree.fractions(of: piece)
          #expect(start == detail.fractionAtStart && end == detail.fractionAtEnd, "\(told)")
        }
        #expect(tree.vertex(ring.upperBound).place == build.vertices[ring.upperBound].place, "\(told)")
      }
    }
    #expect(plain > 20 && plain < 180)
  }

  @Test func `an ordinary ring takes a place in space for a vertex, and no more`() {
    var random = SeededGenerator(seed: 1)
    let center = Coordinate(latitude: .degrees(52), longitude: .degrees(13))
    let ring = random.ring(around: center, radius: 900, count: 40)
    let tree = BoundaryTree(Polygon(parts: [.init(outer: ring)], edges: .geodesic))
    #expect(tree.places.count == 41 && tree.nodes.count == 7)
    #expect(tree.positions.isEmpty && tree.details.isEmpty && tree.edges.isEmpty && tree.sags.isEmpty)
  }
}
