import Geometry

/// What the certified policy knows of the phone, whatever its stage: where it can be, how it moves, what it can do.
struct PhoneKnowledge: Hashable, Sendable {
  /// The greatest speed among them rises when the phone proves to be faster.
  private(set) var parameters: CertifiedParameters
  var capabilities = Capabilities.timed
  /// The fix with the tightest knowledge, and how far the phone can be from it.
  private(set) var anchor: Fix?
  private(set) var budget: DisplacementBudget
  /// A position that needs more than the allowed speed; the next fix decides.
  private(set) var suspect: Fix?
  private(set) var satellites = SatelliteHistory()
  /// What the phone's own fixes have said of coarse ones.
  var errors = SensorMemory().errorFactors
  /// The last fix that was at least a network's.
  private(set) var networkFixAt: Instant?
  private(set) var lastFixAt: Instant?
  private(set) var restingSince: Instant?
  /// The last fix that showed a pedestrian's speed.
  private var slowFixAt: Instant?
  /// The motion before the present rest was a vehicle's, or is not known.
  private var stoppedFromRide = true
  /// How often a fix was asked for in the present rest.
  private var looksAtRest = 0

  init(parameters: CertifiedParameters, at now: Instant) {
    self.parameters = parameters
    budget = DisplacementBudget(at: now)
  }

  /// What a fix turned out to be.
  enum Outcome {
    case suspected
    /// - Parameter refutes: the motion hardware's last word cannot be true.
    case believed(refutes: Bool)
  }

  /// - Parameter error: of the fix, with a safety zone's assurance.
  mutating func take(_ fix: Fix, error: Distance, at now: Instant) -> Outcome {
    lastFixAt = max(lastFixAt ?? fix.measuredAt, fix.measuredAt)
    if Self.accuracy(ofError: error) <= parameters.networkAccuracy { networkFixAt = fix.measuredAt }
    let isPossible = isPossible(fix, error: error, at: now)
    guard isPossible || confirms(fix, error: error) else {
      suspect = fix
      return .suspected
    }
    var refutes = false
    if !isPossible { refutes = learnSpeed(fix, error: error, at: now) }
    suspect = nil
    if isSlow(fix, error: error) { slowFixAt = fix.measuredAt }
    if let speed = fix.speed, fix.measuredAt > budget.toldAt,
      speed.metresPerSecond
        > parameters.cap(budget.motion).metresPerSecond + parameters.speedSlack.metresPerSecond
    {
      // The position itself refutes the motion hardware's last word.
      if distrustMotion(at: now) { refutes = true }
    }
    believe(fix, at: now)
    return .believed(refutes: refutes)
  }

  /// Keeps whichever is tighter at this moment: the new disc, or the old one grown by what the phone can have moved.
  mutating func believe(_ fix: Fix, at now: Instant) {
    guard let error = self.error(of: fix, .safety) else { return }
    var restarted = budget
    restarted.restart(at: fix.measuredAt, now: now, parameters)
    if let anchor, let known = self.error(of: anchor, .safety),
      error + restarted.bound(at: now, unannounced: .zero, parameters)
        > known + budget.bound(at: now, unannounced: .zero, parameters)
    {
      return
    }
    anchor = fix
    budget = restarted
  }

  /// The radius that holds the phone with the assurance of a zone, by what the phone's own fixes have said of coarse
  /// ones; nil for a fix that says it is none.
  func error(of fix: Fix, _ assurance: Assurance) -> Distance? {
    guard let stated = Self.statedError(of: fix, assurance) else { return nil }
    guard case .radius(let radius) = fix.accuracy else { return stated }
    return stated * min(1, errors.factor(ofRadius: radius))
  }

  /// The same as the fix states it.
  static func statedError(of fix: Fix, _ assurance: Assurance) -> Distance? {
    switch fix.accuracy {
    case .radius(let radius): radius * Rule.errorFactor(assurance)
    case .unstated: Settings.phone.unstatedAccuracy * Rule.errorFactor(assurance)
    case .invalid: nil
    }
  }

  /// What the fix stated of itself, from its error with a safety zone's assurance.
  static func accuracy(ofError error: Distance) -> Distance {
    .metres(error.metres / Rule.errorFactor(.safety))
  }

  /// The phone can have come there without being faster than its budget allows.
  private func isPossible(_ fix: Fix, error: Distance, at now: Instant) -> Bool {
    guard let anchor, let known = Self.statedError(of: anchor, .safety) else { return true }
    // Backwards in time the budget says nothing; the greatest speed does.
    let age = max(fix.measuredAt - anchor.measuredAt, anchor.measuredAt - fix.measuredAt)
    let moved = max(
      budget.bound(at: now, unannounced: parameters.greatestSpeed, parameters),
      parameters.greatestSpeed * min(age, parameters.motionDelay))
    return anchor.position.distance(to: fix.position)
      <= moved + error + known + parameters.suspectSlack
  }

  private func confirms(_ fix: Fix, error: Distance) -> Bool {
    guard let suspect, let other = Self.statedError(of: suspect, .safety) else { return false }
    let between = max(.zero, fix.measuredAt - suspect.measuredAt)
    guard fix.measuredAt > suspect.measuredAt,
      between <= parameters.suspectTime + parameters.coldFix
    else { return false }
    return suspect.position.distance(to: fix.position)
      <= Tracking.greatestSpeed * between + error + other + parameters.suspectSlack
  }

  /// The phone proved to be elsewhere than the budget allowed: the motion hardware's word was wrong, or the phone
  /// is faster than stated. The promise says the new speed.
  ///
  /// - Returns: whether a word of the motion hardware was given up.
  private mutating func learnSpeed(_ fix: Fix, error: Distance, at now: Instant) -> Bool {
    guard let anchor, let known = Self.statedError(of: anchor, .safety) else { return false }
    let apart = anchor.position.distance(to: fix.position) - error - known - parameters.suspectSlack
    let shown = apart.metres / max(1, (fix.measuredAt - anchor.measuredAt).seconds)
    let refutes = distrustMotion(at: now)
    if shown > parameters.greatestSpeed.metresPerSecond {
      parameters.greatestSpeed = min(Tracking.greatestSpeed, .metresPerSecond(shown * 1.25))
    }
    // The old anchor has been refuted.
    self.anchor = nil
    return refutes
  }
}

// MARK: Motion

extension PhoneKnowledge {
  /// The motion hardware spoke.
  mutating func told(_ motion: Motion, at now: Instant) {
    let rested = budget.motion == .still && motion == .still
    if budget.motion != .still || rested { stoppedFromRide = rested || !budget.motion.isOnFoot }
    looksAtRest = 0
    // What a ride that is told now was before is charged in full, whatever was trusted meanwhile.
    let isPedestrian = motion == .still || motion.isOnFoot
    budget.told(
      motion, at: now,
      unannounced: isPedestrian ? unannounced(.safety, at: now) : parameters.greatestSpeed, parameters)
    // The same word again: something else went before it.
    restingSince = motion != .still ? nil : rested ? now : restingSince ?? now
  }

  /// While suspended nobody hears the motion hardware.
  mutating func stopHearingMotion(at now: Instant) { forgetWord(at: now) }

  private mutating func forgetWord(at now: Instant) {
    budget.told(.unknown, at: now, unannounced: parameters.greatestSpeed, parameters)
  }

  /// The motion hardware's last word no longer counts.
  ///
  /// - Returns: whether there was one; then it is to say anew how things stand.
  mutating func distrustMotion(at now: Instant) -> Bool {
    let hadWord = budget.motion != .unknown
    forgetWord(at: now)
    restingSince = nil
    return hadWord
  }

  /// The system says that the phone stays somewhere; it says so late.
  mutating func visitArrived(at now: Instant) {
    restingSince = restingSince ?? now - parameters.parkAfter
  }

  /// A session costs less than single fixes that are due within this time.
  var sessionBreakEven: TimeSpan {
    budget.motion.isOnFoot ? parameters.sessionBreakEvenOnFoot : parameters.sessionBreakEven
  }

  /// How long the phone has rested; nil while it moves.
  func rest(until now: Instant) -> TimeSpan? { restingSince.map { now - $0 } }

  /// The phone rests, and a position no coarser than a network's was measured since, or often enough asked for in vain.
  var isSettled: Bool {
    guard budget.motion == .still, let restingSince else { return false }
    return looksAtRest >= parameters.looksAtRest || networkFixAt.map { restingSince <= $0 } ?? false
  }

  /// The phone has rested so long that it sets off on foot.
  func hasRestedLong(at now: Instant) -> Bool {
    guard budget.motion == .still else { return false }
    return now - budget.toldAt
      >= (stoppedFromRide ? parameters.trustsRestAfter : parameters.trustsStandingAfter)
  }

  /// The phone has been on foot for so long, and a fix has shown it.
  private func isWalking(at now: Instant) -> Bool {
    budget.motion.isOnFoot && now - budget.toldAt >= parameters.trustsFootAfter
      && slowFixAt.map { $0 >= budget.toldAt } ?? false
  }

  /// How fast the phone can have become without the motion hardware's having said so yet, as zones of an assurance
  /// reckon it; zero where they wait for its word.
  ///
  /// A safety zone takes the greatest speed, unless the phone has rested for minutes or is measured to be on foot. The
  /// others wait for the word, but not where a vehicle has just stopped: it goes on when the light is green.
  func unannounced(_ assurance: Assurance, at now: Instant) -> Speed {
    switch assurance {
    case .safety:
      if hasRestedLong(at: now) { return min(parameters.runningSpeed, parameters.greatestSpeed) }
      return isWalking(at: now) ? .zero : parameters.greatestSpeed
    case .normal:
      guard budget.motion == .still, stoppedFromRide, now - budget.toldAt < parameters.restartsWithin else {
        return .zero
      }
      return min(parameters.restartSpeed, parameters.greatestSpeed)
    case .relaxed: return .zero
    }
  }

  /// The speed on which what is promised for zones of an assurance rests until the motion hardware speaks; nil where it
  /// rests on none but the greatest.
  func trustedSpeed(_ assurance: Assurance, at now: Instant) -> Speed? {
    guard assurance == .safety else { return nil }
    let speed = isWalking(at: now) ? parameters.cap(budget.motion) : unannounced(assurance, at: now)
    return speed < parameters.greatestSpeed ? speed : nil
  }

  /// When the satellites shall be looked for again by a phone at rest, because all that is known leaves open whether it
  /// is at a zone; nil after some looks in vain.
  func nextLookAtRest(at now: Instant) -> Instant? {
    guard capabilities.gnss, looksAtRest < parameters.looksAtRest, let anchor,
      case .radius(let radius) = anchor.accuracy, radius > parameters.satelliteAccuracy
    else { return nil }
    return max(satellites.backAt ?? now, (restingSince ?? now) + parameters.clearingPause)
  }

  /// A fix is asked for.
  mutating func looks() { if budget.motion == .still { looksAtRest += 1 } }

  /// A fix could tell nothing new: the phone rests, was looked at since, and the next motion is waited for.
  func needsNoLook(_ assurance: Assurance, at now: Instant) -> Bool {
    isSettled && (hasRestedLong(at: now) || unannounced(assurance, at: now) == .zero)
  }

  /// How far the phone can have moved since the anchor was measured, as zones of an assurance reckon it; nil: as the
  /// motion hardware says.
  func moved(at now: Instant, _ assurance: Assurance? = nil) -> Distance {
    budget.bound(
      at: now, unannounced: assurance.map { unannounced($0, at: now) } ?? .zero, parameters)
  }

  /// A fix shows a pedestrian's speed: by its own word, or by the way since the position before.
  private func isSlow(_ fix: Fix, error: Distance) -> Bool {
    if let speed = fix.speed { return speed <= parameters.footSpeed }
    guard let anchor, let known = Self.statedError(of: anchor, .safety) else { return false }
    let way = anchor.position.distance(to: fix.position) + error + known
    return way <= parameters.footSpeed * max(.zero, fix.measuredAt - anchor.measuredAt)
  }

  /// What is known does not exclude that the phone is at a zone that has not rung.
  func mayBe(at zone: Surroundings.Nearby, _ now: Instant) -> Bool {
    guard zone.concern == .entry, let anchor, let error = self.error(of: anchor, zone.assurance) else {
      return false
    }
    return zone.toAlert - error <= moved(at: now, zone.assurance)
  }

  /// The phone may come to the zone before the motion hardware says that it has set off: what is promised counts from
  /// then.
  func isPromisedFromDeparture(_ zone: Surroundings.Nearby, _ now: Instant) -> Bool {
    guard hasRestedLong(at: now), zone.assurance == .safety, let anchor,
      let error = self.error(of: anchor, zone.assurance)
    else { return false }
    let line = (zone.isAt ? -zone.toAlert : zone.toAlert) - error
    // The promise stands until the next event, and the word may be as late as that.
    return line <= moved(at: now + parameters.motionDelay, zone.assurance)
  }
}

// MARK: Sensors

extension PhoneKnowledge {
  var mayWatch: Bool { capabilities.authorized && capabilities.preciseLocation }

  mutating func satellitesUsed(at now: Instant) { satellites.used(at: now) }
  mutating func satellitesPoor(at now: Instant) { satellites.gavePoor(at: now) }
  mutating func allowsSecondOpinion(at now: Instant) -> Bool {
    satellites.allowsSecondOpinion(at: now, parameters)
  }
  mutating func satellitesMissed(at now: Instant) { satellites.missed(at: now, parameters) }

  /// Satellites cannot be had at this time; the network's positions have to do.
  func isBlind(at now: Instant) -> Bool {
    guard capabilities.wifi else { return false }
    return !capabilities.gnss || satellites.areMissing(at: now)
  }

  /// The time from asking for a single fix to its measurement, when it is asked for then.
  func firstFix(at time: Instant) -> TimeSpan {
    guard capabilities.gnss else { return parameters.networkFix }
    return satellites.areHot(at: time, parameters) ? parameters.hotFix : parameters.coldFix
  }

  /// The cheapest sensor whose error is small against the distance.
  func sensor(at now: Instant, _ zones: Surroundings) -> DesiredAccuracy {
    guard let anchor else { return capabilities.gnss ? .best : .hundredMetres }
    let binding = zones.binding(at: anchor.position, toCome: capabilities.host == .suspended)
    guard let nearest = binding.min(by: { $0.toAlert < $1.toAlert }) else { return .hundredMetres }
    let spent = moved(at: now)
    let nearSafety = binding.contains {
      $0.assurance == .safety && $0.toAlert - spent <= parameters.networkWithin
    }
    let left = nearest.isAt ? .zero : nearest.toAlert - spent
    if left <= parameters.satellitesWithin || nearSafety { return capabilities.gnss ? .best : .hundredMetres }
    if left <= parameters.networkWithin {
      return capabilities.wifi || !capabilities.gnss ? .hundredMetres : .best
    }
    return .kilometre
  }

  /// One grade better than what was asked for, where the fix's error is more than half of what it leaves.
  func better(than fix: Fix, _ asked: DesiredAccuracy, margin: Distance?, at now: Instant) -> DesiredAccuracy?
  {
    guard let error = self.error(of: fix, .normal), let margin, error > margin * 0.5 else { return nil }
    switch asked {
    case .threeKilometres, .kilometre: return .hundredMetres
    case .hundredMetres, .tenMetres: return capabilities.gnss && !isBlind(at: now) ? .best : nil
    case .best, .bestForNavigation: return nil
    }
  }

  /// The phone's clock was set: every time that is remembered says the same moment by the new clock.
  mutating func shift(by jump: ClockJump) {
    anchor = anchor.map { jump.shifted($0) }
    suspect = suspect.map { jump.shifted($0) }
    budget.shift(by: jump)
    satellites.shift(by: jump)
    networkFixAt = networkFixAt.map { jump.shifted($0) }
    lastFixAt = lastFixAt.map { jump.shifted($0) }
    restingSince = restingSince.map { jump.shifted($0) }
    slowFixAt = slowFixAt.map { jump.shifted($0) }
  }
}
