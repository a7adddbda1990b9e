import TestSupport
import Testing

@testable import Geometry

/// Compares measuring through the earth with the geodesic, and with the iteration along an edge.
@Suite("Short lines")
struct ShortLineTests {
  /// The additional error of long lines.
  private func leeway(_ square: Double) -> Double {
    ShortLine.error(square: square) - ShortLine.error(square: 0)
  }

  @Test func `the error told is that promised`() {
    #expect(ShortLine.error(square: 300_000 * 300_000) < 3.1e-8)
    #expect(ShortLine.error(square: 1_000_000 * 1_000_000) < 2e-6)
    #expect(ShortLine.error(square: ShortLine.longestSquared) < 1e-3)
  }

  @Test(arguments: 0..<8) func `up to 2,000 km the way through the earth says how long the way over it is`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: 500 + seed)
    var worst = 0.0
    for _ in 0..<4000 {
      let a = random.awkwardCoordinate()
      let b = Geodesic.destination(
        from: a, azimuth: .degrees(random.double(in: -180...180)),
        distance: .metres(Trigonometry.exponential(random.double(in: 0...14.6))))
      let square = a.ecef.squaredDistance(to: b.ecef)
      guard square < ShortLine.longestSquared else { continue }
      let through = ShortLine.ground(from: a.ecef, to: b.ecef, square: square)
      worst = max(worst, abs(through - a.distance(to: b).metres) - leeway(square))
    }
    #expect(worst < 1.2e-8)
  }

  /// Edges from a millimetre to twenty kilometres; places from next to them to 2,500 km away, of which only
  /// the nearer get an answer; poles and the antimeridian included.
  @Test(arguments: 0..<8, [EdgeKind.geodesic, .lonLat])
  func `pieces are as far as the iteration along their edge says`(seed: UInt64, kind: EdgeKind) throws {
    var random = SeededGenerator(seed: 600 + seed)
    var worst = 0.0
    var answered = 0
    for _ in 0..<3000 {
      let a = random.awkwardCoordinate()
      let b = Geodesic.destination(
        from: a, azimuth: .degrees(random.double(in: -180...180)),
        distance: .metres(Trigonometry.exponential(random.double(in: -7...9.9))))
      let p = Geodesic.destination(
        from: a, azimuth: .degrees(random.double(in: -180...180)),
        distance: .metres(Trigonometry.exponential(random.double(in: -1...14.7))))
      let tree = BoundaryTree(path: [a, b], kind: kind)
      guard tree.places.count == 2 else { continue }
      let (share, square) = p.ecef.projected(from: tree.places[0], to: tree.places[1])
      guard let found = ShortLine.distance(from: p.ecef, toPiece: 0, of: tree, square: square) else {
        continue
      }
      answered += 1
      let (start, end) = tree.fractions(of: 0)
      let guess = start + (end - start) * min(1, max(0, share))
      let distance = tree.edge(0).distance(from: p, low: 0, high: 1, guess: guess)
      worst = max(worst, abs(found - distance) - leeway(square))
    }
    #expect(answered > 500)
    #expect(worst < 3e-8)
  }
}
