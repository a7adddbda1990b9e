import AlarmEngine

/// Signed-in browser sessions.
extension SQLStore {
  private static func session(_ row: SQLRow) -> Session {
    var session = Session(
      id: row.id(0), account: row.id(1), hash: TokenHash(row.bytes(2)), userAgent: row[3],
      createdAt: row.instant(4), expiresAt: row.instant(6))
    session.lastSeenAt = row.instant(5)
    return session
  }
  private static let columns = "id, account, hash, user_agent, created_at, last_seen_at, expires_at"

  public func create(_ session: Session) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(session.account, database)
      try database.insert(
        "INSERT INTO session (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          session.id.sql, session.account.sql, session.hash.sql, session.userAgent, session.createdAt.sql,
          session.lastSeenAt.sql, session.expiresAt.sql,
        ])
    }
  }

  /// The session and its account.
  /// - Throws: `.notFound` if there is none, if it has expired, or if the account is disabled.
  public func session(
    _ hash: TokenHash, at now: Instant
  ) async throws(StoreError) -> (session: Session, account: Account) {
    try await read { database in
      let row = try database.row(
        "SELECT \(Self.columns) FROM session WHERE hash = ? AND expires_at > ?", [hash.sql, now.sql])
      guard let session = row.map({ Self.session($0) }) else { throw StoreError.notFound }
      let account = try Self.account(session.account, database)
      guard !account.isDisabled else { throw StoreError.notFound }
      return (session, account)
    }
  }

  /// Records that the session is in use.
  public func touch(_ session: SessionID, at now: Instant, expiresAt: Instant) async throws(StoreError) {
    try await write { database in
      let changed = try database.run(
        "UPDATE session SET last_seen_at = ?, expires_at = ? WHERE id = ?",
        [now.sql, expiresAt.sql, session.sql])
      guard changed == 1 else { throw StoreError.notFound }
    }
  }

  /// The sessions, latest use first.
  public func sessions(of account: AccountID, at now: Instant) async throws(StoreError) -> [Session] {
    try await read { database in
      try database.rows(
        """
        SELECT \(Self.columns) FROM session WHERE account = ? AND expires_at > ?
        ORDER BY last_seen_at DESC, id
        """, [account.sql, now.sql]
      ).map { Self.session($0) }
    }
  }

  public func end(_ session: SessionID, of account: AccountID) async throws(StoreError) {
    try await write { database in
      let ended = try database.run(
        "DELETE FROM session WHERE id = ? AND account = ?", [session.sql, account.sql])
      guard ended == 1 else { throw StoreError.notFound }
    }
  }
}
