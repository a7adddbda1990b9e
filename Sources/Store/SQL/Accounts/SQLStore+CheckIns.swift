import AlarmEngine

/// Check-ins: times by which people want to be back.
///
/// An edit outdates the engine of the check-in's device and makes the device due, so that a process that has
/// decided from the former check-in decides again, and exactly one alarm rings.
extension SQLStore {
  private static let checkInColumns = """
    account, device, phone, note, alarm, set_at, due_at, is_span, is_reminded, missed_at
    """

  private static func checkIn(_ row: SQLRow) -> CheckIn {
    CheckIn(
      account: row.id(0), device: row.id(1), phone: row.optionalID(2), note: row.text(3), alarm: row.id(4),
      setAt: row.instant(5), dueAt: row.instant(6), isSpan: row[7], isReminded: row[8],
      missedAt: row.optionalInstant(9))
  }

  private static func checkIn(of account: AccountID, _ database: any SQLTransaction) throws -> CheckIn? {
    try database.row("SELECT \(checkInColumns) FROM check_in WHERE account = ?", [account.sql]).map {
      checkIn($0)
    }
  }

  /// The account's check-in; nil if it has none.
  public func checkIn(of account: AccountID) async throws(StoreError) -> CheckIn? {
    try await read { try Self.checkIn(of: account, $0) }
  }

  private static let checkInDevices = SQLTable("device", ["id": .integer])

  /// The check-ins of which devices have the alarms.
  static func checkIns(
    on devices: [DeviceID], _ database: any SQLTransaction
  ) throws -> [DeviceID: CheckIn] {
    let rows = try database.rows(
      "SELECT \(checkInColumns) FROM check_in WHERE device IN (SELECT given.id FROM given)",
      given: checkInDevices, devices.map { [$0.sql.sqlValue] })
    return Dictionary(rows.map { ($0.id(1), checkIn($0)) }) { first, _ in first }
  }

  /// Sets a check-in in place of the former one.
  /// - Throws: `.privateAccount`; `.notFound` if the device or the phone is not the account's.
  public func set(_ checkIn: CheckIn, at now: Instant) async throws(StoreError) {
    try await write { database in
      try Self.refusePrivate(checkIn.account, database)
      for device in [checkIn.device, checkIn.phone].compactMap({ $0 }) {
        _ = try Self.device(device, of: checkIn.account, database)
      }
      try Self.write(checkIn, at: now, database)
    }
  }

  /// Sets the account's check-in for later: `span` after its time, or after now if that is over, and no later
  /// than a check-in may be set for.
  /// - Returns: the check-in as set; nil if the account has none.
  public func prolongCheckIn(
    of account: AccountID, by span: TimeSpan, at now: Instant
  ) async throws(StoreError) -> CheckIn? {
    try await write { database in
      guard let former = try Self.checkIn(of: account, database) else { return nil }
      let dueAt = min(max(former.dueAt, now) + span, now + CheckIn.ahead.upperBound)
      let checkIn = former.prolonged(to: dueAt, at: now)
      try Self.write(checkIn, at: now, database)
      return checkIn
    }
  }

  private static func write(_ checkIn: CheckIn, at now: Instant, _ database: any SQLTransaction) throws {
    // A former check-in may be on another device.
    if let former = try Self.checkIn(of: checkIn.account, database) { try touch(former, at: now, database) }
    try database.run(
      """
      INSERT INTO check_in (\(checkInColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (account) DO UPDATE SET device = excluded.device, phone = excluded.phone, note = excluded.note,
        alarm = excluded.alarm, set_at = excluded.set_at, due_at = excluded.due_at, is_span = excluded.is_span,
        is_reminded = excluded.is_reminded, missed_at = excluded.missed_at
      """,
      [
        checkIn.account.sql, checkIn.device.sql, checkIn.phone?.sql, checkIn.note.sql, checkIn.alarm.sql,
        checkIn.setAt.sql, checkIn.dueAt.sql, checkIn.isSpan, checkIn.isReminded, checkIn.missedAt?.sql,
      ])
    try touch(checkIn, at: now, database)
    try change(.checkIn, checkIn.account.rawValue, of: checkIn.account, at: now, database)
  }

  /// Ends the account's check-in: the person is back.
  /// - Returns: the check-in that ended; nil if there was none.
  @discardableResult
  public func endCheckIn(of account: AccountID, at now: Instant) async throws(StoreError) -> CheckIn? {
    try await write { database in
      guard let former = try Self.checkIn(of: account, database) else { return nil }
      try Self.touch(former, at: now, database)
      try database.run("DELETE FROM check_in WHERE account = ?", [account.sql])
      try Self.change(.checkIn, account.rawValue, of: account, deleted: true, at: now, database)
      return former
    }
  }

  private static func touch(_ checkIn: CheckIn, at now: Instant, _ database: any SQLTransaction) throws {
    try outdate(checkIn.device, database)
    try makeDue(checkIn.device, at: now, database)
  }

  /// Notes what was done about a check-in, unless it was set anew or ended since.
  static func note(_ step: CheckInStep, _ database: any SQLTransaction) throws {
    switch step.kind {
    case .reminded:
      try database.run(
        "UPDATE check_in SET is_reminded = TRUE WHERE account = ? AND alarm = ?",
        [step.account.sql, step.alarm.sql])
    case .missed:
      try database.run(
        "UPDATE check_in SET missed_at = ? WHERE account = ? AND alarm = ? AND missed_at IS NULL",
        [step.at.sql, step.account.sql, step.alarm.sql])
    }
  }

  /// Makes devices due whose check-in is over, and whose due time a process of a version without check-ins has
  /// removed. Devices of disabled accounts are not processed.
  public func wakeMissedCheckIns(at now: Instant) async throws(StoreError) {
    let lost = """
      FROM check_in JOIN account ON account.id = check_in.account
      WHERE due_at <= ?1 AND missed_at IS NULL AND NOT account.is_disabled
        AND NOT EXISTS (SELECT 1 FROM device_due WHERE device_due.device = check_in.device AND at <= ?1)
      """
    // Usually there is none; a read finds that out without taking the writer.
    guard try await read({ try $0.integer("SELECT 1 \(lost) LIMIT 1", [now.sql]) }) != nil else { return }
    try await write { database in
      for row in try database.rows("SELECT check_in.device \(lost)", [now.sql]) {
        try Self.makeDue(row.id(0), at: now, database)
      }
    }
  }

  /// - Throws: `.checkInRuns` if the device has the alarm of a check-in that has not ended.
  static func refuseWithCheckIn(on device: DeviceID, _ database: any SQLTransaction) throws {
    let running = try database.integer("SELECT 1 FROM check_in WHERE device = ?", [device.sql])
    if running != nil { throw StoreError.checkInRuns }
  }

  /// - Throws: `.checkInRuns` if the account has a check-in that has not ended.
  static func refuseWithCheckIn(of account: AccountID, _ database: any SQLTransaction) throws {
    if try checkIn(of: account, database) != nil { throw StoreError.checkInRuns }
  }

  /// Moves check-ins that were set by a clock that was ahead. One that was set for a length of time keeps its
  /// length; a time of day that a person chose stays.
  static func putCheckInsBack(to now: Instant, by span: TimeSpan, _ database: any SQLTransaction) throws {
    try database.run(
      """
      UPDATE check_in SET set_at = min(?1, set_at - ?2),
        due_at = CASE WHEN is_span THEN max(?1, due_at - ?2) ELSE due_at END
      WHERE set_at > ?1
      """, [now.sql, span.milliseconds])
    try database.run(
      "UPDATE check_in SET missed_at = ?1 WHERE missed_at > ?1", [now.sql])
  }

  /// The last known place of a phone, or of that phone of the account which was located last.
  public func lastPlace(of account: AccountID, phone: DeviceID?) async throws(StoreError) -> Fix? {
    try await read { database in
      let row = try database.row(
        """
        SELECT measured_at, latitude, longitude, accuracy, received_at, speed, course
        FROM device JOIN device_last ON device_last.device = device.id
        WHERE account = ?1 AND device.id = coalesce(?2, device.id) AND measured_at IS NOT NULL
        ORDER BY measured_at DESC, device.id LIMIT 1
        """, [account.sql, phone?.sql])
      return row.flatMap { Self.fix($0, 0) }
    }
  }
}
