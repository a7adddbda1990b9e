import AlarmEngine
import Geometry

extension SQLStore {
  @discardableResult
  public func record(_ batch: IngestBatch) async throws(StoreError) -> IngestReceipt {
    try await write(.ingest) { database in
      var writer = try IngestWriter(batch, database)
      return try writer.write()
    }
  }

  public func deviceStates(
    _ devices: [DeviceID], since time: Instant
  ) async throws(StoreError) -> [DeviceID: DeviceState] {
    try await read { database in
      var states: [DeviceID: DeviceState] = [:]
      var zoneSets: [AccountID: Revision] = [:]
      for device in devices {
        states[device] = try Self.deviceState(device, since: time, &zoneSets, database)
      }
      return states
    }
  }

  /// - Parameter zoneSets: of the accounts that were met already.
  private static func deviceState(
    _ device: DeviceID, since time: Instant, _ zoneSets: inout [AccountID: Revision],
    _ database: any SQLTransaction
  ) throws -> DeviceState? {
    guard let (stored, version, due, snapshot) = try deviceAndSnapshot(device, database) else { return nil }
    let after = snapshot?.through ?? time
    let (first, isBeyond) = after.sql.addingReportingOverflow(1)
    guard !isBeyond else { return nil }
    var zoneSet: Revision?
    if let account = stored.account {
      zoneSet = try zoneSets[account] ?? presentZoneSet(of: account, database)
      guard zoneSet != nil else { return nil }
      zoneSets[account] = zoneSet
    }
    return DeviceState(
      device: stored, version: version, snapshot: snapshot, zoneSet: zoneSet, due: due,
      fixes: try fixes(device, first...Int64.max, .max, database),
      commands: try commands(device, first...Int64.max, .max, database),
      openAlarms: try openAlarms(of: device, database))
  }

  public func fixes(
    of device: DeviceID, account: AccountID, in range: ClosedRange<Instant>, limit: Int
  ) async throws(StoreError) -> [StoredFix] {
    try await read { database in
      _ = try Self.device(device, of: account, database)
      return try Self.fixes(device, range.lowerBound.sql...range.upperBound.sql, limit, database)
    }
  }

  /// Goes through the days that there are, so that each is one search.
  static func fixes(
    _ device: DeviceID, _ range: ClosedRange<Int64>, _ limit: Int, _ database: any SQLTransaction
  ) throws -> [StoredFix] {
    let first = IngestWriter.day(of: Instant(sql: range.lowerBound))
    let last = IngestWriter.day(of: Instant(sql: range.upperBound))
    var fixes: [StoredFix] = []
    var day = try database.integer("SELECT min(day) FROM fix WHERE day >= ?", [first])
    while let current = day, current <= last, fixes.count < limit {
      let rows = try database.rows(
        """
        SELECT measured_at, latitude, longitude, accuracy, received_at, speed, course, altitude, altitude_error,
          altitude_reference, battery, detail
        FROM fix WHERE day = ? AND device = ? AND measured_at BETWEEN ? AND ?
        ORDER BY measured_at, latitude, longitude, accuracy LIMIT ?
        """, [current, device.sql, range.lowerBound, range.upperBound, limit - fixes.count])
      for row in rows {
        guard let fix = fix(row, 0, altitude: altitude(row, 7)) else {
          throw StoreError.corrupted(detail: "a fix of device \(device) is at no place")
        }
        fixes.append(StoredFix(fix, altitude: row.distance(7), battery: row[10], detail: row[11]))
      }
      day = try database.integer("SELECT min(day) FROM fix WHERE day > ?", [current])
    }
    return fixes
  }

  public func commands(
    of device: DeviceID, account: AccountID, in range: ClosedRange<Instant>, limit: Int
  ) async throws(StoreError) -> [DeviceCommand] {
    try await read { database in
      _ = try Self.device(device, of: account, database)
      return try Self.commands(device, range.lowerBound.sql...range.upperBound.sql, limit, database)
    }
  }

  private static func commands(
    _ device: DeviceID, _ range: ClosedRange<Int64>, _ limit: Int, _ database: any SQLTransaction
  ) throws -> [DeviceCommand] {
    try database.rows(
      """
      SELECT at, kind, alarm, argument, given_by FROM command WHERE device = ? AND at BETWEEN ? AND ?
      ORDER BY at, number LIMIT ?
      """, [device.sql, range.lowerBound, range.upperBound, limit]
    ).map { row in
      guard let kind = DeviceCommand.Kind(kind: row[1], alarm: row.optionalID(2), argument: row[3]) else {
        throw StoreError.corrupted(detail: "a command has kind \(row[1] as Int64)")
      }
      return DeviceCommand(device: device, at: row.instant(0), kind: kind, by: row[4])
    }
  }

  public func events(
    of device: DeviceID, account: AccountID, in range: ClosedRange<Instant>, limit: Int
  ) async throws(StoreError) -> [DeviceEvent] {
    try await read { database in
      _ = try Self.device(device, of: account, database)
      return try database.rows(
        """
        SELECT bytes, is_retracted FROM event WHERE device = ? AND time BETWEEN ? AND ?
        ORDER BY time, number LIMIT ?
        """, [device.sql, range.lowerBound.sql, range.upperBound.sql, limit]
      ).map { row in
        do {
          guard let event = try EventBytes.decode(row.bytes(0)).first else {
            throw StoreError.corrupted(detail: "an event is empty")
          }
          return DeviceEvent(device: device, event: event, isRetracted: row[1])
        } catch let error as EventBytesError {
          throw StoreError.corrupted(detail: "an event: \(error.reason) at byte \(error.offset)")
        }
      }
    }
  }

  public func rawBodies(of device: DeviceID?, limit: Int) async throws(StoreError) -> [RawBody] {
    try await read { database in
      try database.rows(
        """
        SELECT received_at, source, reason, body, size FROM raw_body WHERE device IS NOT DISTINCT FROM ?
        ORDER BY number DESC LIMIT ?
        """, [device?.sql, limit]
      ).map { row in
        RawBody(
          device: device, receivedAt: row.instant(0), source: row[1], reason: row[2], body: row.bytes(3),
          size: row[4])
      }
    }
  }
}
