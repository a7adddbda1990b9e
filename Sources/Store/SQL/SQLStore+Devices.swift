import AlarmEngine
import Geometry

/// Devices, the names under which they report, and their tokens.
extension SQLStore {
  static let deviceColumns = """
    device.id, account, name, tracker_id, is_armed, settings, report_interval, passphrase, created_at, revision,
    heard_at, measured_at, latitude, longitude, accuracy, received_at, speed, course,
    battery, is_charging, motion, altitude, told_at, low_since, unread_since, unread,
    malformed, malformed_since, malformed_reason,
    coalesce((SELECT owner.is_private FROM account AS owner WHERE owner.id = device.account), FALSE)
    """
  static let deviceColumnCount = 30
  static let deviceTables = """
    device LEFT JOIN device_last ON device_last.device = device.id
    LEFT JOIN device_status ON device_status.device = device.id
    """

  static func device(_ row: SQLRow) -> Device {
    var device = Device(
      id: row.id(0), account: row.optionalID(1), name: row[2], trackerID: row[3], isArmed: row[4],
      settings: row[5], reportInterval: (row[6] as Int64?).map { .milliseconds($0) }, passphrase: row[7],
      createdAt: row.instant(8), revision: row.revision(9))
    device.lastReceivedAt = row.optionalInstant(10)
    if device.lastReceivedAt != nil { device.lastFix = fix(row, 11) }
    device.status = status(row, 18)
    device.isPrivate = row[29]
    return device
  }

  private static func status(_ row: SQLRow, _ first: Int) -> DeviceStatus {
    var status = DeviceStatus()
    status.battery = row[first]
    status.isCharging = row[first + 1]
    status.motion = (row[first + 2] as String?)?.split(separator: "\n").map(String.init) ?? []
    status.altitude = row.distance(first + 3)
    status.toldAt = row.optionalInstant(first + 4)
    status.lowBatterySince = row.optionalInstant(first + 5)
    status.unreadSince = row.optionalInstant(first + 6)
    status.unread = (row[first + 7] as Int?).flatMap(DeviceStatus.Unread.init(rawValue:))
    if let count: Int = row[first + 8], let since = row.optionalInstant(first + 9) {
      status.malformed = .init(count: count, since: since, reason: row[first + 10] ?? "")
    }
    return status
  }

  /// Reads a fix from columns beginning at `first`: time, latitude, longitude, accuracy, receipt, speed and
  /// course.
  static func fix(_ row: SQLRow, _ first: Int, altitude: Altitude? = nil) -> Fix? {
    guard let position = row.place(first + 1) else { return nil }
    let accuracy: Double = row[first + 3]
    return Fix(
      position: position, accuracy: accuracy.isFinite ? .radius(.metres(accuracy)) : .unstated,
      measuredAt: row.instant(first), receivedAt: row.instant(first + 4),
      speed: (row[first + 5] as Double?).map { .metresPerSecond($0) },
      course: (row[first + 6] as Double?).map { .degrees($0) }, altitude: altitude)
  }

  /// Reads a height, its error and its reference. Rows without a reference are older than the use of heights;
  /// their height is left out.
  static func altitude(_ row: SQLRow, _ first: Int) -> Altitude? {
    guard let metres: Double = row[first], let number: Int = row[first + 2],
      let reference = UInt8(exactly: number).flatMap(Altitude.Reference.init(rawValue:))
    else { return nil }
    return Altitude(metres: metres, error: row[first + 1], reference: reference)
  }

  static func insert(
    _ device: Device, _ identities: [DeviceIdentity], _ database: any SQLTransaction
  ) throws {
    if let owner = device.account { _ = try account(owner, database) }
    try database.insert(
      """
      INSERT INTO device (id, account, name, tracker_id, is_armed, settings, report_interval, passphrase,
        created_at, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
      """,
      [
        device.id.sql, device.account?.sql, device.name, device.trackerID, device.isArmed, device.settings,
        device.reportInterval?.milliseconds, device.passphrase, device.createdAt.sql,
      ])
    try beginVersions(of: device.id, database)
    for identity in identities { try insert(identity, device.id, database) }
    if let account = device.account {
      if device.reportInterval != nil { try makeDue(device.id, at: device.createdAt, database) }
      try change(.device, device.id.rawValue, of: account, at: device.createdAt, database)
    }
  }

  static func insert(
    _ identity: DeviceIdentity, _ device: DeviceID, _ database: any SQLTransaction
  ) throws {
    try database.insert(
      "INSERT INTO device_identity (scheme, value, account, device) VALUES (?, ?, ?, ?)",
      [identity.scheme.rawValue, identity.value, identity.account?.sql, device.sql])
  }

  static func device(_ id: DeviceID, _ database: any SQLTransaction) throws -> Device {
    let row = try database.row("SELECT \(deviceColumns) FROM \(deviceTables) WHERE device.id = ?", [id.sql])
    guard let row else { throw StoreError.notFound }
    return device(row)
  }

  static func device(_ id: DeviceID, of account: AccountID, _ database: any SQLTransaction) throws -> Device {
    let device = try device(id, database)
    guard device.account == account else { throw StoreError.notFound }
    return device
  }

  /// - Throws: `.taken` if the id or an identity is in use.
  public func create(_ device: Device, identities: [DeviceIdentity]) async throws(StoreError) {
    try await write { try Self.insert(device, identities, $0) }
  }

  public func device(_ id: DeviceID, of account: AccountID) async throws(StoreError) -> Device {
    try await read { try Self.device(id, of: account, $0) }
  }

  /// The device of any account, for the ingest and the delivery.
  public func device(_ id: DeviceID) async throws(StoreError) -> Device {
    try await read { try Self.device(id, $0) }
  }

  /// The devices, ascending by name, then id.
  public func devices(of account: AccountID) async throws(StoreError) -> [Device] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.deviceColumns) FROM \(Self.deviceTables) WHERE account = ? ORDER BY name, device.id",
        [account.sql]
      ).map { Self.device($0) }
    }
  }

  /// The devices with a tracker id and a position, in the same order.
  public func trackedDevices(of account: AccountID, limit: Int) async throws(StoreError) -> [Device] {
    try await read { database in
      try database.rows(
        """
        SELECT \(Self.deviceColumns) FROM \(Self.deviceTables) WHERE account = ? AND tracker_id <> ''
          AND measured_at IS NOT NULL ORDER BY name, device.id LIMIT ?
        """, [account.sql, limit]
      ).map { Self.device($0) }
    }
  }

  /// Saves name, tracker id, arming, settings, report interval and passphrase.
  @discardableResult
  public func save(
    _ device: Device, over revision: Revision, at now: Instant
  ) async throws(StoreError) -> Device {
    try await write { database in
      let stored = try Self.device(device.id, database)
      guard let account = device.account, stored.account == account else { throw StoreError.notFound }
      guard stored.revision == revision else { throw StoreError.stale(stored: stored.revision) }
      try database.run(
        """
        UPDATE device SET name = ?, tracker_id = ?, is_armed = ?, settings = ?, report_interval = ?,
          passphrase = ?, revision = revision + 1 WHERE id = ?
        """,
        [
          device.name, device.trackerID, device.isArmed, device.settings,
          device.reportInterval?.milliseconds, device.passphrase, device.id.sql,
        ])
      try Self.outdate(device.id, database)
      try Self.makeDue(device.id, at: now, database)
      try Self.change(.device, device.id.rawValue, of: account, at: now, database)
      return try Self.device(device.id, database)
    }
  }

  /// Deletes the device with its fixes, commands, events and alarms.
  /// - Throws: `.notFound`; `.checkInRuns` if a check-in of the device has not ended.
  public func deleteDevice(
    _ id: DeviceID, of account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      _ = try Self.device(id, of: account, database)
      try Self.refuseWithCheckIn(on: id, database)
      try Self.companionsMayEnd(where: "companion.target = ?3", id.sql, at: now, database)
      try Self.forgetExpectedArrivals(of: account, on: id, at: now, database)
      try Self.remove(id, database)
      try Self.change(.device, id.rawValue, of: account, deleted: true, at: now, database)
    }
  }

  /// Deletes the device's row. Its history is deleted later, in small steps.
  static func remove(_ device: DeviceID, _ database: any SQLTransaction) throws {
    try database.run("DELETE FROM device WHERE id = ?", [device.sql])
    try database.run("INSERT INTO deleted_device (device) VALUES (?) ON CONFLICT DO NOTHING", [device.sql])
  }
}
