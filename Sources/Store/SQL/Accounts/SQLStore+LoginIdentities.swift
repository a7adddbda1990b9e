import AlarmEngine

/// Sign-in identities at OpenID Connect providers, and single-use challenges.
extension SQLStore {
  private static let columns = "id, account, issuer, subject, name, bound_at, last_used_at"

  private static func identity(_ row: SQLRow) -> LoginIdentity {
    LoginIdentity(
      id: row.id(0), account: row.id(1), issuer: row[2], subject: row[3], name: row[4],
      boundAt: row.instant(5), lastUsedAt: row.optionalInstant(6))
  }

  private static func insert(_ identity: LoginIdentity, _ database: any SQLTransaction) throws {
    try database.insert(
      "INSERT INTO login_identity (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        identity.id.sql, identity.account.sql, identity.issuer, identity.subject, identity.name,
        identity.boundAt.sql, identity.lastUsedAt?.sql,
      ])
  }

  /// Lets a person at a provider sign in to the account.
  /// - Throws: `.taken` if the person signs in to an account already, this one included; `.tooMany`;
  ///   `.notFound` if there is no such account.
  public func bind(_ identity: LoginIdentity) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(identity.account, database)
      let count = try database.integer(
        "SELECT count(*) FROM login_identity WHERE account = ?", [identity.account.sql])
      guard count ?? 0 < LoginIdentity.most else { throw StoreError.tooMany(allowed: LoginIdentity.most) }
      try Self.insert(identity, database)
    }
  }

  /// Creates an account for a person at a provider.
  /// - Throws: `.taken` if the login is in use, or the person signs in to an account already.
  public func create(_ account: Account, with identity: LoginIdentity) async throws(StoreError) {
    try await write { database in
      try Self.insert(account, database)
      try Self.insert(identity, database)
    }
  }

  /// - Throws: `.notFound`.
  public func loginIdentity(issuer: String, subject: String) async throws(StoreError) -> LoginIdentity {
    try await read { database in
      let row = try database.row(
        "SELECT \(Self.columns) FROM login_identity WHERE issuer = ? AND subject = ?", [issuer, subject])
      guard let row else { throw StoreError.notFound }
      return Self.identity(row)
    }
  }

  /// The identities, in the order in which they were bound.
  public func loginIdentities(of account: AccountID) async throws(StoreError) -> [LoginIdentity] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.columns) FROM login_identity WHERE account = ? ORDER BY bound_at, id", [account.sql]
      ).map { Self.identity($0) }
    }
  }

  /// Records a sign-in with this identity.
  public func touch(_ identity: LoginIdentityID, at now: Instant) async throws(StoreError) {
    try await write { database in
      let changed = try database.run(
        "UPDATE login_identity SET last_used_at = ? WHERE id = ?", [now.sql, identity.sql])
      guard changed == 1 else { throw StoreError.notFound }
    }
  }

  /// Removes an identity, which can then no longer sign in to the account.
  public func unbind(_ identity: LoginIdentityID, of account: AccountID) async throws(StoreError) {
    try await write { database in
      let removed = try database.run(
        "DELETE FROM login_identity WHERE id = ? AND account = ?", [identity.sql, account.sql])
      guard removed == 1 else { throw StoreError.notFound }
    }
  }

  /// Uses up a challenge, for all processes of the database.
  /// - Parameter end: until when it is remembered. The challenge must not be accepted after that.
  /// - Throws: `.taken` if it is used up already.
  public func useUp(
    _ challenge: TokenHash, until end: Instant, at now: Instant
  ) async throws(StoreError) {
    try await write(.note) { database in
      try database.run("DELETE FROM used_challenge WHERE expires_at < ?", [now.sql])
      try database.insert(
        "INSERT INTO used_challenge (hash, expires_at) VALUES (?, ?)", [challenge.sql, end.sql])
    }
  }
}
