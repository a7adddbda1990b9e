import AlarmEngine

extension SQLStore {
  /// Deletes data older than the retention, at most `limit` rows, so that writers wait only briefly.
  /// - Returns: the number of rows deleted; call again until it is zero.
  public func prune(_ retention: Retention, limit: Int) async throws(StoreError) -> Int {
    let limit = max(1, limit)
    return try await write { database in
      var removed = 0
      func step(_ sql: String, _ arguments: SQLArguments) throws {
        guard removed < limit else { return }
        removed += try database.run(sql, arguments + [limit - removed])
      }
      if let account = retention.account {
        if let time = retention.fixesBefore {
          let devices = try database.rows(
            "SELECT id FROM device WHERE account = ? ORDER BY id", [account.sql])
          for row in devices where removed < limit {
            removed += try Self.forget(row.id(0), before: time, limit: limit - removed, database)
          }
          if removed < limit {
            removed += try Self.pruneImports(before: time, of: account, limit: limit - removed, database)
          }
          if removed < limit {
            removed += try Self.pruneZoneHistory(
              before: time, of: account, limit: limit - removed, database)
          }
        }
      } else {
        removed += try Self.forgetDeleted(limit: limit, database)
        if let time = retention.fixesBefore, removed < limit {
          removed += try Self.pruneFixes(before: time, limit: limit - removed, database)
          try step(
            "DELETE FROM event WHERE number IN (SELECT number FROM event WHERE time < ? LIMIT ?)", [time.sql])
          try step(
            "DELETE FROM command WHERE number IN (SELECT number FROM command WHERE at < ? LIMIT ?)",
            [time.sql])
          if removed < limit {
            removed += try Self.pruneImports(before: time, of: nil, limit: limit - removed, database)
          }
          if removed < limit {
            removed += try Self.pruneZoneHistory(before: time, of: nil, limit: limit - removed, database)
          }
        }
        if let time = retention.rawBodiesBefore {
          try step(
            """
            DELETE FROM raw_body WHERE number IN
              (SELECT number FROM raw_body WHERE received_at < ? ORDER BY number LIMIT ?)
            """, [time.sql])
        }
        if let time = retention.unclaimedBefore, removed < limit {
          let silent = try database.rows(
            """
            SELECT id FROM device LEFT JOIN device_last ON device_last.device = id WHERE account IS NULL
              AND coalesce(heard_at, created_at) < ? LIMIT ?
            """, [time.sql, limit - removed])
          for row in silent { try Self.remove(row.id(0), database) }
          removed += silent.count
        }
        if let time = retention.expiredBefore {
          for table in ["session", "device_token"] {
            try step(
              "DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) WHERE expires_at < ? LIMIT ?)",
              [time.sql])
          }
          try step(
            """
            DELETE FROM share WHERE id IN
              (SELECT id FROM share WHERE ends_at < ?1 OR ends_at IS NULL AND login IS NULL
                OR viewer IS NULL AND login IS NOT NULL AND created_at < ?2 LIMIT ?3)
            """, [time.sql, (time - Share.offerLasts).sql])
          try step(
            """
            DELETE FROM group_member WHERE id IN
              (SELECT id FROM group_member WHERE ended_at < ?1 OR joined_at IS NULL AND created_at < ?2 LIMIT ?3)
            """,
            [(time - PeopleGroup.endingIsShown).sql, (time - PeopleGroup.invitationLasts).sql])
          try step(
            "DELETE FROM group_link WHERE id IN (SELECT id FROM group_link WHERE ends_at < ? LIMIT ?)",
            [time.sql])
          try step(
            """
            DELETE FROM deputy WHERE id IN
              (SELECT id FROM deputy WHERE account IS NULL AND created_at < ? LIMIT ?)
            """, [(time - Deputy.offerLasts).sql])
          // Imports that added nothing are kept for a day, so that people can see the result.
          try step(
            """
            DELETE FROM track_import WHERE id IN
              (SELECT id FROM track_import WHERE fixes_added = 0 AND changed_at < ? LIMIT ?)
            """, [time.sql])
          try step(
            """
            DELETE FROM password_reset WHERE hash IN
              (SELECT hash FROM password_reset WHERE expires_at < ? LIMIT ?)
            """, [time.sql])
          try step(
            """
            DELETE FROM sign_in_code WHERE hash IN
              (SELECT hash FROM sign_in_code WHERE expires_at < ? LIMIT ?)
            """, [time.sql])
          // Unconfirmed addresses that no channel uses any more.
          try step(
            """
            DELETE FROM mail_address WHERE (account, address) IN (SELECT account, address FROM mail_address
              WHERE confirmed_at IS NULL AND NOT is_own AND expires_at < ? LIMIT ?)
            """, [time.sql])
          try step(
            "DELETE FROM setup_link WHERE hash IN (SELECT hash FROM setup_link WHERE expires_at < ? LIMIT ?)",
            [time.sql])
        }
      }
      if retention.account == nil, let time = retention.signInsBefore {
        try step(
          """
          DELETE FROM sign_in_address WHERE (account, hash) IN
            (SELECT account, hash FROM sign_in_address WHERE last_at < ? LIMIT ?)
          """, [time.sql])
      }
      if retention.account == nil, let time = retention.auditBefore, removed < limit {
        removed += try Self.pruneAuditLog(
          before: time, keeping: retention.auditEntries, limit: limit - removed, database)
      }
      if retention.account == nil, let time = retention.triesBefore, removed < limit {
        removed += try Self.pruneSealed(before: time, limit: limit - removed, database)
      }
      if retention.account == nil, let time = retention.triesBefore {
        try step(
          "DELETE FROM try_count WHERE key IN (SELECT key FROM try_count WHERE full_at < ? LIMIT ?)",
          [time.sql])
      }
      let (whose, account): (String, SQLArguments) =
        retention.account.map { ("account = ? AND", [$0.sql]) } ?? ("", [])
      if let time = retention.alarmsBefore {
        try step(
          """
          DELETE FROM alarm WHERE id IN (SELECT id FROM alarm WHERE \(whose) NOT is_open
            AND coalesce(cleared_at, last_rang_at) < ? LIMIT ?)
          """, account + [time.sql])
      }
      if let time = retention.deletionsBefore {
        let others = removed
        for table in ["zone", "reminder"] {
          try step(
            """
            DELETE FROM \(table) WHERE rowid IN (SELECT rowid FROM \(table) WHERE \(whose) is_deleted
              AND saved_at < ? LIMIT ?)
            """, account + [time.sql])
        }
        if removed > others { try Self.forgetZoneEdits(database) }
        if removed < limit {
          removed += try Self.pruneChanges(before: time, whose, account, limit: limit - removed, database)
        }
      }
      return removed
    }
  }

  /// Deletes old deletions from the feed, and records up to which cursor each account's feed has lost them.
  private static func pruneChanges(
    before time: Instant, _ whose: String, _ account: SQLArguments, limit: Int, _ database: any SQLTransaction
  ) throws -> Int {
    let gone = """
      SELECT account, cursor FROM change WHERE \(whose) is_deleted AND changed_at < ?
      ORDER BY account, cursor LIMIT ?
      """
    let arguments = account + [time.sql, limit]
    try database.run(
      """
      INSERT INTO feed_floor (account, cursor)
        SELECT account, max(cursor) FROM change WHERE (account, cursor) IN (\(gone)) GROUP BY account
      ON CONFLICT (account) DO UPDATE SET cursor = excluded.cursor WHERE feed_floor.cursor < excluded.cursor
      """, arguments)
    return try database.run("DELETE FROM change WHERE (account, cursor) IN (\(gone))", arguments)
  }

  /// Deletes fixes of whole days, whose rows lie together.
  private static func pruneFixes(before time: Instant, limit: Int, _ database: any SQLTransaction) throws
    -> Int
  {
    let day = IngestWriter.day(of: time)
    let bound = try database.row(
      """
      SELECT day, device, measured_at FROM fix WHERE day < ? ORDER BY day, device, measured_at
      LIMIT 1 OFFSET ?
      """, [day, limit - 1])
    guard let bound else { return try database.run("DELETE FROM fix WHERE day < ?", [day]) }
    return try database.run(
      "DELETE FROM fix WHERE day < ? AND (day, device, measured_at) <= (?, ?, ?)",
      [day, bound[0] as Int64, bound[1] as Int64, bound[2] as Int64])
  }

  /// Deletes the history of deleted devices.
  private static func forgetDeleted(limit: Int, _ database: any SQLTransaction) throws -> Int {
    var removed = 0
    while removed < limit, let device = try database.integer("SELECT min(device) FROM deleted_device") {
      let count = try forget(DeviceID(sql: device), before: nil, limit: limit - removed, database)
      removed += count
      if removed < limit { try database.run("DELETE FROM deleted_device WHERE device = ?", [device]) }
    }
    return removed
  }

  /// Deletes a device's fixes day by day, at most `limit`: all, or those of the days before `time`'s.
  static func forgetFixes(
    of device: DeviceID, before time: Instant? = nil, limit: Int, _ database: any SQLTransaction
  ) throws -> Int {
    var removed = 0
    let end = time.map { IngestWriter.day(of: $0) } ?? .max
    var day = try database.integer("SELECT min(day) FROM fix")
    while let current = day, current < end, removed < limit {
      let bound = try database.integer(
        "SELECT measured_at FROM fix WHERE day = ? AND device = ? ORDER BY measured_at LIMIT 1 OFFSET ?",
        [current, device.sql, limit - removed - 1])
      removed += try database.run(
        "DELETE FROM fix WHERE day = ? AND device = ? AND measured_at <= ?",
        [current, device.sql, bound ?? .max])
      day = try database.integer("SELECT min(day) FROM fix WHERE day > ?", [current])
    }
    return removed
  }

  /// Deletes a device's fixes, commands and events, at most `limit`: those before `time`, or all. With all of
  /// them, its alarms and imported fixes are deleted too.
  static func forget(
    _ device: DeviceID, before time: Instant?, limit: Int, _ database: any SQLTransaction
  ) throws -> Int {
    var removed = try forgetFixes(of: device, before: time, limit: limit, database)
    if time == nil, removed < limit {
      removed += try forgetImports(of: device, limit: limit - removed, database)
    }
    let instant = time?.sql ?? .max
    for (table, column) in [("event", "time"), ("command", "at")] where removed < limit {
      removed += try database.run(
        """
        DELETE FROM \(table) WHERE number IN
          (SELECT number FROM \(table) WHERE device = ? AND \(column) < ? LIMIT ?)
        """, [device.sql, instant, limit - removed])
    }
    if time == nil, removed < limit {
      removed += try database.run(
        "DELETE FROM alarm WHERE id IN (SELECT id FROM alarm WHERE device = ? LIMIT ?)",
        [device.sql, limit - removed])
    }
    return removed
  }
}
