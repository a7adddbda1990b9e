import Geometry

/// The zones of a device as a watch policy needs them: ``Timeline/surroundings(at:)``.
public struct Surroundings: Sendable {
  let zones: WatchedZones
  let alarms: SlotTable<ZoneAlarm>
  let armed: Bool
  public let now: Instant
  /// A better fix would settle something at once: a confirmation, a suspect, a way out of a leave zone.
  public let wantsFix: Bool
  /// What the phone's own fixes have said of coarse ones.
  let errors: SensorMemory.ErrorFactors

  init(
    zones: WatchedZones, alarms: SlotTable<ZoneAlarm>, armed: Bool, now: Instant, suspectIsNearZone: Bool,
    errors: SensorMemory.ErrorFactors = SensorMemory().errorFactors
  ) {
    self.zones = zones
    self.alarms = alarms
    self.armed = armed
    self.now = now
    self.errors = errors
    wantsFix = armed && (suspectIsNearZone || alarms.values.contains { $0.isUrgent })
  }

  /// What a policy waits for at a zone.
  public enum Concern: Hashable, Sendable {
    case entry
    /// Its alarm rings on leaving, and the phone is in it.
    case leaving
    /// Its alarm rang; it can ring again once it was left.
    case clearing
    /// It rings if the phone is still there then.
    case dwelling(until: Instant)
  }

  public struct Nearby: Hashable, Sendable {
    public let zone: ZoneSlot
    public let id: ZoneID
    /// To the line at which it rings (inset and alert distance applied), negative within.
    public let toAlert: Distance
    /// To the effective edge, negative within.
    public let toEdge: Distance
    public let assurance: Assurance
    public let concern: Concern
    /// It rings this long before the predicted entry, where it does.
    public let leadTime: TimeSpan?
    /// The phone is known to be at the zone: its alarm rings, sleeps, dwells or waits for leaving.
    public var isAt: Bool { concern != .entry }
  }

  /// The zones that have an area, the most urgent first.
  public var slots: Range<ZoneSlot> { ZoneSlot(0)..<ZoneSlot(zones.zones.count) }
  public var count: Int { zones.zones.count }
  public func id(of zone: ZoneSlot) -> ZoneID { zones[zone].id }
  /// Nil for a zone that is not among them, or that has no area.
  public func slot(of zone: ZoneID) -> ZoneSlot? { zones.slot(of: zone) }
  public func assurance(of zone: ZoneSlot) -> Assurance { zones.rules(of: zone).assurance }
  func ringsOnEntry(_ zone: ZoneSlot) -> Bool {
    if case .enter = zones.rules(of: zone).trigger { true } else { false }
  }
  /// Zones that never watch, with the reason.
  public var withoutArea: [(zone: ZoneID, error: ZoneError)] { zones.refused }

  /// On duty: armed, active, and within its schedule.
  public func isWatched(_ zone: ZoneSlot) -> Bool {
    guard armed, zones[zone].active else { return false }
    guard let schedule = zones[zone].schedule else { return true }
    return schedule.isOpen(at: now)
  }

  /// Why a zone says nothing at this time, whatever the phone does; nil for one that is watched.
  public func silence(of zone: ZoneSlot) -> Guarantee.Silence? {
    if !armed { return .disarmed }
    if !zones[zone].active { return .inactive }
    if !isWatched(zone) { return .scheduleClosed }
    if alarms[zone]?.memory.isQuiet(at: now) ?? false { return .acknowledgedForToday }
    return nil
  }

  var watchedCount: Int { armed ? zones.summary.openCount(at: now) : 0 }
  public var hasWatchedZones: Bool { watchedCount > 0 }
  /// A zone is on duty now or will be by its schedule.
  public var hasZonesToCome: Bool {
    hasWatchedZones || armed && zones.summary.nextOpening(after: now) != nil
  }

  /// Now, or later by its schedule: a suspended application cannot wake for the opening.
  func isWatchedSometime(_ zone: ZoneSlot) -> Bool {
    guard armed, zones[zone].active else { return false }
    guard let schedule = zones[zone].schedule else { return true }
    return schedule.isOpen(at: now) || schedule.nextOpening(after: now) != nil
  }

  /// The next time at which a zone's schedule opens or closes.
  public var nextScheduleChange: Instant? {
    armed ? zones.summary.nextScheduleChange(after: now) : nil
  }
}

// MARK: Distances

extension Surroundings {
  /// The watched zones nearest by distance to their alert line, at most `k` of them, nearest first, equal distances
  /// by urgency.
  public func nearest(_ k: Int, to position: Coordinate) -> [Nearby] {
    nearest(min(k, watchedCount), to: position) { isWatched($0) }
  }

  func nearest(_ k: Int, to position: Coordinate, where wanted: (ZoneSlot) -> Bool) -> [Nearby] {
    guard k > 0 else { return [] }
    var asked = max(8, k)
    while true {
      let found = zones.index.nearest(asked, to: position)
      let kept = found.filter { wanted($0.zone) }.map { nearby($0) }
        .sorted { ($0.toAlert, $0.zone) < ($1.toAlert, $1.zone) }
      // A zone not yet found is at least this far from its alert line.
      let bound = (found.last?.distance ?? .zero) - zones.farthestAlert
      if found.count < asked || (kept.count >= k && kept[k - 1].toAlert <= bound) {
        return Array(kept.prefix(k))
      }
      asked *= 2
    }
  }

  /// The same by distance to the edge itself, alert distances left aside.
  public func nearestEdges(_ k: Int, to position: Coordinate) -> [Nearby] {
    // No more than there are, or all would be looked through.
    let k = min(k, watchedCount)
    guard k > 0 else { return [] }
    var asked = max(8, k)
    while true {
      let found = zones.index.nearest(asked, to: position)
      let kept = found.filter { isWatched($0.zone) }.map { nearby($0) }
      if found.count < asked || kept.count >= k { return Array(kept.prefix(k)) }
      asked *= 2
    }
  }

  /// All watched zones whose alert line is within `radius`, nearest first.
  public func within(_ radius: Distance, of position: Coordinate) -> [Nearby] {
    zones.index.within(radius + zones.farthestAlert, of: position)
      .filter { isWatched($0.zone) }.map { nearby($0) }.filter { $0.toAlert <= radius }
      .sorted { ($0.toAlert, $0.zone) < ($1.toAlert, $1.zone) }
  }

  /// One zone as it lies from `position`.
  public func nearby(_ zone: ZoneSlot, from position: Coordinate) -> Nearby {
    nearby(NearZone(zone: zone, distance: zones.distance(from: position, to: zone)))
  }

  /// The zones that can ask for the earliest fix: of each assurance the nearest one that is to be entered, and all
  /// where the phone is.
  func binding(at position: Coordinate, toCome: Bool) -> [Nearby] {
    func isWanted(_ zone: ZoneSlot) -> Bool { toCome ? isWatchedSometime(zone) : isWatched(zone) }
    var chosen: [Nearby] = []
    for assurance in Assurance.allCases {
      for withLead in [false, true] where zones.summary.hasZones(assurance, withLead: withLead) {
        chosen += nearest(1, to: position) {
          zones.rules(of: $0).assurance == assurance && (zones[$0].leadTime != nil) == withLead
            && isWanted($0) && concern(of: $0) == .entry
        }
      }
    }
    for zone in alarms.slots where isWanted(zone) && concern(of: zone) != .entry {
      chosen.append(nearby(zone, from: position))
    }
    return chosen
  }

  /// A circle that contains the zone with its alert distance.
  public func enclosingCircle(of zone: ZoneSlot) -> (center: Coordinate, radius: Distance) {
    let circle = zones.entry(of: zone).outline.boundingCircle
    let grown = circle.radius - zones[zone].inset + zones.rules(of: zone).alertDistance
    return (circle.center, max(.zero, grown))
  }

  /// The area before any inset.
  public func outline(of zone: ZoneSlot) -> Outline { zones.entry(of: zone).outline }

  /// The same without the alert distance.
  func enclosingCircleOfArea(_ zone: ZoneSlot) -> (center: Coordinate, radius: Distance) {
    let circle = zones.entry(of: zone).outline.boundingCircle
    return (circle.center, max(.zero, circle.radius - zones[zone].inset))
  }

  /// Roughly how far inside the zone one can get.
  public func reach(of zone: ZoneSlot) -> Distance { zones.reach(of: zone) }

  func concern(of zone: ZoneSlot) -> Concern {
    switch alarms[zone]?.phase {
    case nil, .idle, .confirming: return .entry
    case .present: return .leaving
    case .ringing: return .clearing
    case .dwelling(let since, _):
      guard case .dwell(let length) = zones.rules(of: zone).trigger else { return .clearing }
      return .dwelling(until: since + length)
    }
  }

  private func nearby(_ neighbour: NearZone) -> Nearby {
    let zone = neighbour.zone
    return Nearby(
      zone: zone, id: zones[zone].id,
      toAlert: neighbour.distance - zones.rules(of: zone).alertDistance,
      toEdge: neighbour.distance, assurance: zones.rules(of: zone).assurance, concern: concern(of: zone),
      leadTime: zones[zone].leadTime)
  }
}

extension ZoneAlarm {
  /// A better fix is wanted at once. A ringing alarm on its way out and a dwell can wait for theirs.
  fileprivate var isUrgent: Bool {
    switch phase {
    case .confirming: true
    case .present(let departure): departure != nil
    case .idle, .dwelling, .ringing: false
    }
  }
}
