import AlarmEngine

extension SQLStore {
  /// Sets a new password. Ends all sessions except `session`, all password-reset links, and all codes that
  /// sign in another device.
  /// - Parameter revokingTokens: whether to revoke the tokens that are not limited to one device.
  public func setPassword(
    hash: String, of account: AccountID, keeping session: SessionID?, revokingTokens: Bool, at now: Instant
  ) async throws(StoreError) {
    try await write {
      try Self.setPassword(
        hash: hash, of: account, keeping: session, revokingTokens: revokingTokens, at: now, $0)
    }
  }

  private static func setPassword(
    hash: String, of account: AccountID, keeping session: SessionID?, revokingTokens: Bool, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    let changed = try database.run(
      "UPDATE account SET password_hash = ?, revision = revision + 1 WHERE id = ? AND NOT is_erased",
      [hash, account.sql])
    guard changed == 1 else { throw StoreError.notFound }
    try database.run(
      "DELETE FROM session WHERE account = ? AND id IS DISTINCT FROM ?", [account.sql, session?.sql])
    for table in ["password_reset", "sign_in_code"] {
      try database.run("DELETE FROM \(table) WHERE account = ?", [account.sql])
    }
    if revokingTokens {
      try database.run("DELETE FROM device_token WHERE account = ? AND device IS NULL", [account.sql])
    }
    try change(.account, account.rawValue, of: account, at: now, database)
  }

  /// Stores a reset link, replacing an earlier one of the same account.
  public func save(_ reset: PasswordReset) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(reset.account, database)
      try database.run("DELETE FROM password_reset WHERE account = ?", [reset.account.sql])
      try database.insert(
        "INSERT INTO password_reset (hash, account, expires_at) VALUES (?, ?, ?)",
        [reset.hash.sql, reset.account.sql, reset.expiresAt.sql])
    }
  }

  /// - Throws: `.notFound` if there is none, if it has expired, or if the account is disabled.
  public func passwordReset(_ hash: TokenHash, at now: Instant) async throws(StoreError) -> PasswordReset {
    try await read { try Self.passwordReset(hash, at: now, $0) }
  }

  private static func passwordReset(
    _ hash: TokenHash, at now: Instant, _ database: any SQLTransaction
  ) throws -> PasswordReset {
    let row = try database.row(
      """
      SELECT account, expires_at FROM password_reset WHERE hash = ? AND expires_at > ?
        AND account IN (SELECT id FROM account WHERE NOT is_disabled AND NOT is_erased)
      """, [hash.sql, now.sql])
    guard let row else { throw StoreError.notFound }
    return PasswordReset(hash: hash, account: row.id(0), expiresAt: row.instant(1))
  }

  /// Sets a new password with a link, which it uses up, and ends all sessions.
  /// - Throws: `.notFound` if there is no such link, if it has expired, or if the account is disabled.
  public func setPassword(
    hash: String, by reset: TokenHash, revokingTokens: Bool, at now: Instant
  ) async throws(StoreError) -> AccountID {
    try await write { database in
      let account = try Self.passwordReset(reset, at: now, database).account
      try Self.setPassword(
        hash: hash, of: account, keeping: nil, revokingTokens: revokingTokens, at: now, database)
      return account
    }
  }

  // MARK: Network addresses

  /// Records the network address of a sign-in. Only the latest 50 of each account are kept.
  public func noteSignIn(
    of account: AccountID, from address: TokenHash, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      try database.insert(
        """
        INSERT INTO sign_in_address (account, hash, last_at) VALUES (?, ?, ?)
        ON CONFLICT (account, hash) DO UPDATE SET last_at = max(sign_in_address.last_at, excluded.last_at)
        """, [account.sql, address.sql, now.sql])
      // The limit keeps the table small for people who travel a lot.
      try database.run(
        """
        DELETE FROM sign_in_address WHERE account = ?1 AND hash NOT IN
          (SELECT hash FROM sign_in_address WHERE account = ?1 ORDER BY last_at DESC, hash LIMIT ?2)
        """, [account.sql, Self.mostSignInAddresses])
    }
  }

  /// The number of network addresses kept for each account, the latest.
  static let mostSignInAddresses = 50

  public func hasSignedIn(_ account: AccountID, from address: TokenHash) async throws(StoreError) -> Bool {
    try await read { database in
      try database.integer(
        "SELECT 1 FROM sign_in_address WHERE account = ? AND hash = ?", [account.sql, address.sql]) != nil
    }
  }
}
