import GeometryWithBoundaries
import Testing

@testable import IndexBenchmark

@Suite("Edits of an index of boundaries")
struct EditedBoundariesTests {
  /// A list and its index, which are edited together.
  private struct Edited {
    private(set) var entries: [OutlineIndex.Entry]
    private(set) var index: BoundaryIndex

    init(_ entries: [OutlineIndex.Entry]) {
      self.entries = entries
      index = BoundaryIndex(entries)
    }

    /// - Parameter coming: new entries, each with the position of the entry that it precedes.
    mutating func edit(removing gone: Set<Int>, inserting coming: [(before: Int, entry: OutlineIndex.Entry)])
    {
      let coming = coming.sorted { $0.before < $1.before }
      entries = (0...entries.count).flatMap { position in
        coming.filter { $0.before == position }.map(\.entry)
          + (position < entries.count && !gone.contains(position) ? [entries[position]] : [])
      }
      let edit = ListEdit(removed: gone.sorted(), inserted: coming.map(\.before))
      index = BoundaryIndex(editing: index, by: edit, coming.map(\.entry))
    }

    mutating func swap(_ one: Int, _ other: Int) {
      edit(removing: [one, other], inserting: [(one, entries[other]), (other, entries[one])])
    }
  }

  @Test(arguments: 0..<4) func `an edited index answers as a new one`(seed: UInt64) {
    var random = CountedRandom(seed: seed)
    let center = [place(47.5, 11), place(0, 180), place(-33, 179.999), place(66, -180)][Int(seed)]
    func entry() -> OutlineIndex.Entry {
      let place = random.coordinate(near: center, within: 5000)
      let size = random.uniform(20, 800)
      return .init(
        outline: Outline(
          random.uniform() < 0.5
            ? .circle(center: place, radius: .metres(size))
            : random.polygon(around: place, radius: size, count: 7)))
    }
    // So many entries that the index is rebuilt only in every second or third round.
    var list = Edited((0..<500).map { _ in entry() })
    for _ in 0..<6 {
      // Some entries are removed, some are inserted, and others move up and down the list.
      list.edit(
        removing: [random.index(below: list.entries.count)],
        inserting: [(random.index(below: list.entries.count), entry())])
      list.swap(0, 1 + random.index(below: list.entries.count - 1))
      if random.uniform() < 1 / 3.0 { list.edit(removing: [], inserting: [(list.entries.count, entry())]) }
      let fresh = BoundaryIndex(list.entries)
      for _ in 0..<5 {
        let p = random.coordinate(near: center, within: 6000)
        for k in [5, 100] {
          #expect(list.index.nearestBoundaries(k, to: p) == fresh.nearestBoundaries(k, to: p), "seed \(seed)")
        }
      }
    }
  }

  @Test func `more outlines are asked for than are left after one was taken away`() {
    var list = Edited(
      (0..<100).map { number in
        .init(
          outline: Outline(.circle(center: place(48 + Double(number) / 100, 11), radius: .metres(50))))
      })
    list.edit(removing: [99], inserting: [])
    #expect(list.index.nearestBoundaries(100, to: place(48, 11)).count == 99)
  }

  /// Outlines of every kind are replaced, removed, inserted again and moved, one at a time, until the index
  /// is rebuilt and beyond.
  @Test(arguments: 0..<4) func `one edit after another answers as a plain loop`(seed: UInt64) {
    var random = CountedRandom(seed: 50 + seed)
    let center = [place(47.5, 11), place(0, 180), place(89.99, 20), place(66, -180)][Int(seed)]
    func entry() -> OutlineIndex.Entry {
      let place = random.coordinate(near: center, within: 4000)
      let shape: Shape =
        switch random.index(below: 4) {
        case 0: .circle(center: place, radius: .metres(random.uniform(5, 900)))
        case 1:
          .corridor(
            path: [place, random.coordinate(near: place, within: 900)], halfWidth: .metres(40),
            edges: .geodesic)
        case 2: random.polygon(around: place, radius: 700, count: 5)
        default: random.polygon(around: place, radius: 300, count: 6, edges: .lonLat)
        }
      return .init(outline: Outline(shape), inset: .metres(random.index(below: 5) == 0 ? -15 : 0))
    }
    var list = Edited((0..<150).map { _ in entry() })
    var taken: [OutlineIndex.Entry] = []
    for edit in 0..<12 {
      let place = random.index(below: list.entries.count - 1)
      switch edit % 4 {
      case 0:
        taken.append(list.entries[place])
        list.edit(removing: [place], inserting: [])
      case 1: list.swap(place, list.entries.count - 1)
      case 2: list.edit(removing: [], inserting: [(place, taken.removeLast())])
      default: list.edit(removing: [place], inserting: [(place, entry())])
      }
      for _ in 0..<8 {
        let p = random.coordinate(near: center, within: 5000)
        let least = list.entries.map { abs(($0.outline.signedDistance(from: p) + $0.inset).metres) }.min()!
        let radius = list.index.safeArea(at: p).radius.metres
        #expect(abs(radius - max(0, least - 0.001)) < 1e-6, "seed \(seed), edit \(edit)")
      }
    }
  }

  @Test func `the nearest boundaries are those that all distances say`() {
    var random = CountedRandom(seed: 5)
    let center = place(52, 13)
    let entries = (0..<50).map { number -> OutlineIndex.Entry in
      let place = random.coordinate(near: center, within: 8000)
      return .init(
        outline: Outline(random.polygon(around: place, radius: 2000, count: 8)),
        inset: .metres(number % 10 == 0 ? 50 : 0))
    }
    let index = BoundaryIndex(entries)
    for _ in 0..<20 {
      let p = random.coordinate(near: center, within: 10_000)
      let all = entries.map { abs(($0.outline.signedDistance(from: p) + $0.inset).metres) }.sorted()
      let found = index.nearestBoundaries(6, to: p).map(\.distance.metres)
      #expect(zip(found, all).allSatisfy { abs($0 - $1) < 1e-6 })
      #expect(found.count == 6)
    }
  }
}
