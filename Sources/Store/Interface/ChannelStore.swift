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
  /// The active channels of all accounts whose daily test is due, the earliest first.
  func channelsToTest(through now: Instant, limit: Int) async throws(StoreError) -> [Channel]
  /// Puts a test into the outbox, and the channel's next test off until `next`.
  /// - Parameter channel: as `channelsToTest` returned it.
  /// - Returns: false, and nothing is done, if another process was quicker or the channel has been edited since.
  func enqueueTest(
    _ test: OutboxItem, of channel: Channel, next: Instant
  ) async throws(StoreError) -> Bool
  /// What came of the last test. The channel's revision stays, so that nobody's edit is refused for it.
  func record(_ test: ChannelTest, of channel: ChannelID) async throws(StoreError)
  @discardableResult
  func save(_ channel: Channel, over revision: Revision, at now: Instant) async throws(StoreError) -> Channel
  /// Deletes the channel, with its items in the outbox.
  func deleteChannel(_ id: ChannelID, of account: AccountID, at now: Instant) async throws(StoreError)
}
