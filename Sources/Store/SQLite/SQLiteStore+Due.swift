import AlarmEngine
import GRDB

extension SQLiteStore {
  public func devicesDue(
    of account: AccountID?, through now: Instant, limit: Int
  ) async throws(StoreError) -> [DueDevice] {
    try await read { database in
      let rows =
        if let account {
          try database.rows(
            """
            SELECT device, mark FROM device JOIN device_due ON device_due.device = device.id
            WHERE account = ? AND at <= ? ORDER BY at, device LIMIT ?
            """, [account.sql, now.sql, limit])
        } else {
          try database.rows(
            "SELECT device, mark FROM device_due WHERE at <= ? ORDER BY at, device LIMIT ?", [now.sql, limit])
        }
      return rows.map { DueDevice(device: $0.id(0), mark: DueMark(rawValue: $0[1])) }
    }
  }

  public func nextDeviceDue() async throws(StoreError) -> Instant? {
    try await read { try $0.integer("SELECT min(at) FROM device_due").map { Instant(sql: $0) } }
  }

  public func latestTime() async throws(StoreError) -> Instant? {
    try await read { database in
      let heard = try database.integer("SELECT max(heard_at) FROM device_last")
      let rang = try database.integer("SELECT max(last_rang_at) FROM alarm WHERE is_open")
      return [heard, rang].compactMap { $0 }.max().map { Instant(sql: $0) }
    }
  }

  public func clockSetBack(to now: Instant) async throws(StoreError) {
    try await write { database in
      try database.run("UPDATE device_due SET at = ?1, mark = random() WHERE at > ?1", [now.sql])
      try database.run(
        "UPDATE outbox SET ready_at = ?1, expires_at = min(expires_at, ?2) WHERE ready_at > ?1 AND NOT is_leased",
        [now.sql, (now + .hours(24)).sql])
      // What is on its way is known to have failed after as long as a lease lasts.
      try database.run(
        "UPDATE outbox SET ready_at = min(ready_at, ?2) WHERE ready_at > ?1 AND is_leased",
        [now.sql, (now + .minutes(2)).sql])
    }
  }

  private static let orEarlier =
    "ON CONFLICT (device) DO UPDATE SET at = min(at, excluded.at), mark = excluded.mark"

  /// The device is to be looked at at `now`, or earlier where it is due already.
  static func makeDue(_ device: DeviceID, at now: Instant, _ database: Database) throws {
    try database.run(
      "INSERT INTO device_due (device, at, mark) VALUES (?, ?, random()) \(orEarlier)", [device.sql, now.sql])
  }

  /// All of an account that have an engine, or must report.
  static func makeDue(devicesOf account: AccountID, at now: Instant, _ database: Database) throws {
    try database.run(
      """
      INSERT INTO device_due (device, at, mark) SELECT id, ?, random() FROM device WHERE account = ?
        AND (report_interval IS NOT NULL OR EXISTS (SELECT 1 FROM device_snapshot WHERE device = device.id))
      \(orEarlier)
      """, [now.sql, account.sql])
  }

  /// The zones of all followers of a collection are others now.
  static func makeDue(followersOf collection: CollectionID, at now: Instant, _ database: Database) throws {
    try database.run(
      """
      INSERT INTO device_due (device, at, mark) SELECT device.id, ?, random() FROM device
        JOIN follow ON follow.account = device.account WHERE follow.collection = ?
        AND EXISTS (SELECT 1 FROM device_snapshot WHERE device = device.id)
      \(orEarlier)
      """, [now.sql, collection.sql])
  }

  /// Nobody is told anything of a disabled account's devices.
  static func forgetDue(devicesOf account: AccountID, _ database: Database) throws {
    try database.run(
      "DELETE FROM device_due WHERE device IN (SELECT id FROM device WHERE account = ?)", [account.sql])
  }
}
