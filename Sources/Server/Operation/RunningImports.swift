import NIOConcurrencyHelpers
import Store

/// The imports that run in this process: at most one per account, and few at once, since each takes a thread
/// and holds a file in memory.
final class RunningImports: Sendable {
  private static let most = 2

  private struct Book {
    var running: [AccountID: TrackImportID] = [:]
    var stopped: Set<TrackImportID> = []
  }
  private let book = NIOLockedValueBox(Book())

  enum Refusal: Error, Equatable { case ownRuns, othersRun }

  func begin(_ id: TrackImportID, of account: AccountID) throws(Refusal) {
    let refusal: Refusal? = book.withLockedValue { book in
      guard book.running[account] == nil else { return .ownRuns }
      guard book.running.count < Self.most else { return .othersRun }
      book.running[account] = id
      return nil
    }
    if let refusal { throw refusal }
  }

  /// Stops an import before its next part.
  func stop(_ id: TrackImportID) {
    book.withLockedValue { book in
      if book.running.values.contains(id) { book.stopped.insert(id) }
    }
  }

  func goesOn(_ id: TrackImportID) -> Bool { book.withLockedValue { !$0.stopped.contains(id) } }

  func end(_ id: TrackImportID, of account: AccountID) {
    book.withLockedValue { book in
      if book.running[account] == id { book.running[account] = nil }
      book.stopped.remove(id)
    }
  }
}
