import AlarmEngine
import GRDB

/// What phones told of themselves, and what of their bodies is kept.
extension IngestWriter {
  mutating func writeStatuses() throws {
    let upsert = try HotStatement(
      database, "INSERT OR REPLACE INTO device_status VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    for (device, status) in batch.statuses.sorted(by: { $0.key < $1.key }) where try exists(device) {
      upsert.bind(1, device.sql)
      upsert.bind(2, status.battery)
      upsert.bind(3, status.isCharging.map { $0 ? 1 as Int64 : 0 })
      upsert.bind(4, status.motion.isEmpty ? nil : status.motion.joined(separator: "\n"))
      upsert.bind(5, status.altitude?.metres)
      upsert.bind(6, status.toldAt?.sql)
      upsert.bind(7, status.lowBatterySince?.sql)
      upsert.bind(8, status.unreadSince?.sql)
      upsert.bind(9, status.unread.map { Int64($0.rawValue) })
      _ = try upsert.run()
    }
  }

  mutating func writeRawBodies() throws {
    let insert = try HotStatement(
      database,
      "INSERT INTO raw_body (device, received_at, source, reason, body, size) VALUES (?, ?, ?, ?, ?, ?)")
    var devices: Set<DeviceID?> = []
    for body in batch.rawBodies {
      if let device = body.device, try !exists(device) { continue }
      devices.insert(body.device)
      let kept = isClaimed(body.device) ? RawBody.keptBytes : RawBody.keptBytesUnclaimed
      insert.bind(1, body.device?.sql)
      insert.bind(2, body.receivedAt.sql)
      insert.bind(3, body.source)
      insert.bind(4, body.reason)
      insert.bind(5, Array(body.body.prefix(kept)))
      insert.bind(6, Int64(body.body.count))
      _ = try insert.run()
    }
    for device in devices {
      let most = isClaimed(device) ? RawBody.keptForDevice : RawBody.keptForUnclaimed
      try database.run(
        """
        DELETE FROM raw_body WHERE number IN (SELECT number FROM (
          SELECT number, row_number() OVER latest AS place, sum(length(body)) OVER latest AS bytes
          FROM raw_body WHERE device IS ?1 WINDOW latest AS (ORDER BY number DESC))
        WHERE place > ?2 OR (place > 1 AND bytes > ?3))
        """, [device?.sql, most, RawBody.keptBytesForDevice])
    }
    try database.run(
      "DELETE FROM raw_body WHERE number <= (SELECT max(number) FROM raw_body) - ?", [RawBody.kept])
  }

  /// Once `exists` was asked.
  private func isClaimed(_ device: DeviceID?) -> Bool { device.flatMap { accounts[$0] ?? nil } != nil }
}
