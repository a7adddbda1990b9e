extension ZoneIndex {
  /// The `k` zones whose effective boundary is nearest, inside or out; nearest first, equal distances by zone. Distances
  /// are positive.
  public func nearestBoundaries(_ k: Int, to p: Coordinate) -> [Neighbour] {
    let query = Query(p)
    var ranking = Ranking(limit: k)
    visitNearestFirst(from: query.place) { zone, least in
      leastBoundaryDistance(query, zone, least)
    } _: { zone in
      let distance = boundaryDistance(query, zone, limit: ranking.reach)
      if distance <= ranking.reach { ranking.insert(Neighbour(zone: zone, distance: .metres(distance))) }
    } reach: {
      ranking.reach
    }
    return ranking.neighbours
  }

  /// What the distance to the effective boundary is at least, inside or out, found without measuring over the ground.
  /// - Parameter box: the distance of the zone's box, -infinity in it.
  @inline(__always) func leastBoundaryDistance(_ query: Query, _ zone: Int, _ box: Double) -> Double {
    guard case .circle(_, let radius) = entries[zone].outline.extent else { return max(0, box) }
    let effective = radius - entries[zone].inset.metres
    let chord = query.place.squaredDistance(to: entries[zone].outline.box.center).squareRoot()
    if chord >= effective { return chord - effective - Chord.rounding }
    return max(0, effective - Chord.ground(within: chord) - Chord.rounding)
  }

  /// More than `limit` where it is farther.
  func boundaryDistance(_ query: Query, _ zone: Int, limit: Double) -> Double {
    let entry = entries[zone]
    if entry.inset == .zero, case .polygon(let tree) = entry.outline.extent {
      let enough = min(limit, Earth.halfMeridian)
      let distance = tree.distance(from: query, below: tree.root, limit: enough * (1 + 1e-12) + 1e-9)
      return distance
    }
    return abs(distance(query, zone, limit: min(limit, Earth.halfMeridian)))
  }
}
