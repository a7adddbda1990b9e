/// A tree of boxes in which the nearest boundaries are looked for.
struct BoundaryBoxes: Sendable {
  struct Node: Sendable {
    /// The boxes come first, and in them the six sides, one after another: `away` reads them as 48 numbers.
    var boxes: BoxTree.Node
    /// Children that are circles as large as their boxes, a bit for each.
    var circles: UInt32 = 0
    /// The outline of all that is below, or -1.
    var outline: Int32 = -1
  }
  private let nodes: [Node]

  /// - Parameters:
  ///   - groups: items of one outline each that are to lie under a node of their own.
  ///   - isCircle: whether an item is a circle as large as its box, by its name.
  init(
    _ items: [BoxTree.Item], groups: [(outline: Int32, items: [BoxTree.Item])] = [],
    isCircle: (Int32) -> Bool
  ) {
    var boxes: [BoxTree.Node] = []
    var outlines: [Int32] = []
    var top = items
    for group in groups {
      if let root = BoxTree.pack(group.items, into: &boxes) { top.append(root) }
      outlines += repeatElement(group.outline, count: boxes.count - outlines.count)
    }
    _ = BoxTree.pack(top, into: &boxes)
    outlines += repeatElement(-1, count: boxes.count - outlines.count)
    nodes = zip(boxes, outlines).map { boxes, outline in
      var node = Node(boxes: boxes, outline: outline)
      for lane in 0..<boxes.count where boxes.children[lane] < 0 && isCircle(~boxes.children[lane]) {
        node.circles |= 1 << UInt32(lane)
      }
      return node
    }
  }

  private init(nodes: [Node]) { self.nodes = nodes }
}

extension BoundaryBoxes.Node {
  /// The squares of what the distance from a place to the boundary of each child is at least, less what
  /// ``BoxTree/rounding`` stands for: eight of them, each with the number of its lane in its last three bits.
  ///
  /// A circle's boundary is found from its box, inside and out.
  /// - Parameter node: where it lies; a function that is not inlined would be given a copy.
  @inline(never) static func keys(
    of node: UnsafePointer<BoundaryBoxes.Node>, to place: SIMD3<Float>
  ) -> SIMD8<Float> {
    let (x, y, z) = (place.x, place.y, place.z)
    let numbers = UnsafeRawPointer(node)
    // Lane by lane, into memory that nobody else sees: the compiler makes four lanes at once of it, with one instruction for
    // each maximum. Of whole vectors it makes a comparison and three instructions to choose.
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: 8) { keys in
      let keys = keys.baseAddress!
      for lane in 0..<8 {
        let dx = away(x, numbers, lane, 0)
        let dy = away(y, numbers, lane, 1)
        let dz = away(z, numbers, lane, 2)
        keys[lane] = named(dx * dx + dy * dy + dz * dz, lane)
      }
      return UnsafeRawPointer(keys).loadUnaligned(as: SIMD8<Float>.self)
    }
  }

  /// Reads something of each line of memory of a node.
  @inline(__always) static func fetch(_ node: UnsafePointer<BoundaryBoxes.Node>) -> UInt32 {
    let words = UnsafeRawPointer(node)
    return words.load(as: UInt32.self) ^ words.load(fromByteOffset: 64, as: UInt32.self)
      ^ words.load(fromByteOffset: 128, as: UInt32.self) ^ words.load(fromByteOffset: 192, as: UInt32.self)
  }

  /// The same where some are circles.
  @inline(never) static func keysOfCircles(
    of node: UnsafePointer<BoundaryBoxes.Node>, to place: SIMD3<Float>
  ) -> SIMD8<Float> {
    var keys = keys(of: node, to: place)
    let squares = squaresOfCircles(node, place)
    for lane in 0..<8 where node.pointee.circles & 1 << UInt32(lane) != 0 {
      keys[lane] = named(squares[lane], lane)
    }
    return keys
  }

  /// How far a number is from between the least and the greatest of a lane; the boxes are the first of a node.
  @inline(__always) private static func away(
    _ number: Float, _ node: UnsafeRawPointer, _ lane: Int, _ axis: Int
  ) -> Float {
    let offset = axis &* 32 &+ lane &* 4
    let below = node.load(fromByteOffset: offset, as: Float.self) - number
    let above = number - node.load(fromByteOffset: offset &+ 96, as: Float.self)
    let beside = below > above ? below : above
    return beside > 0 ? beside : 0
  }

  @inline(__always) private static func named(_ square: Float, _ lane: Int) -> Float {
    Float(bitPattern: square.bitPattern & ~7 | UInt32(truncatingIfNeeded: lane))
  }

  @inline(__always) private static func squaresOfCircles(
    _ node: UnsafePointer<BoundaryBoxes.Node>, _ place: SIMD3<Float>
  ) -> SIMD8<Float> {
    let (minX, minY, minZ) = (node.pointee.boxes.minX, node.pointee.boxes.minY, node.pointee.boxes.minZ)
    let (maxX, maxY, maxZ) = (node.pointee.boxes.maxX, node.pointee.boxes.maxY, node.pointee.boxes.maxZ)
    let half = (maxX - minX) * 0.5
    let x = (minX + maxX) * 0.5 - place.x
    let y = (minY + maxY) * 0.5 - place.y
    let z = (minZ + maxZ) * 0.5 - place.z
    let chord = (x * x + y * y + z * z).squareRoot()
    // Over the ground it is no longer than this: up to 100 km, and up to half way round the earth.
    let ground = (chord * 1.6).replacing(with: chord * 1.000_012, where: chord .< 100_000)
    let (outside, inside) = (chord - half, half - ground)
    let beside = outside.replacing(with: inside, where: inside .> outside)
    // The middle and the half side are known to two metres.
    let least = beside - (chord + half) * BoxTree.relative - 1
    let positive = least.replacing(with: 0, where: least .< 0)
    return positive * positive
  }
}

extension SIMD8<Float> {
  /// The least of eight numbers.
  @inline(__always) var least: Float {
    let (low, high) = (lowHalf, highHalf)
    var four = low
    for lane in 0..<4 { four[lane] = high[lane] < low[lane] ? high[lane] : low[lane] }
    let (left, right) = (four.lowHalf, four.highHalf)
    var two = left
    for lane in 0..<2 { two[lane] = right[lane] < left[lane] ? right[lane] : left[lane] }
    return two.x < two.y ? two.x : two.y
  }
}

extension BoundaryBoxes {
  /// Farther than anything on the earth, metres.
  private static let beyond: Float = 1e8

  /// Of squares of distances: while nothing is found all is in reach, and little of it will be looked into.
  private static let beyondAll = beyond * beyond

  /// Levels: 2³¹ outlines make eleven, 2³⁰ chunks of one ten more.
  private static let mostLevels = 22

  /// Calls `body` with the names of items whose boundary may be no farther than `reach`, through the earth.
  ///
  /// Of eight the nearest is looked into, then the next of those that are left: most are out of reach when their turn comes,
  /// so that to sort them, or a heap of all, would cost more than it spares.
  ///
  /// What may be looked into next is read as soon as its boxes are known, so that the memory of all of it is waited for at
  /// once: the wait is two thirds of the time of an item in an index of hundreds of thousands.
  /// - Parameters:
  ///   - isDone: whether nothing of an outline can count any more that is at least so far away.
  ///   - fetch: reads something of each line of memory of an item that may follow.
  /// - Returns: what was read, put together: whoever calls it has to use it, or the compiler leaves the reading out.
  @inline(__always) func visitBoundaries(
    from place: Cartesian, isDone: (Int, Float) -> Bool, fetch: (Int32) -> UInt32, _ body: (Int32) -> Void,
    reach: () -> Float
  ) -> UInt32 {
    guard !nodes.isEmpty else { return 0 }
    let place = BoxTree.place(place)
    var fetched: UInt32 = 0
    nodes.withUnsafeBufferPointer { nodes in
      withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: Self.mostLevels) { keys in
        // With the boxes, so that nothing is waited for when a child is chosen.
        withUnsafeTemporaryAllocation(of: SIMD8<Int32>.self, capacity: Self.mostLevels) { children in
          let keys = UnsafeMutableRawPointer(keys.baseAddress!)
          let children = UnsafeMutableRawPointer(children.baseAddress!)
          var limit = BoxTree.reach(Double(min(reach(), Self.beyond)))
          var level = -1
          var node = nodes.baseAddress! + (nodes.count - 1)
          while true {
            level &+= 1
            children.storeBytes(
              of: node.pointee.boxes.children, toByteOffset: level &* 32, as: SIMD8<Int32>.self)
            let found =
              node.pointee.circles == 0
              ? Node.keys(of: node, to: place) : Node.keysOfCircles(of: node, to: place)
            keys.storeBytes(of: found, toByteOffset: level &* 32, as: SIMD8<Float>.self)
            if limit < Self.beyondAll {
              for lane in 0..<8 where found[lane] <= limit {
                let child = node.pointee.boxes.children[lane]
                fetched ^= child < 0 ? fetch(~child) : Node.fetch(nodes.baseAddress! + Int(child))
              }
            }
            var child: Int32 = -1
            while child < 0 {
              let key = keys.load(fromByteOffset: level &* 32, as: SIMD8<Float>.self).least
              guard key <= limit else {
                guard level > 0 else { return }
                level &-= 1
                continue
              }
              let lane = Int(key.bitPattern & 7)
              keys.storeBytes(
                of: .greatestFiniteMagnitude, toByteOffset: level &* 32 &+ lane &* 4, as: Float.self)
              child = children.load(fromByteOffset: level &* 32 &+ lane &* 4, as: Int32.self)
              if child < 0 {
                body(~child)
                limit = BoxTree.reach(Double(min(reach(), Self.beyond)))
              } else {
                node = nodes.baseAddress! + Int(child)
                let outline = node.pointee.outline
                if outline >= 0, isDone(Int(outline), Float(max(0, BoxTree.least(key)))) { child = -1 }
              }
            }
          }
        }
      }
    }
    return fetched
  }

  /// Renames the items.
  /// - Parameter name: of an item with the name that it had; in the order in which they lie.
  func renamed(_ name: (Int32) -> Int32) -> BoundaryBoxes {
    var nodes = nodes
    for number in nodes.indices {
      let boxes = nodes[number].boxes
      for lane in 0..<boxes.count where boxes.children[lane] < 0 {
        nodes[number].boxes.children[lane] = ~name(~boxes.children[lane])
      }
    }
    return BoundaryBoxes(nodes: nodes)
  }
}
