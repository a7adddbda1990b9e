import AlarmEngine
import Logging
import NIOPosix
import Store

/// Takes jobs from the queue, reads the facts they need, lets each be decided by a decision, and writes fixes,
/// engines, alarms and deliveries of all of them in one transaction. Nothing is published or acknowledged
/// before the transaction is on the disk.
///
/// Devices stay in memory as long as there is room. Others are loaded from the store when they are needed.
actor GroupCommit {
  let store: SQLStore
  let clock: ServerClock
  let metrics: Metrics
  private let hub: EventHub
  let logger: Logger
  nonisolated let queue: IngestQueue
  /// Woken when there is something to deliver, and told when the next device is due.
  private let wakes: IngestWakes
  private var cache: DeviceCache
  /// The task that returns the memory of dropped engines to the system and then pauses; nil if it may start
  /// at once.
  private var givingBack: Task<Void, Never>?
  private static let givesBackEvery = Duration.seconds(3)
  var sets: ZoneSets
  private var isDraining = false
  /// The continuation of `drain` while it waits for something to decide.
  private var waitsForNews: CheckedContinuation<Void, Never>?
  /// The transaction before the one that is being decided.
  private var writing: JobsBeingWritten?
  /// Jobs that wait until their zones are ready.
  var waiting: [ZoneSetNeed: [IngestJob]] = [:]
  let zoneThreads: NIOThreadPool
  var pace = LatePace()
  /// The account whose past the current job has read.
  var readsPastOf: AccountID?
  private var awakeWatch: AwakeWatch
  var breaker = AlarmBreaker()
  /// Detects that the system's clock was set, or that the machine slept: the uptime stands still during a
  /// sleep.
  private var comparison: ClockComparison
  /// A jump forward of at least this length counts as a time in which phones could not report. Shorter ones
  /// are ordinary corrections of the clock.
  private static let missedReports = TimeSpan.seconds(30)
  /// True if the latest time in the store was compared with the clock. This is done once after the start.
  private var isComparedWithStore = false
  /// By how much the clock was set back the last time since the start.
  private(set) var setBack: TimeSpan?
  /// A jump back by which the store's times have not been moved yet.
  private var unfollowed: TimeSpan?
  /// Devices that could not be processed when they were due, and when to try again.
  var postponed: [DeviceID: Instant] = [:]
  /// Other processes on the same store, to which due devices are left for a moment.
  var neighbours: Neighbours

  init(
    store: SQLStore, clock: ServerClock, hub: EventHub, metrics: Metrics, logger: Logger,
    queue: IngestQueue, wakes: IngestWakes, bounds: DeviceCache.Bounds = .init(), sets: ZoneSets = .init(),
    neighbours: Neighbours = .init(), process: String? = nil
  ) {
    self.store = store
    self.clock = clock
    self.hub = hub
    self.metrics = metrics
    self.logger = logger
    self.queue = queue
    self.wakes = wakes
    self.sets = sets
    self.neighbours = neighbours
    cache = DeviceCache(bounds)
    awakeWatch = AwakeWatch(process: process, at: clock.now(), elapsed: clock.elapsed())
    comparison = ClockComparison(now: clock.now(), uptime: clock.uptime())
    zoneThreads = NIOThreadPool(numberOfThreads: 2)
    zoneThreads.start()
  }

  deinit { zoneThreads.shutdownGracefully { _ in } }

  /// Decides and writes until the queue is empty. While one transaction is written, the next one is decided
  /// for other devices, so neither depends on the outcome of the other.
  func drain() async {
    guard !isDraining else { return wake() }
    isDraining = true
    defer { isDraining = false }
    while true {
      if let writing, writing.isOfAll || !writing.isUnderWay { await written() }
      if let jobs = queue.take(besides: writing?.devices) {
        guard let decided = await decideGathered(jobs) else { continue }
        await written()
        beginWriting(decided)
      } else {
        guard writing != nil else { return }
        await news()
      }
    }
  }

  /// Waits for further jobs, or for the end of the transaction that is being written.
  private func news() async {
    guard writing?.isUnderWay == true else { return }
    await withCheckedContinuation { waitsForNews = $0 }
  }

  private func wake() {
    waitsForNews?.resume()
    waitsForNews = nil
  }

  /// Decides jobs, and those that arrive while the transaction before is written.
  /// - Returns: nil if they failed; their callers have then got the error.
  private func decideGathered(_ first: [IngestJob]) async -> DecidedJobs? {
    var jobs: [IngestJob]? = first
    var decided = DecidedJobs(at: clock.now())
    do {
      try await checkClock()
      while true {
        if let jobs { try await decide(jobs, into: &decided) }
        guard let current = writing, decided.takesMore, isClockHeeded else { return decided }
        let room = queue.batchWeight - decided.weight
        if current.isUnderWay {
          jobs = queue.take(atMost: room, besides: current.devices)
          if jobs == nil { await news() }
        } else {
          // Take jobs once more: any that arrive later go into the next transaction.
          await written()
          jobs = queue.take(atMost: room, besides: nil)
        }
      }
    } catch {
      await written()
      await fail(decided.jobs.isEmpty ? first : decided.jobs, error)
      return nil
    }
  }

  private func beginWriting(_ decided: DecidedJobs) {
    let end = Task {
      defer {
        writing?.isUnderWay = false
        wake()
      }
      do {
        try await write(decided)
        return nil as (any Error)?
      } catch { return error }
    }
    writing = JobsBeingWritten(decided.written, end)
    // They are decided again when it is written.
    _ = queue.putBack(decided.next)
    rest(decided.resting)
  }

  /// Waits until the transaction that is being written is on the disk, or its jobs have got the error.
  private func written() async {
    guard let current = writing else { return }
    let error = await current.end.value
    writing = nil
    if let error { await again(current.jobs, after: error) }
  }

  /// Decides and writes these jobs only.
  private func run(_ jobs: [IngestJob]) async {
    do {
      try await checkClock()
      try await commit(jobs)
    } catch { await again(jobs, after: error) }
  }

  private func commit(_ jobs: [IngestJob]) async throws {
    var decided = DecidedJobs(at: clock.now())
    try await decide(jobs, into: &decided)
    try await write(decided)
    rest(decided.resting)
    if !decided.next.isEmpty { await run(decided.next) }
  }

  /// The most times that jobs are decided when other processes change their devices first.
  static let decidedAtMost = 10

  /// Decides jobs again that could not be written, as long as another process has changed one of their
  /// devices in between. This is safe because a transaction has no effect, in memory or outside, until it is
  /// on the disk.
  private func again(_ jobs: [IngestJob], after failure: any Error) async {
    var failure = failure
    for conflicts in 1...Self.decidedAtMost {
      guard case StoreError.conflict(let devices) = failure else { break }
      metrics.count("proximity_engine_conflicts_total")
      for device in devices { cache.drop(device) }
      neighbours.noteConflict(at: clock.now())
      guard conflicts < Self.decidedAtMost else { break }
      await neighbours.pause(conflicts)
      do { return try await commit(jobs) } catch { failure = error }
    }
    await fail(jobs, failure)
  }

  private func fail(_ jobs: [IngestJob], _ error: any Error) async {
    // The engines in memory may be older than the store, so they are read again.
    for job in jobs { if let device = job.device { cache.drop(device) } }
    metrics.count("proximity_ingest_failures_total")
    // Unless the store takes nothing at all, the jobs are tried one by one, so that one that cannot be
    // written does not fail the others.
    if jobs.count > 1, Self.isPeculiar(error) {
      for job in jobs { await run([job]) }
      return
    }
    logger.error("ingest", metadata: ["error": "\(error)", "jobs": "\(jobs.count)"])
    for job in jobs { job.finish(.failure(error)) }
  }

  /// The number of jobs whose engines are read from the store at once.
  private static let readAhead = 128

  /// The most times a job is decided, if each time something else has to be read, before it counts as failed:
  /// a fault in this program.
  private static let turnsAtMost = 20

  enum Decision {
    case done(IngestTransaction, IngestOutcome)
    case failed(any Error)
    case zonesNotReady(ZoneSetNeed)
    case rests(Duration)
    case needsNextTransaction
  }

  /// Puts jobs back into the queue after their rest.
  private func rest(_ resting: [(pause: Duration, job: IngestJob)]) {
    for (pause, job) in resting {
      Task {
        try? await Task.sleep(for: pause)
        if queue.putBack([job]) { await drain() }
      }
    }
  }

  private func decide(_ jobs: [IngestJob], into decided: inout DecidedJobs) async throws {
    decided.jobs += jobs
    decided.transaction.advance(to: clock.now())
    for start in stride(from: 0, to: jobs.count, by: Self.readAhead) {
      let part = jobs[start..<min(start + Self.readAhead, jobs.count)]
      try await readAhead(for: part, &decided.facts, after: decided.transaction)
      for job in part {
        decided.weight += job.weight
        switch await decide(job, after: decided.transaction, &decided.facts) {
        case .done(let part, let outcome):
          decided.transaction.join(part)
          decided.results.append((job, .success(outcome)))
        case .failed(let error): decided.results.append((job, .failure(error)))
        case .zonesNotReady(let need): decided.deferred.append((need, job))
        case .rests(let pause): decided.resting.append((pause, job))
        case .needsNextTransaction: decided.next.append(job)
        }
      }
    }
  }

  /// Writes the decided jobs and publishes the results. Publishes nothing if it throws.
  private func write(_ decided: DecidedJobs) async throws {
    var transaction = decided.transaction
    var gone: Set<DeviceID> = []
    if let batch = transaction.finish() {
      let receipt = try await store.record(batch)
      metrics.count("proximity_fixes_total", by: Double(receipt.newFixes))
      metrics.count("proximity_commits_total")
      gone = receipt.gone
    }
    keep(transaction)
    // Another process has deleted them.
    for device in gone { cache.drop(device) }
    // Their reminders have changed in the same transaction.
    drop(of: Set(transaction.batch.restarted.map(\.account)))
    for case (let job, .failure(let error)) in decided.results where !Self.isExpected(error) {
      note(error, of: job)
    }
    hub.publish(transaction.published)
    if !transaction.batch.outbox.isEmpty || !transaction.batch.notices.isEmpty
      || !transaction.batch.reminded.isEmpty
    {
      wakes.deliver()
    }
    if !transaction.batch.companionsMoved.isEmpty { wakes.wakeTimers() }
    if let next = transaction.batch.dues.compactMap(\.at).min() { wakes.due(at: next) }
    for (job, result) in decided.results { job.finish(result) }
    wait(decided.deferred)
    metrics.observe(
      "proximity_ingest_commit_seconds", seconds: (ContinuousClock.now - decided.start).inSeconds)
  }

  /// True if the error is not a failure of ours: the device is gone, or its account is private.
  private static func isExpected(_ error: any Error) -> Bool {
    error is DeviceGone || error as? StoreError == .privateAccount
  }

  /// Decides one job, reading facts until all that it needs are known. A job that fails leaves no trace: its
  /// work is in its own part of the transaction, which is then not joined.
  func decide(
    _ job: IngestJob, after transaction: IngestTransaction, _ facts: inout StoredFacts
  ) async -> Decision {
    // The cache keeps its copy until the transaction is on the disk, so a job that fails changes nothing in
    // memory.
    let held = job.device.flatMap { cache.device($0) }
    let part = transaction.part(for: job.device, held: held)
    let context = DecisionContext(
      now: transaction.now, awake: awakeWatch.awake, setBack: setBack, breaker: breaker)
    let start = ContinuousClock.now
    readsPastOf = nil
    defer {
      facts = facts.forNextTurn(after: job.device)
      if let account = readsPastOf { pace.note(ContinuousClock.now - start, of: account, at: .now) }
    }
    for _ in 0..<Self.turnsAtMost {
      var decision = DeviceDecision(context: context, facts: facts, part: part)
      let end = decision.decide(job.work)
      facts = decision.facts
      if let end {
        switch end {
        case .done(let outcome):
          if case .report = job.work, let account = decision.part.published.first {
            pace.note(reportOf: account, at: start)
          }
          return .done(decision.part, outcome)
        case .gone(let device): return .failed(DeviceGone(device: device))
        case .isPrivate: return .failed(StoreError.privateAccount)
        case .needsNextTransaction: return .needsNextTransaction
        }
      }
      do {
        switch try await read(into: &facts, for: job, at: transaction.now) {
        case .complete: break
        case .rests(let pause): return .rests(pause)
        case .zonesNotReady(let need): return .zonesNotReady(need)
        }
      } catch { return .failed(error) }
    }
    return .failed(UndecidedJob(missing: facts.missing.count))
  }

  /// Logs and counts a job that failed alone. Its caller gets the error as well.
  private func note(_ error: any Error, of job: IngestJob) {
    metrics.count("proximity_ingest_failures_total")
    logger.error(
      "ingest", metadata: ["error": "\(error)", "device": "\(job.device.map { "\($0)" } ?? "none")"])
  }

  private func keep(_ transaction: IngestTransaction) {
    for (device, zones) in transaction.rung {
      for zone in zones { breaker.note(device, zone, at: transaction.now) }
    }
    for note in transaction.notes { tell(note, at: transaction.now) }
    if transaction.dropsEngines {
      cache.dropAll()
    } else {
      let now = clock.now()
      for var device in transaction.devices.values {
        device.saved(at: now)
        cache.put(device)
      }
    }
    for id in transaction.forgotten { cache.drop(id) }
    cache.drop(of: sets.makeRoom())
    if cache.makeRoom() { giveBackFreed() }
  }

  /// Returns freed memory in the background and seldom, since all free memory is scanned.
  private func giveBackFreed() {
    guard givingBack == nil else { return }
    givingBack = Task.detached(priority: .utility) { [weak self] in
      Allocator.giveBack()
      try? await Task.sleep(for: Self.givesBackEvery)
      await self?.mayGiveBack()
    }
  }

  private func mayGiveBack() { givingBack = nil }

  /// Counts and logs a note of a decision.
  private func tell(_ note: DecisionNote, at now: Instant) {
    switch note {
    case .count(let metric): metrics.count(metric)
    case .heldBack(let device, let zone, let alarms):
      metrics.count("proximity_alarms_held_back_total")
      if breaker.isNews(device, zone, at: now) {
        logger.error(
          "a zone makes alarm after alarm on one device: further ones are told by their repeats only",
          metadata: ["device": "\(device)", "zone": "\(zone)", "alarms": "\(alarms)"])
      }
      postpone(device)
    case .nobodyReached(let alarm):
      metrics.count("proximity_alarms_nobody_reached_total")
      logger.error("no channel takes an alarm", metadata: ["alarm": "\(alarm)"])
    case .clockIsWrong(let device, let behind):
      metrics.count("proximity_phone_clock_changes_total")
      logger.notice(
        "a phone's clock is wrong, its fixes are put right",
        metadata: ["device": "\(device)", "behind_s": "\(behind.seconds)"])
    }
  }

  /// True if the clocks show no jump and no pause since they were last checked.
  private var isClockHeeded: Bool {
    var comparison = comparison
    return comparison.jump(now: clock.now(), uptime: clock.uptime()) == nil
      && !awakeWatch.isAfterPause(elapsed: clock.elapsed())
  }

  /// Checks whether the clock was set, before anything is judged by it, and moves all remembered times if so.
  /// A transaction that is being written then belongs to the time before.
  private func checkClock() async throws {
    switch comparison.jump(now: clock.now(), uptime: clock.uptime()) {
    case let span? where span < .zero: unfollowed = (unfollowed ?? .zero) - span
    case let span? where span >= Self.missedReports:
      await written()
      logger.warning(
        "the clock was set forward, or the machine slept", metadata: ["by": "\(span.seconds) s"])
      metrics.count("proximity_clock_jumps_total", ["direction": "ahead"])
      // Phones could not report during that time.
      awakeWatch.pauseEnded(at: clock.now())
      cache.dropAll()
    default: break
    }
    if !isComparedWithStore, let latest = try await store.latestTime(), latest > clock.now() {
      // The clock was set back while the server was down.
      unfollowed = latest - clock.now()
    }
    if let span = unfollowed {
      await written()
      try await clockSetBack(by: span)
      unfollowed = nil
    } else if !isComparedWithStore {
      try await ArrivalTimes.computeAgain(store, at: clock.now())
    }
    isComparedWithStore = true
    try await checkPauses()
  }

  /// Records that reports can be taken, and reads since when they could be.
  private func checkPauses() async throws {
    var watch = awakeWatch
    let look: Result<Void, any Error>
    do { look = .success(try await watch.look(store, at: clock.now(), elapsed: clock.elapsed())) } catch {
      look = .failure(error)
    }
    if watch.awake != awakeWatch.awake {
      // The devices in memory hold the old value, too.
      await written()
      cache.dropAll()
    }
    awakeWatch = watch
    try look.get()
  }

  /// Moves stored times that lie in the future: they were noted before the clock was set back.
  private func clockSetBack(by span: TimeSpan) async throws {
    logger.warning("the clock was set back", metadata: ["by": "\(span.seconds) s"])
    metrics.count("proximity_clock_jumps_total", ["direction": "back"])
    setBack = span
    awakeWatch.clockSetBack(to: clock.now())
    postponed = [:]
    neighbours.forgetAll()
    cache.dropAll()
    try await store.clockSetBack(to: clock.now(), by: span)
    try await ArrivalTimes.computeAgain(store, at: clock.now())
    wakes.deliver()
  }

  var heldCount: Int { cache.count }

  // MARK: Devices in memory

  func drop(_ id: DeviceID) { cache.drop(id) }

  /// Drops the devices of these accounts. A running transaction may put devices back; if they are then older
  /// than the store, their versions cause a conflict.
  func drop(of accounts: Set<AccountID>) { cache.drop(of: accounts) }

  func isInMemory(_ id: DeviceID) -> Bool { cache.holds(id) }
}

/// The device does not exist, or was deleted.
package struct DeviceGone: Error, Hashable {
  let device: DeviceID
}

/// A job that could not be decided, since each decision needed another fact.
struct UndecidedJob: Error {
  /// The number of facts that were still missing.
  let missing: Int
}

extension Duration {
  package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
