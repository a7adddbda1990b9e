/// What a person is told by the phone itself, because the watch can no longer do it.
struct ShortfallWarnings: Hashable, Sendable {
  /// Safety zones of which it was said that the phone may be in them unseen.
  private var warned: [ZoneID] = []

  /// Says once that a safety zone may hold the phone, where no position comes that could exclude it.
  ///
  /// - Parameter failures: requests in a row that brought no fix.
  mutating func due(
    failures: Int, _ known: PhoneKnowledge, _ zones: Surroundings, at now: Instant
  ) -> [WatchWarning] {
    guard failures > 0, let anchor = known.anchor, known.mayWatch else {
      warned = []
      return []
    }
    var warnings: [WatchWarning] = []
    for zone in zones.binding(at: anchor.position, toCome: false)
    where zone.assurance == .safety && known.mayBe(at: zone, now) && !warned.contains(zone.id) {
      warned.append(zone.id)
      warnings.append(.cannotLocate(zone.id))
    }
    return warnings
  }

  /// When the phone is to warn that nothing runs any more. A suspended application that is ended may never run again, by
  /// a person's hand or after a reboot; each time it runs it puts the warning off.
  ///
  /// - Parameter planned: the time that the phone was told last.
  func silence(
    stage: CertifiedStage, _ known: PhoneKnowledge, _ zones: Surroundings, planned: Instant?,
    at now: Instant
  ) -> Instant? {
    guard known.capabilities.host == .suspended, stage != .stopped, known.mayWatch,
      zones.hasWatchedZones || zones.hasZonesToCome
    else { return nil }
    let span: TimeSpan
    switch stage {
    case .fenced, .parked, .coarse: span = known.parameters.silenceSuspended
    case .stopped, .idle, .asking, .sleeping, .following, .ring, .fencing:
      span = known.parameters.silenceAwake
    }
    // Not at every event: as long as most of the time is left, it stands.
    if let planned, planned >= now + span * 0.75, planned <= now + span {
      return planned
    }
    return now + span
  }
}
