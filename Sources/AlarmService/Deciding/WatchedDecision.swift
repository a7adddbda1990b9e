import AlarmEngine
import Store

/// One job on a device that is watched by an account's zones.
struct WatchedDecision {
  let context: DecisionContext
  var device: WatchedDevice
  var facts: StoredFacts
  var part: IngestTransaction

  var now: Instant { context.now }
  var id: DeviceID { device.id }
  var account: AccountID { device.account }

  // MARK: A report

  mutating func take(_ report: DeviceReport) -> IngestOutcome {
    let fixes = putRight(report.fixes)
    part.add(report, fixes)
    // A report without a fix counts as well: the device is alive.
    if report.isHeard { device.heard(at: now) }
    let inputs = device.believable(fixes).map { Input.fix($0) }
    part.batch.events += device.unbelievable(fixes)
    var change = device.timeline.insert(inputs)
    device.note(inputs)
    var isRebuilt = false
    if change.neededFrom != nil, let whole = insertLate(change) {
      change = whole
      isRebuilt = true
    }
    let passed = device.advance(to: now)
    let believed = inputs.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    settle(
      [change, passed], silenceEnds: report.isHeard ? .reported : nil, agrees: isRebuilt, fixes: believed)
    remind(believed)
    part.stored.insert(id)
    notePhone(report)
    if !report.fixes.isEmpty {
      part.moved[id] = account
      // Companion alarms are judged in a later transaction, that of the watcher's device, so that their
      // failure does not affect this one.
      if device.hasCompanions || device.isCompanion { part.batch.companionsMoved.insert(id) }
      part.published.insert(account)
    }
    var outcome = device.outcome(wantsDistance: report.wantsDistance, at: now)
    if report.wantsDistance, device.hasCompanions || device.isCompanion, let room = companionRoom() {
      outcome.nearest = outcome.nearest.map { min($0, room) } ?? room
    }
    return outcome
  }

  // MARK: People's commands

  mutating func answer(
    _ answer: AlarmAnswer, _ alarm: AlarmRecord, until: Instant, by: String
  ) -> IngestOutcome {
    var outcome = IngestOutcome()
    let changed = part.alarms[id]?[alarm.id]
    if device.open[alarm.id] == nil, changed == nil, let stored = facts.alarm(alarm.id), stored.isOpen {
      device.open[alarm.id] = stored
    }
    guard let known = device.open[alarm.id] else {
      outcome.alarm = changed ?? facts.alarm(alarm.id) ?? alarm
      return outcome
    }
    if known.isAnswered(by: answer, at: now) {
      outcome.alarm = known
      return outcome
    }
    // After the fix that rang the alarm, also if the phone's clock is ahead of the server's.
    let at = device.timeOfCommand(at: max(now, known.decidedAt))
    let kind: DeviceCommand.Kind
    var state: AlarmRecord.State
    switch answer {
    case .close: (kind, state) = (.close(alarm.id), .closed)
    case .sleep: (kind, state) = (.sleep(alarm.id), .sleeping(until: now + device.settings.defaultSleepTime))
    case .acknowledge: (kind, state) = (.acknowledgeInside(alarm.id), .acknowledgedInside)
    case .today:
      (kind, state) = (.acknowledgeForToday(alarm.id, until: until), .acknowledgedForToday(until: until))
    }
    // An ended companion alarm has nothing to wait for: every answer except sleep clears it.
    if known.isOfEndedCompanion, answer != .sleep { state = .cleared(.zoneRemoved, at: now) }
    let command = DeviceCommand(device: id, at: at, kind: kind, by: by, engineID: known.engineID)
    var changes: [Timeline.Change] = []
    if known.isOfZone, let input = command.input {
      changes.append(insert(input))
      changes.append(device.advance(to: now))
      if answer == .sleep {
        for case (_, .asleep(known.engineID, let until)) in device.timeline.states {
          state = .sleeping(until: until)
        }
      }
    }
    part.batch.commands.append(command)
    settle(changes, answer: (alarm.id, state, by))
    part.stored.insert(id)
    outcome.alarm = device.open[alarm.id] ?? part.alarms[id]?[alarm.id] ?? known
    return outcome
  }

  mutating func arm(_ isArmed: Bool, by: String) -> IngestOutcome {
    device.record.isArmed = isArmed
    let command = DeviceCommand(
      device: id, at: device.timeOfCommand(at: now), kind: isArmed ? .activate : .deactivate, by: by)
    // A newly loaded engine agrees with the device's record already.
    if device.timeline.armed != isArmed { part.batch.commands.append(command) }
    if let input = command.input { follow(input, isArmed: isArmed) }
    return device.outcome(wantsDistance: false, at: now)
  }

  /// Arms or disarms the engine.
  mutating func follow(_ input: Input, isArmed: Bool) {
    let change = insert(input)
    let passed = device.advance(to: now)
    settle([change, passed], silenceEnds: isArmed ? nil : .deactivated)
    part.stored.insert(id)
  }

  private mutating func insert(_ input: Input) -> Timeline.Change {
    let change = device.timeline.insert([input])
    device.note([input])
    return change
  }

  // MARK: Time

  /// - Parameter alarm: an alarm that a channel will not take, so that its next escalation step is due.
  mutating func letTimePass(unreached alarm: AlarmID? = nil) {
    if let alarm, device.open[alarm]?.state == .ringing { device.escalations[alarm] = now }
    var changes = catchUp()
    guard facts.isComplete else { return }
    let passed = device.advance(to: now)
    if !passed.added.isEmpty { part.stored.insert(id) }
    changes.append(passed)
    settle(changes, passesTime: true)
    remindOfTime()
    judgeCompanions()
  }
}

extension AlarmRecord {
  /// True if the alarm has this answer already, or a stronger one: an alarm that does not ring need not be
  /// closed.
  fileprivate func isAnswered(by answer: AlarmAnswer, at now: Instant) -> Bool {
    switch (answer, state) {
    case (.close, let state): state != .ringing
    case (.acknowledge, .acknowledgedInside), (.today, .acknowledgedForToday): true
    case (.sleep, .sleeping(let until)): until > now
    default: false
    }
  }
}
