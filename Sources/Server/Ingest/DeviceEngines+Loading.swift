import AlarmEngine
import Store

/// Loads engines from the store, and updates those in memory to the zones and settings of now.
extension DeviceEngines {
  /// Reads the states of all devices of these jobs that are not in memory, in one query: a query costs more
  /// than the rows that it returns.
  func readAhead(for jobs: ArraySlice<IngestJob>, _ transaction: inout IngestTransaction) async throws {
    var absent: Set<DeviceID> = []
    for job in jobs {
      guard let id = job.device, transaction.engines[id] == nil, transaction.reads.states[id] == nil,
        !isInMemory(id)
      else { continue }
      absent.insert(id)
    }
    guard !absent.isEmpty else { return }
    let states = try await store.deviceStates(absent.sorted(), since: transaction.now - Self.rebuiltFrom)
    transaction.reads.states.merge(states) { $1 }
  }

  /// Loads a device's engine from the store.
  func load(_ id: DeviceID, _ transaction: inout IngestTransaction) async throws -> DeviceEngine {
    metrics.count("proximity_engine_loads_total")
    let read = transaction.reads.states.removeValue(forKey: id)
    let state = if let read { read } else { try await state(of: id, at: transaction.now) }
    guard let account = state.device.account, let revision = state.zoneSet else {
      var engine = DeviceEngine(device: state.device, settings: .phone)
      engine.storedDue = state.due
      return engine
    }
    let settings = try await settings(of: account, state.device, &transaction)
    var engine = DeviceEngine(device: state.device, settings: settings)
    engine.storedDue = state.due
    engine.awakeSince = awakeSince
    engine.heardAt = min(engine.heardAt, transaction.now)
    engine.escalationDelays = Self.escalationDelays(of: account, transaction)
    engine.open = Dictionary(
      uniqueKeysWithValues: state.openAlarms.map { ($0.id, $0.rung(by: transaction.now)) })
    transaction.reads.zoneRevisions[account] = max(
      revision, transaction.reads.zoneRevisions[account] ?? revision)
    let latest = try await latestZones(of: account, settings, &transaction)
    engine.watched = latest.watched
    engine.zoneSet = latest.revision
    if let snapshot = state.snapshot,
      let timeline = try await restore(snapshot, engine, latest, of: account, transaction.waitedFor)
    {
      try await goOn(with: timeline, snapshot, state, &engine, &transaction)
    } else {
      try await rebuild(&engine, latest.watched, of: account, from: state, &transaction)
    }
    if engine.timeline.map({ $0.armed != state.device.isArmed }) ?? false {
      try await agreeOnArming(&engine, &transaction)
    }
    try await schedule(&engine, &transaction)
    return engine
  }

  /// Makes the engine armed or disarmed as the device's record says. They differ if the server was stopped
  /// between the two.
  private func agreeOnArming(
    _ engine: inout DeviceEngine, _ transaction: inout IngestTransaction
  ) async throws {
    let (isArmed, now) = (engine.device.isArmed, transaction.now)
    let at = engine.timeOfCommand(at: max(now, engine.through))
    let command = DeviceCommand(
      device: engine.id, at: at, kind: isArmed ? .activate : .deactivate, by: "device")
    guard let input = command.input else { return }
    transaction.batch.commands.append(command)
    let change = engine.timeline?.insert([input]) ?? .init()
    engine.note([input])
    let passed = engine.advance(to: now)
    try await settle([change, passed], silenceEnds: isArmed ? nil : .deactivated, &engine, &transaction)
    transaction.stored.insert(engine.id)
  }

  private func state(of id: DeviceID, at now: Instant) async throws -> DeviceState {
    do { return try await store.deviceState(id, since: now - Self.rebuiltFrom) } catch StoreError.notFound {
      throw DeviceGone(device: id)
    }
  }

  private func restore(
    _ snapshot: DeviceSnapshot, _ engine: DeviceEngine, _ latest: ZoneSets.Entry, of account: AccountID,
    _ waitedFor: Set<ZoneSetNeed>
  ) async throws -> Timeline? {
    var sets = [latest.watched]
    if snapshot.zoneSet != latest.revision {
      sets += try await formerZones(
        [snapshot.zoneSet], of: account, engine.settings, waitedFor: waitedFor
      ).values
    }
    return try? Timeline(snapshot: snapshot.bytes, device: engine.id, settings: engine.settings) { revision in
      sets.first { $0.revision == revision }
    }
  }

  /// Continues from a snapshot: inserts the inputs that are later than it.
  private func goOn(
    with timeline: Timeline, _ snapshot: DeviceSnapshot, _ state: DeviceState, _ engine: inout DeviceEngine,
    _ transaction: inout IngestTransaction
  ) async throws {
    engine.timeline = timeline
    engine.through = snapshot.through
    engine.bytes = DeviceEngine.bytes(snapshot: snapshot.bytes.count)
    var changes: [Timeline.Change] = []
    let inputs = Self.inputs(engine.believable(state.fixes), state.commands)
    if !inputs.isEmpty {
      changes.append(engine.timeline?.insert(inputs) ?? .init())
      engine.note(inputs)
    }
    if let change = engine.follow(setBack: setBack, to: transaction.now) {
      changes.append(change)
      transaction.stored.insert(engine.id)
    }
    let isBehind = engine.watched.map { !timeline.zoneRevisions.contains($0.revision) } ?? false
    if isBehind, let watched = engine.watched {
      changes += watch(watched, engine.zoneSet, &engine, &transaction)
    }
    try await settle(changes, &engine, &transaction)
  }

  /// Rebuilds an engine that cannot be restored, from the inputs of the last day.
  private static let rebuiltFrom = TimeSpan.hours(24)

  private func rebuild(
    _ engine: inout DeviceEngine, _ watched: WatchedZones, of account: AccountID, from state: DeviceState,
    _ transaction: inout IngestTransaction
  ) async throws {
    var inputs = Self.inputs(engine.believable(state.fixes), state.commands)
    let began = engine.open.values.filter(\.isOfZone).map { $0.began - Self.margin }.min()
    if state.snapshot != nil || began != nil {
      let from = min(began ?? transaction.now, transaction.now - Self.rebuiltFrom)
      inputs = try await storedInputs(engine, in: from...Instant.allowed.upperBound)
    }
    // Commands later than now were given before the clock was set back.
    inputs = inputs.map { $0.commanded(by: transaction.now) }.sorted { $0.time < $1.time }
    var past: ZonesOfThePast?
    if let first = inputs.first?.time {
      past = try await pastZones(of: engine, from: first, needed: [first], waitedFor: transaction.waitedFor)
    }
    var timeline = Timeline(
      device: engine.id, settings: engine.settings, watched: past?.first ?? watched,
      armed: DeviceCommand.wasArmed(before: inputs, engine.device))
    timeline.insert(inputs + (past?.edits ?? []))
    timeline.advance(to: transaction.now)
    if inputs.isEmpty,
      let edit = try await store.zoneSetHistory(of: account, from: transaction.now, limit: 1).last
    {
      // Inputs from before the last edit are not judged by these zones.
      timeline.forget(before: min(edit.at, transaction.now))
    }
    engine.timeline = timeline
    engine.past = past
    engine.note(inputs)
    engine.unsaved = []
    var book = book(engine, engine.open, at: transaction.now)
    book.agree(with: timeline)
    engine.forgetPast()
    try await finish(book, &engine, &transaction)
    transaction.stored.insert(engine.id)
  }

  static func inputs(_ fixes: [Fix], _ commands: [DeviceCommand]) -> [Input] {
    let inputs = fixes.map { Input.fix($0) } + commands.compactMap(\.input)
    return inputs.sorted { $0.time < $1.time }
  }

  // MARK: Zones and settings

  private func settings(
    of account: AccountID, _ device: Device, _ transaction: inout IngestTransaction
  ) async throws -> Settings {
    DeviceSettings.settings([try await settingsText(of: account, &transaction), device.settings])
  }

  /// An account's settings as they are stored. They are read once in each transaction.
  func settingsText(of account: AccountID, _ transaction: inout IngestTransaction) async throws -> String {
    if let known = transaction.reads.settings[account] { return known }
    let json = try await store.settings(of: account).json
    transaction.reads.settings[account] = json
    return json
  }

  /// The escalation delays in the settings, which must have been read in the transaction.
  private static func escalationDelays(
    of account: AccountID, _ transaction: IngestTransaction
  ) -> EscalationDelays {
    EscalationDelays(settings: transaction.reads.settings[account] ?? "{}")
  }

  /// Replaces the zones that a device watches. Its present position is judged at once.
  private func watch(
    _ watched: WatchedZones, _ revision: Revision, _ engine: inout DeviceEngine,
    _ transaction: inout IngestTransaction
  ) -> [Timeline.Change] {
    let latest = max(transaction.now, engine.through)
    let at = engine.timeOfCommand(at: max(latest, engine.timeline?.position?.measuredAt ?? latest))
    let change = engine.timeline?.insert([.command(.replaceZones(watched), at: at)]) ?? .init()
    engine.watched = watched
    engine.zoneSet = revision
    let passed = engine.advance(to: transaction.now)
    // A snapshot can name only one set of zones.
    engine.timeline?.forget(keeping: 0)
    engine.unforgotten = 0
    engine.through = max(engine.through, at)
    transaction.batch.commands.append(
      DeviceCommand(device: engine.id, at: at, kind: .replaceZones(revision), by: "zones"))
    transaction.stored.insert(engine.id)
    return [change, passed]
  }

  /// Whether a device's engine uses the zones and settings that the transaction has read.
  func isCurrent(_ id: DeviceID, _ transaction: inout IngestTransaction) async throws -> Bool {
    guard let engine = transaction.engines[id], let account = engine.account, engine.timeline != nil else {
      return true
    }
    let settings = try await settings(of: account, engine.device, &transaction)
    return settings == engine.settings
      && transaction.reads.zoneRevisions[account].map { $0 <= engine.zoneSet } ?? true
  }

  /// Updates an engine that was in memory to the current zones and settings.
  func catchUp(
    _ engine: inout DeviceEngine, _ transaction: inout IngestTransaction
  ) async throws -> [Timeline.Change] {
    guard let account = engine.account, engine.timeline != nil else { return [] }
    let settings = try await settings(of: account, engine.device, &transaction)
    if settings != engine.settings {
      // The snapshot of the running transaction is not in the store yet. The device stays due and is
      // processed again.
      guard !transaction.stored.contains(engine.id) else { return [] }
      engine = try await load(engine.id, &transaction)
      return []
    }
    let delays = Self.escalationDelays(of: account, transaction)
    if delays != engine.escalationDelays {
      engine.escalationDelays = delays
      try await schedule(&engine, &transaction)
    }
    let latest = try await latestZones(of: account, engine.settings, &transaction)
    guard latest.revision > engine.zoneSet else { return [] }
    guard latest.watched != engine.watched else {
      engine.watched = latest.watched
      engine.zoneSet = latest.revision
      return []
    }
    return watch(latest.watched, latest.revision, &engine, &transaction)
  }
}

extension DeviceCommand {
  /// The command as an input of the engine. Nil for an edit of zones, since only the store knows which zones
  /// a revision had.
  var input: Input? {
    switch kind {
    case .activate: .command(.activate, at: at)
    case .deactivate: .command(.deactivate, at: at)
    case .close(let alarm): .command(.close(alarm), at: at)
    case .sleep(let alarm): .command(.sleep(alarm), at: at)
    case .acknowledgeInside(let alarm): .command(.acknowledgeInside(alarm), at: at)
    case .acknowledgeForToday(let alarm, let until):
      .command(.acknowledgeForToday(alarm, until: until), at: at)
    case .replaceZones: nil
    }
  }

  /// Whether the device was armed before these inputs: the opposite of what the first switch among them does.
  static func wasArmed(before inputs: [Input], _ device: Device) -> Bool {
    for input in inputs {
      if case .command(.activate, _) = input { return false }
      if case .command(.deactivate, _) = input { return true }
    }
    return device.isArmed
  }
}

extension Input {
  /// The same input, but a command that lies after `now` moved to `now`.
  fileprivate func commanded(by now: Instant) -> Input {
    if case .command(let command, let at) = self, at > now { .command(command, at: now) } else { self }
  }
}

extension AlarmRecord {
  /// The record with no ring after `now`: such a time is from before the clock was set back.
  fileprivate func rung(by now: Instant) -> AlarmRecord {
    var record = self
    record.lastRangAt = min(lastRangAt, now)
    return record
  }
}
