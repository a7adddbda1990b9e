extension ContainmentGrid {
  /// A place in the grid: the content of its cell, and its position in the cell.
  struct Spot {
    /// The offset of the content in `words`; 0 for an empty one. Before it is looked up, the cell's number,
    /// or, negative, the complement of the whole tile's content.
    var content: Int
    /// From the cell's south-western corner, in cells; in a tile with one content, from the tile's, in tiles.
    var x: Float
    var y: Float
    /// In 2⁻¹⁴ of a cell's greater side.
    var band: Float = 0
    /// The distance north of the tile's southern side, in tiles.
    var up: Float = 0
    /// The tile's number; -1 for a tile with one content.
    var tile: Int32 = -1
  }

  /// Pointers to the grid's tables, valid while `read` runs.
  struct Reader {
    let scale: GridScale
    let firstColumn: Int
    let firstRow: Int
    let columns: Int
    let rows: Int
    let table: UnsafePointer<Int32>
    let keys: UnsafeBufferPointer<Int32>
    let tiles: UnsafePointer<Tile>
    let circleScales: UnsafePointer<CircleScale>
    let cells: UnsafePointer<UInt32>
    let words: UnsafePointer<UInt32>
  }

  @inline(__always) func read<Result>(_ body: (Reader) -> Result) -> Result {
    directory.table.withUnsafeBufferPointer { table in
      directory.keys.withUnsafeBufferPointer { keys in
        tiles.withUnsafeBufferPointer { tiles in
          circleScales.withUnsafeBufferPointer { circleScales in
            cells.withUnsafeBufferPointer { cells in
              words.withUnsafeBufferPointer { words in
                body(
                  Reader(
                    scale: scale, firstColumn: Int(directory.firstColumn), firstRow: Int(directory.firstRow),
                    columns: Int(directory.columns), rows: Int(directory.rows), table: table.baseAddress!,
                    keys: keys, tiles: tiles.baseAddress ?? Self.none(),
                    circleScales: circleScales.baseAddress ?? Self.none(),
                    cells: cells.baseAddress ?? Self.none(), words: words.baseAddress!))
              }
            }
          }
        }
      }
    }
  }

  // Placeholders that are never read: without tiles the table is empty.
  private static func none<Element>() -> UnsafePointer<Element> { UnsafePointer(bitPattern: 16)! }
}

extension ContainmentGrid.Reader {
  /// A place in its tile: the directory's entry, and the rest, in tiles.
  struct TilePlace {
    let entry: Int32
    let x: Double
    let y: Double
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

  /// Returns the spot of a place, whose content is not looked up yet.
  @inline(__always) func cell(of place: TilePlace) -> ContainmentGrid.Spot {
    let entry = Int(place.entry)
    guard entry > 0 else {
      return ContainmentGrid.Spot(content: ~(0 &- entry), x: Float(place.x), y: Float(place.y))
    }
    let tile = tiles[entry &- 1]
    let (column, x) = GridScale.split(place.x * Double(tile.columns))
    let (row, y) = GridScale.split(place.y * Double(tile.rows))
    return ContainmentGrid.Spot(
      content: Int(tile.firstCell) &+ row &* Int(tile.columns) &+ column, x: Float(x), y: Float(y),
      band: tile.band, up: Float(place.y), tile: place.entry &- 1)
  }

  /// - Parameter cell: a cell's number, or the complement of a content.
  @inline(__always) func content(_ cell: Int) -> Int { cell < 0 ? ~cell : Int(cells[cell]) }

  @inline(__always) func spot(of p: Coordinate) -> ContainmentGrid.Spot {
    var spot = cell(of: tile(of: p))
    spot.content = content(spot.content)
    return spot
  }

  // MARK: Contents

  /// Returns the greatest number of outlines that a content can give, or one more. Touches the content's
  /// second cache line too, so that its miss overlaps with others.
  @inline(__always) func fetch(_ content: Int) -> Int {
    var next = words + content
    let counts = counts(&next)
    return counts.covers &+ counts.others &+ Int(words[content &+ 15] >> 31)
  }

  /// Returns the number of outlines that cover the cell, and the number of others.
  @inline(__always) func counts(_ next: inout UnsafePointer<UInt32>) -> (covers: Int, others: Int) {
    let both = next.pointee
    next += 1
    if both == ContainmentGrid.mostCounted { return manyCounts(&next) }
    return (Int(both & 0xffff), Int(both >> 16))
  }

  @inline(never) private func manyCounts(_ next: inout UnsafePointer<UInt32>) -> (covers: Int, others: Int) {
    defer { next += 2 }
    return (Int(next[0]), Int(next[1]))
  }

  /// Reports the outlines of a place, each once: those that cover its cell, ascending, all at once; then,
  /// ascending, those that may contain it, and whether they do.
  /// - Parameters:
  ///   - ask: returns whether an outline contains the place, by measuring.
  ///   - covers: receives a pointer to the first and the number of outlines; the memory after them is
  ///     readable.
  @inline(__always) func visit(
    _ spot: ContainmentGrid.Spot, ask: (Int) -> Bool, covers: (UnsafePointer<UInt32>, Int) -> Void,
    tell: (Int, Bool) -> Void
  ) {
    visitItems(spot.content, covers: covers) { item, next in
      switch item.kind {
      case ContainmentGrid.ItemKind.lines.rawValue:
        let lines = Lines(next)
        let verdict = verdict(lines, parity: item.parity, spot)
        next += lines.words
        return verdict.isDoubtful ? ask(item.outline) : verdict.isInside
      case ContainmentGrid.ItemKind.circle.rawValue:
        let verdict = verdict(ContainmentGrid.KeptCircle(next), spot)
        next += ContainmentGrid.circleWords
        return verdict.isDoubtful ? ask(item.outline) : verdict.isInside
      default: return ask(item.outline)
      }
    } tell: {
      tell($0, $1)
    }
  }

  /// The head of an item.
  struct Item {
    fileprivate let head: UInt32

    @inline(__always) var outline: Int { Int(head & ContainmentGrid.outlineBits) }
    @inline(__always) var kind: UInt32 { head >> ContainmentGrid.kindShift & 3 }
    @inline(__always) var parity: Bool { head & ContainmentGrid.parityBit != 0 }
  }

  /// Visits the items of a content.
  /// - Parameter judge: returns whether the place is in an item's outline, and moves past the words after the
  ///   head.
  @inline(__always) func visitItems(
    _ content: Int, covers: (UnsafePointer<UInt32>, Int) -> Void,
    judge: (Item, inout UnsafePointer<UInt32>) -> Bool, tell: (Int, Bool) -> Void
  ) {
    var next = words + content
    let (count, number) = counts(&next)
    covers(next, count)
    next += count
    var others = number
    var last = -1
    while others > 0 {
      others &-= 1
      let item = Item(head: next.pointee)
      let outline = item.outline
      next += 1
      var isInside = judge(item, &next)
      if item.head & ContainmentGrid.againBit != 0, last == outline { isInside = false }
      last = isInside ? outline : last
      tell(outline, isInside)
    }
  }

  struct Verdict {
    var isInside: Bool
    /// True if the outline has to be measured.
    var isDoubtful = false

    init(isInside: Bool, isDoubtful: Bool = false) {
      self.isInside = isInside
      self.isDoubtful = isDoubtful
    }

    /// - Parameters:
    ///   - odd: which lanes have met an odd number of lines.
    ///   - near: which lanes are in doubt.
    @inline(__always) init(odd: SIMDMask<SIMD4<Int32>>, parity: Bool, near: SIMDMask<SIMD4<Int32>>) {
      // One sum of both: at most four ones, then sixteens.
      let marks = SIMD4<Int32>.zero.replacing(with: 1, where: odd) &+ .zero.replacing(with: 16, where: near)
      let sum = marks.wrappedSum()
      self.init(isInside: (sum & 1 != 0) != parity, isDoubtful: sum >= 16)
    }
  }

  /// Stored lines, read four at a time.
  struct Lines {
    private let first: UnsafeRawPointer
    let count: Int

    @inline(__always) init(_ words: UnsafePointer<UInt32>) {
      first = UnsafeRawPointer(words)
      count = Int(first.load(as: UInt16.self))
    }

    static func words(_ count: Int) -> Int { (10 &* count &+ 5) >> 2 }
    @inline(__always) var words: Int { Self.words(count) }

    /// - Parameter number: 0 to 4 for a, b, c, and the beginning and the end of the stretch of x.
    @inline(__always) func four(_ number: Int, from line: Int) -> SIMD4<Float> {
      SIMD4<Float>(
        first.loadUnaligned(
          fromByteOffset: 2 &+ 2 &* (number &* count &+ line), as: SIMD4<Int16>.self))
    }

    /// True if there are so many lines behind one.
    @inline(__always) func exist(from line: Int) -> SIMDMask<SIMD4<Int32>> {
      SIMD4<Int32>(0, 1, 2, 3) .< SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: count &- line))
    }
  }

  @inline(__always) private func verdict(_ lines: Lines, parity: Bool, _ spot: ContainmentGrid.Spot)
    -> Verdict
  {
    let x = SIMD4<Float>(repeating: spot.x)
    let y = SIMD4<Float>(repeating: spot.y)
    let place = SIMD4<Float>(repeating: spot.x * ContainmentGrid.units)
    let band = SIMD4<Float>(repeating: spot.band)
    var odd = SIMDMask<SIMD4<Int32>>(repeating: false)
    var near = odd
    var line = 0
    repeat {
      let exist = lines.exist(from: line)
      let s = lines.four(0, from: line) * x + lines.four(1, from: line) * y + lines.four(2, from: line)
      let isAbove = (place .>= lines.four(3, from: line)) .& (place .< lines.four(4, from: line))
      odd .^= exist .& (s .> SIMD4<Float>.zero) .& isAbove
      near .|= exist .& (s .<= band) .& (s .>= SIMD4<Float>.zero - band)
      line = line &+ 4
    } while line < lines.count
    return Verdict(odd: odd, parity: parity, near: near)
  }

  @inline(__always) private func verdict(_ circle: ContainmentGrid.KeptCircle, _ spot: ContainmentGrid.Spot)
    -> Verdict
  {
    let scale = circleScales[Int(spot.tile)]
    let place = SIMD2(spot.x, spot.y) - circle.center
    let away = place * (scale.metres + scale.changes * (spot.up - scale.halfRow * place.y))
    let error = scale.error(of: circle)
    let rest = (away * away).sum() - circle.radius * circle.radius
    return Verdict(isInside: rest < 0, isDoubtful: rest.magnitude <= error * (2 * circle.radius + error))
  }
}

extension ContainmentGrid {
  /// A circle as it is kept: the centre from the cell's south-western corner, in cells, and the radius in metres.
  struct KeptCircle {
    let center: SIMD2<Float>
    let radius: Float

    @inline(__always) init(_ words: UnsafePointer<UInt32>) {
      let numbers = UnsafeRawPointer(words)
      center = numbers.loadUnaligned(as: SIMD2<Float>.self)
      radius = numbers.loadUnaligned(fromByteOffset: 8, as: Float.self)
    }
  }
}
