import AlarmEngine
import Geometry

/// All running sessions and single fixes, the receiver that they need, and their energy.
final class Positioning {
  private unowned let phone: Phone
  private var streams: [UpdateStream] = []
  private let receiver: SatelliteReceiver
  private let sensors: Sensors
  /// The last position delivered to any client; kept by the phone, not the application.
  private(set) var cached: PhoneFix?

  init(phone: Phone, sensors: Sensors) {
    self.phone = phone
    self.sensors = sensors
    receiver = SatelliteReceiver(phone: phone)
    receiver.changed = { [unowned self] in account() }
    receiver.found = { [unowned self] in satellitesFound() }
  }

  /// True if the receiver is tracking, or another application's satellite session runs.
  var hasSatellites: Bool { receiver.state == .tracking || phone.conditions.otherSession }
  var isIdle: Bool { !streams.contains { $0.isDemanding && ($0.kind == .continuous || $0.tier == .best) } }
  /// True if a session waits for the phone to move.
  var waitsForMotion: Bool { streams.contains { $0.isResting } }

  func start(_ stream: UpdateStream) {
    guard !stream.isRunning else { return refresh() }
    stream.isRunning = true
    stream.last = nil
    stream.best = nil
    stream.settlesUntil = nil
    stream.isResting = false
    streams.append(stream)
    refresh()
    if stream.kind == .single {
      stream.pause = phone.clock.plan(after: .seconds(stream.timeout)) { [unowned self] in giveUp(stream) }
    } else {
      planPause(stream)
    }
    guard !stream.isPassive else { return }
    stream.next = phone.clock.plan(after: .seconds(phone.parameters.firstCallbackSeconds)) { [unowned self] in
      first(stream)
    }
  }

  func stop(_ stream: UpdateStream) {
    guard stream.isRunning else { return }
    stream.isRunning = false
    stream.deferral?.plan.cancel()
    stream.deferral = nil
    stream.next?.cancel()
    stream.pause?.cancel()
    streams.removeAll { $0 === stream }
    refresh()
  }

  /// Called when requests, motion or conditions have changed.
  func refresh() {
    receiver.want(
      streams.contains { $0.tier == .best && $0.isDemanding } && !phone.isReduced
        && !phone.conditions.otherSession)
    account()
  }

  /// Called when a running session has a new accuracy or filter.
  func settingsChanged(_ stream: UpdateStream) {
    refresh()
    if stream.last != nil { planNext(stream) }
  }

  func pausingChanged(_ stream: UpdateStream) {
    if stream.isRunning && stream.kind == .continuous { planPause(stream) }
  }

  func motionChanged() {
    receiver.surroundingsChanged()
    refresh()
    for stream in streams where stream.kind == .continuous && stream.last != nil && !stream.isResting {
      stream.settlesUntil = phone.now + .seconds(phone.parameters.settlingSeconds)
      planNext(stream)
      planPause(stream)
    }
  }

  // MARK: Fixes

  /// The phone's best position for a client at this moment; nil if there is none.
  func measure(for stream: UpdateStream) -> PhoneFix? {
    if isReduced(stream) { return sensors.reducedFix(at: phone.now, radius: phone.reducedRadius) }
    if hasSatellites && phone.conditions.satellites { return sensors.satelliteFix(at: phone.now) }
    let coarse = stream.tier == .keepAlive
    if phone.conditions.wifi && !(coarse && phone.conditions.network) {
      return sensors.wifiFix(at: phone.now)
    }
    return phone.conditions.network ? sensors.cellFix(at: phone.now) : nil
  }

  private func isReduced(_ stream: UpdateStream) -> Bool { phone.isReduced || stream.wantsReduced }

  /// The place where the phone rested, measured by Wi-Fi.
  func measure(restedAt place: Coordinate) -> PhoneFix {
    phone.isReduced
      ? sensors.reducedFix(at: phone.now, radius: phone.reducedRadius)
      : sensors.wifiFix(of: place, at: phone.now)
  }

  /// A position of a service that reports on its own, with the given accuracy.
  func measureCoarsely(accuracy: Double) -> PhoneFix {
    phone.isReduced
      ? sensors.reducedFix(at: phone.now, radius: phone.reducedRadius)
      : sensors.cellFix(at: phone.now, accuracy: accuracy)
  }

  private func first(_ stream: UpdateStream) {
    if stream.kind == .single { return attempt(stream) }
    let lifetime = TimeSpan.seconds(stream.oldestCached ?? phone.parameters.cacheLifetimeSeconds)
    if let cached, phone.now - cached.measuredAt <= lifetime, !isReduced(stream) {
      deliver(cached, to: stream)
    } else if let fix = measure(for: stream) {
      deliver(fix, to: stream)
    } else {
      phone.record(.noFix)
      stream.fail()
    }
    if stream.isRunning { planNext(stream) }
  }

  private func tick(_ stream: UpdateStream) {
    if let fix = measure(for: stream), passes(fix, stream) { deliver(fix, to: stream) }
    if stream.isRunning { planNext(stream) }
  }

  /// True for a fix that passes the distance filter. D: by the distance since the last delivered fix, or by a
  /// clearly better accuracy.
  private func passes(_ fix: PhoneFix, _ stream: UpdateStream) -> Bool {
    guard let last = stream.last, stream.filter > 0 else { return true }
    if fix.accuracy < last.accuracy * phone.parameters.clearlyBetterShare { return true }
    return last.position.distance(to: fix.position).metres >= stream.filter
  }

  private func deliver(_ fix: PhoneFix, to stream: UpdateStream) {
    if collect(fix, for: stream) { return }
    stream.last = fix
    if cached.map({ $0.measuredAt <= fix.measuredAt }) ?? true { cached = fix }
    phone.record(.fix(fix.position, accuracy: fix.accuracy, measuredAt: fix.measuredAt, by: fix.service))
    stream.receive(fix)
    for other in streams where other.isPassive && other !== stream { listenIn(fix, other) }
  }

  /// Gives a passive client a fix that others asked for, at most at its own interval.
  private func listenIn(_ fix: PhoneFix, _ stream: UpdateStream) {
    if let last = stream.last, (fix.measuredAt - last.measuredAt).seconds < stream.interval { return }
    stream.last = fix
    stream.receive(fix)
  }

  private func planNext(_ stream: UpdateStream) {
    stream.next?.cancel()
    stream.next = phone.clock.plan(after: .seconds(max(stream.interval, spacing(of: stream)))) {
      [unowned self] in tick(stream)
    }
  }

  private func spacing(of stream: UpdateStream) -> Double {
    let parameters = phone.parameters
    if isReduced(stream) { return 3600 / parameters.reducedUpdatesPerHour }
    let settling = stream.settlesUntil.map { phone.now < $0 } ?? false
    let draw = phone.randomness.uniform(.spacing)
    guard phone.isMoving || settling else { return parameters.stillSpacingSeconds }
    return hasSatellites && stream.tier == .best
      ? parameters.movingSpacing.value(at: draw) : parameters.networkSpacing.value(at: draw)
  }

  private func satellitesFound() {
    for stream in streams where stream.tier == .best {
      stream.settlesUntil = phone.now + .seconds(phone.parameters.settlingSeconds)
      if stream.kind == .single { attempt(stream) } else if stream.last != nil { tick(stream) }
    }
  }

  // MARK: Single fixes

  private func attempt(_ stream: UpdateStream) {
    guard stream.isRunning else { return }
    if let fix = measure(for: stream) {
      if stream.best.map({ fix.accuracy <= $0.accuracy }) ?? true { stream.best = fix }
      if isReduced(stream) || fix.accuracy <= wanted(stream) { return complete(stream) }
    }
    guard hasSatellites else { return }
    stream.next?.cancel()
    stream.next = phone.clock.plan(after: .seconds(1)) { [unowned self] in attempt(stream) }
  }

  private func wanted(_ stream: UpdateStream) -> Double {
    stream.tier == .best ? phone.parameters.oneShotBestMetres : max(stream.accuracy, 100)
  }

  private func giveUp(_ stream: UpdateStream) {
    if stream.best == nil { stream.best = measure(for: stream) }
    complete(stream)
  }

  private func complete(_ stream: UpdateStream) {
    stop(stream)
    guard let fix = stream.best else {
      phone.record(.noFix)
      return stream.fail()
    }
    if stream.tier != .best {
      let profile = phone.energyProfile
      phone.charge(.networkFix, fix.service == .cell ? profile.cellFixJoules : profile.networkFixJoules)
      if phone.randomness.happens(.network, probability: profile.lookupProbability) {
        phone.charge(.lookup, profile.lookupJoules)
      }
    }
    deliver(fix, to: stream)
  }

  // MARK: Pausing

  private func planPause(_ stream: UpdateStream) {
    stream.pause?.cancel()
    guard !phone.isMoving else { return }
    if stream.restsWhenStill {
      stream.pause = phone.clock.plan(after: .seconds(phone.parameters.liveRestSeconds)) { [unowned self] in
        rest(stream)
      }
    }
    guard stream.pausesWhenStill else { return }
    let span = TimeSpan.seconds(phone.parameters.autoPauseSeconds(for: stream.activity))
    stream.pause = phone.clock.plan(after: span) { [unowned self] in
      phone.record(.sessionPaused)
      stop(stream)
      stream.paused()
    }
  }

  /// Tells the position once more, and pauses until the phone moves. Meanwhile the application may be
  /// suspended.
  private func rest(_ stream: UpdateStream) {
    stream.isResting = true
    stream.next?.cancel()
    if let fix = measure(for: stream) { deliver(fix, to: stream) } else { stream.fail() }
    phone.process?.allowSuspension()
    phone.accountForMotion()
    refresh()
  }

  /// The motion hardware has noticed the last change of motion: paused sessions go on if the phone still
  /// moves.
  func motionNoticed() {
    guard phone.isMoving else { return }
    for stream in streams where stream.isResting {
      phone.wakeForLiveUpdates { [weak self] in self?.resume(stream) }
    }
  }

  private func resume(_ stream: UpdateStream) {
    guard stream.isRunning, stream.isResting else { return }
    stream.isResting = false
    phone.accountForMotion()
    refresh()
    planPause(stream)
    stream.next = phone.clock.plan(after: .seconds(phone.parameters.firstCallbackSeconds)) { [unowned self] in
      tick(stream)
    }
  }

  // MARK: Deferring

  /// Collects fixes from now on, until the given distance or time is reached.
  func `defer`(_ stream: UpdateStream, metres: Double, seconds: Double) {
    stream.deferral?.plan.cancel()
    let collected = stream.deferral?.collected ?? []
    let plan = phone.clock.plan(after: .seconds(min(seconds, 1e9))) { [unowned self] in
      endDeferral(stream, nil)
    }
    stream.deferral = UpdateStream.Deferral(metres: metres, plan: plan, collected: collected)
    account()
  }

  func endDeferral(_ stream: UpdateStream, _ error: CLError.Code?) {
    guard let deferral = stream.deferral else { return }
    deferral.plan.cancel()
    stream.deferral = nil
    account()
    for fix in deferral.collected {
      phone.record(.fix(fix.position, accuracy: fix.accuracy, measuredAt: fix.measuredAt, by: fix.service))
    }
    if let last = deferral.collected.last {
      cached = last
      stream.last = last
      stream.receiveTogether(deferral.collected)
    }
    stream.deferralEnded(error)
  }

  /// True if fixes may be collected. D: only satellite fixes in the background, and not while another
  /// application wants them live.
  private var mayDefer: Bool { phone.process?.state == .background && !phone.conditions.otherSession }

  /// - Returns: true if the fix was kept for later.
  private func collect(_ fix: PhoneFix, for stream: UpdateStream) -> Bool {
    guard stream.deferral != nil, mayDefer, fix.service == .gnss else { return false }
    if let last = stream.deferral?.collected.last ?? stream.last {
      stream.deferral?.travelled += last.position.distance(to: fix.position).metres
    }
    stream.deferral?.collected.append(fix)
    if let deferral = stream.deferral, deferral.travelled >= deferral.metres { endDeferral(stream, nil) }
    return true
  }

  // MARK: Power

  /// Updates the powers in the ledger.
  private func account() {
    let profile = phone.energyProfile
    let network = phone.isMoving ? profile.networkMovingMilliwatts : profile.networkStillMilliwatts
    let satellites = max(
      0, (phone.isMoving ? profile.bestMovingMilliwatts : profile.bestStillMilliwatts) - network)
    let billed = streams.filter { ($0.kind == .continuous || $0.tier == .best) && $0.isDemanding }
    let tier = billed.map(\.tier).max()
    let filter = billed.filter { $0.tier == .best }.map(\.filter).min() ?? 0
    var saving = tier == .best ? 1 - profile.filterSaving * min(1, max(0, filter) / 30) : 1
    let isDeferring = mayDefer && billed.allSatisfy { $0.tier < .best || $0.deferral != nil }
    if tier == .best, isDeferring { saving *= 1 - profile.deferredSaving }
    let session: Double =
      switch tier {
      case nil: 0
      case .keepAlive: profile.keepAliveMilliwatts
      case .network, .best: network * saving
      }
    phone.setPower(.session, session)
    switch receiver.state {
    case .off: phone.setPower(.satellites, 0)
    case .acquiring: phone.setPower(.satellites, satellites * saving * profile.acquireFactor)
    case .tracking: phone.setPower(.satellites, satellites * saving)
    }
    phone.setPower(.satelliteTail, receiver.state == .off && receiver.isInTail ? satellites : 0)
    phone.reconsiderSuspension()
  }
}
