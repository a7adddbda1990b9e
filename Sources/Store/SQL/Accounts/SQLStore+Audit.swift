import AlarmEngine

/// The audit log: the operations in an account that affect access to its data or signing in.
extension SQLStore {
  private static let columns = "id, account, at, action, subject, is_refused, actor, actor_name, address"

  /// - Throws: `.notFound` if the account does not exist.
  public func note(_ entry: AuditEntry) async throws(StoreError) {
    let (kind, name): (Int64, String) =
      switch entry.actor {
      case .session(let agent): (0, agent)
      case .token(let token): (1, token)
      case .commandLine: (2, "")
      case .stranger(let agent): (3, agent)
      case .person(let login): (4, login)
      }
    try await write { database in
      _ = try Self.account(entry.account, database)
      try database.insert(
        "INSERT INTO audit_entry (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          entry.id.sql, entry.account.sql, entry.at.sql, entry.action, entry.subject, entry.isRefused, kind,
          String(name.prefix(AuditEntry.longestText)), entry.address,
        ])
    }
  }

  /// Returns entries, the latest first.
  /// - Parameter before: only entries before this one are returned; nil for all.
  public func auditLog(
    of account: AccountID, before: AuditEntryID?, limit: Int
  ) async throws(StoreError) -> [AuditEntry] {
    try await read { database in
      try database.rows(
        """
        SELECT \(Self.columns) FROM audit_entry WHERE account = ? AND id < ? ORDER BY id DESC LIMIT ?
        """, [account.sql, before?.sql ?? Int64.max, max(0, limit)]
      ).map { row in
        let name: String = row[7]
        let kind: Int64 = row[6]
        let actor: AuditEntry.Actor =
          switch kind {
          case 0: .session(userAgent: name)
          case 1: .token(name: name)
          case 2: .commandLine
          case 4: .person(login: name)
          default: .stranger(userAgent: name)
          }
        return AuditEntry(
          id: row.id(0), account: row.id(1), at: row.instant(2), action: row[3], subject: row[4],
          isRefused: row[5], actor: actor, address: row[8])
      }
    }
  }

  /// Deletes entries from before `time`, and each account's oldest entries beyond `most`.
  static func pruneAuditLog(
    before time: Instant, keeping most: Int, limit: Int, _ database: any SQLTransaction
  ) throws -> Int {
    var removed = try database.run(
      "DELETE FROM audit_entry WHERE id IN (SELECT id FROM audit_entry WHERE at < ? LIMIT ?)",
      [time.sql, limit])
    let full = try database.rows(
      "SELECT account FROM audit_entry GROUP BY account HAVING count(*) > ?", [most])
    for row in full where removed < limit {
      let account: AccountID = row.id(0)
      removed += try database.run(
        """
        DELETE FROM audit_entry WHERE id IN (SELECT id FROM audit_entry WHERE account = ?1 AND id <=
          (SELECT id FROM audit_entry WHERE account = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2) LIMIT ?3)
        """, [account.sql, most, limit - removed])
    }
    return removed
  }
}
