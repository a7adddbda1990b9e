import Geometry

/// Zones made ready for watching: the most urgent first, with their index.
///
/// Built once per edit, immutable, and shared by all the devices that watch these zones: a further device costs one
/// reference, however many zones there are. A zone without an area, or with a number beyond its range, is left out and
/// named in `refused`; the others are watched.
///
/// After an edit, build the next set from the one before (`replacing:`): outlines that stay as they are are taken
/// over, and what changed is worked out once for all devices, instead of by each.
public final class WatchedZones: Sendable {
  public let zones: [Zone]
  public let refused: [(zone: ZoneID, error: ZoneError)]
  /// Made from all that the engine looks at: the same number for the same zones, in every run and on every machine.
  /// ``Timeline/snapshot()`` holds it in place of the zones.
  public let revision: UInt64
  /// Stands in for the size of zones that state none.
  public let defaultRadius: Distance
  let index: OutlineIndex
  private let rules: [SharedZoneRules]
  private let slots: [ZoneID: ZoneSlot]
  private let reaches: [Distance]
  /// The zones with a schedule.
  let scheduled: [ZoneSlot]
  /// The schedules of active zones, each once.
  private let schedules: [Schedule]
  /// What differs from the set that this one replaced.
  private let edit: Edit?
  /// The greatest alert distance and lead time: how far out a zone can matter.
  let farthestAlert: Distance
  let longestLead: TimeSpan
  /// Which assurances there are, without a lead time and with one: a bit each.
  private let kinds: UInt8
  let widestFactor: Double

  private struct Edit: Sendable {
    let former: UInt64
    let changed: [ZoneSlot]
  }

  /// - Parameters:
  ///   - defaultRadius: for zones that state no size.
  ///   - former: the set that this one takes the place of; changes nothing but the work that is left to do.
  ///   - unreadable: zones that could not be read where they are kept, with the reason; named in `refused` too.
  /// - Complexity: O(n log n); 10,000 zones take some tens of milliseconds, after an edit of some of them less.
  public init(
    _ zones: [Zone], defaultRadius: Distance = Settings().defaultRadius,
    replacing former: WatchedZones? = nil,
    unreadable: [(zone: ZoneID, error: ZoneError)] = []
  ) {
    var kept: [Zone] = []
    var entries: [OutlineIndex.Entry] = []
    var unchanged: [Int32] = []
    var rules: [SharedZoneRules] = []
    var reaches: [Distance] = []
    var scheduled: [ZoneSlot] = []
    var schedules: [Schedule] = []
    var knownSchedules: Set<[UInt8]> = []
    var (farthestAlert, longestLead, kinds, widestFactor) = (Distance.zero, TimeSpan.zero, UInt8(0), 0.0)
    var refused = unreadable
    var slots: [ZoneID: ZoneSlot] = [:]
    slots.reserveCapacity(zones.count)
    kept.reserveCapacity(zones.count)
    entries.reserveCapacity(zones.count)
    unchanged.reserveCapacity(zones.count)
    rules.reserveCapacity(zones.count)
    reaches.reserveCapacity(zones.count)
    var shapeless: Set<ZoneID> = []
    // Numbers are moved about, which costs less than zones.
    for place in zones.indices.sorted(by: { isMoreUrgent(zones[$0], zones[$1]) }) {
      let zone = zones[place]
      let twin = slots[zone.id]
      if twin != nil || shapeless.contains(zone.id) {
        // The same zone twice is one zone; another one may not be dropped in silence.
        if twin.map({ kept[$0.index] == zone }) != true { refused.append((zone.id, .idTaken)) }
        continue
      }
      do throws(ZoneError) {
        let shape = try zone.shape(defaultRadius: defaultRadius)
        let known = former?.outline(of: zone, defaultRadius: defaultRadius)
        let slot = ZoneSlot(kept.count)
        slots[zone.id] = slot
        entries.append(OutlineIndex.Entry(outline: known?.outline ?? Outline(shape), inset: zone.inset))
        unchanged.append(known.map { $0.inset == zone.inset ? Int32($0.slot.index) : -1 } ?? -1)
        rules.append(SharedZoneRules(zone))
        reaches.append(max(.zero, Self.reach(of: shape) - zone.inset))
        if let schedule = zone.schedule {
          scheduled.append(slot)
          if zone.active, knownSchedules.insert(FieldWriter.write({ $0.schedule(schedule) })).inserted {
            schedules.append(schedule)
          }
        }
        farthestAlert = max(farthestAlert, zone.alertDistance)
        longestLead = max(longestLead, zone.leadTime ?? .zero)
        kinds |= Self.kind(zone.assurance, withLead: zone.leadTime != nil)
        widestFactor = max(widestFactor, Rule.errorFactor(zone.assurance))
        kept.append(zone)
      } catch {
        shapeless.insert(zone.id)
        refused.append((zone.id, error))
      }
    }
    self.zones = kept
    self.refused = refused
    self.slots = slots
    self.defaultRadius = defaultRadius
    revision = Self.revision(of: kept, defaultRadius: defaultRadius)
    index =
      former.map { OutlineIndex(entries, replacing: $0.index, unchanged: unchanged) } ?? OutlineIndex(entries)
    self.rules = rules
    self.reaches = reaches
    self.scheduled = scheduled
    self.schedules = schedules
    self.farthestAlert = farthestAlert
    self.longestLead = longestLead
    self.kinds = kinds
    self.widestFactor = kept.isEmpty ? 1 : widestFactor
    edit = former.map { Edit(former: $0.revision, changed: Self.changed(in: kept, from: $0)) }
  }

  /// In their order, the zones that watch otherwise than in `former`, new ones among them.
  ///
  /// - Complexity: O(1) when this set was built from `former`, else O(n).
  func changed(from former: WatchedZones) -> [ZoneSlot] {
    if revision == former.revision { return [] }
    if let edit, edit.former == former.revision { return edit.changed }
    return Self.changed(in: zones, from: former)
  }

  private static func changed(in zones: [Zone], from former: WatchedZones) -> [ZoneSlot] {
    zones.indices.filter { index in
      guard let old = former.slot(of: zones[index].id) else { return true }
      return !former[old].watchesAsMuch(as: zones[index])
    }.map { ZoneSlot($0) }
  }

  /// The outline that a zone had in this set, if it still is the zone's, with its slot and inset.
  private func outline(
    of zone: Zone, defaultRadius: Distance
  ) -> (outline: Outline, slot: ZoneSlot, inset: Distance)? {
    guard defaultRadius == self.defaultRadius, let slot = slots[zone.id] else { return nil }
    let known = self[slot]
    guard known.outline == zone.outline, known.edges == zone.edges, known.size == zone.size else {
      return nil
    }
    return (entry(of: slot).outline, slot, known.inset)
  }

  /// When the next schedule of an active zone opens or closes.
  func nextScheduleChange(after now: Instant) -> Instant? {
    schedules.compactMap { $0.nextChange(after: now) }.min()
  }

  func slot(of zone: ZoneID) -> ZoneSlot? { slots[zone] }

  subscript(slot: ZoneSlot) -> Zone { _read { yield zones[slot.index] } }

  func rules(of slot: ZoneSlot) -> SharedZoneRules { rules[slot.index] }

  func entry(of slot: ZoneSlot) -> OutlineIndex.Entry { index.entries[slot.index] }

  func distance(from place: Coordinate, to slot: ZoneSlot) -> Distance {
    index.distance(from: place, to: slot.index)
  }

  /// Whether any zone is of this kind: no search for the nearest of a kind that there is not.
  func hasZones(_ assurance: Assurance, withLead: Bool) -> Bool {
    kinds & Self.kind(assurance, withLead: withLead) != 0
  }

  private static func kind(_ assurance: Assurance, withLead: Bool) -> UInt8 {
    1 << (assurance.rawValue * 2 + (withLead ? 1 : 0))
  }

  /// How far inside one can get, roughly: twice the area over the perimeter, which is the radius of a circle and
  /// between once and twice the radius of the largest circle within a convex shape; less the inset, at least 0.
  func reach(of slot: ZoneSlot) -> Distance { reaches[slot.index] }

  private static func reach(of shape: Shape) -> Distance {
    switch shape {
    case .circle(_, let radius): return radius
    case .corridor(_, let halfWidth, _): return halfWidth
    case .polygon(let polygon):
      var area = 0.0
      var perimeter = 0.0
      for part in polygon.parts {
        for (number, ring) in ([part.outer] + part.holes).enumerated() {
          let (ringArea, length) = measure(ring)
          area += number == 0 ? ringArea : -ringArea
          perimeter += length
        }
      }
      return perimeter > 0 ? .metres(max(0, 2 * area / perimeter)) : .zero
    }
  }

  /// Area and length in a plane about the ring's first vertex: a rough figure is all that is needed.
  private static func measure(_ ring: Ring) -> (area: Double, length: Double) {
    let origin = ring.vertices[0]
    let shrink = Trigonometry.cosine(origin.latitude.radians)
    var area = 0.0
    var length = 0.0
    var former: (x: Double, y: Double)?
    for vertex in ring.vertices + [origin] {
      var turn = vertex.longitude.degrees - origin.longitude.degrees
      if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
      let x = turn * Earth.meanMetresPerDegree * shrink
      let y = (vertex.latitude.degrees - origin.latitude.degrees) * Earth.meanMetresPerDegree
      if let (fx, fy) = former {
        area += fx * y - x * fy
        length += ((x - fx) * (x - fx) + (y - fy) * (y - fy)).squareRoot()
      }
      former = (x, y)
    }
    return (abs(area) / 2, length)
  }
}

extension WatchedZones {
  /// Nil for a zone that is not among them, or that has no area.
  public func zone(_ id: ZoneID) -> Zone? { slot(of: id).map { self[$0] } }

  /// The active zones nearest by distance to their alert line, at most `k` of them, nearest first, equal distances by
  /// urgency. Whether their schedules are open is left aside.
  public func nearest(_ k: Int, to position: Coordinate) -> [Zone] {
    let surroundings = Surroundings(
      zones: self, alarms: [:], armed: true, now: Instant.allowed.lowerBound, suspectIsNearZone: false)
    return surroundings.nearest(k, to: position) { self[$0].active }.map { self[$0.zone] }
  }
}

extension Zone {
  /// Whether both zones ring at the same places and times, with the same assurance. An alarm survives such an
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
