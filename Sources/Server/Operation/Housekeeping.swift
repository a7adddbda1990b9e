import AlarmEngine
import AlarmService
import Logging
import ServiceLifecycle
import Store

/// Deletes data that is past its retention and finishes erasures, in small steps, so that no request waits.
final class Housekeeping: Service {
  private static let interval = Duration.seconds(600)
  private static let rowsAtOnce = 1000

  private let store: SQLStore
  private let settings: ServerSettings
  private let clock: ServerClock
  private let health: StoreHealth
  private let logger: Logger
  private let wakes: AsyncStream<Void>
  private let wakeUp: AsyncStream<Void>.Continuation

  init(
    store: SQLStore, settings: ServerSettings, clock: ServerClock, health: StoreHealth, logger: Logger
  ) {
    self.store = store
    self.settings = settings
    self.clock = clock
    self.health = health
    self.logger = logger
    (wakes, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Starts a round at once.
  func wake() { wakeUp.yield() }

  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          while !Task.isCancelled {
            try? await Task.sleep(for: Self.interval)
            self.wake()
          }
        }
        wake()
        for await _ in wakes {
          do {
            try await tidy()
            try await health.checkByNight()
          } catch {
            if Task.isCancelled { break }
            logger.error("housekeeping failed", metadata: ["error": "\(error)"])
          }
        }
        group.cancelAll()
      }
    }
  }

  /// Does all the work that is due.
  func tidy() async throws(StoreError) {
    for account in try await store.accountsBeingErased() {
      do throws(StoreError) {
        while !(try await store.erase(account, limit: Self.rowsAtOnce)) { await Task.yield() }
      } catch {
        // Another process, or another call, has erased it meanwhile.
        guard error == .notFound else { throw error }
      }
    }
    // Finishes erasures that were interrupted.
    for account in try await store.privateAccounts() { _ = try await PrivateMode.erase(account, store) }
    let retention = retention(at: clock.now())
    do { _ = try await store.arrangeDays(at: clock.now(), fixesBefore: retention.fixesBefore) } catch {
      // Days that could not be arranged are deleted row by row.
      logger.warning("the days of positions were not arranged", metadata: ["error": "\(error)"])
    }
    while try await store.prune(retention, limit: Self.rowsAtOnce) > 0 { await Task.yield() }
  }

  func retention(at now: Instant) -> Retention {
    var retention = Retention()
    let day = TimeSpan.hours(24)
    if let days = settings.retentionDays {
      retention.fixesBefore = now - .hours(24 * Double(days))
      retention.alarmsBefore = now - .hours(24 * Double(days))
    }
    retention.rawBodiesBefore = now - .hours(24 * 14)
    retention.unclaimedBefore = now - .hours(24 * 30)
    retention.deletionsBefore = now - .hours(24 * 180)
    retention.expiredBefore = now - day
    retention.signInsBefore = now - .hours(24 * 180)
    retention.triesBefore = now
    retention.auditBefore = now - .hours(24 * 400)
    return retention
  }
}
