import NIOCore
import Store

/// The last part of an account's feed that one of its streams has read, kept for the others. Most streams are
/// at its end and read on together; a stream that is a little late finds the missing entries here.
struct FeedWindow: Sendable {
  /// The cursor after which the kept entries begin. All entries up to `high` are kept.
  private(set) var low: ChangeCursor
  /// The furthest cursor to which a stream has read.
  private(set) var high: ChangeCursor
  /// The number of the last news (`EventHub`) at which the feed ended at `high`; nil if that is not known.
  private(set) var endSeenAt: UInt64?
  private var stretches: [FeedStretch] = []
  private(set) var byteCount = 0

  init(at cursor: ChangeCursor) {
    low = cursor
    high = cursor
  }

  /// Returns the entries after a cursor, up to `high`. Returns nil if the cursor is outside the window or at
  /// its end.
  func bytes(after cursor: ChangeCursor) -> ByteBuffer? {
    guard low <= cursor, cursor < high else { return nil }
    let wanted = stretches.drop { $0.next <= cursor }
    guard var first = wanted.first?.bytes(after: cursor) else { return nil }
    if wanted.count == 1 { return first }
    // Copy into memory of its own, so that a client that reads slowly does not retain the whole window.
    var joined = ByteBuffer()
    joined.reserveCapacity(first.readableBytes + wanted.dropFirst().reduce(0) { $0 + $1.bytes.readableBytes })
    joined.writeBuffer(&first)
    for stretch in wanted.dropFirst() { joined.writeImmutableBuffer(stretch.bytes) }
    return joined
  }

  /// Adds a stretch that was read. A stretch that does not begin at `high` replaces the window if it ends
  /// further.
  /// - Parameters:
  ///   - news: the number of the last news when the reading began.
  ///   - mostBytes: the most bytes to keep; the oldest entries are dropped first.
  mutating func add(_ stretch: FeedStretch, at news: UInt64, mostBytes: Int) {
    guard stretch.next >= high else { return }
    if stretch.next > high {
      if stretch.from != high {
        low = stretch.from
        stretches = []
        byteCount = 0
      }
      stretches.append(stretch)
      byteCount += stretch.bytes.readableBytes
      high = stretch.next
      endSeenAt = nil
    }
    if !stretch.hasMore { endSeenAt = max(endSeenAt ?? 0, news) }
    while byteCount > mostBytes, let oldest = stretches.first {
      stretches.removeFirst()
      byteCount -= oldest.bytes.readableBytes
      low = oldest.next
    }
  }
}
