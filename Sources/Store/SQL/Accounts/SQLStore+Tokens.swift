import AlarmEngine

extension SQLStore {
  private static let columns = "id, account, device, hash, name, created_at, expires_at, last_used_at, scope"

  private static func token(_ row: SQLRow) -> DeviceToken {
    var token = DeviceToken(
      id: row.id(0), account: row.id(1), device: row.optionalID(2), hash: TokenHash(row.bytes(3)),
      name: row[4], scope: TokenScope(rawValue: row[8]) ?? .report, createdAt: row.instant(5),
      expiresAt: row.optionalInstant(6))
    token.lastUsedAt = row.optionalInstant(7)
    return token
  }

  public func create(_ token: DeviceToken) async throws(StoreError) {
    try await write { try Self.insert(token, $0) }
  }

  static func insert(_ token: DeviceToken, _ database: any SQLTransaction) throws {
    _ = try account(token.account, database)
    if let device = token.device { _ = try Self.device(device, of: token.account, database) }
    try database.insert(
      "INSERT INTO device_token (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, NULL, ?)",
      [
        token.id.sql, token.account.sql, token.device?.sql, token.hash.sql, token.name,
        token.createdAt.sql, token.expiresAt?.sql, token.scope.rawValue,
      ])
  }

  /// - Throws: `.notFound` if there is none, if it has expired, or if its account is disabled.
  public func token(_ hash: TokenHash, at now: Instant) async throws(StoreError) -> DeviceToken {
    try await read { database in
      let row = try database.row(
        """
        SELECT \(Self.columns) FROM device_token WHERE hash = ? AND (expires_at IS NULL OR expires_at > ?)
          AND account IN (SELECT id FROM account WHERE NOT is_disabled AND NOT is_erased)
        """, [hash.sql, now.sql])
      guard let row else { throw StoreError.notFound }
      return Self.token(row)
    }
  }

  public func touch(_ token: DeviceTokenID, at now: Instant) async throws(StoreError) {
    try await write { database in
      let changed = try database.run(
        "UPDATE device_token SET last_used_at = ? WHERE id = ?", [now.sql, token.sql])
      guard changed == 1 else { throw StoreError.notFound }
    }
  }

  /// The tokens, ascending by time of creation.
  public func tokens(of account: AccountID) async throws(StoreError) -> [DeviceToken] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.columns) FROM device_token WHERE account = ? ORDER BY created_at, id", [account.sql]
      ).map { Self.token($0) }
    }
  }

  public func revoke(_ token: DeviceTokenID, of account: AccountID) async throws(StoreError) {
    try await write { database in
      let revoked = try database.run(
        "DELETE FROM device_token WHERE id = ? AND account = ?", [token.sql, account.sql])
      guard revoked == 1 else { throw StoreError.notFound }
      try Self.noteEdit(of: account, database)
    }
  }
}
