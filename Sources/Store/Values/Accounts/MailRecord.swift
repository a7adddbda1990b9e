import AlarmEngine

/// A mail address of an account: its own, or one that a channel leads to.
public struct MailRecord: Hashable, Sendable {
  public let account: AccountID
  public let address: String
  /// The account's own: links for a new password go there.
  public let isOwn: Bool
  /// When somebody who reads its mail agreed to be written to; nil: nobody has yet.
  public let confirmedAt: Instant?

  public init(account: AccountID, address: String, isOwn: Bool, confirmedAt: Instant?) {
    self.account = account
    self.address = address
    self.isOwn = isOwn
    self.confirmedAt = confirmedAt
  }
}
