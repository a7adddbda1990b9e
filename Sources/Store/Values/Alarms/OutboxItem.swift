import AlarmEngine

/// Something to be brought to a channel.
public struct OutboxItem: Hashable, Sendable {
  public let account: AccountID
  public let channel: ChannelID
  /// Nil: about no alarm, as a notice or a test.
  public let alarm: AlarmID?
  /// A new one replaces what waits for the same channel under the same key; nil: replaces nothing.
  public let collapseKey: String?
  /// What it is and says; the server's form.
  public let payload: [UInt8]
  public let createdAt: Instant
  public let dueAt: Instant
  /// Not worth delivering from then on.
  public let expiresAt: Instant

  public init(
    account: AccountID, channel: ChannelID, alarm: AlarmID?, collapseKey: String?, payload: [UInt8],
    createdAt: Instant, dueAt: Instant, expiresAt: Instant
  ) {
    self.account = account
    self.channel = channel
    self.alarm = alarm
    self.collapseKey = collapseKey
    self.payload = payload
    self.createdAt = createdAt
    self.dueAt = dueAt
    self.expiresAt = expiresAt
  }
}
