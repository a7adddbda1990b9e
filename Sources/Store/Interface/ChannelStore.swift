import AlarmEngine

/// Where alarms go.
public protocol ChannelStore: Sendable {
  /// - Throws: `.taken` when the id is.
  func create(_ channel: Channel) async throws(StoreError)
  func channel(_ id: ChannelID, of account: AccountID) async throws(StoreError) -> Channel
  /// Ascending by step, then name, then id.
  func channels(of account: AccountID) async throws(StoreError) -> [Channel]
  /// Of all accounts, ascending by id; only those that are active.
  func activeChannels(of kind: ChannelKind) async throws(StoreError) -> [Channel]
  @discardableResult
  func save(_ channel: Channel, over revision: Revision, at now: Instant) async throws(StoreError) -> Channel
  /// With what waits for it in the outbox.
  func deleteChannel(_ id: ChannelID, of account: AccountID, at now: Instant) async throws(StoreError)
}
