extension ZoneIndex {
  /// Fixes looked up together: enough for the memory's answers to overlap, few enough to stay near.
  static let together = 64

  /// The zones that contain `p`, ascending.
  public func containing(_ p: Coordinate) -> [Int] {
    var hits = Hits()
    containing(p, into: &hits)
    return Array(hits[0])
  }

  /// The same, without asking for memory; what `hits` held before is replaced.
  public func containing(_ p: Coordinate, into hits: inout Hits) {
    hits.clear()
    add(p, &hits)
  }

  private func add(_ p: Coordinate, _ hits: inout Hits) {
    visitZones(containing: p, of: base) { hits.add($0) }
    if let recent { visitZones(containing: p, of: recent) { hits.add($0) } }
    hits.endFix()
  }

  /// Calls `body` with each zone that contains `p`, in no order.
  public func visitZones(containing p: Coordinate, _ body: (Int) -> Void) {
    visitZones(containing: p, of: base, body)
    if let recent { visitZones(containing: p, of: recent, body) }
  }

  @inline(__always) private func visitZones(
    containing p: Coordinate, of layer: ZoneLayer, _ body: (Int) -> Void
  ) {
    let isKnown = layer.grid.read { reader in
      let spot = reader.spot(of: p)
      guard spot.content != 0 else { return false }
      reader.visit(spot) {
        contains(p, zone: layer.position($0))
      } covers: { first, count in
        for number in 0..<count {
          let position = layer.position(Int(first[number]))
          if position >= 0 { body(position) }
        }
      } tell: { zone, isInside in
        let position = layer.position(zone)
        if isInside, position >= 0 { body(position) }
      }
      return true
    }
    if !isKnown, layer.grid.scale.isPolar(p) { visitPolarZones(containing: p, of: layer, body) }
  }

  /// At the poles, where there is no grid.
  @inline(never) func visitPolarZones(
    containing p: Coordinate, of layer: ZoneLayer, _ body: (Int) -> Void
  ) {
    let query = Query(p)
    layer.tree.visit(within: 0, of: query.place) { zone in
      let position = layer.position(zone)
      if position >= 0, leastDistance(query, position, -.infinity) <= 0, contains(p, zone: position) {
        body(position)
      }
    }
  }

  /// Finds the zones that contain each fix; what `hits` held before is replaced.
  ///
  /// Looks for many fixes at once, step by step, so that they wait for memory together.
  public func containing(_ fixes: [Coordinate], into hits: inout Hits) {
    hits.clear()
    guard isAsBuilt, !fixes.contains(where: { base.grid.scale.isPolar($0) }) else {
      for fix in fixes { add(fix, &hits) }
      return
    }
    base.grid.read { reader in
      fixes.withUnsafeBufferPointer { fixes in
        var first = 0
        while first < fixes.count {
          let count = min(Self.together, fixes.count &- first)
          let some = UnsafeBufferPointer(rebasing: fixes[first..<first &+ count])
          reader.locate(some) { spots, most in containing(some, spots, most, reader, &hits) }
          first = first &+ count
        }
      }
    }
  }

  /// After an edit the zones have other positions than in the grid.
  var isAsBuilt: Bool { recent == nil && base.positions.isEmpty }

  private func containing(
    _ fixes: UnsafeBufferPointer<Coordinate>, _ spots: UnsafePointer<ZoneGrid.Spot>, _ most: Int,
    _ reader: ZoneGrid.Reader, _ hits: inout Hits
  ) {
    hits.write(fixes: fixes.count, most: most) { writer in
      for index in 0..<fixes.count {
        if spots[index].content != 0 {
          reader.visit(spots[index]) {
            contains(fixes[index], zone: $0)
          } covers: {
            writer.begin($0, $1)
          } tell: {
            writer.add($0, if: $1)
          }
          writer.endFix()
        } else {
          writer.passFix()
        }
      }
    }
  }

  /// Measured, not looked up.
  @inline(never) private func contains(_ p: Coordinate, zone: Int) -> Bool {
    zone >= 0 && distance(Query(p), zone, limit: 1e-6) <= 0
  }
}

extension ZoneGrid.Reader {
  /// Finds where places are, all tiles first, then all cells, then all contents: they wait for memory together.
  ///
  /// - Parameters:
  ///   - fixes: at most ``ZoneIndex/together``.
  ///   - body: is given the spots, and how many zones there can be at most.
  @inline(__always) func locate(
    _ fixes: UnsafeBufferPointer<Coordinate>, _ body: (UnsafePointer<ZoneGrid.Spot>, Int) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: TilePlace.self, capacity: ZoneIndex.together) { places in
      withUnsafeTemporaryAllocation(of: ZoneGrid.Spot.self, capacity: ZoneIndex.together) { spots in
        let (places, spots) = (places.baseAddress!, spots.baseAddress!)
        for index in 0..<fixes.count { (places + index).initialize(to: tile(of: fixes[index])) }
        for index in 0..<fixes.count { (spots + index).initialize(to: cell(of: places[index])) }
        for index in 0..<fixes.count { spots[index].content = content(spots[index].content) }
        var most = 0
        for index in 0..<fixes.count { most = most &+ fetch(spots[index].content) }
        body(spots, most)
      }
    }
  }
}
