import Geometry
import TestSupport
import Testing

@Suite("Outline index")
struct OutlineIndexTests {
  /// Circles, corridors and polygons crowded around an awkward place, with positive and negative insets.
  private func entries(_ random: inout SeededGenerator, count: Int) -> [OutlineIndex.Entry] {
    let center = random.awkwardCoordinate()
    return (0..<count).map { index in
      let place = random.coordinate(near: center, within: 50_000)
      let size = random.double(in: 10...8000)
      let shape: Shape =
        switch index % 3 {
        case 0: .circle(center: place, radius: .metres(size))
        case 1:
          .corridor(
            path: (0..<3).map { _ in random.coordinate(near: place, within: size) },
            halfWidth: .metres(size / 5),
            edges: .geodesic)
        default:
          .polygon(
            Polygon(
              parts: [.init(outer: random.ring(around: place, radius: size, count: 7))], edges: .geodesic))
        }
      return .init(outline: Outline(shape), inset: .metres(random.double(in: -500...500)))
    }
  }

  @Test(arguments: 0..<8) func `bounds leave out only what is out of the way`(seed: UInt64) {
    var random = SeededGenerator(seed: seed ^ 0xb0)
    let entries = entries(&random, count: 60)
    let index = OutlineIndex(entries)
    for _ in 0..<12 {
      let start = random.coordinate(near: entries[0].outline.center, within: 100_000)
      let end = random.coordinate(near: start, within: 40_000)
      func effective(_ outline: Int, _ place: Coordinate) -> Double {
        (entries[outline].outline.signedDistance(from: place) + entries[outline].inset).metres
      }
      let least = entries.indices.map { effective($0, end) }.min() ?? 0
      let limit = random.double(in: 1...60_000)
      let clear = index.clearance(around: end.ecef, above: .metres(0), upTo: .metres(limit))
      if let clear { #expect(clear.metres <= limit && clear.metres <= least + 1e-3, "seed \(seed)") }
      // With nothing nearby, a clear distance is found, apart from the corners of boxes.
      if least > 40_000 { #expect(clear != nil, "seed \(seed)") }

      let way = Geodesic(from: start, to: end)
      #expect(start.ecef.groundAtMost(to: end.ecef) >= way.length, "seed \(seed)")
      #expect(start.ecef.groundAtMost(to: end.ecef).metres < way.length.metres * 1.001 + 0.001)
      let (radius, level) = (random.double(in: 0...5000), random.double(in: 0...2000))
      let found = index.within(
        .metres(radius), of: end, orPassedFrom: start.ecef, length: way.length, level: .metres(level))
      #expect(found.map(\.outline) == found.map(\.outline).sorted())
      for neighbour in found {
        #expect(neighbour.distance == index.distance(from: end, to: neighbour.outline), "seed \(seed)")
      }
      for outline in entries.indices where !found.contains(where: { $0.outline == outline }) {
        #expect(effective(outline, end) > radius, "seed \(seed), outline \(outline)")
        let passage = entries[outline].outline.passage(
          from: start, to: end, level: .metres(level) - entries[outline].inset)
        #expect((passage.closest + entries[outline].inset).metres > level, "seed \(seed), outline \(outline)")
      }
      for entry in entries.prefix(20) {
        let level = Distance.metres(level) - entry.inset
        let passage = entry.outline.passage(from: start, to: end, level: level)
        #expect(entry.outline.crossings(from: start, to: end, level: level) == passage.crossings)
        let mayBe = entry.outline.mayBeReached(
          from: start.ecef, to: end.ecef, length: way.length, level: level)
        #expect(mayBe || passage.closest > level, "seed \(seed)")
      }
    }
  }

  @Test(arguments: 0..<8) func `answers as a plain loop does`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let entries = entries(&random, count: 60)
    let index = AllIndexes(entries)
    let fixes = (0..<12).map { _ in
      random.coordinate(near: entries[0].outline.center, within: 100_000)
    }
    var hits = ContainmentIndex.Hits()
    index.containing(fixes, into: &hits)
    for (number, p) in fixes.enumerated() {
      let distances = entries.map { $0.outline.signedDistance(from: p) + $0.inset }
      let inside = distances.indices.filter { distances[$0] <= .zero }
      #expect(index.containing(p) == inside, "seed \(seed)")
      #expect(Array(hits[number]) == inside, "seed \(seed)")
      let near = distances.indices.filter { distances[$0] <= .metres(5000) }
      #expect(index.within(.metres(5000), of: p).map(\.outline) == near, "seed \(seed)")
      let sorted = distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
      #expect(index.nearest(7, to: p).map(\.outline) == Array(sorted.prefix(7)), "seed \(seed)")
      #expect(index.nearest(1000, to: p).map(\.distance) == sorted.map { distances[$0] }, "seed \(seed)")
    }
  }

  @Test func `outlines at the same distance come in their order`() {
    let outline = Outline(.circle(center: place(1, 1), radius: .metres(10)))
    let index = AllIndexes((0..<20).map { _ in .init(outline: outline) })
    #expect(index.nearest(3, to: place(1, 2)).map(\.outline) == [0, 1, 2])
    #expect(index.containing(place(1, 1)) == Array(0..<20))
  }

  @Test func `an index without outlines answers nothing`() {
    let index = AllIndexes([])
    #expect(index.containing(place(0, 0)).isEmpty)
    #expect(index.nearest(3, to: place(0, 0)).isEmpty)
    #expect(index.within(.kilometres(20_000), of: place(0, 0)).isEmpty)
  }
}

extension Outline {
  var center: Coordinate {
    switch shape {
    case .circle(let center, _): center
    case .corridor(let path, _, _): path[0]
    case .polygon(let polygon): polygon.parts[0].outer.vertices[0]
    }
  }
}
