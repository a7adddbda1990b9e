import AlarmEngine
import Geometry

/// All sessions and single fixes that are running, the receiver they need, and what both cost.
final class Positioning {
  private unowned let phone: Phone
  private var streams: [UpdateStream] = []
  private let receiver: SatelliteReceiver
  private let sensors: Sensors
  /// The last position any client got; on the phone, not in the application.
  private(set) var cached: PhoneFix?

  init(phone: Phone, sensors: Sensors) {
    self.phone = phone
    self.sensors = sensors
    receiver = SatelliteReceiver(phone: phone)
    receiver.changed = { [unowned self] in account() }
    receiver.found = { [unowned self] in satellitesFound() }
  }

  /// Whether anyone's satellite session is tracking.
  var hasSatellites: Bool { receiver.state == .tracking || phone.conditions.otherSession }
  var isIdle: Bool { !streams.contains { $0.kind == .continuous || $0.tier == .best } }

  func start(_ stream: UpdateStream) {
    guard !stream.isRunning else { return refresh() }
    stream.isRunning = true
    stream.last = nil
    stream.best = nil
    stream.settlesUntil = nil
    streams.append(stream)
    refresh()
    if stream.kind == .single {
      stream.pause = phone.clock.plan(after: .seconds(stream.timeout)) { [unowned self] in giveUp(stream) }
    } else {
      planPause(stream)
    }
    stream.next = phone.clock.plan(after: .seconds(phone.parameters.firstCallbackSeconds)) { [unowned self] in
      first(stream)
    }
  }

  func stop(_ stream: UpdateStream) {
    guard stream.isRunning else { return }
    stream.isRunning = false
    stream.next?.cancel()
    stream.pause?.cancel()
    streams.removeAll { $0 === stream }
    refresh()
  }

  /// Wishes, motion or conditions changed.
  func refresh() {
    receiver.want(streams.contains { $0.tier == .best } && !phone.isReduced && !phone.conditions.otherSession)
    account()
  }

  /// A running session wants another accuracy or filter.
  func settingsChanged(_ stream: UpdateStream) {
    refresh()
    if stream.last != nil { planNext(stream) }
  }

  func pausingChanged(_ stream: UpdateStream) {
    if stream.isRunning && stream.kind == .continuous { planPause(stream) }
  }

  func motionChanged() {
    receiver.surroundingsChanged()
    account()
    for stream in streams where stream.kind == .continuous && stream.last != nil {
      stream.settlesUntil = phone.now + .seconds(phone.parameters.settlingSeconds)
      planNext(stream)
      planPause(stream)
    }
  }

  // MARK: Fixes

  /// What the phone knows best at this moment for a client of this tier; nil if nothing at all.
  func measure(for tier: UpdateStream.Tier) -> PhoneFix? {
    if phone.isReduced { return sensors.reducedFix(at: phone.now) }
    if hasSatellites && phone.conditions.satellites { return sensors.satelliteFix(at: phone.now) }
    let coarse = tier == .keepAlive
    if phone.conditions.wifi && !(coarse && phone.conditions.network) {
      return sensors.wifiFix(at: phone.now)
    }
    return phone.conditions.network ? sensors.cellFix(at: phone.now) : nil
  }

  /// A position of a service that reports by itself, with the accuracy it reports.
  func measureCoarsely(accuracy: Double) -> PhoneFix {
    phone.isReduced
      ? sensors.reducedFix(at: phone.now) : sensors.cellFix(at: phone.now, accuracy: accuracy)
  }

  private func first(_ stream: UpdateStream) {
    if stream.kind == .single { return attempt(stream) }
    let lifetime = TimeSpan.seconds(phone.parameters.cacheLifetimeSeconds)
    if let cached, phone.now - cached.measuredAt <= lifetime, !phone.isReduced {
      deliver(cached, to: stream)
    } else if let fix = measure(for: stream.tier) {
      deliver(fix, to: stream)
    } else {
      phone.record(.noFix)
      stream.fail()
    }
    if stream.isRunning { planNext(stream) }
  }

  private func tick(_ stream: UpdateStream) {
    if let fix = measure(for: stream.tier), passes(fix, stream) { deliver(fix, to: stream) }
    if stream.isRunning { planNext(stream) }
  }

  /// D: the way since the last delivered fix, or a clearly better accuracy.
  private func passes(_ fix: PhoneFix, _ stream: UpdateStream) -> Bool {
    guard let last = stream.last, stream.filter > 0 else { return true }
    if fix.accuracy < last.accuracy * phone.parameters.clearlyBetterShare { return true }
    return last.position.distance(to: fix.position).metres >= stream.filter
  }

  private func deliver(_ fix: PhoneFix, to stream: UpdateStream) {
    stream.last = fix
    if cached.map({ $0.measuredAt <= fix.measuredAt }) ?? true { cached = fix }
    phone.record(.fix(fix.position, accuracy: fix.accuracy, measuredAt: fix.measuredAt, by: fix.service))
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
    if phone.isReduced { return 3600 / parameters.reducedUpdatesPerHour }
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
    if let fix = measure(for: stream.tier) {
      if stream.best.map({ fix.accuracy <= $0.accuracy }) ?? true { stream.best = fix }
      if phone.isReduced || fix.accuracy <= wanted(stream) { return complete(stream) }
    }
    guard hasSatellites else { return }
    stream.next?.cancel()
    stream.next = phone.clock.plan(after: .seconds(1)) { [unowned self] in attempt(stream) }
  }

  private func wanted(_ stream: UpdateStream) -> Double {
    stream.tier == .best ? phone.parameters.oneShotBestMetres : max(stream.accuracy, 100)
  }

  private func giveUp(_ stream: UpdateStream) {
    if stream.best == nil { stream.best = measure(for: stream.tier) }
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
    guard stream.pausesWhenStill, !phone.isMoving else { return }
    let span = TimeSpan.seconds(phone.parameters.autoPauseSeconds)
    stream.pause = phone.clock.plan(after: span) { [unowned self] in
      phone.record(.sessionPaused)
      stop(stream)
      stream.paused()
    }
  }

  // MARK: Power

  /// Brings the ledger's powers up to date.
  private func account() {
    let profile = phone.energyProfile
    let network = phone.isMoving ? profile.networkMovingMilliwatts : profile.networkStillMilliwatts
    let satellites = max(
      0, (phone.isMoving ? profile.bestMovingMilliwatts : profile.bestStillMilliwatts) - network)
    let billed = streams.filter { $0.kind == .continuous || $0.tier == .best }
    let tier = billed.map(\.tier).max()
    let filter = billed.filter { $0.tier == .best }.map(\.filter).min() ?? 0
    let saving = tier == .best ? 1 - profile.filterSaving * min(1, max(0, filter) / 30) : 1
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
