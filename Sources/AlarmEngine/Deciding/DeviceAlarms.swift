import Geometry

/// All alarms of one device: the fold that takes every decision.
///
/// Inputs come in the order of their own time (``Timeline`` sees to that); each first lets the time pass up to
/// itself. Same inputs, same events, on every machine. Nothing here reads a clock.
struct DeviceAlarms: Sendable {
  let device: DeviceID
  let settings: Settings
  var zones: WatchedZones
  var armed: Bool
  var tracking: Tracking
  /// By position in `zones`; only those that are not at rest.
  var alarms: [Int: ZoneAlarm] = [:]
  /// From the last accepted fix, as far as they were needed.
  var distances: [Int: Double] = [:]
  var emptyCircle = EmptyCircle()
  var scheduleChange: Instant?
  /// How far time has passed.
  var clock: Instant?
  var signalWatch: SignalWatch?
  /// The last one.
  var jump: ClockJump?

  struct SignalWatch: Sendable {
    var deadline: Instant
    var zones: [NearZone]
  }

  init(device: DeviceID, settings: Settings, zones: WatchedZones, armed: Bool) {
    self.device = device
    self.settings = settings
    self.zones = zones
    self.armed = armed
    tracking = Tracking(settings: settings)
  }

  mutating func apply(_ input: Input, _ log: inout Log) {
    if clock == nil { scheduleChange = zones.nextScheduleChange(after: input.time) }
    letTimePass(through: input.time, &log)
    switch input {
    case .fix(let fix): take(fix, &log)
    case .command(let command, let at): obey(command, at: at, &log)
    }
  }

  /// What a zone's alarm follows on this device.
  func rules(of zone: Int) -> ZoneRules { zones.rules[zone].rules(on: device, settings) }

  /// Whether a zone watches at all at this moment, or why not.
  func offDuty(_ zone: Int, at now: Instant) -> OffDuty? {
    if !armed { return .disarmed }
    if !zones.zones[zone].active { return .inactive }
    guard let schedule = zones.zones[zone].schedule, !schedule.isOpen(at: now) else { return nil }
    return .scheduleClosed
  }
}

// MARK: A fix

extension DeviceAlarms {
  private mutating func take(_ fix: Fix, _ log: inout Log) {
    let former = tracking.anchor
    let place = fix.position.ecef
    // A millimetre is far more than either way of measuring may be wrong.
    let apart = former.map { emptyCircle.place(of: $0).groundAtMost(to: place).metres + 0.001 }
    let (outcome, wild) = tracking.take(fix, atMost: apart, settings: settings)
    if let wild { log.ignore(wild, .wild, decidedBy: fix) }
    switch outcome {
    case .ignored(let reason):
      log.ignore(fix, reason, decidedBy: fix)
    case .quarantined:
      break
    case .accepted(let fixes):
      var former = former
      for accepted in fixes {
        let spot = fixes.count == 1 ? place : accepted.position.ecef
        if isFarFromAllZones(at: spot, accepted, from: former, explained: log.explained) {
          if !distances.isEmpty { distances = [:] }
          signalWatch = nil
        } else {
          judge(accepted, at: spot, from: former, decidedBy: fix, &log)
        }
        emptyCircle.last = spot
        former = accepted
      }
    }
  }

  /// Judges one accepted fix for every zone it can matter to.
  ///
  /// - Parameter place: of the fix.
  private mutating func judge(
    _ fix: Fix, at place: Cartesian, from former: Fix?, decidedBy last: Fix, _ log: inout Log
  ) {
    var step = Step(fix: fix, former: former, decidedAt: last.measuredAt, settings: settings)
    step.places = former.map { (emptyCircle.place(of: $0), place) }
    var concerned = nearEnough(step)
    let near = concerned.count
    func add(_ zone: Int) {
      if concerned[..<near].contains(where: { $0.zone == zone }) { return }
      concerned.append(
        NearZone(zone: zone, distance: zones.index.distance(from: fix.position, to: zone)))
    }
    for zone in alarms.keys { add(zone) }
    let explained = log.explained.flatMap { zones.position(of: $0) }
    if let explained, alarms[explained] == nil { add(explained) }
    if concerned.count > near { concerned.sort { $0.zone < $1.zone } }

    var rung: [Int] = []
    for neighbour in concerned {
      let zone = neighbour.zone
      let distance = neighbour.distance.metres
      if let reason = offDuty(zone, at: step.decidedAt) {
        log.explain(zones.zones[zone].id) {
          Explanation(
            zone: zones.zones[zone].id, decidedAt: step.decidedAt,
            basis: .offDuty(reason, distance: .metres(distance)),
            before: alarms[zone] ?? ZoneAlarm(), rules: rules(of: zone), verdict: .offDuty)
        }
        continue
      }
      let evidence = evidence(of: zone, distance: distance, step, whole: zone == explained)
      if see(evidence, zone, learnedAt: max(step.decidedAt, last.receivedAt), &log) { rung.append(zone) }
    }
    propose(for: rung, at: step.decidedAt, learnedAt: max(step.decidedAt, last.receivedAt), &log)
    distances = [:]
    for neighbour in concerned { distances[neighbour.zone] = neighbour.distance.metres }
    watchSignal(after: fix, over: concerned)
  }

  /// The zones that a step can concern: near its end, or passed on the way.
  private func nearEnough(_ step: Step) -> [NearZone] {
    guard let places = step.places, step.gap <= Rule.passingGap else {
      return zones.index.within(.metres(farthest(step)), of: step.fix.position)
    }
    return zones.index.within(
      .metres(farthest(step) - step.length), of: step.fix.position, orPassedFrom: places.from,
      length: .metres(step.length), level: .metres(farthestLevel(step) + 1))
  }

  /// Metres beyond which no zone can be affected by this step.
  func farthest(_ step: Step) -> Double {
    let passing = step.gap <= Rule.passingGap ? step.length : 0
    let error = zones.widestFactor * step.radius
    return farthestLevel(step) + error + passing + max(Rule.hysteresis, settings.dangerMargin.metres)
  }

  /// Metres at which any zone rings.
  private func farthestLevel(_ step: Step) -> Double {
    max(zones.farthestAlert, zones.longestLead * step.speed)
  }

  /// Lets one zone's alarm see evidence and says what came of it.
  /// - Returns: whether it rang.
  mutating func see(_ evidence: Evidence, _ zone: Int, learnedAt: Instant, _ log: inout Log) -> Bool {
    var alarm = alarms[zone] ?? ZoneAlarm()
    let before = alarm
    let rules = rules(of: zone)
    let (verdict, effect) = alarm.see(evidence, of: rules)
    log.explain(zones.zones[zone].id) {
      Explanation(
        zone: zones.zones[zone].id, decidedAt: evidence.decidedAt, basis: .fix(evidence), before: before,
        rules: rules, verdict: verdict)
    }
    return keep(
      alarm, of: zone, before: before, effect, at: evidence.decidedAt, learnedAt: learnedAt, seen: evidence,
      &log)
  }

  /// Stores an alarm's new state and turns its effect into events.
  /// - Returns: whether it rang.
  mutating func keep(
    _ alarm: ZoneAlarm, of zone: Int, before: ZoneAlarm, _ effect: ZoneAlarm.Effect, at now: Instant,
    learnedAt: Instant, seen: Evidence? = nil, _ log: inout Log
  ) -> Bool {
    var alarm = alarm
    var rang = false
    switch effect {
    case .none: break
    case .ring(let time, _, _, _):
      if let report = alarm.report(of: zones.zones[zone].id) {
        log.add(.alarm(report), time: time, decidedAt: now, learnedAt: learnedAt)
        rang = true
      }
      if let notice = zones.zones[zone].notice, alarm.isNoticeDue(notice, at: now) {
        alarm.noticeShownAt = now
        log.add(.notice(zone: zones.zones[zone].id), time: time, decidedAt: now, learnedAt: learnedAt)
      }
    case .ringAnew:
      if let report = alarm.report(of: zones.zones[zone].id) {
        log.add(.alarm(report), time: now, decidedAt: now, learnedAt: learnedAt)
      }
    case .clear(let time, let why):
      if var report = before.report(of: zones.zones[zone].id) {
        if let seen { report = report.moved(to: seen.position, distance: .metres(seen.distance)) }
        log.add(.cleared(report, why), time: time, decidedAt: now, learnedAt: learnedAt)
      }
    }
    alarms[zone] = alarm.isAtRest(at: now, notice: zones.zones[zone].notice) ? nil : alarm
    return rang
  }

  /// One message for all that rang at this moment (S98).
  func propose(for rung: [Int], at now: Instant, learnedAt: Instant, _ log: inout Log) {
    let lines = rung.flatMap { zone in
      zones.zones[zone].messages.map { MessageProposal.Line(zone: zones.zones[zone].name, message: $0) }
    }
    guard !lines.isEmpty else { return }
    log.add(.proposal(MessageProposal(lines: lines)), time: now, decidedAt: now, learnedAt: learnedAt)
  }

  /// Remembers the zones so near that silence from now on would be an event of its own.
  private mutating func watchSignal(after fix: Fix, over concerned: [NearZone]) {
    let margin = settings.dangerMargin.metres
    let close = concerned.filter { neighbour in
      let (zone, distance) = (neighbour.zone, neighbour.distance.metres)
      guard offDuty(zone, at: fix.measuredAt) == nil else { return false }
      let error = Rule.errorFactor(zones.rules[zone].assurance) * fix.radius(settings)
      let alarm = alarms[zone] ?? ZoneAlarm()
      if let quiet = alarm.quietUntil, fix.measuredAt < quiet { return false }
      let near: Bool
      switch alarm.phase {
      case .ringing: near = false
      case .present: near = distance + error + margin >= 0
      case .idle where zones.rules[zone].trigger == .leave: near = false
      case .idle, .confirming, .dwelling:
        near = distance - error <= zones.rules[zone].alertDistance + margin
      }
      return near
    }
    signalWatch =
      close.isEmpty ? nil : SignalWatch(deadline: fix.measuredAt + settings.signalTimeout, zones: close)
  }
}

/// Why a zone does not watch.
public enum OffDuty: UInt8, Hashable, Sendable {
  case disarmed, inactive, scheduleClosed
}

/// What the fold says on its way.
struct Log: Sendable {
  var events: [Event] = []
  /// Evaluations of this zone are recorded.
  var explained: ZoneID?
  var explanations: [Explanation] = []

  mutating func add(_ kind: Event.Kind, time: Instant, decidedAt: Instant, learnedAt: Instant) {
    events.append(Event(time: time, decidedAt: decidedAt, learnedAt: learnedAt, kind: kind))
  }

  mutating func ignore(_ fix: Fix, _ reason: Ignored, decidedBy last: Fix) {
    add(
      .ignored(fix, reason), time: fix.measuredAt, decidedAt: last.measuredAt,
      learnedAt: max(last.measuredAt, last.receivedAt))
  }

  mutating func explain(_ zone: ZoneID, _ record: () -> Explanation) {
    if explained == zone { explanations.append(record()) }
  }
}
