import AlarmEngine

/// The change feed, with which phones and pages stay up to date.
extension SQLStore {
  /// Records an edit: adds an entry at the end of the account's feed and notifies other processes.
  static func change(
    _ kind: ChangeEntry.Kind, _ id: UInt64, of account: AccountID, deleted: Bool = false, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    try change(kind, id, ofAll: "?", [account.sql], deleted: deleted, at: now, database)
  }

  /// - Parameter accounts: a query that returns account ids, with its arguments.
  static func change(
    _ kind: ChangeEntry.Kind, _ id: UInt64, ofAll accounts: String, _ arguments: SQLArguments,
    deleted: Bool = false, at now: Instant, _ database: any SQLTransaction
  ) throws {
    try tell(kind, id, ofAll: accounts, arguments, deleted: deleted, at: now, database)
    try noteEdits(ofAll: accounts, arguments, database)
  }

  private static let changeTable = SQLTable(
    "change",
    [
      "account": .integer, "kind": .integer, "id": .integer, "cursor": .integer,
      "is_deleted": .boolean,
      "changed_at": .integer,
    ])

  /// Records one edit of many things of the same kind, with as many statements as for one.
  /// - Parameter things: distinct ids.
  static func change(
    _ kind: ChangeEntry.Kind, _ things: [(id: UInt64, isDeleted: Bool)], of account: AccountID,
    at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    guard !things.isEmpty else { return }
    let changes = things.map {
      (change: NewChange(account: account, kind: kind, id: $0.id), isDeleted: $0.isDeleted)
    }
    try tell(changes, at: now, database)
    try noteEdit(of: account, database)
  }

  /// Adds entries at the end of their accounts' feeds, in this order, with as many statements as for one.
  /// Accounts that are gone are skipped.
  static func tell(_ changes: [NewChange], at now: Instant, _ database: any SQLTransaction) throws {
    // A thing that changed twice appears once, at its last place.
    var told: Set<NewChange> = []
    let last = changes.reversed().filter { told.insert($0).inserted }.reversed()
    try tell(last.map { ($0, isDeleted: false) }, at: now, database)
  }

  /// - Parameter changes: distinct changes.
  private static func tell(
    _ changes: [(change: NewChange, isDeleted: Bool)], at now: Instant, _ database: any SQLTransaction
  ) throws {
    guard !changes.isEmpty else { return }
    let feeds = Dictionary(grouping: changes) { $0.change.account }
    // In the order of accounts, since each update waits for other writers of that account's feed.
    let accounts = feeds.keys.sorted()
    try database.run(beginFeed(ofAll: "?"), each: accounts.map { [$0.sql] })
    // Locks the accounts' rows until the transaction ends, so that cursors become visible in their order.
    let lasts = try database.rows(
      """
      UPDATE account SET feed = feed + ?, feed_epoch = coalesce((SELECT max(number) FROM feed_epoch), 0)
      WHERE id = ? RETURNING feed
      """, each: accounts.map { [feeds[$0, default: []].count, $0.sql] })
    var rows: [[SQLValue]] = []
    var present: [AccountID] = []
    for (account, found) in zip(accounts, lasts) {
      guard let last = found.first.map({ $0[0] as Int64 }) else { continue }
      present.append(account)
      let things = feeds[account, default: []]
      let first = last - Int64(things.count) + 1
      for (place, (thing, isDeleted)) in things.enumerated() {
        rows.append(
          SQLArguments([
            account.sql.sqlValue, thing.kind.rawValue.sqlValue, Int64(bitPattern: thing.id).sqlValue,
            (first + Int64(place)).sqlValue, isDeleted.sqlValue, now.sql.sqlValue,
          ]).values)
      }
    }
    try database.insert(
      changeTable, rows,
      onConflict: .update(
        "account, kind, id",
        set:
          "cursor = excluded.cursor, is_deleted = excluded.is_deleted, changed_at = excluded.changed_at"
      ))
    database.changes.told(present)
  }

  /// Adds an entry at the end of an account's feed, replacing an earlier entry of the same thing. Skipped if
  /// the account is gone.
  static func tell(
    _ kind: ChangeEntry.Kind, _ id: UInt64, of account: AccountID, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    try tell(kind, id, ofAll: "?", [account.sql], deleted: false, at: now, database)
  }

  private static func tell(
    _ kind: ChangeEntry.Kind, _ id: UInt64, ofAll accounts: String, _ arguments: SQLArguments,
    deleted: Bool, at now: Instant, _ database: any SQLTransaction
  ) throws {
    try database.run(beginFeed(ofAll: accounts), arguments)
    // Locks the accounts' rows until the transaction ends, so that cursors become visible in their order.
    let told = try database.rows(
      """
      UPDATE account SET feed = feed + 1, feed_epoch = coalesce((SELECT max(number) FROM feed_epoch), 0)
      WHERE id IN (\(accounts)) RETURNING id
      """, arguments)
    database.changes.told(told.map { $0.id(0) })
    try database.run(
      """
      INSERT INTO change (account, kind, id, cursor, is_deleted, changed_at)
        SELECT account.id, ?, ?, account.feed, ?, ? FROM account WHERE account.id IN (\(accounts))
      ON CONFLICT (account, kind, id) DO UPDATE
        SET cursor = excluded.cursor, is_deleted = excluded.is_deleted, changed_at = excluded.changed_at
      """, [kind.rawValue, Int64(bitPattern: id), deleted, now.sql] + arguments)
  }

  /// A statement that records where the latest epoch begins in an account's feed, at the first change of the
  /// epoch.
  private static func beginFeed(ofAll accounts: String) -> String {
    """
    INSERT INTO feed_begin (account, epoch, first) SELECT account.id, latest.number, account.feed
      FROM account CROSS JOIN (SELECT max(number) AS number FROM feed_epoch) AS latest
      WHERE account.id IN (\(accounts)) AND latest.number > account.feed_epoch
    ON CONFLICT DO NOTHING
    """
  }

  /// - Parameter cursor: the place after which to read; `.start` for the whole feed.
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
      return ChangePage(
        entries: entries, next: entries.last?.cursor ?? cursor, hasMore: hasMore,
        epoch: try Self.latestEpoch(database))
    }
  }

  /// The cursor after the account's last change.
  public func cursor(of account: AccountID) async throws(StoreError) -> ChangeCursor {
    try await read { database in
      ChangeCursor(
        rawValue: try database.integer("SELECT feed FROM account WHERE id = ?", [account.sql]) ?? 0)
    }
  }

  // MARK: Epochs

  /// The number of epochs, that is starts of a server, that are kept. A reader from an older epoch begins
  /// anew.
  private static let mostEpochs = 1000

  /// Begins a new epoch of the feed. A server does so at its start, since it cannot know whether it found its
  /// own data or an older copy of it.
  public func begin(_ epoch: FeedEpoch) async throws(StoreError) {
    try await write { database in
      try database.insert("INSERT INTO feed_epoch (epoch, first) VALUES (?, ?)", [epoch.sql, Int64.max])
      for (table, column) in [("feed_begin", "epoch"), ("feed_epoch", "number")] {
        try database.run(
          "DELETE FROM \(table) WHERE \(column) <= (SELECT max(number) FROM feed_epoch) - ?",
          [Self.mostEpochs])
      }
    }
  }

  /// The epoch that was begun last; begins the first one if there is none.
  public func feedEpoch() async throws(StoreError) -> FeedEpoch {
    if let found = try await read({ try Self.latestEpoch($0) }) { return found }
    let first = FeedEpoch.random()
    try await begin(first)
    return first
  }

  /// True if a reader that has read up to `cursor` can continue there without missing anything.
  ///
  /// It cannot if the feed is shorter than that, was written again from an earlier place, or has forgotten a
  /// deletion after the cursor.
  /// - Parameter epoch: the epoch in which the cursor was read; nil if the reader does not know it.
  public func canResume(
    _ account: AccountID, after cursor: ChangeCursor, of epoch: FeedEpoch?
  ) async throws(StoreError) -> Bool {
    // A reader at the start reads the whole feed.
    if cursor <= .start { return true }
    return try await read { database in
      let last = try database.integer("SELECT feed FROM account WHERE id = ?", [account.sql]) ?? 0
      guard cursor.rawValue <= last else { return false }
      let floor = try database.integer("SELECT cursor FROM feed_floor WHERE account = ?", [account.sql]) ?? 0
      guard cursor.rawValue >= floor else { return false }
      guard let epoch else { return true }
      guard
        let number = try database.integer("SELECT number FROM feed_epoch WHERE epoch = ?", [epoch.sql])
      else { return false }
      // The cursors at which the feed continues in a later epoch: this account's own, and the one common to
      // all accounts.
      let ends = [
        try database.integer(
          "SELECT first FROM feed_begin WHERE account = ? AND epoch > ? ORDER BY epoch LIMIT 1",
          [account.sql, number]),
        try database.integer(
          "SELECT first FROM feed_epoch WHERE number > ? ORDER BY number LIMIT 1", [number]),
      ]
      return ends.compactMap { $0 }.allSatisfy { cursor.rawValue <= $0 }
    }
  }

  private static func latestEpoch(_ database: any SQLTransaction) throws -> FeedEpoch? {
    try database.integer("SELECT epoch FROM feed_epoch ORDER BY number DESC LIMIT 1").map {
      FeedEpoch(sql: $0)
    }
  }
}
