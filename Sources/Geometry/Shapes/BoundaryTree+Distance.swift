extension BoundaryTree {
  /// Returns the distance to the nearest boundary below a node, or `limit` if none is nearer.
  /// - Parameter byGeodesics: measures short distances over the ground too, for the last 1e-8 m.
  func distance(from query: Query, below node: Int, limit: Double, byGeodesics: Bool = false) -> Double {
    var search = NearestSearch(query: query, best: limit, byGeodesics: byGeodesics)
    search.visit(node, of: self)
    return search.best
  }
}

/// The nearest piece, depth first, nearer boxes first.
struct NearestSearch {
  let query: Query
  let byGeodesics: Bool
  private(set) var best: Double
  /// The square of the straight distance from which on nothing can be nearer than `best`.
  private var reach: Double

  init(query: Query, best: Double, byGeodesics: Bool) {
    self.query = query
    self.byGeodesics = byGeodesics
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
    if node.kind == .leaf { return visitPieces(node, of: tree) }
    var squares = SIMD8<Double>(repeating: .infinity)
    var nearest = 0
    tree.nodes.withUnsafeBufferPointer { nodes in
      for lane in 0..<Int(node.count) {
        squares[lane] = nodes[Int(node.first) + lane].box.squaredDistance(to: query.place)
        if squares[lane] < squares[nearest] { nearest = lane }
      }
    }
    guard squares[nearest] < reach else { return }
    visit(Int(node.first) + nearest, of: tree)
    for lane in 0..<Int(node.count) where lane != nearest && squares[lane] < reach {
      visit(Int(node.first) + lane, of: tree)
    }
  }

  private mutating func visitPieces(_ node: BoundaryTree.Node, of tree: BoundaryTree) {
    var bounds = SIMD8<Double>(repeating: .infinity)
    var nearest = 0
    for lane in 0..<Int(node.count) where tree.bounds(Int(node.first) + lane) {
      bounds[lane] = lowerBound(Int(node.first) + lane, of: tree)
      if bounds[lane] < bounds[nearest] { nearest = lane }
    }
    guard isNear(bounds[nearest]) else { return }
    measure(Int(node.first) + nearest, of: tree)
    for lane in 0..<Int(node.count) where lane != nearest && isNear(bounds[lane]) {
      measure(Int(node.first) + lane, of: tree)
    }
  }

  /// - Parameter bound: a straight distance, infinite for what bounds nothing.
  @inline(__always) private func isNear(_ bound: Double) -> Bool { bound * bound < reach || bound <= 0 }

  /// Returns a lower bound of the straight distance of a piece.
  @inline(__always) private func lowerBound(_ piece: Int, of tree: BoundaryTree) -> Double {
    let (_, square) = query.place.projected(from: tree.places[piece], to: tree.places[piece + 1])
    return square.squareRoot() - tree.sag(of: piece)
  }

  mutating func measure(_ piece: Int, of tree: BoundaryTree) {
    let (u, square) = query.place.projected(from: tree.places[piece], to: tree.places[piece + 1])
    if !byGeodesics,
      let distance = ShortLine.distance(from: query.place, toPiece: piece, of: tree, square: square)
    {
      return found(distance)
    }
    let edge = tree.edge(of: piece)
    let (a, b) = tree.fractions(of: piece)
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
