import AlarmEngine

/// A session of somebody who has signed in, by a browser or by a phone app.
public struct Session: Hashable, Sendable {
  public let id: SessionID
  public let account: AccountID
  /// The hash of its secret: the value of the browser's cookie, or the token of the app.
  public let hash: TokenHash
  /// The user agent of the browser or app, for the list of sessions.
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
