extension ZoneGrid {
  /// Where a place is: the content of its cell, and where in the cell.
  struct Spot {
    /// In `words`; 0 where nothing is.
    var content = 0
    /// From the cell's south-western corner, in cells.
    var x: Float = 0
    var y: Float = 0
    /// Metres.
    var band: Float = 0
  }

  /// The grid's tables as they lie in memory, good while `read` runs.
  struct Reader {
    let scale: GridScale
    let firstColumn: Int
    let firstRow: Int
    let columns: Int
    let rows: Int
    let table: UnsafePointer<Int32>
    let keys: UnsafeBufferPointer<Int32>
    let tiles: UnsafePointer<Tile>
    let cells: UnsafePointer<UInt32>
    let words: UnsafePointer<UInt32>
  }

  @inline(__always) func read<Result>(_ body: (Reader) -> Result) -> Result {
    directory.table.withUnsafeBufferPointer { table in
      directory.keys.withUnsafeBufferPointer { keys in
        tiles.withUnsafeBufferPointer { tiles in
          cells.withUnsafeBufferPointer { cells in
            words.withUnsafeBufferPointer { words in
              body(
                Reader(
                  scale: scale, firstColumn: Int(directory.firstColumn), firstRow: Int(directory.firstRow),
                  columns: Int(directory.columns), rows: Int(directory.rows), table: table.baseAddress!,
                  keys: keys, tiles: tiles.baseAddress ?? Self.noTile,
                  cells: cells.baseAddress ?? Self.noCell,
                  words: words.baseAddress!))
            }
          }
        }
      }
    }
  }

  // Never read: without tiles the table is empty.
  private static var noTile: UnsafePointer<Tile> { UnsafePointer(bitPattern: 16)! }
  private static var noCell: UnsafePointer<UInt32> { UnsafePointer(bitPattern: 16)! }
}

extension ZoneGrid.Reader {
  /// A place in its tile: the directory's entry, and the rest, in tiles.
  struct TilePlace {
    var entry: Int32 = 0
    var x = 0.0
    var y = 0.0
  }

  @inline(__always) func tile(of p: Coordinate) -> TilePlace {
    let (column, x) = GridScale.split(scale.east(p.longitude.degrees) * scale.tilesPerDegree)
    let (row, y) = GridScale.split((p.latitude.degrees + 90) * scale.tilesPerDegree)
    return TilePlace(entry: entry(column, min(row, scale.rows &- 1)), x: x, y: y)
  }

  @inline(__always) private func entry(_ column: Int, _ row: Int) -> Int32 {
    if columns > 0 {
      let (aside, up) = (column &- firstColumn, row &- firstRow)
      guard UInt(bitPattern: aside) < UInt(bitPattern: columns), UInt(bitPattern: up) < UInt(bitPattern: rows)
      else { return 0 }
      return table[up &* columns &+ aside]
    }
    return search(Int32(truncatingIfNeeded: column &<< 16 | row))
  }

  private func search(_ key: Int32) -> Int32 {
    guard !keys.isEmpty else { return 0 }
    let mask = keys.count &- 1
    var slot = TileDirectory.slot(key, mask: mask)
    while keys[slot] != key {
      if keys[slot] == -1 { return 0 }
      slot = (slot &+ 1) & mask
    }
    return table[slot]
  }

  /// The cell of a place in a tile, as a position in `cells`, or, negative, the content of the whole tile.
  @inline(__always) func cell(of place: TilePlace, _ spot: inout ZoneGrid.Spot) -> Int {
    guard place.entry > 0 else { return Int(place.entry) }
    let tile = tiles[Int(place.entry) &- 1]
    let (column, x) = GridScale.split(place.x * Double(tile.columns))
    let (row, y) = GridScale.split(place.y * Double(tile.rows))
    spot.x = Float(x)
    spot.y = Float(y)
    spot.band = tile.band
    return Int(tile.firstCell) &+ row &* Int(tile.columns) &+ column
  }

  @inline(__always) func spot(of p: Coordinate) -> ZoneGrid.Spot {
    var spot = ZoneGrid.Spot()
    let place = tile(of: p)
    guard place.entry != 0 else { return spot }
    let cell = cell(of: place, &spot)
    spot.content = cell < 0 ? 0 &- cell : Int(cells[cell])
    return spot
  }

  // MARK: Contents

  /// How many zones a content can give at most.
  @inline(__always) func most(_ content: Int) -> Int { Int(words[content]) &+ Int(words[content &+ 1]) }

  /// Tells the zones of a place, first those that cover the cell, ascending, then others, ascending.
  /// - Parameter ask: whether a zone contains the place, where only its outline can say.
  @inline(__always) func visit(
    _ spot: ZoneGrid.Spot, ask: (Int) -> Bool, found: (Int) -> Void
  ) {
    var word = spot.content &+ 2
    let covers = Int(words[spot.content])
    var records = words[spot.content &+ 1]
    for index in 0..<covers { found(Int(words[word &+ index])) }
    word = word &+ covers
    while records > 0 {
      records &-= 1
      let head = words[word]
      let zone = Int(head & ZoneGrid.zoneBits)
      var verdict: Verdict
      switch head >> ZoneGrid.kindShift & 3 {
      case ZoneGrid.RecordKind.lines.rawValue:
        let blocks = Int(words[word &+ 1])
        verdict = lines(word &+ 2, blocks, head & ZoneGrid.parityBit != 0, spot)
        word = word &+ 2 &+ blocks &* ZoneGrid.blockWords
      case ZoneGrid.RecordKind.circle.rawValue:
        verdict = circle(word &+ 1, spot)
        word = word &+ 1 &+ ZoneGrid.circleWords
      default:
        verdict = .doubtful
        word = word &+ 1
      }
      if verdict == .inside || verdict == .doubtful && ask(zone) { found(zone) }
    }
  }

  enum Verdict: UInt8 {
    case inside, outside, doubtful
  }

  @inline(__always) private func lines(
    _ first: Int, _ blocks: Int, _ parity: Bool, _ spot: ZoneGrid.Spot
  ) -> Verdict {
    let x = SIMD4<Float>(repeating: spot.x)
    let y = SIMD4<Float>(repeating: spot.y)
    let place = SIMD4<Float>(repeating: spot.x * ZoneGrid.units)
    let band = SIMD4<Float>(repeating: spot.band)
    var odd = SIMDMask<SIMD4<Int32>>(repeating: false)
    var near = odd
    var block = UnsafeRawPointer(words + first)
    for _ in 0..<blocks {
      let a = four(block, 0)
      let s = a * x + four(block, 8) * y + four(block, 16)
      odd .^= ((s .> SIMD4<Float>.zero) .& (place .>= four(block, 24)) .& (place .< four(block, 32)))
      near .|= ((s .<= band) .& (s .>= SIMD4<Float>.zero - band))
      block += 40
    }
    if any(near) { return .doubtful }
    let count = SIMD4<Int32>.zero.replacing(with: 1, where: odd).wrappedSum()
    return (count & 1 != 0) != parity ? .inside : .outside
  }

  @inline(__always) func four(_ block: UnsafeRawPointer, _ offset: Int) -> SIMD4<Float> {
    SIMD4<Float>(block.loadUnaligned(fromByteOffset: offset, as: SIMD4<Int16>.self))
  }

  @inline(__always) private func circle(_ first: Int, _ spot: ZoneGrid.Spot) -> Verdict {
    let numbers = UnsafeRawPointer(words + first)
    @inline(__always) func number(_ index: Int) -> Float {
      numbers.loadUnaligned(fromByteOffset: index &* 4, as: Float.self)
    }
    let (x, y) = (spot.x - number(0), spot.y - number(1))
    let dx = x * (number(2) + number(3) * y)
    let dy = y * (number(4) + number(5) * y)
    let square = dx * dx + dy * dy
    if square < number(6) { return .inside }
    return square > number(7) ? .outside : .doubtful
  }
}
