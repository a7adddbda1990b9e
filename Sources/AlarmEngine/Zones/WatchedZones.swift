import Geometry

/// Zones made ready for watching: the most urgent first, with their index.
///
/// Built once per edit, immutable, and shared by all the devices that watch these zones: a further device costs one
/// reference, however many zones there are. A zone without an area, or with a number beyond its range, is left out and
/// named in `refused`; the others are watched.
///
/// After an edit, build the next set from the one before: it shares what stays as it is, and what changed is worked out once
/// for all devices, instead of by each.
public final class WatchedZones: Sendable {
  public let refused: [(zone: ZoneID, error: ZoneError)]
  /// Made from all that the engine looks at: the same number for the same zones, in every run and on every machine.
  /// ``Timeline/snapshot()`` holds it in place of the zones.
  public let revision: UInt64
  /// Stands in for the size of zones that state none.
  public let defaultRadius: Distance
  let index: OutlineIndex
  let layout: ZoneLayout
  /// What differs from the set that this one replaced.
  private let edit: Edit?
  /// The greatest alert distance: how far out a zone can matter.
  let farthestAlert: Distance
  let longestLead: TimeSpan
  let widestFactor: Double

  private struct Edit: Sendable {
    let former: UInt64
    let changed: [ZoneSlot]
  }

  /// - Parameters:
  ///   - defaultRadius: for zones that state no size.
  ///   - former: the set that this one takes the place of; changes nothing but the work that is left to do.
  ///   - unreadable: zones that could not be read where they are kept, with the reason; named in `refused` too.
  /// - Complexity: O(n log n); 10,000 zones take some tens of milliseconds. With a former set all are compared with those in it,
  ///   which takes a tenth of that, and what differs as long as with ``init(editing:putting:removing:)``.
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

  /// The zones of `former` with some taken away and some put in, each in the place of the one with its id if there is one.
  ///
  /// The same set as one that is built of all these zones.
  /// - Complexity: O(k log n) for the k zones that came or went in the last edits; O(n log n) for one edit of some hundred.
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

  /// In their order, the zones that watch otherwise than in `former`, new ones among them.
  ///
  /// - Complexity: O(1) when this set was built from `former`, else O(n).
  func changed(from former: WatchedZones) -> [ZoneSlot] {
    if revision == former.revision { return [] }
    if let edit, edit.former == former.revision { return edit.changed }
    return layout.changed(from: former.layout, among: layout.list.indices.map { ZoneSlot($0) })
  }

  /// What holds for all of them together.
  var summary: ZoneSummary { _read { yield layout.summary } }

  func slot(of zone: ZoneID) -> ZoneSlot? { layout.slot(of: zone) }

  subscript(slot: ZoneSlot) -> Zone { _read { yield layout.watched(slot).zone } }

  func rules(of slot: ZoneSlot) -> SharedZoneRules { layout.watched(slot).rules }

  func entry(of slot: ZoneSlot) -> OutlineIndex.Entry { index.entries[slot.index] }

  /// - Parameter place: of the position in space, where it is known.
  func distance(from position: Coordinate, at place: Cartesian? = nil, to slot: ZoneSlot) -> Distance {
    index.distance(from: position, at: place, to: slot.index)
  }

  /// How far inside one can get, roughly: twice the area over the perimeter, which is the radius of a circle and
  /// between once and twice the radius of the largest circle within a convex shape; less the inset, at least 0.
  func reach(of slot: ZoneSlot) -> Distance { layout.watched(slot).reach }
}

extension WatchedZones {
  /// Nil for a zone that is not among them, or that has no area.
  public func zone(_ id: ZoneID) -> Zone? { slot(of: id).map { self[$0] } }

  /// The active zones nearest by distance to their alert line, at most `k` of them, nearest first, equal distances by
  /// urgency. Whether their schedules are open is left aside.
  public func nearest(_ k: Int, to position: Coordinate) -> [Zone] {
    let surroundings = Surroundings(
      zones: self, alarms: SlotTable(), armed: true, now: Instant.allowed.lowerBound, suspectIsNearZone: false
    )
    return surroundings.nearest(k, to: position) { self[$0].active }.map { self[$0.zone] }
  }
}

extension Zone {
  /// True if both zones ring at the same places and times, with the same assurance. An alarm survives such an
  /// edit.
  func watchesAsMuch(as other: Zone) -> Bool {
    outline == other.outline && edges == other.edges && size == other.size && inset == other.inset
      && alertDistance == other.alertDistance && leadTime == other.leadTime && band == other.band
      && trigger == other.trigger
      && schedule == other.schedule && assurance == other.assurance && active == other.active
  }
}

extension WatchedZones: Hashable {
  /// Sets of one revision watch alike.
  public static func == (a: WatchedZones, b: WatchedZones) -> Bool { a.revision == b.revision }
  public func hash(into hasher: inout Hasher) { hasher.combine(revision) }
}

/// A zone near a place, by its slot in a set.
typealias NearZone = OutlineIndex.Neighbour

extension OutlineIndex.Neighbour {
  var zone: ZoneSlot { ZoneSlot(outline) }
  init(zone: ZoneSlot, distance: Distance) { self.init(outline: zone.index, distance: distance) }
}
