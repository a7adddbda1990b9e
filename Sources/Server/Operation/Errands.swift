import NIOConcurrencyHelpers

/// Work that goes on behind an answer. It is lost when the server ends: only for what can be asked for again.
final class Errands: Sendable {
  private struct Book {
    var next = 0
    var tasks: [Int: Task<Void, Never>] = [:]
  }
  private let book = NIOLockedValueBox(Book())
  /// More than these are not begun: a flood of requests does not become a flood of work.
  private static let most = 64

  /// - Returns: whether it was begun.
  @discardableResult
  func run(_ errand: @escaping @Sendable () async -> Void) -> Bool {
    book.withLockedValue { book in
      guard book.tasks.count < Self.most else { return false }
      book.next += 1
      let number = book.next
      book.tasks[number] = Task { [self] in
        await errand()
        done(number)
      }
      return true
    }
  }

  private func done(_ number: Int) { book.withLockedValue { $0.tasks[number] = nil } }

  /// Returns when everything that was begun has ended.
  func finished() async {
    while let task = book.withLockedValue({ $0.tasks.values.first }) { await task.value }
  }
}
