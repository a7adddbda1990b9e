import AlarmEngine
import AlarmService
import Delivery
import Logging
import ServiceLifecycle
import Store

/// Sends the daily test messages that people have set for their channels. The outbox reports the results, and
/// notifies others of a broken channel.
final class DailyTests: Service {
  private static let interval = Duration.seconds(30)
  private static let atOnce = 100

  private let store: SQLStore
  private let clock: ServerClock
  private let outbox: OutboxWorker
  private let logger: Logger

  init(store: SQLStore, clock: ServerClock, outbox: OutboxWorker, logger: Logger) {
    self.store = store
    self.clock = clock
    self.outbox = outbox
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      while !Task.isCancelled {
        do { try await sendDue() } catch {
          logger.error("daily tests of channels", metadata: ["error": "\(error)"])
        }
        try? await Task.sleep(for: Self.interval)
      }
    }
  }

  /// Sends all tests that are due. One of several processes sends each test.
  func sendDue() async throws {
    var sent = 0
    while !Task.isCancelled {
      let now = clock.now()
      let channels = try await store.channelsToTest(through: now, limit: Self.atOnce)
      for channel in channels {
        guard let test = channel.dailyTest else { continue }
        let calendar = AccountCalendar(try await store.settings(of: channel.account))
        let next = calendar.next(minute: test.minute, after: now)
        if try await store.enqueueTest(OutboxWorker.dailyTest(of: channel, at: now), of: channel, next: next)
        {
          sent += 1
        }
      }
      if channels.count < Self.atOnce { break }
    }
    if sent > 0 { outbox.wake() }
  }
}
