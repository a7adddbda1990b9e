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
    let far = farRadius(binding)
    guard let radius = far ?? (isResting(at: now) ? parkingRadius(binding) : nil) else { return false }
    if error <= radius + parameters.fenceCushion {
      lay(radius, anchor, parking: far == nil, zones, at: now)
      return true
    }
    // Too coarse to be sure of starting inside: worth a better fix, once in a while.
    guard stage != .asking, fenceFixAskedAt.map({ (now - $0).seconds >= parameters.parkAfter }) ?? true else {
      return false
    }
    fenceFixAskedAt = now
    stage = .ring
    ask(.hundredMetres, at: now, zones)
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
      guard let free = free(zone) else { return nil }
      let run = parameters.greatestSpeed * parameters.run(zone.assurance, wifi: capabilities.wifi)
      radius = min(radius, zone.concern == .clearing ? free : free - parameters.fenceCushion - run)
    }
    return radius >= parameters.smallestFence ? radius : nil
  }

  /// Metres; nil where a zone forbids parking, or is so near that it could be entered within the fence.
  private func parkingRadius(_ binding: [Surroundings.Nearby]) -> Double? {
    var radius = parameters.parkingFence
    for zone in binding {
      guard let free = free(zone) else { return nil }
      if zone.concern == .clearing {
        radius = min(radius, free)
        continue
      }
      var least = parameters.smallestFence + parameters.fenceCushion
      if zone.assurance == .safety, !parameters.parksSafety {
        least += parameters.parkingSpeed * parameters.run(.safety, wifi: capabilities.wifi)
      }
      guard free >= least else { return nil }
      radius = min(
        radius, max(parameters.smallestFence, min(free / 2, free - parameters.fenceCushion)))
    }
    return radius
  }

  /// Metres that the phone can go before a zone has something to say; nil where it must be awake for the zone.
  private func free(_ zone: Surroundings.Nearby) -> Double? {
    switch zone.concern {
    case .entry: return zone.toAlert
    case .leaving: return -zone.toAlert
    case .dwelling: return nil
    case .clearing:
      // It rang, and promises nothing until it was left: leaving the fence is soon enough to look for that.
      if -zone.toAlert >= parameters.smallestFence { return -zone.toAlert }
      return budget.motion == .still && hasLookedAtRest ? parameters.smallestFence : nil
    }
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
    budget.told(.unknown, at: now, parameters)
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
    guard let anchor else { return .bestEffort(.noFix) }
    if failures > 0 {
      return .bestEffort(
        mayHold(zones.nearby(zone, from: anchor.position), anchor, at: zones.now) ? .mayBeInside : .noFix)
    }
    if stage == .coarse { return .bestEffort(.significantChangesOnly) }
    if suspect != nil { return .bestEffort(.suspectPosition) }
    if zones.concern(of: zone) == .clearing { return .bestEffort(.rangAlready) }
    return .guaranteed(promise(zones.assurance(of: zone), at: zones.now))
  }

  private func promise(_ assurance: Assurance, at now: Instant) -> Guarantee.Promise {
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
    if isBlind(at: now) {
      // The next position is the network's, or a short look for satellites comes before it.
      fix += 2 * parameters.networkPause
    } else if capabilities.gnss {
      // The double lead leaves a safety zone time to warm a session before any entry.
      let isWarm = (stage == .following || assurance == .safety) && !isHurried
      // A request that is due in the far future finds the receiver cold.
      fix = isWarm ? parameters.sessionFix : (due ?? askedAt).map { firstFix(at: $0) } ?? parameters.coldFix
    }
    let lateness = parameters.lateness(assurance, capabilities.battery)
    promise.late = max(lateness, parameters.handling + fix) + parameters.handling
    let fast = parameters.greatestSpeed
    if !parameters.isStrict(assurance), parameters.cap(budget.motion) < fast {
      promise.late += parameters.motionDelay
    }
    return promise
  }
}
