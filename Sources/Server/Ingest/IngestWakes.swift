import AlarmEngine
import NIOConcurrencyHelpers

/// Tells the services that sleep that there is something to do.
final class IngestWakes: Sendable {
  private struct Book {
    var dueAt: Instant?
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

  func deliver() { deliverySignal.yield() }
  func wakeTimers() { timerSignal.yield() }

  /// The earliest time at which a device is due; only an earlier one than before wakes anybody.
  func due(at instant: Instant) {
    let isEarlier = book.withLockedValue { book in
      guard book.dueAt.map({ instant < $0 }) ?? true else { return false }
      book.dueAt = instant
      return true
    }
    if isEarlier { timerSignal.yield() }
  }

  /// The timer sleeps until then.
  func sleeps(until instant: Instant?) { book.withLockedValue { $0.dueAt = instant } }
}
