import AlarmEngine

/// What other processes have written.
///
/// The database counts the transactions of others. What they were about stands in `edit_note`, for all edits by people; batches
/// of the ingest leave no note, since the versions of engines tell of them.
extension SQLStore {
  /// So many notes are kept. Whoever has not read for that long takes everything for different.
  private static let notesKept = 10_000

  /// Something of an account is different that servers keep in memory.
  static func noteEdit(of account: AccountID, _ database: any SQLTransaction) throws {
    try noteEdits(ofAll: "?", [account.sql], database)
  }

  /// - Parameter accounts: a query of their ids, with its arguments.
  static func noteEdits(
    ofAll accounts: String, _ arguments: SQLArguments, _ database: any SQLTransaction
  ) throws {
    try database.run(
      "INSERT INTO edit_note (account) SELECT account.id FROM account WHERE account.id IN (\(accounts))",
      arguments)
    try forgetNotes(database)
  }

  /// Something is different that belongs to no account.
  static func noteEditOfServer(_ database: any SQLTransaction) throws {
    try database.run("INSERT INTO edit_note (account) VALUES (NULL)")
    try forgetNotes(database)
  }

  private static func forgetNotes(_ database: any SQLTransaction) throws {
    try database.run(
      "DELETE FROM edit_note WHERE number <= (SELECT max(number) FROM edit_note) - ?", [notesKept])
  }

  public func changesByOthers(
    since mark: ChangesByOthers.Mark?
  ) async throws(StoreError) -> ChangesByOthers {
    let writes = try await database.writesByOthers()
    guard mark?.writes != writes else {
      return ChangesByOthers(
        next: mark ?? .init(writes: writes, edits: 0), edited: .accounts([]), told: .accounts([]))
    }
    return try await read { database in
      let edits = try database.integer("SELECT max(number) FROM edit_note") ?? 0
      let next = ChangesByOthers.Mark(writes: writes, edits: edits)
      guard let mark else { return ChangesByOthers(next: next, edited: .accounts([]), told: .accounts([])) }
      return ChangesByOthers(next: next, edited: try Self.edited(since: mark.edits, database), told: .all)
    }
  }

  private static func edited(since last: Int64, _ database: any SQLTransaction) throws
    -> ChangesByOthers.Scope
  {
    let first = try database.integer("SELECT min(number) FROM edit_note") ?? 0
    guard first <= last + 1 else { return .all }
    var accounts: Set<AccountID> = []
    for row in try database.rows("SELECT DISTINCT account FROM edit_note WHERE number > ?", [last]) {
      guard let account = row.optionalID(0, AccountID.self) else { return .all }
      accounts.insert(account)
    }
    return .accounts(accounts)
  }
}
