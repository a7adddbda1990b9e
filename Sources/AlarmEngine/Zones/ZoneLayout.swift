import Geometry

/// The zones of a set in the order of urgency, with their index and what finds one by its id.
///
/// An edited layout shares with the one before it what stays as it is; one that is laid out from nothing is an edit of the empty
/// one.
final class ZoneLayout: Sendable {
  let list: EditedList<WatchedZone>
  let index: OutlineIndex
  let summary: ZoneSummary
  /// Positions in the list when it was last copied.
  private let places: [ZoneID: Int32]
  /// Positions of the zones that came since.
  private let recent: [ZoneID: Int32]
  /// The sum of the zones' ``Zone/digest``.
  private let digests: UInt64

  /// Without zones.
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

  /// A number made from all of these zones that the engine looks at. Looks, sounds and rows that only other programs read are
  /// left out: changing them changes nothing here.
  func revision(defaultRadius: Distance) -> UInt64 {
    var hash = StableHash()
    hash.combine(defaultRadius.metres)
    hash.combine(UInt64(list.count))
    hash.combine(digests)
    return hash.value
  }

  // MARK: What differs

  /// What has to go and to come so that these zones are left: those that stay as they are are neither.
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
      // Which of two with one id is watched is decided between both.
      if let slot = slot(of: zone.id), stays[slot.index] { return (Array(list.indices), zones) }
    }
    var removed: [Int] = []
    for position in stays.indices where !stays[position] { removed.append(position) }
    return (removed, coming)
  }

  /// What has to go so that these ids have no zone; ascending.
  func positions(of ids: [ZoneID]) -> [Int] {
    var found: [Int] = []
    for id in ids { if let slot = slot(of: id) { found.append(slot.index) } }
    var positions: [Int] = []
    for position in found.sorted(by: { $0 < $1 }) where position != positions.last {
      positions.append(position)
    }
    return positions
  }

  /// In their order, those of some zones that watch otherwise than in `former`, new ones among them.
  func changed(from former: ZoneLayout, among slots: some Sequence<ZoneSlot>) -> [ZoneSlot] {
    var changed: [ZoneSlot] = []
    for slot in slots {
      if let old = former.slot(of: self[slot].id), former[old].watchesAsMuch(as: self[slot]) { continue }
      changed.append(slot)
    }
    return changed
  }

  // MARK: Edits

  /// A layout after an edit, the zones that came, and those that have no place in it, with the reason.
  struct Edited {
    let layout: ZoneLayout
    /// Ascending.
    var coming: [ZoneSlot] = []
    var refused: [(zone: ZoneID, error: ZoneError)] = []
  }

  /// - Parameters:
  ///   - removed: positions, ascending.
  ///   - zones: that come: none with the id of one that stays. The same zone twice is one zone; of others with one id the most
  ///     urgent is taken.
  /// - Complexity: O(k log n) for the k zones that came or went in the last edits; O(n log n) for one edit of some hundred.
  func edited(removing removed: [Int], adding zones: [Zone], defaultRadius: Distance) -> Edited {
    var refused: [(zone: ZoneID, error: ZoneError)] = []
    var coming: [WatchedZone] = []
    var entries: [OutlineIndex.Entry] = []
    var inserted: [Int] = []
    var known: [ZoneID: Int32] = [:]
    // Numbers are moved about, which costs less than zones.
    for number in zones.indices.sorted(by: { isMoreUrgent(zones[$0], zones[$1]) }) {
      let zone = zones[number]
      if let twin = known[zone.id] {
        // Another one may not be dropped in silence.
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

  /// The outline that a zone has in this layout, if it still is the zone's.
  private func outline(of zone: Zone) -> Outline? {
    guard let slot = slot(of: zone.id) else { return nil }
    let known = self[slot]
    guard known.outline == zone.outline, known.edges == zone.edges, known.size == zone.size else {
      return nil
    }
    return index.entries[slot.index].outline
  }

  /// Where a zone comes in the order of urgency: in front of the first that is not more urgent.
  private func place(of zone: Zone) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if isMoreUrgent(list[middle].zone, zone) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
