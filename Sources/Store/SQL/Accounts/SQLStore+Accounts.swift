import AlarmEngine

/// Accounts, and the links that create them.
extension SQLStore {
  private static let columns =
    "id, login, name, password_hash, is_administrator, is_disabled, created_at, revision, is_private"

  static func account(_ row: SQLRow) -> Account {
    Account(
      id: row.id(0), login: row[1], name: row[2], passwordHash: row[3], isAdministrator: row[4],
      isDisabled: row[5], isPrivate: row[8], createdAt: row.instant(6), revision: row.revision(7))
  }

  static func insert(_ account: Account, _ database: any SQLTransaction) throws {
    try database.insert(
      "INSERT INTO account (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)",
      [
        account.id.sql, account.login, account.name, account.passwordHash, account.isAdministrator,
        account.isDisabled, account.createdAt.sql, account.isPrivate,
      ])
    try database.run(
      "INSERT INTO zone_set (account, revision, edit, at) SELECT ?, 1, edit, ? FROM zone_clock",
      [account.id.sql, account.createdAt.sql])
    try change(.account, account.id.rawValue, of: account.id, at: account.createdAt, database)
    // Printed links are for the first account only.
    try database.run("DELETE FROM setup_link WHERE is_printed")
  }

  /// Creates an account. Ends the set-up links that the server printed.
  /// - Throws: `.taken` if the login or the id is in use.
  public func create(_ account: Account) async throws(StoreError) {
    try await write { try Self.insert(account, $0) }
  }

  /// Creates an account with a set-up link, which it uses up.
  /// - Throws: `.notFound` if there is no such link or it has expired at `account.createdAt`; `.taken` if the
  ///   login or the id is in use.
  public func create(_ account: Account, by link: TokenHash) async throws(StoreError) {
    try await write { database in
      let used = try database.run(
        "DELETE FROM setup_link WHERE hash = ? AND expires_at > ?", [link.sql, account.createdAt.sql])
      guard used == 1 else { throw StoreError.notFound }
      try Self.insert(account, database)
    }
  }

  /// Stores a set-up link. Links that several processes print are all valid until one of them is used.
  /// - Throws: `.taken` for a printed link if there is an account.
  public func save(_ link: SetupLink) async throws(StoreError) {
    try await write { database in
      if link.isPrinted {
        // Checked in the same transaction: another process may create an account at the same time.
        let accounts = try database.integer("SELECT count(*) FROM account WHERE NOT is_erased") ?? 0
        guard accounts == 0 else { throw StoreError.taken }
        try database.run("DELETE FROM setup_link WHERE is_printed AND expires_at <= ?", [link.createdAt.sql])
      }
      try database.insert(
        """
        INSERT INTO setup_link (hash, is_administrator, is_printed, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?)
        """,
        [link.hash.sql, link.isAdministrator, link.isPrinted, link.createdAt.sql, link.expiresAt.sql])
    }
  }

  /// - Throws: `.notFound` if there is no such link or it has expired.
  public func setupLink(_ hash: TokenHash, at now: Instant) async throws(StoreError) -> SetupLink {
    try await read { database in
      let row = try database.row(
        """
        SELECT is_administrator, is_printed, created_at, expires_at FROM setup_link
        WHERE hash = ? AND expires_at > ?
        """, [hash.sql, now.sql])
      guard let row else { throw StoreError.notFound }
      return SetupLink(
        hash: hash, isAdministrator: row[0], isPrinted: row[1], createdAt: row.instant(2),
        expiresAt: row.instant(3))
    }
  }

  public func account(_ id: AccountID) async throws(StoreError) -> Account {
    try await read { try Self.account(id, $0) }
  }

  static func account(_ id: AccountID, _ database: any SQLTransaction) throws -> Account {
    let row = try database.row(
      "SELECT \(columns) FROM account WHERE id = ? AND NOT is_erased", [id.sql])
    guard let row else { throw StoreError.notFound }
    return account(row)
  }

  /// The account with that login, ignoring the case of ASCII letters.
  public func account(login: String) async throws(StoreError) -> Account {
    try await read { database in
      let row = try database.row(
        "SELECT \(Self.columns) FROM account WHERE lower(login) = ? AND NOT is_erased",
        [login.asciiLowercased])
      guard let row else { throw StoreError.notFound }
      return Self.account(row)
    }
  }

  /// The accounts, ascending by id.
  public func accounts(after id: AccountID?, limit: Int) async throws(StoreError) -> [Account] {
    try await read { database in
      try database.rows(
        """
        SELECT \(Self.columns) FROM account WHERE NOT is_erased AND \(AccountID.after(id, "id"))
        ORDER BY id LIMIT ?
        """, [AccountID.bound(id), limit]
      ).map { Self.account($0) }
    }
  }

  public func accountCount() async throws(StoreError) -> Int {
    try await read { Int(try $0.integer("SELECT count(*) FROM account WHERE NOT is_erased") ?? 0) }
  }

  /// Saves login, name, role, disabling and password hash.
  /// - Throws: `.stale`, `.taken`, `.notFound`.
  @discardableResult
  public func save(
    _ account: Account, over revision: Revision, at now: Instant
  ) async throws(StoreError) -> Account {
    try await write { database in
      let stored = try Self.account(account.id, database)
      guard stored.revision == revision else { throw StoreError.stale(stored: stored.revision) }
      try database.insert(
        """
        UPDATE account SET login = ?, name = ?, password_hash = ?, is_administrator = ?, is_disabled = ?,
          revision = revision + 1 WHERE id = ?
        """,
        [
          account.login, account.name, account.passwordHash, account.isAdministrator, account.isDisabled,
          account.id.sql,
        ])
      if account.isDisabled, !stored.isDisabled {
        try Self.forgetDue(devicesOf: account.id, database)
        try Self.companionsMayEnd(where: "device.account = ?3", account.id.sql, at: now, database)
      }
      if !account.isDisabled, stored.isDisabled {
        try Self.makeDue(devicesOf: account.id, at: now, database)
      }
      try Self.change(.account, account.id.rawValue, of: account.id, at: now, database)
      return try Self.account(account.id, database)
    }
  }

  /// Sets a new password. Ends all sessions except `session`; tokens stay.
  public func setPassword(
    hash: String, of account: AccountID, keeping session: SessionID?, at now: Instant
  ) async throws(StoreError) {
    try await setPassword(hash: hash, of: account, keeping: session, revokingTokens: false, at: now)
  }
}
