import AlarmService
import Logging
import ServiceLifecycle
import Store

/// Detects within half a second the writes of other processes to the store: an edit on another server's page,
/// an administrator's command.
///
/// A check reads one number in memory. Only the accounts that were edited are read again. Phones' reports to
/// other processes need no reading, since engines are versioned in the store. With PostgreSQL only the
/// streams of the accounts whose feeds have grown are woken; a SQLite file does not tell which accounts those
/// are.
final class ExternalChanges: Service {
  private let store: SQLStore
  private let logger: Logger
  private let act: @Sendable (ChangesByOthers) async throws -> Void

  init(
    store: SQLStore, logger: Logger,
    act: @escaping @Sendable (ChangesByOthers) async throws -> Void
  ) {
    self.store = store
    self.logger = logger
    self.act = act
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      var known: ChangesByOthers.Mark?
      while !Task.isCancelled {
        do { known = try await look(since: known) } catch {
          if !Task.isCancelled { logger.error("foreign writes", metadata: ["error": "\(error)"]) }
        }
        try? await Task.sleep(for: store.looksForOthersEvery)
      }
    }
  }

  /// - Parameter known: nil the first time.
  /// - Returns: the new mark. If acting fails, it is tried again.
  func look(since known: ChangesByOthers.Mark?) async throws -> ChangesByOthers.Mark {
    let found = try await store.changesByOthers(since: known)
    if !found.edited.isEmpty || !found.told.isEmpty { try await act(found) }
    return found.next
  }

  /// Acts as if everything had changed.
  func takeAllForDifferent() async throws {
    let next = try await store.changesByOthers(since: nil).next
    try await act(ChangesByOthers(next: next, edited: .all, told: .all))
  }
}
