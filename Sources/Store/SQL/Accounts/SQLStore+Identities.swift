import AlarmEngine

/// The names under which devices report.
extension SQLStore {
  /// Returns the device with an identity. If there is none, `made` is created, for `identity.account` or
  /// unclaimed.
  /// - Parameters:
  ///   - limit: the most unclaimed devices; beyond it the one that was silent longest is deleted.
  ///   - accountLimit: the most devices of the account.
  /// - Throws: `.tooMany` if a device would be needed for an account that has no room for one.
  public func device(
    identifiedBy identity: DeviceIdentity, makingOne made: Device, unclaimedLimit limit: Int,
    accountLimit: Int = Device.mostOfAccount
  ) async throws(StoreError) -> Device {
    @Sendable func checkRoom(_ database: any SQLTransaction) throws {
      guard let account = identity.account else { return }
      let count = try database.integer("SELECT count(*) FROM device WHERE account = ?", [account.sql])
      guard count ?? 0 < Int64(accountLimit) else { throw StoreError.tooMany(allowed: accountLimit) }
    }
    // Known devices and refusals need only a read transaction.
    let known = try await read { database in
      if let known = try Self.device(identifiedBy: identity, database) { return Device?.some(known) }
      try checkRoom(database)
      return nil
    }
    if let known { return known }
    return try await write { database in
      if let known = try Self.device(identifiedBy: identity, database) { return known }
      try checkRoom(database)
      if identity.account == nil { try Self.makeRoom(forUnclaimed: limit, database) }
      var device = made
      device.account = identity.account
      try Self.insert(device, [identity], database)
      return try Self.device(device.id, database)
    }
  }

  /// Deletes the unclaimed devices that were silent longest, so that adding one does not exceed `limit`. A
  /// phone that still reports is created anew by its next report.
  private static func makeRoom(forUnclaimed limit: Int, _ database: any SQLTransaction) throws {
    let count = try database.integer("SELECT count(*) FROM device WHERE account IS NULL") ?? 0
    guard count >= Int64(limit) else { return }
    let silent = try database.rows(
      """
      SELECT id FROM device LEFT JOIN device_last ON device_last.device = id WHERE account IS NULL
      ORDER BY coalesce(heard_at, created_at), id LIMIT ?
      """, [count - Int64(limit) + 1])
    for row in silent { try remove(row.id(0), database) }
  }

  /// Looks up an identity without making a device.
  public func find(_ identity: DeviceIdentity) async throws(StoreError) -> IdentifiedDevice {
    try await read { database in
      if let known = try Self.device(identifiedBy: identity, database) { return .device(known) }
      guard identity.account == nil else { return .unknown }
      let held = try database.integer(
        "SELECT 1 FROM device_identity WHERE scheme = ? AND value = ? AND account IS NOT NULL LIMIT 1",
        [identity.scheme.rawValue, identity.value])
      return held == nil ? .unknown : .needsProof
    }
  }

  private static func device(
    identifiedBy identity: DeviceIdentity, _ database: any SQLTransaction
  ) throws -> Device? {
    let id =
      if let account = identity.account {
        try database.integer(
          "SELECT device FROM device_identity WHERE scheme = ? AND value = ? AND account = ?",
          [identity.scheme.rawValue, identity.value, account.sql])
      } else {
        try database.integer(
          "SELECT device FROM device_identity WHERE scheme = ? AND value = ? AND account IS NULL",
          [identity.scheme.rawValue, identity.value])
      }
    return try id.map { try device(DeviceID(sql: $0), database) }
  }

  /// The unclaimed devices, latest report first.
  public func unclaimedDevices(limit: Int) async throws(StoreError) -> [Device] {
    try await read { database in
      try database.rows(
        """
        SELECT \(Self.deviceColumns) FROM \(Self.deviceTables) WHERE account IS NULL
        ORDER BY coalesce(heard_at, created_at) DESC, device.id LIMIT ?
        """, [limit]
      ).map { Self.device($0) }
    }
  }

  /// Gives an unclaimed device to an account. Its last fix becomes the first of its history.
  /// - Parameter token: the token with which the device reports from now on. Its names then belong to the
  ///   account, and reports under them need proof. If nil, anybody who knows the device's name can still
  ///   report as the device.
  /// - Throws: `.notFound` if the device is not unclaimed.
  @discardableResult
  public func claim(
    _ device: DeviceID, for account: AccountID, token: DeviceToken?, at now: Instant
  ) async throws(StoreError) -> Device {
    try await write { database in
      try Self.refusePrivate(account, database)
      let claimed = try database.run(
        "UPDATE device SET account = ?, revision = revision + 1 WHERE id = ? AND account IS NULL",
        [account.sql, device.sql])
      guard claimed == 1 else { throw StoreError.notFound }
      if let token {
        guard token.account == account, token.device == device else { throw StoreError.notFound }
        try Self.insert(token, database)
        try Self.endOpenIdentities(of: device, for: account, database)
      }
      if let last = try Self.device(device, database).lastFix {
        try database.run(
          """
          INSERT INTO fix (day, device, measured_at, latitude, longitude, accuracy, received_at, speed, course)
          SELECT ?, device, measured_at, latitude, longitude, accuracy, received_at, speed, course FROM device_last
          WHERE device = ? ON CONFLICT DO NOTHING
          """, [IngestWriter.day(of: last.measuredAt), device.sql])
      }
      try Self.outdate(device, database)
      try Self.makeDue(device, at: now, database)
      try Self.change(.device, device.rawValue, of: account, at: now, database)
      return try Self.device(device, database)
    }
  }

  /// Moves the device's open names to the account. A name that the account uses for another device is
  /// deleted.
  private static func endOpenIdentities(
    of device: DeviceID, for account: AccountID, _ database: any SQLTransaction
  ) throws {
    try database.run(
      """
      UPDATE device_identity SET account = ?1 WHERE device = ?2 AND account IS NULL AND NOT EXISTS (
        SELECT 1 FROM device_identity AS own WHERE own.account = ?1 AND own.scheme = device_identity.scheme
          AND own.value = device_identity.value)
      """, [account.sql, device.sql])
    try database.run("DELETE FROM device_identity WHERE device = ? AND account IS NULL", [device.sql])
  }

  public func identities(of device: DeviceID) async throws(StoreError) -> [DeviceIdentity] {
    try await read { database in
      try database.rows(
        "SELECT scheme, value, account FROM device_identity WHERE device = ? ORDER BY scheme, value, account",
        [device.sql]
      ).map { row in
        guard let scheme = DeviceIdentity.Scheme(rawValue: row[0]) else {
          throw StoreError.corrupted(detail: "a device identity has scheme \(row[0] as String)")
        }
        return DeviceIdentity(scheme, row[1], of: row.optionalID(2))
      }
    }
  }

  public func add(
    _ identity: DeviceIdentity, to device: DeviceID, of account: AccountID
  ) async throws(StoreError) {
    try await write { database in
      _ = try Self.device(device, of: account, database)
      guard identity.account == nil || identity.account == account else { throw StoreError.notFound }
      try Self.insert(identity, device, database)
      try Self.noteEdit(of: account, database)
    }
  }

  public func remove(_ identity: DeviceIdentity, of account: AccountID) async throws(StoreError) {
    try await write { database in
      let removed = try database.run(
        """
        DELETE FROM device_identity WHERE scheme = ? AND value = ? AND account IS NOT DISTINCT FROM ?
          AND device IN (SELECT id FROM device WHERE account = ?)
        """, [identity.scheme.rawValue, identity.value, identity.account?.sql, account.sql])
      guard removed == 1 else { throw StoreError.notFound }
      try Self.noteEdit(of: account, database)
    }
  }
}
