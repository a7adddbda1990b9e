/// A packed tree of boxes: eight to a node, whose distances are found together; the top last.
///
/// Boxes are kept in single precision, rounded outwards: they only select the outlines to measure.
struct BoxTree: Sendable {
  struct Node: Sendable {
    // Bounds without a child are far out of reach, but finite, so that their squares can be compared.
    var minX = SIMD8<Float>(repeating: 1e9)
    var minY = SIMD8<Float>(repeating: 1e9)
    var minZ = SIMD8<Float>(repeating: 1e9)
    var maxX = SIMD8<Float>(repeating: -1e9)
    var maxY = SIMD8<Float>(repeating: -1e9)
    var maxZ = SIMD8<Float>(repeating: -1e9)
    /// Nodes, or, negative, the complements of outlines.
    var children = SIMD8<Int32>(repeating: 0)
    var count = 0

    mutating func add(_ item: Item) {
      let (box, child) = (item.box, item.child)
      minX[count] = Float(box.minX).nextDown
      minY[count] = Float(box.minY).nextDown
      minZ[count] = Float(box.minZ).nextDown
      maxX[count] = Float(box.maxX).nextUp
      maxY[count] = Float(box.maxY).nextUp
      maxZ[count] = Float(box.maxZ).nextUp
      children[count] = child
      count += 1
    }

    /// Returns the squared distances of the boxes from a place, square metres.
    @inline(__always) func squaredDistances(to place: SIMD3<Float>) -> SIMD8<Float> {
      let x = Self.away(minX - place.x, maxX - place.x)
      let y = Self.away(minY - place.y, maxY - place.y)
      let z = Self.away(minZ - place.z, maxZ - place.z)
      return x * x + y * y + z * z
    }

    /// Above the box, below it, or neither: the greater of zero and `low`, and of zero and `-high`.
    @inline(__always) static func away(_ low: SIMD8<Float>, _ high: SIMD8<Float>) -> SIMD8<Float> {
      (low + magnitude(low) + magnitude(high) - high) * 0.5
    }

    @inline(__always) static func magnitude(_ numbers: SIMD8<Float>) -> SIMD8<Float> {
      unsafeBitCast(unsafeBitCast(numbers, to: SIMD8<UInt32>.self) & 0x7fff_ffff, to: SIMD8<Float>.self)
    }
  }
  let nodes: [Node]

  /// An outline, or a node above some outlines.
  struct Item {
    let box: Box
    /// A node, or, negative, the complement of an outline.
    let child: Int32
  }

  /// The greatest error of a distance in single precision, metres, either way: places and differences are
  /// known to half a metre in each direction.
  static let rounding: Float = 3
  /// The greatest relative error of a sum of squares and of its root, with room.
  static let relative: Float = 1e-6

  init(_ items: [Item]) {
    var nodes: [Node] = []
    _ = Self.pack(items, into: &nodes)
    self.nodes = nodes
  }

  /// Stores the nodes above some items.
  /// - Returns: the one above them all, stored last.
  static func pack(_ items: [Item], into nodes: inout [Node]) -> Item? {
    var level = spatialOrder(of: items.count) { items[$0].box }.map { items[$0] }
    while level.count > 1 || (level.first?.child ?? 0) < 0 {
      var above: [Item] = []
      var start = 0
      while start < level.count {
        let end = min(start + BoundaryTree.fanOut, level.count)
        var node = Node()
        var sum = Box()
        for item in level[start..<end] {
          node.add(item)
          sum.include(item.box)
        }
        above.append(Item(box: sum, child: Int32(nodes.count)))
        nodes.append(node)
        start = end
      }
      level = above
    }
    return level.first
  }

  static func place(_ p: Cartesian) -> SIMD3<Float> { SIMD3(Float(p.x), Float(p.y), Float(p.z)) }

  /// Calls `body` with every outline whose box is not farther than `distance` from `place`, through the earth, and with some
  /// that are a few metres farther.
  @inline(__always) func visit(within distance: Double, of place: Cartesian, _ body: (Int) -> Void) {
    guard !nodes.isEmpty else { return }
    let place = Self.place(place)
    let square = Self.reach(distance)
    // One loop instead of a function that calls itself: what `body` holds is then not copied from level to level.
    nodes.withUnsafeBufferPointer { nodes in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.mostOpen) { open in
        open[0] = Int32(nodes.count - 1)
        var count = 1
        while count > 0 {
          count &-= 1
          let node = nodes.baseAddress! + Int(open[count])
          let squares = node.pointee.squaredDistances(to: place)
          for lane in 0..<node.pointee.count where squares[lane] <= square {
            let child = node.pointee.children[lane]
            if child < 0 {
              body(Int(~child))
            } else {
              open[count] = child
              count &+= 1
            }
          }
        }
      }
    }
  }

  /// Brings `clear` down to the least bound of any outline's distance; once that is `least` or less, no further.
  ///
  /// - Parameter bound: what an outline's distance is at least, given the distance of its box, which is -infinity for a
  ///   place in the box.
  @inline(__always) func narrow(
    _ clear: inout Double, around place: Cartesian, downTo least: Double, bound: (Int, Double) -> Double
  ) {
    guard !nodes.isEmpty else { return }
    let place = Self.place(place)
    var nearest = clear
    nodes.withUnsafeBufferPointer { nodes in
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.mostOpen) { open in
        open[0] = Int32(nodes.count - 1)
        var count = 1
        while count > 0, nearest > least {
          count &-= 1
          let node = nodes.baseAddress! + Int(open[count])
          let squares = node.pointee.squaredDistances(to: place)
          for lane in 0..<node.pointee.count where squares[lane] <= Self.reach(nearest) {
            let child = node.pointee.children[lane]
            if child < 0 {
              nearest = min(nearest, bound(Int(~child), Self.least(squares[lane])))
            } else {
              open[count] = child
              count &+= 1
            }
          }
        }
      }
    }
    clear = nearest
  }

  /// Nodes that wait while one of each level is looked into: 2³¹ outlines make eleven levels.
  private static let mostOpen = 12 * BoundaryTree.fanOut

  /// Calls `body` with outlines by a bound of their distance, nearest first, those of the same bound in no order, until the
  /// next bound is more than `reach`.
  ///
  /// - Parameter bound: what an outline's distance is at least, given the distance of its box, which is -infinity for a
  ///   place in the box.
  @inline(__always) func visitNearestFirst(
    from place: Cartesian, bound: (Int, Double) -> Double, _ body: (Int) -> Void, reach: () -> Double
  ) {
    guard !nodes.isEmpty else { return }
    let place = Self.place(place)
    nodes.withUnsafeBufferPointer { nodes in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: MinHeap.room) { room in
        var open = MinHeap(room)
        defer { open.end() }
        open.push(-.infinity, Int32(nodes.count - 1))
        while open.count > 0 {
          let (key, child) = open.pop()
          let farthest = reach() + Chord.rounding
          guard Double(key) <= farthest else { return }
          if child < 0 {
            body(Int(~child))
            continue
          }
          let node = nodes.baseAddress! + Int(child)
          let squares = node.pointee.squaredDistances(to: place)
          let limit = Self.reach(farthest)
          for lane in 0..<node.pointee.count where squares[lane] <= limit {
            let child = node.pointee.children[lane]
            var least = Self.least(squares[lane])
            if child < 0 { least = bound(Int(~child), least) }
            if least <= farthest { open.push(Float(least).nextDown, child) }
          }
        }
      }
    }
  }

  /// Returns a lower bound of the distance whose square was found; -infinity in the box.
  @inline(__always) static func least(_ square: Float) -> Double {
    let distance = square.squareRoot() * (1 - relative) - rounding
    return distance > 0 ? Double(distance) : -.infinity
  }

  /// Returns the square of a distance, with room for all rounding. A negative distance counts as 0, since a
  /// box has no negative distance.
  @inline(__always) static func reach(_ distance: Double) -> Float {
    let reach = Float(max(0, distance)) * (1 + relative) + rounding
    return reach * reach
  }
}
