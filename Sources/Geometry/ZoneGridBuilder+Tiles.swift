extension ZoneGridBuilder {
  /// Lays out the tiles, one after another; not those at the poles (see ``GridScale/isPolar(_:)``).
  mutating func grid(density: Double) -> ZoneGrid {
    lineTiles = max(1, Set(patches.lazy.filter { $0.kind != .cover }.map { $0.tile }).count)
    var grid = ZoneGrid(scale: scale)
    var order: [UInt64] = []
    order.reserveCapacity(patches.count)
    let polar = (scale.columns, (scale.rows - 1) * scale.columns)
    for (index, patch) in patches.enumerated() where patch.tile >= polar.0 && patch.tile < polar.1 {
      order.append(UInt64(patch.tile) << 32 | UInt64(index))
    }
    order.sort()
    var entries: [(column: Int, row: Int, value: Int32)] = []
    var cells = TileCells()
    var strips = CellStrips()
    var shared = SharedContent()
    var start = 0
    while start < order.count {
      let tile = Int(order[start] >> 32)
      var end = start
      var isCovered = true
      while end < order.count, Int(order[end] >> 32) == tile {
        if patches[Int(order[end] & 0xffff_ffff)].kind != .cover { isCovered = false }
        end += 1
      }
      let patches = order[start..<end].map { self.patches[Int($0 & 0xffff_ffff)] }
      let (row, column) = (tile / scale.columns, tile % scale.columns)
      start = end
      if isCovered {
        entries.append((column, row, -Int32(shared.offset(of: patches, in: &grid))))
      } else {
        cells.lay(patches, row: row, column: column, builder: self, density: density, &strips, into: &grid)
        entries.append((column, row, Int32(grid.tiles.count)))
      }
    }
    grid.directory = TileDirectory(entries)
    grid.cells = grid.cells.trimmed
    grid.words = grid.words.trimmed
    grid.tiles = grid.tiles.trimmed
    return grid
  }
}

/// Contents of tiles that are the same everywhere in the tile, each kept once while it comes again.
private struct SharedContent {
  private var last: [UInt32] = []
  private var lastOffset = 0

  mutating func offset(of patches: [ZoneGridBuilder.Patch], in grid: inout ZoneGrid) -> Int {
    var covers: [UInt32] = []
    for patch in patches where patch.kind == .cover && covers.last != UInt32(patch.zone) {
      covers.append(UInt32(patch.zone))
    }
    var asked: [UInt32] = []
    for patch in patches where patch.kind != .cover && asked.last != UInt32(patch.zone) {
      asked.append(UInt32(patch.zone))
    }
    var content = [UInt32(covers.count), UInt32(asked.count)] + covers
    for zone in asked { content.append(zone | ZoneGrid.RecordKind.ask.rawValue << ZoneGrid.kindShift) }
    if content == last { return lastOffset }
    lastOffset = grid.words.count
    grid.words.append(contentsOf: content)
    last = content
    return lastOffset
  }
}

extension Array {
  /// The same without room for more.
  fileprivate var trimmed: Self {
    var copy: Self = []
    copy.reserveCapacity(count)
    copy.append(contentsOf: self)
    return copy
  }
}
