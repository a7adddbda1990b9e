extension ZoneIndex {
  /// The `k` zones whose effective boundary is nearest, inside or out; nearest first, equal distances by zone. Distances
  /// are positive.
  public func nearestBoundaries(_ k: Int, to p: Coordinate) -> [Neighbour] {
    let query = Query(p)
    return nearestBoundaries(k, query, within: .infinity)
  }

  /// - Parameter most: metres; what is farther is left out.
  func nearestBoundaries(_ k: Int, _ query: Query, within most: Double) -> [Neighbour] {
    var search = BoundarySearch(limit: k, most: most)
    if let recent { look(query, in: recent, &search) }
    look(query, in: base, &search)
    return search.settled { zone, piece in entries[zone].outline.distance(from: query, toPiece: piece) }
  }

  /// Bounds chunks, and measures what is not in chunks.
  private func look(_ query: Query, in layer: ZoneLayer, _ search: inout BoundarySearch) {
    layer.chunks.read { chunks in
      layer.boundaries.visitBoundaries(from: query.place) { zone, least in
        let position = layer.position(zone)
        return position < 0 || least > search.reach(of: position)
      } _: { name, least in
        let isChunk = name & ZoneLayer.chunkBit != 0
        let chunk = Int(name & ~ZoneLayer.chunkBit)
        let position = layer.position(isChunk ? chunks.zone(of: chunk) : chunk)
        guard position >= 0 else { return }
        if isChunk {
          let reach = search.reach(of: position)
          guard least <= reach else { return }
          let (bounds, spread) = chunks.leastDistances(from: query.place, to: chunk)
          search.add(bounds, spread, reach, zone: position, piece: chunks.piece(of: chunk))
        } else {
          search.add(
            Neighbour(
              zone: position,
              distance: .metres(boundaryDistance(query, position, limit: search.upperBounds.reach))))
        }
      } reach: {
        search.reach
      }
    }
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
