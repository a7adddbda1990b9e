/// Two edges of a ring that cross; edge `i` joins vertex `i` and the next one. `first < second`.
public struct SelfCrossing: Hashable, Comparable, Sendable {
  public let first: Int
  public let second: Int
  public init(first: Int, second: Int) {
    self.first = first
    self.second = second
  }
  public static func < (a: Self, b: Self) -> Bool { (a.first, a.second) < (b.first, b.second) }
}

/// The edges of a ring that cross one another, in order.
///
/// Edges that run along each other for a stretch cross, also where a ring turns back on itself. Where the ring touches
/// itself in a vertex it crosses only if it comes out on the other side. What is nearer than 20 nanometres touches.
/// - Parameter limit: no more than these are looked for; a ring may cross itself n² times.
/// - Complexity: O(n log n) for rings as they occur.
public func selfCrossings(of ring: Ring, edges: EdgeKind, limit: Int = 1000) -> [SelfCrossing] {
  var search = CrossingSearch(ring, edges, limit: limit)
  return search.run()
}

private struct CrossingSearch {
  /// Vertices without repetitions, and which vertex of the ring each was.
  private var vertices: [Coordinate] = []
  private var names: [Int] = []
  private let tree: BoundaryTree
  private let limit: Int
  /// Both edges of each, the first in the upper half.
  private var found: Set<UInt64> = []

  init(_ ring: Ring, _ kind: EdgeKind, limit: Int) {
    for (name, vertex) in ring.vertices.enumerated() {
      if let last = vertices.last, last.isAt(vertex) {
        // The edge that leaves the place is that of the last vertex there.
        names[names.count - 1] = name
      } else {
        vertices.append(vertex)
        names.append(name)
      }
    }
    while vertices.count > 1, vertices[vertices.count - 1].isAt(vertices[0]) {
      vertices.removeLast()
      names.removeLast()
    }
    self.limit = limit
    tree = BoundaryTree(path: vertices + [vertices[0]], kind: kind)
  }

  mutating func run() -> [SelfCrossing] {
    guard vertices.count >= 3 else { return [] }
    visit(tree.nodes[tree.root], tree.nodes[tree.root])
    return found.sorted().map {
      SelfCrossing(first: Int($0 >> 32), second: Int(truncatingIfNeeded: $0 & 0xffff_ffff))
    }
  }

  // MARK: Candidates

  private mutating func visit(_ a: BoundaryTree.Node, _ b: BoundaryTree.Node) {
    guard found.count < limit, a.box.overlaps(b.box) else { return }
    let isOne = a.firstVertex == b.firstVertex && a.lastVertex == b.lastVertex
    if a.kind == .leaf, b.kind == .leaf {
      for first in a.firstVertex..<a.lastVertex {
        for second in (isOne ? first : b.firstVertex)..<b.lastVertex where second > first {
          examine(Int(first), Int(second))
        }
      }
      return
    }
    if isOne {
      let children = Int(a.first)..<Int(a.first + a.count)
      for first in children {
        for second in first..<children.upperBound { visit(tree.nodes[first], tree.nodes[second]) }
      }
      return
    }
    let opensFirst =
      b.kind == .leaf || (a.kind != .leaf && a.lastVertex - a.firstVertex >= b.lastVertex - b.firstVertex)
    let node = opensFirst ? a : b
    for child in Int(node.first)..<Int(node.first + node.count) {
      if opensFirst { visit(tree.nodes[child], b) } else { visit(a, tree.nodes[child]) }
    }
  }

  private mutating func examine(_ a: Int, _ b: Int) {
    let first = tree.edgeNumber(of: a)
    let second = tree.edgeNumber(of: b)
    guard first != second, found.count < limit, box(a).overlaps(box(b)), canMeet(a, b) else { return }
    guard !isPlainBend(a, b), cross(first, second) else { return }
    let (u, v) = (names[first], names[second])
    found.insert(UInt64(min(u, v)) << 32 | UInt64(max(u, v)))
  }

  private func box(_ piece: Int) -> Box {
    var box = Box()
    box.include(tree.places[piece], margin: tree.sag(of: piece))
    box.include(tree.places[piece + 1], margin: tree.sag(of: piece))
    return box
  }

  /// True if a piece goes on into the next at an angle that leaves no doubt that they part there.
  private func isPlainBend(_ a: Int, _ b: Int) -> Bool {
    guard b == a + 1, tree.kind == .geodesic else { return false }
    let back = tree.places[a] - tree.places[b]
    let onward = tree.places[b + 1] - tree.places[b]
    let product = back.dot(onward)
    // Pieces up to 20 km dip a thousandth below the horizon, which is all that they can seem to turn.
    return product < 0 || product * product < 0.99 * back.squaredLength * onward.squaredLength
  }

  /// True if two pieces' straight lines through the earth come as near as the pieces stray from them.
  private func canMeet(_ a: Int, _ b: Int) -> Bool {
    let reach = tree.sag(of: a) + tree.sag(of: b)
    return squaredDistance(
      tree.places[a], tree.places[a + 1], tree.places[b], tree.places[b + 1])
      <= reach * reach
  }

  // MARK: Decision

  private func vertex(_ index: Int) -> Coordinate { vertices[(index + vertices.count) % vertices.count] }

  /// True if edge `i` crosses edge `j`, a vertex being the business of the edge that starts there.
  private func cross(_ i: Int, _ j: Int) -> Bool {
    let (first, second) = (tree.edge(i), tree.edge(j))
    let (a, b, c, d) = (vertex(i), vertex(i + 1), vertex(j), vertex(j + 1))
    let (sideOfC, sideOfD) = (first.side(of: c), first.side(of: d))
    let (sideOfA, sideOfB) = (second.side(of: a), second.side(of: b))
    if sideOfC == 0, sideOfD == 0 || b.isAt(c) || a.isAt(d), runsAlong(i, j) { return true }
    if sideOfC * sideOfD < 0, sideOfA * sideOfB < 0 { return true }
    if sideOfC == 0 || sideOfA == 0, runsAlong(i, j) { return true }
    if a.isAt(c) { return crossesInVertex(i, j) }
    // A vertex in the middle of the other edge: where does the ring come from, and where does it go?
    if sideOfC == 0, sideOfA * sideOfB < 0 || isBetween(c, a, b) {
      return first.side(of: vertex(j - 1)) * sideOfD < 0
    }
    if sideOfA == 0, isBetween(a, c, d) {
      return second.side(of: vertex(i - 1)) * sideOfB < 0
    }
    return false
  }

  /// True if a place known to be on the line of an edge lies on the edge, ends not included.
  private func isBetween(_ p: Coordinate, _ a: Coordinate, _ b: Coordinate) -> Bool {
    guard !p.isAt(a), !p.isAt(b) else { return false }
    let (fraction, _) = p.ecef.projected(from: a.ecef, to: b.ecef)
    return fraction > 0 && fraction < 1
  }

  /// True if two edges share more than a place: then an end of one lies within the other, or they are the same.
  private func runsAlong(_ i: Int, _ j: Int) -> Bool {
    let (first, second) = (tree.edge(i), tree.edge(j))
    let (a, b, c, d) = (vertex(i), vertex(i + 1), vertex(j), vertex(j + 1))
    let onFirst = [c, d].filter {
      first.side(of: $0) == 0 && (isBetween($0, a, b) || $0.isAt(a) || $0.isAt(b))
    }
    let onSecond = [a, b].filter {
      second.side(of: $0) == 0 && (isBetween($0, c, d) || $0.isAt(c) || $0.isAt(d))
    }
    var places: [Coordinate] = []
    for place in onFirst + onSecond where !places.contains(where: { $0.isAt(place) }) { places.append(place) }
    return places.count >= 2
  }

  /// Edges `i` and `j` start in the same place: whether the ring comes out there on the other side of itself.
  private func crossesInVertex(_ i: Int, _ j: Int) -> Bool {
    let place = vertex(i)
    let out = direction(tree.edge(i), from: place)
    let into = turn(out, direction(tree.edge((i + vertices.count - 1) % vertices.count), from: place))
    let one = turn(out, direction(tree.edge(j), from: place))
    let other = turn(out, direction(tree.edge((j + vertices.count - 1) % vertices.count), from: place))
    if one == 0 || other == 0 || one == into || other == into { return false }
    return (one < into) != (other < into)
  }

  /// Degrees clockwise from north; on a map of longitude and latitude where edges are straight there.
  private func direction(_ edge: Edge, from place: Coordinate) -> Double {
    let isStart = edge.start.isAt(place)
    switch edge.kind {
    case .geodesic:
      return Geodesic(from: place, to: isStart ? edge.end : edge.start).azimuthAtStart.degrees
    case .lonLat:
      let up = edge.end.latitude.degrees - edge.start.latitude.degrees
      return isStart
        ? Trigonometry.arctangentInDegrees(y: edge.sweep, x: up)
        : Trigonometry.arctangentInDegrees(y: -edge.sweep, x: -up)
    }
  }

  /// Clockwise, 0 up to 360.
  private func turn(_ from: Double, _ to: Double) -> Double {
    let turn = to - from
    return turn < 0 ? turn + 360 : turn
  }
}

/// Between two segments in space. Least where neither can get nearer, or at an end of one of them.
private func squaredDistance(_ a: Cartesian, _ b: Cartesian, _ c: Cartesian, _ d: Cartesian) -> Double {
  var least = min(
    a.projected(from: c, to: d).squaredDistance, b.projected(from: c, to: d).squaredDistance,
    c.projected(from: a, to: b).squaredDistance, d.projected(from: a, to: b).squaredDistance)
  let (u, v, w) = (b - a, d - c, a - c)
  let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w))
  let determinant = uu * vv - uv * uv
  if determinant > 1e-12 * uu * vv {
    let s = (uv * vw - vv * uw) / determinant
    let t = (uu * vw - uv * uw) / determinant
    if s > 0, s < 1, t > 0, t < 1 { least = min(least, (w + u * s - v * t).squaredLength) }
  }
  return least
}

extension Coordinate {
  /// The same place, however it is written.
  func isAt(_ other: Self) -> Bool {
    if self == other { return true }
    guard abs(latitude.degrees - other.latitude.degrees) < 1e-12 else { return false }
    let apart = Coordinate.wrapped(longitude.degrees - other.longitude.degrees)
    return abs(apart) < 1e-12 || abs(latitude.degrees) == 90
  }
}

extension Edge {
  /// On which side of the line, prolonged beyond its ends, a place near it lies: positive on the right, 0 on it.
  fileprivate func side(of p: Coordinate) -> Double {
    if p == start || p == end { return 0 }
    switch kind {
    case .lonLat:
      let up = end.latitude.degrees - start.latitude.degrees
      let east = Coordinate.wrapped(p.longitude.degrees - start.longitude.degrees)
      let north = p.latitude.degrees - start.latitude.degrees
      let (u, v) = (up * east, sweep * north)
      let rounding = 1e-15 * (abs(u) + abs(v)) + 1e-13 * max(abs(up), abs(sweep))
      return abs(u - v) <= rounding ? 0 : u - v
    case .geodesic:
      let toPoint = Geodesic(from: start, to: p)
      guard toPoint.length > .zero else { return 0 }
      let angle = toPoint.azimuthAtStart.degrees - Geodesic(from: start, to: end).azimuthAtStart.degrees
      let off = toPoint.reducedLength.metres * Trigonometry.sineAndCosine(ofDegrees: angle).sine
      return abs(off) <= 2e-8 ? 0 : off
    }
  }
}
