import AlarmEngine
import Geometry

/// Fixes and other data of devices: writing batches, and reading history.
extension SQLStore {
  /// Writes a batch. When it returns, the batch is on the disk.
  ///
  /// Data of devices or channels that are gone is left out. Recording the same batch again does not change
  /// fixes, alarms and snapshots, but duplicates commands, events and outbox rows.
  /// - Throws: `.conflict` if the version of a device's engine differs from `batch.versions`; `.stale` if an
  ///   alarm's stored version is later than the batch's. Nothing is written then.
  @discardableResult
  public func record(_ batch: IngestBatch) async throws(StoreError) -> IngestReceipt {
    try await write(.ingest) { database in
      var writer = try IngestWriter(batch, database)
      return try writer.write()
    }
  }

  /// The first `limit` fixes in the range, in the order of time.
  public func fixes(
    of device: DeviceID, account: AccountID, in range: ClosedRange<Instant>, limit: Int
  ) async throws(StoreError) -> [StoredFix] {
    try await read { database in
      _ = try Self.device(device, of: account, database)
      return try Self.fixes(device, range.lowerBound.sql...range.upperBound.sql, limit, database)
    }
  }

  /// Searches each stored day of the range in turn.
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
        SELECT \(fixColumns) FROM fix WHERE day = ? AND device = ? AND measured_at BETWEEN ? AND ?
        ORDER BY measured_at, latitude, longitude, accuracy LIMIT ?
        """, [current, device.sql, range.lowerBound, range.upperBound, limit - fixes.count])
      fixes += try rows.map { try storedFix($0, of: device) }
      day = try database.integer("SELECT min(day) FROM fix WHERE day > ?", [current])
    }
    return fixes
  }

  /// When the last fix before a time was measured; nil if there is none from `earliest` on.
  public func timeOfFix(
    of device: DeviceID, account: AccountID, before time: Instant, notBefore earliest: Instant
  ) async throws(StoreError) -> Instant? {
    try await read { database in
      _ = try Self.device(device, of: account, database)
      let first = IngestWriter.day(of: earliest)
      var day = try database.integer("SELECT max(day) FROM fix WHERE day <= ?", [IngestWriter.day(of: time)])
      while let current = day, current >= first {
        let last = try database.integer(
          "SELECT max(measured_at) FROM fix WHERE day = ? AND device = ? AND measured_at BETWEEN ? AND ?",
          [current, device.sql, earliest.sql, time.sql - 1])
        if let last { return Instant(sql: last) }
        day = try database.integer("SELECT max(day) FROM fix WHERE day < ?", [current])
      }
      return nil
    }
  }

  static let fixColumns = """
    measured_at, latitude, longitude, accuracy, received_at, speed, course, altitude, altitude_error,
    altitude_reference, battery, detail
    """

  static func storedFix(_ row: SQLRow, of device: DeviceID) throws -> StoredFix {
    guard let fix = fix(row, 0, altitude: altitude(row, 7)) else {
      throw StoreError.corrupted(detail: "a fix of device \(device) is at no place")
    }
    return StoredFix(fix, altitude: row.distance(7), battery: row[10], detail: row[11])
  }

  public func commands(
    of device: DeviceID, account: AccountID, in range: ClosedRange<Instant>, limit: Int
  ) async throws(StoreError) -> [DeviceCommand] {
    try await read { database in
      _ = try Self.device(device, of: account, database)
      return try database.rows(
        """
        SELECT \(Self.commandColumns) FROM command WHERE device = ? AND at BETWEEN ? AND ?
        ORDER BY at, number LIMIT ?
        """, [device.sql, range.lowerBound.sql, range.upperBound.sql, limit]
      ).map { try Self.command($0, of: device) }
    }
  }

  static let commandColumns = """
    at, kind, alarm, argument, given_by,
    (SELECT engine_id FROM alarm WHERE alarm.id = command.alarm AND engine_id <> alarm.id)
    """

  static func command(_ row: SQLRow, of device: DeviceID) throws -> DeviceCommand {
    guard let kind = DeviceCommand.Kind(kind: row[1], alarm: row.optionalID(2), argument: row[3]) else {
      throw StoreError.corrupted(detail: "a command has kind \(row[1] as Int64)")
    }
    return DeviceCommand(
      device: device, at: row.instant(0), kind: kind, by: row[4], engineID: row.optionalID(5))
  }

  /// The events in the order of their own time.
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

  /// The raw bodies of a device, or of no device if it is nil, the latest first.
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

  public func deviceState(
    _ device: DeviceID, since time: Instant
  ) async throws(StoreError) -> DeviceState {
    guard let state = try await deviceStates([device], since: time)[device] else { throw .notFound }
    return state
  }
}
