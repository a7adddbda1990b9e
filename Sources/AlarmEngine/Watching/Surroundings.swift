import Geometry

/// The zones of a device in the form that a watch policy needs: ``Timeline/surroundings(at:)``.
public struct Surroundings: Sendable {
  let zones: WatchedZones
  let alarms: SlotTable<ZoneAlarm>
  let armed: Bool
  public let now: Instant
  /// True if a better fix would decide something at once: a confirmation, a suspect position, or the exit
  /// from a zone that rings on leaving.
  public let wantsFix: Bool
  /// The errors of the phone's coarse fixes relative to the stated ones, as its fine fixes have shown them.
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
    wantsFix =
      armed
      && (suspectIsNearZone
        || alarms.slots.contains { alarms[$0]?.isUrgent(zones.rules(of: $0).trigger) ?? false })
  }

  /// The event that a policy waits for at a zone.
  public enum Concern: Hashable, Sendable {
    case entry
    /// The zone rings on leaving, and the phone is in it.
    case leaving
    /// The zone rang; it can ring again after the phone has left it.
    case clearing
    /// The zone rings if the phone is still there at that time.
    case dwelling(until: Instant)
    /// The zone was left, and rings at that time unless the phone is back.
    case away(until: Instant)
  }

  public struct Nearby: Hashable, Sendable {
    public let zone: ZoneSlot
    public let id: ZoneID
    /// The distance to the line at which the zone rings (inset and alert distance applied); negative inside.
    public let toAlert: Distance
    /// The distance to the effective edge; negative inside.
    public let toEdge: Distance
    public let assurance: Assurance
    public let concern: Concern
    /// The zone also rings this long before the predicted entry; nil if it has no lead time.
    public let leadTime: TimeSpan?
    /// True if the phone is known to be at the zone: its alarm rings, sleeps, dwells or waits for the exit.
    public var isAt: Bool {
      switch concern {
      case .entry, .away: false
      case .leaving, .clearing, .dwelling: true
      }
    }
  }

  /// The slots of the zones that have an area, the most urgent first.
  public var slots: Range<ZoneSlot> { ZoneSlot(0)..<ZoneSlot(zones.zones.count) }
  public var count: Int { zones.zones.count }
  public func id(of zone: ZoneSlot) -> ZoneID { zones[zone].id }
  /// Returns nil for an unknown zone and for one without an area.
  public func slot(of zone: ZoneID) -> ZoneSlot? { zones.slot(of: zone) }
  public func assurance(of zone: ZoneSlot) -> Assurance { zones.rules(of: zone).assurance }
  /// True if the zone waits for an entry at which it rings at once.
  func ringsOnEntry(_ zone: ZoneSlot) -> Bool {
    let trigger = zones.rules(of: zone).trigger
    return trigger.ringsOnEntry && !(trigger.ringsOnLeaving && concern(of: zone) == .leaving)
  }

  /// True if the zone rang when the phone left it, and no position has shown the phone surely outside since. It
  /// rings for a return only from inside by the error of the position (`docs/alarms.md`).
  func awaitsReturn(to zone: ZoneSlot) -> Bool {
    guard case .ringing(let ringing)? = alarms[zone]?.phase else { return false }
    return ringing.cause == .left && ringing.departure == nil
  }

  /// The zones without an area, which are never watched, and why they have none.
  public var withoutArea: [(zone: ZoneID, error: ZoneError)] { zones.refused }

  /// True if the zone is on duty: armed, active, and within its schedule.
  public func isWatched(_ zone: ZoneSlot) -> Bool {
    guard armed, zones[zone].active else { return false }
    guard let schedule = zones[zone].schedule else { return true }
    return schedule.isOpen(at: now)
  }

  /// Returns why a zone does not ring now, wherever the phone is; nil if it is watched.
  public func silence(of zone: ZoneSlot) -> Guarantee.Silence? {
    if !armed { return .disarmed }
    if !zones[zone].active { return .inactive }
    if !isWatched(zone) { return .scheduleClosed }
    if alarms[zone]?.memory.isQuiet(at: now) ?? false { return .acknowledgedForToday }
    return nil
  }

  var watchedCount: Int { armed ? zones.summary.openCount(at: now) : 0 }
  public var hasWatchedZones: Bool { watchedCount > 0 }
  /// True if a zone is on duty now or will be by its schedule.
  public var hasZonesToCome: Bool {
    hasWatchedZones || armed && zones.summary.nextOpening(after: now) != nil
  }

  /// True if the zone is on duty now or will be by its schedule. A suspended application cannot wake for the
  /// opening.
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
  /// Returns the `k` watched zones, or fewer, whose alert lines are nearest: nearest first, equal distances
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
      // The alert line of a zone that was not found is at least this far away.
      let bound = (found.last?.distance ?? .zero) - zones.farthestAlert
      if found.count < asked || (kept.count >= k && kept[k - 1].toAlert <= bound) {
        return Array(kept.prefix(k))
      }
      asked *= 2
    }
  }

  /// Returns the `k` watched zones, or fewer, whose edges are nearest; alert distances do not count.
  public func nearestEdges(_ k: Int, to position: Coordinate) -> [Nearby] {
    // Limited to the number of watched zones, since the loop would search all zones for more.
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

  /// Returns all watched zones whose alert line is within `radius`, nearest first.
  public func within(_ radius: Distance, of position: Coordinate) -> [Nearby] {
    zones.index.within(radius + zones.farthestAlert, of: position)
      .filter { isWatched($0.zone) }.map { nearby($0) }.filter { $0.toAlert <= radius }
      .sorted { ($0.toAlert, $0.zone) < ($1.toAlert, $1.zone) }
  }

  /// Returns one zone with its distances from `position`.
  public func nearby(_ zone: ZoneSlot, from position: Coordinate) -> Nearby {
    nearby(NearZone(zone: zone, distance: zones.distance(from: position, to: zone)))
  }

  /// Returns the zones that can need the earliest fix: for each assurance the nearest zone to be entered,
  /// with and without a lead time, and all zones that the phone is at.
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

  /// Returns the length of the stay after which the zone rings, if none runs and a position has to decide its end.
  func stayToCome(at zone: ZoneSlot) -> TimeSpan? {
    let rules = zones.rules(of: zone)
    guard case .dwell(let stay) = rules.trigger, rules.trigger.timeByClock(rules.assurance) == nil,
      concern(of: zone) == .entry
    else { return nil }
    return stay
  }

  /// Returns the end of the first stay that the latest fix does not decide, past or to come; nil if there is
  /// none.
  public func undecidedStay(at latest: Fix) -> Instant? {
    alarms.slots.compactMap { zone in
      if isWatched(zone), case .dwelling(let end) = concern(of: zone), end > latest.measuredAt {
        end
      } else {
        nil
      }
    }.min()
  }

  /// Returns a circle that contains the zone with its alert distance.
  public func enclosingCircle(of zone: ZoneSlot) -> (center: Coordinate, radius: Distance) {
    let circle = zones.entry(of: zone).outline.boundingCircle
    let grown = circle.radius - zones[zone].inset + zones.rules(of: zone).alertDistance
    return (circle.center, max(.zero, grown))
  }

  /// Returns the area before any inset.
  public func outline(of zone: ZoneSlot) -> Outline { zones.entry(of: zone).outline }

  /// Returns a circle that contains the zone without its alert distance.
  func enclosingCircleOfArea(_ zone: ZoneSlot) -> (center: Coordinate, radius: Distance) {
    let circle = zones.entry(of: zone).outline.boundingCircle
    return (circle.center, max(.zero, circle.radius - zones[zone].inset))
  }

  /// Returns roughly the greatest distance from the zone's edge to a point inside.
  public func reach(of zone: ZoneSlot) -> Distance { zones.reach(of: zone) }

  func concern(of zone: ZoneSlot) -> Concern {
    switch alarms[zone]?.phase {
    case nil, .idle, .confirming: return .entry
    case .present: return .leaving
    case .ringing(let ringing):
      guard zones.rules(of: zone).trigger.ringsBothWays else { return .clearing }
      return ringing.cause == .left ? .entry : ringing.isOfStay ? .leaving : .clearing
    case .dwelling(let since, _):
      switch zones.rules(of: zone).trigger {
      case .enter: return .clearing
      case .leave(let time), .enterAndLeave(_, let time): return .away(until: since + time)
      case .dwell(let time): return .dwelling(until: since + time)
      }
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
  /// True if a better fix is needed at once. An alarm that rings and a dwell can wait for theirs.
  fileprivate func isUrgent(_ trigger: Trigger) -> Bool {
    switch phase {
    case .confirming: true
    case .present(let departure): departure != nil
    case .ringing(let ringing):
      trigger.ringsBothWays && ringing.isOfStay && ringing.departure != nil
    case .idle, .dwelling: false
    }
  }
}
