import AlarmEngine
import Foundation
import Geometry

/// Writes one batch inside a transaction.
struct IngestWriter {
  let database: any SQLTransaction
  let batch: IngestBatch
  /// The account of each existing device of the batch; nil for an unclaimed device.
  private(set) var accounts: [DeviceID: AccountID?] = [:]
  /// The devices of the batch that do not exist.
  private var absent: Set<DeviceID> = []

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
    if !batch.companions.isEmpty { try writeCompanions() }
    if !batch.companionsMoved.isEmpty { try wakeCompanions() }
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
    for telling in batch.reminded where exists(telling.device, of: telling.account) {
      try SQLStore.note(telling, at: batch.at, database)
    }
    for step in batch.checkIns { try SQLStore.note(step, database) }
    for step in batch.expectedArrivals { try SQLStore.note(step, database) }
    for item in batch.outbox { try SQLStore.enqueue(item, at: batch.at, database) }
    for reminder in batch.restarted {
      try SQLStore.beginAnew(reminder.id, of: reminder.account, at: batch.at, database)
    }
    try SQLStore.tell(
      changes.sorted { ($0.account, $0.kind.rawValue) < ($1.account, $1.kind.rawValue) }, at: batch.at,
      database)
    return IngestReceipt(newFixes: newFixes, gone: absent)
  }

  /// Looks up all devices of the batch at once.
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
    named.formUnion(batch.reminded.map(\.device))
    named.formUnion(batch.versions.keys)
    let found = try database.rows(
      "SELECT device.id, device.account FROM given JOIN device ON device.id = given.id",
      given: SQLTable("device", ["id": .integer]), named.sorted().map { [$0.sql.sqlValue] })
    for row in found { accounts.updateValue(row.optionalID(1), forKey: row.id(0)) }
    absent = named.filter { !exists($0) }
  }

  func exists(_ device: DeviceID) -> Bool { accounts[device] != nil }

  private func exists(_ device: DeviceID, of account: AccountID) -> Bool { accounts[device] == account }

  private static let fixTable = SQLTable(
    "fix",
    [
      "day": .integer, "device": .integer, "measured_at": .integer, "latitude": .real, "longitude": .real,
      "accuracy": .real, "received_at": .integer, "speed": .real, "course": .real, "altitude": .real,
      "altitude_error": .real, "altitude_reference": .integer, "battery": .real, "detail": .text,
    ])

  private func writeFixes() throws -> Int {
    guard !batch.fixes.isEmpty else { return 0 }
    var fixes: [[SQLValue]] = []
    fixes.reserveCapacity(batch.fixes.reduce(0) { $0 + $1.fixes.count })
    var latest: [DeviceID: Latest] = [:]
    for group in batch.fixes where exists(group.device) {
      // Anybody can create unclaimed devices, so only the last position of such a device is kept.
      let hasHistory = (accounts[group.device] ?? nil) != nil
      var last = latest[group.device] ?? Latest()
      if group.isHeard { last.isHeard = true }
      for stored in group.fixes {
        let fix = stored.fix
        if !stored.isFromFuture, last.fix.map({ $0.measuredAt <= fix.measuredAt }) ?? true { last.fix = fix }
        guard hasHistory else { continue }
        fixes.append([
          .integer(Self.day(of: fix.measuredAt)), .integer(group.device.sql), .integer(fix.measuredAt.sql),
          .real(fix.position.latitude.degrees), .real(fix.position.longitude.degrees),
          .real(Self.accuracy(fix)), .integer(fix.receivedAt.sql), (fix.speed?.metresPerSecond).sqlValue,
          (fix.course?.degrees).sqlValue, (stored.altitude?.metres).sqlValue,
          (fix.altitude?.error?.metres).sqlValue, fix.altitude.map { Int($0.reference.rawValue) }.sqlValue,
          stored.battery.sqlValue, stored.detail.sqlValue,
        ])
      }
      latest[group.device] = last
    }
    let new = try database.insert(Self.fixTable, fixes, orIgnore: true)
    try writeLatest(latest.sorted { $0.key < $1.key })
    return new
  }

  /// The latest fix of a device in a batch.
  private struct Latest {
    var fix: Fix?
    var isHeard = false
  }

  private static let lastTable = SQLTable(
    "device_last",
    [
      "device": .integer, "heard_at": .integer, "measured_at": .integer, "latitude": .real,
      "longitude": .real,
      "accuracy": .real, "received_at": .integer, "speed": .real, "course": .real,
    ])
  private static let heardTable = SQLTable("device_last", Array(lastTable.columns.prefix(2)))
  private static let isNewer =
    "(device_last.measured_at IS NULL OR device_last.measured_at <= excluded.measured_at)"

  private func writeLatest(_ latest: [(key: DeviceID, value: Latest)]) throws {
    func rows(_ wanted: (Latest) -> Bool) -> [[SQLValue]] {
      latest.filter { wanted($0.value) }.map { device, last in
        // A fix that is no sign of life proves the device's presence at the time of measurement only.
        let at = last.isHeard ? batch.at : min(batch.at, last.fix?.measuredAt ?? batch.at)
        let heard: SQLArguments = [device.sql, at.sql]
        guard let fix = last.fix else { return heard.values }
        return
          (heard + [
            fix.measuredAt.sql, fix.position.latitude.degrees, fix.position.longitude.degrees,
            Self.accuracy(fix), fix.receivedAt.sql, fix.speed?.metresPerSecond, fix.course?.degrees,
          ]).values
      }
    }
    let heard = "heard_at = max(device_last.heard_at, excluded.heard_at)"
    let positions = Self.lastTable.columns.dropFirst(2).map(\.name)
    // A fix older than the last position is still a sign of life.
    let positionsIfNewer = positions.map {
      "\($0) = CASE WHEN \(Self.isNewer) THEN excluded.\($0) ELSE device_last.\($0) END"
    }
    try database.insert(
      Self.lastTable, rows { $0.fix != nil && $0.isHeard },
      onConflict: .update("device", set: ([heard] + positionsIfNewer).joined(separator: ", ")))
    // If the device was not heard itself, an older fix changes nothing.
    let plain = ([heard] + positions.map { "\($0) = excluded.\($0)" }).joined(separator: ", ")
    try database.insert(
      Self.lastTable, rows { $0.fix != nil && !$0.isHeard },
      onConflict: .update("device", set: plain + " WHERE " + Self.isNewer))
    try database.insert(
      Self.heardTable, rows { $0.fix == nil && $0.isHeard }, onConflict: .update("device", set: heard))
  }

  /// The number of the UTC day since 1970-01-01.
  static func day(of instant: Instant) -> Int64 {
    let day: Int64 = 86_400_000
    let quotient = instant.sql / day
    return instant.sql % day < 0 ? quotient - 1 : quotient
  }

  static func accuracy(_ fix: Fix) -> Double { fix.accuracy.stated?.metres ?? .infinity }

  private static let snapshotTable = SQLTable(
    "device_snapshot",
    [
      "device": .integer, "through": .integer, "zone_set": .integer, "bytes": .bytes, "silences": .text,
      "reminders": .bytes,
    ])

  private func writeSnapshots() throws {
    let snapshots = batch.snapshots.filter { exists($0.device) }
    try database.insert(
      Self.snapshotTable,
      snapshots.map {
        [
          $0.device.sql.sqlValue, $0.through.sql.sqlValue, $0.zoneSet.sql.sqlValue, Data($0.bytes).sqlValue,
          $0.silencesText.sqlValue, Data($0.reminders).sqlValue,
        ]
      },
      onConflict: .update(
        "device",
        set: """
          through = excluded.through, zone_set = excluded.zone_set, bytes = excluded.bytes,
          silences = excluded.silences, reminders = excluded.reminders
          """))
    // The zones were edited after they were read. A device without an engine was not made due by that edit.
    let watched = snapshots.compactMap { snapshot in
      (accounts[snapshot.device] ?? nil).map { (snapshot, account: $0) }
    }
    let present = try SQLStore.presentZoneSets(of: Set(watched.map(\.account)).sorted(), database)
    for (snapshot, account) in watched {
      guard let present = present[account], snapshot.zoneSet < present else { continue }
      try SQLStore.makeDue(snapshot.device, at: batch.at, database)
    }
  }

  private func writeDues() throws {
    var marked: [SQLArguments] = []
    var unmarked: [SQLArguments] = []
    var over: [SQLArguments] = []
    for due in batch.dues where exists(due.device) {
      switch (due.at, due.seen) {
      case (let at?, let mark?): marked.append([due.device.sql, at.sql, Self.newMark(), mark.rawValue])
      case (let at?, nil): unmarked.append([due.device.sql, at.sql, Self.newMark()])
      case (nil, let mark?): over.append([due.device.sql, mark.rawValue])
      case (nil, nil): break
      }
    }
    try database.run(
      """
      INSERT INTO device_due (device, at, mark) VALUES (?, ?, ?)
      ON CONFLICT (device) DO UPDATE SET at = excluded.at WHERE device_due.mark = ?
      """, each: marked)
    try database.run(
      """
      INSERT INTO device_due (device, at, mark) VALUES (?, ?, ?)
      ON CONFLICT (device) DO UPDATE SET at = excluded.at WHERE excluded.at < device_due.at
      """, each: unmarked)
    try database.run("DELETE FROM device_due WHERE device = ? AND mark = ?", each: over)
  }

  /// A new mark, for a device that was made due.
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

extension DeviceSnapshot {
  /// The spans in milliseconds, separated by commas.
  var silencesText: String { silences.map { "\($0.milliseconds)" }.joined(separator: ",") }

  static func silences(_ text: String) -> [TimeSpan] {
    text.split(separator: ",").compactMap { Int64($0) }.map { .milliseconds($0) }
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
