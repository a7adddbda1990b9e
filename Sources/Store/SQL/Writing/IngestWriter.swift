import AlarmEngine
import Foundation
import Geometry

/// Writes one batch inside a transaction.
struct IngestWriter {
  let database: any SQLTransaction
  let batch: IngestBatch
  /// Of the devices of the batch that exist: whose they are.
  private(set) var accounts: [DeviceID: AccountID?] = [:]
  /// Those that do not.
  private var absent: Set<DeviceID> = []
  /// In force now.
  private var zoneSets: [AccountID: Revision] = [:]

  init(_ batch: IngestBatch, _ database: any SQLTransaction) throws {
    self.batch = batch
    self.database = database
    try findDevices()
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
    for alarm in batch.alarms where exists(alarm.device, of: alarm.account) {
      try SQLStore.upsert(alarm, database)
      changes.append(NewChange(account: alarm.account, kind: .alarm, id: alarm.id.rawValue))
    }
    for alarm in batch.withdrawn { try SQLStore.withdraw(alarm, at: batch.at, database) }
    for showing in batch.notices where exists(showing.device, of: showing.account) {
      try SQLStore.show(showing, at: batch.at, database)
    }
    for item in batch.outbox { try SQLStore.enqueue(item, at: batch.at, database) }
    // In the order of accounts, since each has to wait for whoever else writes to the account's feed.
    for change in changes.sorted(by: { ($0.account, $0.kind.rawValue) < ($1.account, $1.kind.rawValue) }) {
      try SQLStore.tell(change.kind, change.id, of: change.account, at: batch.at, database)
    }
    return IngestReceipt(newFixes: newFixes, gone: absent)
  }

  /// All that the batch names, at once.
  private mutating func findDevices() throws {
    var named = Set(batch.fixes.map(\.device))
    named.formUnion(batch.statuses.keys)
    named.formUnion(batch.rawBodies.compactMap(\.device))
    named.formUnion(batch.snapshots.map(\.device))
    named.formUnion(batch.commands.map(\.device))
    named.formUnion(batch.events.map(\.device))
    named.formUnion(batch.dues.map(\.device))
    named.formUnion(batch.alarms.map(\.device))
    named.formUnion(batch.notices.map(\.device))
    named.formUnion(batch.versions.keys)
    let devices = named.sorted()
    let found = try database.rows("SELECT account FROM device WHERE id = ?", each: devices.map { [$0.sql] })
    for (device, rows) in zip(devices, found) {
      if let row = rows.first {
        accounts.updateValue(row.optionalID(0), forKey: device)
      } else {
        absent.insert(device)
      }
    }
  }

  func exists(_ device: DeviceID) -> Bool { accounts[device] != nil }

  private func exists(_ device: DeviceID, of account: AccountID) -> Bool { accounts[device] == account }

  private static let fixTable = SQLTable(
    "fix",
    [
      "day": .integer, "device": .integer, "measured_at": .integer, "latitude": .real, "longitude": .real,
      "accuracy": .real, "received_at": .integer, "speed": .real, "course": .real, "altitude": .real,
      "battery": .real, "detail": .text,
    ])

  private func writeFixes() throws -> Int {
    guard !batch.fixes.isEmpty else { return 0 }
    var fixes: [SQLArguments] = []
    var latest: [SQLArguments] = []
    /// Whether each of `latest` is a sign of life, too.
    var areHeard: [Bool] = []
    var heard: [SQLArguments] = []
    for group in batch.fixes where exists(group.device) {
      // Strangers can make as many as they like: of what belongs to nobody the last position is all that is kept.
      let hasHistory = (accounts[group.device] ?? nil) != nil
      var last: Fix?
      for stored in group.fixes {
        let fix = stored.fix
        let isFuture = fix.measuredAt > fix.receivedAt + HybridClock.allowance
        if !isFuture, last.map({ $0.measuredAt <= fix.measuredAt }) ?? true { last = fix }
        guard hasHistory else { continue }
        fixes.append([
          Self.day(of: fix.measuredAt), group.device.sql, fix.measuredAt.sql, fix.position.latitude.degrees,
          fix.position.longitude.degrees, Self.accuracy(fix), fix.receivedAt.sql,
          fix.speed?.metresPerSecond, fix.course?.degrees, stored.altitude?.metres, stored.battery,
          stored.detail,
        ])
      }
      if let last {
        latest.append([
          group.device.sql, batch.at.sql, last.measuredAt.sql, last.position.latitude.degrees,
          last.position.longitude.degrees, Self.accuracy(last), last.receivedAt.sql,
          last.speed?.metresPerSecond, last.course?.degrees,
        ])
        areHeard.append(group.isHeard)
      } else if group.isHeard {
        heard.append([group.device.sql, batch.at.sql])
      }
    }
    let new = try database.insert(Self.fixTable, fixes.map(\.values), orIgnore: true)
    let updated = try database.run(
      """
      INSERT INTO device_last (device, heard_at, measured_at, latitude, longitude, accuracy, received_at, speed, course)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (device) DO UPDATE SET heard_at = max(device_last.heard_at, excluded.heard_at),
        measured_at = excluded.measured_at, latitude = excluded.latitude, longitude = excluded.longitude,
        accuracy = excluded.accuracy, received_at = excluded.received_at, speed = excluded.speed,
        course = excluded.course
        WHERE device_last.measured_at IS NULL OR device_last.measured_at <= excluded.measured_at
      """, each: latest)
    // What is older than the last position is a sign of life all the same.
    for (place, isHeard) in areHeard.enumerated() where isHeard && updated[place] == 0 {
      heard.append(SQLArguments(Array(latest[place].values.prefix(2))))
    }
    try database.run(
      """
      INSERT INTO device_last (device, heard_at) VALUES (?, ?)
      ON CONFLICT (device) DO UPDATE SET heard_at = max(device_last.heard_at, excluded.heard_at)
      """, each: heard)
    return new
  }

  /// Since 1970-01-01, in UTC.
  static func day(of instant: Instant) -> Int64 {
    let day: Int64 = 86_400_000
    let quotient = instant.sql / day
    return instant.sql % day < 0 ? quotient - 1 : quotient
  }

  static func accuracy(_ fix: Fix) -> Double { fix.accuracy.stated?.metres ?? .infinity }

  /// Whether the account's zones have changed since those.
  private mutating func isOutdated(_ zoneSet: Revision, of account: AccountID) throws -> Bool {
    let present = try zoneSets[account] ?? SQLStore.presentZoneSet(of: account, database)
    zoneSets[account] = present
    return present.map { zoneSet < $0 } ?? false
  }

  private mutating func writeSnapshots() throws {
    let snapshots = batch.snapshots.filter { exists($0.device) }
    try database.run(
      """
      INSERT INTO device_snapshot (device, through, zone_set, bytes) VALUES (?, ?, ?, ?)
      ON CONFLICT (device) DO UPDATE SET through = excluded.through, zone_set = excluded.zone_set,
        bytes = excluded.bytes
      """,
      each: snapshots.map { [$0.device.sql, $0.through.sql, $0.zoneSet.sql, Data($0.bytes)] })
    // An edit since its zones were read: one that had no engine then was not made due.
    for snapshot in snapshots {
      guard let account = accounts[snapshot.device] ?? nil else { continue }
      if try isOutdated(snapshot.zoneSet, of: account) {
        try SQLStore.makeDue(snapshot.device, at: batch.at, database)
      }
    }
  }

  private func writeDues() throws {
    for due in batch.dues where exists(due.device) {
      switch (due.at, due.seen) {
      case (let at?, let mark?):
        try database.run(
          """
          INSERT INTO device_due (device, at, mark) VALUES (?, ?, ?)
          ON CONFLICT (device) DO UPDATE SET at = excluded.at WHERE device_due.mark = ?
          """, [due.device.sql, at.sql, Self.newMark(), mark.rawValue])
      case (let at?, nil):
        try database.run(
          """
          INSERT INTO device_due (device, at, mark) VALUES (?, ?, ?)
          ON CONFLICT (device) DO UPDATE SET at = excluded.at WHERE excluded.at < device_due.at
          """, [due.device.sql, at.sql, Self.newMark()])
      case (nil, let mark?):
        try database.run(
          "DELETE FROM device_due WHERE device = ? AND mark = ?", [due.device.sql, mark.rawValue])
      case (nil, nil): break
      }
    }
  }

  /// Of a device that something has made due.
  static func newMark() -> Int64 { .random(in: .min ... .max) }

  private func writeEvents() throws {
    let events = batch.events.filter { exists($0.device) }
    try database.run(
      "INSERT INTO event (device, time, is_retracted, bytes) VALUES (?, ?, ?, ?)",
      each: events.map {
        [$0.device.sql, $0.event.time.sql, $0.isRetracted, Data(EventBytes.encode([$0.event]))]
      })
  }

  private func writeCommands() throws {
    let commands = batch.commands.filter { exists($0.device) }
    try database.run(
      "INSERT INTO command (device, at, kind, alarm, argument, given_by) VALUES (?, ?, ?, ?, ?, ?)",
      each: commands.map {
        let (kind, alarm, argument) = $0.kind.columns
        return [$0.device.sql, $0.at.sql, kind, alarm, argument, $0.by]
      })
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
