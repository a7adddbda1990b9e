/// Parts of a polygon that share edges. Each such group is measured as one area: an edge with one part on
/// either side is no boundary. Examples are areas cut in two at ±180°, as RFC 7946 demands, and adjacent
/// lots.
///
/// An edge is shared where both parts have it, the same way or back, also where a vertex of one part lies on an edge of the
/// other: within 1e-13 degrees, ten nanometres, of the straight line in longitude and latitude, or on the same meridian.
struct JoinedParts: Sendable {
  /// The group of each part; -1 without one.
  private let groups: [Int]
  /// The edges of each group's parts, without those that two of them share.
  let borders: [BoundaryTree]

  func isJoined(_ part: Int) -> Bool { groups[part] >= 0 }

  /// Returns the depth of a place in the groups of some parts: the distance to a group's border, 0 without a
  /// group.
  func depth(of query: Query, in parts: [Int], limit: Double) -> Double {
    var depth = 0.0
    var last = -1
    for part in parts where groups[part] >= 0 && groups[part] != last {
      last = groups[part]
      let border = borders[last]
      depth = max(depth, border.distance(from: query, below: border.root, limit: limit))
    }
    return depth
  }

  /// Nil where no parts share an edge.
  /// - Parameter tree: of the polygon.
  /// - Complexity: O(n log n) in the number of vertices of parts whose boxes touch others, for outlines as they occur.
  init?(_ polygon: Polygon, _ tree: BoundaryTree) {
    let near = Self.neighbours(tree)
    guard near.count > 1 else { return nil }
    var seams = SeamSearch(polygon, near)
    guard let groups = seams.groups(by: tree) else { return nil }
    var found = [Int](repeating: -1, count: polygon.parts.count)
    var borders: [BoundaryTree] = []
    for group in groups {
      let rings = group.flatMap { seams.rings[$0] }.compactMap { try? Ring($0) }
      guard let first = rings.first else { continue }
      for index in group { found[near[index]] = borders.count }
      let part = Polygon.Part(outer: first, holes: Array(rings.dropFirst()))
      borders.append(BoundaryTree(Polygon(parts: [part], edges: polygon.edges)))
    }
    guard !borders.isEmpty else { return nil }
    (self.groups, self.borders) = (found, borders)
  }

  /// The parts whose boxes touch that of another, ascending. Parts around a pole are left out: they are measured alone.
  private static func neighbours(_ tree: BoundaryTree) -> [Int] {
    guard tree.parts.count > 1 else { return [] }
    func box(_ part: Int) -> Box { tree.nodes[Int(tree.parts[part].root)].box }
    var order = tree.parts.indices.filter {
      !tree.nodes[Int(tree.parts[$0].root)].isPolar && !box($0).isEmpty
    }
    order.sort { (box($0).minX, $0) < (box($1).minX, $1) }
    var touches = [Bool](repeating: false, count: tree.parts.count)
    for (rank, part) in order.enumerated() {
      let mine = box(part)
      for other in order[(rank + 1)...] {
        let its = box(other)
        guard its.minX <= mine.maxX else { break }
        if its.minY <= mine.maxY, mine.minY <= its.maxY, its.minZ <= mine.maxZ, mine.minZ <= its.maxZ {
          touches[part] = true
          touches[other] = true
        }
      }
    }
    return touches.indices.filter { touches[$0] }
  }
}

/// Searches for edges that two parts share.
private struct SeamSearch {
  /// The rings of each part, with the vertices of others that lie on its edges.
  private(set) var rings: [[[Coordinate]]]
  private let parts: [Int]
  private let kind: EdgeKind
  /// Degrees; no finer than degrees can be written.
  private static let closeness = 1e-13
  /// The most pairs of an edge and a vertex compared; further vertices on edges are not found. Bounds the
  /// time for a file.
  private static let mostPairs = 2_000_000

  init(_ polygon: Polygon, _ parts: [Int]) {
    self.parts = parts
    kind = polygon.edges
    rings = parts.map { part in
      [polygon.parts[part].outer.vertices] + polygon.parts[part].holes.map { $0.vertices }
    }
    cutEdges()
  }

  // MARK: Vertices on edges of others

  private mutating func cutEdges() {
    var vertices = rings.flatMap { $0.flatMap { $0 } }
    vertices.sort { $0.latitude.degrees < $1.latitude.degrees }
    var pairs = 0
    for part in rings.indices {
      for ring in rings[part].indices {
        rings[part][ring] = cut(rings[part][ring], by: vertices, &pairs)
      }
    }
  }

  private func cut(_ ring: [Coordinate], by vertices: [Coordinate], _ pairs: inout Int) -> [Coordinate] {
    var result: [Coordinate] = []
    result.reserveCapacity(ring.count)
    for (index, from) in ring.enumerated() {
      let to = ring[index + 1 == ring.count ? 0 : index + 1]
      result.append(from)
      let sweep = Coordinate.wrapped(to.longitude.degrees - from.longitude.degrees)
      let rise = to.latitude.degrees - from.latitude.degrees
      let length = max(abs(sweep), abs(rise))
      guard length > 0, abs(sweep) < 180, kind == .lonLat || sweep == 0,
        max(abs(from.latitude.degrees), abs(to.latitude.degrees)) < 90
      else { continue }
      var between: [(along: Double, vertex: Coordinate)] = []
      let low = min(from.latitude.degrees, to.latitude.degrees) - Self.closeness
      let high = max(from.latitude.degrees, to.latitude.degrees) + Self.closeness
      var next = Self.first(notBelow: low, vertices)
      while next < vertices.count, vertices[next].latitude.degrees <= high, pairs < Self.mostPairs {
        let vertex = vertices[next]
        next += 1
        pairs += 1
        let x = Coordinate.wrapped(vertex.longitude.degrees - from.longitude.degrees)
        let y = vertex.latitude.degrees - from.latitude.degrees
        guard abs(x * rise - y * sweep) <= Self.closeness * length else { continue }
        let along = (x * sweep + y * rise) / (sweep * sweep + rise * rise)
        if along > 0, along < 1, !vertex.isAt(from), !vertex.isAt(to) { between.append((along, vertex)) }
      }
      between.sort { $0.along < $1.along }
      for (_, vertex) in between where !(result.last?.isAt(vertex) ?? false) { result.append(vertex) }
    }
    return result
  }

  private static func first(notBelow latitude: Double, _ vertices: [Coordinate]) -> Int {
    var (low, high) = (0, vertices.count)
    while low < high {
      let middle = (low + high) / 2
      if vertices[middle].latitude.degrees < latitude { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Shared edges

  private struct Walk {
    let key: RingLeg.Key
    let part: Int
    let leg: RingLeg
  }

  /// Returns the groups of parts joined by shared edges: lists of two and more indices into `rings`. Nil if
  /// there are none.
  ///
  /// A part that shares an edge otherwise, with two parts on one side, overlaps another and is measured alone.
  mutating func groups(by tree: BoundaryTree) -> [[Int]]? {
    var walks: [Walk] = []
    for part in rings.indices {
      for ring in rings[part] {
        guard let ring = try? Ring(ring) else { continue }
        for leg in RingLeg.legs(of: ring, kind: kind) where !leg.isHop {
          if let key = leg.key { walks.append(Walk(key: key, part: part, leg: leg)) }
        }
      }
    }
    var byKey: [RingLeg.Key: [Int]] = [:]
    for (index, walk) in walks.enumerated() { byKey[walk.key, default: []].append(index) }
    var overlaps = [Bool](repeating: false, count: rings.count)
    var isBounded = [Bool](repeating: false, count: rings.count)
    var seams: [(Int, Int)] = []
    for index in walks.indices {
      let all = byKey[walks[index].key] ?? []
      guard all.first == index else { continue }
      let (first, last) = (walks[all[0]].part, walks[all[all.count - 1]].part)
      if all.count == 1 {
        isBounded[first] = true
      } else if all.count == 2, first != last, isBetween(first, last, walks[index].leg.edge, tree) {
        seams.append((first, last))
      } else if all.contains(where: { walks[$0].part != first }) {
        for walk in all { overlaps[walks[walk].part] = true }
      }
    }
    return joined(seams.filter { !overlaps[$0.0] && !overlaps[$0.1] }, isBounded)
  }

  /// True where an edge has one of two parts on its one side, alone, and the other part on the other side.
  private func isBetween(_ a: Int, _ b: Int, _ edge: Edge, _ tree: BoundaryTree) -> Bool {
    let middle = edge.place(at: 0.5, on: edge.track())
    let way = Geodesic(from: middle, to: edge.end)
    // A hundredth of the edge, at most a centimetre: near enough that no other edge is likely between.
    let aside = min(0.01, way.length.metres / 50)
    guard aside > 1e-6 else { return false }
    var found: [Int] = []
    for turn in [90.0, -90] {
      let place = Geodesic.destination(
        from: middle, azimuth: .degrees(Coordinate.wrapped(way.azimuthAtStart.degrees + turn)),
        distance: .metres(aside))
      let around = tree.parts(around: Query(place)).filter { $0 == parts[a] || $0 == parts[b] }
      guard around.count == 1 else { return false }
      found.append(around[0])
    }
    return found[0] != found[1]
  }

  private func joined(_ seams: [(Int, Int)], _ isBounded: [Bool]) -> [[Int]]? {
    guard !seams.isEmpty else { return nil }
    var leaders = Array(rings.indices)
    func leader(_ index: Int) -> Int {
      var at = index
      while leaders[at] != at { at = leaders[at] }
      return at
    }
    for (a, b) in seams {
      let (first, second) = (leader(a), leader(b))
      leaders[max(first, second)] = min(first, second)
      leaders[a] = min(first, second)
      leaders[b] = min(first, second)
    }
    var members = [[Int]](repeating: [], count: rings.count)
    for index in rings.indices { members[leader(index)].append(index) }
    // Without any edge left the rings would be read otherwise.
    let groups = members.filter { $0.count > 1 && $0.contains { isBounded[$0] } }
    return groups.isEmpty ? nil : groups
  }
}
