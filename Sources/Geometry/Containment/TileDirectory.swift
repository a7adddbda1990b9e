/// Where a tile is found by its column and row: a table of the rectangle that holds all tiles, or, where they lie far
/// apart, a hash table.
///
/// An entry is 0 for nothing, a tile's number plus one, or, negative, the content shared by all places of the tile.
struct TileDirectory: Sendable {
  private(set) var firstColumn: Int32 = 0
  private(set) var firstRow: Int32 = 0
  /// The columns and rows of the table; 0 for a hash table.
  private(set) var columns: Int32 = 0
  private(set) var rows: Int32 = 0
  private(set) var table: [Int32] = [0]
  /// The keys of a hash table, as many as a power of two: `column << 16 | row`, -1 in empty slots.
  private(set) var keys: [Int32] = []

  init() {}

  init(_ entries: [(column: Int, row: Int, value: Int32)]) {
    guard let first = entries.first else { return }
    var (west, east, south, north) = (first.column, first.column, first.row, first.row)
    for entry in entries {
      (west, east) = (min(west, entry.column), max(east, entry.column))
      (south, north) = (min(south, entry.row), max(north, entry.row))
    }
    let area = (east - west + 1) * (north - south + 1)
    firstColumn = Int32(west)
    firstRow = Int32(south)
    if area <= max(4096, 64 * entries.count) {
      columns = Int32(east - west + 1)
      rows = Int32(north - south + 1)
      table = [Int32](repeating: 0, count: area)
      for entry in entries {
        table[(entry.row - south) * Int(columns) + entry.column - west] = entry.value
      }
      return
    }
    var slots = 16
    while slots < 2 * entries.count { slots *= 2 }
    keys = [Int32](repeating: -1, count: slots)
    table = [Int32](repeating: 0, count: slots)
    for entry in entries {
      let key = Int32(entry.column) << 16 | Int32(entry.row)
      var slot = Self.slot(key, mask: slots - 1)
      while keys[slot] != -1 { slot = (slot + 1) & (slots - 1) }
      keys[slot] = key
      table[slot] = entry.value
    }
  }

  var size: Int { (table.count + keys.count) * 4 }

  @inline(__always) static func slot(_ key: Int32, mask: Int) -> Int {
    Int(truncatingIfNeeded: UInt32(bitPattern: key) &* 0x9e37_79b1 >> 8) & mask
  }
}
