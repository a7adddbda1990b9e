extension ContainmentIndex {
  typealias QuietBox = ContainmentGrid.Reader.QuietBox

  /// Finds the outlines that contain each fix, and a box around it in which they stay the same. Replaces the
  /// contents of `hits`.
  ///
  /// Each fix is looked up once, many together as in `containing`.
  /// - Parameters:
  ///   - fixes: at most ``together``.
  ///   - boxes: room for as many.
  func containing(
    _ fixes: UnsafeBufferPointer<Coordinate>, boxes: UnsafeMutablePointer<QuietBox>, into hits: inout Hits
  ) {
    hits.clear()
    guard layers.isAsBuilt, !fixes.contains(where: { grid.scale.isPolar($0) }) else {
      for index in fixes.indices { boxes[index] = add(fixes[index], &hits) }
      return
    }
    grid.read { reader in
      reader.locate(fixes) { spots, most in
        hits.write(fixes: fixes.count, most: most) { writer in
          for index in fixes.indices {
            boxes[index] = reader.visit(spots[index], fixes[index]) { outline, limit in
              boundedDistance(fixes[index], outline, limit)
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

  /// Adds the outlines of one place; also for an edited index and near the poles.
  private func add(_ p: Coordinate, _ hits: inout Hits) -> QuietBox {
    var box = add(p, of: layers.base, &hits)
    if let recent = layers.recent { box.cut(to: add(p, of: recent, &hits)) }
    hits.endFix()
    return box
  }

  private func add(_ p: Coordinate, of layer: Layer, _ hits: inout Hits) -> QuietBox {
    if layer.content.grid.scale.isPolar(p) {
      visitPolarOutlines(containing: p, of: layer) { hits.add($0) }
      return QuietBox()
    }
    return layer.content.grid.read { reader in
      reader.visit(reader.spot(of: p), p) { outline, limit in
        let position = layer.position(outline)
        return position < 0 ? .infinity : boundedDistance(p, position, limit)
      } covers: { first, count in
        for number in 0..<count {
          let position = layer.position(Int(first[number]))
          if position >= 0 { hits.add(position) }
        }
      } tell: { outline, isInside in
        let position = layer.position(outline)
        if isInside, position >= 0 { hits.add(position) }
      }
    }
  }

  /// Returns the distance measured, not looked up.
  @inline(never) private func boundedDistance(_ p: Coordinate, _ outline: Int, _ limit: Double) -> Double {
    entries[outline].distance(from: Query(p), limit: limit)
  }
}

extension ContainmentGrid.Reader {
  /// Reports the outlines of a place and returns the box around it in which they stay the same.
  ///
  /// - Parameter distance: see ``visit(_:_:_:distance:covers:tell:)``.
  @inline(__always) fileprivate func visit(
    _ spot: ContainmentGrid.Spot, _ p: Coordinate, distance: (Int, Double) -> Double,
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
