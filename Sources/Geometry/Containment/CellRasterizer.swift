/// Cuts the pieces of one outline along the rows of a tile's cells and makes the records of the cells.
struct CellRasterizer {
  /// In 2⁻¹⁴ of a cell.
  private struct Line {
    let a: Int16
    let b: Int16
    let c: Int16
    let from: Int16
    let to: Int16
    let next: Int32
  }
  private var lines: [Line] = []
  /// The last line of each cell in `lines`, or -1.
  private var heads: [Int32] = []
  private var touched: [Int32] = []
  /// True if parity changes east of the cell along its southern side.
  private var flips: [Bool] = []
  private var flipped: [Int32] = []
  /// True if parity differs between the tile's corner and the western end of the row's southern side.
  private var turns: [Bool] = []
  private var rowIsTouched: [Bool] = []

  mutating func lay(
    _ pieces: ArraySlice<GridPiece>, _ patch: GridBuilder.Patch, _ tile: inout TileCells
  ) {
    let count = tile.columns * tile.rows
    if heads.count < count {
      heads = [Int32](repeating: -1, count: count)
      flips = [Bool](repeating: false, count: count)
    }
    lines.removeAll(keepingCapacity: true)
    touched.removeAll(keepingCapacity: true)
    flipped.removeAll(keepingCapacity: true)
    turns.removeAll(keepingCapacity: true)
    turns.append(contentsOf: repeatElement(false, count: tile.rows + 1))
    rowIsTouched.removeAll(keepingCapacity: true)
    rowIsTouched.append(contentsOf: repeatElement(false, count: tile.rows))
    for piece in pieces { cut(piece, tile) }
    collect(patch, &tile)
    for cell in touched { heads[Int(cell)] = -1 }
    for cell in flipped { flips[Int(cell)] = false }
  }

  private mutating func cut(_ piece: GridPiece, _ tile: TileCells) {
    guard piece.u1 != piece.u2 || piece.v1 != piece.v2 else { return }
    let (wide, high) = (Double(tile.columns), Double(tile.rows))
    let (y1, y2) = ((piece.v1 - tile.v) * high, (piece.v2 - tile.v) * high)
    let margin = 2 * tile.band + 0.01
    let (aside, up) = (margin / tile.cellWidth, margin / tile.cellHeight)
    let line = NormalLine(piece, tile)
    let (bottom, top) = (Int(y1.rounded(.down)), Int(y2.rounded(.down)))
    let first = max(0, Int((y1 - up).rounded(.down)))
    let last = min(tile.rows - 1, Int((y2 + up).rounded(.down)))

    // The piece's crossing with the southern side of a row, in cells from the tile's western side.
    func crossing(_ row: Int) -> Double { x(piece.crossing(tile.v + Double(row) / high)) }
    func x(_ u: Double) -> Double { (u - piece.column) * wide }

    if first <= last {
      for row in first...last {
        rowIsTouched[row] = true
        var (from, to) = (Double.infinity, -Double.infinity)
        if row >= bottom, row <= top {
          let start = row == bottom ? x(piece.u1) : crossing(row)
          let end = row == top ? x(piece.u2) : crossing(row + 1)
          (from, to) = (min(start, end), max(start, end))
        }
        let near = piece.columns(
          between: tile.v + (Double(row) - up) / high, and: tile.v + (Double(row + 1) + up) / high)
        let west = max(0, Int((x(near.from) - aside).rounded(.down)))
        let east = min(tile.columns - 1, Int((x(near.to) + aside).rounded(.down)))
        guard west <= east else { continue }
        for column in west...east { add(line, row, column, from, to, tile) }
      }
    }

    // Rows whose southern side it crosses; the first row's was looked at for the whole tile.
    var isWest = piece.u1 < piece.column
    if bottom + 1 <= top {
      for row in max(bottom + 1, 0)...max(top, max(bottom + 1, 0)) where row <= top && row <= tile.rows {
        let x = crossing(row)
        if (x < 0) != isWest {
          turn(from: row)
          isWest.toggle()
        }
        guard row < tile.rows, x >= 0, x < wide else { continue }
        addCut(row, x, tile)
      }
    }
    if top < tile.rows, (piece.u2 < piece.column) != isWest { turn(from: top + 1) }
  }

  /// A piece passed the tile's western side below this row: parity changes from here on.
  private mutating func turn(from row: Int) {
    if row > 0, row < turns.count { turns[row].toggle() }
  }

  private mutating func add(
    _ line: NormalLine, _ row: Int, _ column: Int, _ from: Double, _ to: Double, _ tile: TileCells
  ) {
    let west = Double(column)
    append(
      row * tile.columns + column,
      Line(
        a: Self.packed(line.a), b: Self.packed(line.b),
        c: Self.packed(line.c + line.a * west + line.b * Double(row)), from: Self.packed(from - west),
        to: Self.packed(to - west), next: -1))
  }

  /// To 2⁻¹⁴; what is two cells away or farther is as good as two.
  private static func packed(_ cells: Double) -> Int16 {
    Int16(max(-32_767, min(32_767, (cells * 16_384).rounded(.toNearestOrEven))))
  }

  private mutating func addCut(_ row: Int, _ x: Double, _ tile: TileCells) {
    let column = Int(x.rounded(.down))
    let cell = row * tile.columns + column
    append(cell, Line(a: 0, b: 0, c: .max, from: Self.packed(x - Double(column)), to: .max, next: -1))
    if !flips[cell] { flipped.append(Int32(cell)) }
    flips[cell].toggle()
    rowIsTouched[row] = true
  }

  private mutating func append(_ cell: Int, _ line: Line) {
    if heads[cell] < 0 { touched.append(Int32(cell)) }
    lines.append(
      Line(a: line.a, b: line.b, c: line.c, from: line.from, to: line.to, next: heads[cell]))
    heads[cell] = Int32(lines.count - 1)
  }

  // MARK: Records

  private mutating func collect(_ patch: GridBuilder.Patch, _ tile: inout TileCells) {
    var rowStart = patch.parity
    for row in 0..<tile.rows {
      if turns[row] { rowStart.toggle() }
      guard rowIsTouched[row] || rowStart else { continue }
      var parity = rowStart
      for column in 0..<tile.columns {
        let cell = row * tile.columns + column
        if heads[cell] >= 0 {
          write(cell, parity, patch.outline, &tile)
        } else if parity {
          tile.cover(cell, patch.outline)
        }
        if flips[cell] { parity.toggle() }
      }
    }
  }

  private func write(_ cell: Int, _ parity: Bool, _ outline: Int32, _ tile: inout TileCells) {
    var count = 0
    var line = heads[cell]
    while line >= 0 {
      count += 1
      line = lines[Int(line)].next
    }
    guard !tile.isCoarse, count <= Int(UInt16.max) else { return tile.ask(outline, in: cell) }
    let head = ContainmentGrid.head(outline, .lines) | (parity ? ContainmentGrid.parityBit : 0)
    tile.add(head, in: cell) { words in
      let first = words.count
      words.append(contentsOf: repeatElement(0, count: ContainmentGrid.Reader.Lines.words(count)))
      words.withUnsafeMutableBytes { bytes in
        let halves = UnsafeMutableRawBufferPointer(rebasing: bytes[(4 * first)...])
        func store(_ number: Int16, _ place: Int) {
          halves.storeBytes(of: number, toByteOffset: 2 * place, as: Int16.self)
        }
        store(Int16(bitPattern: UInt16(count)), 0)
        var line = heads[cell]
        for number in 1...count {
          let kept = lines[Int(line)]
          store(kept.a, number)
          store(kept.b, count + number)
          store(kept.c, 2 * count + number)
          store(kept.from, 3 * count + number)
          store(kept.to, 4 * count + number)
          line = kept.next
        }
      }
    }
  }
}

/// A line as `a x + b y + c`, by x and y in cells, in cells of the tile's greater side from it; positive north of it.
private struct NormalLine {
  let a: Double
  let b: Double
  let c: Double

  init(_ piece: GridPiece, _ tile: TileCells) {
    let (wide, high) = (Double(tile.columns), Double(tile.rows))
    let (x, y) = (
      (piece.u1 - piece.column) * wide * tile.cellWidth, (piece.v1 - tile.v) * high * tile.cellHeight
    )
    let east = (piece.u2 - piece.u1) * wide * tile.cellWidth
    let north = (piece.v2 - piece.v1) * high * tile.cellHeight
    let length = (east * east + north * north).squareRoot()
    let way = (east < 0 ? -1 : 1) / (length * tile.unit)
    let (normalX, normalY) = (-north * way, east * way)
    a = normalX * tile.cellWidth
    b = normalY * tile.cellHeight
    c = -(normalX * x + normalY * y)
  }
}
