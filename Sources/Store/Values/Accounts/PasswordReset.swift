import AlarmEngine

/// A link with which a person sets a new password once.
public struct PasswordReset: Hashable, Sendable {
  public let hash: TokenHash
  public let account: AccountID
  public let expiresAt: Instant

  public init(hash: TokenHash, account: AccountID, expiresAt: Instant) {
    self.hash = hash
    self.account = account
    self.expiresAt = expiresAt
  }
}
