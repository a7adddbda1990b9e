extension BoundaryTreeBuilder {
  /// Stores the nodes below a stretch of one ring and returns the one above them.
  /// - Parameter range: pieces, by their first vertices; not empty.
  mutating func packStretch(_ range: Range<Int>) -> Node {
    var level: [Node] = []
    var first = range.lowerBound
    while first < range.upperBound {
      let last = min(first + BoundaryTree.fanOut, range.upperBound)
      level.append(leaf(first..<last))
      first = last
    }
    while level.count > 1 {
      level = store(level) { nodes, first in
        var node = Self.parent(of: nodes, at: first, kind: .stretch)
        node.firstVertex = nodes[0].firstVertex
        node.lastVertex = nodes[nodes.count - 1].lastVertex
        return node
      }
    }
    return level[0]
  }

  /// Stores the nodes of whole rings and returns the one above them.
  mutating func group(_ roots: [Node]) -> Node {
    if roots.count == 1 { return roots[0] }
    var level: [Node] = []
    for index in spatialOrder(of: roots.count, box: { roots[$0].box }) { level.append(roots[index]) }
    while level.count > 1 {
      level = store(level) { nodes, first in Self.parent(of: nodes, at: first, kind: .group) }
    }
    return level[0]
  }

  private mutating func store(_ level: [Node], _ parent: ([Node], Int) -> Node) -> [Node] {
    var above: [Node] = []
    var start = 0
    while start < level.count {
      let children = Array(level[start..<min(start + BoundaryTree.fanOut, level.count)])
      above.append(parent(children, nodes.count))
      nodes.append(contentsOf: children)
      start += BoundaryTree.fanOut
    }
    return above
  }

  private static func parent(of children: [Node], at first: Int, kind: Node.Kind) -> Node {
    var node = Node(kind: kind, first: Int32(first), count: Int32(children.count))
    for child in children {
      node.isPolar = node.isPolar || child.isPolar
      node.box.include(child.box)
      node.south = min(node.south, child.south)
      node.north = max(node.north, child.north)
      node.west = min(node.west, child.west)
      node.east = max(node.east, child.east)
    }
    return node
  }

  private func leaf(_ range: Range<Int>) -> Node {
    var node = Node(kind: .leaf, first: Int32(range.lowerBound), count: Int32(range.count))
    node.firstVertex = Int32(range.lowerBound)
    node.lastVertex = Int32(range.upperBound)
    for piece in range {
      let (a, b, detail) = (vertices[piece], vertices[piece + 1], details[piece])
      node.south = min(node.south, min(a.latitude, b.latitude) - detail.bulge)
      node.north = max(node.north, max(a.latitude, b.latitude) + detail.bulge)
      node.west = min(node.west, a.unwrapped, b.unwrapped)
      node.east = max(node.east, a.unwrapped, b.unwrapped)
      guard detail.bounds else { continue }
      node.box.include(a.place, margin: detail.sag)
      node.box.include(b.place, margin: detail.sag)
    }
    return node
  }
}

extension BoundaryTree {
  /// Returns a box that contains the boundary and the area inside.
  ///
  /// On an area of the ellipsoid a coordinate is greatest on the border, or where the surface faces that way: at a
  /// pole or at one of four places of the equator.
  var areaBox: Box {
    var box = nodes[root].box
    for (latitude, longitude) in [(90.0, 0.0), (-90, 0), (0, 0), (0, 90), (0, 180), (0, -90)] {
      let query = Query(Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude)))
      if !parts(around: query).isEmpty { box.include(query.place) }
    }
    return box
  }
}
