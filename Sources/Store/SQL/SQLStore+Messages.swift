import AlarmEngine

/// Messages kept to be used in several zones.
extension SQLStore {
  private static let columns =
    "id, account, your_moniker, to_moniker, contact_number, supplement, revision"

  private static func message(_ row: SQLRow) -> SavedMessage {
    SavedMessage(
      id: row.id(0), account: row.id(1),
      message: Message(
        yourMoniker: row.text(2), toMoniker: row.text(3), contactNumber: row.text(4),
        supplement: row.text(5)), revision: row.revision(6))
  }

  public func create(_ message: SavedMessage, at now: Instant) async throws(StoreError) {
    try await write { database in
      _ = try Self.account(message.account, database)
      let content = message.message
      try database.insert(
        "INSERT INTO message (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, 1)",
        [
          message.id.sql, message.account.sql, content.yourMoniker.sql, content.toMoniker.sql,
          content.contactNumber.sql, content.supplement.sql,
        ])
      try Self.change(.message, message.id.rawValue, of: message.account, at: now, database)
    }
  }

  public func message(_ id: MessageID, of account: AccountID) async throws(StoreError) -> SavedMessage {
    try await read { try Self.message(id, account, $0) }
  }

  private static func message(
    _ id: MessageID, _ account: AccountID, _ database: any SQLTransaction
  ) throws -> SavedMessage {
    let row = try database.row(
      "SELECT \(columns) FROM message WHERE id = ? AND account = ?", [id.sql, account.sql])
    guard let row else { throw StoreError.notFound }
    return message(row)
  }

  /// The messages, ascending by id.
  public func messages(of account: AccountID) async throws(StoreError) -> [SavedMessage] {
    try await read { database in
      try database.rows("SELECT \(Self.columns) FROM message WHERE account = ? ORDER BY id", [account.sql])
        .map { Self.message($0) }
    }
  }

  @discardableResult
  public func save(
    _ message: SavedMessage, over revision: Revision, at now: Instant
  ) async throws(StoreError) -> SavedMessage {
    try await write { database in
      let stored = try Self.message(message.id, message.account, database)
      guard stored.revision == revision else { throw StoreError.stale(stored: stored.revision) }
      let content = message.message
      try database.run(
        """
        UPDATE message SET your_moniker = ?, to_moniker = ?, contact_number = ?, supplement = ?,
          revision = revision + 1 WHERE id = ?
        """,
        [
          content.yourMoniker.sql, content.toMoniker.sql, content.contactNumber.sql, content.supplement.sql,
          message.id.sql,
        ])
      try Self.change(.message, message.id.rawValue, of: message.account, at: now, database)
      return try Self.message(message.id, message.account, database)
    }
  }

  public func deleteMessage(
    _ id: MessageID, of account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let deleted = try database.run(
        "DELETE FROM message WHERE id = ? AND account = ?", [id.sql, account.sql])
      guard deleted == 1 else { throw StoreError.notFound }
      try Self.change(.message, id.rawValue, of: account, deleted: true, at: now, database)
    }
  }
}
