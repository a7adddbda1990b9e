extension BoundaryTree {
  /// The distance to the nearest boundary below a node, or `limit` when there is none nearer.
  func distance(from query: Query, below node: Int, limit: Double) -> Double {
    var search = NearestSearch(query: query, best: limit)
    search.visit(node, of: self)
    return search.best
  }
}

/// The nearest piece, depth first, nearer boxes first.
private struct NearestSearch {
  let query: Query
  private(set) var best: Double
  /// The square of the straight distance from which on nothing can be nearer than `best`.
  private var reach: Double

  init(query: Query, best: Double) {
    self.query = query
    self.best = best
    let chord = Chord.upTo(ground: best)
    reach = chord * chord
  }

  private mutating func found(_ distance: Double) {
    guard distance < best else { return }
    best = distance
    let chord = Chord.upTo(ground: distance)
    reach = chord * chord
  }

  mutating func visit(_ index: Int, of tree: BoundaryTree) {
    let node = tree.nodes[index]
    if node.kind == .leaf {
      visitPieces(node, of: tree)
      return
    }
    let children = Int(node.first)..<Int(node.first + node.count)
    var nearest = -1
    var least = Double.infinity
    for child in children {
      let square = tree.nodes[child].box.squaredDistance(to: query.place)
      if square < least { (nearest, least) = (child, square) }
    }
    guard nearest >= 0, least < reach else { return }
    visit(nearest, of: tree)
    for child in children
    where child != nearest && tree.nodes[child].box.squaredDistance(to: query.place) < reach {
      visit(child, of: tree)
    }
  }

  private mutating func visitPieces(_ node: BoundaryTree.Node, of tree: BoundaryTree) {
    let pieces = Int(node.first)..<Int(node.first + node.count)
    var nearest = -1
    var least = Double.infinity
    for piece in pieces where tree.stations[piece].bounds {
      let bound = lowerBound(piece, of: tree)
      if bound < least { (nearest, least) = (piece, bound) }
    }
    guard nearest >= 0, least * least < reach || least <= 0 else { return }
    measure(nearest, of: tree)
    for piece in pieces where piece != nearest && tree.stations[piece].bounds {
      let bound = lowerBound(piece, of: tree)
      if bound * bound < reach || bound <= 0 { measure(piece, of: tree) }
    }
  }

  /// A straight distance no place of the piece is nearer than.
  private func lowerBound(_ piece: Int, of tree: BoundaryTree) -> Double {
    let (_, square) = query.place.projected(
      from: tree.stations[piece].place, to: tree.stations[piece + 1].place)
    return square.squareRoot() - tree.stations[piece].sag
  }

  private mutating func measure(_ piece: Int, of tree: BoundaryTree) {
    let station = tree.stations[piece]
    let (u, square) = query.place.projected(from: station.place, to: tree.stations[piece + 1].place)
    let edge = tree.edges[Int(station.edge)]
    let (a, b) = (station.fractionAtStart, station.fractionAtEnd)
    let clamped = min(1, max(0, u))
    let guess = a + (b - a) * clamped
    if edge.kind == .geodesic, square < 9_000_000, u <= 0 || u >= 1, guess == 0 || guess == 1 {
      // Up to 3 km away the straight projection tells the side of a vertex well enough for 4e-9 m.
      found(query.coordinate.distance(to: guess == 0 ? edge.start : edge.end).metres)
      return
    }
    found(edge.distance(from: query.coordinate, low: min(a, b), high: max(a, b), guess: guess))
  }
}
