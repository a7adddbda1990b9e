import Geometry

extension CertifiedWatch {
  public func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
    if stage == .stopped { return .notWatched(.stopped) }
    if !known.capabilities.authorized { return .notWatched(.notAuthorized) }
    if !known.capabilities.preciseLocation { return .bestEffort(.approximateOnly) }
    if known.capabilities.host == .visibleOnly { return .visibleOnly(isHidden: isHidden) }
    if !known.capabilities.background { return .bestEffort(.onlyInUse) }
    guard let anchor = known.anchor else { return .bestEffort(.noFix) }
    if fixRequests.failures > 0 || !stage.isSuspended && known.isLost(at: zones.now) {
      let mayBeThere = known.mayBe(at: zones.nearby(zone, from: anchor.position), zones.now)
      return .bestEffort(mayBeThere ? .mayBeInside : .noFix)
    }
    if stage == .coarse { return .bestEffort(.significantChangesOnly) }
    if known.suspect != nil { return .bestEffort(.suspectPosition) }
    if zones.concern(of: zone) == .clearing { return .bestEffort(.rangAlready) }
    let nearby = zones.nearby(zone, from: anchor.position)
    if stage.isParking, !SuspensionPlan(around: anchor, zones, known).noticesWay(to: nearby) {
      return .bestEffort(.parkedBeside)
    }
    var promise = Guarantee.Promise(
      zones.assurance(of: zone), isEntry: zones.ringsOnEntry(zone),
      ringsAtEdge: ringsAtEdge(nearby, zones), in: stage, known, askedAt: fixRequests.askedAt,
      isHurried: firstFixDue(at: zones.now).map { known.mayCross(nearby, by: $0) || nearby.isOver(at: $0) }
        ?? false,
      fromDeparture: known.isPromisedFromDeparture(nearby, zones.now), at: zones.now)
    promise.late = promise.late + known.unnoticedPart(ofStayAt: nearby.id)
    if let stay = zones.stayToCome(at: zone) {
      // First its beginning has to be noticed, then its end.
      promise.late = promise.late + known.lookTime(at: zones.now + stay, now: zones.now) + parameters.handling
    }
    return .guaranteed(promise)
  }

  /// True if the zone rings as soon as being inside cannot be excluded.
  private func ringsAtEdge(_ zone: Surroundings.Nearby, _ zones: Surroundings) -> Bool {
    // Without satellites, a position that merely does not exclude a safety zone may be that of a phone at
    // rest.
    guard zone.assurance == .safety, zones.ringsOnEntry(zone.zone), !known.isBlind(at: zones.now),
      !zones.awaitsReturn(to: zone.zone)
    else { return false }
    // Nor does it ring for a phone that rests and may have crossed the edge before.
    return known.budget.motion != .still || !known.mayCross(zone, by: zones.now)
      || known.isPromisedFromDeparture(zone, zones.now)
  }

  /// The time by which satellites give the next fix; nil if a session has had one.
  private func firstFixDue(at now: Instant) -> Instant? {
    var since = now
    switch stage {
    case .following(let session):
      if let usedAt = known.satellites.usedAt, usedAt > session.began { return nil }
      since = session.began
    case .asking: since = fixRequests.askedAt ?? now
    case .stopped, .idle, .sleeping, .ring, .fencing, .fenced, .parked, .coarse: break
    }
    return max(now, since + known.firstFix(at: since) + parameters.handling)
  }
}

extension Guarantee.Promise {
  /// Creates the certified policy's promise for zones of an assurance.
  ///
  /// - Parameters:
  ///   - isEntry: the zone rings on entry. A zone that rings on leaving or after a stay needs a position
  ///     beyond the line.
  ///   - ringsAtEdge: the zone rings as soon as being inside cannot be excluded.
  ///   - askedAt: the time of the request that is still unanswered.
  ///   - isHurried: the first fix by satellites may come after the line was crossed.
  ///   - fromDeparture: the phone rests so near that it may enter before the motion hardware reports its
  ///     departure.
  init(
    _ assurance: Assurance, isEntry: Bool, ringsAtEdge: Bool, in stage: CertifiedStage,
    _ known: PhoneKnowledge, askedAt: Instant?, isHurried: Bool, fromDeparture: Bool, at now: Instant
  ) {
    let (parameters, capabilities) = (known.parameters, known.capabilities)
    let isBlind = known.isBlind(at: now)
    self.init(
      upTo: parameters.greatestSpeed, late: .zero, after: .entry, line: ringsAtEdge ? .edge : .insideByError,
      coarse: assurance == .relaxed || ringsAtEdge ? .zero : Rule.confirmation,
      unannounced: known.trustedSpeed(assurance, at: now))
    var isFollowing = false
    var nextFix = askedAt
    switch stage {
    case .parked, .fencing(_, isParking: true):
      after = .departure
      late = parameters.run(assurance, wifi: capabilities.wifi)
      unannounced = nil
      return
    case .following: isFollowing = true
    case .sleeping(let due), .ring(let due): nextFix = due ?? askedAt
    case .stopped, .idle, .asking, .fencing, .fenced, .coarse: break
    }
    var fix = parameters.networkFix
    if isBlind {
      fix = known.blindFix(at: now)
    } else if capabilities.gnss {
      // A safety zone's deadline allows twice the time to a fix, enough to warm up a session before any
      // entry. A phone at rest in a zone, or just beside one, can cross its edge without such a time.
      let isWarm = (isFollowing || assurance == .safety && isEntry && !fromDeparture) && !isHurried
      // The receiver is cold when a request is due in the far future.
      fix = isWarm ? parameters.sessionFix : nextFix.map { known.firstFix(at: $0) } ?? parameters.coldFix
    }
    let lateness = parameters.lateness(assurance, capabilities.battery)
    late = max(lateness, parameters.handling + fix) + parameters.handling
    if fromDeparture {
      after = .departure
      unannounced = nil
      late = late + parameters.motionDelay
    } else if assurance != .safety, !isFollowing,
      parameters.cap(known.budget.motion) < parameters.greatestSpeed
    {
      late = late + parameters.motionDelay
    }
    // Two positions have to show that it was left.
    if assurance == .relaxed, !isEntry {
      late = late + Rule.betweenClearFixes + known.lookTime(at: now, now: now)
    }
  }
}
