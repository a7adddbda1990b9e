import AlarmEngine

/// Codes that sign another device in.
extension SQLStore {
  /// Stores a code, and deletes the account's expired codes and the oldest ones beyond `SignInCode.most`.
  /// - Throws: `.notFound` if the session has ended or belongs to another account.
  public func create(_ code: SignInCode) async throws(StoreError) {
    try await write { database in
      let session = try database.integer(
        "SELECT 1 FROM session WHERE id = ? AND account = ? AND expires_at > ?",
        [code.session.sql, code.account.sql, code.createdAt.sql])
      guard session != nil else { throw StoreError.notFound }
      try database.run(
        """
        DELETE FROM sign_in_code WHERE account = ?1 AND (expires_at <= ?2 OR hash NOT IN
          (SELECT hash FROM sign_in_code WHERE account = ?1 ORDER BY created_at DESC, hash LIMIT ?3))
        """, [code.account.sql, code.createdAt.sql, SignInCode.most - 1])
      try database.insert(
        "INSERT INTO sign_in_code (hash, account, session, created_at, expires_at) VALUES (?, ?, ?, ?, ?)",
        [
          code.hash.sql, code.account.sql, code.session.sql, code.createdAt.sql, code.expiresAt.sql,
        ])
    }
  }

  /// Uses a code up. Of several processes that do so at once, one succeeds.
  /// - Returns: the account that the code opens.
  /// - Throws: `.notFound` if there is no such code, if it has expired, if the session that made it has ended,
  ///   or if the account is disabled.
  public func redeem(_ code: TokenHash, at now: Instant) async throws(StoreError) -> Account {
    try await write { database in
      let row = try database.row(
        """
        SELECT account FROM sign_in_code WHERE hash = ?1 AND expires_at > ?2
          AND session IN (SELECT id FROM session WHERE expires_at > ?2)
        """, [code.sql, now.sql])
      guard let row else { throw StoreError.notFound }
      let account = try Self.account(row.id(0), database)
      guard !account.isDisabled,
        try database.run("DELETE FROM sign_in_code WHERE hash = ?", [code.sql]) == 1
      else { throw StoreError.notFound }
      return account
    }
  }
}
