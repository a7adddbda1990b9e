import Geometry
import TestSupport
import Testing

@Suite("Level line")
struct OffsetContourTests {
  @Test func `of a circle's field it is that circle`() throws {
    let lines = OffsetContour.trace(
      from: .init(x: -120, y: -120), side: 250, resolution: 64, level: 100, slope: 1
    ) {
      ($0.x * $0.x + $0.y * $0.y).squareRoot()
    }
    #expect(lines.count == 1)
    for point in try #require(lines.first) {
      #expect(abs((point.x * point.x + point.y * point.y).squareRoot() - 100) < 0.1)
    }
  }

  @Test func `it may fall in two, or be none`() {
    func field(_ p: OffsetContour.Point) -> Double {
      min(
        ((p.x - 30) * (p.x - 30) + p.y * p.y).squareRoot(), ((p.x + 30) * (p.x + 30) + p.y * p.y).squareRoot()
      )
    }
    func lines(_ level: Double) -> Int {
      OffsetContour.trace(
        from: .init(x: -64, y: -64), side: 128, resolution: 64, level: level, slope: 1, field: field
      ).count
    }
    #expect(lines(20) == 2)
    #expect(lines(33) == 1)
    #expect(lines(-1) == 0)
  }

  @Test(arguments: Seeds.few(12)) func `of a zone it keeps its distance`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let center = Coordinate(
      latitude: .degrees(random.double(in: -80...80)), longitude: .degrees(random.double(in: -180...180)))
    let size = random.double(in: 50...20_000)
    let ring = random.ring(around: center, radius: size, count: 9)
    for shape in [
      Shape.polygon(Polygon(parts: [.init(outer: ring)], edges: .geodesic)),
      .corridor(path: Array(ring.vertices.prefix(4)), halfWidth: .metres(size / 4), edges: .geodesic),
    ] {
      let outline = Outline(shape)
      for share in [-0.1, 0.2, 1.5] {
        let level = Distance.metres(size * share)
        let square = (size * 3 + max(0, level.metres) * 2) / 128
        let lines = outline.offsetContour(at: level, tolerance: .metres(0.1))
        #expect(share < 0 || !lines.isEmpty, "seed \(seed)")
        for point in lines.joined() {
          let off = abs(outline.signedDistance(from: point).metres - level.metres)
          #expect(off < square * 0.5, "seed \(seed), level \(level.metres)")
        }
      }
    }
  }

  @Test func `a circle's is exact, and nothing is left of one shrunk by more than its radius`() throws {
    let center = Coordinate(latitude: .degrees(52), longitude: .degrees(13))
    let outline = Outline(.circle(center: center, radius: .metres(100)))
    for point in try #require(outline.offsetContour(at: .metres(50), tolerance: .metres(0.1)).first) {
      #expect(abs(outline.signedDistance(from: point).metres - 50) < 1e-6)
    }
    #expect(outline.offsetContour(at: .metres(-100), tolerance: .metres(0.1)).isEmpty)
  }
}
