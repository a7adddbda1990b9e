extension ZoneIndex {
  /// The `k` zones whose effective boundary is nearest, inside or out; nearest first, equal distances by zone. Distances
  /// are positive.
  public func nearestBoundaries(_ k: Int, to p: Coordinate) -> [Neighbour] {
    let query = Query(p)
    return nearestBoundaries(k, query, within: .infinity)
  }

  /// - Parameter most: metres; what is farther is left out.
  func nearestBoundaries(_ k: Int, _ query: Query, within most: Double) -> [Neighbour] {
    let limit = min(k, count)
    guard limit > 0 else { return [] }
    return withUnsafeTemporaryAllocation(of: BoundarySearch.Bound.self, capacity: limit) { bounds in
      withUnsafeTemporaryAllocation(of: BoundarySearch.Candidate.self, capacity: BoundarySearch.room) {
        room in
        var search = BoundarySearch(limit: limit, most: most, bounds, room)
        defer { search.end() }
        if let recent { look(query, in: recent, &search) }
        look(query, in: base, &search)
        return search.settled(from: query.place) { measure(query, $0) }
      }
    }
  }

  /// Bounds chunks, and measures what is not in chunks.
  private func look(_ query: Query, in layer: ZoneLayer, _ search: inout BoundarySearch) {
    layer.boundaries.chunks.read { chunks in
      let tree = search.limit == 1 ? layer.boundaries.all : layer.boundaries.byZone
      tree.visitBoundaries(from: query.place) { zone, least in
        let position = layer.position(zone)
        return position < 0 || least > search.reach(of: position)
      } _: { name, least in
        guard name & ZoneBoundaries.chunkBit != 0 else {
          return measure(query, layer.position(Int(name)), &search)
        }
        let chunk = Int(name & ~ZoneBoundaries.chunkBit)
        let (bounds, spread) = chunks.leastDistances(from: query.place, to: chunk)
        let nearest = bounds.least
        guard nearest <= search.reach else { return }
        let position = layer.position(chunks.zone(of: chunk))
        guard position >= 0 else { return }
        search.add(
          bounds, nearest: nearest, spread, zone: position, place: chunks.place(of: chunk),
          isGeodesic: chunks.isGeodesic(chunk))
      } reach: {
        search.reach
      }
    }
  }

  private func measure(_ query: Query, _ zone: Int, _ search: inout BoundarySearch) {
    guard zone >= 0 else { return }
    let distance = boundaryDistance(query, zone, limit: search.groundReach)
    search.add(Neighbour(zone: zone, distance: .metres(distance)))
  }

  @inline(__always) private func measure(_ query: Query, _ candidate: BoundarySearch.Candidate) -> Double {
    if candidate.isGeodesic {
      let (from, to) = (candidate.place[0], candidate.place[1])
      if let distance = ShortLine.distance(
        from: query.place, toGeodesic: from, to, square: candidate.square)
      {
        return distance
      }
    }
    return entries[Int(candidate.zone)].outline.distance(from: query, toPieceAt: candidate.place)
  }

  /// More than `limit` where it is farther.
  func boundaryDistance(_ query: Query, _ zone: Int, limit: Double) -> Double {
    let entry = entries[zone]
    if entry.inset == .zero, case .polygon(let tree) = entry.outline.extent {
      let enough = min(limit, Earth.halfMeridian)
      let distance = tree.distance(from: query, below: tree.root, limit: enough * (1 + 1e-12) + 1e-9)
      return distance
    }
    // A little more, so that what is cut off at it is farther than the limit, not as far.
    return abs(distance(query, zone, limit: min(limit, Earth.halfMeridian) + 1e-6))
  }
}
