import AlarmService
import Logging
import ServiceLifecycle
import Store

/// Sees within a second when another process has written to the store: an administrator's command, a restored token.
///
/// Asking costs one look at a number in shared memory. What it means for whom is not worked out: everything that is
/// only in memory is read again.
final class ForeignWrites: Service {
  private static let interval = Duration.milliseconds(400)

  private let store: any ServerStore
  private let logger: Logger
  private let act: @Sendable () async throws -> Void

  init(store: any ServerStore, logger: Logger, act: @escaping @Sendable () async throws -> Void) {
    self.store = store
    self.logger = logger
    self.act = act
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      var known: Int64?
      while !Task.isCancelled {
        do { known = try await look(since: known) } catch {
          if !Task.isCancelled { logger.error("foreign writes", metadata: ["error": "\(error)"]) }
        }
        try? await Task.sleep(for: Self.interval)
      }
    }
  }

  /// - Parameter known: nil the first time.
  /// - Returns: the number that is known now. Where acting fails it is tried again.
  func look(since known: Int64?) async throws -> Int64 {
    let found = try await store.foreignWrites()
    if let known, found != known { try await act() }
    return found
  }
}
