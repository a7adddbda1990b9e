import NIOConcurrencyHelpers
import ServiceLifecycle
import Store

/// Wakes the open event streams of an account when its change feed has grown.
///
/// Nothing is queued here: a stream reads the feed itself from where it stands. So a client that reads slowly costs
/// a cursor and nothing else, nobody waits for it, and none misses anything, restart included.
public final class EventHub: Service, Sendable {
  /// Why a stream looks at the feed.
  package enum Signal: Sendable {
    case changed
    /// Time for a sign of life, for proxies and for streams whose wake-up came from another process.
    case heartbeat
  }

  private struct Listener: Sendable {
    let id: UInt64
    let signals: AsyncStream<Signal>.Continuation
  }
  private struct Book {
    var next: UInt64 = 0
    var listeners: [AccountID: [Listener]] = [:]
    var count = 0
    var isClosed = false
  }

  private let book = NIOLockedValueBox(Book())
  private let heartbeat: Duration
  private let perAccount: Int
  /// Of all accounts.
  static let maximumStreams = 10_000

  public init(heartbeat: Duration = .seconds(15), perAccount: Int = 20) {
    self.heartbeat = heartbeat
    self.perAccount = perAccount
  }

  /// Tells the account's streams that there is something new in its feed. Call it after the transaction.
  public func publish(_ account: AccountID) {
    let listeners = book.withLockedValue { $0.listeners[account] ?? [] }
    for listener in listeners { listener.signals.yield(.changed) }
  }

  public func publish(_ accounts: some Sequence<AccountID>) { for account in accounts { publish(account) } }

  /// Tells all streams to look.
  public func publishAll() {
    let all = book.withLockedValue { $0.listeners.values.flatMap { $0 } }
    for listener in all { listener.signals.yield(.changed) }
  }

  package var streamCount: Int { book.withLockedValue { $0.count } }

  /// A stream of signals that ends with the server, and what ends it earlier.
  /// - Returns: nil when the account, or the server, has as many as it may.
  package func listen(_ account: AccountID) -> (signals: AsyncStream<Signal>, end: @Sendable () -> Void)? {
    // One signal is enough: whoever is woken reads all there is. A change is never pushed out by a heartbeat for
    // good, since both make the stream look.
    let (signals, continuation) = AsyncStream.makeStream(
      of: Signal.self, bufferingPolicy: .bufferingNewest(1))
    let id: UInt64? = book.withLockedValue { book in
      guard !book.isClosed, book.count < Self.maximumStreams,
        book.listeners[account, default: []].count < perAccount
      else { return nil }
      book.next += 1
      book.count += 1
      book.listeners[account, default: []].append(Listener(id: book.next, signals: continuation))
      return book.next
    }
    guard let id else { return nil }
    let end: @Sendable () -> Void = { [self] in
      continuation.finish()
      forget(account, id)
    }
    return (signals, end)
  }

  private func forget(_ account: AccountID, _ id: UInt64) {
    book.withLockedValue { book in
      guard var left = book.listeners[account], let index = left.firstIndex(where: { $0.id == id }) else {
        return
      }
      left.remove(at: index)
      book.count -= 1
      book.listeners[account] = left.isEmpty ? nil : left
    }
  }

  /// One timer for all heartbeats; on graceful shutdown all streams end.
  public func run() async throws {
    await withGracefulShutdownHandler {
      await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
          try? await Task.sleep(for: self.heartbeat)
          self.beat()
        }
      }
    } onGracefulShutdown: {
      self.close()
    }
    close()
  }

  func beat() {
    let all = book.withLockedValue { $0.listeners.values.flatMap { $0 } }
    for listener in all { listener.signals.yield(.heartbeat) }
  }

  package func close() {
    let all = book.withLockedValue { book in
      book.isClosed = true
      return book.listeners.values.flatMap { $0 }
    }
    for listener in all { listener.signals.finish() }
  }
}
