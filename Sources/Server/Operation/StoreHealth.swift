import AlarmEngine
import AlarmService
import Delivery
import Foundation
import Logging
import NIOConcurrencyHelpers
import Store

/// Checks whether the store can be written, and whether its file is undamaged.
///
/// Damage in the middle of a file is noticed only by a read of that part, so all of the file is read once a
/// night.
final class StoreHealth: Sendable {
  private struct State {
    var damage: [String] = []
    var startedAt: Instant?
    var checkedAt: Instant?
    /// The result of the last probe, and the time at which it ended.
    var found: (at: Instant, result: Result<Void, NotReady>)?
    /// The running probe; there is at most one.
    var running: Probe?
    var probes = 0
  }
  private typealias Waiting = CheckedContinuation<Result<Void, NotReady>, Never>
  private struct Probe {
    let number: Int
    var waiting: [Waiting]
    /// True if it has run longer than any caller waits.
    var isLate = false
  }

  /// Why nothing can be written now.
  enum NotReady: Error, Equatable {
    /// The store refused, with this error.
    case refused(StoreError)
    /// The store has not answered within the time that a request waits.
    case noAnswer
  }

  private let store: SQLStore
  private let clock: ServerClock
  private let metrics: Metrics
  private let logger: Logger
  private let probe: @Sendable () async throws(StoreError) -> Void
  private let state = NIOLockedValueBox(State())

  /// The hours of the night by the machine's clock, when few people use it.
  private static let nightHours = 2..<5
  private static let leastBetween = TimeSpan.hours(20)
  /// For a machine that is never on at night.
  private static let mostBetween = TimeSpan.hours(48)
  /// The result of a probe is reused for this long, however many requests ask.
  private static let probeLifetime = TimeSpan.seconds(1)
  /// The longest time a caller waits for a probe.
  private let patience: Duration
  /// A proxy probes every two seconds.
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

  /// The damage found by the last check; empty if there is none, or before the first check.
  var damage: [String] { state.withLockedValue { $0.damage } }

  /// Checks the file if it is night and the file was not checked in the last 20 hours, or if it was not
  /// checked for 48 hours.
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

  /// Tries whether the store can be written. One probe runs for all callers, and each gets an answer within a
  /// second, even if a hanging database or disk delays the probe itself.
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
