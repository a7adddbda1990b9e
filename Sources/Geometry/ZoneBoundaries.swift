/// The boundaries of zones laid out together: polygons in chunks, the others as zones.
///
/// One reference, whatever there is: layers are copied with indexes.
final class ZoneBoundaries: Sendable {
  let all: ZoneTree
  /// The same with the chunks of each long boundary under nodes of their own, so that they can be left out together: for
  /// who asks for several zones.
  let byZone: ZoneTree
  let chunks: BoundaryChunks
  /// Chunks know where these are; an outline may be gone by then, though its zone is the same.
  private let places: [PlaceList]

  /// What names a chunk among the children of the trees.
  static let chunkBit: Int32 = 1 << 30
  /// Zones of more chunks have nodes of their own.
  private static let mostMixed = 64

  /// - Parameter tree: of the zones, which will do where there are no polygons.
  init(_ entries: [ZoneIndex.Entry], _ zones: [ZoneTree.Item], or tree: ZoneTree) {
    var chunks = BoundaryChunks()
    var places: [PlaceList] = []
    var mixed: [ZoneTree.Item] = []
    var groups: [(zone: Int32, items: [ZoneTree.Item])] = []
    for zone in zones {
      guard let boundary = entries[Int(~zone.child)].chunked else {
        mixed.append(zone)
        continue
      }
      places.append(boundary.places)
      var items: [ZoneTree.Item] = []
      let first = Int32(chunks.count)
      chunks.add(boundary, of: ~zone.child) { box in
        items.append(ZoneTree.Item(box: box, child: ~((first + Int32(items.count)) | Self.chunkBit)))
      }
      if items.count > Self.mostMixed { groups.append((~zone.child, items)) } else { mixed += items }
    }
    self.places = places
    guard chunks.count > 0 else {
      (all, byZone, self.chunks) = (tree, tree, chunks)
      return
    }
    // What is near each other lies together.
    var numbers = [Int32](repeating: 0, count: chunks.count)
    var order: [Int32] = []
    order.reserveCapacity(chunks.count)
    byZone = ZoneTree(mixed, groups: groups).renamed { name in
      guard name & Self.chunkBit != 0 else { return name }
      numbers[Int(name & ~Self.chunkBit)] = Int32(order.count)
      order.append(name & ~Self.chunkBit)
      return Int32(order.count - 1) | Self.chunkBit
    }
    chunks.reorder(order)
    self.chunks = chunks
    guard !groups.isEmpty else {
      all = byZone
      return
    }
    for group in groups { mixed += group.items }
    all = ZoneTree(mixed).renamed { name in
      name & Self.chunkBit != 0 ? numbers[Int(name & ~Self.chunkBit)] | Self.chunkBit : name
    }
  }
}
