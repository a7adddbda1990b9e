/// An index of many outlines, to find those near a place and their distances.
///
/// Each outline has an inset: its effective distance is `signedDistance + inset`, and a place is inside when
/// that is zero or less. Outlines are named by their position in the array from which the index was built.
/// Built once, immutable, shareable between threads. All answers are exact: boxes only select the outlines to
/// measure. ``ContainmentIndex``, built from the same entries, finds the outlines that contain a place.
public struct OutlineIndex: Sendable {
  public let entries: EditedList<Entry>
  private let layers: IndexLayers<BoxTree>

  /// - Complexity: O(n log n); 10,000 outlines take some milliseconds.
  public init(_ entries: [Entry]) {
    let entries = EditedList(entries)
    self.entries = entries
    layers = IndexLayers(count: entries.count) { outlines, _ in BoxTree(entries.treeItems(outlines)) }
  }

  /// Creates the index after an edit. The existing trees stay, and the inserted outlines get a tree of their
  /// own.
  ///
  /// The answers are those of a new index, a little slower, until so many edits that all is built anew.
  /// - Parameter entries: the inserted entries, as many as the edit inserts.
  /// - Complexity: O(k log k) for k edits since all was built: some hundred microseconds for any number of
  ///   outlines.
  public init(editing former: OutlineIndex, by edit: ListEdit, _ entries: [Entry]) {
    let edited = former.entries.edited(by: edit, entries)
    self.entries = edited
    layers = IndexLayers(replacing: former.layers, by: edited.positions, count: edited.count) { outlines, _ in
      BoxTree(edited.treeItems(outlines))
    }
  }

  public var count: Int { entries.count }

  /// Returns the outlines whose effective distance is at most `radius`, ascending by outline.
  ///
  /// A negative radius selects outlines in which `p` lies at least that deep.
  /// - Parameter place: the position of `p` in space (``Coordinate/ecef``), if known.
  public func within(_ radius: Distance, of p: Coordinate, at place: Cartesian? = nil) -> [Neighbour] {
    let query = Query(p, at: place)
    var found: [Neighbour] = []
    visit(within: max(0, radius.metres), of: query.place) { outline in
      guard entries[outline].leastDistance(from: query.place, box: -.infinity) <= radius.metres else {
        return
      }
      let distance = entries[outline].distance(from: query, outside: radius.metres)
      if distance <= radius.metres { found.append(Neighbour(outline: outline, distance: .metres(distance))) }
    }
    found.sort { $0.outline < $1.outline }
    return found
  }

  /// Returns the `k` outlines of least effective distance, nearest first, equal distances by outline.
  public func nearest(_ k: Int, to p: Coordinate) -> [Neighbour] {
    let query = Query(p)
    var ranking = Ranking(limit: k)
    visitNearestFirst(from: query.place) { outline, least in
      entries[outline].leastDistance(from: query.place, box: least)
    } _: { outline in
      let distance = entries[outline].distance(from: query, outside: ranking.reach)
      if distance <= ranking.reach {
        ranking.insert(Neighbour(outline: outline, distance: .metres(distance)))
      }
    } reach: {
      ranking.reach
    }
    return ranking.neighbours
  }

  /// Returns the effective distance to one outline.
  ///
  /// - Parameter place: the position of `p` in space (``Coordinate/ecef``), if known.
  public func distance(from p: Coordinate, at place: Cartesian? = nil, to outline: Int) -> Distance {
    .metres(entries[outline].distance(from: Query(p, at: place)))
  }

  // MARK: The trees

  @inline(__always) func visit(within distance: Double, of place: Cartesian, _ body: (Int) -> Void) {
    layers.base.content.visit(within: distance, of: place) { outline in
      let position = layers.base.position(outline)
      if position >= 0 { body(position) }
    }
    layers.recent?.content.visit(within: distance, of: place, body)
  }

  /// - Parameter bound: see ``BoxTree/visitNearestFirst(from:bound:_:reach:)``.
  @inline(__always) private func visitNearestFirst(
    from place: Cartesian, bound: (Int, Double) -> Double, _ body: (Int) -> Void, reach: () -> Double
  ) {
    layers.recent?.content.visitNearestFirst(from: place, bound: bound, body, reach: reach)
    layers.base.content.visitNearestFirst(from: place) { outline, least in
      let position = layers.base.position(outline)
      return position < 0 ? .infinity : bound(position, least)
    } _: { outline in
      // A removed outline is infinitely far and comes last; it comes only if fewer are left than requested.
      let position = layers.base.position(outline)
      if position >= 0 { body(position) }
    } reach: {
      reach()
    }
  }

  /// Lowers `clear` to the least bound of any outline's distance. Stops once it is `least` or less.
  @inline(__always) func narrow(_ clear: inout Double, around place: Cartesian, downTo least: Double) {
    if let recent = layers.recent {
      recent.content.narrow(&clear, around: place, downTo: least) {
        entries[$0].leastDistance(from: place, box: $1)
      }
      guard clear > least else { return }
    }
    layers.base.content.narrow(&clear, around: place, downTo: least) { outline, box in
      let position = layers.base.position(outline)
      return position < 0 ? .infinity : entries[position].leastDistance(from: place, box: box)
    }
  }
}

/// The nearest outlines so far.
struct Ranking {
  private let limit: Int
  var neighbours: [OutlineIndex.Neighbour] = []
  /// The greatest distance that still counts.
  private(set) var reach: Double

  init(limit: Int) {
    self.limit = max(0, limit)
    reach = limit > 0 ? .infinity : -.infinity
  }

  /// Adds an outline that is not in the ranking.
  mutating func insert(_ neighbour: OutlineIndex.Neighbour) {
    var place: Int
    if neighbours.count < limit {
      if neighbours.isEmpty { neighbours.reserveCapacity(min(limit, 16)) }
      neighbours.append(neighbour)
      place = neighbours.count - 1
    } else {
      guard limit > 0, isBefore(neighbour, neighbours[limit - 1]) else { return }
      neighbours[limit - 1] = neighbour
      place = limit - 1
    }
    while place > 0, isBefore(neighbour, neighbours[place - 1]) {
      neighbours.swapAt(place, place - 1)
      place -= 1
    }
    if neighbours.count == limit { reach = neighbours[limit - 1].distance.metres }
  }

  private func isBefore(_ a: OutlineIndex.Neighbour, _ b: OutlineIndex.Neighbour) -> Bool {
    a.distance != b.distance ? a.distance < b.distance : a.outline < b.outline
  }
}
