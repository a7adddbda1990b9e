import Geometry

/// Zones made ready for watching: the most urgent first, with their index.
///
/// Built once per edit, immutable, and shared by all the devices that watch these zones: a further device
/// costs one reference, however many zones there are. A zone without an area, with a size out of range or
/// with the id of another zone is left out and named in `refused`; the others are watched.
///
/// After an edit, build the next set from the previous one: it shares the unchanged zones, and the difference
/// is computed once for all devices.
public final class WatchedZones: Sendable {
  public let refused: [(zone: ZoneID, error: ZoneError)]
  /// A hash of all values that the engine uses: the same for the same zones, in every run and on every
  /// machine. ``Timeline/snapshot()`` holds it in place of the zones.
  public let revision: UInt64
  /// The size of zones that state none.
  public let defaultRadius: Distance
  let index: OutlineIndex
  let layout: ZoneLayout
  /// The differences from the set that this one replaced.
  private let edit: Edit?
  /// The greatest alert distance of any zone.
  let farthestAlert: Distance
  let longestLead: TimeSpan
  let widestFactor: Double

  private struct Edit: Sendable {
    let former: UInt64
    let changed: [ZoneSlot]
  }

  /// - Parameters:
  ///   - defaultRadius: for zones that state no size.
  ///   - former: the set that this one replaces; it saves work, and changes nothing else.
  ///   - unreadable: zones whose stored form cannot be read, with the reason; listed in `refused`, too.
  /// - Complexity: O(n log n); 10,000 zones take some tens of milliseconds. With a former set, all zones are
  ///   compared with those in it, which takes a tenth of that, and the difference costs as much as in
  ///   ``init(editing:putting:removing:)``.
  public convenience init(
    _ zones: [Zone], defaultRadius: Distance = Settings().defaultRadius,
    replacing former: WatchedZones? = nil,
    unreadable: [(zone: ZoneID, error: ZoneError)] = []
  ) {
    let base = former.flatMap { $0.defaultRadius == defaultRadius ? $0.layout : nil }
    let (removed, coming) = base?.difference(to: zones) ?? ([], zones)
    let edited = (base ?? ZoneLayout()).edited(
      removing: removed, adding: coming, defaultRadius: defaultRadius)
    self.init(edited, refused: unreadable, defaultRadius: defaultRadius, replacing: former)
  }

  /// The zones of `former` with some removed and some inserted; a zone replaces the one with the same id.
  ///
  /// Equals the set that is built of all these zones.
  /// - Complexity: O(k log n) for the k zones inserted or removed in the last edits; O(n log n) for one edit
  ///   of some hundred.
  public convenience init(editing former: WatchedZones, putting zones: [Zone], removing gone: [ZoneID] = []) {
    let touched = gone + zones.map { $0.id }
    let edited = former.layout.edited(
      removing: former.layout.positions(of: touched), adding: zones, defaultRadius: former.defaultRadius)
    self.init(
      edited, refused: former.refused.filter { !touched.contains($0.zone) },
      defaultRadius: former.defaultRadius, replacing: former)
  }

  private init(
    _ edited: ZoneLayout.Edited, refused: [(zone: ZoneID, error: ZoneError)], defaultRadius: Distance,
    replacing former: WatchedZones?
  ) {
    layout = edited.layout
    self.refused = refused + edited.refused
    self.defaultRadius = defaultRadius
    index = layout.index
    revision = layout.revision(defaultRadius: defaultRadius)
    farthestAlert = layout.summary.farthestAlert
    longestLead = layout.summary.longestLead
    widestFactor = layout.summary.widestFactor
    edit = former.map {
      Edit(former: $0.revision, changed: edited.layout.changed(from: $0.layout, among: edited.coming))
    }
  }

  /// The zones, the most urgent first.
  public var zones: ZoneList { layout.zones }

  /// The zones that are new or differ from those in `former` in place, time or assurance; the most urgent
  /// first.
  ///
  /// - Complexity: O(1) when this set was built from `former`, else O(n).
  func changed(from former: WatchedZones) -> [ZoneSlot] {
    if revision == former.revision { return [] }
    if let edit, edit.former == former.revision { return edit.changed }
    return layout.changed(from: former.layout, among: layout.list.indices.map { ZoneSlot($0) })
  }

  /// The values that depend on all zones together.
  var summary: ZoneSummary { _read { yield layout.summary } }

  func slot(of zone: ZoneID) -> ZoneSlot? { layout.slot(of: zone) }

  subscript(slot: ZoneSlot) -> Zone { _read { yield layout.watched(slot).zone } }

  func rules(of slot: ZoneSlot) -> SharedZoneRules { layout.watched(slot).rules }

  func entry(of slot: ZoneSlot) -> OutlineIndex.Entry { index.entries[slot.index] }

  /// - Parameter place: the position in space, if it is known.
  func distance(from position: Coordinate, at place: Cartesian? = nil, to slot: ZoneSlot) -> Distance {
    index.distance(from: position, at: place, to: slot.index)
  }

  /// The greatest depth inside a zone, roughly: twice the area over the perimeter, which is the radius of a
  /// circle and between once and twice the radius of the largest circle within a convex shape; less the
  /// inset, at least 0.
  func reach(of slot: ZoneSlot) -> Distance { layout.watched(slot).reach }
}

extension WatchedZones {
  /// Returns nil for a zone that is not in the set, or that has no area.
  public func zone(_ id: ZoneID) -> Zone? { slot(of: id).map { self[$0] } }

  /// The active zones nearest by distance to their alert line, at most `k` of them, nearest first, equal
  /// distances by urgency. Schedules are ignored.
  public func nearest(_ k: Int, to position: Coordinate) -> [Zone] {
    let surroundings = Surroundings(
      zones: self, alarms: SlotTable(), armed: true, now: Instant.allowed.lowerBound, suspectIsNearZone: false
    )
    return surroundings.nearest(k, to: position) { self[$0].active }.map { self[$0.zone] }
  }
}

extension Zone {
  /// True if both zones ring at the same places and times with the same assurance. An alarm survives such an
  /// edit.
  func watchesAsMuch(as other: Zone) -> Bool {
    for field in RangedField.ofZone where field != .priority && field != .sleepTime {
      guard draft[field] == other.draft[field] else { return false }
    }
    return outline == other.outline && edges == other.edges && trigger == other.trigger
      && schedule == other.schedule && assurance == other.assurance && active == other.active
  }
}

extension WatchedZones: Hashable {
  /// Sets of the same revision are equal.
  public static func == (a: WatchedZones, b: WatchedZones) -> Bool { a.revision == b.revision }
  public func hash(into hasher: inout Hasher) { hasher.combine(revision) }
}

/// A zone near a place, by its slot in a set.
typealias NearZone = OutlineIndex.Neighbour

extension OutlineIndex.Neighbour {
  var zone: ZoneSlot { ZoneSlot(outline) }
  init(zone: ZoneSlot, distance: Distance) { self.init(outline: zone.index, distance: distance) }
}
