import AlarmEngine

/// What changed, for phones and pages that keep up.
public protocol ChangeStore: Sendable {
  /// - Parameter cursor: `.start` for all.
  func changes(
    of account: AccountID, after cursor: ChangeCursor, limit: Int
  ) async throws(StoreError) -> ChangePage
  /// After the last change of the account.
  func cursor(of account: AccountID) async throws(StoreError) -> ChangeCursor

  /// Begins a new stretch of the feed: a server does at its start, since it cannot know whether it found its own data or an
  /// older copy of it.
  func begin(_ epoch: FeedEpoch) async throws(StoreError)
  /// The one that was begun last.
  func feedEpoch() async throws(StoreError) -> FeedEpoch
  /// Whether somebody who has read up to `cursor` can go on from there and misses nothing.
  ///
  /// Not where the feed is shorter than that, where it was written anew from an earlier place, or where it has forgotten
  /// a deletion that comes after the cursor.
  /// - Parameter epoch: in which the cursor was read; nil where the reader does not know.
  func canResume(
    _ account: AccountID, after cursor: ChangeCursor, of epoch: FeedEpoch?
  ) async throws(StoreError) -> Bool
}
