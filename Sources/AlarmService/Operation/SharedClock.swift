import AlarmEngine
import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle
import Store

/// The database's clock, on which all processes of a server agree, regardless of their machines' clocks. It
/// is read at intervals and extrapolated by a clock that cannot be set.
package final class SharedClock: Service {
  private static let interval = Duration.seconds(20)
  /// The least difference that is corrected. Smaller ones are within the time that reading takes.
  private static let tolerance = TimeSpan.milliseconds(250)

  private struct Reading {
    var time: Instant
    var at: ContinuousClock.Instant
  }
  private let store: SQLStore
  private let logger: Logger
  private let machine: @Sendable () -> Instant
  private let metrics = NIOLockedValueBox<Metrics?>(nil)
  private let reading: NIOLockedValueBox<Reading>

  /// - Parameter machine: this machine's own clock.
  /// - Returns: nil if the store has no clock of its own, so that the machine's is the only one.
  package init?(
    store: SQLStore, logger: Logger,
    machine: @escaping @Sendable () -> Instant = ServerClock.system.now
  ) async throws {
    guard let time = try await store.sharedTime() else { return nil }
    self.store = store
    self.logger = logger
    self.machine = machine
    reading = NIOLockedValueBox(Reading(time: time, at: .now))
  }

  package var clock: ServerClock {
    ServerClock(
      { [self] in now() }, uptime: ServerClock.system.uptime, elapsed: ServerClock.system.elapsed)
  }

  /// Publishes from now on how far this machine's clock is ahead.
  package func tell(_ metrics: Metrics) {
    self.metrics.withLockedValue { $0 = metrics }
    tell()
  }

  private func tell() {
    let difference = machine() - now()
    metrics.withLockedValue { $0 }?.set("proximity_clock_difference_seconds", to: difference.seconds)
  }

  private func now() -> Instant {
    let reading = reading.withLockedValue { $0 }
    return reading.time + .milliseconds(Int64((ContinuousClock.now - reading.at).inSeconds * 1000))
  }

  /// Reads the database's clock.
  package func follow() async throws {
    guard let time = try await store.sharedTime() else { return }
    defer { tell() }
    let difference = time - now()
    guard difference > Self.tolerance || difference < .zero - Self.tolerance else { return }
    logger.notice("the database's clock differs", metadata: ["by": "\(difference.seconds) s"])
    reading.withLockedValue { $0 = Reading(time: time, at: .now) }
  }

  package func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      while !Task.isCancelled {
        try? await Task.sleep(for: Self.interval)
        do { try await follow() } catch {
          if !Task.isCancelled { logger.error("the database's clock", metadata: ["error": "\(error)"]) }
        }
      }
    }
  }
}
