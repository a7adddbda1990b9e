import AlarmEngine
import Foundation

/// Passkeys: public keys for signing in.
extension SQLStore {
  private static let columns =
    "id, account, credential, public_key, relying_party, sign_count, name, created_at, last_used_at"

  private static func passkey(_ row: SQLRow) -> Passkey {
    let count: Int64 = row[5]
    return Passkey(
      id: row.id(0), account: row.id(1), credential: row.bytes(2), publicKey: row.bytes(3),
      relyingParty: row[4], signCount: UInt32(clamping: count), name: row[6], createdAt: row.instant(7),
      lastUsedAt: row.optionalInstant(8))
  }

  /// - Throws: `.taken` if any account has this credential; `.tooMany`; `.notFound` if there is no such
  ///   account.
  public func add(_ passkey: Passkey) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(passkey.account, database)
      let count = try database.integer(
        "SELECT count(*) FROM passkey WHERE account = ?", [passkey.account.sql])
      guard count ?? 0 < Passkey.most else { throw StoreError.tooMany(allowed: Passkey.most) }
      try database.insert(
        "INSERT INTO passkey (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          passkey.id.sql, passkey.account.sql, Data(passkey.credential), Data(passkey.publicKey),
          passkey.relyingParty, Int64(passkey.signCount), passkey.name, passkey.createdAt.sql,
          passkey.lastUsedAt?.sql,
        ])
    }
  }

  /// The passkey with the credential id that the authenticator chose.
  /// - Throws: `.notFound`.
  public func passkey(credential: [UInt8]) async throws(StoreError) -> Passkey {
    try await read { database in
      let row = try database.row(
        "SELECT \(Self.columns) FROM passkey WHERE credential = ?", [Data(credential)])
      guard let row else { throw StoreError.notFound }
      return Self.passkey(row)
    }
  }

  /// The passkeys, in the order of creation.
  public func passkeys(of account: AccountID) async throws(StoreError) -> [Passkey] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.columns) FROM passkey WHERE account = ? ORDER BY created_at, id", [account.sql]
      ).map { Self.passkey($0) }
    }
  }

  /// - Throws: `.notFound`.
  public func rename(
    _ passkey: PasskeyID, to name: String, of account: AccountID
  ) async throws(StoreError) {
    try await write { database in
      let changed = try database.run(
        "UPDATE passkey SET name = ? WHERE id = ? AND account = ?", [name, passkey.sql, account.sql])
      guard changed == 1 else { throw StoreError.notFound }
    }
  }

  /// Records a sign-in with a passkey.
  /// - Parameter count: the authenticator's signature counter.
  /// - Throws: `.taken` unless the count is greater than the stored one, or both are 0; `.notFound`.
  public func use(_ passkey: PasskeyID, count: UInt32, at now: Instant) async throws(StoreError) {
    try await write { database in
      let used = try database.run(
        """
        UPDATE passkey SET sign_count = ?1, last_used_at = ?2
        WHERE id = ?3 AND (sign_count < ?1 OR sign_count = 0 AND ?1 = 0)
        """, [Int64(count), now.sql, passkey.sql])
      guard used == 0 else { return }
      let isThere = try database.integer("SELECT 1 FROM passkey WHERE id = ?", [passkey.sql])
      throw isThere == nil ? StoreError.notFound : StoreError.taken
    }
  }

  /// - Throws: `.notFound`.
  public func remove(_ passkey: PasskeyID, of account: AccountID) async throws(StoreError) {
    try await write { database in
      let removed = try database.run(
        "DELETE FROM passkey WHERE id = ? AND account = ?", [passkey.sql, account.sql])
      guard removed == 1 else { throw StoreError.notFound }
    }
  }

  /// Removes all passkeys of an account.
  /// - Throws: `.notFound` if there are none.
  public func removePasskeys(of account: AccountID) async throws(StoreError) {
    try await write { database in
      let removed = try database.run("DELETE FROM passkey WHERE account = ?", [account.sql])
      guard removed > 0 else { throw StoreError.notFound }
    }
  }
}
