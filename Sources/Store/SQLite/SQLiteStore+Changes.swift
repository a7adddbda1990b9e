import AlarmEngine
import GRDB

extension SQLiteStore {
  /// Puts something at the end of an account's feed; an earlier entry of it goes.
  static func change(
    _ kind: ChangeEntry.Kind, _ id: UInt64, of account: AccountID, deleted: Bool = false, at now: Instant,
    _ database: Database
  ) throws {
    try database.run(
      "INSERT OR REPLACE INTO change (account, kind, id, is_deleted, changed_at) VALUES (?, ?, ?, ?, ?)",
      [account.sql, kind.rawValue, Int64(bitPattern: id), deleted, now.sql])
  }

  public func changes(
    of account: AccountID, after cursor: ChangeCursor, limit: Int
  ) async throws(StoreError) -> ChangePage {
    let limit = max(1, limit)
    return try await read { database in
      var entries = try database.rows(
        """
        SELECT cursor, kind, id, is_deleted, changed_at FROM change WHERE account = ? AND cursor > ?
        ORDER BY cursor LIMIT ?
        """, [account.sql, cursor.rawValue, limit + 1]
      ).map { row in
        guard let kind = ChangeEntry.Kind(rawValue: row[1]) else {
          throw StoreError.corrupted(detail: "a change has kind \(row[1] as Int)")
        }
        return ChangeEntry(
          cursor: ChangeCursor(rawValue: row[0]), kind: kind, id: UInt64(bitPattern: row[2] as Int64),
          isDeleted: row[3], changedAt: row.instant(4))
      }
      let hasMore = entries.count > limit
      if hasMore { entries.removeLast() }
      return ChangePage(entries: entries, next: entries.last?.cursor ?? cursor, hasMore: hasMore)
    }
  }

  public func cursor(of account: AccountID) async throws(StoreError) -> ChangeCursor {
    try await read { database in
      ChangeCursor(
        rawValue: try database.integer("SELECT max(cursor) FROM change WHERE account = ?", [account.sql])
          ?? 0)
    }
  }
}
