import Geometry

/// The zones of a set in the order of urgency, with their index and a lookup by id.
///
/// An edited layout shares the unchanged parts of the previous one. A new layout is an edit of the empty one.
final class ZoneLayout: Sendable {
  let list: EditedList<WatchedZone>
  let index: OutlineIndex
  let summary: ZoneSummary
  /// Positions in the list, by id, when it was last copied.
  private let places: [ZoneID: Int32]
  /// Positions of the zones inserted since then.
  private let recent: [ZoneID: Int32]
  /// The sum of the zones' ``Zone/digest``.
  private let digests: UInt64

  /// Makes a layout without zones.
  init() {
    (list, index, summary) = (EditedList([]), OutlineIndex([]), ZoneSummary())
    (places, recent, digests) = ([:], [:], 0)
  }

  var zones: ZoneList { ZoneList(list) }

  @inline(never) func slot(of zone: ZoneID) -> ZoneSlot? {
    if let position = recent[zone] { return ZoneSlot(Int(position)) }
    guard let place = places[zone], let position = list.position(ofCopied: Int(place)) else { return nil }
    return ZoneSlot(position)
  }

  #if hasFeature(Embedded)
    @inline(never) func watched(_ slot: ZoneSlot) -> WatchedZone { list[slot.index] }
  #else
    @inline(__always) func watched(_ slot: ZoneSlot) -> WatchedZone { list[slot.index] }
  #endif

  subscript(slot: ZoneSlot) -> Zone { _read { yield watched(slot).zone } }

  /// A hash of all values of the zones that the engine uses. Looks, sounds and rows for other programs are
  /// left out, so that editing them does not change the revision.
  func revision(defaultRadius: Distance) -> UInt64 {
    var hash = StableHash()
    hash.combine(defaultRadius.metres)
    hash.combine(UInt64(list.count))
    hash.combine(digests)
    return hash.value
  }

  // MARK: Differences

  /// The zones to remove and to insert to turn this layout into one of these zones; unchanged zones are in
  /// neither.
  ///
  /// - Complexity: O(n).
  func difference(to zones: [Zone]) -> (removed: [Int], coming: [Zone]) {
    var stays = [Bool](repeating: false, count: list.count)
    var coming: [Zone] = []
    for zone in zones {
      if let slot = slot(of: zone.id), self[slot] == zone {
        stays[slot.index] = true
      } else {
        coming.append(zone)
      }
    }
    for zone in coming {
      // Two zones have this id. All are laid out again, so that the more urgent one is watched.
      if let slot = slot(of: zone.id), stays[slot.index] { return (Array(list.indices), zones) }
    }
    var removed: [Int] = []
    for position in stays.indices where !stays[position] { removed.append(position) }
    return (removed, coming)
  }

  /// The positions of the zones with these ids, each once; ascending.
  func positions(of ids: [ZoneID]) -> [Int] {
    var found: [Int] = []
    for id in ids { if let slot = slot(of: id) { found.append(slot.index) } }
    var positions: [Int] = []
    for position in found.sorted(by: { $0 < $1 }) where position != positions.last {
      positions.append(position)
    }
    return positions
  }

  /// The zones among `slots` that are new or differ from those in `former` in place, time or assurance; in
  /// the given order.
  func changed(from former: ZoneLayout, among slots: some Sequence<ZoneSlot>) -> [ZoneSlot] {
    var changed: [ZoneSlot] = []
    for slot in slots {
      if let old = former.slot(of: self[slot].id), former[old].watchesAsMuch(as: self[slot]) { continue }
      changed.append(slot)
    }
    return changed
  }

  // MARK: Edits

  /// A layout after an edit, the slots of the inserted zones, and the zones that could not be inserted, with
  /// the reason.
  struct Edited {
    let layout: ZoneLayout
    /// Ascending.
    var coming: [ZoneSlot] = []
    var refused: [(zone: ZoneID, error: ZoneError)] = []
  }

  /// - Parameters:
  ///   - removed: the positions of the zones to remove, ascending.
  ///   - zones: the zones to insert, none with the id of one that stays. Equal zones count once; of different
  ///     ones with one id the most urgent is taken.
  /// - Complexity: O(k log n) for the k zones inserted or removed in the last edits; O(n log n) for one edit
  ///   of some hundred.
  func edited(removing removed: [Int], adding zones: [Zone], defaultRadius: Distance) -> Edited {
    var refused: [(zone: ZoneID, error: ZoneError)] = []
    var coming: [WatchedZone] = []
    var entries: [OutlineIndex.Entry] = []
    var inserted: [Int] = []
    var known: [ZoneID: Int32] = [:]
    // Sorts indices, which are cheaper to move than zones.
    for number in zones.indices.sorted(by: { isMoreUrgent(zones[$0], zones[$1]) }) {
      let zone = zones[number]
      if let twin = known[zone.id] {
        // A different zone with this id must not be dropped silently.
        if twin < 0 || coming[Int(twin)].zone != zone { refused.append((zone.id, .idTaken)) }
        continue
      }
      do throws(ZoneError) {
        let shape = try zone.shape(defaultRadius: defaultRadius)
        known[zone.id] = Int32(coming.count)
        coming.append(WatchedZone(zone, shape))
        entries.append(OutlineIndex.Entry(outline: outline(of: zone) ?? Outline(shape), inset: zone.inset))
        inserted.append(place(of: zone))
      } catch {
        known[zone.id] = -1
        refused.append((zone.id, error))
      }
    }
    if removed.isEmpty && coming.isEmpty { return Edited(layout: self, refused: refused) }
    let layout = ZoneLayout(
      editing: self, by: ListEdit(removed: removed, inserted: inserted), coming, entries)
    var slots: [ZoneSlot] = []
    for watched in coming { if let slot = layout.slot(of: watched.zone.id) { slots.append(slot) } }
    return Edited(layout: layout, coming: slots, refused: refused)
  }

  private init(
    editing former: ZoneLayout, by edit: ListEdit, _ coming: [WatchedZone], _ entries: [OutlineIndex.Entry]
  ) {
    let list = former.list.edited(by: edit, coming)
    index = OutlineIndex(editing: former.index, by: edit, entries)
    var digests = former.digests
    var summary = former.summary
    var isKnown = !list.isCopied
    for position in edit.removed {
      digests &-= former.list[position].zone.digest
      if isKnown { isKnown = summary.remove(former.list[position].zone) }
    }
    for watched in coming {
      digests &+= watched.zone.digest
      if isKnown { summary.add(watched.zone) }
    }
    var places = list.isCopied ? [:] : former.places
    var recent: [ZoneID: Int32] = [:]
    if list.isCopied {
      places.reserveCapacity(list.count)
      for position in list.indices { places[list[position].zone.id] = Int32(position) }
    } else {
      for position in list.recentPositions { recent[list[position].zone.id] = Int32(position) }
    }
    if !isKnown { summary = ZoneSummary(of: ZoneList(list)) }
    (self.list, self.summary, self.digests) = (list, summary, digests)
    (self.places, self.recent) = (places, recent)
  }

  /// The outline that a zone has in this layout, if its places, edges and size are unchanged.
  private func outline(of zone: Zone) -> Outline? {
    guard let slot = slot(of: zone.id) else { return nil }
    let known = self[slot]
    guard known.outline == zone.outline, known.edges == zone.edges, known.size == zone.size else {
      return nil
    }
    return index.entries[slot.index].outline
  }

  /// The position of a zone in the order of urgency: before the first zone that is not more urgent.
  private func place(of zone: Zone) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if isMoreUrgent(list[middle].zone, zone) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
