import NIOConcurrencyHelpers

/// Ends the reading of bodies that take too long: one sleeper for all of them, since a timer for each would cost more
/// than most bodies take to arrive.
final class BodyDeadlines: Sendable {
  static let shared = BodyDeadlines()

  private struct Reading {
    let until: ContinuousClock.Instant
    let task: Task<[UInt8], any Error>
    var isOver = false
  }
  private struct Book {
    var readings: [UInt64: Reading] = [:]
    var last: UInt64 = 0
    /// The time at which the sleeper wakes; nil if there is none.
    var wakes: ContinuousClock.Instant?
  }
  private let book = NIOLockedValueBox(Book())

  /// - Returns: nil if reading took more than `seconds`.
  /// - Throws: the errors of `read`.
  func run(
    within seconds: Int, _ read: @escaping @Sendable () async throws -> [UInt8]
  ) async throws -> [UInt8]? {
    let task = Task { try await read() }
    let until = ContinuousClock.now + .seconds(seconds)
    let number = begin(task, until)
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let isOver = book.withLockedValue { $0.readings.removeValue(forKey: number)?.isOver ?? false }
    return isOver ? nil : try result.get()
  }

  private func begin(_ task: Task<[UInt8], any Error>, _ until: ContinuousClock.Instant) -> UInt64 {
    let (number, sleeps) = book.withLockedValue { book in
      book.last += 1
      book.readings[book.last] = Reading(until: until, task: task)
      // A sleeper that wakes no later serves this deadline as well.
      let sleeps = book.wakes.map { until < $0 } ?? true
      if sleeps { book.wakes = until }
      return (book.last, sleeps)
    }
    if sleeps { Task { await wake(at: until) } }
    return number
  }

  /// Ends the overdue readings at each deadline, until none is left.
  private func wake(at time: ContinuousClock.Instant) async {
    var next: ContinuousClock.Instant? = time
    while let time = next {
      try? await Task.sleep(until: time, clock: .continuous)
      next = book.withLockedValue { book in
        // Another sleeper was started for an earlier time: it continues.
        guard book.wakes == time else { return nil }
        for (number, reading) in book.readings where reading.until <= time {
          book.readings[number]?.isOver = true
          reading.task.cancel()
        }
        book.wakes = book.readings.values.lazy.filter { !$0.isOver }.map(\.until).min()
        return book.wakes
      }
    }
  }
}
