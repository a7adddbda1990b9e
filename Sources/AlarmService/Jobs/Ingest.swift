import AlarmEngine
import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle
import Store

/// The entry point for fixes, answers and edits. Processes them in one transaction at a time, then sends
/// events, deliveries and replies.
///
/// As a service it runs the engines when something falls due. Reports and answers do not need the service:
/// the caller that adds the first job to an idle queue starts the writing.
public final class Ingest: EngineCommands, Service, Sendable {
  let commits: GroupCommit
  private let queue: IngestQueue
  package let wakes: IngestWakes
  private let store: SQLStore
  private let clock: ServerClock
  private let logger: Logger
  private let metrics: Metrics
  private let turned = NIOLockedValueBox<(lag: TimeSpan, at: ContinuousClock.Instant?)>((.zero, nil))
  private let listeners = NIOLockedValueBox<[@Sendable (DeviceID) -> Void]>([])

  /// - Parameter process: the name of this process among those on the same store; nil if it is alone.
  package init(
    store: SQLStore, clock: ServerClock, hub: EventHub, metrics: Metrics, logger: Logger,
    queue: IngestQueue = IngestQueue(), bounds: DeviceCache.Bounds = .init(),
    neighbours: Neighbours = .init(), process: String? = nil
  ) {
    self.store = store
    self.clock = clock
    self.logger = logger
    self.metrics = metrics
    self.queue = queue
    wakes = IngestWakes()
    commits = GroupCommit(
      store: store, clock: clock, hub: hub, metrics: metrics, logger: logger, queue: queue, wakes: wakes,
      bounds: bounds, neighbours: neighbours, process: process)
  }

  /// Carries out one job. Returns when its results are on the disk.
  /// - Throws: `IngestOverload` if the queue is full; errors of the store; `DeviceGone`.
  @discardableResult
  package func submit(_ work: IngestJob.Work) async throws -> IngestOutcome {
    try await withCheckedThrowingContinuation { continuation in
      let job = IngestJob(work: work) { continuation.resume(with: $0) }
      switch queue.add(job) {
      case .admitted(let drain): if drain { Task { [commits] in await commits.drain() } }
      case .full:
        metrics.count("proximity_ingest_refused_total")
        continuation.resume(
          throwing: IngestOverload(retryAfterSeconds: 5))
      case .closed: continuation.resume(throwing: StoreError.closed)
      }
    }
  }

  /// Carries out several jobs, in this order.
  private func submit(_ works: [IngestJob.Work]) async -> [Result<IngestOutcome, any Error>] {
    await withCheckedContinuation { continuation in
      let results = NIOLockedValueBox<(left: Int, all: [Result<IngestOutcome, any Error>?])>(
        (works.count, Array(repeating: nil, count: works.count)))
      guard !works.isEmpty else { return continuation.resume(returning: []) }
      let jobs = works.enumerated().map { place, work in
        IngestJob(work: work) { result in
          let all = results.withLockedValue { book in
            book.all[place] = result
            book.left -= 1
            return book.left == 0 ? book.all.compactMap { $0 } : nil
          }
          if let all { continuation.resume(returning: all) }
        }
      }
      switch queue.add(jobs) {
      case .admitted(let drain): if drain { Task { [commits] in await commits.drain() } }
      case .full:
        let overload = IngestOverload(retryAfterSeconds: 5)
        for job in jobs { job.finish(.failure(overload)) }
      case .closed: for job in jobs { job.finish(.failure(StoreError.closed)) }
      }
    }
  }

  // MARK: Commands

  public func answer(
    _ answer: AlarmAnswer, to alarm: AlarmRecord, until: Instant, by: String, at now: Instant
  ) async throws -> AlarmRecord {
    try await submit(.answer(answer, alarm, until: until, by: by)).alarm ?? alarm
  }

  public func arm(_ device: Device, by: String, at now: Instant) async throws {
    try await submit(.arm(device.id, device.isArmed, by: by))
  }

  public func zonesChanged(of accounts: [AccountID], at now: Instant) async throws {
    for account in Set(accounts).sorted() {
      for _ in 0..<Self.roundsForEdit {
        let due = try await commits.dueDevices(of: account, most: Self.dueAtOnce)
        if due.isEmpty { break }
        await look(at: due)
      }
    }
    // If an account has thousands of devices, the caller does not wait for all of them; the timers process
    // the rest.
    wakes.wakeTimers()
  }

  public func remindersChanged(of account: AccountID, at now: Instant) async throws {
    try await loadAgain(account, at: now)
  }

  public func checkInChanged(of account: AccountID, at now: Instant) async throws {
    try await loadAgain(account, at: now)
  }

  public func expectedArrivalsChanged(of account: AccountID, at now: Instant) async throws {
    try await loadAgain(account, at: now)
  }

  /// Loads devices again after an edit that made them due: those in memory have the former state.
  private func loadAgain(_ account: AccountID, at now: Instant) async throws {
    await commits.drop(of: [account])
    try await zonesChanged(of: [account], at: now)
  }

  public func deviceChanged(_ device: DeviceID) async throws {
    for listener in listeners.withLockedValue({ $0 }) { listener(device) }
    try await submit(.refresh(device))
    // The change made the device due.
    wakes.wakeTimers()
  }

  /// Records that a channel will not take an alarm, so that the next step may be due at once.
  package func cannotReach(by alarm: AlarmID, _ device: DeviceID) async {
    do { try await submit(.unreached(alarm, device)) } catch {
      // The next step then begins at its ordinary time.
      logger.error("escalation", metadata: ["error": "\(error)"])
    }
  }

  /// Registers a function that is called when a device has changed, for example to clear a cache.
  package func onDeviceChange(_ listener: @escaping @Sendable (DeviceID) -> Void) {
    listeners.withLockedValue { $0.append(listener) }
  }

  // MARK: Time

  /// The number of devices in one round, and the number of rounds that a caller who edits zones waits for.
  private static let dueAtOnce = 250
  private static let roundsForEdit = 4
  /// The most rounds in one turn, so that devices that are due repeatedly do not block everything else.
  private static let roundsAtMost = 10_000
  /// The most times one device is processed in a turn before it is postponed. An edit during the processing
  /// makes it due once more, rarely twice.
  private static let looksAtMost = 20
  /// The timers query the store for due devices at least this often, whether or not something woke them.
  static let looksAtLeastEvery = TimeSpan.seconds(5)

  /// Processes all devices that are due now.
  func letTimePass() async {
    var looks: [DeviceID: Int] = [:]
    do {
      for _ in 0..<Self.roundsAtMost {
        let due = try await commits.dueDevices(of: nil, most: Self.dueAtOnce)
        guard !due.isEmpty, !Task.isCancelled else { return }
        await look(at: due)
        for device in due.map(\.device) {
          looks[device, default: 0] += 1
          guard looks[device] == Self.looksAtMost else { continue }
          // A fault in this program. It must not hold up the other devices.
          logger.error("a device is due again and again", metadata: ["device": "\(device)"])
          await commits.postpone(device)
          looks[device] = 0
        }
      }
    } catch {
      if !Task.isCancelled { logger.error("timers", metadata: ["error": "\(error)"]) }
    }
  }

  private func look(at devices: [DueDevice]) async {
    let results = await submit(devices.map { .due($0.device, $0.mark) })
    for (due, result) in zip(devices, results) {
      guard case .failure(let error) = result, !(error is DeviceGone) else { continue }
      // The device stays due in the store and is tried again soon.
      await commits.postpone(due.device)
      logger.error("timers", metadata: ["error": "\(error)", "device": "\(due.device)"])
    }
  }

  /// Loads the engines of these accounts again and processes due devices. Call it when other processes have
  /// edited data of these accounts.
  package func storeChanged(_ accounts: Set<AccountID>) async {
    await commits.drop(of: accounts)
    wakes.wakeTimers()
    wakes.deliver()
  }

  /// Loads all engines again and processes due devices. Call it when another process may have changed
  /// anything in the store.
  package func storeChanged() async throws {
    try await submit(.dropEngines)
    wakes.wakeTimers()
    wakes.deliver()
  }

  public func run() async throws {
    await cancelWhenGracefulShutdown { [self] in await sleepAndWake() }
    queue.close()
  }

  private func sleepAndWake() async {
    var sleeper: Task<Void, Never>?
    turned.withLockedValue { $0.at = .now }
    defer { turned.withLockedValue { $0.at = nil } }
    // Begin with the devices that fell due while the server was down.
    wakes.wakeTimers()
    for await _ in wakes.timers {
      if Task.isCancelled { break }
      let wait = await turn()
      sleeper?.cancel()
      sleeper = Task { [wakes] in
        do { try await Task.sleep(for: .milliseconds(wait.milliseconds)) } catch { return }
        wakes.sleeps(until: nil)
        wakes.wakeTimers()
      }
    }
    sleeper?.cancel()
  }

  /// The delay with which due devices were last processed. While a turn hangs or is missing, the time since
  /// it was due.
  package var timerLag: TimeSpan {
    let (lag, at) = turned.withLockedValue { $0 }
    guard let at else { return lag }
    let since = TimeSpan.milliseconds(Int64((ContinuousClock.now - at).inSeconds * 1000))
    return max(lag, since - Self.looksAtLeastEvery)
  }

  private func nextDue() async -> Instant? {
    do { return try await commits.nextDue() } catch {
      if !Task.isCancelled { logger.error("timers", metadata: ["error": "\(error)"]) }
      return nil
    }
  }

  /// Runs one turn of the timers: checks whether the clock was set, then processes due devices.
  /// - Returns: how long the timers may sleep.
  package func turn() async -> TimeSpan {
    // Every job checks the clock first; this one does nothing else.
    do { try await submit(.lookAtClock) } catch {
      if !Task.isCancelled { logger.error("clock", metadata: ["error": "\(error)"]) }
    }
    do { try await store.wakeMissedCheckIns(at: clock.now()) } catch {
      if !Task.isCancelled { logger.error("check-ins", metadata: ["error": "\(error)"]) }
    }
    do { try await store.wakeExpectedArrivals(at: clock.now()) } catch {
      if !Task.isCancelled { logger.error("expected arrivals", metadata: ["error": "\(error)"]) }
    }
    let lag = await nextDue().map { max(.zero, clock.now() - $0) } ?? .zero
    turned.withLockedValue { $0 = (lag, $0.at.map { _ in .now }) }
    await letTimePass()
    let next = await nextDue()
    let now = clock.now()
    wakes.sleeps(until: next)
    // A device that is still due now could not be processed, so wait a little.
    let wait = next.map { max(.milliseconds(50), $0 - now) } ?? Self.looksAtLeastEvery
    return min(wait, Self.looksAtLeastEvery)
  }
}

/// The queue is full. Nothing was taken.
package struct IngestOverload: Error, Equatable {
  package let retryAfterSeconds: Int
}
