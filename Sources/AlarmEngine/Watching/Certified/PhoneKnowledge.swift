import Geometry

/// The certified policy's knowledge of the phone, independent of the stage: position, motion and abilities.
struct PhoneKnowledge: Hashable, Sendable {
  /// The parameters. `greatestSpeed` rises if the phone proves to be faster.
  private(set) var parameters: CertifiedParameters
  var capabilities = Capabilities.timed
  /// The fix that bounds the phone's position best. `budget` bounds how far the phone can be from it.
  private(set) var anchor: Fix?
  private(set) var budget: DisplacementBudget
  /// A position that needs more than the allowed speed; the next fix decides.
  private(set) var suspect: Fix?
  private(set) var satellites = SatelliteHistory()
  /// The errors of the phone's coarse fixes relative to the stated ones, as its fine fixes have shown them.
  var errors = SensorMemory().errorFactors
  /// The time of the last fix at least as good as a network fix.
  private(set) var networkFixAt: Instant?
  private(set) var lastFixAt: Instant?
  private(set) var restingSince: Instant?
  /// The time of the last fix that showed a pedestrian's speed.
  private var slowFixAt: Instant?
  /// True if the motion before the present rest was a vehicle's or is not known.
  private var stoppedFromRide = true
  /// The number of fixes requested in the present rest.
  private var looksAtRest = 0
  /// True from the time at which a zone is added, changed or opens until the next fix or the request for one.
  var hasNewZones = false
  private var zonesOnDuty = 0
  private var zoneRevision: UInt64 = 0
  /// The earliest time at which the phone can have left the place of its last rest.
  private var leftAt: Instant?
  private var stays = NoticedStays()

  init(parameters: CertifiedParameters, at now: Instant) {
    self.parameters = parameters
    budget = DisplacementBudget(at: now)
  }

  /// The verdict on a fix.
  enum Outcome {
    case suspected
    /// - Parameter refutes: true if the last report of the motion hardware cannot be true.
    case believed(refutes: Bool)
  }

  /// - Parameter error: the fix's error for a safety zone.
  mutating func take(_ fix: Fix, error: Distance, at now: Instant) -> Outcome {
    lastFixAt = max(lastFixAt ?? fix.measuredAt, fix.measuredAt)
    hasNewZones = false
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
      // The position itself refutes the last report of the motion hardware.
      if distrustMotion(at: now) { refutes = true }
    }
    believe(fix, at: now)
    return .believed(refutes: refutes)
  }

  /// Keeps the tighter bound at this moment: the new disc, or the old one grown by how far the phone can have
  /// moved.
  mutating func believe(_ fix: Fix, at now: Instant) {
    guard let error = self.error(of: fix, .safety) else { return }
    var restarted = budget
    restarted.restart(at: fix.measuredAt, now: now, speed: greatestSpeed(at: fix, error: error), parameters)
    if let anchor, let known = self.error(of: anchor, .safety),
      error + restarted.bound(at: now, unannounced: .zero, parameters)
        > known + budget.bound(at: now, unannounced: .zero, parameters)
    {
      return
    }
    anchor = fix
    budget = restarted
  }

  /// Returns the greatest speed that the phone can have had at a fix; nil if the fix does not tell. Only satellites
  /// measure a speed.
  private func greatestSpeed(at fix: Fix, error: Distance) -> Speed? {
    guard let stated = fix.speed, case .radius(let radius) = fix.accuracy,
      radius <= parameters.satelliteAccuracy
    else { return nil }
    // Some receivers state zero while the phone moves (measured: in 5 of 51 recordings).
    let speed = max(stated.metresPerSecond, travelledSpeed(to: fix, error: error))
    return .metresPerSecond(speed + parameters.speedError.metresPerSecond)
  }

  /// Returns the least mean speed, in metres a second, since the last position; zero if none is known.
  private func travelledSpeed(to fix: Fix, error: Distance) -> Double {
    guard let anchor, let known = self.error(of: anchor, .safety) else { return 0 }
    let seconds = (fix.measuredAt - anchor.measuredAt).seconds
    guard seconds > 0 else { return 0 }
    return max(0, (anchor.position.distance(to: fix.position) - known - error).metres / seconds)
  }

  /// Returns the radius of the disc that holds the phone, as surely as the zone's assurance needs; coarse
  /// fixes are corrected by `errors`. Nil for an invalid fix.
  func error(of fix: Fix, _ assurance: Assurance) -> Distance? {
    guard let stated = Self.statedError(of: fix, assurance) else { return nil }
    guard case .radius(let radius) = fix.accuracy else { return stated }
    return stated * min(1, errors.factor(ofRadius: radius))
  }

  /// Returns the same radius by the fix's own accuracy, without a correction.
  static func statedError(of fix: Fix, _ assurance: Assurance) -> Distance? {
    switch fix.accuracy {
    case .radius(let radius): radius * Rule.errorFactor(assurance)
    case .unstated: Settings.phone.unstatedAccuracy * Rule.errorFactor(assurance)
    case .invalid: nil
    }
  }

  /// Returns the accuracy that a fix stated, from its error for a safety zone.
  static func accuracy(ofError error: Distance) -> Distance {
    .metres(error.metres / Rule.errorFactor(.safety))
  }

  /// True if the phone can have come there within its budget.
  private func isPossible(_ fix: Fix, error: Distance, at now: Instant) -> Bool {
    guard let anchor, let known = Self.statedError(of: anchor, .safety) else { return true }
    // The budget does not apply to earlier times, but the greatest speed does.
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

  /// Learns that the phone is elsewhere than the budget allowed: the report of the motion hardware was wrong,
  /// or the phone is faster than `greatestSpeed`. The promise then states the new speed.
  ///
  /// - Returns: true if a report of the motion hardware was discarded.
  private mutating func learnSpeed(_ fix: Fix, error: Distance, at now: Instant) -> Bool {
    guard let anchor, let known = Self.statedError(of: anchor, .safety) else { return false }
    let apart = anchor.position.distance(to: fix.position) - error - known - parameters.suspectSlack
    let shown = apart.metres / max(1, (fix.measuredAt - anchor.measuredAt).seconds)
    let refutes = distrustMotion(at: now)
    if shown > parameters.greatestSpeed.metresPerSecond {
      parameters.greatestSpeed = min(Tracking.greatestSpeed, .metresPerSecond(shown * 1.25))
    }
    // The old anchor is refuted.
    self.anchor = nil
    return refutes
  }
}

// MARK: Motion

extension PhoneKnowledge {
  /// Notes a report of the motion hardware.
  mutating func told(_ motion: Motion, at now: Instant) {
    let rested = budget.motion == .still && motion == .still
    if budget.motion == .still, let anchor, let restingSince, restingSince <= anchor.measuredAt {
      leftAt = now - parameters.motionDelay
    }
    if budget.motion == .still, !rested { setOff(at: now) }
    if budget.motion != .still || rested { stoppedFromRide = rested || !budget.motion.isOnFoot }
    looksAtRest = 0
    // A reported ride may have begun earlier, so the last moments are charged at the greatest speed.
    let isPedestrian = motion == .still || motion.isOnFoot
    budget.told(
      motion, at: now,
      unannounced: isPedestrian ? unannounced(.safety, at: now) : parameters.greatestSpeed, parameters)
    // A repeated report means that another motion came between.
    restingSince = motion != .still ? nil : rested ? now : restingSince ?? now
  }

  /// Notes the zones after an event.
  ///
  /// - Parameter before: the time of the anchor before the event.
  mutating func note(_ zones: Surroundings, anchoredAt before: Instant?) {
    // The looks at rest were for other zones.
    if zones.watchedCount > zonesOnDuty || zones.zones.revision != zoneRevision {
      looksAtRest = 0
      hasNewZones = true
    }
    zonesOnDuty = zones.watchedCount
    zoneRevision = zones.zones.revision
    let known = [before, leftAt].compactMap { $0 }.max()
    stays.note(zones, notBefore: known)
  }

  /// Returns how much earlier than noticed the stay at a zone may have begun; zero if there is none.
  func unnoticedPart(ofStayAt zone: ZoneID) -> TimeSpan { stays.unnoticed(at: zone) }

  /// Notes that a parked phone is awake again. It is in no zone for longer than the system needs to report the
  /// exit from a fence.
  mutating func unparked(at now: Instant) {
    leftAt = now - parameters.safetyFenceDelay * (capabilities.wifi ? 1 : parameters.fenceDelayWithoutWifi)
  }

  /// A suspended application receives no reports of the motion hardware.
  mutating func stopHearingMotion(at now: Instant) { forgetWord(at: now) }

  private mutating func forgetWord(at now: Instant) {
    budget.told(.unknown, at: now, unannounced: parameters.greatestSpeed, parameters)
  }

  /// Discards the last report of the motion hardware.
  ///
  /// - Returns: true if there was one; then the hardware has to report again.
  mutating func distrustMotion(at now: Instant) -> Bool {
    let hadWord = budget.motion != .unknown
    if budget.motion == .still { setOff(at: now) }
    forgetWord(at: now)
    restingSince = nil
    return hadWord
  }

  /// Notes that the phone stays somewhere, which the system reports late.
  mutating func visitArrived(at now: Instant) {
    restingSince = restingSince ?? now - parameters.parkAfter
  }

  /// A session costs less than single fixes that are due within this time.
  func sessionBreakEven(at now: Instant) -> TimeSpan {
    satellites.areHot(at: now, parameters) ? parameters.sessionBreakEvenWarm : parameters.sessionBreakEven
  }

  /// Returns how long the phone has rested; nil while it moves.
  func rest(until now: Instant) -> TimeSpan? { restingSince.map { now - $0 } }

  /// True if the phone rests and either a fix at least as good as a network fix was measured since, or enough
  /// fixes were requested in vain.
  var isSettled: Bool {
    guard budget.motion == .still, let restingSince else { return false }
    return looksAtRest >= parameters.looksAtRest || networkFixAt.map { restingSince <= $0 } ?? false
  }

  /// True if the phone has rested so long that it can be assumed to set off on foot.
  func hasRestedLong(at now: Instant) -> Bool {
    guard budget.motion == .still else { return false }
    return now - budget.toldAt
      >= (stoppedFromRide ? parameters.trustsRestAfter : parameters.trustsStandingAfter)
  }

  /// True if the phone has been on foot long enough, and a fix has shown it.
  private func isWalking(at now: Instant) -> Bool {
    budget.motion.isOnFoot && now - budget.toldAt >= parameters.trustsFootAfter
      && slowFixAt.map { $0 >= budget.toldAt } ?? false
  }

  /// Returns the speed that the phone may have reached without a report of the motion hardware yet, as zones
  /// of an assurance assume; zero if they wait for the report.
  ///
  /// Safety zones assume the greatest speed, unless the phone has rested for minutes or is measured to be on
  /// foot. The others wait for the report. Normal zones do not after a vehicle has just stopped, since it
  /// goes on when the light turns green.
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

  /// Returns the speed that a safety zone's promise assumes until the motion hardware reports; nil if that is
  /// only `greatestSpeed`, and for other zones.
  func trustedSpeed(_ assurance: Assurance, at now: Instant) -> Speed? {
    guard assurance == .safety else { return nil }
    let speed = isWalking(at: now) ? parameters.cap(budget.motion) : unannounced(assurance, at: now)
    return speed < parameters.greatestSpeed ? speed : nil
  }

  /// Returns when a phone at rest should search for satellites again because its position leaves open if it
  /// is at a zone; nil after some failed searches.
  func nextLookAtRest(at now: Instant) -> Instant? {
    guard capabilities.gnss, looksAtRest < parameters.looksAtRest, let anchor,
      case .radius(let radius) = anchor.accuracy, radius > parameters.satelliteAccuracy
    else { return nil }
    return max(satellites.backAt ?? now, (restingSince ?? now) + parameters.clearingPause)
  }

  /// Notes that a fix is requested.
  mutating func looks() { if budget.motion == .still { looksAtRest += 1 } }

  /// True if a fix could tell nothing new: the phone rests, its position was checked since, and the policy
  /// waits for the next motion.
  func needsNoLook(_ assurance: Assurance, at now: Instant) -> Bool {
    isSettled && (hasRestedLong(at: now) || unannounced(assurance, at: now) == .zero)
  }

  /// Returns how far the phone can have moved since the anchor was measured, as zones of an assurance assume.
  /// Without an assurance: by the motion hardware's reports alone.
  func moved(at now: Instant, _ assurance: Assurance? = nil) -> Distance {
    budget.bound(
      at: now, unannounced: assurance.map { unannounced($0, at: now) } ?? .zero, parameters)
  }

  /// True if a fix shows a pedestrian's speed: by its stated speed, or by its distance from the anchor.
  private func isSlow(_ fix: Fix, error: Distance) -> Bool {
    if let speed = fix.speed { return speed <= parameters.footSpeed }
    guard let anchor, let known = Self.statedError(of: anchor, .safety) else { return false }
    let way = anchor.position.distance(to: fix.position) + error + known
    return way <= parameters.footSpeed * max(.zero, fix.measuredAt - anchor.measuredAt)
  }

  /// True if the phone may be at a zone that has not rung.
  func mayBe(at zone: Surroundings.Nearby, _ now: Instant) -> Bool {
    zone.concern == .entry && mayCross(zone, by: now)
  }

  /// True if the phone may have crossed the zone's line by a time.
  func mayCross(_ zone: Surroundings.Nearby, by time: Instant) -> Bool {
    guard let anchor, let error = self.error(of: anchor, zone.assurance) else { return false }
    return (zone.isAt ? -zone.toAlert : zone.toAlert) - error <= moved(at: time, zone.assurance)
  }

  /// True if the phone may reach the zone before the motion hardware reports its departure. The promise then
  /// counts from the departure.
  func isPromisedFromDeparture(_ zone: Surroundings.Nearby, _ now: Instant) -> Bool {
    // The promise holds until the next event, which may be a report that is late by this delay.
    hasRestedLong(at: now) && zone.assurance == .safety && mayCross(zone, by: now + parameters.motionDelay)
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
  /// Notes that the phone moves after a rest.
  mutating func setOff(at now: Instant) { satellites.setOff(at: now, parameters) }
  mutating func satellitesMissed(at now: Instant) { satellites.missed(at: now, parameters) }

  /// True if only the network can give positions now: Wi-Fi is on, and satellites are not received.
  func isBlind(at now: Instant) -> Bool {
    capabilities.wifi && lacksSatellites(at: now)
  }

  /// True if neither satellites nor Wi-Fi can give positions now: those of the mobile network decide nothing.
  func isLost(at now: Instant) -> Bool {
    !capabilities.wifi && lacksSatellites(at: now)
  }

  private func lacksSatellites(at now: Instant) -> Bool {
    !capabilities.gnss || satellites.areMissing(at: now)
  }

  /// Returns the length of a search for satellites at `time`: a receiver that is warm, or has just searched in
  /// vain, tells soon what it can tell.
  func search(at time: Instant) -> TimeSpan {
    if satellites.misses > 0 { return parameters.shortSearch }
    return satellites.areHot(at: time, parameters)
      ? max(parameters.shortSearch, parameters.hotFix) : parameters.coldFix
  }

  /// Returns the time to a fix while satellites are not received: the next position is the network's, possibly
  /// after a search for satellites.
  func blindFix(at now: Instant) -> TimeSpan {
    parameters.networkFix + parameters.networkPause + search(at: now)
  }

  /// Returns the time from the request to the measurement of a single fix requested at `time`.
  func firstFix(at time: Instant) -> TimeSpan {
    guard capabilities.gnss else { return parameters.networkFix }
    return satellites.areHot(at: time, parameters) ? parameters.hotFix : parameters.coldFix
  }

  /// Returns the longest time from `time` to a fix, whether single or of a session.
  func lookTime(at time: Instant, now: Instant) -> TimeSpan {
    isBlind(at: now) ? blindFix(at: now) : max(parameters.sessionFix, firstFix(at: time))
  }

  /// Returns the cheapest sensor whose error is small against the distance to the nearest zone.
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

  /// Returns an accuracy one grade better than the requested one if the fix's error is more than half the
  /// margin.
  func better(than fix: Fix, _ asked: DesiredAccuracy, margin: Distance?, at now: Instant) -> DesiredAccuracy?
  {
    guard let error = self.error(of: fix, .normal), let margin, error > margin * 0.5 else { return nil }
    switch asked {
    case .threeKilometres, .kilometre: return .hundredMetres
    case .hundredMetres, .tenMetres: return capabilities.gnss && !isBlind(at: now) ? .best : nil
    case .best, .bestForNavigation: return nil
    }
  }

  /// Converts all stored times to the new clock.
  mutating func shift(by jump: ClockJump) {
    anchor = anchor.map { jump.shifted($0) }
    suspect = suspect.map { jump.shifted($0) }
    budget.shift(by: jump)
    satellites.shift(by: jump)
    networkFixAt = networkFixAt.map { jump.shifted($0) }
    lastFixAt = lastFixAt.map { jump.shifted($0) }
    restingSince = restingSince.map { jump.shifted($0) }
    slowFixAt = slowFixAt.map { jump.shifted($0) }
    leftAt = leftAt.map { jump.shifted($0) }
    stays.shift(by: jump)
  }
}
