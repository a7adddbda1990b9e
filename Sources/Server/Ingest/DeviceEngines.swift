import AlarmEngine
import Logging
import NIOPosix
import Store

/// The devices' engines: takes what waits in the queue, decides, and writes fixes, engines, alarms and what is to be
/// delivered in one transaction. Nothing is published and nobody is answered before that is on the disk.
///
/// Engines stay in memory as long as there is room; one that is not there is made again from the store.
actor DeviceEngines {
  let store: any ServerStore
  let clock: ServerClock
  let metrics: Metrics
  private let hub: EventHub
  let logger: Logger
  let queue: IngestQueue
  /// Told when there is something to deliver, and when the next device is due.
  private let wakes: IngestWakes
  private var cache: EngineCache
  var sets: ZoneSets
  /// Jobs for which zones are being made ready.
  var waiting: [ZoneSetNeed: [IngestJob]] = [:]
  let zoneThreads: NIOThreadPool
  /// Since when the server hears what phones send: its start, or the end of a sleep of the machine.
  private(set) var awakeSince: Instant
  var breaker = AlarmBreaker()
  /// Tells of jumps of the system's clock, and of sleeps of the machine: the uptime stands still meanwhile.
  private var comparison: ClockComparison
  /// Phones could not report for so long: less is how clocks are kept right.
  private static let missedReports = TimeSpan.seconds(30)
  /// Whether the store's latest time was compared with the clock, once after the start.
  private var isComparedWithStore = false
  /// By how much the clock was set back last, since the start.
  private(set) var setBack: TimeSpan?
  /// A jump back that the store has not followed yet.
  private var unfollowed: TimeSpan?
  /// Devices that could not be looked at when they were due, and when they are tried again.
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

  /// Writes until nothing waits.
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
      // What is in memory may be behind the store: it is read again.
      for job in jobs { if let device = job.device { cache.drop(device) } }
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

  private static func isPeculiar(_ error: any Error) -> Bool {
    switch error as? StoreError {
    case .diskFull, .locked, .readOnly, .closed, .cancelled, .cannotOpen, .newerSchema, .foreignFile: false
    case .notFound, .stale, .taken, .tooMany, .clockAhead, .corrupted, .failed, nil: true
    }
  }

  /// Jobs whose engines are read in one go.
  private static let readAhead = 128

  private typealias Results = [(job: IngestJob, result: Result<IngestOutcome, any Error>)]

  /// - Returns: what came of each job, and the jobs that have to wait, of which nothing was done.
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
        // A job that throws leaves nothing behind: what it did is in its part, which is not joined.
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
    // This is called while the queue is drained, which goes on with them.
    _ = queue.putBack(next)
    return (results, deferred)
  }

  /// A job that failed alone: its caller is told, and so is the operator.
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

  /// The devices that have to be looked at now, at most so many.
  func dueDevices(of account: AccountID?, most: Int) async throws -> [DueDevice] {
    let now = clock.now()
    postponed = postponed.filter { $0.value > now }
    let found = try await store.devicesDue(of: account, through: now, limit: most + postponed.count)
    return Array(found.filter { postponed[$0.device] == nil }.prefix(most))
  }

  /// When somebody has to look next: at once where more is due already.
  func nextDue() async throws -> Instant? {
    guard let stored = try await store.nextDeviceDue() else { return nil }
    // The one that comes up first may be one that waits for another attempt.
    return max(stored, postponed.values.min() ?? stored)
  }

  /// What could not be done now is tried again soon.
  func postpone(_ device: DeviceID) {
    if postponed.count < 10_000 { postponed[device] = clock.now() + .seconds(5) }
  }

  /// Before anything is judged by a clock that was set: what is remembered follows it.
  private func heedClock() async throws {
    switch comparison.jump(now: clock.now(), uptime: clock.uptime()) {
    case let span? where span < .zero: unfollowed = (unfollowed ?? .zero) - span
    case let span? where span >= Self.missedReports:
      logger.warning(
        "the clock was set forward, or the machine slept", metadata: ["by": "\(span.seconds) s"])
      metrics.count("proximity_clock_jumps_total", ["direction": "ahead"])
      // Phones could not report meanwhile.
      awakeSince = clock.now()
      cache.dropAll()
    default: break
    }
    if !isComparedWithStore, let latest = try await store.latestTime(), latest > clock.now() {
      // It was set back while the server was down.
      unfollowed = latest - clock.now()
    }
    isComparedWithStore = true
    if let span = unfollowed {
      try await clockSetBack(by: span)
      unfollowed = nil
    }
  }

  /// Times that lie ahead are from before the clock was set back.
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

  /// To be seen by the operator: nobody can have been told.
  func tellNobodyReached(_ alarm: AlarmRecord) {
    metrics.count("proximity_alarms_nobody_reached_total")
    logger.error("no channel takes an alarm", metadata: ["alarm": "\(alarm.id)"])
  }

  var engineCount: Int { cache.count }

  // MARK: Engines

  func drop(_ id: DeviceID) { cache.drop(id) }

  func isInMemory(_ id: DeviceID) -> Bool { cache.holds(id) }

  func engine(_ id: DeviceID, _ transaction: inout IngestTransaction) async throws -> DeviceEngine {
    // The cache keeps its own until the transaction is on the disk: a job that fails has changed nothing in memory.
    if let engine = transaction.engines[id] ?? cache.engine(id) { return engine }
    return try await load(id, &transaction)
  }
}

/// The device was deleted, or never was.
struct DeviceGone: Error, Hashable {
  let device: DeviceID
}

/// A job that can only be done when what the jobs before it did is in the store.
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
