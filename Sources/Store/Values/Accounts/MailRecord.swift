import AlarmEngine

/// A mail address of an account: its own, or the address of a mail channel.
public struct MailRecord: Hashable, Sendable {
  public let account: AccountID
  public let address: String
  /// True if this is the account's own address, to which password-reset links are sent.
  public let isOwn: Bool
  /// When a reader of the mailbox agreed to receive mail; nil if nobody has.
  public let confirmedAt: Instant?

  public init(account: AccountID, address: String, isOwn: Bool, confirmedAt: Instant?) {
    self.account = account
    self.address = address
    self.isOwn = isOwn
    self.confirmedAt = confirmedAt
  }
}
