import GeometryWithBoundaries
import Testing

@testable import IndexBenchmark

@Suite("Nearest boundaries")
struct BoundaryIndexTests {
  /// Small and large polygons, two that share edges, circles, corridors, and outlines with insets.
  private func entries(_ random: inout CountedRandom, near center: Coordinate) -> [OutlineIndex.Entry] {
    var entries = (0..<40).map { number -> OutlineIndex.Entry in
      let place = random.coordinate(near: center, within: 9000)
      let shape: Shape =
        switch number % 4 {
        case 0: .circle(center: place, radius: .metres(random.uniform(5, 2500)))
        case 1:
          .corridor(
            path: [place, random.coordinate(near: place, within: 2000)], halfWidth: .metres(40),
            edges: .geodesic)
        default:
          .polygon(
            Polygon(
              parts: [.init(outer: random.ring(around: place, radius: 900, count: 4 + number))],
              edges: number % 8 < 4 ? .lonLat : .geodesic))
        }
      return .init(outline: Outline(shape), inset: .metres([0, 0, 0, -30, 20][number % 5]))
    }
    // Two equal outlines with so many chunks that each gets a node of its own.
    let coast = random.ring(around: center, radius: 12_000, count: 900)
    for _ in 0..<2 {
      entries.append(
        .init(outline: Outline(.polygon(Polygon(parts: [.init(outer: coast)], edges: .geodesic)))))
    }
    let land = random.ring(around: center, radius: 600_000, count: 12)
    entries.append(.init(outline: Outline(.polygon(Polygon(parts: [.init(outer: land)], edges: .lonLat)))))
    return entries
  }

  @Test(arguments: 0..<6) func `are those that a plain loop finds`(seed: UInt64) {
    var random = CountedRandom(seed: 300 + seed)
    let center = [
      place(47.5, 11), place(0, 180), place(-33, 179.999), place(84, -20), place(0.01, 0), place(-62, 100),
    ][Int(seed)]
    let entries = entries(&random, near: center)
    let index = BoundaryIndex(entries)
    for number in 0..<24 {
      let far = [2000.0, 12_000, 40_000, 3_000_000][number % 4]
      let p = random.coordinate(near: center, within: far)
      let all = entries.indices.map { outline in
        OutlineIndex.Neighbour(
          outline: outline,
          distance: .metres(
            abs((entries[outline].outline.signedDistance(from: p) + entries[outline].inset).metres)))
      }.sorted { ($0.distance, $0.outline) < ($1.distance, $1.outline) }
      for k in [1, 2, 8, entries.count, entries.count + 5] {
        let found = index.nearestBoundaries(k, to: p)
        let told = "seed \(seed), place \(number), k \(k)"
        #expect(found.count == min(k, entries.count), "\(told)")
        #expect(Set(found.map(\.outline)).count == found.count, "\(told): an outline twice")
        for (one, other) in zip(found, all) {
          #expect(abs(one.distance.metres - other.distance.metres) < 2e-8, "\(told)")
          let own = all.first { $0.outline == one.outline }!
          #expect(abs(one.distance.metres - own.distance.metres) < 2e-8, "\(told)")
        }
        for (one, next) in zip(found, found.dropFirst()) {
          #expect((one.distance, one.outline) < (next.distance, next.outline), "\(told): out of order")
        }
      }
      let safe = index.safeArea(at: p, limit: .metres(5000))
      let least = min(5000, all[0].distance.metres)
      #expect(abs(safe.radius.metres - max(0, least - 0.001)) < 2e-8, "seed \(seed), place \(number)")
    }
  }

  /// An edit treats equal outlines as unchanged, although they are different objects in memory.
  @Test func `an edited index outlives the outlines that the first was made of`() {
    var random = CountedRandom(seed: 41)
    let center = Coordinate(latitude: .degrees(47), longitude: .degrees(8))
    let shapes = (0..<80).map { _ in
      Shape.polygon(
        Polygon(
          parts: [
            .init(
              outer: random.ring(
                around: random.coordinate(near: center, within: 30_000), radius: 900, count: 30))
          ],
          edges: .geodesic))
    }
    func entries(_ count: Int) -> [OutlineIndex.Entry] {
      shapes[..<count].map { OutlineIndex.Entry(outline: Outline($0)) }
    }
    let index = BoundaryIndex(
      editing: BoundaryIndex(entries(79)), by: ListEdit(removed: [], inserted: [79]), [entries(80)[79]])
    // Reuses the memory that was freed.
    let others = (0..<20).map { _ in entries(79) }
    let fresh = BoundaryIndex(others[0] + [index.entries[79]])
    for _ in 0..<200 {
      let p = random.coordinate(near: center, within: 40_000)
      #expect(index.nearestBoundaries(5, to: p) == fresh.nearestBoundaries(5, to: p))
    }
  }
}
