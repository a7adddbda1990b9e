import AlarmEngine

/// Browsers that are signed in.
public protocol SessionStore: Sendable {
  func create(_ session: Session) async throws(StoreError)
  /// The session and its account.
  /// - Throws: `.notFound` also when it has expired or the account is disabled.
  func session(
    _ hash: TokenHash, at now: Instant
  ) async throws(StoreError) -> (session: Session, account: Account)
  /// Stores that the session is in use.
  func touch(_ session: SessionID, at now: Instant, expiresAt: Instant) async throws(StoreError)
  /// The latest first.
  func sessions(of account: AccountID, at now: Instant) async throws(StoreError) -> [Session]
  func end(_ session: SessionID, of account: AccountID) async throws(StoreError)
}
