import AlarmEngine

public struct ChangePage: Equatable, Sendable {
  /// In the order of change.
  public let entries: [ChangeEntry]
  /// Where the next page begins.
  public let next: ChangeCursor
  public let hasMore: Bool
  /// In which `next` was read; nil if none was begun yet. It is another one than before if a process was started since.
  public let epoch: FeedEpoch?

  public init(entries: [ChangeEntry], next: ChangeCursor, hasMore: Bool, epoch: FeedEpoch? = nil) {
    self.entries = entries
    self.next = next
    self.hasMore = hasMore
    self.epoch = epoch
  }
}
