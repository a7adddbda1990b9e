import AlarmEngine
import Store

extension DeviceEngines {
  /// Carries out one job in the transaction.
  /// - Throws: `DeviceGone`, `ZoneSetNeed`, `NeedsNextTransaction`, or an error of the store. The transaction
  ///   must not be used after that.
  func apply(
    _ work: IngestJob.Work, _ transaction: inout IngestTransaction
  ) async throws -> IngestOutcome {
    switch work {
    case .report(let report): return try await take(report, &transaction)
    case .answer(let answer, let alarm, let until, let by):
      return try await self.answer(answer, alarm, until: until, by: by, &transaction)
    case .arm(let device, let isArmed, let by):
      return try await arm(device, isArmed, by: by, &transaction)
    case .refresh(let device):
      try await refresh(device, &transaction)
      return IngestOutcome()
    case .due(let device, let mark):
      try await letTimePass(device, &transaction)
      // Otherwise the device stays due and is processed again.
      if try await isCurrent(device, &transaction) { transaction.looked[device] = mark }
      return IngestOutcome()
    case .unreached(let alarm, let device):
      try await letTimePass(device, unreached: alarm, &transaction)
      return IngestOutcome()
    case .lookAtClock: return IngestOutcome()
    case .dropEngines:
      transaction.dropsEngines = true
      return IngestOutcome()
    }
  }

  private func take(
    _ report: DeviceReport, _ transaction: inout IngestTransaction
  ) async throws -> IngestOutcome {
    var engine = try await engine(report.device, &transaction)
    let report = try await putRight(report, &engine)
    let now = transaction.now
    // A report without a fix counts as well: the device is alive.
    transaction.batch.fixes.append(
      DeviceFixes(device: report.device, fixes: report.fixes, isHeard: report.isHeard))
    transaction.batch.rawBodies += report.rawBodies
    if report.isHeard { engine.heardAt = max(engine.heardAt, now) }
    if engine.timeline != nil {
      let inputs = engine.believable(report.fixes).map { Input.fix($0) }
      transaction.batch.events += engine.unbelievable(report.fixes)
      var change = engine.timeline?.insert(inputs) ?? .init()
      engine.note(inputs)
      var isRebuilt = false
      if change.neededFrom != nil {
        if let whole = try await insertLate(change, &engine, &transaction) {
          change = whole
          isRebuilt = true
        }
      }
      let passed = engine.advance(to: now)
      try await settle(
        [change, passed], silenceEnds: report.isHeard ? .reported : nil, agrees: isRebuilt, &engine,
        &transaction)
      transaction.stored.insert(report.device)
    }
    try await notePhone(report, &engine, &transaction)
    if let account = engine.account, !report.fixes.isEmpty {
      transaction.moved[report.device] = account
      transaction.published.insert(account)
    }
    let outcome = engine.outcome(wantsDistance: report.wantsDistance, at: now)
    transaction.engines[report.device] = engine
    return outcome
  }

  private func answer(
    _ answer: AlarmAnswer, _ alarm: AlarmRecord, until: Instant, by: String,
    _ transaction: inout IngestTransaction
  ) async throws -> IngestOutcome {
    var engine = try await engine(alarm.device, &transaction)
    let now = transaction.now
    var outcome = IngestOutcome()
    if engine.open[alarm.id] == nil, transaction.alarms[alarm.device]?[alarm.id] == nil,
      let stored = try await store.alarms([alarm.id]).first, stored.isOpen
    {
      engine.open[alarm.id] = stored
    }
    guard let known = engine.open[alarm.id] else {
      outcome.alarm = transaction.alarms[alarm.device]?[alarm.id]
      if outcome.alarm == nil { outcome.alarm = try await store.alarms([alarm.id]).first ?? alarm }
      transaction.engines[alarm.device] = engine
      return outcome
    }
    if known.isAnswered(by: answer, at: now) {
      outcome.alarm = known
      transaction.engines[alarm.device] = engine
      return outcome
    }
    // After the fix that rang the alarm, also if the phone's clock is ahead of the server's.
    let at = engine.timeOfCommand(at: max(now, known.decidedAt))
    let kind: DeviceCommand.Kind
    var state: AlarmRecord.State
    switch answer {
    case .close: (kind, state) = (.close(alarm.id), .closed)
    case .sleep: (kind, state) = (.sleep(alarm.id), .sleeping(until: now + engine.settings.defaultSleepTime))
    case .acknowledge: (kind, state) = (.acknowledgeInside(alarm.id), .acknowledgedInside)
    case .today:
      (kind, state) = (.acknowledgeForToday(alarm.id, until: until), .acknowledgedForToday(until: until))
    }
    let command = DeviceCommand(device: alarm.device, at: at, kind: kind, by: by)
    var changes: [Timeline.Change] = []
    if known.isOfZone, let input = command.input, engine.timeline != nil {
      changes.append(engine.timeline?.insert([input]) ?? .init())
      engine.note([input])
      changes.append(engine.advance(to: now))
      if answer == .sleep {
        for case (_, .asleep(alarm.id, let until)) in engine.timeline?.states ?? [] {
          state = .sleeping(until: until)
        }
      }
    }
    transaction.batch.commands.append(command)
    try await settle(changes, answer: (alarm.id, state, by), &engine, &transaction)
    transaction.stored.insert(alarm.device)
    outcome.alarm = engine.open[alarm.id] ?? transaction.alarms[alarm.device]?[alarm.id] ?? known
    transaction.engines[alarm.device] = engine
    return outcome
  }

  private func arm(
    _ id: DeviceID, _ isArmed: Bool, by: String, _ transaction: inout IngestTransaction
  ) async throws -> IngestOutcome {
    var engine = try await engine(id, &transaction)
    let now = transaction.now
    engine.device.isArmed = isArmed
    let command = DeviceCommand(
      device: id, at: engine.timeOfCommand(at: now), kind: isArmed ? .activate : .deactivate, by: by)
    // An engine that was just loaded agrees with the device's record already.
    if engine.timeline?.armed != isArmed { transaction.batch.commands.append(command) }
    if let input = command.input, engine.timeline != nil {
      let change = engine.timeline?.insert([input]) ?? .init()
      engine.note([input])
      let passed = engine.advance(to: now)
      try await settle(
        [change, passed], silenceEnds: isArmed ? nil : .deactivated, &engine, &transaction)
      transaction.stored.insert(id)
    }
    let outcome = engine.outcome(wantsDistance: false, at: now)
    transaction.engines[id] = engine
    return outcome
  }

  private func refresh(_ id: DeviceID, _ transaction: inout IngestTransaction) async throws {
    // The stored engine is the same as the one in memory, so it is loaded again with the new settings.
    guard !transaction.stored.contains(id) else { throw NeedsNextTransaction() }
    transaction.engines[id] = nil
    do { transaction.engines[id] = try await load(id, &transaction) } catch is DeviceGone {
      transaction.forgotten.insert(id)
    }
  }

  private func letTimePass(
    _ id: DeviceID, unreached alarm: AlarmID? = nil, _ transaction: inout IngestTransaction
  ) async throws {
    var engine = try await engine(id, &transaction)
    let now = transaction.now
    if let alarm, engine.open[alarm]?.state == .ringing { engine.escalations[alarm] = now }
    var changes = try await catchUp(&engine, &transaction)
    let passed = engine.advance(to: now)
    if !passed.added.isEmpty { transaction.stored.insert(id) }
    changes.append(passed)
    try await settle(changes, passesTime: true, &engine, &transaction)
    transaction.engines[id] = engine
  }
}

extension AlarmRecord {
  /// Whether the alarm has this answer already, or a stronger one: an alarm that does not ring need not be
  /// closed.
  func isAnswered(by answer: AlarmAnswer, at now: Instant) -> Bool {
    switch (answer, state) {
    case (.close, let state): state != .ringing
    case (.acknowledge, .acknowledgedInside), (.today, .acknowledgedForToday): true
    case (.sleep, .sleeping(let until)): until > now
    default: false
    }
  }
}
