import Geometry

// MARK: Suspended inside a fence

extension CertifiedWatch {
  /// Lays a fence and lets the application be suspended, where that keeps the promise.
  ///
  /// A phone that left a fence of radius r has been beyond r and the cushion for no longer than the system's delay
  /// when the application runs again, and for the time of a fix when that is known: if all of it fits before the
  /// nearest zone, none is entered in between. The fence is round the *reported* place, so that place's error does
  /// not matter, as long as the system says that the phone is inside.
  /// - Returns: whether it did.
  mutating func fence(_ anchor: Fix, at now: Instant, _ zones: Surroundings) -> Bool {
    guard capabilities.fences > 0, capabilities.background, let error = Self.error(of: anchor, .safety) else {
      return false
    }
    // A suspended application cannot wake for an opening schedule: zones yet to open count as open.
    let binding = zones.binding(at: anchor.position, toCome: true)
    if isFence(near: anchor, binding) { return true }
    if let radius = farRadius(binding), error <= radius {
      lay(radius, anchor, parking: false, zones, at: now)
      return true
    }
    guard isResting(at: now), let radius = parkingRadius(binding), error <= radius else { return false }
    lay(radius, anchor, parking: true, zones, at: now)
    return true
  }

  /// The fence that stands, or is about to, was laid round this very position and still suits the zones.
  private func isFence(near anchor: Fix, _ binding: [Surroundings.Nearby]) -> Bool {
    guard stage == .fencing || stage == .fenced || stage == .parked, let fence = wishes.fences.first,
      fence.center == anchor.position
    else { return false }
    return fence.radius <= (isParking ? parkingRadius(binding) : farRadius(binding)) ?? -1
  }

  /// Metres; nil where the zones are too near for the system's delay.
  private func farRadius(_ binding: [Surroundings.Nearby]) -> Double? {
    var radius = capabilities.largestFence
    for zone in binding {
      if zone.isAt { return nil }
      let run = parameters.greatestSpeed * parameters.run(zone.assurance, wifi: capabilities.wifi)
      radius = min(radius, zone.toAlert - parameters.fenceCushion - run)
    }
    return radius >= parameters.smallestFence ? radius : nil
  }

  /// Metres; nil where a zone forbids parking, or is so near that it could be entered within the fence.
  private func parkingRadius(_ binding: [Surroundings.Nearby]) -> Double? {
    var radius = 200.0
    for zone in binding {
      if zone.isAt || (zone.assurance == .safety && !parameters.parksSafety) { return nil }
      guard zone.toAlert >= parameters.smallestFence + parameters.fenceCushion else { return nil }
      radius = min(
        radius, max(parameters.smallestFence, min(zone.toAlert / 2, zone.toAlert - parameters.fenceCushion)))
    }
    return radius
  }

  private mutating func lay(
    _ radius: Double, _ anchor: Fix, parking: Bool, _ zones: Surroundings, at now: Instant
  ) {
    stage = .fencing
    isParking = parking
    due = nil
    relaxedFixes = 0
    reason = WatchReason(.waitsForFence, margin: radius)
    var fences = [Fence(id: .movement, center: anchor.position, radius: radius, onEntry: false)]
    if !parking { fences += approaches(from: anchor.position, zones) }
    wishes.fences = fences
    wishes.significantChanges = capabilities.significantChanges
    wishes.visits = capabilities.visits
    wishes.session = Session(accuracy: .threeKilometres)
    wishes.timer = now.adding(seconds: max(parameters.coldFix, parameters.retries[0]))
    requests.append(.requestState(.movement))
  }

  /// The other slots only add safety against a lost event: the nearest zones, grown by what a fast phone runs.
  private func approaches(from position: Coordinate, _ zones: Surroundings) -> [Fence] {
    zones.nearest(max(0, capabilities.fences - 1), to: position).map { zone in
      let circle = zones.enclosingCircle(of: zone.zone)
      let run = parameters.greatestSpeed * parameters.run(zone.assurance, wifi: capabilities.wifi)
      return Fence(
        id: FenceID(zone: zone.id), center: circle.center,
        radius: min(capabilities.largestFence, max(200, circle.radius + run)), onExit: false)
    }
  }

  /// The system said whether the phone is in its movement fence.
  mutating func noteFence(inside: Bool?, at now: Instant, _ zones: Surroundings) {
    guard stage == .fencing else {
      if inside == false, stage == .fenced || stage == .parked { ask(at: now, zones) }
      return
    }
    guard inside == true else { return ask(at: now, zones) }
    stage = isParking ? .parked : .fenced
    reason = WatchReason(
      isParking ? .parkedInsideFence : .insideMovementFence, margin: wishes.fences.first?.radius)
    wishes.session = nil
    wishes.timer = nil
    // While suspended nobody hears the motion hardware.
    budget.moved(.unknown, at: now, parameters)
  }
}

// MARK: What is promised

extension CertifiedWatch {
  public func guarantee(ofWatched zone: Int, _ zones: Surroundings) -> Guarantee {
    if stage == .stopped { return .notWatched(.stopped) }
    if !capabilities.authorized { return .notWatched(.notAuthorized) }
    if !capabilities.preciseLocation { return .bestEffort(.approximateOnly) }
    if capabilities.host == .visibleOnly {
      return isHidden ? .notWatched(.hidden) : .bestEffort(.onlyWhileVisible)
    }
    if !capabilities.background { return .bestEffort(.onlyInUse) }
    if anchor == nil || failures > 0 { return .bestEffort(.noFix) }
    if suspect != nil { return .bestEffort(.suspectPosition) }
    if zones.concern(of: zone) == .clearing { return .bestEffort(.rangAlready) }
    return .guaranteed(promise(zones.assurance(of: zone)))
  }

  private func promise(_ assurance: Assurance) -> Guarantee.Promise {
    var promise = Guarantee.Promise(
      upTo: .metresPerSecond(parameters.greatestSpeed), late: 0, after: .entry,
      line: assurance == .safety ? .edge : .insideByError,
      coarse: assurance == .normal ? Rule.confirmation.seconds : 0)
    if stage == .parked || (stage == .fencing && isParking) {
      promise.after = .departure
      promise.late = parameters.run(assurance, wifi: capabilities.wifi)
      return promise
    }
    var fix = parameters.networkFix
    if capabilities.gnss {
      // The double lead leaves a safety zone time to warm a session before any entry.
      let isWarm = (stage == .following || assurance == .safety) && !isHurried
      // A request that is due in the far future finds the receiver cold.
      fix = isWarm ? parameters.sessionFix : (due ?? askedAt).map { firstFix(at: $0) } ?? parameters.coldFix
    }
    let lateness = parameters.lateness(assurance, saving: capabilities.savesPower)
    promise.late = max(lateness, parameters.handling + fix) + parameters.handling
    let fast = parameters.greatestSpeed
    if !parameters.isStrict(assurance), parameters.cap(budget.motion) < fast {
      promise.late += parameters.motionDelay
    }
    return promise
  }
}
