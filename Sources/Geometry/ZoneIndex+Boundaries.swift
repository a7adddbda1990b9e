extension ZoneIndex {
  /// The `k` zones whose effective boundary is nearest, inside or out; nearest first, equal distances by zone. Distances
  /// are positive.
  public func nearestBoundaries(_ k: Int, to p: Coordinate) -> [Neighbour] {
    let query = Query(p)
    var ranking = Ranking(limit: k)
    visitNearestFirst(from: query.place) { zone in
      let distance = boundaryDistance(query, zone, limit: ranking.reach)
      if distance <= ranking.reach { ranking.insert(Neighbour(zone: zone, distance: .metres(distance))) }
    } reach: {
      ranking.reach
    }
    return ranking.neighbours
  }

  /// More than `limit` where it is farther.
  private func boundaryDistance(_ query: Query, _ zone: Int, limit: Double) -> Double {
    let entry = entries[zone]
    if entry.inset == .zero, case .polygon(let tree) = entry.outline.extent {
      let enough = min(limit, Earth.halfMeridian)
      let distance = tree.distance(from: query, below: tree.root, limit: enough * (1 + 1e-12) + 1e-9)
      return distance
    }
    return abs(distance(query, zone))
  }
}
