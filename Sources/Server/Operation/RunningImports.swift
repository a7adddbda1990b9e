import NIOConcurrencyHelpers
import Store

/// Which imports run in this process: one of an account at a time, and few at once, since each has a thread and a file in
/// memory.
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

  /// It ends at the next part.
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
