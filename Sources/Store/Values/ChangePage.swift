import AlarmEngine

public struct ChangePage: Equatable, Sendable {
  /// In the order of change.
  public let entries: [ChangeEntry]
  /// Where the next page begins.
  public let next: ChangeCursor
  public let hasMore: Bool

  public init(entries: [ChangeEntry], next: ChangeCursor, hasMore: Bool) {
    self.entries = entries
    self.next = next
    self.hasMore = hasMore
  }
}
