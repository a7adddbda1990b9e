import AlarmEngine

/// The feed of changes, for phones and pages that stay up to date.
public protocol ChangeStore: Sendable {
  /// - Parameter cursor: `.start` for all.
  func changes(
    of account: AccountID, after cursor: ChangeCursor, limit: Int
  ) async throws(StoreError) -> ChangePage
  /// After the last change of the account.
  func cursor(of account: AccountID) async throws(StoreError) -> ChangeCursor

  /// Begins a new epoch of the feed. A server does so at its start, since it cannot know whether it found its
  /// own data or an older copy of it.
  func begin(_ epoch: FeedEpoch) async throws(StoreError)
  /// The epoch that was begun last.
  func feedEpoch() async throws(StoreError) -> FeedEpoch
  /// Whether a reader that has read up to `cursor` can continue there without missing anything.
  ///
  /// It cannot if the feed is shorter than that, was written again from an earlier place, or has forgotten a
  /// deletion after the cursor.
  /// - Parameter epoch: the epoch in which the cursor was read; nil if the reader does not know it.
  func canResume(
    _ account: AccountID, after cursor: ChangeCursor, of epoch: FeedEpoch?
  ) async throws(StoreError) -> Bool
}
