extension Outline {
  /// The place found deepest inside.
  public struct DeepestPoint: Equatable, Sendable {
    public let point: Coordinate
    /// Zero or more.
    public let depth: Distance
    /// No place is deeper than this: an inset that is greater leaves nothing.
    public let atMost: Distance

    /// True if an inset certainly leaves nothing. The search may stop a little short of the deepest point.
    public func isEmptied(by inset: Distance) -> Bool { atMost <= inset && depth < inset }
  }

  /// The point deepest inside and its depth: the place for a pin, and the greatest useful inset.
  ///
  /// The depth is at most 1 % (and 0.1 m) less than the true one, but for shapes hundreds of times as long as wide,
  /// where the search ends before; `deepestPoint()` gives an upper bound.
  public var deepest: (point: Coordinate, depth: Distance) {
    let found = deepestPoint()
    return (found.point, found.depth)
  }

  /// Searches for the point deepest inside, by halving cells of latitude and longitude, the most promising
  /// first.
  ///
  /// The result is not cached; a polygon takes some milliseconds.
  /// - Parameter effort: the most signed distances to measure.
  public func deepestPoint(effort: Int = 4000) -> DeepestPoint {
    switch extent {
    case .circle(let center, let radius):
      return DeepestPoint(point: center, depth: .metres(max(0, radius)), atMost: .metres(max(0, radius)))
    case .corridor(let path, let halfWidth):
      let point = path.edge(path.edgeCount / 2).start
      return DeepestPoint(point: point, depth: .metres(max(0, halfWidth)), atMost: .metres(max(0, halfWidth)))
    case .polygon(let tree):
      return search(tree, effort: effort)
    }
  }

  private func search(_ tree: BoundaryTree, effort: Int) -> DeepestPoint {
    var cells = MaxHeap<Cell>()
    // Joined parts are searched as a whole: its depth is more than one part has room for.
    let alone = tree.parts.indices.filter { !(joined?.isJoined($0) ?? false) }
    for node in alone.map({ tree.nodes[Int(tree.parts[$0].root)] })
      + (joined?.borders ?? []).map({ $0.nodes[$0.root] })
    {
      for cell in Cell.cells(of: node) { cells.push(cell, key: cell.reach) }
    }
    var best = (point: tree.edge(0).start, depth: 0.0)
    var measured = 0
    var open = 0.0
    while let (cell, bound) = cells.pop() {
      guard bound > best.depth * 1.01 + 0.1 else { break }
      guard measured < effort else {
        open = bound
        break
      }
      let center = cell.center
      let depth = -signedMetres(from: Query(center))
      measured += 1
      if depth > best.depth { best = (center, depth) }
      let deepest = min(bound, depth + cell.reach)
      guard deepest > best.depth * 1.01 + 0.1 else { continue }
      for half in cell.halves { cells.push(half, key: deepest) }
    }
    return DeepestPoint(
      point: best.point, depth: .metres(best.depth), atMost: .metres(max(open, best.depth * 1.01 + 0.1)))
  }
}

/// Latitudes and longitudes between bounds, degrees; longitudes may go beyond ±180.
private struct Cell {
  let south: Double
  let north: Double
  let west: Double
  let east: Double

  static func cells(of node: BoundaryTree.Node) -> [Cell] {
    if node.isPolar || node.box.isEmpty {
      return [
        Cell(south: -90, north: 0, west: -180, east: 180), Cell(south: 0, north: 90, west: -180, east: 180),
      ]
    }
    return [
      Cell(
        south: max(-90, node.south), north: min(90, node.north), west: node.west,
        east: min(node.east, node.west + 360))
    ]
  }

  var center: Coordinate {
    Coordinate(latitude: .degrees((south + north) / 2), longitude: .degrees((west + east) / 2))
  }

  private var height: Double { (north - south) * Earth.mostMetresPerDegree }
  private var width: Double {
    let least = south < 0 && north > 0 ? 0 : min(abs(south), abs(north))
    return (east - west) * Earth.mostMetresPerDegree * Trigonometry.sineAndCosine(ofDegrees: least).cosine
  }

  /// No place of the cell is farther from its centre, metres: the straight line in latitude and longitude is
  /// not longer.
  var reach: Double {
    let (height, width) = (height, width)
    return (height * height + width * width).squareRoot() / 2
  }

  var halves: [Cell] {
    if height >= width {
      let middle = (south + north) / 2
      return [
        Cell(south: south, north: middle, west: west, east: east),
        Cell(south: middle, north: north, west: west, east: east),
      ]
    }
    let middle = (west + east) / 2
    return [
      Cell(south: south, north: north, west: west, east: middle),
      Cell(south: south, north: north, west: middle, east: east),
    ]
  }
}
