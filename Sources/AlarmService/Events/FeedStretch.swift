import NIOCore
import Store

/// A stretch of an account's change feed as it goes over the wire: all entries after one place and up to another, as
/// they were when the feed was read.
package struct FeedStretch: Sendable {
  package let from: ChangeCursor
  /// The place of the last entry; `from` if there is none.
  package private(set) var next: ChangeCursor
  /// Whether the feed went on after `next`.
  package let hasMore: Bool
  package private(set) var bytes = ByteBuffer()
  /// Of each entry its place, and where its bytes end.
  private var ends: [(cursor: ChangeCursor, end: Int)] = []

  package init(after cursor: ChangeCursor, hasMore: Bool) {
    from = cursor
    next = cursor
    self.hasMore = hasMore
  }

  /// Adds an entry. Entries come in the order of their places.
  package mutating func add(_ entry: [UInt8], at cursor: ChangeCursor) {
    bytes.writeBytes(entry)
    ends.append((cursor, bytes.writerIndex))
    next = cursor
  }

  /// The bytes of the entries after a place.
  func bytes(after cursor: ChangeCursor) -> ByteBuffer {
    guard let end = ends.last(where: { $0.cursor <= cursor })?.end else { return bytes }
    return bytes.getSlice(at: end, length: bytes.writerIndex - end) ?? ByteBuffer()
  }
}
