import NIOConcurrencyHelpers
import NIOCore
import Store

/// Streams of one account at the same cursor of its feed share one reading and its bytes.
extension EventHub {
  /// The next bytes for a stream to write.
  package struct Told: Sendable {
    package let bytes: ByteBuffer
    /// The stream's cursor after these bytes.
    package let next: ChangeCursor
    /// True if the stream has to read on without waiting for a signal.
    package let hasMore: Bool
  }

  /// Returns the entries of the feed after a stream's cursor.
  ///
  /// All news published before the call are included, or `hasMore` is true. The bytes come from memory, or
  /// from one reading of the store that all streams at this cursor wait for. If the reading fails, it throws
  /// for all of them.
  /// - Parameter read: reads the feed after a cursor.
  package func read(
    _ listening: Listening, after cursor: ChangeCursor,
    by read: @escaping @Sendable (ChangeCursor) async throws -> FeedStretch
  ) async throws -> Told {
    let place = Place(account: listening.account, cursor: cursor)
    let (kept, news) = book.withLockedValue { book in
      (book.kept(at: place, for: listening.id), book.news(of: place.account))
    }
    if let kept { return kept }
    let answer: Answer = try await withCheckedThrowingContinuation { continuation in
      let (known, isFirst) = book.withLockedValue { book -> (Told?, Bool) in
        // A reading may have ended just now.
        if let kept = book.kept(at: place, for: listening.id) { return (kept, false) }
        return (nil, book.wait(at: place, listening.id, continuation))
      }
      if let known { continuation.resume(returning: .known(known)) }
      // Not a child task of the stream: a stream that ends must not cancel a reading that others wait for.
      if isFirst { Task { await carryOut(read, at: place) } }
    }
    switch answer {
    case .known(let told): return told
    case .read(let stretch, let began):
      return Told(bytes: stretch.bytes, next: stretch.next, hasMore: stretch.hasMore || began < news)
    }
  }

  private func carryOut(
    _ read: @Sendable (ChangeCursor) async throws -> FeedStretch, at place: Place
  ) async {
    let result: Result<FeedStretch, any Error>
    do { result = .success(try await read(place.cursor)) } catch { result = .failure(error) }
    guard let reading = book.withLockedValue({ $0.end(at: place, with: try? result.get()) }) else { return }
    for waiting in reading.waiting { waiting.resume(with: result.map { .read($0, began: reading.began) }) }
  }
}

extension EventHub {
  struct Place: Hashable, Sendable {
    let account: AccountID
    let cursor: ChangeCursor
  }

  /// The answer to a stream that waits.
  enum Answer: Sendable {
    case known(Told)
    /// - began: the number of the last news when the reading began.
    case read(FeedStretch, began: UInt64)
  }

  /// A reading that is under way.
  struct Reading: Sendable {
    /// The number of the last news when it began.
    let began: UInt64
    var streams: [UInt64] = []
    var waiting: [CheckedContinuation<EventHub.Answer, any Error>] = []
  }
}

extension EventHub.Book {
  /// The most bytes kept of one account's feed, and of all accounts' together. Streams that are further
  /// behind read the store themselves.
  private static let keptBytes = 1 << 16
  private static let keptBytesOfAll = 1 << 24

  /// Returns the number of the last news that concerns the account.
  func news(of account: AccountID) -> UInt64 { max(newsForAll, groups[account]?.news ?? 0) }

  /// Returns the entries that are in memory; nil if the store has to be read.
  mutating func kept(at place: EventHub.Place, for stream: UInt64) -> EventHub.Told? {
    guard let window = groups[place.account]?.window else { return nil }
    let isAtEnd = (window.endSeenAt ?? 0) >= news(of: place.account)
    let bytes = window.bytes(after: place.cursor)
    guard bytes != nil || place.cursor == window.high && isAtEnd else { return nil }
    if isAtEnd { note(window.endSeenAt, by: [stream], of: place.account) }
    return EventHub.Told(bytes: bytes ?? ByteBuffer(), next: window.high, hasMore: !isAtEnd)
  }

  /// - Returns: whether no reading at this cursor is under way, so that the caller has to start one.
  mutating func wait(
    at place: EventHub.Place, _ stream: UInt64,
    _ continuation: CheckedContinuation<EventHub.Answer, any Error>
  ) -> Bool {
    let isFirst = readings[place] == nil
    var reading = readings.removeValue(forKey: place) ?? EventHub.Reading(began: news(of: place.account))
    reading.streams.append(stream)
    reading.waiting.append(continuation)
    readings[place] = reading
    return isFirst
  }

  /// - Parameter stretch: nil if the reading has failed.
  mutating func end(at place: EventHub.Place, with stretch: FeedStretch?) -> EventHub.Reading? {
    guard let reading = readings.removeValue(forKey: place) else { return nil }
    guard let stretch, let streams = groups[place.account]?.listeners.count else { return reading }
    var window = groups[place.account]?.window ?? FeedWindow(at: stretch.from)
    let others = bytesKept - window.byteCount
    // Keep nothing for a single stream: it has the bytes that it read.
    let mostBytes = streams > 1 && others < Self.keptBytesOfAll ? Self.keptBytes : 0
    groups[place.account]?.window = nil
    window.add(stretch, at: reading.began, mostBytes: mostBytes)
    bytesKept = others + window.byteCount
    groups[place.account]?.window = window
    if !stretch.hasMore { note(reading.began, by: reading.streams, of: place.account) }
    return reading
  }

  /// Records that these streams have read up to these news.
  private mutating func note(_ news: UInt64?, by streams: [UInt64], of account: AccountID) {
    for stream in streams { groups[account]?.listeners[stream]?.hasRead = news ?? 0 }
  }
}
