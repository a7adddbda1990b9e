import AlarmEngine
import GRDB
import Geometry

/// Writes one batch inside a transaction.
struct IngestWriter {
  let database: Database
  let batch: IngestBatch
  /// Of the devices of the batch that exist: whose they are.
  private(set) var accounts: [DeviceID: AccountID?] = [:]
  private var absent: Set<DeviceID> = []
  /// In force now.
  private var zoneSets: [AccountID: Revision] = [:]
  private let accountOf: HotStatement

  init(_ batch: IngestBatch, _ database: Database) throws {
    self.batch = batch
    self.database = database
    accountOf = try HotStatement(database, "SELECT account FROM device WHERE id = ?")
  }

  mutating func write() throws -> IngestReceipt {
    if !batch.versions.isEmpty { try countVersions() }
    let newFixes = try writeFixes()
    if !batch.statuses.isEmpty { try writeStatuses() }
    if !batch.rawBodies.isEmpty { try writeRawBodies() }
    if !batch.snapshots.isEmpty { try writeSnapshots() }
    if !batch.commands.isEmpty { try writeCommands() }
    if !batch.events.isEmpty { try writeEvents() }
    if !batch.dues.isEmpty { try writeDues() }
    var changes = batch.changes
    for alarm in batch.alarms where try exists(alarm.device, of: alarm.account) {
      try SQLiteStore.upsert(alarm, database)
      changes.append(NewChange(account: alarm.account, kind: .alarm, id: alarm.id.rawValue))
    }
    for alarm in batch.withdrawn { try SQLiteStore.withdraw(alarm, at: batch.at, database) }
    for showing in batch.notices where try exists(showing.device, of: showing.account) {
      try SQLiteStore.show(showing, at: batch.at, database)
    }
    for item in batch.outbox { try SQLiteStore.enqueue(item, at: batch.at, database) }
    // In the order of accounts, since each has to wait for whoever else writes to the account's feed.
    for change in changes.sorted(by: { ($0.account, $0.kind.rawValue) < ($1.account, $1.kind.rawValue) }) {
      try SQLiteStore.tell(change.kind, change.id, of: change.account, at: batch.at, database)
    }
    return IngestReceipt(newFixes: newFixes, gone: absent)
  }

  mutating func exists(_ device: DeviceID) throws -> Bool {
    if accounts[device] != nil { return true }
    if absent.contains(device) { return false }
    accountOf.bind(1, device.sql)
    guard let account = try accountOf.integer() else {
      absent.insert(device)
      return false
    }
    accounts.updateValue(account.map { AccountID(sql: $0) }, forKey: device)
    return true
  }

  private mutating func exists(_ device: DeviceID, of account: AccountID) throws -> Bool {
    guard try exists(device), let owner = accounts[device] else { return false }
    return owner == account
  }

  private mutating func writeFixes() throws -> Int {
    guard !batch.fixes.isEmpty else { return 0 }
    let insert = try HotStatement(
      database, "INSERT OR IGNORE INTO fix VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    let last = try HotStatement(
      database,
      """
      INSERT INTO device_last VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      ON CONFLICT (device) DO UPDATE SET heard_at = max(heard_at, ?2), measured_at = ?3, latitude = ?4,
        longitude = ?5, accuracy = ?6, received_at = ?7, speed = ?8, course = ?9
        WHERE measured_at IS NULL OR measured_at <= ?3
      """)
    let heard = try HotStatement(
      database,
      """
      INSERT INTO device_last (device, heard_at) VALUES (?1, ?2)
      ON CONFLICT (device) DO UPDATE SET heard_at = max(heard_at, ?2)
      """)
    var new = 0
    for group in batch.fixes where try exists(group.device) {
      // Strangers can make as many as they like: of what belongs to nobody the last position is all that is kept.
      let hasHistory = (accounts[group.device] ?? nil) != nil
      var latest: Fix?
      for stored in group.fixes {
        let fix = stored.fix
        let isFuture = fix.measuredAt > fix.receivedAt + HybridClock.allowance
        if !isFuture, latest.map({ $0.measuredAt <= fix.measuredAt }) ?? true { latest = fix }
        guard hasHistory else { continue }
        insert.bind(1, Self.day(of: fix.measuredAt))
        insert.bind(2, group.device.sql)
        insert.bind(3, fix.measuredAt.sql)
        insert.bind(4, fix.position.latitude.degrees)
        insert.bind(5, fix.position.longitude.degrees)
        insert.bind(6, Self.accuracy(fix))
        insert.bind(7, fix.receivedAt.sql)
        insert.bind(8, fix.speed?.metresPerSecond)
        insert.bind(9, fix.course?.degrees)
        insert.bind(10, stored.altitude?.metres)
        insert.bind(11, stored.battery)
        insert.bind(12, stored.detail)
        new += try insert.run()
      }
      if let latest {
        last.bind(1, group.device.sql)
        last.bind(2, batch.at.sql)
        last.bind(3, latest.measuredAt.sql)
        last.bind(4, latest.position.latitude.degrees)
        last.bind(5, latest.position.longitude.degrees)
        last.bind(6, Self.accuracy(latest))
        last.bind(7, latest.receivedAt.sql)
        last.bind(8, latest.speed?.metresPerSecond)
        last.bind(9, latest.course?.degrees)
        if try last.run() > 0 { continue }
      }
      guard group.isHeard else { continue }
      heard.bind(1, group.device.sql)
      heard.bind(2, batch.at.sql)
      _ = try heard.run()
    }
    return new
  }

  /// Since 1970-01-01, in UTC.
  static func day(of instant: Instant) -> Int64 {
    let day: Int64 = 86_400_000
    let quotient = instant.sql / day
    return instant.sql % day < 0 ? quotient - 1 : quotient
  }

  private static func accuracy(_ fix: Fix) -> Double { fix.accuracy.stated?.metres ?? .infinity }

  /// Whether the account's zones have changed since those.
  private mutating func isOutdated(_ zoneSet: Revision, of account: AccountID) throws -> Bool {
    let present = try zoneSets[account] ?? SQLiteStore.presentZoneSet(of: account, database)
    zoneSets[account] = present
    return present.map { zoneSet < $0 } ?? false
  }

  private mutating func writeSnapshots() throws {
    let upsert = try HotStatement(
      database,
      """
      INSERT INTO device_snapshot VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (device) DO UPDATE SET through = ?2, zone_set = ?3, bytes = ?4
      """)
    for snapshot in batch.snapshots where try exists(snapshot.device) {
      upsert.bind(1, snapshot.device.sql)
      upsert.bind(2, snapshot.through.sql)
      upsert.bind(3, snapshot.zoneSet.sql)
      upsert.bind(4, snapshot.bytes)
      _ = try upsert.run()
      // An edit since its zones were read: one that had no engine then was not made due.
      if let account = accounts[snapshot.device] ?? nil, try isOutdated(snapshot.zoneSet, of: account) {
        try SQLiteStore.makeDue(snapshot.device, at: batch.at, database)
      }
    }
  }

  private mutating func writeDues() throws {
    let earlier = try HotStatement(
      database,
      """
      INSERT INTO device_due (device, at, mark) VALUES (?1, ?2, random())
      ON CONFLICT (device) DO UPDATE SET at = ?2 WHERE ?2 < at
      """)
    let seen = try HotStatement(
      database,
      """
      INSERT INTO device_due (device, at, mark) VALUES (?1, ?2, random())
      ON CONFLICT (device) DO UPDATE SET at = ?2 WHERE mark = ?3
      """)
    for due in batch.dues where try exists(due.device) {
      switch (due.at, due.seen) {
      case (let at?, let mark?):
        seen.bind(1, due.device.sql)
        seen.bind(2, at.sql)
        seen.bind(3, mark.rawValue)
        _ = try seen.run()
      case (let at?, nil):
        earlier.bind(1, due.device.sql)
        earlier.bind(2, at.sql)
        _ = try earlier.run()
      case (nil, let mark?):
        try database.run(
          "DELETE FROM device_due WHERE device = ? AND mark = ?", [due.device.sql, mark.rawValue])
      case (nil, nil): break
      }
    }
  }

  private mutating func writeEvents() throws {
    let insert = try HotStatement(
      database, "INSERT INTO event (device, time, is_retracted, bytes) VALUES (?, ?, ?, ?)")
    for event in batch.events where try exists(event.device) {
      insert.bind(1, event.device.sql)
      insert.bind(2, event.event.time.sql)
      insert.bind(3, event.isRetracted ? 1 as Int64 : 0)
      insert.bind(4, EventBytes.encode([event.event]))
      _ = try insert.run()
    }
  }

  private mutating func writeCommands() throws {
    let insert = try HotStatement(
      database,
      "INSERT INTO command (device, at, kind, alarm, argument, given_by) VALUES (?, ?, ?, ?, ?, ?)")
    for command in batch.commands where try exists(command.device) {
      let (kind, alarm, argument) = command.kind.columns
      insert.bind(1, command.device.sql)
      insert.bind(2, command.at.sql)
      insert.bind(3, kind)
      insert.bind(4, alarm)
      insert.bind(5, argument)
      insert.bind(6, command.by)
      _ = try insert.run()
    }
  }
}

extension DeviceCommand.Kind {
  var columns: (kind: Int64, alarm: Int64?, argument: Int64?) {
    switch self {
    case .activate: (1, nil, nil)
    case .deactivate: (2, nil, nil)
    case .close(let alarm): (3, alarm.sql, nil)
    case .sleep(let alarm): (4, alarm.sql, nil)
    case .acknowledgeInside(let alarm): (5, alarm.sql, nil)
    case .acknowledgeForToday(let alarm, let until): (6, alarm.sql, until.sql)
    case .replaceZones(let revision): (7, nil, revision.sql)
    }
  }

  init?(kind: Int64, alarm: AlarmID?, argument: Int64?) {
    switch (kind, alarm, argument) {
    case (1, _, _): self = .activate
    case (2, _, _): self = .deactivate
    case (3, let alarm?, _): self = .close(alarm)
    case (4, let alarm?, _): self = .sleep(alarm)
    case (5, let alarm?, _): self = .acknowledgeInside(alarm)
    case (6, let alarm?, let until?): self = .acknowledgeForToday(alarm, until: Instant(sql: until))
    case (7, _, let revision?): self = .replaceZones(Revision(rawValue: revision))
    default: return nil
    }
  }
}
