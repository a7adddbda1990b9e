import AlarmEngine

/// What other processes have written.
///
/// Whose data an edit was about stands in `edit_note`; batches of the ingest leave no row there, since the versions of engines
/// tell of them. A process hears that there is something to read: by PostgreSQL's notes, which also say whose feeds have
/// grown, or by the count of transactions in a SQLite file, which says no more.
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
    database.news.edited()
    try forgetNotes(database)
  }

  /// Something is different that belongs to no account.
  static func noteEditOfServer(_ database: any SQLTransaction) throws {
    try database.run("INSERT INTO edit_note (account) VALUES (NULL)")
    database.news.edited()
    try forgetNotes(database)
  }

  private static func forgetNotes(_ database: any SQLTransaction) throws {
    try database.run(
      "DELETE FROM edit_note WHERE number <= (SELECT max(number) FROM edit_note) - ?", [notesKept])
  }

  /// What other processes have written. Engines are not in it: their versions tell.
  /// - Parameter mark: the `next` of the answer before; nil the first time, when nothing is told.
  public func changesByOthers(
    since mark: ChangesByOthers.Mark?
  ) async throws(StoreError) -> ChangesByOthers {
    let heard = try await database.writesByOthers(since: mark?.writes)
    let (writes, news) = (heard.number, heard.news)
    if let mark, !news.isEdit {
      return ChangesByOthers(
        next: .init(writes: writes, edits: mark.edits), edited: .accounts([]), told: news.told)
    }
    return try await read { database in
      let edits = try database.integer("SELECT max(number) FROM edit_note") ?? 0
      let next = ChangesByOthers.Mark(writes: writes, edits: edits)
      guard let mark else { return ChangesByOthers(next: next, edited: .accounts([]), told: .accounts([])) }
      return ChangesByOthers(
        next: next, edited: try Self.edited(since: mark.edits, database), told: news.told)
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
