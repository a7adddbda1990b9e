import AlarmEngine

/// A code with which another device signs in once to the account of the session that made it.
public struct SignInCode: Hashable, Sendable {
  /// The number of codes of an account that are valid at a time; one more ends the oldest.
  public static let most = 3

  public let hash: TokenHash
  public let account: AccountID
  /// The session that made the code. The code ends with it.
  public let session: SessionID
  public let createdAt: Instant
  public let expiresAt: Instant

  public init(
    hash: TokenHash, account: AccountID, session: SessionID, createdAt: Instant, expiresAt: Instant
  ) {
    self.hash = hash
    self.account = account
    self.session = session
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}
