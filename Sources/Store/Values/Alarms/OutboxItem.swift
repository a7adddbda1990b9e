import AlarmEngine

/// Something to be delivered to a channel.
public struct OutboxItem: Hashable, Sendable {
  public let account: AccountID
  public let channel: ChannelID
  /// Nil if the item is not about an alarm, for example a notice or a test.
  public let alarm: AlarmID?
  /// A new item replaces a waiting one of the same channel and key; nil replaces none.
  public let collapseKey: String?
  /// The contents, in a form that the server defines.
  public let payload: [UInt8]
  public let createdAt: Instant
  public let dueAt: Instant
  /// The item is not delivered after this time.
  public let expiresAt: Instant
  /// True if the item is left out unless a message about its alarm was sent to the channel, or waits for it.
  public let isOnlyIfTold: Bool

  public init(
    account: AccountID, channel: ChannelID, alarm: AlarmID?, collapseKey: String?, payload: [UInt8],
    createdAt: Instant, dueAt: Instant, expiresAt: Instant, isOnlyIfTold: Bool = false
  ) {
    self.account = account
    self.channel = channel
    self.alarm = alarm
    self.collapseKey = collapseKey
    self.payload = payload
    self.createdAt = createdAt
    self.dueAt = dueAt
    self.expiresAt = expiresAt
    self.isOnlyIfTold = isOnlyIfTold
  }
}
