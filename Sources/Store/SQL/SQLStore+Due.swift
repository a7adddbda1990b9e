import AlarmEngine

/// When devices have to be processed although they report nothing: for repeats, dwells, silence and changed
/// zones.
///
/// Written by `SQLStore.record`. A stored due time is never later than the true one; processing a device
/// too early does no harm. A change of zones, devices or accounts makes the devices concerned due at once,
/// whichever process makes it.
extension SQLStore {
  /// The due devices, the earliest first, ties by id.
  /// - Parameter account: nil for all accounts.
  public func devicesDue(
    of account: AccountID?, through now: Instant, limit: Int
  ) async throws(StoreError) -> [DueDevice] {
    try await read { database in
      let rows =
        if let account {
          try database.rows(
            """
            SELECT device_due.device, mark, at FROM device JOIN device_due ON device_due.device = device.id
            WHERE account = ? AND at <= ? ORDER BY at, device_due.device LIMIT ?
            """, [account.sql, now.sql, limit])
        } else {
          try database.rows(
            "SELECT device, mark, at FROM device_due WHERE at <= ? ORDER BY at, device LIMIT ?",
            [now.sql, limit])
        }
      return rows.map { DueDevice(device: $0.id(0), mark: DueMark(rawValue: $0[1]), at: $0.instant(2)) }
    }
  }

  /// When the next device is due; nil if none will be.
  public func nextDeviceDue() async throws(StoreError) -> Instant? {
    try await read { try $0.integer("SELECT min(at) FROM device_due").map { Instant(sql: $0) } }
  }

  /// The latest time at which anything in the store happened, such as a report or an alarm; nil if the store
  /// is empty.
  public func latestTime() async throws(StoreError) -> Instant? {
    try await read { database in
      let heard = try database.integer("SELECT max(heard_at) FROM device_last")
      let rang = try database.integer("SELECT max(last_rang_at) FROM alarm WHERE is_open")
      return [heard, rang].compactMap { $0 }.max().map { Instant(sql: $0) }
    }
  }

  /// Adapts stored times after the clock was set back by `span` to `now`. Times after `now` at which
  /// something happened are moved back by `span`, to `now` at the latest. Devices that were due after `now`
  /// become due at once. Snapshots are not changed.
  public func clockSetBack(to now: Instant, by span: TimeSpan) async throws(StoreError) {
    try await write { database in
      try Self.putBack(to: now, by: span, database)
      try Self.putCheckInsBack(to: now, by: span, database)
      try Self.outdateAll(database)
      try Self.beginCompanionsAnew(at: now, database)
      try database.run(
        "UPDATE device_due SET at = ?1, mark = ?2 WHERE at > ?1", [now.sql, IngestWriter.newMark()])
      try database.run(
        "UPDATE outbox SET ready_at = ?1, expires_at = min(expires_at, ?2) WHERE ready_at > ?1 AND NOT is_leased",
        [now.sql, (now + .hours(24)).sql])
      // Each process notes anew that it is there.
      try database.run("DELETE FROM process_awake WHERE seen_at > ?", [now.sql])
      // No lease lasts longer than one that begins now.
      try database.run(
        "UPDATE outbox SET ready_at = min(ready_at, ?2) WHERE ready_at > ?1 AND is_leased",
        [now.sql, (now + OutboxLease.duration).sql])
    }
  }

  /// Moves the times of past events back.
  private static func putBack(to now: Instant, by span: TimeSpan, _ database: any SQLTransaction) throws {
    func earlier(_ column: String) -> String {
      "\(column) = CASE WHEN \(column) > ?1 THEN min(?1, \(column) - ?2) ELSE \(column) END"
    }
    func putBack(_ table: String, _ columns: [String], where condition: String) throws {
      try database.run(
        "UPDATE \(table) SET \(columns.map(earlier).joined(separator: ", ")) WHERE \(condition)",
        [now.sql, span.milliseconds])
    }
    try putBack(
      "device_last", ["heard_at", "measured_at", "received_at"],
      where: "heard_at > ?1 OR measured_at > ?1 OR received_at > ?1")
    // The silence of a phone that never reported is counted from its creation.
    try putBack("device", ["created_at"], where: "created_at > ?1")
    try putBack("command", ["at"], where: "at > ?1")
    // Otherwise new statuses would be ignored as older than the stored ones, and notices held back beyond
    // their cap.
    try putBack(
      "device_status", ["told_at", "low_since", "unread_since"],
      where: "told_at > ?1 OR low_since > ?1 OR unread_since > ?1")
    try putBack("notice", ["last_shown_at"], where: "last_shown_at > ?1")
    try putBack("reminder_telling", ["told_at"], where: "told_at > ?1")
    try putBack("share", ["looked_to"], where: "looked_to > ?1")
    try putBack("session", ["created_at", "last_seen_at"], where: "created_at > ?1 OR last_seen_at > ?1")
    // The present code must count as unused.
    try database.run(
      "UPDATE second_factor SET last_step = ?1 - 1 WHERE last_step > ?1",
      [now.millisecondsSince1970 / 30_000])
    // Moves the next test to within a day, at the same minute.
    try database.run(
      "UPDATE channel SET test_at = test_at - (test_at - ?1) / 86400000 * 86400000 WHERE test_at > ?1",
      [now.sql])
    // An account's zone sets never go back in time, so their times are clamped instead of shifted.
    try database.run("UPDATE zone_set SET at = ?1 WHERE at > ?1", [now.sql])
    // Ends that a person chose by the wrong clock.
    try database.run(
      """
      UPDATE alarm SET state_argument = state_argument - ?2
      WHERE is_open AND answered_at > ?1 AND state_argument > ?1
      """, [now.sql, span.milliseconds])
    // Escalation steps are timed from the first attempt.
    try putBack(
      "attempt", ["started_at", "ended_at"],
      where: "ended_at > ?1 AND alarm IN (SELECT id FROM alarm WHERE is_open)")
    try putBack(
      "alarm",
      ["silent_since", "began", "decided_at", "learned_at", "last_rang_at", "cleared_at", "answered_at"],
      where: "is_open AND (began > ?1 OR last_rang_at > ?1 OR answered_at > ?1)")
    // The day is part of a fix's key, so fixes are inserted anew.
    let today = IngestWriter.day(of: now)
    try database.run(
      """
      INSERT INTO fix (day, device, measured_at, latitude, longitude, accuracy, received_at, speed, course, altitude,
        altitude_error, altitude_reference, battery, detail)
      SELECT min(?1, measured_at - ?2) / 86400000, device, min(?1, measured_at - ?2), latitude, longitude, accuracy,
        min(?1, received_at - ?2), speed, course, altitude, altitude_error, altitude_reference, battery, detail
      FROM fix WHERE day >= ?3 AND measured_at > ?1 ON CONFLICT DO NOTHING
      """, [now.sql, span.milliseconds, today])
    try database.run("DELETE FROM fix WHERE day >= ?2 AND measured_at > ?1", [now.sql, today])
  }

  private static let orEarlier =
    "ON CONFLICT (device) DO UPDATE SET at = min(device_due.at, excluded.at), mark = excluded.mark"

  /// Makes the device due at `now`, or earlier if it is due already.
  static func makeDue(_ device: DeviceID, at now: Instant, _ database: any SQLTransaction) throws {
    try database.run(
      "INSERT INTO device_due (device, at, mark) VALUES (?, ?, ?) \(orEarlier)",
      [device.sql, now.sql, IngestWriter.newMark()])
  }

  /// Makes all devices of an account due that have an engine, must report, have a check-in or are to arrive.
  static func makeDue(devicesOf account: AccountID, at now: Instant, _ database: any SQLTransaction) throws {
    try database.run(
      """
      INSERT INTO device_due (device, at, mark) SELECT id, ?, ? FROM device WHERE account = ?
        AND (report_interval IS NOT NULL OR EXISTS (SELECT 1 FROM device_snapshot WHERE device = device.id)
          OR EXISTS (SELECT 1 FROM check_in WHERE check_in.device = device.id)
          OR EXISTS (SELECT 1 FROM expected_arrival WHERE expected_arrival.device = device.id))
      \(orEarlier)
      """, [now.sql, IngestWriter.newMark(), account.sql])
  }

  /// Makes the devices of a collection's followers due, because their zones have changed.
  static func makeDue(followersOf collection: CollectionID, at now: Instant, _ database: any SQLTransaction)
    throws
  {
    try database.run(
      """
      INSERT INTO device_due (device, at, mark) SELECT device.id, ?, ? FROM device
        JOIN follow ON follow.account = device.account WHERE follow.collection = ?
        AND EXISTS (SELECT 1 FROM device_snapshot WHERE device = device.id)
      \(orEarlier)
      """, [now.sql, IngestWriter.newMark(), collection.sql])
  }

  /// Removes the due times of a disabled account's devices, which are not processed.
  static func forgetDue(devicesOf account: AccountID, _ database: any SQLTransaction) throws {
    try database.run(
      "DELETE FROM device_due WHERE device IN (SELECT id FROM device WHERE account = ?)", [account.sql])
  }
}
