import AlarmEngine
import Geometry
import Logging
import Store

/// The devices' engines: takes what waits in the queue, decides, and writes fixes, engines, alarms and what is to be
/// delivered in one transaction. Nothing is published and nobody is answered before that is on the disk.
///
/// Engines stay in memory as long as there is room; one that is not there is made again from the store.
actor DeviceEngines {
  let store: any ServerStore
  let clock: ServerClock
  private let hub: EventHub
  private let metrics: Metrics
  private let logger: Logger
  private let queue: IngestQueue
  /// Told when there is something to deliver, and when the next device is due.
  private let wakes: IngestWakes
  private var cache: [DeviceID: DeviceEngine] = [:]
  private var uses: UInt64 = 0
  private let capacity: Int
  var sets = ZoneSets()
  private var due = DueTimes()

  /// - Parameter capacity: engines held in memory.
  init(
    store: any ServerStore, clock: ServerClock, hub: EventHub, metrics: Metrics, logger: Logger,
    queue: IngestQueue, wakes: IngestWakes, capacity: Int = 50_000
  ) {
    self.store = store
    self.clock = clock
    self.hub = hub
    self.metrics = metrics
    self.logger = logger
    self.queue = queue
    self.wakes = wakes
    self.capacity = capacity
  }

  /// Writes until nothing waits.
  func drain() async {
    while let jobs = queue.take() { await run(jobs) }
    if let next = due.next() { wakes.due(at: next) }
  }

  private func run(_ jobs: [IngestJob]) async {
    let start = ContinuousClock.now
    do {
      let results = try await commit(jobs)
      for (job, result) in zip(jobs, results) { job.finish(result) }
      metrics.observe("proximity_ingest_commit_seconds", seconds: (ContinuousClock.now - start).inSeconds)
    } catch {
      for job in jobs { forget(job) }
      metrics.count("proximity_ingest_failures_total")
      // One that cannot be written must not take the others with it; a store that takes nothing takes none of them.
      if jobs.count > 1, Self.isPeculiar(error) {
        for job in jobs { await run([job]) }
        return
      }
      logger.error("ingest", metadata: ["error": "\(error)", "jobs": "\(jobs.count)"])
      for job in jobs { job.finish(.failure(error)) }
    }
  }

  /// What was in memory may be ahead of the store, or behind: it is read again.
  private func forget(_ job: IngestJob) {
    if let device = job.device { cache[device] = nil }
    if case .zones(let account) = job.work { cache = cache.filter { $0.value.account != account } }
  }

  private static func isPeculiar(_ error: any Error) -> Bool {
    switch error as? StoreError {
    case .diskFull, .locked, .readOnly, .closed, .cancelled, .cannotOpen, .newerSchema, .foreignFile: false
    case .notFound, .stale, .taken, .tooMany, .clockAhead, .badRecord, .corrupted, .failed, nil: true
    }
  }

  private func commit(_ jobs: [IngestJob]) async throws -> [Result<IngestOutcome, any Error>] {
    var transaction = IngestTransaction(at: clock.now())
    var results: [Result<IngestOutcome, any Error>] = []
    results.reserveCapacity(jobs.count)
    for job in jobs {
      do { results.append(.success(try await apply(job.work, &transaction))) } catch StoreError.notFound {
        // Thrown before anything of the job is in the transaction.
        results.append(.failure(StoreError.notFound))
      }
    }
    if let batch = transaction.finish() {
      let receipt = try await store.record(batch)
      metrics.count("proximity_fixes_total", by: Double(receipt.newFixes))
      metrics.count("proximity_commits_total")
    }
    keep(transaction)
    hub.publish(transaction.published)
    if !transaction.batch.outbox.isEmpty || !transaction.batch.notices.isEmpty { wakes.deliver() }
    return results
  }

  private func keep(_ transaction: IngestTransaction) {
    for (id, engine) in transaction.engines {
      var engine = engine
      engine.unsaved = []
      uses += 1
      engine.usedAt = uses
      cache[id] = engine
      due.set(id, engine.nextDue)
    }
    for id in transaction.forgotten {
      cache[id] = nil
      due.set(id, nil)
    }
    guard cache.count > capacity else { return }
    // Half of them at once, so that the search is rare.
    let order = cache.values.map(\.usedAt).sorted()
    let bound = order[order.count / 2]
    cache = cache.filter { $0.value.usedAt > bound }
  }

  // MARK: What is due

  /// The devices that have to be looked at now, at most so many.
  func takeDue(most: Int) -> [DeviceID] { due.take(through: clock.now(), most: most) }
  func nextDue() -> Instant? { due.next() }
  /// What could not be done now is tried again soon.
  func postpone(_ device: DeviceID) { due.set(device, clock.now() + .seconds(5)) }
  /// To be seen by the operator: nobody can have been told.
  func tellNobodyReached(_ alarm: AlarmRecord) {
    metrics.count("proximity_alarms_nobody_reached_total")
    logger.error("no channel takes an alarm", metadata: ["alarm": "\(alarm.id)"])
  }
  var engineCount: Int { cache.count }

  // MARK: Engines

  func drop(_ id: DeviceID) { cache[id] = nil }

  func engine(_ id: DeviceID, _ transaction: inout IngestTransaction) async throws -> DeviceEngine {
    // Taken out, so that it is changed in place.
    if let engine = transaction.engines.removeValue(forKey: id) { return engine }
    if let engine = cache.removeValue(forKey: id) { return engine }
    return try await load(id, &transaction)
  }

  /// Makes a device's engine from the store.
  private func load(_ id: DeviceID, _ transaction: inout IngestTransaction) async throws -> DeviceEngine {
    let now = transaction.now
    let state = try await store.deviceState(id, since: now - Self.rebuiltFrom)
    guard let account = state.device.account else {
      return DeviceEngine(device: state.device, settings: .phone)
    }
    let own = try await store.settings(of: account).json
    let settings = DeviceSettings.settings([own, state.device.settings])
    var engine = DeviceEngine(device: state.device, settings: settings)
    engine.escalationDelays = EscalationDelays(settings: own)
    let open = try await store.openAlarms(of: id)
    engine.open = Dictionary(uniqueKeysWithValues: open.map { ($0.id, $0) })
    let held = sets.held(account, settings)
    var latest = held
    if held == nil || held?.revision != state.zoneSet {
      latest = sets.put(try await store.zoneSet(of: account), account, settings)
    }
    guard let latest else { return engine }
    engine.watched = latest.watched
    engine.zoneSet = latest.revision
    let inputs = Self.inputs(engine.believable(state.fixes), state.commands)
    if let snapshot = state.snapshot, let timeline = Self.restore(snapshot, settings, [latest, held]) {
      engine.timeline = timeline
      engine.through = snapshot.through
      var changes: [Timeline.Change] = []
      if !timeline.zoneRevisions.contains(latest.watched.revision) {
        let edit = Input.command(.replaceZones(latest.watched), at: max(now, snapshot.through))
        changes.append(engine.timeline?.insert([edit]) ?? .init())
        engine.timeline?.forget(keeping: 0)
      }
      changes.append(engine.timeline?.insert(inputs) ?? .init())
      engine.note(inputs)
      try await settle(changes, &engine, &transaction)
    } else {
      try await rebuild(&engine, latest.watched, &transaction)
    }
    try await schedule(&engine, &transaction)
    return engine
  }

  private static func restore(
    _ snapshot: DeviceSnapshot, _ settings: Settings, _ sets: [ZoneSets.Entry?]
  ) -> Timeline? {
    try? Timeline(snapshot: snapshot.bytes, device: snapshot.device, settings: settings) { revision in
      sets.compactMap { $0?.watched }.first { $0.revision == revision }
    }
  }

  /// Where there is no engine that can be restored, the inputs of the last day are folded again.
  private static let rebuiltFrom = TimeSpan.hours(24)
  /// What comes later than this is kept, and judged no more.
  private static let latest = TimeSpan.hours(7 * 24)
  private static let margin = TimeSpan.hours(1)
  private static let inputsAtMost = 50_000

  private func rebuild(
    _ engine: inout DeviceEngine, _ watched: WatchedZones, _ transaction: inout IngestTransaction
  ) async throws {
    let began = engine.open.values.filter(\.isOfZone).map { $0.began - Self.margin }.min()
    let from = min(began ?? transaction.now, transaction.now - Self.rebuiltFrom)
    let inputs = try await storedInputs(engine, from: from)
    var timeline = Timeline(
      device: engine.id, settings: engine.settings, watched: watched,
      armed: Self.wasArmed(before: inputs, engine.device))
    timeline.insert(inputs)
    timeline.advance(to: transaction.now)
    engine.timeline = timeline
    engine.note(inputs)
    engine.unsaved = []
    var book = book(engine, engine.open, at: transaction.now)
    book.agree(with: timeline)
    engine.timeline?.forget(keeping: DeviceEngine.kept)
    engine.unforgotten = 0
    try await finish(book, &engine, &transaction)
    transaction.stored.insert(engine.id)
  }

  /// Armed at the beginning of the stretch, as far as its first switch tells.
  private static func wasArmed(before inputs: [Input], _ device: Device) -> Bool {
    for input in inputs {
      if case .command(.activate, _) = input { return false }
      if case .command(.deactivate, _) = input { return true }
    }
    return device.isArmed
  }

  private func storedInputs(_ engine: DeviceEngine, from: Instant) async throws -> [Input] {
    try await storedInputs(engine, in: from...Instant.allowed.upperBound)
  }

  private func storedInputs(
    _ engine: DeviceEngine, in range: ClosedRange<Instant>
  ) async throws -> [Input] {
    guard let account = engine.account else { return [] }
    let fixes = try await store.fixes(of: engine.id, account: account, in: range, limit: Self.inputsAtMost)
    let commands = try await store.commands(
      of: engine.id, account: account, in: range, limit: Self.inputsAtMost)
    return Self.inputs(engine.believable(fixes), commands)
  }

  private static func inputs(_ fixes: [StoredFix], _ commands: [DeviceCommand]) -> [Input] {
    let inputs = fixes.map { Input.fix($0.fix) } + commands.compactMap(\.input)
    return inputs.sorted { $0.time < $1.time }
  }

  /// Puts in what came from a time that the engine has forgotten, from the inputs in the store.
  func insertLate(
    _ change: Timeline.Change, _ engine: inout DeviceEngine, _ transaction: inout IngestTransaction
  ) async throws -> Timeline.Change {
    let horizon = transaction.now - Self.latest
    let late =
      change.refused.filter { $0.reason == .tooOld && $0.fix.measuredAt >= horizon }.map { Input.fix($0.fix) }
      + change.refusedCommands.map { Input.command($0.command, at: $0.at) }
    guard let neededFrom = late.map(\.time).min(), let watched = engine.watched,
      let timeline = engine.timeline
    else { return change }
    // Most often it is something sent again: that is seen without reading all that came after.
    if let last = late.map(\.time).max(), change.refusedCommands.isEmpty {
      let there = try await storedInputs(engine, in: neededFrom...last)
      let places = Set(there.compactMap(\.place))
      if late.allSatisfy({ $0.place.map(places.contains) ?? false }) { return change }
    }
    let began = engine.open.values.filter(\.isOfZone).map(\.began).min() ?? neededFrom
    let from = max(min(neededFrom, began) - Self.margin, Instant.allowed.lowerBound)
    let stored = try await storedInputs(engine, from: from)
    guard stored.count < Self.inputsAtMost else {
      metrics.count("proximity_late_left_out_total")
      return change
    }
    let known = Set(stored)
    let knownPlaces = Set(stored.compactMap(\.place))
    let fresh = late.filter { input in
      input.place.map { !knownPlaces.contains($0) } ?? !known.contains(input)
    }
    guard !fresh.isEmpty else { return change }
    let isFresh = Set(fresh)
    let earlier = Timeline(
      device: engine.id, settings: engine.settings, watched: watched,
      armed: Self.wasArmed(before: stored, engine.device))
    var whole = timeline
    let added = whole.insert(
      late: fresh, stored: stored + engine.unsaved.filter { !isFresh.contains($0) }, from: earlier)
    engine.timeline = whole
    metrics.count("proximity_late_rebuilds_total")
    var merged = change
    merged.added += added.added
    merged.retracted += added.retracted
    return merged
  }
}

/// What makes two fixes the same measurement.
private struct FixPlace: Hashable {
  let measuredAt: Instant
  let position: Coordinate
  let accuracy: Fix.Accuracy
  init(_ fix: Fix) {
    measuredAt = fix.measuredAt
    position = fix.position
    accuracy = fix.accuracy
  }
}

extension Input {
  /// Nil for a command.
  fileprivate var place: FixPlace? { if case .fix(let fix) = self { FixPlace(fix) } else { nil } }
}

extension DeviceCommand {
  /// For the engine; a set of zones of the past is not kept.
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
}

extension IngestJob {
  var device: DeviceID? {
    switch work {
    case .report(let report): report.device
    case .answer(_, let alarm, _, _): alarm.device
    case .arm(let device, _, _), .refresh(let device), .due(let device), .unreached(_, let device): device
    case .zones: nil
    }
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
