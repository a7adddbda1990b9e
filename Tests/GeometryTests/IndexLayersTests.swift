import Geometry
import TestSupport
import Testing

@Suite("Edits of an index")
struct IndexLayersTests {
  @Test(arguments: 0..<4) func `an edited index answers as a new one`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let center = [place(47.5, 11), place(0, 180), place(-33, 179.999), place(66, -180)][Int(seed % 4)]
    func entry() -> OutlineIndex.Entry {
      let place = random.coordinate(near: center, within: 5000)
      let size = random.double(in: 20...800)
      return random.next() % 2 == 0
        ? .init(outline: Outline(.circle(center: place, radius: .metres(size))))
        : .init(
          outline: Outline(
            .polygon(
              Polygon(
                parts: [.init(outer: random.ring(around: place, radius: size, count: 7))], edges: .geodesic)))
        )
    }
    var entries = (0..<100).map { _ in entry() }
    var index = AllIndexes(entries)
    for _ in 0..<6 {
      // Some entries are removed, some inserted, and the others move up and down the list.
      var next = entries.indices.map { (entry: entries[$0], old: Int32($0)) }
      next.remove(at: Int(random.next() % UInt64(next.count)))
      next.insert((entry(), -1), at: Int(random.next() % UInt64(next.count)))
      next.swapAt(0, Int(random.next() % UInt64(next.count)))
      if random.next() % 3 == 0 { next.append((entry(), -1)) }
      entries = next.map { $0.entry }
      index = AllIndexes(entries, replacing: index, unchanged: next.map { $0.old })
      let fresh = AllIndexes(entries)
      let places = (0..<30).map { _ in random.coordinate(near: center, within: 6000) }
      var hits = ContainmentIndex.Hits()
      var freshHits = ContainmentIndex.Hits()
      index.containing(places, into: &hits)
      fresh.containing(places, into: &freshHits)
      #expect(hits == freshHits, "seed \(seed)")
      for p in places.prefix(5) {
        #expect(index.containing(p) == fresh.containing(p), "seed \(seed)")
        #expect(index.nearest(5, to: p) == fresh.nearest(5, to: p), "seed \(seed)")
        #expect(index.within(.metres(500), of: p) == fresh.within(.metres(500), of: p), "seed \(seed)")
      }
    }
  }

  @Test func `more outlines are asked for than are left after one was taken away`() {
    let entries = (0..<100).map { number in
      let place = Coordinate(latitude: .degrees(48 + Double(number) / 100), longitude: .degrees(11))
      return OutlineIndex.Entry(outline: Outline(.circle(center: place, radius: .metres(50))))
    }
    let index = AllIndexes(
      Array(entries.dropLast()), replacing: AllIndexes(entries), unchanged: (0..<99).map { Int32($0) })
    let p = Coordinate(latitude: .degrees(48), longitude: .degrees(11))
    #expect(index.nearest(100, to: p).map(\.outline) == Array(0..<99))
  }

  /// Outlines of every kind are replaced, removed, restored and moved, one at a time, until the index is
  /// rebuilt and beyond.
  @Test(arguments: 0..<4) func `one edit after another answers as a new index`(seed: UInt64) {
    var random = SeededGenerator(seed: 50 + seed)
    let center = [place(47.5, 11), place(0, 180), place(89.99, 20), place(66, -180)][Int(seed % 4)]
    func entry() -> OutlineIndex.Entry {
      let place = random.coordinate(near: center, within: 4000)
      let shape: Shape =
        switch random.next() % 4 {
        case 0: .circle(center: place, radius: .metres(random.double(in: 5...900)))
        case 1:
          .corridor(
            path: [place, random.coordinate(near: place, within: 900)], halfWidth: .metres(40),
            edges: .geodesic)
        case 2:
          .polygon(
            Polygon(
              parts: [.init(outer: random.ring(around: place, radius: 700, count: 5))], edges: .geodesic))
        default:
          .polygon(
            Polygon(parts: [.init(outer: random.ring(around: place, radius: 300, count: 6))], edges: .lonLat))
        }
      return .init(outline: Outline(shape), inset: .metres(random.next() % 5 == 0 ? -15 : 0))
    }
    var entries = (0..<150).map { _ in entry() }
    var index = AllIndexes(entries)
    var taken: [OutlineIndex.Entry] = []
    for edit in 0..<12 {
      var next = entries.indices.map { (entry: entries[$0], old: Int32($0)) }
      let place = Int(random.next() % UInt64(next.count))
      switch edit % 4 {
      case 0: taken.append(next.remove(at: place).entry)
      case 1: next.swapAt(place, next.count - 1)
      case 2: next.insert((taken.removeLast(), -1), at: place)
      default: next[place] = (entry(), -1)
      }
      entries = next.map { $0.entry }
      index = AllIndexes(entries, replacing: index, unchanged: next.map { $0.old })
      let places = (0..<16).map { _ in random.coordinate(near: center, within: 5000) }
      var hits = ContainmentIndex.Hits()
      index.containing(places, into: &hits)
      for (number, p) in places.enumerated() {
        let distances = entries.map { ($0.outline.signedDistance(from: p) + $0.inset).metres }
        let inside = distances.indices.filter { distances[$0] <= 0 }
        #expect(Array(hits[number]) == inside, "seed \(seed), edit \(edit)")
        #expect(index.containing(p) == inside, "seed \(seed), edit \(edit)")
        guard number < 8 else { continue }
        let near = distances.indices.filter { distances[$0] <= 300 }
        #expect(index.within(.metres(300), of: p).map(\.outline) == near, "seed \(seed), edit \(edit)")
        let sorted = distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
        #expect(
          index.nearest(5, to: p).map(\.outline) == Array(sorted.prefix(5)), "seed \(seed), edit \(edit)")
      }
    }
  }
}
