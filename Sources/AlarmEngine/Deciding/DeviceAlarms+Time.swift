import Geometry

// MARK: Time passes

extension DeviceAlarms {
  /// Does everything that falls due up to `limit`: repeats, confirmations, dwells, schedules, lost signals.
  mutating func letTimePass(through limit: Instant, _ log: inout Log) {
    skipIdleSchedules(through: limit)
    while let due = nextDue, due <= limit {
      defer { skipIdleSchedules(through: limit) }
      // What a released suspect left behind may have fallen due before; it is found only now.
      let now = max(due, clock ?? due)
      clock = now
      if let change = scheduleChange, change <= now {
        changeSchedules(at: now, since: now - .milliseconds(1), &log)
      }
      if let watch = signalWatch, watch.deadline <= now { missSignal(at: now, &log) }
      var rung: [Int] = []
      for zone in alarms.keys.sorted() {
        if timeComes(for: zone, at: now, &log) { rung.append(zone) }
      }
      propose(for: rung, at: now, learnedAt: learned(now), &log)
    }
    clock = max(limit, clock ?? limit)
  }

  /// The next moment at which something happens without any input.
  var nextDue: Instant? {
    var due = scheduleChange
    func consider(_ instant: Instant?) {
      guard let instant else { return }
      if due.map({ instant < $0 }) ?? true { due = instant }
    }
    consider(signalWatch?.deadline)
    for (zone, alarm) in alarms {
      consider(alarm.nextRepeat)
      consider(alarm.deadline(of: zones.rules[zone]))
    }
    return due
  }

  /// - Returns: whether the zone began to ring.
  private mutating func timeComes(for zone: Int, at now: Instant, _ log: inout Log) -> Bool {
    guard var alarm = alarms[zone] else { return false }
    if let next = alarm.nextRepeat, next <= now, let report = alarm.report(of: zones.zones[zone].id) {
      alarm.rangAgain(cycle: rules(of: zone).cycleTime)
      alarms[zone] = alarm
      log.add(.repeat(report), time: now, decidedAt: now, learnedAt: learned(now))
      return false
    }
    let before = alarm
    guard let (verdict, effect) = alarm.timeIsUp(at: now, of: rules(of: zone)) else { return false }
    log.explain(zones.zones[zone].id) {
      Explanation(
        zone: zones.zones[zone].id, decidedAt: now, basis: .time, before: before, rules: rules(of: zone),
        verdict: verdict)
    }
    return keep(alarm, of: zone, before: before, effect, at: now, learnedAt: learned(now), &log)
  }

  /// What a timer finds is known when it is due, or when the fix that it waits on arrived, if that was later.
  private func learned(_ now: Instant) -> Instant { max(now, tracking.anchor?.receivedAt ?? now) }

  private mutating func missSignal(at now: Instant, _ log: inout Log) {
    defer { signalWatch = nil }
    guard let position = tracking.anchor?.position else { return }
    for lost in signalWatch?.zones ?? [] where offDuty(lost.zone, at: now) == nil {
      log.add(
        .missedSignal(zone: zones.zones[lost.zone].id, distance: lost.distance, position: position),
        time: now, decidedAt: now, learnedAt: learned(now))
    }
  }
}

// MARK: Schedules

extension DeviceAlarms {
  /// Where the phone is is no longer known and no alarm waits on a schedule: then openings and closings change
  /// nothing, be it for years (a clock that was wrong, a device that is back after a long time).
  private mutating func skipIdleSchedules(through limit: Instant) {
    guard let change = scheduleChange, change <= limit else { return }
    if let anchor = tracking.anchor, change - anchor.measuredAt <= settings.positionHorizon { return }
    guard !alarms.contains(where: { zones.zones[$0.key].schedule != nil && $0.value.phase != .idle }) else {
      return
    }
    scheduleChange = zones.nextScheduleChange(after: limit)
  }

  /// Schedules that closed end their alarms; of those that were closed at `former` and are open now, the present
  /// position is judged.
  mutating func changeSchedules(at now: Instant, since former: Instant, _ log: inout Log) {
    for zone in alarms.keys.sorted() {
      guard let schedule = zones.zones[zone].schedule, !schedule.isOpen(at: now) else { continue }
      end(zone, .scheduleClosed, at: now, &log)
    }
    scheduleChange = zones.nextScheduleChange(after: now)
    let watched = zones.zones
    reconsider(at: now, &log) { zone in
      guard let schedule = watched[zone].schedule else { return false }
      return schedule.isOpen(at: now) && !schedule.isOpen(at: former)
    }
  }
}

// MARK: What people do

extension DeviceAlarms {
  mutating func obey(_ command: Command, at now: Instant, _ log: inout Log) {
    switch command {
    case .activate:
      guard !armed else { return }
      armed = true
      reconsider(at: now, &log) { _ in true }
    case .deactivate:
      guard armed else { return }
      for zone in alarms.keys.sorted() { end(zone, .deactivated, at: now, &log) }
      armed = false
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

  /// Changes the alarm of this id if it still rings; an id that is gone changes nothing.
  private mutating func change(
    _ id: AlarmID, quietUntil: Instant? = nil, _ body: (inout ZoneAlarm.Ringing, ZoneRules) -> Void
  ) {
    for zone in alarms.keys.sorted() {
      guard var alarm = alarms[zone], case .ringing(var ringing) = alarm.phase, ringing.alarm == id else {
        continue
      }
      body(&ringing, rules(of: zone))
      alarm.phase = .ringing(ringing)
      if let quietUntil { alarm.quietUntil = quietUntil }
      alarms[zone] = alarm
      return
    }
  }

  /// Ends a zone's alarm, whatever its phase.
  private mutating func end(_ zone: Int, _ why: Clearing, at now: Instant, _ log: inout Log) {
    guard var alarm = alarms[zone] else { return }
    let before = alarm
    alarm.phase = .idle
    let rang = before.report(of: zones.zones[zone].id) != nil
    _ = keep(
      alarm, of: zone, before: before, rang ? .clear(at: now, why) : .none, at: now, learnedAt: learned(now),
      &log)
  }

  /// Edits act at once: alarms of zones that are gone, switched off or redrawn elsewhere end, and the present
  /// position is judged anew for all that changed.
  ///
  /// - Complexity: linear in the alarms that are not at rest, where `next` was built from the present zones.
  private mutating func replace(with next: WatchedZones, at now: Instant, _ log: inout Log) {
    let changed = next.changed(from: zones)
    var kept: [Int: ZoneAlarm] = [:]
    var remembered: [Int: ZoneAlarm] = [:]
    for (old, alarm) in alarms {
      guard let position = next.position(of: zones.zones[old].id), next.zones[position].active else {
        continue
      }
      if !changed.contains(position) || stillHolds(alarm, in: next, position, now) {
        kept[position] = alarm
      } else if alarm.memory != ZoneAlarm() {
        remembered[position] = alarm.memory
      }
    }
    let survivors = Set(kept.keys.map { next.zones[$0].id })
    for zone in alarms.keys.sorted() where !survivors.contains(zones.zones[zone].id) {
      end(zone, next.position(of: zones.zones[zone].id) == nil ? .zoneRemoved : .zoneEdited, at: now, &log)
    }
    zones = next
    alarms = kept
    for (position, alarm) in remembered { alarms[position] = alarm }
    distances = [:]
    emptyCircle = EmptyCircle()
    signalWatch = nil
    scheduleChange = zones.nextScheduleChange(after: now)
    reconsider(at: now, &log) { changed.contains($0) }
  }

  /// A ringing alarm outlives an edit of its zone if the phone is still at the edited zone.
  private func stillHolds(_ alarm: ZoneAlarm, in next: WatchedZones, _ position: Int, _ now: Instant) -> Bool
  {
    guard case .ringing(let ringing) = alarm.phase, let anchor = tracking.anchor else { return false }
    let distance = next.index.distance(from: anchor.position, to: position).metres
    let isAt = distance <= next.rules[position].alertDistance
    return ringing.cause == .left ? !isAt : isAt
  }

  /// Judges the present position for these zones, as if it had been measured now.
  private mutating func reconsider(
    at now: Instant, _ log: inout Log, where isWanted: (Int) -> Bool
  ) {
    guard let anchor = tracking.anchor, now - anchor.measuredAt <= settings.positionHorizon else { return }
    let reach = zones.farthestAlert + zones.widestFactor * anchor.radius(settings)
    let near = zones.index.within(.metres(reach), of: anchor.position)
    var rung: [Int] = []
    for neighbour in near where isWanted(neighbour.zone) && offDuty(neighbour.zone, at: now) == nil {
      let step = Step(fix: anchor, former: nil, decidedAt: now, settings: settings)
      var evidence = evidence(of: neighbour.zone, distance: neighbour.distance.metres, step, whole: true)
      evidence.measuredAt = now
      if see(evidence, neighbour.zone, learnedAt: learned(now), &log) { rung.append(neighbour.zone) }
    }
    propose(for: rung, at: now, learnedAt: learned(now), &log)
  }
}
