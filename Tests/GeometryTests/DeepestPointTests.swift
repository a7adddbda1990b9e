import Geometry
import TestSupport
import Testing

@Suite("Deepest point")
struct DeepestPointTests {
  @Test func `of a square it is the middle`() throws {
    let square = try polygon([(0, 0), (0, 0.1), (0.1, 0.1), (0.1, 0)])
    let (point, depth) = square.deepest
    #expect(abs(depth.metres - 5528) < 56)
    #expect(abs(point.latitude.degrees - 0.05) < 0.01)
    #expect(-square.signedDistance(from: point) == depth)
  }

  @Test(arguments: 0..<12) func `no place tried is deeper`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let center = random.awkwardCoordinate()
    let ring = random.ring(around: center, radius: 20_000, count: 9)
    let outline = Outline(.polygon(Polygon(parts: [.init(outer: ring)], edges: .geodesic)))
    let found = outline.deepestPoint()
    for _ in 0..<200 {
      let depth = -outline.signedDistance(from: random.coordinate(near: center, within: 20_000)).metres
      #expect(depth <= found.atMost.metres, "seed \(seed)")
      #expect(depth <= found.depth.metres * 1.01 + 0.1, "seed \(seed)")
    }
  }

  @Test func `a shape without an inside has no depth`() throws {
    let line = try polygon([(0, 0), (0, 0.1), (0, 0.2)])
    #expect(line.deepest.depth.metres < 0.001)
  }
}
