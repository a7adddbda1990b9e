import AlarmEngine

/// Expected arrivals: times of day by which phones are to be at zones.
///
/// As with check-ins, an edit outdates the engine of the phone and makes the phone due, so that a process that
/// has decided from the former values decides again, and exactly one alarm rings.
extension SQLStore {
  private static let expectedColumns = """
    id, account, zone, device, minute, days, time_zone, time_window, is_enabled, created_at, next_due
    """

  private static func expected(_ row: SQLRow) throws -> ExpectedArrival {
    let id: ExpectedArrivalID = row.id(0)
    let days = UInt8(exactly: row[5] as Int).map { Schedule.Weekdays(rawValue: $0) }
    guard let days, let time = ExpectedArrival.Time(minute: row[4], days: days, timeZone: row[6]) else {
      throw StoreError.corrupted(detail: "expected arrival \(id) has no valid time")
    }
    return ExpectedArrival(
      id: id, account: row.id(1), zone: row.id(2), device: row.id(3), time: time,
      window: .milliseconds(row[7]), isEnabled: row[8], createdAt: row.instant(9), nextDue: row.instant(10))
  }

  /// The account's expected arrivals, the oldest first, ties by id.
  public func expectedArrivals(of account: AccountID) async throws(StoreError) -> [ExpectedArrival] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.expectedColumns) FROM expected_arrival WHERE account = ? ORDER BY created_at, id",
        [account.sql]
      ).map { try Self.expected($0) }
    }
  }

  /// - Throws: `.notFound` if the account has no such expected arrival.
  public func expectedArrival(
    _ id: ExpectedArrivalID, of account: AccountID
  ) async throws(StoreError) -> ExpectedArrival {
    try await read { try Self.expected(id, of: account, $0) }
  }

  private static func expected(
    _ id: ExpectedArrivalID, of account: AccountID, _ database: any SQLTransaction
  ) throws -> ExpectedArrival {
    let row = try database.row(
      "SELECT \(expectedColumns) FROM expected_arrival WHERE account = ? AND id = ?", [account.sql, id.sql])
    guard let row else { throw StoreError.notFound }
    return try expected(row)
  }

  private static let phones = SQLTable("device", ["id": .integer])

  /// The expected arrivals of phones, ascending by id.
  static func expectedArrivals(
    of devices: [DeviceID], _ database: any SQLTransaction
  ) throws -> [DeviceID: [ExpectedArrival]] {
    let rows = try database.rows(
      """
      SELECT \(expectedColumns) FROM expected_arrival WHERE device IN (SELECT given.id FROM given) ORDER BY id
      """, given: phones, devices.map { [$0.sql.sqlValue] })
    return Dictionary(grouping: try rows.map { try expected($0) }, by: \.device)
  }

  /// - Throws: `.taken` if the id is in use; `.tooMany`; `.privateAccount`; `.notFound` if the zone or the phone
  ///   is not the account's own.
  public func create(_ expected: ExpectedArrival, at now: Instant) async throws(StoreError) {
    try await write { database in
      try Self.check(expected, database)
      let count = try database.integer(
        "SELECT count(*) FROM expected_arrival WHERE account = ?", [expected.account.sql])
      let known = try database.integer("SELECT 1 FROM expected_arrival WHERE id = ?", [expected.id.sql])
      guard known == nil else { throw StoreError.taken }
      guard (count ?? 0) < ExpectedArrival.most else {
        throw StoreError.tooMany(allowed: ExpectedArrival.most)
      }
      try database.insert(
        "INSERT INTO expected_arrival (\(Self.expectedColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          expected.id.sql, expected.account.sql, expected.zone.sql, expected.device.sql,
          expected.time.minute, Int(expected.time.days.rawValue), expected.time.timeZone,
          expected.window.milliseconds, expected.isEnabled, expected.createdAt.sql, expected.nextDue.sql,
        ])
      try Self.touch([expected.device], at: now, database)
      try Self.change(.expectedArrival, expected.id.rawValue, of: expected.account, at: now, database)
    }
  }

  /// Changes everything but the account and the time of creation.
  /// - Throws: `.notFound` if there is no such expected arrival, or the zone or the phone is not the account's
  ///   own; `.privateAccount`.
  public func save(_ expected: ExpectedArrival, at now: Instant) async throws(StoreError) {
    try await write { database in
      let former = try Self.expected(expected.id, of: expected.account, database)
      try Self.check(expected, database)
      try database.run(
        """
        UPDATE expected_arrival SET zone = ?, device = ?, minute = ?, days = ?, time_zone = ?, time_window = ?,
          is_enabled = ?, next_due = ? WHERE id = ?
        """,
        [
          expected.zone.sql, expected.device.sql, expected.time.minute, Int(expected.time.days.rawValue),
          expected.time.timeZone, expected.window.milliseconds, expected.isEnabled, expected.nextDue.sql,
          expected.id.sql,
        ])
      try Self.touch([former.device, expected.device], at: now, database)
      try Self.change(.expectedArrival, expected.id.rawValue, of: expected.account, at: now, database)
    }
  }

  private static func check(_ expected: ExpectedArrival, _ database: any SQLTransaction) throws {
    try refusePrivate(expected.account, database)
    _ = try device(expected.device, of: expected.account, database)
    let zone = try database.integer(
      "SELECT 1 FROM zone WHERE account = ? AND id = ? AND NOT is_deleted",
      [expected.account.sql, expected.zone.sql])
    guard zone != nil else { throw StoreError.notFound }
  }

  /// - Returns: the expected arrival as it was.
  /// - Throws: `.notFound`.
  @discardableResult
  public func deleteExpectedArrival(
    _ id: ExpectedArrivalID, of account: AccountID, at now: Instant
  ) async throws(StoreError) -> ExpectedArrival {
    try await write { database in
      let former = try Self.expected(id, of: account, database)
      try Self.end([former], at: now, database)
      return former
    }
  }

  private static func end(
    _ ended: [ExpectedArrival], at now: Instant, _ database: any SQLTransaction
  ) throws {
    for expected in ended {
      try database.run("DELETE FROM expected_arrival WHERE id = ?", [expected.id.sql])
      try change(
        .expectedArrival, expected.id.rawValue, of: expected.account, deleted: true, at: now, database)
    }
    try touch(ended.map(\.device), at: now, database)
  }

  /// Ends the expected arrivals at zones that are deleted.
  static func endExpectedArrivals(
    at zones: [ZoneID], of account: AccountID, at now: Instant, _ database: any SQLTransaction
  ) throws {
    guard !zones.isEmpty else { return }
    let gone = Set(zones)
    let rows = try database.rows(
      "SELECT \(expectedColumns) FROM expected_arrival WHERE account = ? ORDER BY id", [account.sql])
    try end(try rows.map { try expected($0) }.filter { gone.contains($0.zone) }, at: now, database)
  }

  /// Ends the expected arrivals of one phone, or of the whole account, before it goes. Nothing is made due.
  static func forgetExpectedArrivals(
    of account: AccountID, on device: DeviceID? = nil, at now: Instant, _ database: any SQLTransaction
  ) throws {
    let rows = try database.rows(
      "SELECT id FROM expected_arrival WHERE account = ?1 AND device = coalesce(?2, device) ORDER BY id",
      [account.sql, device?.sql])
    for row in rows {
      let id: ExpectedArrivalID = row.id(0)
      try database.run("DELETE FROM expected_arrival WHERE id = ?", [id.sql])
      try change(.expectedArrival, id.rawValue, of: account, deleted: true, at: now, database)
    }
  }

  private static func touch(
    _ devices: [DeviceID], at now: Instant, _ database: any SQLTransaction
  ) throws {
    for device in Set(devices).sorted() {
      try outdate(device, database)
      try makeDue(device, at: now, database)
    }
  }

  /// Notes that an expected arrival was judged, unless it was edited or ended since.
  static func note(_ step: ExpectedArrivalStep, _ database: any SQLTransaction) throws {
    try database.run(
      "UPDATE expected_arrival SET next_due = ? WHERE account = ? AND id = ? AND next_due = ?",
      [step.next.sql, step.account.sql, step.id.sql, step.judged.sql])
  }

  /// The enabled expected arrivals of all accounts that are due after `now`, after `last` in the order of ids.
  public func expectedArrivals(
    dueAfter now: Instant, after last: ExpectedArrivalID?, limit: Int
  ) async throws(StoreError) -> [ExpectedArrival] {
    try await read { database in
      let rows =
        if let last {
          try database.rows(
            """
            SELECT \(Self.expectedColumns) FROM expected_arrival WHERE is_enabled AND next_due > ? AND id > ?
            ORDER BY id LIMIT ?
            """, [now.sql, last.sql, limit])
        } else {
          try database.rows(
            """
            SELECT \(Self.expectedColumns) FROM expected_arrival WHERE is_enabled AND next_due > ?
            ORDER BY id LIMIT ?
            """, [now.sql, limit])
        }
      return try rows.map { try Self.expected($0) }
    }
  }

  /// Moves due times that were computed by other rules of a time zone, or by a clock that was ahead.
  public func move(_ steps: [ExpectedArrivalStep], at now: Instant) async throws(StoreError) {
    guard !steps.isEmpty else { return }
    try await write { database in
      for step in steps {
        let row = try database.row(
          "SELECT device FROM expected_arrival WHERE account = ? AND id = ? AND next_due = ?",
          [step.account.sql, step.id.sql, step.judged.sql])
        guard let row else { continue }
        try Self.note(step, database)
        try Self.touch([row.id(0)], at: now, database)
        try Self.change(.expectedArrival, step.id.rawValue, of: step.account, at: now, database)
      }
    }
  }

  /// Makes phones due whose time is over, and whose due time a process of a version without expected arrivals has
  /// removed. Phones of disabled accounts are not processed.
  public func wakeExpectedArrivals(at now: Instant) async throws(StoreError) {
    let lost = """
      FROM expected_arrival JOIN account ON account.id = expected_arrival.account
      WHERE next_due <= ?1 AND is_enabled AND NOT account.is_disabled AND NOT account.is_private
        AND NOT EXISTS (SELECT 1 FROM device_due WHERE device_due.device = expected_arrival.device AND at <= ?1)
      """
    // Usually there is none; a read finds that out without taking the writer.
    guard try await read({ try $0.integer("SELECT 1 \(lost) LIMIT 1", [now.sql]) }) != nil else { return }
    try await write { database in
      for row in try database.rows("SELECT DISTINCT expected_arrival.device \(lost)", [now.sql]) {
        try Self.makeDue(row.id(0), at: now, database)
      }
    }
  }
}
