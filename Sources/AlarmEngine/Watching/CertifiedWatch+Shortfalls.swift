import Geometry

// MARK: What the phone cannot do

extension CertifiedWatch {
  /// Without fences the system wakes a suspended application for significant changes alone. Where all zones are
  /// farther than those may come late, they suffice for an effort; nearer, a session stays on.
  /// - Returns: whether it may be suspended.
  mutating func leaveToSignificantChanges(_ anchor: Fix, at now: Instant, _ zones: Surroundings) -> Bool {
    guard capabilities.fences == 0, capabilities.significantChanges, capabilities.background,
      let error = Self.error(of: anchor, .safety)
    else { return false }
    let spent = budget.bound(at: now, strictly: true, parameters)
    let least =
      parameters.significantDistance + parameters.greatestSpeed * parameters.significantDelay + error + spent
    let binding = zones.binding(at: anchor.position, toCome: true)
    guard binding.allSatisfy({ $0.concern == .entry && $0.toAlert >= least }) else { return false }
    stage = .coarse
    due = nil
    relaxedFixes = 0
    reason = WatchReason(.significantChangesOnly, margin: binding.map { $0.toAlert }.min())
    wishes.session = nil
    wishes.timer = nil
    wishes.fences = []
    wishes.significantChanges = true
    wishes.visits = capabilities.visits
    budget.told(.unknown, at: now, parameters)
    return true
  }

  /// Says once that a safety zone may hold the phone, where no position comes that could exclude it.
  mutating func warn(at now: Instant, _ zones: Surroundings) {
    guard failures > 0, let anchor, mayWatch else {
      warned = []
      return
    }
    for zone in zones.binding(at: anchor.position, toCome: false)
    where zone.assurance == .safety && mayHold(zone, anchor, at: now) && !warned.contains(zone.id) {
      warned.append(zone.id)
      requests.append(.warn(.cannotLocate(zone.id)))
    }
  }

  /// What is known does not exclude that the phone is at a zone that has not rung.
  func mayHold(_ zone: Surroundings.Nearby, _ anchor: Fix, at now: Instant) -> Bool {
    guard zone.concern == .entry, let error = Self.error(of: anchor, zone.assurance) else { return false }
    let strictly = parameters.isStrict(zone.assurance)
    return zone.toAlert - error <= budget.bound(at: now, strictly: strictly, parameters)
  }

  /// Fences are slow without Wi-Fi: the ring in which a session must stay on is as many times wider.
  mutating func noteWifi(since hadWifi: Bool) {
    if hadWifi, !capabilities.wifi, capabilities.host == .suspended { requests.append(.warn(.wifiIsOff)) }
  }

  /// A suspended application that is ended may never run again, by a person's hand or after a reboot: the phone is
  /// to say so by itself, and each time the application runs it puts that off.
  mutating func putOffSilence(at now: Instant, _ zones: Surroundings) {
    guard capabilities.host == .suspended, stage != .stopped, mayWatch,
      zones.hasWatchedZones || zones.hasZonesToCome
    else {
      wishes.silence = nil
      return
    }
    let span = stage.isSuspended ? parameters.silenceSuspended : parameters.silenceAwake
    // Not at every event: as long as most of the time is left, it stands.
    if let planned = told?.silence, planned >= now.adding(seconds: 0.75 * span),
      planned <= now.adding(seconds: span)
    {
      wishes.silence = planned
    } else {
      wishes.silence = now.adding(seconds: span)
    }
  }
}
