extension BoundaryTree {
  /// Returns the full turns of a vertex past the meridian of `query`, rounded down. The change along a
  /// stretch is the number of crossings of that meridian, eastward less westward. Only given numbers are
  /// compared, so rounding cannot add a crossing.
  private func winding(_ vertex: Int32, _ query: Query) -> Int32 {
    let vertex = self.vertex(Int(vertex))
    return vertex.longitude >= query.longitude ? vertex.turns : vertex.turns - 1
  }

  /// True if the way from `query` north to the pole crosses what is below a node an odd number of times.
  func crossesNorthward(of query: Query, below index: Int) -> Bool {
    let node = nodes[index]
    if node.kind == .group {
      if !node.isPolar, !mayContain(query, node) { return false }
      var odd = false
      for child in Int(node.first)..<Int(node.first + node.count)
      where crossesNorthward(of: query, below: child) {
        odd.toggle()
      }
      return odd
    }
    if node.north < query.latitude { return false }
    if node.south > query.latitude {
      return (winding(node.lastVertex, query) - winding(node.firstVertex, query)) & 1 != 0
    }
    if !spans(query.longitude, node.west, node.east) { return false }
    var odd = false
    for child in Int(node.first)..<Int(node.first + node.count) {
      let crosses =
        node.kind == .leaf
        ? pieceCrossesNorthward(of: query, child) : crossesNorthward(of: query, below: child)
      if crosses { odd.toggle() }
    }
    return odd
  }

  /// True if a place could lie inside rings below a node that isn't polar.
  func mayContain(_ query: Query, _ node: Node) -> Bool {
    query.latitude >= node.south && query.latitude <= node.north
      && spans(query.longitude, node.west, node.east)
  }

  /// True if some full turn brings `longitude` between `west` and `east`.
  private func spans(_ longitude: Double, _ west: Double, _ east: Double) -> Bool {
    // A hair wider than the ends, for the rounding of the turn.
    let turn = -((longitude - west + 1e-9) / 360).rounded(.down) * 360
    return longitude + turn <= east + 1e-9
  }

  private func pieceCrossesNorthward(of query: Query, _ piece: Int) -> Bool {
    guard (winding(Int32(piece + 1), query) - winding(Int32(piece), query)) & 1 != 0 else { return false }
    let (a, b, bulge) = (vertex(piece), vertex(piece + 1), bulge(of: piece))
    if max(a.latitude, b.latitude) + bulge < query.latitude { return false }
    if min(a.latitude, b.latitude) - bulge > query.latitude { return true }
    if kind == .geodesic, let isNorth = seemsNorth(of: query, a, b, bulge: bulge) { return isNorth }
    return edge(of: piece).isNorth(of: query.coordinate)
  }

  /// True if the straight line on the map between the ends of a geodesic piece is north of a place, when the place is
  /// so far from it that the geodesic is on the same side; nil if the geodesic itself has to decide.
  ///
  /// The straight line bends off the geodesic by no more than 1.7 tan φ / r for each metre squared, so it strays by less
  /// than 1.7 c² tan φ / 8r; the band is half as wide again.
  private func seemsNorth(of query: Query, _ a: Vertex, _ b: Vertex, bulge: Double) -> Bool? {
    let sweep = b.unwrapped - a.unwrapped
    let rise = b.latitude - a.latitude
    let highest = max(abs(a.latitude), abs(b.latitude))
    guard abs(sweep) < 90, highest < 89 else { return nil }
    let right = Coordinate.wrapped(query.longitude - a.longitude)
    let above = (query.latitude - a.latitude) * sweep - rise * right
    // Metres for a degree, at least.
    let (up, across) = (
      Earth.leastMetresPerDegree,
      Earth.leastMetresPerDegree * Trigonometry.sineAndCosine(ofDegrees: highest).cosine
    )
    let length = (rise * rise * up * up + sweep * sweep * across * across).squareRoot()
    guard abs(above) * up * across > length * (2.4 * bulge * Earth.mostMetresPerDegree) else { return nil }
    return (above < 0) == (sweep > 0)
  }
}

extension Edge {
  /// True if this edge crosses the meridian of `p`, which it does cross, north of `p`.
  func isNorth(of p: Coordinate) -> Bool {
    let west = Coordinate.wrapped(p.longitude.degrees - start.longitude.degrees)
    switch kind {
    case .lonLat:
      guard sweep != 0 else { return false }
      // The fraction is taken on the side of the start that the edge goes to.
      var fraction = west / sweep
      if fraction < -1e-9 { fraction += 360 / abs(sweep) }
      let latitude =
        start.latitude.degrees + fraction * (end.latitude.degrees - start.latitude.degrees)
      return latitude > p.latitude.degrees
    case .geodesic:
      // Both lines start together; the one that starts out more to the north stays north.
      let toEnd = Geodesic(from: start, to: end).azimuthAtStart.degrees
      let toPoint = Geodesic(from: start, to: p)
      guard toPoint.length > .zero else { return false }
      let right = Coordinate.wrapped(toPoint.azimuthAtStart.degrees - toEnd)
      return sweep > 0 ? right > 0 : right < 0
    }
  }
}

extension BoundaryTree {
  /// Returns the parts that contain a place, ascending.
  func parts(around query: Query) -> [Int] {
    var found: [Int] = []
    for part in parts.indices {
      let node = nodes[Int(parts[part].root)]
      guard node.isPolar || mayContain(query, node) else { continue }
      if crossesNorthward(of: query, below: Int(parts[part].root)) != parts[part].isFlipped {
        found.append(part)
      }
    }
    return found
  }

  /// Returns the parts whose edges are within some metres of the place, ascending.
  func parts(within metres: Double, of query: Query) -> [Int] {
    parts.indices.filter { distance(from: query, below: Int(parts[$0].root), limit: 2 * metres) <= metres }
  }
}
