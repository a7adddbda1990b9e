extension BoxTree.Node {
  /// What the distance from a place to the boundary of each child is at least, in metres, not less than zero.
  ///
  /// A circle's boundary is found from its box, inside and out.
  /// - Parameter node: where it lies; a function that is not inlined would be given a copy.
  @inline(__always) static func leastDistances(
    of node: UnsafePointer<BoxTree.Node>, to place: SIMD3<Float>
  ) -> SIMD8<Float> {
    let (minX, minY, minZ) = (node.pointee.minX, node.pointee.minY, node.pointee.minZ)
    let (maxX, maxY, maxZ) = (node.pointee.maxX, node.pointee.maxY, node.pointee.maxZ)
    let away = (
      x: away(minX - place.x, maxX - place.x), y: away(minY - place.y, maxY - place.y),
      z: away(minZ - place.z, maxZ - place.z)
    )
    let squares = away.x * away.x + away.y * away.y + away.z * away.z
    var least = squares.squareRoot() * (1 - BoxTree.relative) - BoxTree.rounding
    let circles = node.pointee.circles
    if circles != 0 {
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
      let bound = beside - (chord + half) * BoxTree.relative - (BoxTree.rounding + 1)
      let bits = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128) & circles
      least.replace(with: bound, where: bits .!= SIMD8<UInt32>.zero)
    }
    least.replace(with: SIMD8<Float>.zero, where: least .< SIMD8<Float>.zero)
    return least
  }
}

extension SIMD8<Float> {
  /// The least of eight numbers.
  @inline(__always) var least: Float {
    let four = Self.lesser(lowHalf, highHalf)
    let two = Self.lesser(four.lowHalf, four.highHalf)
    return two.x < two.y ? two.x : two.y
  }

  @inline(__always) private static func lesser(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    a.replacing(with: b, where: b .< a)
  }
  @inline(__always) private static func lesser(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
    a.replacing(with: b, where: b .< a)
  }
}

extension BoxTree {
  /// Farther than anything on the earth, metres.
  private static let beyond: Float = 1e9

  /// Levels: 2³¹ outlines make eleven, 2³⁰ chunks of one ten more.
  private static let mostLevels = 22

  /// What a number of a lane is at least, with the lane's own number in its last three bits.
  @inline(__always) private static func named(_ least: SIMD8<Float>) -> SIMD8<Float> {
    let finite = least.replacing(
      with: SIMD8<Float>(repeating: beyond), where: least .> SIMD8<Float>(repeating: beyond))
    let bits = unsafeBitCast(finite, to: SIMD8<UInt32>.self) & ~7
    return unsafeBitCast(bits | SIMD8<UInt32>(0, 1, 2, 3, 4, 5, 6, 7), to: SIMD8<Float>.self)
  }

  /// Calls `body` with the names of items whose boundary may be no farther than `reach`, through the earth, and with a bound
  /// of the distance.
  ///
  /// Of eight the nearest is looked into, then the next of those that are left: most are out of reach when their turn comes,
  /// so that to sort them, or a heap of all, would cost more than it spares.
  /// - Parameter isDone: whether nothing of an outline can count any more that is at least so far away.
  @inline(__always) func visitBoundaries(
    from place: Cartesian, isDone: (Int, Float) -> Bool, _ body: (Int32, Float) -> Void, reach: () -> Float
  ) {
    guard !nodes.isEmpty else { return }
    let place = Self.place(place)
    nodes.withUnsafeBufferPointer { nodes in
      withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: Self.mostLevels) { keys in
        // With the boxes, so that nothing is waited for when a child is chosen.
        withUnsafeTemporaryAllocation(of: SIMD8<Int32>.self, capacity: Self.mostLevels) { children in
          var limit = min(reach(), Self.beyond / 2)
          var level = -1
          var node = nodes.baseAddress! + (nodes.count - 1)
          while true {
            level &+= 1
            children[level] = node.pointee.children
            keys[level] = Self.named(Node.leastDistances(of: node, to: place))
            var child: Int32 = -1
            while child < 0 {
              let left = keys[level]
              let key = left.least
              guard key <= limit else {
                guard level > 0 else { return }
                level &-= 1
                continue
              }
              keys[level] = left.replacing(with: Self.beyond, where: left .== key)
              let lane = Int(key.bitPattern & 7)
              child = UnsafeRawPointer(children.baseAddress! + level).load(
                fromByteOffset: lane &* 4, as: Int32.self)
              if child < 0 {
                body(~child, key)
                limit = min(reach(), Self.beyond / 2)
              } else {
                node = nodes.baseAddress! + Int(child)
                if node.pointee.outline >= 0, isDone(Int(node.pointee.outline), key) { child = -1 }
              }
            }
          }
        }
      }
    }
  }

  /// Renames the items.
  /// - Parameter name: of an item with the name that it had; in the order in which they lie.
  func renamed(_ name: (Int32) -> Int32) -> BoxTree {
    var nodes = nodes
    for number in nodes.indices {
      for lane in 0..<nodes[number].count where nodes[number].children[lane] < 0 {
        nodes[number].children[lane] = ~name(~nodes[number].children[lane])
      }
    }
    return BoxTree(nodes: nodes)
  }
}
