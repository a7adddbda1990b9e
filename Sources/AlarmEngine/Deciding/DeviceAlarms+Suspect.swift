import Geometry

/// Handles a quarantined fix in a zone: if no other fix decides in time, a person is told that the phone is
/// perhaps inside.
extension DeviceAlarms {
  /// True if a quarantined fix lies where a zone would ring.
  var suspectIsNearZone: Bool { tracking.suspect.map { !zonesThatRing(at: $0).isEmpty } ?? false }

  /// The time until which another fix is awaited; nil without a quarantined fix near a zone, and after that
  /// time.
  var suspectDeadline: Instant? {
    guard let suspect = tracking.suspect else { return nil }
    let deadline = suspect.measuredAt + Rule.confirmation
    return clock.map { $0 < deadline } ?? true && suspectIsNearZone ? deadline : nil
  }

  /// Reports, for each entry zone at rest, that the phone is perhaps inside.
  mutating func tellOfSuspect(at now: Instant, _ log: inout DecisionLog) {
    guard let suspect = tracking.suspect else { return }
    var step = Step(fix: suspect, former: nil, decidedAt: now, settings, atMost: .zero, places: nil)
    step.isSuspect = true
    for neighbour in zonesThatRing(at: suspect) {
      guard rules(of: neighbour.zone).trigger.ringsOnEntry,
        (alarms[neighbour.zone] ?? ZoneAlarm()).phase == .idle
      else { continue }
      _ = decide(neighbour, after: &step, whole: false, learnedAt: max(now, suspect.receivedAt), &log)
    }
  }

  private func zonesThatRing(at suspect: Fix) -> [NearZone] {
    zones.index.within(zones.farthestAlert, of: suspect.position).filter {
      offDuty($0.zone, at: suspect.measuredAt) == nil
    }
  }
}
