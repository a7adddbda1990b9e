/// The cells of one tile while their contents are gathered. Reused from tile to tile.
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
  /// True if the band is so wide that lines are useless.
  var isCoarse: Bool { band > unit / 4 }
  /// An item of a cell, for one outline: a head, and the words that follow it.
  struct Item {
    let cell: Int32
    let head: UInt32
    /// In `words`.
    var first: Int32 = 0
    var count: Int32 = 0

    var outline: UInt32 { head & ContainmentGrid.outlineBits }
    var isCover: Bool { head >> ContainmentGrid.kindShift & 3 == ContainmentGrid.ItemKind.cover.rawValue }
  }
  /// In the order of outlines.
  private var items: [Item] = []
  private var words: [UInt32] = []
  /// The first item of each cell, in the order of cells.
  private var starts: [Int32] = []
  /// For one cell: the heads of the items kept, and the items that do not cover it.
  private var heads: [UInt32] = []
  private var others: [Int32] = []

  mutating func lay(
    _ patches: [GridBuilder.Patch], row: Int, column: Int, builder: GridBuilder, density: Double,
    _ strips: inout CellRasterizer, _ shared: inout InternedContents, into grid: inout ContainmentGrid.Draft
  ) {
    let size = builder.scale.size(row: row)
    (u, v) = (Double(column), Double(row))
    setCells(patches, builder, size, density)
    items.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    let circles = circleScale(patches, builder, size, row: row)
    for patch in patches {
      switch patch.kind {
      case .cover:
        for cell in 0..<columns * rows { cover(cell, patch.outline) }
      case .lines:
        let pieces = builder.pieces[Int(patch.first)..<Int(patch.first + patch.count)]
        strips.lay(pieces, patch, &self)
      case .circle: lay(builder.circles[Int(patch.first)], patch.outline, circles, builder.scale)
      case .ask: ask(builder.entries[Int(patch.outline)], patch.outline, builder.scale)
      }
    }
    write(into: &grid, &shared)
    grid.circleScales.append(circles)
  }

  /// The most cells of all tiles beyond those that their edges require, for outlines that have to be
  /// measured. Small outlines in many tiles share them.
  private static let mostForAsking = 1_048_576.0

  /// Chooses the cells: as large as edges are long, or smaller until only one boundary is expected in a cell, but no
  /// more of them than the density allows.
  private mutating func setCells(
    _ patches: [GridBuilder.Patch], _ builder: GridBuilder, _ size: TileSize, _ density: Double
  ) {
    // With few tiles, more cells than the edges require cost little.
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
        finest = min(finest, max(50, builder.entries[Int(patch.outline)].extentMetres / 16))
      }
    }
    let area = size.mostEast * size.mostNorth
    let single = area / (1.27 * max(1, length))
    let edge = length / max(1, edges)
    let most = 2.5 * density * edges * builder.weight + spare
    let fewest = (area / most).squareRoot()
    finest = max(finest, (area / (most + Self.mostForAsking / Double(builder.lineTiles))).squareRoot())
    let side = min(finest, max(min(single, 2 * edge), edge / density, fewest), diagonal)
    columns = max(1, min(1024, Int(size.mostEast / side) + 1))
    rows = max(1, min(1024, Int(size.mostNorth / side) + 1))
    (cellWidth, cellHeight) = (size.leastEast / Double(columns), size.leastNorth / Double(rows))
    band = strays + unit * 1.1 * 0x1p-13 + 2e-6
  }

  // MARK: Circles and what must be asked

  /// Returns the scale for the tile's circles. The error by the curvature of E is a share of the greatest E.
  private func circleScale(
    _ patches: [GridBuilder.Patch], _ builder: GridBuilder, _ size: TileSize, row: Int
  ) -> ContainmentGrid.CircleScale {
    var share = 0.0
    var isNeeded = false
    let tile = 1 / builder.scale.tilesPerDegree
    let bend = 0.53 * size.mostEast / size.leastEast
    for patch in patches where patch.kind == .circle {
      let circle = builder.circles[Int(patch.first)]
      let away = (tile + circle.radius / Earth.leastMetresPerDegree) / 2 * (Double.pi / 180)
      share = max(share, circle.error / max(circle.radius, 1e-3) + bend * away * away + 0x1p-19)
      isNeeded = true
    }
    guard isNeeded else { return ContainmentGrid.CircleScale() }
    let rounding = (size.mostEast / Double(columns) + size.mostNorth / Double(rows)) * 0x1p-19 + 1e-6
    let scale = builder.scale.metres(row: row)
    let (wide, high) = (Double(columns), Double(rows))
    // On the southern side by the derivatives in the middle.
    func south(_ metres: GridScale.Metres) -> Double { metres.metres - metres.change / 2 }
    return ContainmentGrid.CircleScale(
      metres: SIMD2(Float(south(scale.east) / wide), Float(south(scale.north) / high)),
      changes: SIMD2(Float(scale.east.change / wide), Float(scale.north.change / high)),
      halfRow: Float(0.5 / high), share: Float(share), rounding: Float(rounding))
  }

  private mutating func lay(
    _ circle: GridCircle, _ outline: Int32, _ circles: ContainmentGrid.CircleScale, _ scale: GridScale
  ) {
    // The centre in cells, on the side of the antimeridian on which the tile is.
    var aside = circle.u - u
    let world = Double(scale.columns)
    aside -= (aside / world + 0.5).rounded(.down) * world
    let (x, y) = (aside * Double(columns), (circle.v - v) * Double(rows))
    let inner = circle.radius * (1 - Double(circles.share)) - Double(circles.rounding)
    // Metres of a cell at the centre; within the circle they change by less than a fiftieth.
    let (across, up) = (circle.east / Double(columns), circle.north / Double(rows))
    let reach = (circle.radius + 1) * 1.02
    let firstColumn = max(0, Int(((x - reach / across)).rounded(.down)))
    let lastColumn = min(columns - 1, Int((x + reach / across).rounded(.down)))
    let firstRow = max(0, Int((y - reach / up).rounded(.down)))
    let lastRow = min(rows - 1, Int((y + reach / up).rounded(.down)))
    guard firstColumn <= lastColumn, firstRow <= lastRow else { return }
    for row in firstRow...lastRow {
      for column in firstColumn...lastColumn {
        let (cx, cy) = (x - Double(column), y - Double(row))
        let cell = row * columns + column
        let (nearX, nearY) = (max(-cx, cx - 1, 0) * across, max(-cy, cy - 1, 0) * up)
        if nearX * nearX + nearY * nearY > reach * reach { continue }
        let (farX, farY) = (max(cx, 1 - cx) * across * 1.02, max(cy, 1 - cy) * up * 1.02)
        if inner > 0, farX * farX + farY * farY < inner * inner * 0.999 {
          cover(cell, outline)
          continue
        }
        add(ContainmentGrid.head(outline, .circle), in: cell) { words in
          for number in [cx, cy, circle.radius] { words.append(Float(number).bitPattern) }
        }
      }
    }
  }

  private mutating func ask(_ entry: OutlineIndex.Entry, _ outline: Int32, _ scale: GridScale) {
    let frame = GridFrame(scale: scale, u: u, v: v, perTile: (Double(columns), Double(rows)))
    frame.classify(entry, columns: 0..<columns, rows: 0..<rows) { columns, rows, isInside in
      for row in rows {
        for column in columns {
          let cell = row * self.columns + column
          if isInside == true { cover(cell, outline) } else { ask(outline, in: cell) }
        }
      }
    }
  }

  mutating func ask(_ outline: Int32, in cell: Int) {
    items.append(Item(cell: Int32(cell), head: ContainmentGrid.head(outline, .ask)))
  }

  mutating func cover(_ cell: Int, _ outline: Int32) {
    items.append(Item(cell: Int32(cell), head: ContainmentGrid.head(outline, .cover)))
  }

  /// - Parameter body: writes what follows the head.
  @inline(__always) mutating func add(_ head: UInt32, in cell: Int, _ body: (inout [UInt32]) -> Void) {
    let first = words.count
    body(&words)
    items.append(
      Item(cell: Int32(cell), head: head, first: Int32(first), count: Int32(words.count - first)))
  }

  // MARK: Writing

  private mutating func write(into grid: inout ContainmentGrid.Draft, _ shared: inout InternedContents) {
    let count = columns * rows
    let order = Self.order(items.count, cells: count, &starts) { Int(items[$0].cell) }
    let first = grid.cells.count
    for cell in 0..<count {
      let items = order[Int(starts[cell])..<Int(starts[cell + 1])]
      grid.cells.append(items.isEmpty ? 0 : append(items, to: &grid.words, &shared))
    }
    grid.tiles.append(
      ContainmentGrid.Tile(
        firstCell: UInt32(first), columns: UInt16(columns), rows: UInt16(rows),
        band: Float(band / unit * 16_384).nextUp))
  }

  /// Appends a cell's content. An outline of several parts may come more than once; if a part covers the
  /// cell, its other items are left out.
  /// - Returns: the offset of the content.
  private mutating func append(
    _ order: ArraySlice<Int32>, to out: inout [UInt32], _ shared: inout InternedContents
  ) -> UInt32 {
    heads.removeAll(keepingCapacity: true)
    for number in order where items[Int(number)].isCover {
      let head = items[Int(number)].head
      if heads.last != head { heads.append(head) }
    }
    let covers = heads.count
    others.removeAll(keepingCapacity: true)
    var isShort = true
    if covers < order.count {
      var cover = 0
      for number in order where !items[Int(number)].isCover {
        let item = items[Int(number)]
        while cover < covers, heads[cover] < item.outline { cover += 1 }
        if cover < covers, heads[cover] == item.outline { continue }
        let isAgain = others.last.map { items[Int($0)].outline == item.outline } ?? false
        heads.append(item.head | (isAgain ? ContainmentGrid.againBit : 0))
        others.append(number)
        if item.count > 0 { isShort = false }
      }
    }
    if isShort { return shared.offset(of: heads, covers: covers, in: &out) }
    let offset = out.count
    ContainmentGrid.writeCounts(covers, others.count, to: &out)
    out.append(contentsOf: heads[..<covers])
    for (head, number) in zip(heads[covers...], others) {
      let item = items[Int(number)]
      out.append(head)
      out.append(contentsOf: words[Int(item.first)..<Int(item.first + item.count)])
    }
    return UInt32(offset)
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

extension OutlineIndex.Entry {
  /// The approximate size, with the growth by a negative inset: a small outline can be grown round half the
  /// earth.
  fileprivate var extentMetres: Double {
    let box = outline.box
    let diagonal = (box.maxX - box.minX) + (box.maxY - box.minY) + (box.maxZ - box.minZ)
    return (box.isEmpty ? 0 : diagonal / 2) + 2 * max(0, -inset.metres)
  }
}
