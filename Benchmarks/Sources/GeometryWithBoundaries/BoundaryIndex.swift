/// Finds the outlines with the nearest boundaries, from inside or outside. Boundaries of polygons are cut
/// into chunks that are indexed one by one.
public struct BoundaryIndex: Sendable {
  public typealias Entry = OutlineIndex.Entry
  public typealias Neighbour = OutlineIndex.Neighbour
  private typealias Layer = IndexLayers<BoundaryLayer>.Layer

  public let entries: EditedList<Entry>
  private let layers: IndexLayers<BoundaryLayer>

  /// - Complexity: O(n log n) in edges.
  public init(_ entries: [Entry]) {
    let entries = EditedList(entries)
    self.entries = entries
    layers = IndexLayers(count: entries.count) { outlines, _ in BoundaryLayer(entries, outlines) }
  }

  /// The index after an edit: see ``OutlineIndex/init(editing:by:_:)``.
  public init(editing former: BoundaryIndex, by edit: ListEdit, _ entries: [Entry]) {
    let edited = former.entries.edited(by: edit, entries)
    self.entries = edited
    layers = IndexLayers(replacing: former.layers, by: edited.positions, count: edited.count) { outlines, _ in
      BoundaryLayer(edited, outlines)
    }
  }

  public var count: Int { entries.count }

  /// Returns the `k` outlines with the nearest effective boundaries, from inside or outside. The nearest
  /// comes first; equal distances are in the order of outlines. Distances are never negative.
  public func nearestBoundaries(_ k: Int, to p: Coordinate) -> [Neighbour] {
    let query = Query(p)
    return nearestBoundaries(k, query, within: .infinity)
  }

  /// - Parameter most: metres; farther boundaries are left out.
  func nearestBoundaries(_ k: Int, _ query: Query, within most: Double) -> [Neighbour] {
    let limit = min(k, count)
    guard limit > 0 else { return [] }
    return withUnsafeTemporaryAllocation(of: BoundarySearch.Bound.self, capacity: limit) { bounds in
      withUnsafeTemporaryAllocation(of: BoundarySearch.Candidate.self, capacity: BoundarySearch.room) {
        room in
        var search = BoundarySearch(limit: limit, most: most, bounds, room)
        defer { search.end() }
        if let recent = layers.recent { look(query, in: recent, &search) }
        look(query, in: layers.base, &search)
        return search.settled(from: query.place) { measure(query, $0, square: $1) }
      }
    }
  }

  /// Searches one layer: bounds the distances to chunks, and measures the outlines that have no chunks.
  private func look(_ query: Query, in layer: Layer, _ search: inout BoundarySearch) {
    layer.content.chunks.read { chunks in
      let tree = search.limit == 1 ? layer.content.all : layer.content.byOutline
      search.fetched ^= tree.visitBoundaries(from: query.place) { outline, least in
        let position = layer.position(outline)
        return position < 0 || least > search.reach(of: position)
      } fetch: { name in
        name & BoundaryLayer.chunkBit == 0 ? 0 : chunks.fetch(Int(name & ~BoundaryLayer.chunkBit))
      } _: { name in
        guard name & BoundaryLayer.chunkBit != 0 else {
          return measure(query, layer.position(Int(name)), &search)
        }
        let chunk = Int(name & ~BoundaryLayer.chunkBit)
        let distances = chunks.distances(from: query.place, to: chunk)
        let nearest = distances.least
        guard nearest <= search.reach else { return }
        let position = layer.position(chunks.outline(of: chunk))
        guard position >= 0 else { return }
        search.add(
          distances, nearest: nearest, outline: position, from: chunks.place(of: chunk),
          isGeodesic: chunks.isGeodesic(chunk))
      } reach: {
        search.reach
      }
    }
  }

  private func measure(_ query: Query, _ outline: Int, _ search: inout BoundarySearch) {
    guard outline >= 0 else { return }
    let distance = boundaryDistance(query, outline, limit: search.groundReach)
    search.add(Neighbour(outline: outline, distance: .metres(distance)))
  }

  @inline(__always) private func measure(
    _ query: Query, _ candidate: BoundarySearch.Candidate, square: Double
  ) -> Double {
    if candidate.isGeodesic {
      let (from, to) = (candidate.place[0], candidate.place[1])
      if let distance = ShortLine.distance(
        from: query.place, toGeodesic: from, to, square: square)
      {
        return distance
      }
    }
    return entries[Int(candidate.outline)].outline.distance(from: query, toPieceAt: candidate.place)
  }

  /// Returns the distance to an outline's boundary, or any number above `limit` if the distance exceeds it.
  func boundaryDistance(_ query: Query, _ outline: Int, limit: Double) -> Double {
    let entry = entries[outline]
    if entry.inset == .zero, case .polygon(let tree) = entry.outline.extent {
      let enough = min(limit, Earth.halfMeridian)
      let distance = tree.distance(from: query, below: tree.root, limit: enough * (1 + 1e-12) + 1e-9)
      return distance
    }
    // The limit is raised slightly, so that a distance that is cut off there exceeds the caller's limit.
    return abs(entry.distance(from: query, limit: min(limit, Earth.halfMeridian) + 1e-6))
  }

  // MARK: Safe area

  /// Returns a circle around `p` that no effective boundary enters: while a device stays in it, the same
  /// outlines contain the device, and no effective distance changes sign.
  ///
  /// Costs as much as `nearestBoundaries(1, to:)`. The radius is the distance to the nearest boundary, less a
  /// millimetre.
  /// - Parameter limit: the greatest radius; farther boundaries are not searched for.
  public func safeArea(at p: Coordinate, limit: Distance = .kilometres(1000)) -> SafeArea {
    let nearest = nearestBoundaries(1, Query(p), within: limit.metres)
    let least = nearest.first?.distance.metres ?? limit.metres
    return SafeArea(center: p, radius: .metres(max(0, least - 0.001)))
  }
}

extension Outline {
  /// Returns the distance to the piece of a polygon's boundary that begins at `place`; infinite for other
  /// shapes.
  @inline(never) fileprivate func distance(
    from query: Query, toPieceAt place: UnsafePointer<Cartesian>
  ) -> Double {
    guard case .polygon(let tree) = extent else { return .infinity }
    var search = NearestSearch(query: query, best: .infinity, byGeodesics: false)
    search.measure(place - tree.places.start, of: tree)
    return search.best
  }
}
