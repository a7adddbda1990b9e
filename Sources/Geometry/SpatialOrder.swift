/// The order in which boxes fill the nodes of a tree, eight to a node, so that neighbours share nodes.
///
/// Halves along the longest side again and again, at multiples of the nodes' size. The same for the same boxes on
/// every machine; equal places keep their order.
func spatialOrder(of count: Int, box: (Int) -> Box) -> [Int] {
  var centers: [Cartesian] = []
  centers.reserveCapacity(count)
  for index in 0..<count {
    let box = box(index)
    centers.append(box.isEmpty ? Cartesian(x: 0, y: 0, z: 0) : box.center)
  }
  var order = Array(0..<count)
  var open = [0..<count]
  while let range = open.popLast() {
    guard range.count > BoundaryTree.fanOut else { continue }
    var box = Box()
    for index in range { box.include(centers[order[index]]) }
    let (x, y, z) = (box.maxX - box.minX, box.maxY - box.minY, box.maxZ - box.minZ)
    order[range].sort { a, b in
      let (p, q) = (centers[a], centers[b])
      let (u, v) = x >= y && x >= z ? (p.x, q.x) : (y >= z ? (p.y, q.y) : (p.z, q.z))
      return u != v ? u < v : a < b
    }
    var size = BoundaryTree.fanOut
    while size * BoundaryTree.fanOut < range.count { size *= BoundaryTree.fanOut }
    let nodes = (range.count + size - 1) / size
    let middle = range.lowerBound + nodes / 2 * size
    open.append(range.lowerBound..<middle)
    open.append(middle..<range.upperBound)
  }
  return order
}
