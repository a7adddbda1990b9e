extension BoundaryTree {
  /// Children of one node.
  static let fanOut = 8
}

/// A tree while it grows: each vertex with all there is to say of it.
struct BoundaryTreeBuilder {
  typealias Vertex = BoundaryTree.Vertex
  typealias Node = BoundaryTree.Node

  let kind: EdgeKind
  private(set) var edges: [Edge] = []
  private(set) var vertices: [Vertex] = []
  private(set) var details: [BoundaryTree.Detail] = []
  private(set) var ringEnds: [Int32] = []
  var nodes: [Node] = []
  private(set) var parts: [BoundaryTree.Part] = []
  private(set) var root = 0
  /// Longer pieces are cut, so that boxes stay tight; metres.
  private static let longestPiece = 20_000.0
  /// A piece straight in longitude and latitude bends with the parallels; degrees of longitude.
  private static let widestPiece = 2.0

  init(_ polygon: Polygon) {
    kind = polygon.edges
    let vertices = polygon.parts.reduce(0) { sum, part in
      part.holes.reduce(sum + part.outer.vertices.count + 1) { $0 + $1.vertices.count + 1 }
    }
    reserve(vertices)
    var roots: [Node] = []
    for part in polygon.parts {
      var rings = [RingLeg.legs(of: part.outer, kind: polygon.edges)]
      for hole in part.holes { rings.append(RingLeg.legs(of: hole, kind: polygon.edges)) }
      RingLeg.settle(&rings)
      var isFlipped = false
      var ringRoots: [Node] = []
      for ring in rings {
        let (root, flips) = addChain(ring)
        ringRoots.append(root)
        if flips { isFlipped.toggle() }
      }
      let root = group(ringRoots)
      nodes.append(root)
      parts.append(BoundaryTree.Part(root: Int32(nodes.count - 1), isFlipped: isFlipped))
      roots.append(root)
    }
    // Parts are found again by their node, so the last level is made of them in a known order.
    nodes.append(group(roots))
    root = nodes.count - 1
  }

  /// An open line, without inside.
  init(path: [Coordinate], kind: EdgeKind) {
    self.kind = kind
    var legs: [RingLeg] = []
    for index in 1..<max(2, path.count) {
      let (from, to) = (path[index - 1], path[min(index, path.count - 1)])
      legs.append(
        RingLeg(
          from: from, to: to, kind: kind, fromLongitude: from.longitude.degrees,
          toLongitude: to.longitude.degrees))
    }
    var lines: Set<RingLeg.Key> = []
    RingLeg.markLines(&legs, &lines)
    nodes.append(addChain(legs).root)
    root = nodes.count - 1
  }

  /// Room for so many vertices without one to spare: a list that grows has up to twice the room, for good.
  private mutating func reserve(_ count: Int) {
    vertices.reserveCapacity(count)
    details.reserveCapacity(count)
    edges.reserveCapacity(count)
    nodes.reserveCapacity(count / 7 + 2)
  }

  // MARK: Pieces

  /// - Returns: the node above the chain, not yet stored, and whether the chain is a ring around the pole that
  ///   has the north pole on its smaller side.
  private mutating func addChain(_ legs: [RingLeg]) -> (root: Node, flips: Bool) {
    let first = vertices.count
    var turned = 0.0
    for leg in legs { turned += leg.sweep }
    let isAroundPole = abs(turned) > 180
    var walk = Walk(longitude: legs[0].fromLongitude, isAroundPole: isAroundPole)
    var isAfterHop = legs[legs.count - 1].isHop
    // Each leg begins at the end of the previous one.
    let begin = legs[0].from.ecef
    var from = begin
    for (number, leg) in legs.enumerated() {
      let edge = leg.edge
      edges.append(edge)
      let isLast = number + 1 == legs.count
      let to = isLast && leg.to == legs[0].from ? begin : leg.to == leg.from ? from : leg.to.ecef
      defer { from = to }
      // The number of pieces follows from the leg's length.
      let count = leg.isHop ? 1 : Self.pieces(of: leg, chord: (to - from).length)
      let track = count > 1 ? edge.track() : nil
      var start = Point(
        place: leg.from, space: from, longitude: leg.fromLongitude, fraction: leg.isReversed ? 1 : 0)
      for index in 0..<count {
        let end = Point(after: index, of: count, on: leg, edge, track, to)
        let latitude = start.place.latitude.degrees
        let isBeyondPole = leg.isHop || (isAfterHop && index == 0)
        append(start, end, leg, walk, latitude: isBeyondPole ? Self.beyondPole(latitude) : latitude)
        let sweep = count == 1 ? leg.sweep : Coordinate.wrapped(end.longitude - start.longitude)
        walk.go(sweep, from: latitude, to: end.place.latitude.degrees, arriving: end.longitude)
        start = end
      }
      isAfterHop = leg.isHop
    }
    appendLast(legs[legs.count - 1], at: from, walk, isBeyondPole: isAfterHop || legs[0].isHop)
    let last = vertices.count - 1
    var root = packStretch(first..<last)
    root.isPolar = walk.turns != 0
    return (root, walk.turns & 1 != 0 && walk.areaSum * Double(walk.turns) > 0)
  }

  /// The current position of a walk along a ring, in longitudes not wrapped at ±180°.
  private struct Walk {
    private(set) var longitude: Double
    private(set) var unwrapped: Double
    private(set) var turns: Int32 = 0
    /// The area between the ring and the equator on the unit sphere, times 180/π; only for a ring around the
    /// pole.
    private(set) var areaSum = 0.0
    private let isAroundPole: Bool

    init(longitude: Double, isAroundPole: Bool) {
      self.isAroundPole = isAroundPole
      self.longitude = longitude == 180 ? -180 : longitude
      unwrapped = self.longitude
    }

    mutating func go(_ sweep: Double, from: Double, to: Double, arriving: Double) {
      unwrapped += sweep
      longitude = arriving == 180 ? -180 : arriving
      turns = Int32(((unwrapped - longitude) / 360 + 0.5).rounded(.down))
      unwrapped = longitude + 360 * Double(turns)
      guard isAroundPole else { return }
      areaSum += Trigonometry.sineAndCosine(ofDegrees: (from + to) / 2).sine * sweep
    }
  }

  private struct Point {
    let place: Coordinate
    let space: Cartesian
    let longitude: Double
    /// The position on the edge, which may run the other way.
    let fraction: Double

    init(place: Coordinate, space: Cartesian, longitude: Double, fraction: Double) {
      (self.place, self.space, self.longitude, self.fraction) = (place, space, longitude, fraction)
    }

    /// Creates the end of a piece of a leg.
    ///
    /// - Parameters:
    ///   - track: of the edge; nil for a leg of one piece.
    ///   - to: where the leg ends, in space.
    init(
      after piece: Int, of count: Int, on leg: RingLeg, _ edge: Edge, _ track: Edge.Track?, _ to: Cartesian
    ) {
      let back = leg.isReversed
      if let track, piece + 1 < count {
        fraction = Double(back ? count - piece - 1 : piece + 1) / Double(count)
        place = edge.place(at: fraction, on: track)
        space = place.ecef
        longitude = place.longitude.degrees
      } else {
        (place, space, longitude, fraction) = (leg.to, to, leg.toLongitude, back ? 0 : 1)
      }
    }
  }

  private static func pieces(of leg: RingLeg, chord: Double) -> Int {
    var length = chord
    switch leg.kind {
    case .geodesic:
      if chord > longestPiece { length = Chord.greatestGround(chord: chord) }
    case .lonLat:
      // Along the parallel nearest to the equator and along the meridian: never shorter than the line.
      let least =
        leg.from.latitude.degrees * leg.to.latitude.degrees < 0
        ? 0 : min(abs(leg.from.latitude.degrees), abs(leg.to.latitude.degrees))
      let cosine = Trigonometry.sineAndCosine(ofDegrees: least).cosine
      let east = abs(leg.sweep) * Earth.mostMetresPerDegree * cosine
      let north = abs(leg.to.latitude.degrees - leg.from.latitude.degrees) * Earth.mostMetresPerDegree
      length = max(length, (east * east + north * north).squareRoot())
      length = max(length, abs(leg.sweep) / widestPiece * longestPiece)
    }
    return max(1, Int((length / longestPiece).rounded(.down)) + (length > longestPiece ? 1 : 0))
  }

  private mutating func append(_ from: Point, _ to: Point, _ leg: RingLeg, _ walk: Walk, latitude: Double) {
    let chord = (to.space - from.space).length
    let steepest = max(abs(from.place.latitude.degrees), abs(to.place.latitude.degrees))
    let isGeodesic = leg.kind == .geodesic
    vertices.append(
      Vertex(place: from.space, latitude: latitude, longitude: walk.longitude, turns: walk.turns))
    details.append(
      BoundaryTree.Detail(
        turns: walk.turns, edge: Int32(edges.count - 1), fractionAtStart: from.fraction,
        fractionAtEnd: to.fraction,
        sag: isGeodesic ? BoundaryTree.geodesicSag(chord) : BoundaryTree.lonLatSag(from.place, to.place),
        bulge: isGeodesic && !leg.isHop ? BoundaryTree.bulge(chord, latitude: steepest) : 0,
        bounds: leg.bounds))
  }

  private mutating func appendLast(_ leg: RingLeg, at place: Cartesian, _ walk: Walk, isBeyondPole: Bool) {
    let latitude = leg.to.latitude.degrees
    ringEnds.append(Int32(vertices.count))
    vertices.append(
      Vertex(
        place: place, latitude: isBeyondPole ? Self.beyondPole(latitude) : latitude,
        longitude: walk.longitude, turns: walk.turns))
    details.append(
      BoundaryTree.Detail(
        turns: walk.turns, edge: Int32(edges.count - 1), fractionAtStart: 0, fractionAtEnd: 0, sag: 0,
        bulge: 0,
        bounds: false))
  }

  /// True if two vertices describe the piece between them completely.
  var isPlain: Bool {
    guard edges.count + ringEnds.count == vertices.count else { return false }
    return vertices.indices.allSatisfy { index in
      let (vertex, detail) = (vertices[index], details[index])
      return vertex.turns == 0 && abs(vertex.latitude) < 90 && abs(vertex.longitude) < 180
        && (detail.bounds || detail.fractionAtStart == detail.fractionAtEnd)
    }
  }

  /// Lines along a pole are farther north, or south, than all places.
  private static func beyondPole(_ latitude: Double) -> Double {
    abs(latitude) == 90 ? (latitude > 0 ? 91 : -91) : latitude
  }
}
