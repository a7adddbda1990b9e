import AlarmEngine
import Foundation

/// Writing phones' statuses and raw bodies.
extension IngestWriter {
  func writeStatuses() throws {
    let statuses = batch.statuses.sorted { $0.key < $1.key }.filter { exists($0.key) }
    try database.insert(
      Self.statusTable,
      statuses.map { device, status in
        let row: SQLArguments = [
          device.sql, status.battery, status.isCharging,
          status.motion.isEmpty ? nil as String? : status.motion.joined(separator: "\n"),
          status.altitude?.metres, status.toldAt?.sql, status.lowBatterySince?.sql, status.unreadSince?.sql,
          status.unread.map { Int64($0.rawValue) }, status.malformed?.count, status.malformed?.since.sql,
          status.malformed?.reason,
        ]
        return row.values
      },
      onConflict: .update(
        "device",
        set: Self.statusTable.columns.dropFirst().map { "\($0.name) = excluded.\($0.name)" }.joined(
          separator: ", ")))
  }

  private static let statusTable = SQLTable(
    "device_status",
    [
      "device": .integer, "battery": .real, "is_charging": .boolean, "motion": .text, "altitude": .real,
      "told_at": .integer, "low_since": .integer, "unread_since": .integer, "unread": .integer,
      "malformed": .integer, "malformed_since": .integer, "malformed_reason": .text,
    ])

  func writeRawBodies() throws {
    let bodies = batch.rawBodies.filter { $0.device.map(exists) ?? true }
    let devices = Set(bodies.map(\.device))
    try database.run(
      "INSERT INTO raw_body (device, received_at, source, reason, body, size) VALUES (?, ?, ?, ?, ?, ?)",
      each: bodies.map { body in
        let kept = isClaimed(body.device) ? RawBody.keptBytes : RawBody.keptBytesUnclaimed
        return [
          body.device?.sql, body.receivedAt.sql, body.source, body.reason, Data(body.body.prefix(kept)),
          body.body.count,
        ]
      })
    for device in devices {
      let most = isClaimed(device) ? RawBody.keptForDevice : RawBody.keptForUnclaimed
      try database.run(
        """
        DELETE FROM raw_body WHERE number IN (SELECT number FROM (
          SELECT number, row_number() OVER latest AS place, sum(length(body)) OVER latest AS bytes
          FROM raw_body WHERE device IS NOT DISTINCT FROM ?1 WINDOW latest AS (ORDER BY number DESC)) AS ranked
        WHERE place > ?2 OR (place > 1 AND bytes > ?3))
        """, [device?.sql, most, RawBody.keptBytesForDevice])
    }
    try database.run(
      "DELETE FROM raw_body WHERE number <= (SELECT max(number) FROM raw_body) - ?", [RawBody.kept])
  }

  /// True if the device exists and belongs to an account.
  private func isClaimed(_ device: DeviceID?) -> Bool { device.flatMap { accounts[$0] ?? nil } != nil }
}
