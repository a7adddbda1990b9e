import GeometryWithBoundaries
import Testing

@testable import IndexBenchmark

@Suite("Safe areas")
struct SafeAreaTests {
  /// Circles, corridors and polygons that overlap around a place, with insets of both signs.
  private func entries(_ random: inout CountedRandom, near center: Coordinate) -> [OutlineIndex.Entry] {
    (0..<30).map { number in
      let place = random.coordinate(near: center, within: 50_000)
      let size = random.uniform(10, 8000)
      let shape: Shape =
        switch number % 3 {
        case 0: .circle(center: place, radius: .metres(size))
        case 1:
          .corridor(
            path: (0..<3).map { _ in random.coordinate(near: place, within: size) },
            halfWidth: .metres(size / 5), edges: .geodesic)
        default: random.polygon(around: place, radius: size, count: 7)
        }
      return .init(outline: Outline(shape), inset: .metres(random.uniform(-500, 500)))
    }
  }

  /// Tested at both poles, on both sides of the antimeridian, at the equator, and at random places.
  @Test(arguments: 0..<12) func `a safe area promises that nothing changes in it`(seed: UInt64) {
    var random = CountedRandom(seed: seed)
    let (near, latitude, longitude) = (
      random.uniform(0, 0.02), random.uniform(-80, 80), random.uniform(-180, 180)
    )
    let center = [
      place(90 - near, longitude), place(near - 90, longitude), place(latitude, 180 - near),
      place(latitude, near - 180), place(near, longitude), place(latitude, longitude),
    ][Int(seed % 6)]
    let entries = entries(&random, near: center)
    let (boundaries, containment) = (BoundaryIndex(entries), ContainmentIndex(entries))
    for _ in 0..<10 {
      let p = random.coordinate(near: center, within: 60_000)
      let safe = boundaries.safeArea(at: p)
      let nearest = entries.map { abs(($0.outline.signedDistance(from: p) + $0.inset).metres) }.min()!
      #expect(abs(nearest - safe.radius.metres) < 0.0011, "seed \(seed)")
      let before = containment.containing(p)
      var kept = 0
      for _ in 0..<15 {
        let q = random.coordinate(near: p, within: 1.5 * safe.radius.metres)
        guard safe.contains(q) else { continue }
        kept += 1
        #expect(p.distance(to: q) <= safe.radius, "seed \(seed)")
        #expect(containment.containing(q) == before, "seed \(seed)")
      }
      #expect(kept >= 5, "seed \(seed): a safe area must be of use")
    }
  }

  @Test func `without outlines it is as large as is looked for`() {
    #expect(BoundaryIndex([]).safeArea(at: place(0, 0)).radius == .kilometres(1000) - .metres(0.001))
  }
}
