/// The cells of one tile, while what lies in them is gathered. Used for one tile after another.
struct TileCells {
  var columns = 0
  var rows = 0
  /// The tile's south-western corner, in tiles.
  var u = 0.0
  var v = 0.0
  /// Metres, at least.
  var cellWidth = 0.0
  var cellHeight = 0.0
  /// The greater side of a cell, metres.
  var unit: Double { max(cellWidth, cellHeight) }
  var band = 0.0
  /// Whether the band leaves nothing to be read from lines.
  var isCoarse: Bool { band > unit / 4 }
  /// Zones that cover a cell whole, in the order of zones.
  var covers: [(cell: Int32, zone: UInt32)] = []
  /// Records, in the order of zones.
  var records: [(cell: Int32, first: Int32, count: Int32)] = []
  var words: [UInt32] = []
  private var coverStarts: [Int32] = []
  private var recordStarts: [Int32] = []
  private var sorted: [Int32] = []

  mutating func lay(
    _ patches: [ZoneGridBuilder.Patch], row: Int, column: Int, builder: ZoneGridBuilder, density: Double,
    _ strips: inout CellStrips, into grid: inout ZoneGrid
  ) {
    let size = builder.scale.size(row: row)
    (u, v) = (Double(column), Double(row))
    setCells(patches, builder, size, density)
    covers.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    for patch in patches {
      switch patch.kind {
      case .cover:
        for cell in 0..<columns * rows { covers.append((Int32(cell), UInt32(patch.zone))) }
      case .lines:
        let pieces = builder.pieces[Int(patch.first)..<Int(patch.first + patch.count)]
        strips.lay(pieces, patch, &self)
      case .circle: lay(builder.circles[Int(patch.first)], patch.zone, size, builder.scale)
      case .ask: ask(builder.entries[Int(patch.zone)], patch.zone, builder.scale)
      }
    }
    write(into: &grid)
  }

  /// Chooses the cells: as large as edges are long, or smaller until only one boundary is expected in a cell, but no
  /// more of them than the density allows.
  private mutating func setCells(
    _ patches: [ZoneGridBuilder.Patch], _ builder: ZoneGridBuilder, _ size: TileSize, _ density: Double
  ) {
    // Where there are few tiles, cells beyond what the edges ask for cost little.
    let spare = builder.spare
    var edges = 0.0
    var length = 0.0
    var strays = 0.0
    var finest = Double.infinity
    let diagonal = (size.mostEast * size.mostEast + size.mostNorth * size.mostNorth).squareRoot()
    for patch in patches {
      switch patch.kind {
      case .cover: break
      case .lines:
        for index in Int(patch.first)..<Int(patch.first + patch.count) {
          let piece = builder.pieces[index]
          let (east, north) = ((piece.u2 - piece.u1) * size.mostEast, (piece.v2 - piece.v1) * size.mostNorth)
          edges += 1
          length += min(diagonal, (east * east + north * north).squareRoot())
          strays = max(strays, piece.strays)
        }
      case .circle:
        edges += 6
        length += min(2 * diagonal, 2 * Double.pi * builder.circles[Int(patch.first)].radius)
      case .ask:
        edges += 8
        length += diagonal / 2
        finest = min(finest, max(50, builder.entries[Int(patch.zone)].outline.extentMetres / 16))
      }
    }
    let area = size.mostEast * size.mostNorth
    let single = area / (1.27 * max(1, length))
    let edge = length / max(1, edges)
    let fewest = (area / (2.5 * density * edges * builder.weight + spare)).squareRoot()
    let side = min(finest, max(min(single, 2 * edge), edge / density, fewest), diagonal)
    columns = max(1, min(1024, Int(size.mostEast / side) + 1))
    rows = max(1, min(1024, Int(size.mostNorth / side) + 1))
    (cellWidth, cellHeight) = (size.leastEast / Double(columns), size.leastNorth / Double(rows))
    band = strays + unit * 1.1 * 0x1p-13 + 2e-6
  }

  // MARK: Circles and what must be asked

  private mutating func lay(_ circle: GridCircle, _ zone: Int32, _ size: TileSize, _ scale: GridScale) {
    // The centre in cells, on the side of the antimeridian on which the tile is.
    var aside = circle.u - u
    let world = Double(scale.columns)
    aside -= (aside / world + 0.5).rounded(.down) * world
    let (x, y) = (aside * Double(columns), (circle.v - v) * Double(rows))
    let (east, north) = (circle.east, circle.north)
    let wide = Double(columns)
    let high = Double(rows)
    let slack = circle.error + (circle.radius + size.mostEast / wide + size.mostNorth / high) * 0x1p-19 + 1e-6
    let (inner, outer) = (circle.radius - slack, circle.radius + slack)
    // Metres of a cell at the centre; within the circle they change by less than a fiftieth.
    let (across, up) = (east.metres / wide, north.metres / high)
    let reach = (circle.radius + 1) * 1.02
    let firstColumn = max(0, Int(((x - reach / across)).rounded(.down)))
    let lastColumn = min(columns - 1, Int((x + reach / across).rounded(.down)))
    let firstRow = max(0, Int((y - reach / up).rounded(.down)))
    let lastRow = min(rows - 1, Int((y + reach / up).rounded(.down)))
    guard firstColumn <= lastColumn, firstRow <= lastRow else { return }
    for row in firstRow...lastRow {
      for column in firstColumn...lastColumn {
        let (cx, cy) = (x - Double(column), y - Double(row))
        let cell = Int32(row * columns + column)
        let (nearX, nearY) = (max(-cx, cx - 1, 0) * across, max(-cy, cy - 1, 0) * up)
        if nearX * nearX + nearY * nearY > reach * reach { continue }
        let (farX, farY) = (max(cx, 1 - cx) * across * 1.02, max(cy, 1 - cy) * up * 1.02)
        if inner > 0, farX * farX + farY * farY < inner * inner * 0.999 {
          covers.append((cell, UInt32(zone)))
          continue
        }
        let first = Int32(words.count)
        words.append(UInt32(zone) | ZoneGrid.RecordKind.circle.rawValue << ZoneGrid.kindShift)
        for number in [
          cx, cy, across, east.change / wide / high, up, north.change / high / high,
          inner > 0 ? inner * inner : -1, outer * outer,
        ] {
          words.append(Float(number).bitPattern)
        }
        records.append((cell, first, Int32(words.count) - first))
      }
    }
  }

  private mutating func ask(_ entry: ZoneIndex.Entry, _ zone: Int32, _ scale: GridScale) {
    let frame = GridFrame(scale: scale, u: u, v: v, perTile: (Double(columns), Double(rows)))
    frame.classify(entry, columns: 0..<columns, rows: 0..<rows) { columns, rows, isInside in
      for row in rows {
        for column in columns {
          let cell = Int32(row * self.columns + column)
          if isInside == true {
            covers.append((cell, UInt32(zone)))
          } else {
            ask(zone, in: Int(cell))
          }
        }
      }
    }
  }

  mutating func ask(_ zone: Int32, in cell: Int) {
    records.append((Int32(cell), Int32(words.count), 1))
    words.append(UInt32(zone) | ZoneGrid.RecordKind.ask.rawValue << ZoneGrid.kindShift)
  }

  // MARK: Writing

  private mutating func write(into grid: inout ZoneGrid) {
    let count = columns * rows
    let coverOrder = Self.order(covers.count, cells: count, &coverStarts) { Int(covers[$0].cell) }
    let recordOrder = Self.order(records.count, cells: count, &recordStarts) { Int(records[$0].cell) }
    let first = grid.cells.count
    var former = 0
    for cell in 0..<count {
      let covers = coverOrder[Int(coverStarts[cell])..<Int(coverStarts[cell + 1])]
      let records = recordOrder[Int(recordStarts[cell])..<Int(recordStarts[cell + 1])]
      if covers.isEmpty, records.isEmpty {
        grid.cells.append(0)
        former = 0
        continue
      }
      if records.isEmpty, former != 0, Int(grid.words[former]) == covers.count, grid.words[former + 1] == 0 {
        var isSame = true
        for (number, cover) in covers.enumerated()
        where grid.words[former + 2 + number] != self.covers[Int(cover)].zone {
          isSame = false
        }
        if isSame {
          grid.cells.append(UInt32(former))
          continue
        }
      }
      former = grid.words.count
      grid.cells.append(UInt32(former))
      append(covers, records, to: &grid.words)
    }
    grid.tiles.append(
      ZoneGrid.Tile(
        firstCell: UInt32(first), columns: UInt16(columns), rows: UInt16(rows),
        band: Float(band / unit * 16_384).nextUp,
        aspect: Float(cellWidth / cellHeight)))
  }

  /// A zone of several parts may come more than once; a part that covers the cell leaves nothing to ask.
  private func append(_ covers: ArraySlice<Int32>, _ records: ArraySlice<Int32>, to out: inout [UInt32]) {
    let head = out.count
    out.append(0)
    out.append(0)
    for cover in covers {
      let zone = self.covers[Int(cover)].zone
      if out.count > head + 2, out[out.count - 1] == zone { continue }
      out.append(zone)
    }
    let coverEnd = out.count
    out[head] = UInt32(coverEnd - head - 2)
    var number: UInt32 = 0
    var next = head + 2
    for record in records {
      let (_, first, count) = self.records[Int(record)]
      let zone = words[Int(first)] & ZoneGrid.zoneBits
      while next < coverEnd, out[next] < zone { next += 1 }
      if next < coverEnd, out[next] == zone { continue }
      out.append(contentsOf: words[Int(first)..<Int(first + count)])
      number += 1
    }
    out[head + 1] = number
  }

  /// Sorts by cell, keeping the order within a cell.
  private static func order(
    _ count: Int, cells: Int, _ starts: inout [Int32], cell: (Int) -> Int
  ) -> [Int32] {
    starts = [Int32](repeating: 0, count: cells + 1)
    for index in 0..<count { starts[cell(index) + 1] += 1 }
    for cell in 0..<cells { starts[cell + 1] += starts[cell] }
    var order = [Int32](repeating: 0, count: count)
    var next = starts
    for index in 0..<count {
      let cell = cell(index)
      order[Int(next[cell])] = Int32(index)
      next[cell] += 1
    }
    return order
  }
}

extension Outline {
  /// Roughly how large it is.
  var extentMetres: Double {
    let diagonal = (box.maxX - box.minX) + (box.maxY - box.minY) + (box.maxZ - box.minZ)
    return box.isEmpty ? 0 : diagonal / 2
  }
}
