import AlarmEngine

public struct ChangePage: Equatable, Sendable {
  /// The entries in the order of change.
  public let entries: [ChangeEntry]
  /// The cursor of the next page.
  public let next: ChangeCursor
  public let hasMore: Bool
  /// The epoch that `next` belongs to; nil if none has begun. It differs from the previous page's epoch if a
  /// process was started in between.
  public let epoch: FeedEpoch?

  public init(entries: [ChangeEntry], next: ChangeCursor, hasMore: Bool, epoch: FeedEpoch? = nil) {
    self.entries = entries
    self.next = next
    self.hasMore = hasMore
    self.epoch = epoch
  }
}
