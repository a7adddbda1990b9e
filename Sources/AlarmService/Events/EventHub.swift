import NIOConcurrencyHelpers
import ServiceLifecycle
import Store

/// Wakes the open event streams of an account when its change feed has grown.
///
/// Nothing is queued here: a stream reads the feed from its own cursor. A client that reads slowly therefore
/// costs no more than a cursor, delays no other client, and misses nothing, even across a restart. Streams at
/// the same cursor share a reading (`EventHub+Reading.swift`).
public final class EventHub: Service, Sendable {
  /// The reason why a stream reads the feed.
  package enum Signal: Sendable {
    case changed
    /// Time for a sign of life: for proxies, and for streams that missed a change made by another process.
    case heartbeat
  }

  /// An open stream.
  package struct Listening: Sendable {
    let id: UInt64
    let account: AccountID
    /// Finishes with the server, or by `end`.
    package let signals: AsyncStream<Signal>
    package let end: @Sendable () -> Void
  }

  struct Listener: Sendable {
    let signals: AsyncStream<Signal>.Continuation
    /// The number of the last news that the stream has read.
    var hasRead: UInt64 = 0
  }
  /// The streams of one account, at least one.
  struct Group: Sendable {
    var listeners: [UInt64: Listener] = [:]
    /// The number of the last news of this account.
    var news: UInt64 = 0
    var window: FeedWindow?
  }
  struct Book: Sendable {
    var next: UInt64 = 0
    var groups: [AccountID: Group] = [:]
    var count = 0
    var isClosed = false
    /// The number of the last news of any account, from 1, and of the last news for all accounts.
    var lastNews: UInt64 = 0
    var newsForAll: UInt64 = 0
    var readings: [Place: Reading] = [:]
    /// The bytes in the windows of all groups.
    var bytesKept = 0

    mutating func newsForEverybody() -> [Listener] {
      lastNews += 1
      newsForAll = lastNews
      return groups.values.flatMap { $0.listeners.values }
    }
  }

  let book = NIOLockedValueBox(Book())
  private let heartbeat: Duration
  private let perAccount: Int
  /// The most open streams of all accounts together.
  static let maximumStreams = 10_000

  public init(heartbeat: Duration = .seconds(15), perAccount: Int = 20) {
    self.heartbeat = heartbeat
    self.perAccount = perAccount
  }

  /// Signals the account's streams that its feed has grown. Call it after the transaction.
  public func publish(_ account: AccountID) {
    let listeners = book.withLockedValue { book -> [Listener] in
      guard book.groups[account] != nil else { return [] }
      book.lastNews += 1
      book.groups[account]?.news = book.lastNews
      return book.groups[account].map { Array($0.listeners.values) } ?? []
    }
    for listener in listeners { listener.signals.yield(.changed) }
  }

  public func publish(_ accounts: some Sequence<AccountID>) { for account in accounts { publish(account) } }

  /// Signals all streams to read.
  public func publishAll() {
    for listener in book.withLockedValue({ $0.newsForEverybody() }) { listener.signals.yield(.changed) }
  }

  package var streamCount: Int { book.withLockedValue { $0.count } }

  /// True if every stream has read everything that was published. Opening a stream counts as news for the
  /// account's other streams, too, until the next news.
  var isAtRest: Bool {
    book.withLockedValue { book in
      book.groups.allSatisfy { account, group in
        group.listeners.values.allSatisfy { $0.hasRead >= book.news(of: account) }
      }
    }
  }

  /// Opens a stream.
  /// - Returns: nil if the account, or the server, has reached its limit of streams.
  package func listen(_ account: AccountID) -> Listening? {
    // One signal is enough, since a woken stream reads all there is. A heartbeat that replaces a change loses
    // nothing, since both make the stream read.
    let (signals, continuation) = AsyncStream.makeStream(
      of: Signal.self, bufferingPolicy: .bufferingNewest(1))
    let id: UInt64? = book.withLockedValue { book in
      guard !book.isClosed, book.count < Self.maximumStreams,
        book.groups[account]?.listeners.count ?? 0 < perAccount
      else { return nil }
      book.next += 1
      book.count += 1
      // Changes made before the stream was opened sent it no signal. Opening it counts as news, so that it
      // reads the feed.
      book.lastNews += 1
      book.groups[account, default: Group()].news = book.lastNews
      book.groups[account]?.listeners[book.next] = Listener(signals: continuation)
      return book.next
    }
    guard let id else { return nil }
    return Listening(id: id, account: account, signals: signals) { [self] in
      continuation.finish()
      forget(account, id)
    }
  }

  private func forget(_ account: AccountID, _ id: UInt64) {
    book.withLockedValue { book in
      guard book.groups[account]?.listeners.removeValue(forKey: id) != nil else { return }
      book.count -= 1
      guard let group = book.groups[account], group.listeners.isEmpty else { return }
      book.bytesKept -= group.window?.byteCount ?? 0
      book.groups[account] = nil
    }
  }

  /// Sends all heartbeats with one timer. On graceful shutdown all streams end.
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
    for listener in book.withLockedValue({ $0.newsForEverybody() }) { listener.signals.yield(.heartbeat) }
  }

  package func close() {
    let all = book.withLockedValue { book in
      book.isClosed = true
      return book.groups.values.flatMap { $0.listeners.values }
    }
    for listener in all { listener.signals.finish() }
  }
}
