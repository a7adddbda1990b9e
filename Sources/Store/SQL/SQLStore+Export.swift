import AlarmEngine
import Foundation
import PAD

/// A table of the export. Columns ending in `_id` hold ids, in `_ms` times, in `_text` UTF-8.
private struct ExportTable {
  let name: String
  /// The query, with one argument: the account or the device.
  let sql: String
}

extension SQLStore {
  private static let ofAccount: [ExportTable] = [
    .init(
      name: "account",
      sql: """
        SELECT id AS account_id, login, name, is_administrator, is_private, created_at AS created_at_ms FROM account
        WHERE id = ?
        """),
    .init(name: "setting", sql: "SELECT json FROM setting WHERE account = ?"),
    .init(
      name: "session",
      sql: """
        SELECT user_agent, created_at AS created_at_ms, last_seen_at AS last_seen_at_ms FROM session
        WHERE account = ?
        """),
    .init(
      name: "login_identity",
      sql: """
        SELECT issuer, subject, name, bound_at AS bound_at_ms, last_used_at AS last_used_at_ms FROM login_identity
        WHERE account = ? ORDER BY bound_at
        """),
    .init(
      name: "passkey",
      sql: """
        SELECT name, relying_party, created_at AS created_at_ms, last_used_at AS last_used_at_ms FROM passkey
        WHERE account = ? ORDER BY created_at
        """),
    .init(
      name: "mail_address",
      sql: "SELECT address, is_own, confirmed_at AS confirmed_at_ms FROM mail_address WHERE account = ?"),
    .init(
      name: "sign_in_address",
      sql: "SELECT last_at AS last_at_ms FROM sign_in_address WHERE account = ? ORDER BY last_at"),
    .init(
      name: "audit_entry",
      sql: """
        SELECT at AS at_ms, action, subject, is_refused, actor, actor_name, address FROM audit_entry
        WHERE account = ? ORDER BY id
        """),
    .init(
      name: "device_token",
      sql: """
        SELECT id AS token_id, device AS device_id, scope, name, created_at AS created_at_ms,
          last_used_at AS last_used_at_ms FROM device_token WHERE account = ?
        """),
    .init(
      name: "collection",
      sql: """
        SELECT id AS collection_id, name, about, is_public, created_at AS created_at_ms FROM collection
        WHERE owner = ?
        """),
    .init(
      name: "pack",
      sql: """
        SELECT pack.collection AS collection_id, address, version, made_at AS made_at_ms FROM pack
        JOIN collection ON collection.id = pack.collection WHERE owner = ?
        """),
    .init(
      name: "pack_key",
      sql: "SELECT created_at AS created_at_ms FROM pack_key WHERE account = ?"),
    .init(
      name: "pack_key_change",
      sql: "SELECT number, statement FROM pack_key_change WHERE account = ? ORDER BY number"),
    .init(
      name: "membership",
      sql: """
        SELECT id AS membership_id, collection AS collection_id, login, account AS account_id, since AS since_ms, is_direct
        FROM membership
        WHERE account = ?1 OR collection IN (SELECT id FROM collection WHERE owner = ?1)
        """),
    .init(
      name: "follow",
      sql: "SELECT collection AS collection_id, since AS since_ms FROM follow WHERE account = ?"),
    .init(
      name: "share",
      sql: """
        SELECT id AS share_id, owner AS account_id, device AS device_id, login, name, accuracy,
          created_at AS created_at_ms, ends_at AS ends_at_ms, zone AS zone_id FROM share
        WHERE owner = ?1 OR viewer = ?1
        """),
    .init(
      name: "sealed_key",
      sql: """
        SELECT id AS key_id, public_key, name, created_at AS created_at_ms, fetched_at AS fetched_at_ms
        FROM sealed_key WHERE account = ? ORDER BY created_at
        """),
    .init(
      name: "sealed_contact",
      sql: """
        SELECT id AS contact_id, owner AS account_id, login, created_at AS created_at_ms FROM sealed_contact
        WHERE owner = ?1 OR viewer = ?1
        """),
    .init(
      name: "sealed_message",
      sql: """
        SELECT id AS message_id, sealed_key AS key_id, bytes, created_at AS created_at_ms FROM sealed_message
        WHERE account = ? ORDER BY created_at
        """),
    .init(
      name: "people_group",
      sql: """
        SELECT id AS group_id, name, created_at AS created_at_ms FROM people_group WHERE owner = ?
        """),
    .init(
      name: "group_link",
      sql: """
        SELECT id AS link_id, group_id, people, joined, makes_accounts, created_at AS created_at_ms,
          ends_at AS ends_at_ms, note, login, mail, mailed_at AS mailed_at_ms FROM group_link WHERE group_id IN (SELECT id FROM people_group WHERE owner = ?) ORDER BY id
        """),
    .init(
      name: "group_collection",
      sql: """
        SELECT group_id, collection AS collection_id FROM group_collection
        WHERE group_id IN (SELECT id FROM people_group WHERE owner = ?) ORDER BY group_id, collection
        """),
    .init(
      name: "group_member",
      sql: """
        SELECT id AS member_id, group_id, account AS account_id, login, created_at AS created_at_ms,
          joined_at AS joined_at_ms, ended_at AS ended_at_ms, ended_by, is_deputised FROM group_member
        WHERE account = ?1 OR group_id IN (SELECT id FROM people_group WHERE owner = ?1) ORDER BY id
        """),
    .init(
      name: "deputy",
      sql: """
        SELECT id AS deputy_id, owner AS account_id, login, account IS NOT NULL AS is_accepted,
          created_at AS created_at_ms FROM deputy WHERE owner = ?1 OR account = ?1 ORDER BY id
        """),
    .init(
      name: "companion",
      sql: """
        SELECT companion.id AS companion_id, companion.account AS account_id, companion.device AS device_id,
          companion.target AS target_id, companion.name, rings_when, distance, assurance, horizon,
          companion.created_at AS created_at_ms, ended, ended_at AS ended_at_ms FROM companion
          LEFT JOIN device ON device.id = companion.target
        WHERE companion.account = ?1 OR device.account = ?1 ORDER BY companion.id
        """),
    .init(
      name: "channel",
      sql: """
        SELECT id AS channel_id, kind, name, address, is_active, escalation_step, devices, rule_zones,
          rule_categories, rule_directions, rule_kinds, rule_hours,
          test_minute, tested_at AS tested_at_ms, test_failure, created_at AS created_at_ms
        FROM channel WHERE account = ?
        """),
    .init(
      name: "message",
      sql: """
        SELECT id AS message_id, your_moniker AS your_moniker_text, to_moniker AS to_moniker_text,
          contact_number AS contact_number_text, supplement AS supplement_text FROM message WHERE account = ?
        """),
    .init(
      name: "sound",
      sql: """
        SELECT id AS sound_id, name, about, media_type, saved_at AS saved_at_ms, bytes FROM sound
        WHERE account = ?
        """),
    .init(
      name: "notice",
      sql: """
        SELECT zone AS zone_id, device AS device_id, shown, opened, last_shown_at AS last_shown_at_ms FROM notice
        WHERE account = ?
        """),
    .init(
      name: "reminder_telling",
      sql: """
        SELECT reminder AS reminder_id, device AS device_id, told_at AS told_at_ms, place, distance AS distance_m
        FROM reminder_telling WHERE account = ?
        """),
    .init(
      name: "check_in",
      sql: """
        SELECT device AS device_id, phone AS phone_id, note AS note_text, alarm AS alarm_id, set_at AS set_at_ms,
          due_at AS due_at_ms, is_span, is_reminded, missed_at AS missed_at_ms FROM check_in WHERE account = ?
        """),
    .init(
      name: "expected_arrival",
      sql: """
        SELECT id AS expected_arrival_id, zone AS zone_id, device AS device_id, minute, days AS weekday_bits, time_zone,
          time_window AS window_milliseconds, is_enabled, created_at AS created_at_ms, next_due AS next_due_ms
        FROM expected_arrival WHERE account = ? ORDER BY created_at, id
        """),
    .init(
      name: "alarm",
      sql: """
        SELECT id AS alarm_id, device AS device_id, zone AS zone_id, zone_name AS zone_name_text, cause,
          silent_since AS silent_since_ms, level AS battery, state, began AS began_ms, decided_at AS decided_at_ms,
          learned_at AS learned_at_ms, distance AS distance_m, latitude, longitude,
          last_rang_at AS last_rang_at_ms, rings, cleared_at AS cleared_at_ms,
          answered_at AS answered_at_ms, answered_by, escalation_step, expected AS expected_arrival_id,
          expected_minute FROM alarm WHERE account = ?
        ORDER BY began, id
        """),
    .init(
      name: "attempt",
      sql: """
        SELECT alarm AS alarm_id, channel AS channel_id, attempt, started_at AS started_at_ms,
          ended_at AS ended_at_ms, outcome, detail FROM attempt
        WHERE alarm IN (SELECT id FROM alarm WHERE account = ?) ORDER BY number
        """),
    .init(
      name: "device",
      sql: """
        SELECT id AS device_id, name, tracker_id AS tracker, is_armed, settings,
          report_interval AS report_interval_milliseconds, created_at AS created_at_ms FROM device
        WHERE account = ? ORDER BY id
        """),
  ]

  private static let ofDevice: [ExportTable] = [
    .init(
      name: "device_identity",
      sql: "SELECT device AS device_id, scheme, value FROM device_identity WHERE device = ?"),
    .init(
      name: "device_status",
      sql: """
        SELECT device AS device_id, battery, is_charging, motion, altitude AS altitude_m, told_at AS told_at_ms,
          low_since AS low_battery_since_ms, unread_since AS unread_since_ms,
          malformed_since AS malformed_since_ms, malformed_reason FROM device_status WHERE device = ?
        """),
    .init(
      name: "track_import",
      sql: """
        SELECT id AS import_id, device AS device_id, name, started_at AS started_at_ms, fixes_added AS fixes
        FROM track_import WHERE device = ? ORDER BY started_at
        """),
    .init(
      name: "imported_fix",
      sql: """
        SELECT device AS device_id, measured_at AS measured_at_ms, latitude, longitude, accuracy AS accuracy_m,
          speed AS speed_m_s, course AS course_degrees, altitude AS altitude_m,
          altitude_error AS vertical_accuracy_m,
          CASE altitude_reference WHEN 0 THEN 'sea_level' WHEN 1 THEN 'unknown' END AS altitude_reference,
          track AS import_id FROM imported_fix WHERE device = ?
        ORDER BY measured_at
        """),
    .init(
      name: "command",
      sql: """
        SELECT device AS device_id, at AS at_ms, kind, alarm AS alarm_id, given_by FROM command
        WHERE device = ? ORDER BY at, number
        """),
    .init(
      name: "event",
      sql: """
        SELECT device AS device_id, time AS time_ms, is_retracted, bytes FROM event WHERE device = ?
        ORDER BY time, number
        """),
    .init(
      name: "raw_body",
      sql: """
        SELECT device AS device_id, received_at AS received_at_ms, source, reason, body FROM raw_body
        WHERE device = ? ORDER BY number
        """),
  ]

  private static let fixesOfDay = ExportTable(
    name: "fix",
    sql: """
      SELECT device AS device_id, measured_at AS measured_at_ms, latitude, longitude, accuracy AS accuracy_m,
        received_at AS received_at_ms, speed AS speed_m_s, course AS course_degrees, altitude AS altitude_m,
        altitude_error AS vertical_accuracy_m,
        CASE altitude_reference WHEN 0 THEN 'sea_level' WHEN 1 THEN 'unknown' END AS altitude_reference, battery,
        detail FROM fix WHERE device = ? AND day = ?
      """)

  /// Exports all data of an account except secrets, as of one moment, one table after the other.
  public func export(
    _ account: AccountID, to write: @escaping @Sendable (_ row: ExportRow) throws -> Void
  ) async throws(StoreError) {
    try await read { database in
      _ = try Self.account(account, database)
      for table in Self.ofAccount { try Self.export(table, [account.sql], database, write) }
      try Self.exportZones(
        "zone",
        """
        SELECT \(Self.zoneColumns), NULL AS ended_at FROM zone WHERE account = ? AND NOT is_deleted ORDER BY id
        """, account, database, write)
      try Self.exportZones(
        "former_zone",
        "SELECT \(Self.zoneColumns), ended_at FROM former_zone WHERE account = ? ORDER BY until, id",
        account, database, write)
      try Self.exportReminders(account, database, write)
      for row in try database.rows("SELECT id FROM device WHERE account = ? ORDER BY id", [account.sql]) {
        let device: Int64 = row[0]
        for table in Self.ofDevice { try Self.export(table, [device], database, write) }
        var day = try database.integer("SELECT min(day) FROM fix")
        while let current = day {
          try Self.export(Self.fixesOfDay, [device, current], database, write)
          day = try database.integer("SELECT min(day) FROM fix WHERE day > ?", [current])
        }
      }
    }
  }

  private static func export(
    _ table: ExportTable, _ arguments: SQLArguments, _ database: any SQLTransaction,
    _ write: (ExportRow) throws -> Void
  ) throws {
    try database.forEachRow(table.sql, arguments) { row in
      var exported = ExportRow(table: table.name)
      for (name, value) in zip(row.columns.names, row.values) {
        switch value {
        case .null: exported.add(name, .null)
        case .integer(let number):
          if name.hasSuffix("_id") {
            exported.add(name, AccountID(sql: number).description)
          } else {
            exported.add(name, number)
          }
        // A boolean is exported as 0 or 1, as in an SQLite file.
        case .boolean(let yes): exported.add(name, .integer(yes ? 1 : 0))
        case .real(let number): exported.add(name, number)
        case .text(let text): exported.add(name, text)
        case .bytes(let bytes):
          if name.hasSuffix("_text") {
            exported.add(name, String(decoding: bytes, as: UTF8.self))
          } else {
            exported.add(name, bytes: bytes)
          }
        }
      }
      try write(exported)
    }
  }

  /// Exports zones as PAD, which people can read and every program of ours can import, and as the exact
  /// record.
  private static func exportZones(
    _ table: String, _ sql: String, _ account: AccountID, _ database: any SQLTransaction,
    _ write: (ExportRow) throws -> Void
  ) throws {
    try database.forEachRow(sql, [account.sql]) { row in
      let stored = storedZone(row)
      var exported = ExportRow(table: table)
      exported.add("zone_id", stored.id.description)
      exported.add("collection_id", stored.collection?.description)
      exported.add("saved_at_ms", stored.savedAt.sql)
      if let endedAt = row.optionalInstant(6) { exported.add("ended_at_ms", endedAt.sql) }
      var pad = PADWriter()
      pad.append(stored.draft)
      exported.add("pad", String(decoding: pad.bytes, as: UTF8.self))
      exported.add("record", bytes: row[5])
      try write(exported)
    }
  }

  private static func exportReminders(
    _ account: AccountID, _ database: any SQLTransaction, _ write: (ExportRow) throws -> Void
  ) throws {
    let rows = try database.rows(
      "SELECT id, saved_at, record FROM reminder WHERE account = ? AND NOT is_deleted ORDER BY id",
      [account.sql])
    for row in rows {
      let reminder = Reminder.stored(id: row.id(0), record: storedRecord(row.bytes(2)).record).reminder
      var exported = ExportRow(table: "reminder")
      exported.add("reminder_id", reminder.id.description)
      exported.add("saved_at_ms", row[1] as Int64)
      exported.add("title", reminder.title.string)
      let items = reminder.items.map { ($0.done ? "[x] " : "[ ] ") + $0.text.string }
      exported.add("items", items.joined(separator: "\n"))
      let places = reminder.places.map {
        "\($0.coordinate.latitude.degrees),\($0.coordinate.longitude.degrees) \($0.name.string)"
      }
      exported.add("places", places.joined(separator: "\n"))
      exported.add("radius_m", reminder.radius.metres)
      exported.add("record", bytes: row[2])
      try write(exported)
    }
  }
}
