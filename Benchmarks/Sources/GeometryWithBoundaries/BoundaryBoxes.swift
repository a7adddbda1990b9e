/// A tree of boxes, to search for the nearest boundaries.
struct BoundaryBoxes: Sendable {
  struct Node: Sendable {
    /// Must be the first field. It begins with the six sides of the boxes, which `away` reads as 48 numbers.
    var boxes: BoxTree.Node
    /// A bit for each child that is a circle inscribed in its box.
    var circles: UInt32 = 0
    /// The outline to which all items below this node belong, or -1 if they belong to several.
    var outline: Int32 = -1
  }
  private let nodes: [Node]

  /// - Parameters:
  ///   - groups: the items of one outline each, which get a node of their own.
  ///   - isCircle: returns true if the item with this name is a circle inscribed in its box.
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
  /// Returns, for each of the eight children, the square of a lower bound of the distance from a place to the
  /// child's box, with the lane's number in the last three bits. ``BoxTree/rounding`` is not subtracted yet.
  /// - Parameter node: a pointer, because a function that is not inlined would be given a copy.
  @inline(never) static func keys(
    of node: UnsafePointer<BoundaryBoxes.Node>, to place: SIMD3<Float>
  ) -> SIMD8<Float> {
    let (x, y, z) = (place.x, place.y, place.z)
    let numbers = UnsafeRawPointer(node)
    // A loop over lanes that writes to memory without aliases: the compiler vectorizes it four lanes at a
    // time, with one instruction for each maximum. With SIMD types it would emit a comparison and three
    // instructions to select.
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

  /// Reads one word of each cache line of a node, to bring the node into the cache.
  @inline(__always) static func fetch(_ node: UnsafePointer<BoundaryBoxes.Node>) -> UInt32 {
    let words = UnsafeRawPointer(node)
    return words.load(as: UInt32.self) ^ words.load(fromByteOffset: 64, as: UInt32.self)
      ^ words.load(fromByteOffset: 128, as: UInt32.self) ^ words.load(fromByteOffset: 192, as: UInt32.self)
  }

  /// Returns the keys of a node with circles among its children. For a circle the bound is that of the
  /// distance to its boundary, from inside or outside.
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

  /// Returns the distance from a number to the interval of one lane and axis; 0 in the interval. The boxes
  /// are at the start of the node.
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
    // An upper bound of the distance over the ground: for chords up to 100 km, and for all others.
    let ground = (chord * 1.6).replacing(with: chord * 1.000_012, where: chord .< 100_000)
    let (outside, inside) = (chord - half, half - ground)
    let beside = outside.replacing(with: inside, where: inside .> outside)
    // The centre and the half side are known to two metres.
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

  /// The limit of squared distances until something is found. Under this limit everything is in reach, and
  /// nothing is prefetched, since the search visits little of it.
  private static let beyondAll = beyond * beyond

  /// The greatest number of levels: eleven for 2³¹ outlines, ten more for 2³⁰ chunks of one outline.
  private static let mostLevels = 22

  /// Calls `body` with the names of the items whose boundary may be within `reach`, in metres through the
  /// earth.
  ///
  /// The nearest of a node's eight children is visited first, then the nearest of the others. By their turn
  /// most are out of reach, so that sorting them, or one heap for all nodes, would cost more than it saves.
  ///
  /// Children that may be visited are prefetched as soon as their boxes are known, so that their cache misses
  /// overlap. The misses are two thirds of the time of an item in an index of hundreds of thousands.
  /// - Parameters:
  ///   - isDone: returns true if no part of an outline at this distance or farther can be in the result.
  ///   - fetch: reads one word of each cache line of an item that may be visited.
  /// - Returns: the exclusive or of all prefetched words. The caller has to use it, or the compiler removes
  ///   the reads.
  @inline(__always) func visitBoundaries(
    from place: Cartesian, isDone: (Int, Float) -> Bool, fetch: (Int32) -> UInt32, _ body: (Int32) -> Void,
    reach: () -> Float
  ) -> UInt32 {
    guard !nodes.isEmpty else { return 0 }
    let place = BoxTree.place(place)
    var fetched: UInt32 = 0
    nodes.withUnsafeBufferPointer { nodes in
      withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: Self.mostLevels) { keys in
        // The children are stored beside the keys, so that choosing a child does not read the node again.
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
  /// - Parameter name: returns the new name for an old one. It is called in the order of the items in memory.
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
