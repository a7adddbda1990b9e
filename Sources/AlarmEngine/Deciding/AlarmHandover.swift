import Geometry

/// Carries the alarms of a device over to a new set of zones.
struct AlarmHandover {
  /// The zones that are new or differ in place, time or assurance; ascending slots of the new set.
  private let changed: [ZoneSlot]
  /// The alarms that continue, and the memories of alarms that end; by slots of the new set.
  private(set) var alarms = SlotTable<ZoneAlarm>()
  /// The zones whose alarms end, with the reason, the most urgent first; slots of the old set.
  private(set) var ended: [(zone: ZoneSlot, why: Clearing)] = []

  /// - Parameter anchor: the last accepted fix.
  init(
    of former: SlotTable<ZoneAlarm>, in zones: WatchedZones, to next: WatchedZones, anchor: Fix?,
    _ settings: Settings
  ) {
    changed = next.changed(from: zones)
    for zone in former.slots {
      guard let alarm = former[zone] else { continue }
      let place = next.slot(of: zones[zone].id)
      if let place, next[place].active {
        let wasLeft = zones.rules(of: zone).trigger.ringsOnLeaving
        if !hasChanged(place) || Self.stillHolds(alarm, wasLeft, in: next, place, anchor, settings) {
          alarms[place] = alarm
          continue
        }
        if alarm.memory != AlarmMemory() { alarms[place] = ZoneAlarm(memory: alarm.memory) }
      }
      ended.append((zone, place == nil ? .zoneRemoved : .zoneEdited))
    }
  }

  /// True if a zone is new or differs in place, time or assurance.
  ///
  /// - Parameter zone: a slot of the new set.
  func hasChanged(_ zone: ZoneSlot) -> Bool {
    let place = changed.partitioningIndex { $0 >= zone }
    return place < changed.count && changed[place] == zone
  }

  /// True if an alarm that rings, or that counts the time outside, survives an edit of its zone.
  ///
  /// The phone has to be still at the edited zone; for a leave alarm, still away from it. An alarm of an event
  /// for which the zone no longer rings ends, because it would hide the next event that counts.
  ///
  /// - Parameter wasLeft: the zone rang on leaving before the edit.
  private static func stillHolds(
    _ alarm: ZoneAlarm, _ wasLeft: Bool, in next: WatchedZones, _ zone: ZoneSlot, _ anchor: Fix?,
    _ settings: Settings
  ) -> Bool {
    guard let anchor else { return false }
    let rules = next.rules(of: zone)
    let isLeft: Bool
    switch alarm.phase {
    case .ringing(let ringing): isLeft = ringing.cause == .left
    case .dwelling where wasLeft: isLeft = true
    case .idle, .confirming, .dwelling, .present: return false
    }
    guard isLeft ? rules.trigger.ringsOnLeaving : rules.trigger.kind != .leave else { return false }
    let vertical = rules.band.flatMap { Evidence.Vertical(anchor, radius: anchor.radius(settings), in: $0) }
    let isAt =
      next.distance(from: anchor.position, to: zone) <= rules.alertDistance
      && vertical?.side ?? .within == .within
    return isLeft ? !isAt : isAt
  }
}
