import NIOConcurrencyHelpers

/// Work that continues after an answer. It is lost when the server ends, so it is only for work that can be
/// requested again.
final class BackgroundTasks: Sendable {
  private struct Book {
    var next = 0
    var tasks: [Int: Task<Void, Never>] = [:]
  }
  private let book = NIOLockedValueBox(Book())
  /// The most errands at the same time; further ones are not begun, so that a flood of requests does not
  /// become a flood of work.
  private static let most = 64

  /// - Returns: whether the errand was begun.
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

  /// Returns when all begun errands have ended.
  func finished() async {
    while let task = book.withLockedValue({ $0.tasks.values.first }) { await task.value }
  }
}
