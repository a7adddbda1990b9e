/// The boundaries of outlines laid out together: polygons in chunks, the others as outlines.
///
/// One reference, whatever there is: layers are copied with indexes.
final class BoundaryLayer: Sendable {
  let all: BoundaryBoxes
  /// The same with the chunks of each long boundary under nodes of their own, so that they can be left out together: for
  /// who asks for several outlines.
  let byOutline: BoundaryBoxes
  let chunks: BoundaryChunks
  /// Chunks know where these are; an entry may be gone by then, though its outline is the same.
  private let places: [PlaceList]

  /// What names a chunk among the children of the trees.
  static let chunkBit: Int32 = 1 << 30
  /// Outlines of more chunks have nodes of their own.
  private static let mostMixed = 64

  init(_ entries: EditedList<OutlineIndex.Entry>, _ outlines: [Int32]) {
    var chunks = BoundaryChunks()
    var places: [PlaceList] = []
    var mixed: [BoxTree.Item] = []
    var groups: [(outline: Int32, items: [BoxTree.Item])] = []
    for outline in entries.treeItems(outlines) {
      guard let boundary = entries[Int(~outline.child)].chunked else {
        mixed.append(outline)
        continue
      }
      places.append(boundary.places)
      var items: [BoxTree.Item] = []
      let first = Int32(chunks.count)
      chunks.add(boundary, of: ~outline.child) { box in
        items.append(BoxTree.Item(box: box, child: ~((first + Int32(items.count)) | Self.chunkBit)))
      }
      if items.count > Self.mostMixed { groups.append((~outline.child, items)) } else { mixed += items }
    }
    self.places = places
    func isCircle(_ name: Int32) -> Bool { name & Self.chunkBit == 0 && entries[Int(name)].isCircle }
    guard chunks.count > 0 else {
      all = BoundaryBoxes(mixed, isCircle: isCircle)
      (byOutline, self.chunks) = (all, chunks)
      return
    }
    // What is near each other lies together.
    var numbers = [Int32](repeating: 0, count: chunks.count)
    var order: [Int32] = []
    order.reserveCapacity(chunks.count)
    byOutline = BoundaryBoxes(mixed, groups: groups, isCircle: isCircle).renamed { name in
      guard name & Self.chunkBit != 0 else { return name }
      numbers[Int(name & ~Self.chunkBit)] = Int32(order.count)
      order.append(name & ~Self.chunkBit)
      return Int32(order.count - 1) | Self.chunkBit
    }
    chunks.reorder(order)
    self.chunks = chunks
    guard !groups.isEmpty else {
      all = byOutline
      return
    }
    for group in groups { mixed += group.items }
    all = BoundaryBoxes(mixed, isCircle: isCircle).renamed { name in
      name & Self.chunkBit != 0 ? numbers[Int(name & ~Self.chunkBit)] | Self.chunkBit : name
    }
  }
}

extension OutlineIndex.Entry {
  /// True if the effective boundary is the circle in the box.
  fileprivate var isCircle: Bool {
    if case .circle(_, let radius) = outline.extent { return radius >= 0 && inset <= .zero }
    return false
  }

  /// The boundary, where it is that of a polygon as drawn and its pieces can be looked for by themselves.
  fileprivate var chunked: BoundaryTree? {
    if inset == .zero, case .polygon(let tree) = outline.extent, !tree.isBoundless { return tree }
    return nil
  }
}
