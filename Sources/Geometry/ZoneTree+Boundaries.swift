extension ZoneTree.Node {
  /// What the distance from a place to the boundary of each child is at least, in metres, not less than zero.
  ///
  /// A circle's boundary is found from its box, inside and out.
  @inline(__always) func leastDistances(to place: SIMD3<Float>) -> SIMD8<Float> {
    var least = squaredDistances(to: place).squareRoot() * (1 - ZoneTree.relative) - ZoneTree.rounding
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
      let bound = beside - (chord + half) * ZoneTree.relative - (ZoneTree.rounding + 1)
      let bits = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128) & circles
      least.replace(with: bound, where: bits .!= SIMD8<UInt32>.zero)
    }
    least.replace(with: SIMD8<Float>.zero, where: least .< SIMD8<Float>.zero)
    return least
  }
}

extension ZoneTree {
  /// Nodes and items that wait: seven at most beside each on the way down. 2³¹ zones make eleven levels, 2³⁰ chunks of one
  /// ten more.
  private static let mostWaiting = 22 * BoundaryTree.fanOut

  /// Calls `body` with the names of items whose boundary may be no farther than `reach`, through the earth, and with a bound
  /// of the distance.
  ///
  /// Of eight the nearest is looked into first, then what is left of the others: most are out of reach when their turn
  /// comes, so that a heap of all would cost more than it spares.
  /// - Parameter isDone: whether nothing of a zone can count any more that is at least so far away.
  @inline(__always) func visitBoundaries(
    from place: Cartesian, isDone: (Int, Float) -> Bool, _ body: (Int32, Float) -> Void, reach: () -> Float
  ) {
    guard !nodes.isEmpty else { return }
    let place = Self.place(place)
    nodes.withUnsafeBufferPointer { nodes in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.mostWaiting) { keys in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.mostWaiting) { children in
          (keys[0], children[0]) = (0, Int32(nodes.count - 1))
          var count = 1
          var limit = reach()
          while count > 0 {
            count &-= 1
            let (key, child) = (keys[count], children[count])
            guard key <= limit else { continue }
            if child < 0 {
              body(~child, key)
              limit = reach()
              continue
            }
            let node = nodes.baseAddress! + Int(child)
            if node.pointee.zone >= 0, isDone(Int(node.pointee.zone), key) { continue }
            let least = node.pointee.leastDistances(to: place)
            // The nearest comes last, so that it is next.
            let first = count
            for lane in 0..<node.pointee.count where least[lane] <= limit {
              var place = count
              while place > first, keys[place &- 1] < least[lane] {
                keys[place] = keys[place &- 1]
                children[place] = children[place &- 1]
                place &-= 1
              }
              keys[place] = least[lane]
              children[place] = node.pointee.children[lane]
              count &+= 1
            }
          }
        }
      }
    }
  }
}
