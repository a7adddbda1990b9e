import AlarmEngine

/// A signed-in browser session.
public struct Session: Hashable, Sendable {
  public let id: SessionID
  public let account: AccountID
  /// The hash of the session cookie's value.
  public let hash: TokenHash
  /// The browser's user agent, for the list of sessions.
  public let userAgent: String
  public let createdAt: Instant
  public internal(set) var lastSeenAt: Instant
  public internal(set) var expiresAt: Instant

  public init(
    id: SessionID = .random(), account: AccountID, hash: TokenHash, userAgent: String, createdAt: Instant,
    expiresAt: Instant
  ) {
    self.id = id
    self.account = account
    self.hash = hash
    self.userAgent = userAgent
    self.createdAt = createdAt
    lastSeenAt = createdAt
    self.expiresAt = expiresAt
  }
}
