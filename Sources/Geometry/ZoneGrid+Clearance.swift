extension ZoneGrid.Reader {
  /// Degrees between which a place keeps its zones; empty where nothing is known.
  struct QuietBox {
    var west = Double.infinity
    var east = -Double.infinity
    var south = Double.infinity
    var north = -Double.infinity

    mutating func cut(to other: Self) {
      west = max(west, other.west)
      east = min(east, other.east)
      south = max(south, other.south)
      north = min(north, other.north)
    }
  }

  /// The box around a place in which no boundary lies: its cell, cut down to a square that ends before the nearest line.
  ///
  /// Falls out of what the cell's records hold, so it costs no more than asking once. A square, in metres, whose corners
  /// are as far from its middle as the nearest line is from the place, less the band.
  /// - Parameter distance: metres to the boundary of a zone of which only its outline knows.
  @inline(__always) func quietBox(of p: Coordinate, distance: (Int) -> Double) -> QuietBox {
    let (tileColumn, tileX) = GridScale.split(scale.east(p.longitude.degrees) * scale.tilesPerDegree)
    let (row, tileY) = GridScale.split((p.latitude.degrees + 90) * scale.tilesPerDegree)
    let tileRow = min(row, scale.rows &- 1)
    var spot = ZoneGrid.Spot()
    let place = tile(of: p)
    var (columns, rows) = (1.0, 1.0)
    var (column, up) = (0, 0)
    if place.entry > 0 {
      let tile = tiles[Int(place.entry) &- 1]
      (columns, rows) = (Double(tile.columns), Double(tile.rows))
      column = GridScale.split(tileX * columns).whole
      up = GridScale.split(tileY * rows).whole
      let cell = cell(of: place, &spot)
      spot.content = Int(cells[cell])
    } else {
      (spot.x, spot.y) = (Float(tileX), Float(tileY))
      spot.content = 0 &- Int(place.entry)
    }
    let room = clearance(spot, place.entry, perTile: (columns, rows), distance)
    let (degree, width, height) = (1 / scale.tilesPerDegree, 1 / columns, 1 / rows)
    let (west, south) = (Double(tileColumn) + Double(column) * width, Double(tileRow) + Double(up) * height)
    // A nanodegree less on every side, for the rounding of these.
    return QuietBox(
      west: (west + max(0, Double(spot.x) - room.x) * width) * degree - (180 - 1e-9),
      east: (west + min(1, Double(spot.x) + room.x) * width) * degree - (180 + 1e-9),
      south: (south + max(0, Double(spot.y) - room.y) * height) * degree - (90 - 1e-9),
      north: (south + min(1, Double(spot.y) + room.y) * height) * degree - (90 + 1e-9))
  }

  /// How far one can go from a spot in x and in y, both at once, in cells, without crossing a boundary.
  private func clearance(
    _ spot: ZoneGrid.Spot, _ entry: Int32, perTile: (columns: Double, rows: Double),
    _ distance: (Int) -> Double
  ) -> (x: Double, y: Double) {
    guard spot.content != 0 else { return (2, 2) }
    var word = spot.content &+ 2 &+ Int(words[spot.content])
    var records = words[spot.content &+ 1]
    // Units of a cell for lines; metres, and the most of them that a cell has, for circles; tiles for the others.
    var lines = Float.infinity
    var circles = Float.infinity
    var (across, up) = (Float(0), Float(0))
    var asked = Double.infinity
    while records > 0 {
      records &-= 1
      let head = words[word]
      switch head >> ZoneGrid.kindShift & 3 {
      case ZoneGrid.RecordKind.lines.rawValue:
        let blocks = Int(words[word &+ 1])
        lines = min(lines, nearest(word &+ 2, blocks, spot))
        word = word &+ 2 &+ blocks &* ZoneGrid.blockWords
      case ZoneGrid.RecordKind.circle.rawValue:
        circles = min(circles, clearance(ofCircle: word &+ 1, spot))
        across = max(across, number(word &+ 3))
        up = max(up, number(word &+ 5))
        word = word &+ 1 &+ ZoneGrid.circleWords
      default:
        asked = min(asked, distance(Int(head & ZoneGrid.zoneBits)))
        word = word &+ 1
      }
    }
    var room: (x: Double, y: Double) = (2, 2)
    if lines < .infinity {
      let free = Double(lines - spot.band - 1) * 0.707 / Double(ZoneGrid.units)
      let aspect = Double(tiles[Int(entry) &- 1].aspect)
      room = (min(2, free / min(1, aspect)), min(2, free * max(1, aspect)))
    }
    if circles < .infinity {
      room.x = min(room.x, Double(circles * 0.69 / across))
      room.y = min(room.y, Double(circles * 0.69 / up))
    }
    if asked < .infinity {
      let free = asked * 0.707 / Earth.mostMetresPerDegree * scale.tilesPerDegree
      room.x = min(room.x, free * perTile.columns)
      room.y = min(room.y, free * perTile.rows)
    }
    return (max(0, room.x), max(0, room.y))
  }

  /// To the nearest line, in 2⁻¹⁴ of a cell.
  private func nearest(_ first: Int, _ blocks: Int, _ spot: ZoneGrid.Spot) -> Float {
    let x = SIMD4<Float>(repeating: spot.x)
    let y = SIMD4<Float>(repeating: spot.y)
    var least = SIMD4<Float>(repeating: 65_536)
    var block = UnsafeRawPointer(words + first)
    for _ in 0..<blocks {
      let a = four(block, 0)
      let s = a * x + four(block, 8) * y + four(block, 16)
      let size = s.replacing(with: SIMD4<Float>.zero - s, where: s .< SIMD4<Float>.zero)
      least = least.replacing(with: size, where: size .< least)
      block += 40
    }
    return min(least.x, least.y, least.z, least.w)
  }

  @inline(__always) private func number(_ word: Int) -> Float { Float(bitPattern: words[word]) }

  /// Metres to a circle's edge, at least.
  private func clearance(ofCircle first: Int, _ spot: ZoneGrid.Spot) -> Float {
    let (x, y) = (spot.x - number(first), spot.y - number(first &+ 1))
    let dx = x * (number(first &+ 2) + number(first &+ 3) * y)
    let dy = y * (number(first &+ 4) + number(first &+ 5) * y)
    let (square, inner, outer) = (dx * dx + dy * dy, number(first &+ 6), number(first &+ 7))
    if square < inner { return inner.squareRoot() - square.squareRoot() }
    return square > outer ? square.squareRoot() - outer.squareRoot() : 0
  }
}
