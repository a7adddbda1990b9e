extension ZoneIndex {
  typealias QuietBox = ZoneGrid.Reader.QuietBox

  /// Finds the zones that contain each fix, and around each a box in which they stay the same; what `hits` held before is
  /// replaced.
  ///
  /// Looks each up once, and for many at once as `containing` does.
  /// - Parameters:
  ///   - fixes: at most ``together``.
  ///   - boxes: room for as many.
  func containing(
    _ fixes: UnsafeBufferPointer<Coordinate>, boxes: UnsafeMutablePointer<QuietBox>, into hits: inout Hits
  ) {
    hits.clear()
    guard isAsBuilt, !fixes.contains(where: { base.grid.scale.isPolar($0) }) else {
      for index in fixes.indices { boxes[index] = add(fixes[index], &hits) }
      return
    }
    base.grid.read { reader in
      reader.locate(fixes) { spots, most in
        hits.write(fixes: fixes.count, most: most) { writer in
          for index in fixes.indices {
            boxes[index] = reader.visit(spots[index], fixes[index]) { zone, limit in
              boundedDistance(fixes[index], zone, limit)
            } covers: {
              writer.begin($0, $1)
            } tell: {
              writer.add($0, if: $1)
            }
            writer.endFix()
          }
        }
      }
    }
  }

  /// The zones of one place; of an edited index too, and at the poles.
  private func add(_ p: Coordinate, _ hits: inout Hits) -> QuietBox {
    var box = add(p, of: base, &hits)
    if let recent { box.cut(to: add(p, of: recent, &hits)) }
    hits.endFix()
    return box
  }

  private func add(_ p: Coordinate, of layer: ZoneLayer, _ hits: inout Hits) -> QuietBox {
    if layer.grid.scale.isPolar(p) {
      visitPolarZones(containing: p, of: layer) { hits.add($0) }
      return QuietBox()
    }
    return layer.grid.read { reader in
      reader.visit(reader.spot(of: p), p) { zone, limit in
        let position = layer.position(zone)
        return position < 0 ? .infinity : boundedDistance(p, position, limit)
      } covers: { first, count in
        for number in 0..<count {
          let position = layer.position(Int(first[number]))
          if position >= 0 { hits.add(position) }
        }
      } tell: { zone, isInside in
        let position = layer.position(zone)
        if isInside, position >= 0 { hits.add(position) }
      }
    }
  }

  /// Measured, not looked up.
  @inline(never) private func boundedDistance(_ p: Coordinate, _ zone: Int, _ limit: Double) -> Double {
    distance(Query(p), zone, limit: limit)
  }
}

extension ZoneGrid.Reader {
  /// Tells the zones of a place, and gives the box around it in which they stay the same.
  ///
  /// - Parameter distance: see ``visit(_:_:_:distance:covers:tell:)``.
  @inline(__always) fileprivate func visit(
    _ spot: ZoneGrid.Spot, _ p: Coordinate, distance: (Int, Double) -> Double,
    covers: (UnsafePointer<UInt32>, Int) -> Void, tell: (Int, Bool) -> Void
  ) -> QuietBox {
    var (across, up) = (1 / scale.tilesPerDegree, 1 / scale.tilesPerDegree)
    if spot.tile >= 0 {
      let tile = tiles[Int(spot.tile)]
      across /= Double(tile.columns)
      up /= Double(tile.rows)
    }
    var room = Room(spot)
    visit(spot, (across, up), &room) {
      distance($0, $1)
    } covers: {
      covers($0, $1)
    } tell: {
      tell($0, $1)
    }
    return room.box(around: p, across: across, up: up)
  }
}
