/// The warnings to the person when the watch cannot do its work.
struct ShortfallWarnings: Hashable, Sendable {
  /// The safety zones that were already warned of.
  private var warned: [ZoneID] = []

  /// Returns a warning, once, for each safety zone that may hold the phone while no position comes that could
  /// exclude it.
  ///
  /// - Parameter failures: the number of requests in a row that brought no fix.
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

  /// Returns when the phone itself should warn that the application no longer runs. A suspended application
  /// that was ended may never run again, if a person ended it or the phone was restarted. Each run postpones
  /// the warning.
  ///
  /// - Parameter planned: the time that the phone was last told.
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
    // The warning is not postponed at each event, but once a quarter of the time has passed.
    if let planned, planned >= now + span * 0.75, planned <= now + span {
      return planned
    }
    return now + span
  }
}
