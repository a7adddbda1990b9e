import AlarmEngine

/// What changed, for phones and pages that keep up.
public protocol ChangeStore: Sendable {
  /// - Parameter cursor: `.start` for all.
  func changes(
    of account: AccountID, after cursor: ChangeCursor, limit: Int
  ) async throws(StoreError) -> ChangePage
  /// After the last change of the account.
  func cursor(of account: AccountID) async throws(StoreError) -> ChangeCursor
}
