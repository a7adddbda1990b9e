import AlarmEngine

/// Private mode. While an account is private, the store accepts no places for it, and `erasePlaces` erases
/// the stored ones.
///
/// Every call that would store a place throws `.privateAccount`: zones, reminders, collections, shares,
/// imports and the claim of a device. The ingest refuses reports of the account's devices
/// (`Device.isPrivate`).
extension SQLStore {
  /// - Throws: `.privateAccount`; `.notFound` if there is no such account.
  static func refusePrivate(_ account: AccountID, _ database: any SQLTransaction) throws {
    guard try !Self.account(account, database).isPrivate else { throw StoreError.privateAccount }
  }

  /// Turns private mode on or off. Places stored before are erased by `erasePlaces`.
  ///
  /// Devices keep their names, so that their further reports are recognised as the account's and refused.
  /// They need not report any more.
  /// - Throws: `.checkInRuns` if the account has a check-in, whose alarm would be lost.
  public func setPrivate(
    _ isPrivate: Bool, _ account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      guard try Self.account(account, database).isPrivate != isPrivate else { return }
      if isPrivate { try Self.refuseWithCheckIn(of: account, database) }
      try database.run(
        "UPDATE account SET is_private = ?, revision = revision + 1 WHERE id = ?", [isPrivate, account.sql])
      // Outdates the engines in memory and running decisions, which were made for the other mode.
      try Self.outdate(devicesOf: account, database)
      if isPrivate {
        try database.run(
          "UPDATE device SET report_interval = NULL, revision = revision + 1 WHERE account = ?", [account.sql]
        )
        // The account watches nobody any more, and nobody watches its phones.
        try database.run("DELETE FROM companion WHERE account = ?", [account.sql])
        try Self.forgetExpectedArrivals(of: account, at: now, database)
        try Self.forgetDue(devicesOf: account, database)
        try Self.companionsMayEnd(where: "device.account = ?3", account.sql, at: now, database)
      } else {
        try Self.makeDue(devicesOf: account, at: now, database)
      }
      try Self.change(.account, account.rawValue, of: account, at: now, database)
    }
  }

  /// The private accounts, ascending.
  public func privateAccounts() async throws(StoreError) -> [AccountID] {
    try await read { database in
      try database.rows("SELECT id FROM account WHERE is_private AND NOT is_erased ORDER BY id").map {
        $0.id(0)
      }
    }
  }

  /// Overwrites erased data in the database file and its log, as far as the store controls them.
  public func forgetErased() async throws(StoreError) { try await database.forgetErased() }

  /// A table that holds places, listed in the order of erasure.
  private struct PlaceTable {
    let name: String
    /// A condition with one argument, the account.
    let condition: String
    let counted: WritableKeyPath<StoredPlaces, Int> & Sendable
  }

  private static let ofDevices = "device IN (SELECT id FROM device WHERE account = ?)"

  private static let placeTables: [PlaceTable] = [
    .init(name: "imported_fix", condition: ofDevices, counted: \.positions),
    .init(name: "device_last", condition: ofDevices, counted: \.positions),
    .init(name: "track_import", condition: ofDevices, counted: \.others),
    .init(name: "event", condition: ofDevices, counted: \.others),
    .init(name: "command", condition: ofDevices, counted: \.others),
    .init(name: "raw_body", condition: ofDevices, counted: \.others),
    .init(name: "device_snapshot", condition: ofDevices, counted: \.others),
    .init(name: "device_status", condition: ofDevices, counted: \.others),
    .init(name: "notice", condition: "account = ?", counted: \.others),
    .init(name: "reminder_telling", condition: "account = ?", counted: \.others),
    // A notification of a sealed message says nothing about places and stays.
    .init(
      name: "outbox", condition: "account = ? AND (collapse_key IS NULL OR collapse_key <> 'sealed')",
      counted: \.others),
    .init(name: "alarm", condition: "account = ?", counted: \.alarms),
    .init(name: "share", condition: "owner = ?", counted: \.shares),
    .init(name: "collection", condition: "owner = ?", counted: \.collections),
    .init(name: "zone", condition: "account = ?", counted: \.zones),
    .init(name: "former_zone", condition: "account = ?", counted: \.zones),
    .init(name: "reminder", condition: "account = ?", counted: \.reminders),
  ]

  public func storedPlaces(of account: AccountID) async throws(StoreError) -> StoredPlaces {
    try await read { database in
      _ = try Self.account(account, database)
      var found = StoredPlaces()
      for table in Self.placeTables {
        found[keyPath: table.counted] += Int(
          try database.integer(
            "SELECT count(*) FROM \(table.name) WHERE \(table.condition)", [account.sql]) ?? 0)
      }
      // Fixes are stored by day, so each day is searched for the account's devices.
      var day = try database.integer("SELECT min(day) FROM fix")
      while let current = day {
        found.positions += Int(
          try database.integer(
            "SELECT count(*) FROM fix WHERE day = ? AND \(Self.ofDevices)", [current, account.sql]) ?? 0)
        day = try database.integer("SELECT min(day) FROM fix WHERE day > ?", [current])
      }
      return found
    }
  }

  /// Erases places of a private account, about `limit` rows at most. Its audit log keeps the operations, but
  /// no subjects.
  /// - Returns: the numbers of rows erased; call again until the total is zero.
  /// - Throws: `.notFound` if the account is not private.
  public func erasePlaces(of account: AccountID, limit: Int) async throws(StoreError) -> StoredPlaces {
    let limit = max(1, limit)
    return try await write { database in
      guard try Self.account(account, database).isPrivate else { throw StoreError.notFound }
      var erased = StoredPlaces()
      for row in try database.rows("SELECT id FROM device WHERE account = ? ORDER BY id", [account.sql]) {
        guard erased.total < limit else { return erased }
        erased.positions += try Self.forgetFixes(of: row.id(0), limit: limit - erased.total, database)
      }
      // The account's devices watch no zones from now on, and followers of its collections watch others.
      let collections = try database.rows("SELECT id FROM collection WHERE owner = ?", [account.sql])
      let zone = try database.integer("SELECT 1 FROM zone WHERE account = ? LIMIT 1", [account.sql])
      if zone != nil || !collections.isEmpty {
        let now = try database.integer("SELECT max(changed_at) FROM change WHERE account = ?", [account.sql])
        try Self.zoneSetChanged(
          of: account, Set(collections.map { $0.id(0) }), at: Instant(sql: now ?? 0), database)
        for table in ["former_follow", "pack_zone", "pack"] {
          try database.run(
            "DELETE FROM \(table) WHERE collection IN (SELECT id FROM collection WHERE owner = ?)",
            [account.sql])
        }
        try Self.forgetDue(devicesOf: account, database)
        try Self.forgetZoneEdits(database)
      }
      for table in Self.placeTables {
        guard erased.total < limit else { return erased }
        erased[keyPath: table.counted] += try database.erase(
          table.name, where: table.condition, account, limit: limit - erased.total)
      }
      // A browser that is not up to date must not read deletions of zones, since it keeps its own.
      try database.run(
        """
        INSERT INTO feed_floor (account, cursor)
          SELECT account, max(cursor) FROM change WHERE account = ? AND kind IN (?, ?, ?, ?) GROUP BY account
        ON CONFLICT (account) DO UPDATE SET cursor = excluded.cursor WHERE feed_floor.cursor < excluded.cursor
        """, [account.sql] + Self.placeKinds)
      try database.run(
        "DELETE FROM change WHERE account = ? AND kind IN (?, ?, ?, ?)", [account.sql] + Self.placeKinds)
      try database.run("DELETE FROM pack_key WHERE account = ?", [account.sql])
      try database.run(
        "UPDATE audit_entry SET subject = '' WHERE account = ? AND subject <> ''", [account.sql])
      try Self.forgetZoneNames(of: try Self.account(account, database).login, database)
      return erased
    }
  }

  /// Removes zone names from the audit logs of people who answered the account's alarms: "Cliff · anna"
  /// becomes "anna".
  private static func forgetZoneNames(of login: String, _ database: any SQLTransaction) throws {
    let escaped = login.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
    try database.run(
      "UPDATE audit_entry SET subject = ? WHERE action LIKE '%OthersAlarm' AND subject LIKE ? ESCAPE '\\'",
      [login, "% · " + escaped])
  }

  private static let placeKinds: SQLArguments = [
    ChangeEntry.Kind.zone.rawValue, ChangeEntry.Kind.collection.rawValue, ChangeEntry.Kind.reminder.rawValue,
    ChangeEntry.Kind.alarm.rawValue,
  ]
}

extension SQLTransaction {
  /// Deletes at most `limit` rows if the table has a suitable key, otherwise all.
  fileprivate func erase(
    _ table: String, where condition: String, _ account: AccountID, limit: Int
  ) throws -> Int {
    // Tables without a key, or with one row per device, are emptied at once.
    let key: String? =
      switch table {
      case "event", "command", "raw_body", "outbox": "number"
      case "alarm", "share", "track_import": "id"
      default: nil
      }
    guard let key else {
      return try run("DELETE FROM \(table) WHERE \(condition)", [account.sql])
    }
    return try run(
      "DELETE FROM \(table) WHERE \(key) IN (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT ?)",
      [account.sql, limit])
  }
}
