/// Cuts the pieces of one outline along the rows of a tile's cells and makes the records of the cells.
struct CellStrips {
  private struct Line {
    let a: Float
    let b: Float
    let c: Float
    let from: Float
    let to: Float
    let next: Int32
  }
  private var lines: [Line] = []
  /// The last line of each cell in `lines`, or -1.
  private var heads: [Int32] = []
  private var touched: [Int32] = []
  /// Whether parity changes east of the cell along its southern side.
  private var flips: [Bool] = []
  private var flipped: [Int32] = []
  /// Whether parity differs between the tile's corner and the western end of the row's southern side.
  private var turns: [Bool] = []
  private var rowIsTouched: [Bool] = []

  mutating func lay(
    _ pieces: ArraySlice<GridPiece>, _ patch: ZoneGridBuilder.Patch, _ tile: inout TileCells
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

    // Where it crosses the southern side of a row, in cells from the tile's western side.
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
      Float(line.a), Float(line.b), Float(line.c + line.a * west + line.b * Double(row)),
      Float(from - west), Float(to - west))
  }

  private mutating func addCut(_ row: Int, _ x: Double, _ tile: TileCells) {
    let column = Int(x.rounded(.down))
    let cell = row * tile.columns + column
    append(cell, 0, 0, ZoneGridBuilder.farBelow, Float(x - Double(column)), .infinity)
    if !flips[cell] { flipped.append(Int32(cell)) }
    flips[cell].toggle()
    rowIsTouched[row] = true
  }

  private mutating func append(
    _ cell: Int, _ a: Float, _ b: Float, _ c: Float, _ from: Float, _ to: Float
  ) {
    if heads[cell] < 0 { touched.append(Int32(cell)) }
    lines.append(Line(a: a, b: b, c: c, from: from, to: to, next: heads[cell]))
    heads[cell] = Int32(lines.count - 1)
  }

  // MARK: Records

  private mutating func collect(_ patch: ZoneGridBuilder.Patch, _ tile: inout TileCells) {
    var rowStart = patch.parity
    for row in 0..<tile.rows {
      if turns[row] { rowStart.toggle() }
      guard rowIsTouched[row] || rowStart else { continue }
      var parity = rowStart
      for column in 0..<tile.columns {
        let cell = row * tile.columns + column
        if heads[cell] >= 0 {
          write(cell, parity, patch.zone, &tile)
        } else if parity {
          tile.covers.append((Int32(cell), UInt32(patch.zone)))
        }
        if flips[cell] { parity.toggle() }
      }
    }
  }

  private func write(_ cell: Int, _ parity: Bool, _ zone: Int32, _ tile: inout TileCells) {
    let first = tile.words.count
    tile.words.append(UInt32(zone) | (parity ? ZoneGrid.parityBit : 0))
    tile.words.append(0)
    var line = heads[cell]
    var blocks: UInt32 = 0
    while line >= 0 {
      let start = tile.words.count
      tile.words.append(contentsOf: repeatElement(0, count: ZoneGrid.blockWords))
      for lane in 0..<4 {
        let kept = line >= 0 ? lines[Int(line)] : Self.nothingLine
        for (number, value) in [kept.a, kept.b, kept.c, kept.from, kept.to].enumerated() {
          tile.words[start + number * 4 + lane] = value.bitPattern
        }
        if line >= 0 { line = kept.next }
      }
      blocks += 1
    }
    tile.words[first + 1] = blocks
    tile.records.append((Int32(cell), Int32(first), Int32(tile.words.count - first)))
  }

  private static let nothingLine = Line(
    a: 0, b: 0, c: ZoneGridBuilder.farBelow, from: .infinity, to: -.infinity, next: -1)
}

extension ZoneGridBuilder {
  /// Metres; farther than any place of a cell.
  static let farBelow: Float = 1e30
}

/// A line as `a x + b y + c`, metres from it by x and y in cells; positive north of it, east of one that runs north.
private struct NormalLine {
  let a: Double
  let b: Double
  let c: Double

  init(_ piece: GridPiece, _ tile: TileCells) {
    let (wide, high) = (Double(tile.columns), Double(tile.rows))
    let (x, y) = ((piece.u1 - piece.column) * wide * tile.cellWidth, (piece.v1 - tile.v) * high * tile.cellHeight)
    let east = (piece.u2 - piece.u1) * wide * tile.cellWidth
    let north = (piece.v2 - piece.v1) * high * tile.cellHeight
    let length = (east * east + north * north).squareRoot()
    let way = (east < 0 ? -1 : 1) / length
    let (normalX, normalY) = (-north * way, east * way)
    a = normalX * tile.cellWidth
    b = normalY * tile.cellHeight
    c = -(normalX * x + normalY * y)
  }
}
