extension Outline {
  /// The boundary as rings of points, for drawing; the first point of a ring is not repeated.
  ///
  /// Straight lines in longitude and latitude between the points keep within `tolerance` of the boundary, as long as
  /// that asks for no more than `limit` points on an edge or an arc. A polygon gives its rings, part by part. A
  /// corridor gives one ring, which crosses itself where its path does or bends sharply: fill it by winding number.
  /// - Precondition: `tolerance` is positive.
  public func boundary(tolerance: Distance, limit: Int = 360) -> [[Coordinate]] {
    precondition(tolerance > .zero, "a drawing has a tolerance")
    let drawing = Drawing(tolerance: tolerance.metres, limit: max(4, limit))
    switch shape {
    case .circle(let center, let radius):
      guard radius > .zero else { return [] }
      return [drawing.arc(around: center, radius: radius.metres, from: 0, turn: 360)]
    case .corridor(let path, let halfWidth, let edges):
      guard halfWidth > .zero else { return [] }
      return [drawing.corridor(along: path, halfWidth: halfWidth.metres, edges: edges)]
    case .polygon(let polygon):
      var rings: [[Coordinate]] = []
      for part in polygon.parts {
        rings.append(drawing.line(along: part.outer.vertices, isClosed: true, edges: polygon.edges))
        for hole in part.holes {
          rings.append(drawing.line(along: hole.vertices, isClosed: true, edges: polygon.edges))
        }
      }
      return rings
    }
  }
}

private struct Drawing {
  let tolerance: Double
  let limit: Int

  /// Clockwise, degrees; the end of the arc is left out when it is a whole turn.
  func arc(around center: Coordinate, radius: Double, from start: Double, turn: Double) -> [Coordinate] {
    // A chord over an angle α strays r α²/8; half of the tolerance is for the map's bend.
    let step = (4 * tolerance / radius).squareRoot() * (180 / Double.pi)
    let bent = straight(radius, latitude: abs(center.latitude.degrees) + radius / Earth.leastMetresPerDegree)
    let pieces = max(abs(turn) / step, radius * abs(turn) * (Double.pi / 180) / bent, abs(turn) / 30)
    let count = min(limit, max(1, Int(min(pieces, 1e6)) + 1))
    let isWhole = abs(turn) >= 360
    return (0..<(isWhole ? count : count + 1)).map { index in
      Geodesic.destination(
        from: center, azimuth: .degrees(Coordinate.wrapped(start + turn * Double(index) / Double(count))),
        distance: .metres(radius))
    }
  }

  /// How long a geodesic may be that keeps within half the tolerance of the straight line on the map: they part
  /// by L² tan φ / 8r.
  private func straight(_ length: Double, latitude: Double) -> Double {
    let angle = Trigonometry.sineAndCosine(ofDegrees: min(89.9, latitude))
    return (4 * tolerance * Chord.leastRadius * angle.cosine / max(angle.sine, 1e-3)).squareRoot()
  }

  func line(along places: [Coordinate], isClosed: Bool, edges: EdgeKind) -> [Coordinate] {
    guard edges == .geodesic else { return places }
    var drawn: [Coordinate] = []
    for index in places.indices {
      drawn.append(places[index])
      guard isClosed || index + 1 < places.count else { break }
      let way = Geodesic(from: places[index], to: places[index + 1 == places.count ? 0 : index + 1])
      let length = way.length.metres
      let latitude = max(abs(way.start.latitude.degrees), abs(way.end.latitude.degrees))
      let longest = straight(length, latitude: latitude + length / 2 / Earth.leastMetresPerDegree)
      let count = min(limit, Int(min(length / longest, 1e6)) + 1)
      guard count > 1 else { continue }
      let line = way.line
      for step in 1..<count { drawn.append(line.point(at: way.length * (Double(step) / Double(count)))) }
    }
    return drawn
  }

  /// Out along the left of the path, around its end, and back along the other side.
  func corridor(along path: [Coordinate], halfWidth: Double, edges: EdgeKind) -> [Coordinate] {
    let there = finely(path, edges)
    guard there.count > 1 else { return arc(around: there[0], radius: halfWidth, from: 0, turn: 360) }
    return side(there, halfWidth) + side(Array(there.reversed()), halfWidth)
  }

  /// The path without repetitions, with the bends of its edges as vertices.
  private func finely(_ path: [Coordinate], _ edges: EdgeKind) -> [Coordinate] {
    var places: [Coordinate] = []
    for index in path.indices {
      if places.last != path[index] { places.append(path[index]) }
      guard edges == .lonLat, index + 1 < path.count else { continue }
      let edge = Edge(
        start: path[index], end: path[index + 1],
        sweep: Coordinate.wrapped(path[index + 1].longitude.degrees - path[index].longitude.degrees),
        kind: .lonLat)
      let length = path[index].distance(to: path[index + 1]).metres
      let latitude = max(abs(path[index].latitude.degrees), abs(path[index + 1].latitude.degrees))
      let count = min(limit, Int(min(length / straight(length, latitude: latitude), 1e6)) + 1)
      for step in 1..<max(1, count) {
        places.append(edge.place(at: Double(step) / Double(count), on: .lonLat))
      }
    }
    return places
  }

  /// The left side of a path and the half circle around its end.
  private func side(_ path: [Coordinate], _ halfWidth: Double) -> [Coordinate] {
    var drawn: [Coordinate] = []
    var arrived: Double?
    for index in 1..<path.count {
      let way = Geodesic(from: path[index - 1], to: path[index])
      let left = way.azimuthAtStart.degrees - 90
      if let arrived {
        let turn = Coordinate.wrapped(left - arrived)
        // On the outer side of a bend the border is an arc, on the inner side it turns back on itself.
        if turn > 0 { drawn += arc(around: path[index - 1], radius: halfWidth, from: arrived, turn: turn) }
      }
      let longest = straight(way.length.metres, latitude: abs(way.start.latitude.degrees) + 1)
      let count = min(limit, Int(min(way.length.metres / longest, 1e6)) + 1)
      let line = way.line
      for step in 0...count {
        let there = line.position(at: way.length * (Double(step) / Double(count)))
        drawn.append(
          Geodesic.destination(
            from: there.coordinate, azimuth: .degrees(Coordinate.wrapped(there.azimuth.degrees - 90)),
            distance: .metres(halfWidth)))
      }
      arrived = way.azimuthAtEnd.degrees - 90
    }
    if let arrived {
      let cap = arc(around: path[path.count - 1], radius: halfWidth, from: arrived, turn: 180)
      drawn += cap.dropFirst().dropLast()
    }
    return drawn
  }
}
