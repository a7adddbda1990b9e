import NIOCore
import Store

/// A stretch of an account's change feed in its wire format: all entries after one cursor and up to another,
/// as they were when the feed was read.
package struct FeedStretch: Sendable {
  package let from: ChangeCursor
  /// The cursor of the last entry; `from` if there is none.
  package private(set) var next: ChangeCursor
  /// True if the feed went on after `next`.
  package let hasMore: Bool
  package private(set) var bytes = ByteBuffer()
  /// The cursor of each entry, and the offset at which its bytes end.
  private var ends: [(cursor: ChangeCursor, end: Int)] = []

  package init(after cursor: ChangeCursor, hasMore: Bool) {
    from = cursor
    next = cursor
    self.hasMore = hasMore
  }

  /// Adds an entry. Entries come in the order of their cursors.
  package mutating func add(_ entry: [UInt8], at cursor: ChangeCursor) {
    bytes.writeBytes(entry)
    ends.append((cursor, bytes.writerIndex))
    next = cursor
  }

  /// Returns the bytes of the entries after a cursor.
  func bytes(after cursor: ChangeCursor) -> ByteBuffer {
    guard let end = ends.last(where: { $0.cursor <= cursor })?.end else { return bytes }
    return bytes.getSlice(at: end, length: bytes.writerIndex - end) ?? ByteBuffer()
  }
}
