import AlarmService
import Logging
import ServiceLifecycle
import Store

/// Sees within half a second what other processes have written to the store: an edit on another server's page, an
/// administrator's command.
///
/// Asking costs a look at a number in memory. Only of accounts that were edited what is in memory is read again.
/// What other processes make of phones' reports needs no reading: engines have versions. With PostgreSQL only streams of the
/// accounts whose feeds have grown are woken; a SQLite file does not say whose.
final class ForeignWrites: Service {
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
  /// - Returns: the mark that is known now. Where acting fails it is tried again.
  func look(since known: ChangesByOthers.Mark?) async throws -> ChangesByOthers.Mark {
    let found = try await store.changesByOthers(since: known)
    if !found.edited.isEmpty || !found.told.isEmpty { try await act(found) }
    return found.next
  }

  /// Acts as if anything might be different.
  func takeAllForDifferent() async throws {
    let next = try await store.changesByOthers(since: nil).next
    try await act(ChangesByOthers(next: next, edited: .all, told: .all))
  }
}
