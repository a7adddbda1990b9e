import Geometry

/// All alarms of one device. Every decision is made by applying inputs to this state.
///
/// ``Timeline`` applies the inputs in the order of their own time. Each input first runs the timers that are
/// due before it. The same inputs give the same events on every machine: nothing here reads a clock.
///
/// This file selects the zones that a fix, a timer or a command concerns. An ``Evidence`` describes a fix
/// relative to one zone, and the zone's ``ZoneAlarm`` decides by it.
struct DeviceAlarms: Sendable {
  let device: DeviceID
  private let heldSettings: HeldSettings
  var settings: Settings { heldSettings.settings }
  var zones: WatchedZones
  var armed: Bool
  var tracking: Tracking
  /// The alarms that are not at rest.
  var alarms = SlotTable<ZoneAlarm>()
  /// The distances from the last accepted fix to the zones that it concerned; ascending by zone.
  var distances: [NearZone] = []
  var circle = QuietCircle()
  var scheduleChange: Instant?
  /// The time up to which timers have run.
  var clock: Instant?
  var signalWatch: SignalWatch?
  /// The last jump of the clock.
  var jump: ClockJump?

  init(device: DeviceID, settings: Settings, zones: WatchedZones, armed: Bool) {
    self.device = device
    heldSettings = .of(settings)
    self.zones = zones
    self.armed = armed
    tracking = Tracking(settings: settings)
  }

  mutating func apply(_ input: Input, _ log: inout DecisionLog) {
    if clock == nil { scheduleChange = zones.summary.nextScheduleChange(after: input.time) }
    letTimePass(through: input.time, &log)
    switch input {
    case .fix(let fix): take(fix, &log)
    case .command(let command, let at): apply(command, at: at, &log)
    }
  }
}

// MARK: Timers

extension DeviceAlarms {
  /// Runs all timers that are due up to `limit`: repeats, confirmations, dwells, schedules, lost signals.
  /// - Parameter signalExpectedBy: the signal does not count as lost before this time.
  mutating func letTimePass(
    through limit: Instant, signalExpectedBy: Instant? = nil, _ log: inout DecisionLog
  ) {
    if let deadline = signalDeadline(signalExpectedBy) { signalWatch?.deadline = deadline }
    skipIdleSchedules(through: limit)
    while let due = nextDue, due <= limit {
      defer { skipIdleSchedules(through: limit) }
      // A timer set by a fix that was released from quarantine may have been due earlier; it runs now.
      let now = max(due, clock ?? due)
      let doubtsSuspect = suspectDeadline.map { $0 <= now } ?? false
      clock = now
      if let change = scheduleChange, change <= now {
        changeSchedules(at: now, since: now - .milliseconds(1), &log)
      }
      if let watch = signalWatch, watch.deadline <= now { missSignal(at: now, &log) }
      if doubtsSuspect { tellOfSuspect(at: now, &log) }
      var rung: [ZoneSlot] = []
      for zone in alarms.slots {
        guard var alarm = alarms[zone], let due = alarm.nextDue(of: zones.rules(of: zone)), due <= now else {
          continue
        }
        if alarm.wake(at: now, rules(of: zone), notice: zones[zone].notice, learnedAt: learned(now), &log) {
          rung.append(zone)
        }
        keep(alarm, of: zone, at: now)
      }
      propose(for: rung, at: now, learnedAt: learned(now), &log)
    }
    clock = max(limit, clock ?? limit)
  }

  /// The time at which the next timer is due, if there is no further input.
  var nextDue: Instant? { nextDue(signalExpectedBy: nil) }

  func nextDue(signalExpectedBy: Instant?) -> Instant? {
    let due = Self.nextDue(scheduleChange, signalDeadline(signalExpectedBy), alarms, zones)
    guard let suspectDeadline else { return due }
    return due.map { min($0, suspectDeadline) } ?? suspectDeadline
  }

  private func signalDeadline(_ expectedBy: Instant?) -> Instant? {
    signalWatch.map { watch in expectedBy.map { max(watch.deadline, $0) } ?? watch.deadline }
  }

  /// Takes only the parts that have timers, because passing `self` would copy the whole state.
  private static func nextDue(
    _ scheduleChange: Instant?, _ signalDeadline: Instant?, _ alarms: SlotTable<ZoneAlarm>,
    _ zones: WatchedZones
  ) -> Instant? {
    var due = scheduleChange
    func consider(_ instant: Instant?) {
      guard let instant else { return }
      if due.map({ instant < $0 }) ?? true { due = instant }
    }
    consider(signalDeadline)
    for (place, zone) in alarms.slots.enumerated() {
      consider(alarms.values[place].nextDue(of: zones.rules(of: zone)))
    }
    return due
  }

  /// The earliest time at which the result of a timer could be known: when it was due, or when the last
  /// accepted fix arrived, if that was later.
  private func learned(_ now: Instant) -> Instant { max(now, tracking.anchor?.receivedAt ?? now) }

  private mutating func missSignal(at now: Instant, _ log: inout DecisionLog) {
    defer { signalWatch = nil }
    guard let position = tracking.anchor?.position else { return }
    for lost in signalWatch?.zones ?? [] where offDuty(lost, at: now) == nil {
      log.add(
        .missedSignal(
          zone: zones[lost].id, distance: zones.distance(from: position, to: lost), position: position),
        time: now, decidedAt: now, learnedAt: learned(now))
    }
  }
}

// MARK: Fixes

extension DeviceAlarms {
  private mutating func take(_ fix: Fix, _ log: inout DecisionLog) {
    let former = tracking.anchor
    let place = fix.position.ecef
    let apart = former.map { circle.place(of: $0).groundAtMost(to: place) + Self.measuringError }
    let (outcome, outlier) = tracking.take(fix, atMost: apart, settings: settings)
    if let outlier { log.ignore(outlier, .outlier, decidedBy: fix) }
    switch outcome {
    case .ignored(let reason):
      log.ignore(fix, reason, decidedBy: fix)
    case .quarantined:
      break
    case .accepted(let released):
      if let released {
        consider(released, at: released.position.ecef, from: former, decidedBy: fix, &log)
      }
      consider(fix, at: place, from: released ?? former, decidedBy: fix, &log)
    }
  }

  /// Applies an accepted fix to the zones that it can concern.
  ///
  /// Not inlined, for the same reason as ``decide(_:after:whole:learnedAt:_:)``.
  ///
  /// - Parameters:
  ///   - place: the position of the fix, in space.
  ///   - last: the fix that led to its acceptance: itself, or the one that confirmed it.
  @inline(never)
  private mutating func consider(
    _ fix: Fix, at place: Cartesian, from former: Fix?, decidedBy last: Fix, _ log: inout DecisionLog
  ) {
    defer { circle.last = place }
    let places = former.map { (circle.place(of: $0), place) }
    let length = places.map { $0.groundAtMost(to: $1) } ?? .zero
    var step = Step(
      fix: fix, former: former, decidedAt: last.measuredAt, settings,
      atMost: length + Self.measuringError, places: places)
    if zones.longestLead > .zero {
      step.approach = tracking.course.follow(fix, settings)
    } else if !tracking.course.points.isEmpty {
      tracking.course.points = []
    }
    let isQuiet = log.explained == nil && saysNothingOfZonesAtRest(step, to: place)
    if isQuiet && alarms.isEmpty {
      if !distances.isEmpty { distances = [] }
      watchSignal(after: fix, over: [], and: circle.close)
    } else {
      judge(step, to: place, learnedAt: max(step.decidedAt, last.receivedAt), atRestToo: !isQuiet, &log)
    }
  }

  /// Far more than the error of either way to measure a step.
  private static let measuringError = Distance.metres(0.001)

  /// True if judging a step for the zones whose alarms are at rest would change nothing.
  private mutating func saysNothingOfZonesAtRest(_ step: Step, to place: Cartesian) -> Bool {
    // The error of a measured distance is far below a metre.
    let reach = zones.farthest(step, settings.dangerMargin) + .metres(1)
    if circle.holds(reach, around: place, of: step) { return true }
    return alarms.isEmpty && circle.find(reach, around: place, step: step.length, in: zones)
  }

  /// Judges a step for every zone that it can concern.
  ///
  /// - Parameters:
  ///   - place: where the step ends, in space.
  ///   - atRestToo: judge the step also for zones whose alarms are at rest.
  private mutating func judge(
    _ bounds: Step, to place: Cartesian, learnedAt: Instant, atRestToo: Bool, _ log: inout DecisionLog
  ) {
    let explained = log.explained.flatMap { zones.slot(of: $0) }
    let reach = zones.farthest(bounds, settings.dangerMargin)
    let width = atRestToo ? QuietCircle.width(after: bounds, reach: reach) : nil
    let near = width.map { zones.index.within($0, of: bounds.fix.position, at: place) }
    let concerned = concerned(by: bounds, within: reach, near, atRestToo: atRestToo, explained)
    // Read before an alarm comes to rest, which discards the circle.
    let close = atRestToo ? [] : circle.close
    var step = bounds
    var rung: [ZoneSlot] = []
    for neighbour in concerned {
      let zone = neighbour.zone
      if zone != explained, !alarms.contains(zone), passesBy(bounds, neighbour) { continue }
      if let reason = offDuty(zone, at: step.decidedAt) {
        log.explain(zones[zone].id) {
          Explanation(
            zone: zones[zone].id, decidedAt: step.decidedAt,
            basis: .offDuty(reason, distance: neighbour.distance), before: alarms[zone] ?? ZoneAlarm(),
            rules: rules(of: zone), verdict: .offDuty)
        }
      } else if decide(neighbour, after: &step, whole: zone == explained, learnedAt: learnedAt, &log) {
        rung.append(zone)
      }
    }
    propose(for: rung, at: bounds.decidedAt, learnedAt: learnedAt, &log)
    distances = concerned
    if let width, let near {
      let atRest = near.filter { !alarms.contains($0.zone) && offDuty($0.zone, at: bounds.decidedAt) == nil }
      circle.keep(
        atRest, within: width, around: place, of: bounds, in: zones, margin: settings.dangerMargin)
    } else if atRestToo {
      circle.forget()
    }
    watchSignal(after: bounds.fix, over: concerned, and: close)
  }

  /// True if a step, with its errors, lies entirely outside a zone whose alarm is at rest, so that it changes
  /// nothing.
  private func passesBy(_ step: Step, _ neighbour: NearZone) -> Bool {
    let rules = zones.rules(of: neighbour.zone)
    if zones[neighbour.zone].leadTime != nil { return false }
    let aside = neighbour.distance - max(step.radius * Rule.errorFactor(rules.assurance), step.length)
    return aside > rules.alertDistance + .metres(1)
  }

  /// The zones that a step can concern, in the order of urgency: those near its end, those that its path
  /// passes, those whose alarms are not at rest, and the one that is to be explained.
  ///
  /// - Parameters:
  ///   - reach: the distance from the step's end beyond which it can concern no zone at rest.
  ///   - known: all zones within `reach` or farther, if they have been looked up already.
  ///   - atRestToo: if false, zones at rest are left out, apart from `explained`.
  private func concerned(
    by step: Step, within reach: Distance, _ known: [NearZone]?, atRestToo: Bool, _ explained: ZoneSlot?
  ) -> [NearZone] {
    var concerned: [NearZone]
    if !atRestToo {
      concerned = []
    } else if let known {
      concerned = known.filter { $0.distance <= reach }
    } else if let places = step.places, step.gap <= Rule.passingGap {
      concerned = zones.index.within(
        reach - step.length, of: step.fix.position, at: places.to, orPassedFrom: places.from,
        length: step.length, level: zones.farthestLevel(step) + .metres(1))
    } else {
      concerned = zones.index.within(reach, of: step.fix.position, at: step.places?.to)
    }
    let near = concerned.count
    func add(_ zone: ZoneSlot) {
      if concerned[..<near].contains(where: { $0.zone == zone }) { return }
      concerned.append(
        NearZone(
          zone: zone, distance: zones.distance(from: step.fix.position, at: step.places?.to, to: zone)))
    }
    for zone in alarms.slots { add(zone) }
    if let explained, !alarms.contains(explained) { add(explained) }
    if concerned.count > near { concerned.sort { $0.zone < $1.zone } }
    return concerned
  }

  /// Judges a step for one zone, and stores the zone's alarm.
  ///
  /// Not inlined: a copy in each caller would make the page's WebAssembly larger.
  /// - Parameter whole: measure all of the step's path.
  /// - Returns: whether the alarm began to ring.
  @inline(never)
  mutating func decide(
    _ neighbour: NearZone, after step: inout Step, whole: Bool, learnedAt: Instant, _ log: inout DecisionLog
  ) -> Bool {
    let zone = neighbour.zone
    var alarm = alarms[zone] ?? ZoneAlarm()
    let rules = rules(of: zone)
    let evidence = Evidence(
      of: neighbour, after: &step, from: distance(before: zone), in: zones, for: alarm, rules,
      isMoving: tracking.movement.isMoving(at: step.measuredAt), whole: whole
    ) { tracking.sensors.belief(in: $0, last: tracking.anchor, settings) }
    let rang = alarm.take(evidence, rules, notice: zones[zone].notice, learnedAt: learnedAt, &log)
    keep(alarm, of: zone, at: step.decidedAt)
    return rang
  }

  /// The distance to a zone from the last accepted fix; nil if it was not measured.
  private func distance(before zone: ZoneSlot) -> Distance? {
    let place = distances.partitioningIndex { $0.zone >= zone }
    return place < distances.count && distances[place].zone == zone ? distances[place].distance : nil
  }

  /// Stores an alarm, unless it has nothing left to remember.
  private mutating func keep(_ alarm: ZoneAlarm, of zone: ZoneSlot, at now: Instant) {
    guard alarm.isAtRest(at: now, notice: zones[zone].notice) else {
      alarms.put(alarm, at: zone)
      return
    }
    // The circle was found without this zone, because its alarm was not at rest.
    if alarms.remove(zone) { circle.forget() }
  }

  /// Proposes one message for all zones that rang at this moment (S98).
  private func propose(for rung: [ZoneSlot], at now: Instant, learnedAt: Instant, _ log: inout DecisionLog) {
    let lines = rung.flatMap { zone in
      zones[zone].messages.map { MessageProposal.Line(zone: zones[zone].name, message: $0) }
    }
    guard !lines.isEmpty else { return }
    log.add(.proposal(MessageProposal(lines: lines)), time: now, decidedAt: now, learnedAt: learnedAt)
  }

  /// Remembers the zones that are so near that losing the signal would be an event.
  ///
  /// - Parameter known: further zones that are known to be that near; ascending.
  private mutating func watchSignal(after fix: Fix, over concerned: [NearZone], and known: [ZoneSlot]) {
    var close = known
    for neighbour in concerned where offDuty(neighbour.zone, at: fix.measuredAt) == nil {
      let rules = zones.rules(of: neighbour.zone)
      let error = fix.radius(settings) * Rule.errorFactor(rules.assurance)
      if SignalWatch.concerns(
        alarms[neighbour.zone] ?? ZoneAlarm(), rules, at: fix.measuredAt, distance: neighbour.distance,
        error: error, margin: settings.dangerMargin)
      {
        close.append(neighbour.zone)
      }
    }
    if !known.isEmpty, known.count < close.count { close.sort() }
    signalWatch =
      close.isEmpty ? nil : SignalWatch(deadline: fix.measuredAt + settings.signalTimeout, zones: close)
  }
}

// MARK: Queries

extension DeviceAlarms {
  /// The rules of a zone's alarm on this device.
  func rules(of zone: ZoneSlot) -> ZoneRules { zones.rules(of: zone).rules(on: device, settings) }

  /// The reason why a zone is off duty at this moment; nil if it is on duty.
  func offDuty(_ zone: ZoneSlot, at now: Instant) -> OffDuty? {
    if !armed { return .disarmed }
    if !zones[zone].active { return .inactive }
    guard let schedule = zones[zone].schedule, !schedule.isOpen(at: now) else { return nil }
    return .scheduleClosed
  }

  /// True if a fix now, or a better one, would decide something.
  var wantsFix: Bool { suspectIsNearZone || alarms.values.contains { $0.wantsFix } }
}

/// The reason why a zone is off duty.
public enum OffDuty: UInt8, Hashable, Sendable {
  case disarmed, inactive, scheduleClosed
}

// MARK: Schedules

extension DeviceAlarms {
  /// Skips openings and closings of schedules that change nothing, because the position is too old and no
  /// alarm waits for a schedule. There can be years of them: after a wrong clock, or when a device comes back
  /// after a long time.
  private mutating func skipIdleSchedules(through limit: Instant) {
    guard let change = scheduleChange, change <= limit else { return }
    if let anchor = tracking.anchor, change - anchor.measuredAt <= settings.positionHorizon { return }
    for (place, zone) in alarms.slots.enumerated()
    where zones[zone].schedule != nil && alarms.values[place].phase != .idle { return }
    circle.forget()
    scheduleChange = zones.summary.nextScheduleChange(after: limit)
  }

  /// Ends the alarms of zones whose schedule has closed. Judges the present position for zones whose schedule
  /// was closed at `former` and is open now.
  mutating func changeSchedules(at now: Instant, since former: Instant, _ log: inout DecisionLog) {
    circle.forget()
    for zone in alarms.slots {
      guard let schedule = zones[zone].schedule, !schedule.isOpen(at: now) else { continue }
      end(zone, .scheduleClosed, at: now, &log)
    }
    scheduleChange = zones.summary.nextScheduleChange(after: now)
    let watched = zones
    reconsider(at: now, &log) { zone in
      guard let schedule = watched[zone].schedule else { return false }
      return schedule.isOpen(at: now) && !schedule.isOpen(at: former)
    }
  }

  /// Ends a zone's alarm, whatever its phase.
  private mutating func end(_ zone: ZoneSlot, _ why: Clearing, at now: Instant, _ log: inout DecisionLog) {
    guard var alarm = alarms[zone] else { return }
    alarm.end(why, of: zones[zone].id, at: now, learnedAt: learned(now), &log)
    keep(alarm, of: zone, at: now)
  }

  /// Judges the last position for these zones, as if it had been measured now.
  private mutating func reconsider(
    at now: Instant, _ log: inout DecisionLog, where isWanted: (ZoneSlot) -> Bool
  ) {
    guard let anchor = tracking.anchor, now - anchor.measuredAt <= settings.positionHorizon else { return }
    let reach = zones.farthestAlert + anchor.radius(settings) * zones.widestFactor
    let near = zones.index.within(reach, of: anchor.position)
    var step = Step(standingAt: anchor, decidedAt: now, settings)
    var rung: [ZoneSlot] = []
    for neighbour in near where isWanted(neighbour.zone) && offDuty(neighbour.zone, at: now) == nil {
      if decide(neighbour, after: &step, whole: true, learnedAt: learned(now), &log) {
        rung.append(neighbour.zone)
      }
    }
    propose(for: rung, at: now, learnedAt: learned(now), &log)
  }
}

// MARK: Commands

extension DeviceAlarms {
  private mutating func apply(_ command: Command, at now: Instant, _ log: inout DecisionLog) {
    switch command {
    case .activate:
      guard !armed else { return }
      armed = true
      circle.forget()
      reconsider(at: now, &log) { _ in true }
    case .deactivate:
      guard armed else { return }
      for zone in alarms.slots { end(zone, .deactivated, at: now, &log) }
      armed = false
      circle.forget()
      signalWatch = nil
    case .close(let id):
      change(id) { ringing, _ in ringing.closed = true }
    case .sleep(let id):
      change(id) { $0.sound = .quiet(until: now + $1.sleepTime) }
    case .sleepUntil(let id, let until):
      change(id) { $0.sound = .quiet(until: max(until, now + $1.sleepTime)) }
    case .acknowledgeInside(let id):
      change(id) { ringing, _ in ringing.sound = .quiet(until: nil) }
    case .acknowledgeForToday(let id, let until):
      change(id, quietUntil: until) { ringing, _ in ringing.sound = .quiet(until: until) }
    case .replaceZones(let replacement):
      replace(with: replacement, at: now, &log)
    }
  }

  /// Changes the alarm with this id if it still rings. If it has ended, nothing changes. Not inlined, for the
  /// same reason as `decide`.
  @inline(never)
  private mutating func change(
    _ id: AlarmID, quietUntil: Instant? = nil, _ body: (inout ZoneAlarm.Ringing, ZoneRules) -> Void
  ) {
    for zone in alarms.slots {
      guard var alarm = alarms[zone], case .ringing(var ringing) = alarm.phase, ringing.alarm == id else {
        continue
      }
      body(&ringing, rules(of: zone))
      alarm.phase = .ringing(ringing)
      if let quietUntil { alarm.memory.quietUntil = quietUntil }
      alarms[zone] = alarm
      return
    }
  }

  /// Replaces the zones at once. Alarms of zones that are gone, switched off or redrawn elsewhere end, and
  /// the present position is judged again for all zones that changed.
  ///
  /// - Complexity: linear in the alarms that are not at rest, if `next` was built from the present zones.
  private mutating func replace(with next: WatchedZones, at now: Instant, _ log: inout DecisionLog) {
    let handover = AlarmHandover(of: alarms, in: zones, to: next, anchor: tracking.anchor, settings)
    for (zone, why) in handover.ended { end(zone, why, at: now, &log) }
    zones = next
    alarms = handover.alarms
    distances = []
    circle = QuietCircle()
    signalWatch = nil
    scheduleChange = zones.summary.nextScheduleChange(after: now)
    reconsider(at: now, &log) { handover.hasChanged($0) }
  }
}
