extension GridBuilder {
  /// Lays out the tiles, one after another; not those at the poles (see ``GridScale/isPolar(_:)``).
  mutating func grid(density: Double) -> ContainmentGrid {
    lineTiles = max(1, Set(patches.lazy.filter { $0.kind != .cover }.map { $0.tile }).count)
    var grid = ContainmentGrid.Draft()
    var order: [UInt64] = []
    order.reserveCapacity(patches.count)
    let polar = (scale.columns, (scale.rows - 1) * scale.columns)
    for (index, patch) in patches.enumerated() where patch.tile >= polar.0 && patch.tile < polar.1 {
      order.append(UInt64(patch.tile) << 32 | UInt64(index))
    }
    order.sort()
    var entries: [(column: Int, row: Int, value: Int32)] = []
    var cells = TileCells()
    var strips = CellRasterizer()
    var shared = InternedContents()
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
        let heads = covers(patches)
        entries.append((column, row, -Int32(shared.offset(of: heads, covers: heads.count, in: &grid.words))))
      } else {
        cells.lay(
          patches, row: row, column: column, builder: self, density: density, &strips, &shared, into: &grid)
        entries.append((column, row, Int32(grid.tiles.count)))
      }
    }
    if circles.isEmpty { grid.circleScales = [] }
    return ContainmentGrid(grid, TileDirectory(entries), scale: scale)
  }

  /// Returns the heads of the outlines that cover a tile, each once.
  private func covers(_ patches: [Patch]) -> [UInt32] {
    var heads: [UInt32] = []
    for patch in patches {
      let head = ContainmentGrid.head(patch.outline, .cover)
      if heads.last != head { heads.append(head) }
    }
    return heads
  }
}
