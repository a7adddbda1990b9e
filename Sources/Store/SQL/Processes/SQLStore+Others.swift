import AlarmEngine

/// Changes made by other processes.
///
/// Each edit records its account in `edit_note`. Ingest batches leave no row there; they increment the
/// versions of engines. A process learns that there is something to read from PostgreSQL's notifications,
/// which also name the accounts whose feeds have grown, or from the transaction count of an SQLite file,
/// which tells nothing more.
extension SQLStore {
  /// The number of notes kept. A process that is further behind must assume that everything has changed.
  private static let notesKept = 10_000

  /// Records an edit of account data that servers cache.
  static func noteEdit(of account: AccountID, _ database: any SQLTransaction) throws {
    try noteEdits(ofAll: "?", [account.sql], database)
  }

  /// - Parameter accounts: a query that returns account ids, with its arguments.
  static func noteEdits(
    ofAll accounts: String, _ arguments: SQLArguments, _ database: any SQLTransaction
  ) throws {
    try database.run(
      "INSERT INTO edit_note (account) SELECT account.id FROM account WHERE account.id IN (\(accounts))",
      arguments)
    database.changes.edited()
    try forgetNotes(database)
  }

  /// Records an edit of cached data that belongs to no account.
  static func noteEditOfServer(_ database: any SQLTransaction) throws {
    try database.run("INSERT INTO edit_note (account) VALUES (NULL)")
    database.changes.edited()
    try forgetNotes(database)
  }

  private static func forgetNotes(_ database: any SQLTransaction) throws {
    try database.run(
      "DELETE FROM edit_note WHERE number <= (SELECT max(number) FROM edit_note) - ?", [notesKept])
  }

  /// Returns the changes made by other processes. Changes of engines are not included: see their versions.
  /// - Parameter mark: the `next` of the previous answer; nil the first time, when no changes are returned.
  public func changesByOthers(
    since mark: ChangesByOthers.Mark?
  ) async throws(StoreError) -> ChangesByOthers {
    let heard = try await database.writesByOthers(since: mark?.writes)
    let (writes, changes) = (heard.number, heard.changes)
    if let mark, !changes.isEdit {
      return ChangesByOthers(
        next: .init(writes: writes, edits: mark.edits), edited: .accounts([]), told: changes.told)
    }
    return try await read { database in
      let edits = try database.integer("SELECT max(number) FROM edit_note") ?? 0
      let next = ChangesByOthers.Mark(writes: writes, edits: edits)
      guard let mark else { return ChangesByOthers(next: next, edited: .accounts([]), told: .accounts([])) }
      return ChangesByOthers(
        next: next, edited: try Self.edited(since: mark.edits, database), told: changes.told)
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
