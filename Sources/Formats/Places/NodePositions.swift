/// The positions of the wanted nodes of a file; 20 bytes per node.
struct NodePositions {
  /// The wanted ids, ascending and unique.
  private let ids: [Int64]
  private var points: [OSMPoint?]
  /// The index of the next expected node: files are mostly sorted by id.
  private var cursor = 0

  init(_ wanted: [Int64]) {
    var ids = wanted
    ids.sort()
    var count = 0
    for id in ids where count == 0 || ids[count - 1] != id {
      ids[count] = id
      count += 1
    }
    ids.removeSubrange(count...)
    self.ids = ids
    points = [OSMPoint?](repeating: nil, count: count)
  }

  subscript(_ id: Int64) -> OSMPoint? {
    let index = Self.firstNotBelow(id, in: ids)
    return index < ids.count && ids[index] == id ? points[index] : nil
  }

  /// Stores the position of a wanted node and ignores other nodes, in constant time if the file is sorted.
  mutating func set(_ id: Int64, to point: OSMPoint) {
    if !isFirstNotBelow(cursor, id) {
      cursor =
        cursor < ids.count && isFirstNotBelow(cursor + 1, id) ? cursor + 1 : Self.firstNotBelow(id, in: ids)
    }
    if cursor < ids.count, ids[cursor] == id { points[cursor] = point }
  }

  private func isFirstNotBelow(_ index: Int, _ id: Int64) -> Bool {
    (index == ids.count || ids[index] >= id) && (index == 0 || ids[index - 1] < id)
  }

  private static func firstNotBelow(_ id: Int64, in ids: [Int64]) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
