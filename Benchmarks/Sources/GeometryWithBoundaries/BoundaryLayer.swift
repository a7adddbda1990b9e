/// The boundaries of outlines in one layout: polygons as chunks, other outlines whole.
///
/// A class, because layers are copied with their indexes: a copy is one reference.
final class BoundaryLayer: Sendable {
  let all: BoundaryBoxes
  /// The same items, with the chunks of each long boundary under a node of their own, so that a search for
  /// several outlines can skip them together.
  let byOutline: BoundaryBoxes
  let chunks: BoundaryChunks
  /// Owners of the memory that chunks point into. The entry itself may be replaced by an equal one, and then
  /// freed, while its chunks are still in use.
  private let places: [PlaceList]

  /// The bit of an item's name that marks a chunk; names without it are outlines.
  static let chunkBit: Int32 = 1 << 30
  /// The most chunks of an outline without a node of its own.
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
    // Chunks are stored in the order of the tree's items, so that chunks near each other share cache lines.
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
  /// True if the effective boundary is the circle inscribed in the box.
  fileprivate var isCircle: Bool {
    if case .circle(_, let radius) = outline.extent { return radius >= 0 && inset <= .zero }
    return false
  }

  /// The boundary of a polygon without inset, which can be cut into chunks; nil for all other outlines.
  fileprivate var chunked: BoundaryTree? {
    if inset == .zero, case .polygon(let tree) = outline.extent, !tree.isBoundless { return tree }
    return nil
  }
}
