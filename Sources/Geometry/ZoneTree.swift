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
  @inline(__always) func visit(within distance: Double, of place: Cartesian, _ body: (Int) -> Void) {
    let square = distance * distance
    guard let top = nodes.last, top.box.squaredDistance(to: place) <= square else { return }
    // One loop instead of a function that calls itself: what `body` holds is then not copied from level to level.
    nodes.withUnsafeBufferPointer { nodes in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.mostOpen) { open in
        open[0] = Int32(nodes.count - 1)
        var count = 1
        while count > 0 {
          count &-= 1
          let node = nodes[Int(open[count])]
          if node.count == 0 {
            body(Int(node.first))
            continue
          }
          for child in Int(node.first)..<Int(node.first + node.count)
          where nodes[child].box.squaredDistance(to: place) <= square {
            open[count] = Int32(child)
            count &+= 1
          }
        }
      }
    }
  }

  /// Brings `clear` down to the least bound of any zone's distance; once that is `least` or less, no further.
  ///
  /// - Parameter bound: what a zone's distance is at least, given the distance of its box, which is -infinity for a
  ///   place in the box.
  @inline(__always) func narrow(
    _ clear: inout Double, around place: Cartesian, downTo least: Double, bound: (Int, Double) -> Double
  ) {
    guard !nodes.isEmpty else { return }
    var nearest = clear
    nodes.withUnsafeBufferPointer { nodes in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.mostOpen) { open in
        open[0] = Int32(nodes.count - 1)
        var count = 1
        while count > 0, nearest > least {
          count &-= 1
          let node = nodes[Int(open[count])]
          let square = node.box.squaredDistance(to: place)
          guard square < nearest * nearest else { continue }
          if node.count == 0 {
            nearest = min(nearest, bound(Int(node.first), square == 0 ? -.infinity : square.squareRoot()))
            continue
          }
          for child in Int(node.first)..<Int(node.first + node.count)
          where nodes[child].box.squaredDistance(to: place) < nearest * nearest {
            open[count] = Int32(child)
            count &+= 1
          }
        }
      }
    }
    clear = nearest
  }

  /// Nodes that wait while one of each level is looked into: 2³¹ zones make eleven levels.
  private static let mostOpen = 12 * BoundaryTree.fanOut

  /// Calls `body` with zones by a bound of their distance, nearest first, those of the same bound in no order, until the
  /// next bound is more than `reach`.
  ///
  /// - Parameter bound: what a zone's distance is at least, given the distance of its box, which is -infinity for a
  ///   place in the box.
  @inline(__always) func visitNearestFirst(
    from place: Cartesian, bound: (Int, Double) -> Double, _ body: (Int) -> Void, reach: () -> Double
  ) {
    guard !nodes.isEmpty else { return }
    var open = BinaryHeap<Int32>()
    open.push(Int32(nodes.count - 1), key: .infinity)
    while let (index, key) = open.pop() {
      guard -key <= reach() + Chord.rounding else { return }
      let node = nodes[Int(index)]
      if node.count == 0 {
        body(Int(node.first))
        continue
      }
      let farthest = reach() + Chord.rounding
      for child in Int(node.first)..<Int(node.first + node.count) {
        let square = nodes[child].box.squaredDistance(to: place)
        var least = square == 0 ? -Double.infinity : square.squareRoot()
        if nodes[child].count == 0 { least = bound(Int(nodes[child].first), least) }
        if least <= farthest { open.push(Int32(child), key: -least) }
      }
    }
  }
}
