import Geometry

/// The certified policy: requests the fewest fixes that still detect every entry at up to the stated speed.
///
/// It keeps a displacement budget. After a fix, the phone stays quiet until the greatest distance that it can
/// have moved reaches the certain distance to the nearest zone. A phone that can wake itself sleeps by timer.
/// A suspended application registers one fence around the phone, as large as that distance allows, and keeps
/// a session only in the ring around a zone where the system's fences are too slow. The cost does not grow
/// with the number of zones.
///
/// With one sensor and exact fixes, no schedule that detects every entry needs fewer fixes, even one that
/// knows the path in advance. With errors up to e, this holds against every schedule for zones grown by 2e.
/// ``Guarantee/Promise`` states the promise and its premises.
///
///     idle -> asking -> sleeping (by timer) -> asking ...         can wake itself
///                \---> following (a session, near)
///                \---> ring (coarse session and timer)            suspended
///                \---> fencing -> fenced | parked -> asking ...   suspended
///                \---> coarse -> asking ...                       suspended, without fences
public struct CertifiedWatch: WatchDecisions, Hashable {
  public private(set) var stage = CertifiedStage.stopped
  public private(set) var reason = WatchReason(.notStarted)
  private(set) var known: PhoneKnowledge
  private(set) var fixRequests = FixRequests()
  private(set) var isHidden = false
  private var warnings = ShortfallWarnings()
  private var orders = PhoneOrders()

  /// The parameters. `greatestSpeed` rises if the phone proves to be faster.
  public var parameters: CertifiedParameters { _read { yield known.parameters } }
  private var capabilities: Capabilities { _read { yield known.capabilities } }

  public init(parameters: CertifiedParameters = CertifiedParameters()) {
    known = PhoneKnowledge(parameters: parameters, at: Instant(millisecondsSince1970: 0))
  }

  public mutating func handle(
    _ event: WatchEvent, at now: Instant, zones: Surroundings
  ) -> [WatchCommand] {
    if case .started = event {} else if stage == .stopped { return [] }
    known.errors = zones.errors
    if case .clockJumped = event {} else { known.note(zones, anchoredAt: known.anchor?.measuredAt) }
    react(to: event, at: now, zones)
    for warning in warnings.due(failures: fixRequests.failures, known, zones, at: now) {
      orders.add(.warn(warning))
    }
    return orders.commands(
      silence: warnings.silence(stage: stage, known, zones, planned: orders.toldSilence, at: now))
  }

  private mutating func react(to event: WatchEvent, at now: Instant, _ zones: Surroundings) {
    switch event {
    case .started(_, let capabilities, let lastKnown):
      self = Self(parameters: parameters)
      known = PhoneKnowledge(parameters: parameters, at: now)
      known.errors = zones.errors
      known.capabilities = capabilities
      stage = .idle
      warnOfWifi(since: true)
      if let lastKnown { known.believe(lastKnown, at: now) }
      begin(at: now, zones)
    case .stopped:
      stage = .stopped
      reason = WatchReason(.notStarted)
      orders.rest()
      orders.add(.releaseBackground)
    case .capabilitiesChanged(let capabilities):
      let hadWifi = self.capabilities.wifi
      known.capabilities = capabilities
      warnOfWifi(since: hadWifi)
      begin(at: now, zones)
    case .zonesChanged:
      begin(at: now, zones)
    case .fix(let fix):
      take(fix, at: now, zones)
    case .significantChange(let fix):
      noteSignificantChange(fix, at: now, zones)
    case .fixFailed:
      guard case .asking(let accuracy) = stage else { return }
      guard accuracy == .best else { return retry(at: now) }
      known.satellitesMissed(at: now)
      guard known.isBlind(at: now) else { return retry(at: now) }
      fixRequests.giveUp()
      ask(at: now, zones)
    case .motion(let motion):
      // Each report is one of a change: a repeated one means that another motion came between.
      let hasMoved = motion != .still || known.budget.motion == .still
      known.told(motion, at: now)
      switch stage {
      case .parked: ask(at: now, zones)
      case .fencing(_, isParking: true): if hasMoved { ask(at: now, zones) }
      case .fenced, .fencing, .coarse, .stopped, .idle: break
      case .asking, .sleeping, .following, .ring: plan(at: now, zones)
      }
    case .fenceExited, .visitDeparted:
      if event == .fenceExited(.movement) { fixRequests.fenceRefused(at: now) }
      distrustMotion(at: now)
      ask(at: now, zones)
    case .fenceEntered:
      ask(at: now, zones)
    case .fenceState(let id, let inside):
      if id == .movement { noteFence(inside: inside, at: now, zones) }
    case .fenceFailed(let id):
      guard id == .movement else { return }
      known.capabilities.fences = 0
      orders.dropFences()
      plan(at: now, zones)
    case .visitArrived:
      known.visitArrived(at: now)
      switch stage {
      case .fencing, .fenced, .parked, .coarse: break
      case .stopped, .idle, .asking, .sleeping, .following, .ring: plan(at: now, zones)
      }
    case .timer:
      wake(at: now, zones)
    case .clockJumped(let span):
      shift(by: ClockJump(at: now, by: span))
      // Schedules go by the clock, so other zones may be on duty now.
      begin(at: now, zones)
    case .cameToForeground:
      isHidden = false
      begin(at: now, zones)
    case .wentToBackground:
      isHidden = true
    case .willTerminate:
      // After the end of the process, the system launches the application for these events and for fences
      // only.
      orders.significantChanges(capabilities.authorized && capabilities.significantChanges)
    }
  }

  /// Starts or continues within the phone's permissions.
  private mutating func begin(at now: Instant, _ zones: Surroundings) {
    guard known.mayWatch else {
      stage = .idle
      reason = WatchReason(.mayNotWatch)
      orders.rest()
      // Too coarse for any promise, but better than nothing.
      orders.significantChanges(capabilities.authorized && capabilities.significantChanges)
      return
    }
    orders.motion(capabilities.motion && zones.hasZonesToCome)
    plan(at: now, zones)
  }

  private mutating func wake(at now: Instant, _ zones: Surroundings) {
    orders.timerFired()
    switch stage {
    case .stopped, .idle: begin(at: now, zones)
    case .asking(let accuracy):
      // The request was not answered.
      fixRequests.failed()
      if accuracy == .best { known.satellitesMissed(at: now) }
      ask(at: now, zones)
    case .following(let session):
      noteSilence(of: session, at: now, zones)
      plan(at: now, zones)
      if case .following = stage { orders.timer(known.sessionTimer(zones, at: now)) }
    case .fencing(let fence, let isParking):
      if fixRequests.isFenceProved { return rest(in: fence, isParking: isParking, at: now, zones) }
      // The system said nothing, or only that the phone is outside.
      fixRequests.fenceRefused(at: now)
      ask(at: now, zones)
    case .fenced, .parked, .coarse: ask(at: now, zones)
    case .sleeping(let due), .ring(let due):
      let silent = known.lastFixAt.map { now - $0 >= parameters.longestSilence } ?? true
      if silent || due.map({ $0 <= now }) ?? false { ask(at: now, zones) } else { plan(at: now, zones) }
    }
  }

  /// Switches step by step to the network if a session reports nothing although the phone may move.
  private mutating func noteSilence(of session: FollowedSession, at now: Instant, _ zones: Surroundings) {
    // At rest a session reports nothing, and only the end of a stay needs a fix.
    let isStayOver = known.undecidedStay(zones).map { $0 <= now } ?? false
    guard capabilities.host != .visibleOnly else {
      if isStayOver { orders.add(.requestFix(.best, within: parameters.coldFix)) }
      return
    }
    if known.isSettled, !zones.wantsFix, !isStayOver {
      // The last position was judged before a zone was added or opened.
      if known.hasNewZones { orders.add(.requestFix(.best, within: known.search(at: now))) }
      known.hasNewZones = false
      return
    }
    let isSilent = session.isSilent(at: now, known) || isStayOver
    if !isStayOver, session.missesSatellites(at: now, known) { known.satellitesMissed(at: now) }
    guard isSilent, !known.isBlind(at: now) else { return }
    orders.add(.requestFix(.hundredMetres, within: parameters.shortSearch))
  }
}

// MARK: A position

extension CertifiedWatch {
  private mutating func take(_ fix: Fix, at now: Instant, _ zones: Surroundings) {
    guard known.mayWatch, let error = PhoneKnowledge.statedError(of: fix, .safety) else { return }
    noteSatellites(in: fix, error: error, at: now)
    switch known.take(fix, error: error, at: now) {
    case .suspected:
      reason = WatchReason(.checksSuspect)
      // The suspect position may be the true one, so it extends no deadline, and the next fix decides.
      if case .following = stage {} else { fixRequests.giveUp() }
      ask(.best, at: now, zones, because: .checksSuspect)
    case .believed(let refutesMotion):
      fixRequests.succeeded()
      if refutesMotion { orders.motionAnew() }
      fixRequests.giveUp()
      plan(at: now, zones, after: fix)
    }
  }

  /// Notes from a fix how well satellites are received.
  private mutating func noteSatellites(in fix: Fix, error: Distance, at now: Instant) {
    if PhoneKnowledge.accuracy(ofError: error) <= parameters.satelliteAccuracy {
      known.satellitesUsed(at: min(now, fix.measuredAt))
    } else if PhoneKnowledge.accuracy(ofError: error) <= parameters.poorSatelliteAccuracy {
      known.satellitesPoor(at: now)
      if stage == .asking(for: .best) { known.satellitesMissed(at: now) }
    } else if stage == .asking(for: .best), fix.measuredAt >= fixRequests.askedAt ?? now {
      known.satellitesMissed(at: now)
    }
  }

  /// Handles a coarse position from the system; while suspended it is a backup for the fence.
  private mutating func noteSignificantChange(_ fix: Fix, at now: Instant, _ zones: Surroundings) {
    switch stage {
    case .coarse: ask(at: now, zones)
    case .fenced(let fence), .parked(let fence):
      guard let error = PhoneKnowledge.statedError(of: fix, .safety) else { return }
      let apart = fix.position.distance(to: fence.center)
      guard apart - error > max(fence.radius, parameters.smallestFence) + parameters.fenceCushion else {
        return
      }
      // The phone is outside, but the system reported no exit: that event was lost or is still to come.
      distrustMotion(at: now)
      ask(at: now, zones)
    case .stopped, .idle, .asking, .sleeping, .following, .ring, .fencing: take(fix, at: now, zones)
    }
  }

  private mutating func distrustMotion(at now: Instant) {
    if known.distrustMotion(at: now) { orders.motionAnew() }
  }
}

// MARK: Planning the next fix

extension CertifiedWatch {
  /// Decides when the next fix is needed.
  private mutating func plan(at now: Instant, _ zones: Surroundings, after fix: Fix? = nil) {
    guard known.mayWatch else { return }
    guard zones.hasWatchedZones || (capabilities.host == .suspended && zones.hasZonesToCome) else {
      return idle(zones)
    }
    guard let anchor = known.anchor else { return ask(at: now, zones, because: .waitsForFirstFix) }
    let demand = FixDemand(of: zones, around: anchor, known, at: now)
    let isBlind = known.isBlind(at: now)
    if capabilities.host == .visibleOnly { return follow(.followsContinuously, demand, at: now) }
    // While the application was suspended it received no motion events, so the hardware has to report again.
    let wasSuspended = stage.isSuspended
    defer { if wasSuspended, !stage.isSuspended { orders.motionAnew() } }
    if zones.wantsFix, !isBlind { return follow(.confirms, demand, at: now) }
    if !zones.wantsFix, capabilities.host == .suspended {
      if suspend(around: anchor, at: now, zones) { return }
    }
    // Nil: no fix is needed.
    let wait = zones.wantsFix ? .zero : demand.due.map { $0 - now }
    let isSoon = wait.map { $0 <= max(known.sessionBreakEven(at: now), parameters.handling) } ?? false
    if isBlind, isSoon { return poll(demand, at: now, zones) }
    if case .asking(let accuracy) = stage, let fix, !zones.wantsFix,
      wait.map({ $0 > parameters.networkFix + parameters.handling }) ?? true || !demand.isUrgent(known),
      let better = known.better(than: fix, accuracy, margin: demand.margin, at: now)
    {
      return ask(better, at: now, zones, because: reason.rule)
    }
    switch stage {
    case .following(var session):
      let isUrgent = demand.isUrgent(known) || zones.wantsFix
      guard session.note(wait: wait, isFix: fix != nil, isUrgent: isUrgent, known) || isBlind else {
        stage = .following(session)
        reason = WatchReason(.followsContinuously, margin: demand.margin)
        return
      }
    case _ where isSoon:
      // At rest one fix suffices, unless a start must be noticed before the hardware reports it.
      guard demand.isUrgent(known) || zones.wantsFix else { return ask(at: now, zones) }
      return follow(.followsContinuously, demand, at: now)
    case .stopped, .idle, .asking, .sleeping, .ring, .fencing, .fenced, .parked, .coarse: break
    }
    sleep(demand, at: now, zones)
  }

  /// Without a zone on duty, the policy wakes when the next schedule opens.
  private mutating func idle(_ zones: Surroundings) {
    stage = .idle
    reason = WatchReason(.nothingToWatch)
    orders.rest(until: zones.nextScheduleChange)
  }

  private mutating func sleep(_ demand: FixDemand, at now: Instant, _ zones: Surroundings) {
    var wake = now + parameters.longestSilence
    for time in [demand.due, zones.nextScheduleChange] { if let time { wake = min(wake, time) } }
    if capabilities.host == .suspended {
      // The timer fires only as long as a session lives; a coarse one is cheap.
      stage = .ring(due: demand.due)
      orders.stayAwake(capabilities)
      // Runs often enough to postpone the warning of silence.
      wake = min(wake, now + parameters.silenceAwake * 0.5)
      if let rest = known.rest(until: now), let anchor = known.anchor {
        let left = SuspensionPlan(around: anchor, zones, known).parkAfter - rest
        if left > .zero { wake = min(wake, now + left) }
      }
      if let allowedAt = fixRequests.fenceAllowedAt, allowedAt > now { wake = min(wake, allowedAt) }
      reason = WatchReason(.keepsSessionInRing, margin: demand.margin, due: demand.due)
    } else {
      stage = .sleeping(due: demand.due)
      orders.sleep()
      reason = WatchReason(.sleepsUntilBudgetIsSpent, margin: demand.margin, due: demand.due)
    }
    orders.timer(max(wake, now + .milliseconds(1)))
  }

  /// Without satellites, a session tells no more than single network fixes, which cost less.
  private mutating func poll(_ demand: FixDemand, at now: Instant, _ zones: Surroundings) {
    if zones.wantsFix, known.allowsSecondOpinion(at: now) {
      if case .following = stage { stage = .sleeping(due: nil) }
      return ask(.best, at: now, zones, because: .confirms)
    }
    var demand = demand
    var next = (known.networkFixAt ?? now) + parameters.networkPause
    // Satellites are looked for as soon as they may be back, since promises count on them from then on.
    if let backAt = known.satellites.backAt, backAt > now { next = min(next, backAt) }
    guard next > now else {
      // Leaves the stage `following`, which ends the session.
      if case .following = stage { stage = .sleeping(due: nil) }
      return ask(at: now, zones)
    }
    demand.putOff(to: next)
    sleep(demand, at: now, zones)
    reason.rule = .asksTheNetworkOnly
  }

  private mutating func follow(_ rule: WatchReason.Rule, _ demand: FixDemand?, at now: Instant) {
    reason = WatchReason(rule, margin: demand?.margin)
    if case .following = stage { return }
    stage = .following(FollowedSession(began: now))
    orders.follow(
      timer: now + min(parameters.sessionFix, parameters.hotFix + parameters.handling))
  }

  /// Requests one fix.
  private mutating func ask(
    _ accuracy: DesiredAccuracy? = nil, at now: Instant, _ zones: Surroundings,
    because rule: WatchReason.Rule = .asksWhenBudgetIsSpent
  ) {
    guard known.mayWatch else { return }
    guard zones.hasWatchedZones || zones.hasZonesToCome else { return idle(zones) }
    if capabilities.host == .visibleOnly { return follow(.waitsForFirstFix, nil, at: now) }
    switch stage {
    case .following: return
    case .asking: if fixRequests.askedAt != nil, accuracy == nil { return }
    case .fenced, .parked, .coarse:
      orders.motionAnew()
      known.setOff(at: now)
      if stage.isParking { known.unparked(at: now) }
    case .stopped, .idle, .sleeping, .ring, .fencing: break
    }
    let accuracy =
      rule == .confirms
      ? .best : fixRequests.accuracy(accuracy ?? known.sensor(at: now, zones), known, at: now)
    if let allowedAt = fixRequests.allowedAt(accuracy, at: now) { return wait(until: allowedAt) }
    stage = .asking(for: accuracy)
    fixRequests.asked(accuracy, at: now)
    known.looks()
    reason = WatchReason(rule, due: now + parameters.coldFix)
    let span = known.isBlind(at: now) ? parameters.shortSearch : known.search(at: now)
    orders.ask(
      accuracy, within: span, host: capabilities.host,
      timer: now + max(.seconds(1), span + parameters.handling))
  }

  /// Repeats a failed request after a pause.
  private mutating func retry(at now: Instant) {
    let due = now + fixRequests.pause(parameters)
    fixRequests.failed()
    wait(until: due)
  }

  private mutating func wait(until due: Instant) {
    stage = capabilities.host == .suspended ? .ring(due: due) : .sleeping(due: due)
    reason = WatchReason(.retriesWithoutFix, due: due)
    orders.timer(due)
  }
}

// MARK: Suspended

extension CertifiedWatch {
  /// Lets the application be suspended where that keeps the promise.
  ///
  /// - Returns: true if it is suspended or about to be.
  private mutating func suspend(around anchor: Fix, at now: Instant, _ zones: Surroundings) -> Bool {
    let plan = SuspensionPlan(around: anchor, zones, known)
    switch plan.answer(in: stage, at: now) {
    case .staysInFence:
      // Zones may have come or gone since it was parked.
      if case .parked = stage { orders.suspend(untilMoved: plan.wakesOnMotion) }
      return true
    case .fence(let fence, let isParking):
      if let allowedAt = fixRequests.fenceAllowedAt, now < allowedAt { return false }
      fixRequests.laidFence(at: now)
      stage = .fencing(fence, isParking: isParking)
      reason = WatchReason(.waitsForFence, margin: fence.radius)
      orders.lay(
        [fence] + (isParking ? plan.besideParking : plan.approaches), capabilities,
        timer: now
          + max(parameters.coldFix, parameters.retries[0], isParking ? parameters.motionDelay : .zero))
      return true
    case .needsBetterFix:
      // Worth a request once in a while.
      if case .asking = stage { return false }
      guard fixRequests.allowsFence(at: now, parameters) else { return false }
      fixRequests.asksForFence(at: now)
      stage = .ring(due: nil)
      ask(.hundredMetres, at: now, zones)
      return true
    case .significantChanges(let margin):
      stage = .coarse
      reason = WatchReason(.significantChangesOnly, margin: margin)
      orders.suspend()
      orders.stayReachable(capabilities)
      known.stopHearingMotion(at: now)
      return true
    case .staysAwake: return false
    }
  }

  /// Handles the system's answer if the phone is in its movement fence.
  private mutating func noteFence(inside: Bool?, at now: Instant, _ zones: Surroundings) {
    switch stage {
    case .fencing(let fence, let isParking):
      // Some systems first report every new fence as outside. The timer decides if no better answer comes.
      fixRequests.isFenceProved = inside == true
      guard inside == true else { return }
      // A phone that set off just before would be in a zone before anything is heard of it.
      let plan = known.anchor.map { SuspensionPlan(around: $0, zones, known) }
      if isParking, plan?.waitsForMotion ?? true { return }
      rest(in: fence, isParking: isParking, at: now, zones)
    case .fenced, .parked:
      guard inside == false else { return }
      fixRequests.fenceRefused(at: now)
      ask(at: now, zones)
    case .stopped, .idle, .asking, .sleeping, .following, .ring, .coarse: break
    }
  }

  /// Allows the application to be suspended inside its fence.
  private mutating func rest(in fence: Fence, isParking: Bool, at now: Instant, _ zones: Surroundings) {
    stage = isParking ? .parked(fence) : .fenced(fence)
    reason = WatchReason(isParking ? .parkedInsideFence : .insideMovementFence, margin: fence.radius)
    let plan = known.anchor.map { SuspensionPlan(around: $0, zones, known) }
    orders.suspend(untilMoved: isParking && plan?.wakesOnMotion ?? false)
    known.stopHearingMotion(at: now)
  }

  /// Warns that fences are slow without Wi-Fi, where the ring in which a session must run is several times
  /// wider.
  private mutating func warnOfWifi(since hadWifi: Bool) {
    if hadWifi, !capabilities.wifi, capabilities.host == .suspended { orders.add(.warn(.wifiIsOff)) }
  }
}

// MARK: Clock jumps

extension CertifiedWatch {
  /// Converts all stored times to the new clock; the promises stay the same.
  private mutating func shift(by jump: ClockJump) {
    known.shift(by: jump)
    fixRequests.shift(by: jump)
    stage = stage.shifted(by: jump)
    reason.due = reason.due.map { jump.shifted($0) }
    orders.shift(by: jump)
  }
}
