import AlarmEngine

/// Messages kept to be used in several zones.
public protocol MessageStore: Sendable {
  func create(_ message: SavedMessage, at now: Instant) async throws(StoreError)
  func message(_ id: MessageID, of account: AccountID) async throws(StoreError) -> SavedMessage
  /// Ascending by id.
  func messages(of account: AccountID) async throws(StoreError) -> [SavedMessage]
  @discardableResult
  func save(
    _ message: SavedMessage, over revision: Revision, at now: Instant
  ) async throws(StoreError) -> SavedMessage
  func deleteMessage(_ id: MessageID, of account: AccountID, at now: Instant) async throws(StoreError)
}
