/// Zones laid out together: a grid that knows which contain a place, a tree that knows which are near.
struct ZoneLayer: Sendable {
  let grid: ZoneGrid
  let tree: ZoneTree
  let boundaries: ZoneBoundaries
  /// The zones' positions by those they had when they were laid out, -1 for one that is gone; empty while they are the
  /// same.
  var positions: [Int32] = []

  init(_ entries: [ZoneIndex.Entry], zones: [Int32], density: Double, isSmall: Bool = false) {
    let items = zones.map { zone in
      ZoneTree.Item(box: entries[Int(zone)].box, child: ~zone, isCircle: entries[Int(zone)].isCircle)
    }
    tree = ZoneTree(items)
    boundaries = ZoneBoundaries(entries, items, or: tree)
    grid = ZoneGridBuilder.grid(of: entries, zones: zones, density: density, isSmall: isSmall)
  }

  @inline(__always) func position(_ zone: Int) -> Int { positions.isEmpty ? zone : Int(positions[zone]) }
}

extension ZoneIndex.Entry {
  /// Every place at an effective distance of zero or less is in it, and a place outside is at least as far from the
  /// zone as from the box.
  var box: Box { outline.box.grown(by: max(0, -inset.metres) + Chord.rounding) }

  /// Whether the effective boundary is the circle in the box.
  var isCircle: Bool {
    if case .circle(_, let radius) = outline.extent { return radius >= 0 && inset <= .zero }
    return false
  }

  /// The boundary, where it is that of a polygon as drawn and its pieces can be looked for by themselves.
  var chunked: BoundaryTree? {
    if inset == .zero, case .polygon(let tree) = outline.extent, !tree.isBoundless { return tree }
    return nil
  }
}

extension ZoneIndex {
  @inline(__always) func visit(within distance: Double, of place: Cartesian, _ body: (Int) -> Void) {
    base.tree.visit(within: distance, of: place) { zone in
      let position = base.position(zone)
      if position >= 0 { body(position) }
    }
    recent?.tree.visit(within: distance, of: place, body)
  }

  /// - Parameter bound: see ``ZoneTree/visitNearestFirst(from:bound:_:reach:)``.
  @inline(__always) func visitNearestFirst(
    from place: Cartesian, bound: (Int, Double) -> Double, _ body: (Int) -> Void, reach: () -> Double
  ) {
    recent?.tree.visitNearestFirst(from: place, bound: bound, body, reach: reach)
    base.tree.visitNearestFirst(from: place) { zone, least in
      let position = base.position(zone)
      return position < 0 ? .infinity : bound(position, least)
    } _: { zone in
      // Infinitely far, one that is gone comes last; it comes where fewer are left than are asked for.
      let position = base.position(zone)
      if position >= 0 { body(position) }
    } reach: {
      reach()
    }
  }

  /// More zones than this share of all, edited since the whole was laid out, and the whole is laid out anew.
  private static let mostRecent = 50

  /// The index of zones of which most are those of `former`: what was laid out stays, what is new is laid out beside it.
  ///
  /// Answers as a new index would, a little slower, until so much was edited that all is laid out anew.
  /// - Parameter unchanged: for each entry its position in `former`, where outline and inset are the same, or -1. No
  ///   position twice.
  /// - Complexity: O(n) in numbers copied; well below a millisecond for one edit of 10,000 zones.
  public init(_ entries: [Entry], replacing former: ZoneIndex, unchanged: [Int32]) {
    precondition(entries.count == unchanged.count, "every entry is an old one or a new one")
    var next = [Int32](repeating: -1, count: former.count)
    for (position, old) in unchanged.enumerated() where old >= 0 { next[Int(old)] = Int32(position) }
    var base = former.base
    let laidOut = base.positions.isEmpty ? (0..<Int32(former.count)).map { $0 } : base.positions
    var isInBase = [Bool](repeating: false, count: entries.count)
    base.positions = laidOut.map { old in
      let position = old < 0 ? -1 : next[Int(old)]
      if position >= 0 { isInBase[Int(position)] = true }
      return position
    }
    let others = entries.indices.filter { !isInBase[$0] }.map { Int32($0) }
    guard (others.count + laidOut.count - (entries.count - others.count)) * Self.mostRecent <= entries.count
    else {
      self = ZoneIndex(entries)
      return
    }
    let recent = others.isEmpty ? nil : ZoneLayer(entries, zones: others, density: 1, isSmall: true)
    self = ZoneIndex(entries: entries, base: base, recent: recent)
  }
}
