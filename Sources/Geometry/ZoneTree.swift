/// A packed tree of boxes: eight to a node, all levels in one array, the top last.
struct ZoneTree: Sendable {
  private struct Node: Sendable {
    let box: Box
    /// Of the children, or the one zone.
    let first: Int32
    /// Zero for a zone.
    let count: Int32
  }
  private let nodes: [Node]

  /// - Parameter box: of a zone, by its name.
  init(_ zones: [Int32], box: (Int32) -> Box) {
    var nodes: [Node] = []
    var level = spatialOrder(of: zones.count) { box(zones[$0]) }.map {
      Node(box: box(zones[$0]), first: zones[$0], count: 0)
    }
    while level.count > 1 {
      var above: [Node] = []
      var start = 0
      while start < level.count {
        let end = min(start + BoundaryTree.fanOut, level.count)
        var sum = Box()
        for child in start..<end { sum.include(level[child].box) }
        above.append(Node(box: sum, first: Int32(nodes.count), count: Int32(end - start)))
        nodes.append(contentsOf: level[start..<end])
        start = end
      }
      level = above
    }
    nodes.append(contentsOf: level)
    self.nodes = nodes
  }

  /// Calls `body` with every zone whose box is not farther than `distance` from `place`, through the earth.
  func visit(within distance: Double, of place: Cartesian, _ body: (Int) -> Void) {
    guard let top = nodes.last, top.box.squaredDistance(to: place) <= distance * distance else { return }
    visit(top, distance * distance, place, body)
  }

  private func visit(_ node: Node, _ square: Double, _ place: Cartesian, _ body: (Int) -> Void) {
    if node.count == 0 {
      body(Int(node.first))
      return
    }
    for child in Int(node.first)..<Int(node.first + node.count)
    where nodes[child].box.squaredDistance(to: place) <= square {
      visit(nodes[child], square, place, body)
    }
  }

  /// Calls `body` with zones by the distance of their boxes, nearest first, those at the same distance in no order,
  /// until the next box is farther than `reach`.
  func visitNearestFirst(from place: Cartesian, _ body: (Int) -> Void, reach: () -> Double) {
    guard let top = nodes.last else { return }
    var open = BinaryHeap<Int32>()
    open.push(Int32(nodes.count - 1), key: -top.box.squaredDistance(to: place).squareRoot())
    while let (index, key) = open.pop() {
      // A zone whose box holds the place may be nearer than its box: its distance may be negative.
      guard key == 0 || -key <= Chord.upTo(ground: reach()) else { return }
      let node = nodes[Int(index)]
      if node.count == 0 {
        body(Int(node.first))
        continue
      }
      for child in Int(node.first)..<Int(node.first + node.count) {
        open.push(Int32(child), key: -nodes[child].box.squaredDistance(to: place).squareRoot())
      }
    }
  }
}
