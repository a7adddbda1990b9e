import AlarmEngine

extension SQLStore {
  /// Puts something at the end of an account's feed; an earlier entry of it goes.
  static func change(
    _ kind: ChangeEntry.Kind, _ id: UInt64, of account: AccountID, deleted: Bool = false, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    try database.run(
      "DELETE FROM change WHERE account = ? AND kind = ? AND id = ?",
      [account.sql, kind.rawValue, Int64(bitPattern: id)])
    try database.run(
      "INSERT INTO change (account, kind, id, is_deleted, changed_at) VALUES (?, ?, ?, ?, ?)",
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

  // MARK: Epochs

  /// So many starts of a server are remembered; whoever last read before them begins anew.
  private static let mostEpochs = 1000

  public func begin(_ epoch: FeedEpoch) async throws(StoreError) {
    try await write { database in
      let last = try Self.lastCursor(database)
      try database.insert("INSERT INTO feed_epoch (epoch, first) VALUES (?, ?)", [epoch.sql, last])
      try database.run(
        "DELETE FROM feed_epoch WHERE number <= (SELECT max(number) FROM feed_epoch) - ?", [Self.mostEpochs])
    }
  }

  public func feedEpoch() async throws(StoreError) -> FeedEpoch {
    let found = try await read { database in
      try database.integer("SELECT epoch FROM feed_epoch ORDER BY number DESC LIMIT 1")
    }
    if let found { return FeedEpoch(sql: found) }
    let first = FeedEpoch.random()
    try await begin(first)
    return first
  }

  public func canResume(
    _ account: AccountID, after cursor: ChangeCursor, of epoch: FeedEpoch?
  ) async throws(StoreError) -> Bool {
    // Who begins at the start reads all there is.
    if cursor <= .start { return true }
    return try await read { database in
      guard cursor.rawValue <= (try Self.lastCursor(database)) else { return false }
      let floor = try database.integer("SELECT cursor FROM feed_floor WHERE account = ?", [account.sql]) ?? 0
      guard cursor.rawValue >= floor else { return false }
      guard let epoch else { return true }
      guard
        let number = try database.integer("SELECT number FROM feed_epoch WHERE epoch = ?", [epoch.sql])
      else { return false }
      let end = try database.integer(
        "SELECT first FROM feed_epoch WHERE number > ? ORDER BY number LIMIT 1", [number])
      return end.map { cursor.rawValue <= $0 } ?? true
    }
  }

  /// Of all accounts, those that were deleted included.
  private static func lastCursor(_ database: any SQLTransaction) throws -> Int64 {
    try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'change'") ?? 0
  }
}
