/// The order in which boxes fill the nodes of a tree, eight to a node, so that neighbours share nodes.
///
/// Halves along the longest side again and again, at multiples of the nodes' size. The same for the same boxes on
/// every machine.
func spatialOrder(of count: Int, box: (Int) -> Box) -> [Int] {
  var items: [SpatialItem] = []
  items.reserveCapacity(count)
  for index in 0..<count {
    let box = box(index)
    items.append(
      SpatialItem(center: box.isEmpty ? Cartesian(x: 0, y: 0, z: 0) : box.center, number: index))
  }
  items.withUnsafeMutableBufferPointer { items in
    var open = [0..<count]
    while let range = open.popLast() {
      guard range.count > BoundaryTree.fanOut else { continue }
      var box = Box()
      for index in range { box.include(items[index].center) }
      let (x, y, z) = (box.maxX - box.minX, box.maxY - box.minY, box.maxZ - box.minZ)
      var size = BoundaryTree.fanOut
      while size * BoundaryTree.fanOut < range.count { size *= BoundaryTree.fanOut }
      let nodes = (range.count + size - 1) / size
      let middle = range.lowerBound + nodes / 2 * size
      let axis = x >= y && x >= z ? 0 : (y >= z ? 1 : 2)
      for index in range { items[index].key = items[index].along(axis) }
      select(middle, in: items, range)
      open.append(range.lowerBound..<middle)
      open.append(middle..<range.upperBound)
    }
  }
  return items.map { $0.number }
}

private struct SpatialItem {
  let center: Cartesian
  let number: Int
  var key = 0.0

  @inline(__always) func along(_ axis: Int) -> Double {
    axis == 0 ? center.x : axis == 1 ? center.y : center.z
  }

  /// No two are equal.
  @inline(__always) func isBefore(_ other: Self) -> Bool {
    key != other.key ? key < other.key : number < other.number
  }
}

/// Moves the lesser items before `middle` and the others after it (C. A. R. Hoare's "Find", 1961).
private func select(_ middle: Int, in items: UnsafeMutableBufferPointer<SpatialItem>, _ range: Range<Int>) {
  var (low, high) = (range.lowerBound, range.upperBound - 1)
  while low < high {
    // The median of three, so that sorted items take no longer.
    let center = low + (high - low) / 2
    if items[center].isBefore(items[low]) { items.swapAt(center, low) }
    if items[high].isBefore(items[low]) { items.swapAt(high, low) }
    if items[high].isBefore(items[center]) { items.swapAt(high, center) }
    let pivot = items[center]
    var (left, right) = (low, high)
    while left <= right {
      while items[left].isBefore(pivot) { left += 1 }
      while pivot.isBefore(items[right]) { right -= 1 }
      if left <= right {
        items.swapAt(left, right)
        left += 1
        right -= 1
      }
    }
    if middle <= right {
      high = right
    } else if middle >= left {
      low = left
    } else {
      return
    }
  }
}
