extension OutlineIndex {
  /// How far from a place on the ground all outlines are at least, looked for up to `limit`; nil where one may be as near as
  /// `least`.
  ///
  /// A bound: outlines may be farther, by effective distance none is nearer. No geodesic is measured for it.
  /// - Parameter place: of a coordinate (``Coordinate/ecef``).
  public func clearance(
    around place: Cartesian, above least: Distance, upTo limit: Distance
  ) -> Distance? {
    var clear = limit.metres
    narrow(&clear, around: place, downTo: least.metres)
    return clear > least.metres ? .metres(clear) : nil
  }
}

extension OutlineIndex {
  /// The outlines that a way can concern, ascending by outline: those whose effective distance from its end is at most
  /// `radius`, and those to which it may have come as near as `level`, with their distance from its end.
  ///
  /// Every outline left out is farther than `radius` from the end and farther than `level` from all of the
  /// way. The answer may contain such outlines too.
  /// - Parameters:
  ///   - place: of the end in space (``Coordinate/ecef``), where it is known.
  ///   - start: of the way.
  ///   - length: of the way, over the ground.
  public func within(
    _ radius: Distance, of end: Coordinate, at place: Cartesian? = nil, orPassedFrom start: Cartesian,
    length: Distance, level: Distance
  ) -> [Neighbour] {
    let query = Query(end, at: place)
    let (radius, length) = (radius.metres, length.metres)
    var found: [Neighbour] = []
    visit(within: max(0, radius + length), of: query.place) { outline in
      let least = leastDistance(from: query.place, to: outline)
      guard least <= radius + length else { return }
      // A place on the way is no farther from both its ends together than they are from each other.
      if least > radius, (least + leastDistance(from: start, to: outline) - length) / 2 > level.metres {
        return
      }
      let distance = entries[outline].distance(from: query, outside: radius + length)
      if distance <= radius + length {
        found.append(Neighbour(outline: outline, distance: .metres(distance)))
      }
    }
    found.sort { $0.outline < $1.outline }
    return found
  }

  @inline(__always) private func leastDistance(from place: Cartesian, to outline: Int) -> Double {
    if case .circle = entries[outline].outline.extent {
      return entries[outline].leastDistance(from: place, box: -.infinity)
    }
    let square = entries[outline].box.squaredDistance(to: place)
    return square == 0 ? -.infinity : square.squareRoot()
  }
}

extension Outline {
  /// True if a way may come as near as a level of the signed distance: said without a geodesic, and no only where it
  /// surely does not.
  ///
  /// - Parameter length: of the way, over the ground.
  public func mayBeReached(
    from a: Cartesian, to b: Cartesian, length: Distance, level: Distance
  ) -> Bool {
    let center = box.center
    let reach: Double
    if case .circle(_, let radius) = extent {
      reach = radius + level.metres
    } else {
      let corner = Cartesian(x: box.maxX, y: box.maxY, z: box.maxZ)
      reach = corner.squaredDistance(to: center).squareRoot() + max(0, level.metres)
    }
    // No curve leaves its chord by more than this (s² / 8r), bent as it is at most.
    let bend = length.metres * length.metres / (8 * Chord.leastRadius)
    let farthest = max(0, reach + bend + 0.001)
    // Neither is an empty box, nor one without end, surely anywhere.
    return !(center.projected(from: a, to: b).squaredDistance > farthest * farthest)
  }
}

extension Cartesian {
  /// No less than the way over the ground between two places on the ellipsoid, and hardly more up to 1,000 km; without
  /// trigonometry.
  public func groundAtMost(to other: Self) -> Distance {
    .metres(Chord.ground(within: squaredDistance(to: other).squareRoot()))
  }
}
