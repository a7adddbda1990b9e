import AlarmEngine
import NIOConcurrencyHelpers

/// Wakes the timers and the delivery when there is something to do.
package final class IngestWakes: Sendable {
  private struct Book {
    var dueAt: Instant?
    var calls = Calls()
  }

  /// How often the services have been woken, for tests that run their turns without the streams.
  struct Calls: Equatable {
    var timers = 0
    var deliveries = 0
  }

  private let book = NIOLockedValueBox(Book())
  let timers: AsyncStream<Void>
  private let timerSignal: AsyncStream<Void>.Continuation
  let deliveries: AsyncStream<Void>
  private let deliverySignal: AsyncStream<Void>.Continuation

  init() {
    (timers, timerSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (deliveries, deliverySignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var calls: Calls { book.withLockedValue { $0.calls } }

  func deliver() {
    book.withLockedValue { $0.calls.deliveries += 1 }
    deliverySignal.yield()
  }

  package func wakeTimers() {
    book.withLockedValue { $0.calls.timers += 1 }
    timerSignal.yield()
  }

  /// Records when a device is due. The timers are woken only if this is earlier than before.
  func due(at instant: Instant) {
    let isEarlier = book.withLockedValue { book in
      guard book.dueAt.map({ instant < $0 }) ?? true else { return false }
      book.dueAt = instant
      return true
    }
    if isEarlier { wakeTimers() }
  }

  /// Records the time until which the timer sleeps.
  func sleeps(until instant: Instant?) { book.withLockedValue { $0.dueAt = instant } }
}
