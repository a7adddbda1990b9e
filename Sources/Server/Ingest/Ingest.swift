import AlarmEngine
import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle
import Store

/// The heart of the server: fixes, answers and edits in; one transaction at a time; then events, deliveries and replies.
///
/// As a service it wakes the engines when something falls due. Reports and answers need no service: whoever adds the
/// first job to an idle queue starts the writing.
public final class Ingest: EngineCommands, Service, Sendable {
  let engines: DeviceEngines
  private let queue: IngestQueue
  let wakes: IngestWakes
  private let store: any ServerStore
  private let clock: ServerClock
  private let logger: Logger
  private let metrics: Metrics
  private let listeners = NIOLockedValueBox<[@Sendable (DeviceID) -> Void]>([])

  init(
    store: any ServerStore, clock: ServerClock, hub: EventHub, metrics: Metrics, logger: Logger,
    queue: IngestQueue = IngestQueue(), bounds: EngineCache.Bounds = .init()
  ) {
    self.store = store
    self.clock = clock
    self.logger = logger
    self.metrics = metrics
    self.queue = queue
    wakes = IngestWakes()
    engines = DeviceEngines(
      store: store, clock: clock, hub: hub, metrics: metrics, logger: logger, queue: queue, wakes: wakes,
      bounds: bounds)
  }

  /// Returns when what was asked for is on the disk.
  /// - Throws: `Problem(.unavailable)` when the queue is full; what the store says; `.notFound` when the device is gone.
  @discardableResult
  func submit(_ work: IngestJob.Work) async throws -> IngestOutcome {
    try await withCheckedThrowingContinuation { continuation in
      let job = IngestJob(work: work) { continuation.resume(with: $0) }
      switch queue.add(job) {
      case .admitted(let drain): if drain { Task { [engines] in await engines.drain() } }
      case .full:
        metrics.count("proximity_ingest_refused_total")
        continuation.resume(
          throwing: Problem(.unavailable, "more arrives than can be written", retryAfterSeconds: 5))
      case .closed: continuation.resume(throwing: StoreError.closed)
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
        let due = try await engines.dueDevices(of: account, most: Self.dueAtOnce)
        if due.isEmpty { break }
        try await look(at: due)
      }
    }
    // Where an account has thousands of devices, the rest is looked at while the editor goes on.
    wakes.wakeTimers()
  }

  public func deviceChanged(_ device: DeviceID) async throws {
    for listener in listeners.withLockedValue({ $0 }) { listener(device) }
    try await submit(.refresh(device))
  }

  /// A channel will not take an alarm.
  func cannotReach(by alarm: AlarmID, _ device: DeviceID) async {
    do { try await submit(.unreached(alarm, device)) } catch {
      // Its step's time comes all the same.
      logger.error("escalation", metadata: ["error": "\(error)"])
    }
  }

  /// For those who remember something of devices.
  func onDeviceChange(_ listener: @escaping @Sendable (DeviceID) -> Void) {
    listeners.withLockedValue { $0.append(listener) }
  }

  // MARK: Time

  /// Devices in one round, and rounds for which whoever edits zones waits.
  private static let dueAtOnce = 250
  private static let roundsForEdit = 4
  /// Devices that are due again and again do not keep everything else from being done.
  private static let roundsAtMost = 10_000

  /// Does what is due by the clock.
  func letTimePass() async {
    do {
      for _ in 0..<Self.roundsAtMost {
        let due = try await engines.dueDevices(of: nil, most: Self.dueAtOnce)
        guard !due.isEmpty, !Task.isCancelled else { return }
        try await look(at: due)
      }
    } catch {
      if !Task.isCancelled { logger.error("timers", metadata: ["error": "\(error)"]) }
    }
  }

  private func look(at devices: [DueDevice]) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for due in devices {
        group.addTask { [self] in
          do { try await submit(.due(due.device, due.mark)) } catch StoreError.notFound {} catch {
            // It stays due in the store, and is tried again when the store takes something.
            await engines.postpone(due.device)
            throw error
          }
        }
      }
    }
  }

  /// Somebody else has written to the store: what is in memory is read again, and what is due is looked at.
  func storeChanged() async throws {
    try await submit(.dropEngines)
    wakes.wakeTimers()
    wakes.deliver()
  }

  public func run() async throws {
    await cancelWhenGracefulShutdown { [self] in await sleepAndWake() }
    queue.close()
  }

  private func sleepAndWake() async {
    var alarmClock: Task<Void, Never>?
    // What was due while the server was down.
    wakes.wakeTimers()
    for await _ in wakes.timers {
      if Task.isCancelled { break }
      await letTimePass()
      alarmClock?.cancel()
      let next: Instant?
      do { next = try await engines.nextDue() } catch {
        if !Task.isCancelled { logger.error("timers", metadata: ["error": "\(error)"]) }
        next = clock.now() + .seconds(5)
      }
      wakes.sleeps(until: next)
      guard let next else { continue }
      let wait = max(.milliseconds(1), next - clock.now())
      alarmClock = Task { [wakes] in
        do { try await Task.sleep(for: .milliseconds(min(wait.milliseconds, 3_600_000))) } catch { return }
        wakes.sleeps(until: nil)
        wakes.wakeTimers()
      }
    }
    alarmClock?.cancel()
  }
}
