/// The tiles that one outline touches: the pieces in each tile, and whether the tile's corner is inside.
///
/// Scratch memory, reused from outline to outline.
struct TileRasterizer {
  private var firstColumn = 0
  private var firstRow = 0
  private var width = 0
  private var height = 0
  /// True if the outline holds the south-western corner of a tile.
  private var parities: [Bool] = []
  /// The last piece of each tile in `links`, or -1.
  private var heads: [Int32] = []
  private var links: [(piece: Int32, column: Int32, next: Int32)] = []
  /// Tiles east of which parity changes, by row.
  private var turns: [(row: Int32, column: Int32)] = []
  private var pieces: [GridPiece] = []
  /// The least length of a tile's east-west sides, metres, by row; 0 if not computed yet.
  private var sides: [Double] = []

  /// Returns the distance, metres, within which tiles and cells must contain a piece.
  static func margin(of strays: Double) -> Double { 2 * strays + 0.01 }

  mutating func lay(_ outline: GridPart, _ scale: GridScale) {
    pieces = outline.pieces
    frame(outline, scale)
    links.removeAll(keepingCapacity: true)
    turns.removeAll(keepingCapacity: true)
    for index in pieces.indices { place(index, scale) }
    setParities(outline, scale)
  }

  private mutating func frame(_ outline: GridPart, _ scale: GridScale) {
    var (west, east, south, north) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
    var widest = 0.0
    for piece in pieces {
      west = min(west, piece.u1, piece.u2)
      east = max(east, piece.u1, piece.u2)
      south = min(south, piece.v1, piece.v2)
      north = max(north, piece.v1, piece.v2)
      widest = max(widest, piece.strays)
    }
    let margin = Self.margin(of: widest)
    let up = margin / (Earth.leastMetresPerDegree / scale.tilesPerDegree)
    firstRow = max(0, Int((south - up).rounded(.down)))
    height = min(scale.rows - 1, Int((north + up).rounded(.down))) - firstRow + 1
    let aside = max(margin / side(of: firstRow, scale), margin / side(of: firstRow + height - 1, scale))
    firstColumn = Int((west - min(aside, 1000)).rounded(.down))
    width = min(scale.columns, Int((east + min(aside, 1000)).rounded(.down)) - firstColumn + 1)
    for closing in outline.closings {
      // Around a pole: all the way to it.
      width = scale.columns
      let top = closing.north ? scale.rows : firstRow + height
      firstRow = closing.north ? firstRow : 0
      height = top - firstRow
    }
    parities = [Bool](repeating: false, count: width * height)
    heads = [Int32](repeating: -1, count: width * height)
  }

  /// Returns the least length of the east-west sides. The rows at the poles take that of their neighbours.
  private mutating func side(of row: Int, _ scale: GridScale) -> Double {
    let row = min(max(row, 1), scale.rows - 2)
    if sides.isEmpty { sides = [Double](repeating: 0, count: scale.rows) }
    if sides[row] == 0 { sides[row] = scale.size(row: row).leastEast }
    return sides[row]
  }

  /// Returns the index of a tile in the sheet; the same for columns that coincide after a turn round the
  /// earth.
  private func slot(_ row: Int, _ column: Int) -> Int {
    var aside = column - firstColumn
    if aside >= width || aside < 0 { aside = ((aside % width) + width) % width }
    return (row - firstRow) * width + aside
  }

  private mutating func place(_ index: Int, _ scale: GridScale) {
    let piece = pieces[index]
    let margin = Self.margin(of: piece.strays)
    let up = margin / (Earth.leastMetresPerDegree / scale.tilesPerDegree)
    let (south, north) = (min(piece.v1, piece.v2), max(piece.v1, piece.v2))
    let rows =
      max(0, Int((south - up).rounded(.down)))...min(scale.rows - 1, Int((north + up).rounded(.down)))
    if rows.lowerBound == rows.upperBound, piece.u1.rounded(.down) == piece.u2.rounded(.down) {
      let column = Int(piece.u1.rounded(.down))
      let aside = margin / side(of: rows.lowerBound, scale)
      if min(piece.u1, piece.u2) - aside >= Double(column),
        max(piece.u1, piece.u2) + aside < Double(column + 1)
      {
        return link(index, rows.lowerBound, column)
      }
    }
    for row in rows {
      let aside = min(1000, margin / side(of: row, scale))
      let (from, to) = piece.columns(between: Double(row) - up, and: Double(row + 1) + up)
      let first = Int((from - aside).rounded(.down))
      let last = min(first + width - 1, Int((to + aside).rounded(.down)))
      for column in first...max(first, last) { link(index, row, column) }
    }
    let low = Int(south.rounded(.down))
    let high = Int(north.rounded(.down))
    guard low < high else { return }
    for row in low + 1...high {
      turns.append((Int32(row), Int32(piece.crossing(Double(row)).rounded(.down))))
    }
  }

  private mutating func link(_ piece: Int, _ row: Int, _ column: Int) {
    let slot = slot(row, column)
    links.append((Int32(piece), Int32(column), heads[slot]))
    heads[slot] = Int32(links.count - 1)
  }

  private mutating func setParities(_ outline: GridPart, _ scale: GridScale) {
    turns.sort { ($0.row, $0.column) < ($1.row, $1.column) }
    var index = 0
    while index + 1 < turns.count {
      let (row, from) = (Int(turns[index].row), Int(turns[index].column))
      // Twice the same row: a closed line crosses it an even number of times.
      let to = Int(turns[index + 1].column)
      index += 2
      guard row >= firstRow, row < firstRow + height, to > from else { continue }
      for column in from + 1...to { parities[slot(row, column)].toggle() }
    }
    for closing in outline.closings {
      for row in firstRow..<firstRow + height where (closing.v < Double(row)) == closing.north {
        for column in 0..<width { parities[(row - firstRow) * width + column].toggle() }
      }
    }
  }

  /// Appends the outline's patches in the tiles.
  func takePatches(
    of outline: Int32, _ scale: GridScale, into patches: inout [GridBuilder.Patch],
    _ kept: inout [GridPiece]
  ) {
    for row in firstRow..<firstRow + height {
      for aside in 0..<width {
        let slot = (row - firstRow) * width + aside
        let tile = row * scale.columns + scale.wrapped(firstColumn + aside)
        if heads[slot] < 0 {
          if parities[slot] { patches.append(.init(tile: tile, outline: outline, kind: .cover)) }
          continue
        }
        let first = kept.count
        var link = heads[slot]
        while link >= 0 {
          let (piece, column, next) = links[Int(link)]
          kept.append(pieces[Int(piece)])
          kept[kept.count - 1].column = Double(column)
          link = next
        }
        patches.append(
          .init(
            tile: tile, outline: outline, kind: .lines, parity: parities[slot], first: Int32(first),
            count: Int32(kept.count - first)))
      }
    }
  }
}

extension GridPiece {
  /// The westernmost and the easternmost place of the stretch between two rows.
  func columns(between south: Double, and north: Double) -> (from: Double, to: Double) {
    guard v1 != v2 else { return (min(u1, u2), max(u1, u2)) }
    let (low, high) = (max(south, min(v1, v2)), min(north, max(v1, v2)))
    let (a, b) = (crossing(low), crossing(high))
    return (min(a, b), max(a, b))
  }
}
