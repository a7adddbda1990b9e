/// A straight stretch of boundary on the map, in tiles, northward. Columns go on where it runs round the earth.
struct GridPiece: Sendable {
  let u1: Double
  let v1: Double
  let u2: Double
  let v2: Double
  /// The greatest distance of the boundary from the piece, metres.
  let strays: Double
  /// The column of the current tile.
  var column = 0.0

  init(from: (u: Double, v: Double), to: (u: Double, v: Double), strays: Double) {
    let isNorthward = from.v <= to.v
    (u1, v1) = isNorthward ? from : to
    (u2, v2) = isNorthward ? to : from
    self.strays = strays
  }

  var isPoint: Bool { u1 == u2 && v1 == v2 }

  /// Returns where the piece crosses the southern side of a row; the same number for every caller, monotone
  /// in `v`.
  @inline(__always) func crossing(_ v: Double) -> Double {
    let u = u1 + (v - v1) * ((u2 - u1) / (v2 - v1))
    return min(max(u, min(u1, u2)), max(u1, u2))
  }
}

/// The boundary of one part of a polygon, cut into pieces that straight lines approximate.
struct GridPart {
  private(set) var pieces: [GridPiece] = []
  /// For rings that go round the earth an odd number of times: from where the map's edge closes them, northward or
  /// southward.
  private(set) var closings: [(v: Double, north: Bool)] = []
  /// True if a ring winds round the earth more often than columns can represent; then there are no pieces.
  private(set) var isWound = false
  /// True if a ring is a single place: it has no line to store in a cell, but the place is on its boundary.
  private(set) var hasPoint = false

  /// Metres; more, and a piece is cut again.
  private let mostStraying: Double
  private static let mostCuts = 1000.0
  /// Degrees and metres up to which an edge's bend is known well enough to join the tree's pieces.
  private static let highestStretch = 75.0
  private static let longestStretch = 200_000.0

  /// - Parameter rings: pieces, by their first vertices.
  init(_ tree: BoundaryTree, rings: ArraySlice<Range<Int>>, isFlipped: Bool, scale: GridScale) {
    mostStraying = scale.mostStraying
    var north = isFlipped
    for ring in rings {
      let first = pieces.count
      var index = ring.lowerBound
      while index < ring.upperBound {
        let stretch = stretch(from: index, in: ring, of: tree)
        add(stretch, of: tree, scale)
        index = stretch.upperBound
      }
      if pieces[first...].allSatisfy({ $0.isPoint }) { hasPoint = true }
      let (start, end) = (tree.vertex(ring.lowerBound), tree.vertex(ring.upperBound))
      if (end.turns - start.turns) & 1 != 0 {
        closings.append((scale.v(max(-90, min(90, start.latitude))), north))
        north = false
      }
    }
  }

  /// Returns pieces of one edge that one straight line approximates. The tree's pieces of long edges may be
  /// shorter than this grid requires.
  private func stretch(from first: Int, in ring: Range<Int>, of tree: BoundaryTree) -> Range<Int> {
    guard !tree.details.isEmpty, abs(tree.vertex(first).latitude) <= Self.highestStretch else {
      return first..<first + 1
    }
    let edge = tree.edgeNumber(of: first)
    var end = first + 1
    while end < ring.upperBound, tree.edgeNumber(of: end) == edge,
      abs(tree.vertex(end + 1).latitude) <= Self.highestStretch,
      (tree.places[end + 1] - tree.places[first]).length <= Self.longestStretch,
      Self.straying(tree.bulge(of: first..<end + 1)) <= mostStraying
    {
      end += 1
    }
    return first..<end
  }

  private static func straying(_ bulge: Double) -> Double { 1.3 * bulge * Earth.leastMetresPerDegree }

  private mutating func add(_ stretch: Range<Int>, of tree: BoundaryTree, _ scale: GridScale) {
    let (a, b) = (tree.vertex(stretch.lowerBound), tree.vertex(stretch.upperBound))
    guard abs(a.turns) <= 2, abs(b.turns) <= 2 else {
      isWound = true
      return
    }
    let columns = Double(scale.columns)
    let from = (scale.u(a.longitude) + Double(a.turns) * columns, scale.v(max(-90, min(90, a.latitude))))
    let to = (scale.u(b.longitude) + Double(b.turns) * columns, scale.v(max(-90, min(90, b.latitude))))
    let bulge = tree.bulge(of: stretch)
    var strays = Self.straying(bulge)
    if bulge > 0, max(abs(a.latitude), abs(b.latitude)) > 89.7 {
      // Near a pole the map is useless: this is the greatest distance of the piece from its ends.
      strays = 1.5 * (b.place - a.place).length + 1
    } else if strays > mostStraying {
      let ends = (
        tree.fractions(of: stretch.lowerBound).start, tree.fractions(of: stretch.upperBound - 1).end
      )
      return cut(ends, tree.edge(of: stretch.lowerBound), scale, from: from, to: to, strays: strays)
    }
    pieces.append(GridPiece(from: from, to: to, strays: strays))
  }

  private mutating func cut(
    _ ends: (start: Double, end: Double), _ edge: Edge, _ scale: GridScale, from: (Double, Double),
    to: (Double, Double), strays: Double
  ) {
    let count = min(Self.mostCuts, (strays / mostStraying).squareRoot().rounded(.down) + 1)
    let columns = Double(scale.columns)
    let track = edge.track()
    var former = from
    for cut in 1..<max(2, Int(count)) {
      let fraction = ends.start + (ends.end - ends.start) * (Double(cut) / count)
      let place = edge.place(at: fraction, on: track)
      let longitude = place.longitude.degrees
      var u = scale.u(longitude == 180 ? -180 : longitude)
      u += ((former.0 - u) / columns + 0.5).rounded(.down) * columns
      let next = (u, scale.v(place.latitude.degrees))
      pieces.append(GridPiece(from: former, to: next, strays: strays / (count * count) * 1.1))
      former = next
    }
    pieces.append(GridPiece(from: former, to: to, strays: strays / (count * count) * 1.1))
  }
}
