import AlarmEngine
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing

@testable import AlarmService
@testable import Store

/// Streams of one account read its feed together, and each gets the same as if it were alone.
@Suite("Streams that read together")
struct SharedReadingTests {
  /// The simple model: an account's feed in memory, with each thing once, at its last change.
  final class Feed: Sendable {
    struct Entry: Hashable {
      let cursor: Int64
      let thing: Int
      let epoch: Int
    }
    struct Book {
      var latest: [Int: Entry] = [:]
      var all: Set<Entry> = []
      var last: Int64 = 0
      var epoch = 0
      var readings = 0
      var seed: UInt64
    }
    struct Failure: Error {}

    let account: AccountID
    let book: NIOLockedValueBox<Book>
    /// One in this many readings fails; 0: none.
    let failsOneOf: Int
    private static let entriesAtOnce = 5

    init(_ account: UInt64, seed: UInt64, failsOneOf: Int = 0) {
      self.account = AccountID(rawValue: account)
      self.failsOneOf = failsOneOf
      book = NIOLockedValueBox(Book(seed: seed))
    }

    func change(_ thing: Int) {
      book.withLockedValue { book in
        book.last += 1
        let entry = Entry(cursor: book.last, thing: thing, epoch: book.epoch)
        book.latest[thing] = entry
        book.all.insert(entry)
      }
    }

    func random(_ below: Int) -> Int {
      book.withLockedValue { book in
        book.seed &+= 1
        var random = SeededGenerator(seed: book.seed)
        return .random(in: 0..<below, using: &random)
      }
    }

    /// Pauses at random before and after taking the entries.
    @Sendable func read(after cursor: ChangeCursor) async throws -> FeedStretch {
      for _ in 0..<random(4) { await Task.yield() }
      let entries = book.withLockedValue { book in
        book.readings += 1
        return book.latest.values.filter { $0.cursor > cursor.rawValue }.sorted { $0.cursor < $1.cursor }
      }
      if failsOneOf > 0, random(failsOneOf) == 0 { throw Failure() }
      for _ in 0..<random(12) { await Task.yield() }
      var stretch = FeedStretch(after: cursor, hasMore: entries.count > Self.entriesAtOnce)
      for entry in entries.prefix(Self.entriesAtOnce) {
        // Long enough that the stretch kept for late streams does not hold the whole feed.
        let text = "\(account) \(entry.cursor) \(entry.thing) \(entry.epoch) "
        let padding = String(repeating: ".", count: 3000 - text.utf8.count)
        stretch.add(Array((text + padding + "\n").utf8), at: ChangeCursor(rawValue: entry.cursor))
      }
      return stretch
    }
  }

  /// The entries that a stream received.
  struct Heard {
    let account: AccountID
    let start: Int64
    var cursor: Int64
    var entries: [Feed.Entry] = []
    /// True if it stayed until the end.
    var isWhole = false

    /// - Returns: false for bytes that are not entries of the account.
    mutating func take(_ bytes: ByteBuffer) -> Bool {
      for line in String(buffer: bytes).split(separator: "\n") {
        let parts = line.split(separator: " ")
        guard parts.count == 5, parts[0] == "\(account)", let cursor = Int64(parts[1]),
          let thing = Int(parts[2]),
          let epoch = Int(parts[3])
        else { return false }
        entries.append(Feed.Entry(cursor: cursor, thing: thing, epoch: epoch))
      }
      return true
    }
  }

  /// Follows a stream from a cursor on, as `EventStream` does. After a failed reading it resumes where it
  /// was.
  /// - Parameters:
  ///   - lag: how slowly it writes.
  ///   - leavesAfter: disconnects after this many signals.
  private static func follow(
    _ feed: Feed, _ hub: EventHub, from start: Int64, lag: Int, leavesAfter: Int?
  ) async -> Heard {
    var heard = Heard(account: feed.account, start: start, cursor: start)
    while let listening = hub.listen(feed.account) {
      defer { listening.end() }
      do {
        func catchUp() async throws {
          while true {
            let told = try await hub.read(
              listening, after: ChangeCursor(rawValue: heard.cursor), by: feed.read)
            let areEntries = heard.take(told.bytes)
            #expect(areEntries)
            for _ in 0..<(lag == 0 ? 0 : feed.random(lag)) { await Task.yield() }
            heard.cursor = max(heard.cursor, told.next.rawValue)
            guard told.hasMore else { return }
          }
        }
        try await catchUp()
        var signals = 0
        for await _ in listening.signals {
          try await catchUp()
          signals += 1
          if signals == leavesAfter { return heard }
        }
        heard.isWhole = !Task.isCancelled
        return heard
      } catch { continue }
    }
    return heard
  }

  private static func check(_ heard: Heard, _ feed: Feed, _ seed: Int) {
    let book = feed.book.withLockedValue { $0 }
    let cursors = heard.entries.map(\.cursor)
    #expect(zip(cursors, cursors.dropFirst()).allSatisfy { $0 < $1 }, "in order and once each, seed \(seed)")
    #expect(cursors.allSatisfy { $0 > heard.start }, "nothing from before, seed \(seed)")
    #expect(book.all.isSuperset(of: heard.entries), "only what was changed, seed \(seed)")
    let last = heard.isWhole ? Int64.max : heard.cursor
    let owed = book.latest.values.filter { $0.cursor > heard.start && $0.cursor <= last }
    #expect(Set(heard.entries).isSuperset(of: owed), "nothing is missing, seed \(seed)")
  }

  @Test(.timeLimit(.minutes(5)), arguments: Seeds.few(40))
  func `each stream hears each change once and in order, whoever comes, goes, lags or fails`(
    seed: Int
  ) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let hub = EventHub(perAccount: 1000)
    let feeds = [
      Feed(1, seed: random.next(), failsOneOf: seed % 3 == 0 ? 15 : 0), Feed(2, seed: random.next()),
    ]
    await withTaskGroup(of: (Int, Heard).self) { group in
      var cancelled: [Task<Void, Never>] = []
      for _ in 0..<Int.random(in: 50...250, using: &random) {
        let number = Int.random(in: 0..<2, using: &random)
        let feed = feeds[number]
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2:
          // Most begin at the end, some at an earlier position.
          let last = feed.book.withLockedValue { $0.last }
          let start =
            Int.random(in: 0..<3, using: &random) == 0 ? Int64.random(in: 0...last, using: &random) : last
          let lag = [0, 0, 5, 60].randomElement(using: &random) ?? 0
          let leaves =
            Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 1..<8, using: &random) : nil
          group.addTask { (number, await Self.follow(feed, hub, from: start, lag: lag, leavesAfter: leaves)) }
        case 2:
          // The stream is cancelled while it reads, or before it has begun; its entries do not matter.
          let start = feed.book.withLockedValue { $0.last }
          cancelled.append(Task { _ = await Self.follow(feed, hub, from: start, lag: 0, leavesAfter: nil) })
        case 3:
          cancelled.randomElement(using: &random)?.cancel()
        case 4:
          feed.book.withLockedValue { $0.epoch += 1 }
        case 5:
          hub.beat()
        case 6:
          for _ in 0..<Int.random(in: 1..<20, using: &random) { await Task.yield() }
        default:
          // Several changes may be published as one.
          for _ in 0..<Int.random(in: 1..<8, using: &random) {
            feed.change(Int.random(in: 0..<40, using: &random))
          }
          for _ in 0..<Int.random(in: 0..<3, using: &random) { await Task.yield() }
          hub.publish(feed.account)
        }
      }
      for task in cancelled { task.cancel() }
      for task in cancelled { await task.value }
      hub.close()
      for await (number, heard) in group { Self.check(heard, feeds[number], seed) }
    }
    hub.book.withLockedValue { book in
      #expect(book.count == 0 && book.groups.isEmpty && book.readings.isEmpty && book.bytesKept == 0)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `two hundred streams read each change of their account once`() async throws {
    let feed = Feed(1, seed: 1)
    let hub = EventHub(perAccount: 200)
    await withTaskGroup(of: Heard.self) { group in
      for _ in 0..<200 {
        group.addTask { await Self.follow(feed, hub, from: 0, lag: 0, leavesAfter: nil) }
      }
      while hub.streamCount < 200 { await Task.yield() }
      // Once they have read this, too, all have finished their first reading.
      hub.publish(feed.account)
      while !hub.isAtRest { await Task.yield() }
      let before = feed.book.withLockedValue { $0.readings }
      for number in 1...50 {
        feed.change(number % 7)
        hub.publish(feed.account)
        while !hub.isAtRest { await Task.yield() }
        #expect(feed.book.withLockedValue { $0.readings } == before + number)
        // One entry for the late streams, and never more than the bound.
        #expect(hub.book.withLockedValue { $0.bytesKept } <= 1 << 16)
      }
      hub.close()
      for await heard in group {
        #expect(heard.entries.map(\.cursor) == Array(1...50))
      }
    }
  }

  @Test func `a stream alone keeps nothing for others`() async throws {
    let feed = Feed(1, seed: 1)
    let hub = EventHub()
    let listening = try #require(hub.listen(feed.account))
    for thing in 0..<3 { feed.change(thing) }
    hub.publish(feed.account)
    let told = try await hub.read(listening, after: .start, by: feed.read)
    #expect(told.next.rawValue == 3 && !told.hasMore)
    #expect(hub.book.withLockedValue { $0.bytesKept } == 0)
    // Nothing is new, so the store is not read.
    let again = try await hub.read(listening, after: told.next, by: feed.read)
    #expect(again.bytes.readableBytes == 0 && !again.hasMore)
    #expect(feed.book.withLockedValue { $0.readings } == 1)
    listening.end()
    #expect(hub.streamCount == 0)
  }
}
