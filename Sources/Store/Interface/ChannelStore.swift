import AlarmEngine

/// The channels through which people are notified of alarms.
public protocol ChannelStore: Sendable {
  /// - Throws: `.taken` when the id is.
  func create(_ channel: Channel) async throws(StoreError)
  func channel(_ id: ChannelID, of account: AccountID) async throws(StoreError) -> Channel
  /// Ascending by step, then name, then id.
  func channels(of account: AccountID) async throws(StoreError) -> [Channel]
  /// The active channels of all accounts, ascending by id.
  func activeChannels(of kind: ChannelKind) async throws(StoreError) -> [Channel]
  @discardableResult
  func save(_ channel: Channel, over revision: Revision, at now: Instant) async throws(StoreError) -> Channel
  /// Deletes the channel, with its items in the outbox.
  func deleteChannel(_ id: ChannelID, of account: AccountID, at now: Instant) async throws(StoreError)
}
