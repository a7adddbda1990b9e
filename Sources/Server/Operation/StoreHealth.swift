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
    var probe: (at: Instant, result: Result<Void, StoreError>)?
  }

  private let store: any ServerStore
  private let clock: ServerClock
  private let metrics: Metrics
  private let logger: Logger
  private let state = NIOLockedValueBox(State())

  /// By the clock of the machine, when few are awake.
  private static let nightHours = 2..<5
  private static let leastBetween = TimeSpan.hours(20)
  /// Where the machine is never on at night.
  private static let mostBetween = TimeSpan.hours(48)
  /// A probe is answered by the one before for so long, however often somebody asks.
  private static let probeLifetime = TimeSpan.seconds(1)

  init(store: any ServerStore, clock: ServerClock, metrics: Metrics, logger: Logger) {
    self.store = store
    self.clock = clock
    self.metrics = metrics
    self.logger = logger
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

  /// - Throws: what a write to the store would.
  func checkWritable() async throws(StoreError) {
    let now = clock.now()
    let fresh = state.withLockedValue { state in
      state.probe.flatMap { now >= $0.at && now - $0.at < Self.probeLifetime ? $0.result : nil }
    }
    if let fresh { return try fresh.get() }
    let result: Result<Void, StoreError>
    do throws(StoreError) {
      try await store.checkWritable()
      result = .success(())
    } catch { result = .failure(error) }
    state.withLockedValue { $0.probe = (now, result) }
    try result.get()
  }
}
