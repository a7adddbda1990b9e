import AlarmEngine

/// The zones by which a trial is judged. A zone that rings both ways is judged as one that rings on entering and as
/// another one, under an id of its own, that rings on leaving.
struct JudgedZones {
  let zones: [Zone]
  /// The zones that ring both ways.
  private let both: Set<ZoneID>

  init(_ zones: [Zone]) {
    both = Set(zones.filter { $0.trigger.ringsOnEntry && $0.trigger.ringsOnLeaving }.map(\.id))
    self.zones = zones.flatMap { zone in
      guard case .enterAndLeave(let passingCounts, let time) = zone.trigger else { return [zone] }
      func half(_ trigger: Trigger, _ id: ZoneID) -> [Zone] {
        var draft = zone.draft
        (draft.trigger, draft.leadTime, draft.id) = (trigger, nil, id)
        return [try? Zone(draft)].compactMap { $0 }
      }
      return half(.enter(passingCounts: passingCounts), zone.id)
        + half(.leave(after: time), Self.leaving(zone.id))
    }
  }

  /// The id under which the leaving of a zone is judged, and back.
  private static func leaving(_ zone: ZoneID) -> ZoneID { ZoneID(rawValue: zone.rawValue ^ 1 << 63) }

  /// The zone of which this is a part.
  func whole(_ judged: ZoneID) -> ZoneID {
    both.contains(Self.leaving(judged)) ? Self.leaving(judged) : judged
  }

  /// The values of zones, also for their parts.
  func withParts<Value>(_ values: [ZoneID: Value]) -> [ZoneID: Value] {
    values.merging(
      both.compactMap { zone in values[zone].map { (Self.leaving(zone), $0) } }, uniquingKeysWith: { $1 })
  }

  /// The alarms, each with the id under which it is judged.
  func attributed(_ alarms: [TrialRecord.Alarm]) -> [TrialRecord.Alarm] {
    if both.isEmpty { return alarms }
    return alarms.map { alarm in
      guard alarm.cause == .left, both.contains(alarm.zone) else { return alarm }
      return TrialRecord.Alarm(zone: Self.leaving(alarm.zone), raisedAt: alarm.raisedAt, cause: .left)
    }
  }

  /// True if a promise that is shown for the zone is one of this part: a phone for which the zone rang on entering is
  /// told when it would ring on leaving.
  func isPromised(_ judged: ZoneID, after alarms: [TrialRecord.Alarm]) -> Bool {
    let zone = whole(judged)
    guard both.contains(zone) else { return true }
    let isInside =
      switch alarms.last(where: { $0.zone == zone })?.cause {
      case .inside, .near, .possible: true
      case nil, .passed, .dwell, .left: false
      }
    return isInside == (judged != zone)
  }
}
