extension BoundaryTree {
  @inline(__always) private func position(_ vertex: Int) -> Position {
    guard positions.isEmpty else { return positions[vertex] }
    let vertex = vertices[vertex == vertices.count ? 0 : vertex]
    return Position(latitude: vertex.latitude.degrees, longitude: vertex.longitude.degrees)
  }

  @inline(__always) func vertex(_ index: Int) -> Vertex {
    let position = position(index)
    return Vertex(
      place: places[index], latitude: position.latitude, longitude: position.longitude,
      turns: details.isEmpty ? 0 : details[index].turns)
  }

  /// The rings, in the order of the polygon's parts, as their pieces' first vertices.
  var rings: [Range<Int>] {
    var rings: [Range<Int>] = []
    var first = 0
    for end in ringEnds {
      rings.append(first..<Int(end))
      first = Int(end) + 1
    }
    return rings
  }

  // MARK: Pieces, by their first vertices

  /// True if inside and outside meet here.
  @inline(__always) func bounds(_ piece: Int) -> Bool { details.isEmpty || details[piece].bounds }

  /// How far the piece strays from the straight line through the earth, metres.
  @inline(__always) func sag(of piece: Int) -> Double {
    guard details.isEmpty else { return details[piece].sag }
    guard sags.isEmpty else { return Double(sags[piece]) }
    return Self.geodesicSag((places[piece + 1] - places[piece]).length)
  }

  /// How far the piece can reach beyond the latitudes of its ends, degrees.
  func bulge(of piece: Int) -> Double {
    guard details.isEmpty else { return details[piece].bulge }
    guard kind == .geodesic else { return 0 }
    let steepest = max(abs(position(piece).latitude), abs(position(piece + 1).latitude))
    return Self.bulge((places[piece + 1] - places[piece]).length, latitude: steepest)
  }

  /// The same of pieces of one edge together.
  func bulge(of stretch: Range<Int>) -> Double {
    let (from, to) = (stretch.lowerBound, stretch.upperBound)
    guard to - from > 1 else { return bulge(of: from) }
    guard kind == .geodesic else { return 0 }
    let steepest = max(abs(position(from).latitude), abs(position(to).latitude))
    return Self.bulge((places[to] - places[from]).length, latitude: steepest)
  }

  /// Returns the positions of the piece's ends on its edge, 0 to 1; the first is greater where the ring runs
  /// the other way.
  func fractions(of piece: Int) -> (start: Double, end: Double) {
    guard details.isEmpty else { return (details[piece].fractionAtStart, details[piece].fractionAtEnd) }
    return leg(piece).isReversed ? (1, 0) : (0, 1)
  }

  // MARK: Edges

  var edgeCount: Int { details.isEmpty ? places.count - ringEnds.count : edges.count }

  func edge(_ number: Int) -> Edge {
    guard details.isEmpty else { return edges[number] }
    var piece = number
    for end in ringEnds where end <= piece { piece += 1 }
    return leg(piece).edge
  }

  /// The number of the edge that a piece is of.
  func edgeNumber(of piece: Int) -> Int {
    guard details.isEmpty else { return Int(details[piece].edge) }
    var number = piece
    for end in ringEnds where end < piece { number -= 1 }
    return number
  }

  func edge(of piece: Int) -> Edge {
    details.isEmpty ? leg(piece).edge : edges[Int(details[piece].edge)]
  }

  /// Returns the leg of a piece of a plain tree.
  private func leg(_ piece: Int) -> RingLeg {
    let (a, b) = (position(piece), position(piece + 1))
    return RingLeg(
      from: Coordinate(latitude: .degrees(a.latitude), longitude: .degrees(a.longitude)),
      to: Coordinate(latitude: .degrees(b.latitude), longitude: .degrees(b.longitude)), kind: kind,
      fromLongitude: a.longitude, toLongitude: b.longitude)
  }
}
