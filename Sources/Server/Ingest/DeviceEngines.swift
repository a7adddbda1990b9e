import AlarmEngine
import Logging
import NIOPosix
import Store

/// The engines of all devices. Takes jobs from the queue, decides, and writes fixes, engines, alarms and
/// deliveries in one transaction. Nothing is published or acknowledged before the transaction is on the disk.
///
/// Engines stay in memory as long as there is room. Others are loaded from the store when they are needed.
actor DeviceEngines {
  let store: any ServerStore
  let clock: ServerClock
  let metrics: Metrics
  private let hub: EventHub
  let logger: Logger
  let queue: IngestQueue
  /// Woken when there is something to deliver, and told when the next device is due.
  private let wakes: IngestWakes
  private var cache: EngineCache
  var sets: ZoneSets
  /// Jobs that wait until their zones are ready.
  var waiting: [ZoneSetNeed: [IngestJob]] = [:]
  let zoneThreads: NIOThreadPool
  /// Since when the server has been able to receive reports: its start, or the end of a sleep of the machine.
  private(set) var awakeSince: Instant
  var breaker = AlarmBreaker()
  /// Detects that the system's clock was set, or that the machine slept: the uptime stands still during a
  /// sleep.
  private var comparison: ClockComparison
  /// A jump forward of at least this length counts as a time in which phones could not report. Shorter ones
  /// are ordinary corrections of the clock.
  private static let missedReports = TimeSpan.seconds(30)
  /// Whether the latest time in the store was compared with the clock. This is done once after the start.
  private var isComparedWithStore = false
  /// By how much the clock was set back the last time since the start.
  private(set) var setBack: TimeSpan?
  /// A jump back by which the store's times have not been moved yet.
  private var unfollowed: TimeSpan?
  /// Devices that could not be processed when they were due, and when to try again.
  private var postponed: [DeviceID: Instant] = [:]

  init(
    store: any ServerStore, clock: ServerClock, hub: EventHub, metrics: Metrics, logger: Logger,
    queue: IngestQueue, wakes: IngestWakes, bounds: EngineCache.Bounds = .init(), sets: ZoneSets = .init()
  ) {
    self.store = store
    self.clock = clock
    self.hub = hub
    self.metrics = metrics
    self.logger = logger
    self.queue = queue
    self.wakes = wakes
    self.sets = sets
    cache = EngineCache(bounds)
    awakeSince = clock.now()
    comparison = ClockComparison(now: clock.now(), uptime: clock.uptime())
    zoneThreads = NIOThreadPool(numberOfThreads: 2)
    zoneThreads.start()
  }

  deinit { zoneThreads.shutdownGracefully { _ in } }

  /// Writes until the queue is empty.
  func drain() async {
    while let jobs = queue.take() { await run(jobs) }
  }

  private func run(_ jobs: [IngestJob]) async {
    let start = ContinuousClock.now
    do {
      try await heedClock()
      let (results, deferred) = try await commit(jobs)
      for (job, result) in results { job.finish(result) }
      wait(deferred)
      metrics.observe("proximity_ingest_commit_seconds", seconds: (ContinuousClock.now - start).inSeconds)
    } catch {
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
  }

  private static func isPeculiar(_ error: any Error) -> Bool {
    switch error as? StoreError {
    case .diskFull, .locked, .readOnly, .closed, .cancelled, .cannotOpen, .newerSchema, .foreignFile: false
    case .notFound, .stale, .taken, .tooMany, .clockAhead, .corrupted, .failed, nil: true
    }
  }

  /// The number of jobs whose engines are read from the store at once.
  private static let readAhead = 128

  private typealias Results = [(job: IngestJob, result: Result<IngestOutcome, any Error>)]

  /// - Returns: the result of each job, and the jobs that have to wait for zones. Nothing of those was done.
  private func commit(
    _ jobs: [IngestJob]
  ) async throws -> (results: Results, deferred: [(need: ZoneSetNeed, job: IngestJob)]) {
    var transaction = IngestTransaction(at: clock.now())
    var results: Results = []
    var deferred: [(need: ZoneSetNeed, job: IngestJob)] = []
    var next: [IngestJob] = []
    results.reserveCapacity(jobs.count)
    for start in stride(from: 0, to: jobs.count, by: Self.readAhead) {
      let part = jobs[start..<min(start + Self.readAhead, jobs.count)]
      try await readAhead(for: part, &transaction)
      for job in part {
        // A job that throws leaves nothing behind: its work is in its own part, which is then not joined.
        var part = transaction.part(for: job)
        do {
          let outcome = try await apply(job.work, &part)
          transaction.join(part)
          results.append((job, .success(outcome)))
        } catch let need as ZoneSetNeed {
          deferred.append((need, job))
        } catch is NeedsNextTransaction {
          next.append(job)
        } catch {
          if !(error is DeviceGone) { note(error, of: job) }
          results.append((job, .failure(error)))
        }
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
    if let next = transaction.batch.dues.compactMap(\.at).min() { wakes.due(at: next) }
    // The caller is draining the queue and will take these jobs next.
    _ = queue.putBack(next)
    return (results, deferred)
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
    if transaction.dropsEngines {
      cache.dropAll()
    } else {
      for var engine in transaction.engines.values {
        engine.unsaved = []
        engine.unsavedAlarms = []
        engine.past = nil
        cache.put(engine)
      }
    }
    for id in transaction.forgotten { cache.drop(id) }
    cache.drop(of: sets.makeRoom())
    cache.makeRoom()
  }

  // MARK: What is due

  /// The devices that are due now, at most `most`.
  func dueDevices(of account: AccountID?, most: Int) async throws -> [DueDevice] {
    let now = clock.now()
    postponed = postponed.filter { $0.value > now }
    let found = try await store.devicesDue(of: account, through: now, limit: most + postponed.count)
    return Array(found.filter { postponed[$0.device] == nil }.prefix(most))
  }

  /// When the next device is due; in the past if one is due already.
  func nextDue() async throws -> Instant? {
    guard let stored = try await store.nextDeviceDue() else { return nil }
    // The first of them may be a postponed device, which waits for its next attempt.
    return max(stored, postponed.values.min() ?? stored)
  }

  /// Puts off a device that could not be processed; it is tried again after five seconds.
  func postpone(_ device: DeviceID) {
    if postponed.count < 10_000 { postponed[device] = clock.now() + .seconds(5) }
  }

  /// Checks whether the clock was set, before anything is judged by it, and moves all remembered times if so.
  private func heedClock() async throws {
    switch comparison.jump(now: clock.now(), uptime: clock.uptime()) {
    case let span? where span < .zero: unfollowed = (unfollowed ?? .zero) - span
    case let span? where span >= Self.missedReports:
      logger.warning(
        "the clock was set forward, or the machine slept", metadata: ["by": "\(span.seconds) s"])
      metrics.count("proximity_clock_jumps_total", ["direction": "ahead"])
      // Phones could not report during that time.
      awakeSince = clock.now()
      cache.dropAll()
    default: break
    }
    if !isComparedWithStore, let latest = try await store.latestTime(), latest > clock.now() {
      // The clock was set back while the server was down.
      unfollowed = latest - clock.now()
    }
    isComparedWithStore = true
    if let span = unfollowed {
      try await clockSetBack(by: span)
      unfollowed = nil
    }
  }

  /// Moves stored times that lie in the future: they were noted before the clock was set back.
  private func clockSetBack(by span: TimeSpan) async throws {
    logger.warning("the clock was set back", metadata: ["by": "\(span.seconds) s"])
    metrics.count("proximity_clock_jumps_total", ["direction": "back"])
    setBack = span
    awakeSince = min(awakeSince, clock.now())
    postponed = [:]
    cache.dropAll()
    try await store.clockSetBack(to: clock.now(), by: span)
    wakes.deliver()
  }

  func publish(_ account: AccountID) { hub.publish(account) }

  /// Logs and counts an alarm that no channel takes, for the operator.
  func tellNobodyReached(_ alarm: AlarmRecord) {
    metrics.count("proximity_alarms_nobody_reached_total")
    logger.error("no channel takes an alarm", metadata: ["alarm": "\(alarm.id)"])
  }

  var engineCount: Int { cache.count }

  // MARK: Engines

  func drop(_ id: DeviceID) { cache.drop(id) }

  func isInMemory(_ id: DeviceID) -> Bool { cache.holds(id) }

  func engine(_ id: DeviceID, _ transaction: inout IngestTransaction) async throws -> DeviceEngine {
    // The cache keeps its copy until the transaction is on the disk, so a job that fails changes nothing in
    // memory.
    if let engine = transaction.engines[id] ?? cache.engine(id) { return engine }
    return try await load(id, &transaction)
  }
}

/// The device does not exist, or was deleted.
struct DeviceGone: Error, Hashable {
  let device: DeviceID
}

/// A job that needs the work of the jobs before it to be in the store.
struct NeedsNextTransaction: Error {}

extension IngestJob {
  var device: DeviceID? {
    switch work {
    case .report(let report): report.device
    case .answer(_, let alarm, _, _): alarm.device
    case .arm(let device, _, _), .refresh(let device), .due(let device, _), .unreached(_, let device): device
    case .dropEngines, .lookAtClock: nil
    }
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
