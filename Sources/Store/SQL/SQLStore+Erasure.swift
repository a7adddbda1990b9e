import AlarmEngine

extension SQLStore {
  /// Erases an account in steps: first it is disabled, then its history is deleted, at most `limit` rows in a
  /// step, then the account itself.
  /// - Returns: whether the account is gone; call again until it is.
  public func erase(_ account: AccountID, limit: Int) async throws(StoreError) -> Bool {
    let limit = max(1, limit)
    return try await write { database in
      let begun = try database.integer("SELECT is_erased FROM account WHERE id = ?", [account.sql])
      guard let begun else { throw StoreError.notFound }
      if begun == 0 {
        try Self.shut(account, database)
        return false
      }
      var removed = 0
      let devices = try database.rows("SELECT id FROM device WHERE account = ? ORDER BY id", [account.sql])
      for row in devices {
        removed += try Self.forget(row.id(0), before: nil, limit: limit - removed, database)
        guard removed < limit else { return false }
        try database.run("DELETE FROM device WHERE id = ?", [row[0] as Int64])
      }
      let tables = [
        "alarm", "zone", "former_zone", "former_follow", "zone_set", "reminder", "sound", "message", "change",
      ]
      for table in tables {
        removed += try database.run(
          "DELETE FROM \(table) WHERE rowid IN (SELECT rowid FROM \(table) WHERE account = ? LIMIT ?)",
          [account.sql, limit - removed])
        guard removed < limit else { return false }
      }
      try database.run("DELETE FROM account WHERE id = ?", [account.sql])
      return true
    }
  }

  /// Ends all access, reports and deliveries of the account, and frees its login.
  private static func shut(_ account: AccountID, _ database: any SQLTransaction) throws {
    let collections = try database.rows("SELECT id FROM collection WHERE owner = ?", [account.sql])
    let now = try database.integer("SELECT max(changed_at) FROM change WHERE account = ?", [account.sql])
    try zoneSetChanged(
      of: account, Set(collections.map { $0.id(0) }), at: Instant(sql: now ?? 0), database)
    let tables = [
      "sign_in_code", "session", "device_token", "device_identity", "channel", "outbox", "setting", "notice",
      "reminder_telling", "check_in", "expected_arrival",
      "password_reset",
      "mail_address", "sign_in_address", "feed_floor", "second_factor", "recovery_code", "audit_entry",
      "pack_key_change", "pack_key", "sealed_message", "sealed_key",
      "login_identity", "passkey",
    ]
    for table in tables {
      try database.run("DELETE FROM \(table) WHERE account = ?", [account.sql])
    }
    try database.run(
      "DELETE FROM device_identity WHERE device IN (SELECT id FROM device WHERE account = ?)",
      [account.sql])
    try database.run("DELETE FROM sealed_message WHERE sender = ?", [account.sql])
    try database.run("DELETE FROM sealed_contact WHERE owner = ?1 OR viewer = ?1", [account.sql])
    try database.run("DELETE FROM share WHERE owner = ?1 OR viewer = ?1", [account.sql])
    try database.run("DELETE FROM companion WHERE account = ?", [account.sql])
    try companionsMayEnd(
      where: "device.account = ?3", account.sql, at: Instant(sql: now ?? 0), database)
    try database.run("DELETE FROM deputy WHERE owner = ?1 OR account = ?1", [account.sql])
    try database.run("DELETE FROM group_member WHERE account = ?", [account.sql])
    try database.run("DELETE FROM people_group WHERE owner = ?", [account.sql])
    try forgetDue(devicesOf: account, database)
    try database.run(
      "DELETE FROM former_follow WHERE collection IN (SELECT id FROM collection WHERE owner = ?)",
      [account.sql])
    for table in ["pack_zone", "pack"] {
      try database.run(
        "DELETE FROM \(table) WHERE collection IN (SELECT id FROM collection WHERE owner = ?)", [account.sql])
    }
    try database.run("DELETE FROM collection WHERE owner = ?", [account.sql])
    try forgetZoneEdits(database)
    try noteEdit(of: account, database)
    try database.run(
      """
      UPDATE account SET is_erased = TRUE, is_disabled = TRUE, password_hash = NULL, name = '',
        login = 'erased ' || id, revision = revision + 1 WHERE id = ?
      """, [account.sql])
  }

  /// The accounts whose erasure was begun, ascending, so that it can be continued at the start.
  public func accountsBeingErased() async throws(StoreError) -> [AccountID] {
    try await read { database in
      try database.rows("SELECT id FROM account WHERE is_erased ORDER BY id").map { $0.id(0) }
    }
  }
}
