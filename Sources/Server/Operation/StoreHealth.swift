import AlarmEngine
import AlarmService
import Delivery
import Foundation
import Logging
import NIOConcurrencyHelpers
import Store

/// Whether the store can be written, and whether its file is whole.
///
/// Damage in the middle of a file is met only where something reads it. So all of it is read once a night.
final class StoreHealth: Sendable {
  private struct State {
    var damage: [String] = []
    var startedAt: Instant?
    var checkedAt: Instant?
    /// What the last probe found, and when it ended.
    var found: (at: Instant, result: Result<Void, NotReady>)?
    /// The one that runs, of which there is one at a time.
    var running: Probe?
    var probes = 0
  }
  private typealias Waiting = CheckedContinuation<Result<Void, NotReady>, Never>
  private struct Probe {
    let number: Int
    var waiting: [Waiting]
    /// It has run for longer than anybody waits.
    var isLate = false
  }

  /// Why nothing can be written now.
  enum NotReady: Error, Equatable {
    /// The store refused, and said why.
    case refused(StoreError)
    /// The store has said nothing for as long as a request waits.
    case noAnswer
  }

  private let store: SQLStore
  private let clock: ServerClock
  private let metrics: Metrics
  private let logger: Logger
  private let probe: @Sendable () async throws(StoreError) -> Void
  private let state = NIOLockedValueBox(State())

  /// By the clock of the machine, when few are awake.
  private static let nightHours = 2..<5
  private static let leastBetween = TimeSpan.hours(20)
  /// Where the machine is never on at night.
  private static let mostBetween = TimeSpan.hours(48)
  /// A probe is answered by the one before for so long, however often somebody asks.
  private static let probeLifetime = TimeSpan.seconds(1)
  /// Nobody waits longer for a probe.
  private let patience: Duration
  /// A proxy asks every two seconds.
  static let usualPatience = Duration.seconds(1)

  /// - Parameter probe: tries whether the store can be written; nil asks the store itself.
  init(
    store: SQLStore, clock: ServerClock, metrics: Metrics, logger: Logger,
    patience: Duration = usualPatience,
    probe: (@Sendable () async throws(StoreError) -> Void)? = nil
  ) {
    self.store = store
    self.clock = clock
    self.metrics = metrics
    self.logger = logger
    self.patience = patience
    if let probe {
      self.probe = probe
    } else {
      self.probe = { () async throws(StoreError) in try await store.checkWritable() }
    }
  }

  /// What the last check found; none when all is well, or before the first.
  var damage: [String] { state.withLockedValue { $0.damage } }

  /// Checks the file if it is night and has not been done, or has not been done for two days.
  func checkByNight() async throws(StoreError) {
    let now = clock.now()
    let last = state.withLockedValue { state in
      state.startedAt = state.startedAt ?? now
      return (checked: state.checkedAt, since: state.checkedAt ?? state.startedAt ?? now)
    }
    let since = now - last.since
    let date = Date(timeIntervalSince1970: Double(now.millisecondsSince1970) / 1000)
    let isNight = Self.nightHours.contains(Calendar.current.component(.hour, from: date))
    let isTime = last.checked == nil || since >= Self.leastBetween
    guard isNight && isTime || since >= Self.mostBetween else { return }
    try await check()
  }

  func check() async throws(StoreError) {
    let found = try await store.quickCheck()
    state.withLockedValue { state in
      state.damage = found
      state.checkedAt = clock.now()
    }
    metrics.set("proximity_store_damaged", to: found.isEmpty ? 0 : 1)
    metrics.set("proximity_store_checked_at_seconds", to: Double(clock.now().millisecondsSince1970 / 1000))
    guard let first = found.first else { return }
    logger.critical(
      "the data is damaged; a copy made by `proximity backup` helps",
      metadata: ["found": "\(first.excerpt())", "count": "\(found.count)"])
  }

  /// Tries whether the store can be written. However many ask, one probe runs, and each of them has an answer within a
  /// second: a database that hangs, or a disk, may keep the probe itself for as long as it likes.
  func checkWritable() async throws(NotReady) {
    let result: Result<Void, NotReady> = await withCheckedContinuation { continuation in
      let now = clock.now()
      let (known, begun): (Result<Void, NotReady>?, Int?) = state.withLockedValue { state in
        if let found = state.found, now >= found.at, now - found.at < Self.probeLifetime {
          return (found.result, nil)
        }
        if let running = state.running {
          guard !running.isLate else { return (.failure(.noAnswer), nil) }
          state.running?.waiting.append(continuation)
          return (nil, nil)
        }
        state.probes += 1
        state.running = Probe(number: state.probes, waiting: [continuation])
        return (nil, state.probes)
      }
      if let known { continuation.resume(returning: known) }
      if let begun { begin(begun) }
    }
    try result.get()
  }

  private func begin(_ number: Int) {
    let waits = Task {
      try? await Task.sleep(for: patience)
      let waiting = state.withLockedValue { state in
        guard state.running?.number == number else { return [] as [Waiting] }
        defer { state.running?.waiting = [] }
        state.running?.isLate = true
        return state.running?.waiting ?? []
      }
      for continuation in waiting { continuation.resume(returning: .failure(.noAnswer)) }
    }
    Task {
      let result: Result<Void, NotReady>
      do throws(StoreError) {
        try await probe()
        result = .success(())
      } catch { result = .failure(.refused(error)) }
      waits.cancel()
      let waiting = state.withLockedValue { state in
        defer { state.running = nil }
        state.found = (clock.now(), result)
        return state.running?.waiting ?? []
      }
      for continuation in waiting { continuation.resume(returning: result) }
    }
  }
}
