import Geometry

// MARK: What is known of the position

extension CertifiedWatch {
  mutating func take(_ fix: Fix, at now: Instant, _ zones: Surroundings) {
    guard let error = Self.error(of: fix, .safety) else { return }
    guard mayWatch else { return }
    lastFixAt = max(lastFixAt ?? fix.measuredAt, fix.measuredAt)
    noteSensor(of: fix, error, at: now)
    guard isPossible(fix, at: now) || confirms(fix) else {
      suspect = fix
      reason = WatchReason(.checksSuspect)
      // Its place may be the true one: it never extends a deadline, and the next fix decides.
      if stage != .following { askedAt = nil }
      ask(.best, at: now, zones, because: .checksSuspect)
      return
    }
    if !isPossible(fix, at: now) { learnSpeed(fix, at: now) }
    suspect = nil
    failures = 0
    if let speed = fix.speed?.metresPerSecond, fix.measuredAt > budget.toldAt,
      speed > parameters.cap(budget.motion) + parameters.speedSlack
    {
      // The position itself refutes the motion hardware's last word.
      distrustMotion(at: now)
    }
    believe(fix, at: now)
    // The receiver runs: from here on fixes follow one another.
    if let followedAt, let satellitesUsedAt, satellitesUsedAt >= followedAt { isHurried = false }
    if stage == .asking { askedAt = nil }
    plan(at: now, zones, after: fix)
  }

  /// What a fix says of the sensor it came from.
  private mutating func noteSensor(of fix: Fix, _ error: Double, at now: Instant) {
    let accuracy = error / Rule.errorFactor(.safety)
    if accuracy <= parameters.networkAccuracy { networkFixAt = fix.measuredAt }
    if accuracy <= parameters.satelliteAccuracy {
      satellitesUsedAt = now
      satelliteMisses = 0
      satellitesBackAt = nil
    } else if stage == .asking, askedFor == .best, fix.measuredAt >= askedAt ?? now {
      missSatellites(at: now)
    }
  }

  /// Looked for satellites and found none: indoors, in a tunnel.
  mutating func missSatellites(at now: Instant) {
    satelliteMisses = min(satelliteMisses + 1, 10)
    let pause = parameters.coldFix * Double(1 << satelliteMisses)
    satellitesBackAt = now.adding(seconds: min(pause, parameters.hotFor))
  }

  /// Satellites cannot be had at this time; the network's positions have to do.
  func isBlind(at now: Instant) -> Bool {
    guard capabilities.wifi else { return false }
    return !capabilities.gnss || satellitesBackAt.map { now < $0 } ?? false
  }

  /// Keeps whichever is tighter at this moment: the new disc, or the old one grown by what the phone can have moved.
  mutating func believe(_ fix: Fix, at now: Instant) {
    guard let error = Self.error(of: fix, .safety) else { return }
    var restarted = budget
    restarted.restart(at: fix.measuredAt, now: now, parameters)
    if let anchor, let known = Self.error(of: anchor, .safety),
      error + restarted.bound(at: now, strictly: false, parameters)
        > known + budget.bound(at: now, strictly: false, parameters)
    {
      return
    }
    anchor = fix
    budget = restarted
  }

  /// Metres that hold the phone with the assurance of a zone; nil for a fix that says it is none.
  static func error(of fix: Fix, _ assurance: Assurance) -> Double? {
    switch fix.accuracy {
    case .radius(let radius):
      return radius >= .zero ? Rule.errorFactor(assurance) * radius.metres : nil
    case .unstated: return Rule.errorFactor(assurance) * Settings.phone.unstatedAccuracy.metres
    }
  }

  /// The phone can have come there without being faster than its budget allows.
  private func isPossible(_ fix: Fix, at now: Instant) -> Bool {
    guard let anchor, let error = Self.error(of: fix, .safety), let known = Self.error(of: anchor, .safety)
    else {
      return true
    }
    // Backwards in time the budget says nothing; the greatest speed does.
    let age = abs((fix.measuredAt - anchor.measuredAt).seconds)
    let moved = max(
      budget.bound(at: now, strictly: true, parameters),
      parameters.greatestSpeed * min(age, parameters.motionDelay))
    return anchor.position.distance(to: fix.position).metres
      <= moved + error + known + parameters.suspectSlack
  }

  private func confirms(_ fix: Fix) -> Bool {
    guard let suspect, let error = Self.error(of: fix, .safety), let other = Self.error(of: suspect, .safety)
    else {
      return false
    }
    let between = max(0, (fix.measuredAt - suspect.measuredAt).seconds)
    guard fix.measuredAt > suspect.measuredAt,
      between <= parameters.suspectTime + parameters.coldFix
    else { return false }
    return suspect.position.distance(to: fix.position).metres
      <= Tracking.greatestSpeed * between + error + other + parameters.suspectSlack
  }

  /// The phone proved to be elsewhere than the budget allowed: the motion hardware's word was wrong, or the phone
  /// is faster than stated. The promise says the new speed.
  private mutating func learnSpeed(_ fix: Fix, at now: Instant) {
    guard let anchor, let error = Self.error(of: fix, .safety), let known = Self.error(of: anchor, .safety)
    else { return }
    let apart = anchor.position.distance(to: fix.position).metres - error - known - parameters.suspectSlack
    let shown = apart / max(1, (fix.measuredAt - anchor.measuredAt).seconds)
    distrustMotion(at: now)
    if shown > parameters.greatestSpeed {
      parameters.greatestSpeed = min(Tracking.greatestSpeed, shown * 1.25)
    }
    // The old anchor has been refuted.
    self.anchor = nil
  }

  /// The motion hardware's last word no longer counts; it is to say anew how things stand.
  mutating func distrustMotion(at now: Instant) {
    if budget.motion != .unknown { told?.motion = false }
    budget.told(.unknown, at: now, parameters)
    restingSince = nil
  }

  func isResting(at now: Instant) -> Bool {
    restingSince.map { (now - $0).seconds >= parameters.parkAfter } ?? false
  }

  /// A coarse position from the system while suspended: a second net under the fence.
  mutating func noteSignificantChange(_ fix: Fix, at now: Instant, _ zones: Surroundings) {
    if stage == .coarse { return ask(at: now, zones) }
    guard stage == .fenced || stage == .parked else { return take(fix, at: now, zones) }
    guard let error = Self.error(of: fix, .safety), let fence = wishes.fences.first else { return }
    let apart = fix.position.distance(to: fence.center).metres
    guard apart - error > max(fence.radius, parameters.smallestFence) + parameters.fenceCushion else {
      return
    }
    // Outside without a word from the fence: that event was lost, or is about to come.
    distrustMotion(at: now)
    ask(at: now, zones)
  }
}
