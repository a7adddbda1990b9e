import AlarmEngine
import Foundation

/// Shop reminders (S200-S220).
extension SQLStore {
  private static let columns = "id, account, revision, saved_at, record"

  private static func storedReminder(_ row: SQLRow) -> StoredReminder {
    let (record, unreadable) = storedRecord(row.bytes(4))
    let (reminder, fault) = Reminder.stored(id: row.id(0), record: record)
    return StoredReminder(
      reminder: reminder, account: row.id(1), revision: row.revision(2), savedAt: row.instant(3),
      fault: unreadable ?? fault)
  }

  public func reminder(
    _ id: ReminderID, of account: AccountID
  ) async throws(StoreError) -> StoredReminder {
    try await read { database in
      let row = try database.row(
        "SELECT \(Self.columns) FROM reminder WHERE account = ? AND id = ? AND NOT is_deleted",
        [account.sql, id.sql])
      guard let row else { throw StoreError.notFound }
      return Self.storedReminder(row)
    }
  }

  /// The reminders, ascending by id.
  public func reminders(of account: AccountID) async throws(StoreError) -> [StoredReminder] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.columns) FROM reminder WHERE account = ? AND NOT is_deleted ORDER BY id",
        [account.sql]
      ).map { Self.storedReminder($0) }
    }
  }

  private static let accountTable = SQLTable("account", ["id": .integer])

  /// The reminders of several accounts, ascending by id.
  static func reminders(
    ofAll accounts: [AccountID], _ database: any SQLTransaction
  ) throws -> [AccountID: [StoredReminder]] {
    guard !accounts.isEmpty else { return [:] }
    let rows = try database.rows(
      """
      SELECT \(columns) FROM reminder WHERE account IN (SELECT given.id FROM given) AND NOT is_deleted
      ORDER BY account, id
      """, given: accountTable, accounts.map { [$0.sql.sqlValue] })
    return Dictionary(grouping: rows.map { storedReminder($0) }, by: \.account)
  }

  /// The record, and its revision if a row exists, deleted or not.
  private static func record(
    _ id: ReminderID, _ account: AccountID, _ database: any SQLTransaction
  ) throws -> (record: SyncRecord, revision: Revision?) {
    let row = try database.row(
      "SELECT record, revision FROM reminder WHERE account = ? AND id = ?", [account.sql, id.sql])
    guard let row else { return (SyncRecord(), nil) }
    return (storedRecord(row.bytes(0)).record, row.revision(1))
  }

  private static func write(
    _ record: SyncRecord, _ id: ReminderID, _ account: AccountID, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    try refusePrivate(account, database)
    try database.insert(
      """
      INSERT INTO reminder (account, id, is_deleted, revision, saved_at, record) VALUES (?, ?, ?, 1, ?, ?)
      ON CONFLICT (account, id) DO UPDATE SET is_deleted = excluded.is_deleted, revision = reminder.revision + 1,
        saved_at = excluded.saved_at, record = excluded.record
      """, [account.sql, id.sql, !record.exists, now.sql, Data(record.bytes)])
    try change(.reminder, id.rawValue, of: account, deleted: !record.exists, at: now, database)
  }

  /// Begins an edit of reminders. A decision that a process makes from the former ones is then not written, but
  /// made again from these. First in a transaction, as in the ingest, so that the two never wait for each other.
  private static func beginEdit(of account: AccountID, at now: Instant, _ database: any SQLTransaction) throws
  {
    try outdate(devicesOf: account, database)
    try makeDue(devicesOf: account, at: now, database)
  }

  /// - Parameter revision: the revision that was edited; nil to create a reminder.
  @discardableResult
  public func save(
    _ reminder: Reminder, of account: AccountID, over revision: Revision?, at now: Instant
  ) async throws(StoreError) -> StoredReminder {
    try await write { database in
      _ = try Self.account(account, database)
      try Self.beginEdit(of: account, at: now, database)
      var (record, stored) = try Self.record(reminder.id, account, database)
      if let revision {
        guard record.exists, let stored else { throw StoreError.notFound }
        guard stored == revision else { throw StoreError.stale(stored: stored) }
      } else if record.exists {
        throw StoreError.taken
      }
      record.edit(to: reminder.fields, at: try Self.tick(at: now, database))
      try Self.write(record, reminder.id, account, at: now, database)
      return StoredReminder(
        reminder: reminder, account: account, revision: stored?.next ?? .first, savedAt: now)
    }
  }

  public func deleteReminder(
    _ id: ReminderID, of account: AccountID, over revision: Revision?, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      try Self.beginEdit(of: account, at: now, database)
      var (record, stored) = try Self.record(id, account, database)
      guard record.exists, let stored else { throw StoreError.notFound }
      if let revision, revision != stored { throw StoreError.stale(stored: stored) }
      record.delete(at: try Self.tick(at: now, database))
      try Self.write(record, id, account, at: now, database)
    }
  }

  /// Completes, snoozes or restarts a reminder. Its other fields, read or not, stay as they are.
  /// - Returns: the reminder after it, unchanged if it has that state already.
  @discardableResult
  public func answerReminder(
    _ id: ReminderID, _ state: Reminder.State, of account: AccountID, at now: Instant
  ) async throws(StoreError) -> StoredReminder {
    try await write { database in
      let row = try database.row(
        "SELECT \(Self.columns) FROM reminder WHERE account = ? AND id = ? AND NOT is_deleted",
        [account.sql, id.sql])
      guard let row else { throw StoreError.notFound }
      let stored = Self.storedReminder(row)
      guard stored.reminder.state != state else { return stored }
      try Self.beginEdit(of: account, at: now, database)
      var answered = stored.reminder
      answered.state = state
      var (record, _) = try Self.record(id, account, database)
      record.edit(
        to: answered.fields.filter { $0.field == ReminderField.state.rawValue },
        at: try Self.tick(at: now, database))
      try Self.write(record, id, account, at: now, database)
      return StoredReminder(
        reminder: answered, account: account, revision: stored.revision.next, savedAt: now,
        fault: stored.fault)
    }
  }

  /// The reminder with the times of its edits. Includes a deleted one for as long as its deletion is stored.
  public func reminderRecord(
    _ id: ReminderID, of account: AccountID
  ) async throws(StoreError) -> ReminderRecord {
    try await read { database in
      let (record, revision) = try Self.record(id, account, database)
      guard revision != nil else { throw StoreError.notFound }
      return ReminderRecord(id: id, record: record)
    }
  }

  /// Merges records from other devices, like `merge` for zones.
  @discardableResult
  public func merge(
    _ records: [ReminderRecord], of account: AccountID, at now: Instant
  ) async throws(StoreError) -> MergedRecords<ReminderRecord> {
    try await write { database in
      _ = try Self.account(account, database)
      try Self.beginEdit(of: account, at: now, database)
      try Self.receive(records.map(\.record), at: now, database)
      var merged: [ReminderRecord] = []
      var refused: [RefusedRecord] = []
      for given in records {
        let (before, _) = try Self.record(given.id, account, database)
        var record = before
        record.merge(given.record)
        if record != before, record.exists {
          do throws(FieldError) { _ = try Reminder(id: given.id, record: record) } catch {
            refused.append(RefusedRecord(id: given.id.rawValue, reason: error))
            continue
          }
        }
        merged.append(ReminderRecord(id: given.id, record: record))
        if record != before { try Self.write(record, given.id, account, at: now, database) }
      }
      return MergedRecords(records: merged, refused: refused)
    }
  }
}

/// When people were told of reminders (S207), and what follows from a visit.
extension SQLStore {
  /// Notes that people are told of a reminder, and adds the deliveries. A reminder that is deleted meanwhile is
  /// not told.
  static func note(_ telling: ReminderTelling, at now: Instant, _ database: any SQLTransaction) throws {
    let noted = try database.run(
      """
      INSERT INTO reminder_telling (account, reminder, device, told_at, place, distance)
      SELECT account, id, ?, ?, ?, ? FROM reminder WHERE account = ? AND id = ? AND NOT is_deleted
      ON CONFLICT (account, reminder, device)
        DO UPDATE SET told_at = excluded.told_at, place = excluded.place, distance = excluded.distance
      """,
      [
        telling.device.sql, telling.at.sql, telling.place, telling.distance, telling.account.sql,
        telling.reminder.sql,
      ])
    guard noted == 1 else { return }
    try tell(.reminder, telling.reminder.rawValue, of: telling.account, at: now, database)
    for item in telling.items { try enqueue(item, at: now, database) }
  }

  /// The latest telling by each phone, the latest first.
  /// - Parameter reminder: nil for those of all reminders.
  public func reminderTellings(
    of account: AccountID, _ reminder: ReminderID? = nil
  ) async throws(StoreError) -> [ReminderTelling] {
    try await read { database in
      try database.rows(
        """
        SELECT reminder, device, told_at, place, distance FROM reminder_telling
        WHERE account = ?1 AND reminder = coalesce(?2, reminder) ORDER BY told_at DESC, reminder, device
        """, [account.sql, reminder?.sql]
      ).map { row in
        ReminderTelling(
          reminder: row.id(0), account: account, device: row.id(1), at: row.instant(2), place: row[3],
          distance: row[4])
      }
    }
  }

  /// Makes a completed reminder that repeats active, with no item done. Any other stays as it is.
  static func beginAnew(
    _ id: ReminderID, of account: AccountID, at now: Instant, _ database: any SQLTransaction
  ) throws {
    var (record, _) = try record(id, account, database)
    var reminder = Reminder.stored(id: id, record: record).reminder
    guard record.exists, reminder.repeats, reminder.state == .completed else { return }
    try beginEdit(of: account, at: now, database)
    reminder.state = .active
    for index in reminder.items.indices { reminder.items[index].done = false }
    record.edit(to: reminder.fields, at: try tick(at: now, database))
    try write(record, id, account, at: now, database)
  }
}
