/// An index to find the outlines that contain a place, by a grid of cells and, near the poles, by a tree.
///
/// Takes longer to build than ``OutlineIndex`` and much more memory, and answers many times as fast. Equally
/// exact.
public struct ContainmentIndex: Sendable {
  public typealias Entry = OutlineIndex.Entry

  struct Content: Sendable {
    let grid: ContainmentGrid
    let tree: BoxTree

    init(_ entries: EditedList<Entry>, outlines: [Int32], density: Double, isSmall: Bool) {
      grid = GridBuilder.grid(of: entries, outlines: outlines, density: density, isSmall: isSmall)
      tree = BoxTree(entries.treeItems(outlines))
    }
  }
  typealias Layer = IndexLayers<Content>.Layer

  public let entries: EditedList<Entry>
  let layers: IndexLayers<Content>

  /// - Parameter density: cells per edge of a boundary; fewer are slower and take less memory.
  /// - Complexity: O(n log n); 10,000 polygons of 24 edges take half a second and 42 MB, circles a tenth of that.
  public init(_ entries: [Entry], density: Double = 1.2) {
    precondition(density > 0, "an index needs some memory")
    let entries = EditedList(entries)
    self.entries = entries
    layers = IndexLayers(count: entries.count) { outlines, isSmall in
      Content(entries, outlines: outlines, density: density, isSmall: isSmall)
    }
  }

  /// Creates the index after an edit: see ``OutlineIndex/init(editing:by:_:)``.
  public init(editing former: ContainmentIndex, by edit: ListEdit, _ entries: [Entry]) {
    let edited = former.entries.edited(by: edit, entries)
    self.entries = edited
    layers = IndexLayers(replacing: former.layers, by: edited.positions, count: edited.count) {
      Content(edited, outlines: $0, density: $1 ? 1 : 1.2, isSmall: $1)
    }
  }

  public var count: Int { entries.count }

  /// The number of fixes looked up together: enough for cache misses to overlap, few enough for the fastest
  /// cache.
  static let together = 64

  /// Returns the outlines that contain `p`, ascending.
  public func containing(_ p: Coordinate) -> [Int] {
    var hits = Hits()
    containing(p, into: &hits)
    return Array(hits[0])
  }

  /// Finds the outlines that contain `p`, without allocating memory. Replaces the contents of `hits`.
  public func containing(_ p: Coordinate, into hits: inout Hits) {
    hits.clear()
    add(p, &hits)
  }

  private func add(_ p: Coordinate, _ hits: inout Hits) {
    visitOutlines(containing: p, of: layers.base) { hits.add($0) }
    if let recent = layers.recent { visitOutlines(containing: p, of: recent) { hits.add($0) } }
    hits.endFix()
  }

  /// Calls `body` with each outline that contains `p`, in no order.
  public func visitOutlines(containing p: Coordinate, _ body: (Int) -> Void) {
    visitOutlines(containing: p, of: layers.base, body)
    if let recent = layers.recent { visitOutlines(containing: p, of: recent, body) }
  }

  @inline(__always) private func visitOutlines(
    containing p: Coordinate, of layer: Layer, _ body: (Int) -> Void
  ) {
    let isKnown = layer.content.grid.read { reader in
      let spot = reader.spot(of: p)
      guard spot.content != 0 else { return false }
      reader.visit(spot) {
        contains(p, outline: layer.position($0))
      } covers: { first, count in
        for number in 0..<count {
          let position = layer.position(Int(first[number]))
          if position >= 0 { body(position) }
        }
      } tell: { outline, isInside in
        let position = layer.position(outline)
        if isInside, position >= 0 { body(position) }
      }
      return true
    }
    if !isKnown, layer.content.grid.scale.isPolar(p) { visitPolarOutlines(containing: p, of: layer, body) }
  }

  /// Visits the outlines that contain a place near a pole, where there is no grid.
  @inline(never) func visitPolarOutlines(
    containing p: Coordinate, of layer: Layer, _ body: (Int) -> Void
  ) {
    let query = Query(p)
    layer.content.tree.visit(within: 0, of: query.place) { outline in
      let position = layer.position(outline)
      if position >= 0, entries[position].leastDistance(from: query.place, box: -.infinity) <= 0,
        contains(p, outline: position)
      {
        body(position)
      }
    }
  }

  /// Finds the outlines that contain each fix. Replaces the contents of `hits`.
  ///
  /// Looks up many fixes at a time, one step for all of them before the next, so that their cache misses
  /// overlap.
  public func containing(_ fixes: [Coordinate], into hits: inout Hits) {
    hits.clear()
    guard layers.isAsBuilt, !fixes.contains(where: { grid.scale.isPolar($0) }) else {
      for fix in fixes { add(fix, &hits) }
      return
    }
    grid.read { reader in
      fixes.withUnsafeBufferPointer { fixes in
        var first = 0
        while first < fixes.count {
          let count = min(Self.together, fixes.count &- first)
          let some = UnsafeBufferPointer(rebasing: fixes[first..<first &+ count])
          reader.locate(some) { spots, most in containing(some, spots, most, reader, &hits) }
          first = first &+ count
        }
      }
    }
  }

  /// The grid of the outlines that were laid out at once.
  var grid: ContainmentGrid { layers.base.content.grid }

  private func containing(
    _ fixes: UnsafeBufferPointer<Coordinate>, _ spots: UnsafePointer<ContainmentGrid.Spot>, _ most: Int,
    _ reader: ContainmentGrid.Reader, _ hits: inout Hits
  ) {
    hits.write(fixes: fixes.count, most: most) { writer in
      for index in 0..<fixes.count {
        if spots[index].content != 0 {
          reader.visit(spots[index]) {
            contains(fixes[index], outline: $0)
          } covers: {
            writer.begin($0, $1)
          } tell: {
            writer.add($0, if: $1)
          }
          writer.endFix()
        } else {
          writer.passFix()
        }
      }
    }
  }

  /// Returns whether the outline contains `p`, by measuring the distance.
  @inline(never) private func contains(_ p: Coordinate, outline: Int) -> Bool {
    outline >= 0 && entries[outline].distance(from: Query(p), limit: 1e-6) <= 0
  }
}

extension ContainmentGrid.Reader {
  /// Looks up all tiles, then all cells, then all contents, so that the cache misses of a batch overlap.
  ///
  /// - Parameters:
  ///   - fixes: at most ``ContainmentIndex/together``.
  ///   - body: receives the spots and the greatest possible number of outlines.
  @inline(__always) func locate(
    _ fixes: UnsafeBufferPointer<Coordinate>, _ body: (UnsafePointer<ContainmentGrid.Spot>, Int) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: TilePlace.self, capacity: ContainmentIndex.together) { places in
      withUnsafeTemporaryAllocation(of: ContainmentGrid.Spot.self, capacity: ContainmentIndex.together) {
        spots in
        let (places, spots) = (places.baseAddress!, spots.baseAddress!)
        for index in 0..<fixes.count { (places + index).initialize(to: tile(of: fixes[index])) }
        for index in 0..<fixes.count { (spots + index).initialize(to: cell(of: places[index])) }
        for index in 0..<fixes.count { spots[index].content = content(spots[index].content) }
        var most = 0
        for index in 0..<fixes.count { most = most &+ fetch(spots[index].content) }
        body(spots, most)
      }
    }
  }
}
