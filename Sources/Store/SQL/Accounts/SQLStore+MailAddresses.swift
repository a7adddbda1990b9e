import AlarmEngine

/// Mail addresses, and whether their readers have confirmed them.
extension SQLStore {
  private static let columns = "account, address, is_own, confirmed_at"

  private static func record(_ row: SQLRow) -> MailRecord {
    MailRecord(account: row.id(0), address: row[1], isOwn: row[2], confirmedAt: row.optionalInstant(3))
  }

  /// The addresses, ascending.
  public func mailAddresses(of account: AccountID) async throws(StoreError) -> [MailRecord] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.columns) FROM mail_address WHERE account = ? ORDER BY address", [account.sql]
      ).map { Self.record($0) }
    }
  }

  /// The address with its state; nil if the account does not use it.
  public func mailAddress(_ address: String, of account: AccountID) async throws(StoreError) -> MailRecord? {
    try await read { database in
      try database.row(
        "SELECT \(Self.columns) FROM mail_address WHERE account = ? AND address = ?", [account.sql, address]
      ).map { Self.record($0) }
    }
  }

  /// Stores a link that confirms an address, replacing an earlier one. A confirmed address stays confirmed.
  public func askToConfirm(
    _ address: String, of account: AccountID, by link: TokenHash, until: Instant
  ) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(account, database)
      try database.insert(
        """
        INSERT INTO mail_address (account, address, is_own, hash, expires_at) VALUES (?, ?, FALSE, ?, ?)
        ON CONFLICT (account, address) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at
        """, [account.sql, address, link.sql, until.sql])
    }
  }

  /// - Throws: `.notFound` if there is no such link or it has expired.
  public func confirmation(_ link: TokenHash, at now: Instant) async throws(StoreError) -> MailRecord {
    try await read { try Self.confirmation(link, at: now, $0) }
  }

  private static func confirmation(
    _ link: TokenHash, at now: Instant, _ database: any SQLTransaction
  ) throws -> MailRecord {
    let row = try database.row(
      """
      SELECT \(columns) FROM mail_address WHERE hash = ? AND expires_at > ?
        AND account IN (SELECT id FROM account WHERE NOT is_erased)
      """, [link.sql, now.sql])
    guard let row else { throw StoreError.notFound }
    return record(row)
  }

  /// Confirms the address of a link, which it uses up.
  /// - Throws: `.notFound` if there is no such link or it has expired.
  public func confirm(by link: TokenHash, at now: Instant) async throws(StoreError) -> MailRecord {
    try await write { database in
      let found = try Self.confirmation(link, at: now, database)
      try database.run(
        """
        UPDATE mail_address SET hash = NULL, expires_at = NULL, confirmed_at = coalesce(confirmed_at, ?)
        WHERE account = ? AND address = ?
        """, [now.sql, found.account.sql, found.address])
      let channels = try database.rows(
        "SELECT id FROM channel WHERE account = ? AND kind = 'mail'", [found.account.sql])
      for row in channels {
        let id: ChannelID = row.id(0)
        try Self.change(.channel, id.rawValue, of: found.account, at: now, database)
      }
      try Self.change(.account, found.account.rawValue, of: found.account, at: now, database)
      return MailRecord(
        account: found.account, address: found.address, isOwn: found.isOwn,
        confirmedAt: found.confirmedAt ?? now)
    }
  }

  /// Sets the account's own address; nil removes it.
  public func setOwnMailAddress(
    _ address: String?, of account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(account, database)
      try database.run("UPDATE mail_address SET is_own = FALSE WHERE account = ?", [account.sql])
      if let address {
        try database.insert(
          """
          INSERT INTO mail_address (account, address, is_own) VALUES (?, ?, TRUE)
          ON CONFLICT (account, address) DO UPDATE SET is_own = TRUE
          """, [account.sql, address])
      }
      // A link that was sent to the old address is no longer valid.
      try database.run("DELETE FROM password_reset WHERE account = ?", [account.sql])
      try Self.change(.account, account.rawValue, of: account, at: now, database)
    }
  }
}
