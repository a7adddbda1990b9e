import AlarmEngine

/// Reads devices with their engines. Many are read at once: after a start, or if not all devices fit into
/// memory, a batch of posts needs many of them.
extension SQLStore {
  /// Returns the stored states of devices' engines, as of one moment. Devices that are gone are left out.
  /// - Parameter time: for devices without a snapshot, fixes and commands later than this are read.
  public func deviceStates(
    _ devices: [DeviceID], since time: Instant
  ) async throws(StoreError) -> [DeviceID: DeviceState] {
    guard !devices.isEmpty else { return [:] }
    return try await read { database in
      var states: [DeviceID: DeviceState] = [:]
      var firsts: [DeviceID: Int64] = [:]
      let found = try Self.deviceRows(Set(devices).sorted(), database)
      let zoneSets = try Self.presentZoneSets(of: Set(found.compactMap(\.device.account)).sorted(), database)
      for state in found {
        let zoneSet = state.device.account.flatMap { zoneSets[$0] }
        // Skip a device whose account is being erased.
        guard (zoneSet == nil) == (state.device.account == nil) else { continue }
        let (first, isBeyond) = (state.snapshot?.through ?? time).sql.addingReportingOverflow(1)
        guard !isBeyond else { continue }
        firsts[state.device.id] = first
        states[state.device.id] = state
        states[state.device.id]?.zoneSet = zoneSet
      }
      let alarms = try Self.openAlarms(of: firsts.keys.sorted(), database)
      let fixes = try Self.fixes(since: firsts, database)
      let commands = try Self.commands(since: firsts, database)
      let reminders = try Self.reminders(
        ofAll: Set(states.values.compactMap(\.device.account)).sorted(), database)
      let checkIns = try Self.checkIns(on: firsts.keys.sorted(), database)
      let expected = try Self.expectedArrivals(of: firsts.keys.sorted(), database)
      for device in firsts.keys {
        states[device]?.checkIn = checkIns[device]
        states[device]?.expectedArrivals = expected[device] ?? []
        states[device]?.fixes = fixes[device] ?? []
        states[device]?.commands = commands[device] ?? []
        states[device]?.openAlarms = alarms[device] ?? []
        guard let account = states[device]?.device.account else { continue }
        states[device]?.reminders = reminders[account] ?? []
      }
      return states
    }
  }

  private static let idTable = SQLTable("device", ["id": .integer])

  /// Reads the devices with their due times and last stored engines; fixes, commands and alarms are added
  /// later.
  private static func deviceRows(
    _ devices: [DeviceID], _ database: any SQLTransaction
  ) throws -> [DeviceState] {
    try database.rows(
      """
      SELECT \(deviceColumns), device_due.at, device_snapshot.through, zone_set, bytes, silences, version,
        device_snapshot.reminders,
        EXISTS (SELECT 1 FROM companion WHERE companion.device = device.id AND companion.ended_at IS NULL),
        EXISTS (SELECT 1 FROM companion WHERE companion.target = device.id AND companion.ended_at IS NULL)
      FROM \(deviceTables)
      LEFT JOIN engine_version ON engine_version.device = device.id
      LEFT JOIN device_due ON device_due.device = device.id
      LEFT JOIN device_snapshot ON device_snapshot.device = device.id
      WHERE device.id IN (SELECT given.id FROM given)
      """, given: idTable, devices.map { [$0.sql.sqlValue] }
    ).map { row in
      let device = device(row)
      let next = deviceColumnCount
      return DeviceState(
        device: device, version: (row[next + 5] as Int64?) ?? 0,
        snapshot: row.optionalInstant(next + 1).map {
          DeviceSnapshot(
            device: device.id, through: $0, zoneSet: row.revision(next + 2), bytes: row.bytes(next + 3),
            silences: DeviceSnapshot.silences(row[next + 4]), reminders: row.bytes(next + 6))
        },
        zoneSet: nil, due: row.optionalInstant(next), fixes: [], commands: [], openAlarms: [],
        hasCompanions: row[next + 7], isCompanion: row[next + 8])
    }
  }

  /// The open alarms, ascending by id.
  private static func openAlarms(
    of devices: [DeviceID], _ database: any SQLTransaction
  ) throws -> [DeviceID: [AlarmRecord]] {
    let alarms = try database.rows(
      """
      SELECT \(alarmColumns) FROM alarm WHERE device IN (SELECT given.id FROM given) AND is_open ORDER BY id
      """, given: idTable, devices.map { [$0.sql.sqlValue] }
    ).map { try alarm($0) }
    return Dictionary(grouping: alarms, by: \.device)
  }

  private static let fixTable = SQLTable("fix", ["device": .integer, "first": .integer])

  /// - Parameter firsts: for each device, the time in milliseconds from which fixes are read.
  private static func fixes(
    since firsts: [DeviceID: Int64], _ database: any SQLTransaction
  ) throws -> [DeviceID: [StoredFix]] {
    guard let earliest = firsts.values.min() else { return [:] }
    var fixes: [DeviceID: [StoredFix]] = [:]
    // Fixes of a day are stored together, so each stored day is one search.
    var day = try database.integer(
      "SELECT min(day) FROM fix WHERE day >= ?", [IngestWriter.day(of: Instant(sql: earliest))])
    while let current = day {
      let wanted = firsts.filter { IngestWriter.day(of: Instant(sql: $0.value)) <= current }
      let rows = try database.rows(
        """
        SELECT \(fixColumns), fix.device FROM given JOIN fix ON fix.device = given.device AND measured_at >= given.first
        WHERE day = ?1 ORDER BY fix.device, measured_at, latitude, longitude, accuracy
        """, given: fixTable,
        wanted.sorted { $0.key < $1.key }.map { [$0.key.sql.sqlValue, $0.value.sqlValue] },
        [current])
      for row in rows {
        let device: DeviceID = row.id(12)
        fixes[device, default: []].append(try storedFix(row, of: device))
      }
      day = try database.integer("SELECT min(day) FROM fix WHERE day > ?", [current])
    }
    return fixes
  }

  private static let commandTable = SQLTable("command", ["device": .integer, "first": .integer])

  private static func commands(
    since firsts: [DeviceID: Int64], _ database: any SQLTransaction
  ) throws -> [DeviceID: [DeviceCommand]] {
    let rows = try database.rows(
      """
      SELECT \(commandColumns), command.device FROM given
      JOIN command ON command.device = given.device AND at >= given.first ORDER BY command.device, at, number
      """, given: commandTable,
      firsts.sorted { $0.key < $1.key }.map { [$0.key.sql.sqlValue, $0.value.sqlValue] })
    var commands: [DeviceID: [DeviceCommand]] = [:]
    for row in rows {
      let device: DeviceID = row.id(6)
      commands[device, default: []].append(try command(row, of: device))
    }
    return commands
  }
}
