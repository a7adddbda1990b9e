import AlarmEngine

/// Past positions imported from files. They are shown as history only: `SQLStore.fixes`, from which engines
/// are loaded, does not return them, so they ring no alarms.
extension SQLStore {
  /// - Throws: `.notFound` if the device is not the account's; `.tooMany` beyond `TrackImport.most` for one
  ///   device.
  public func create(_ imported: TrackImport, of account: AccountID) async throws(StoreError) {
    try await write { database in
      _ = try Self.device(imported.device, of: account, database)
      try Self.refusePrivate(account, database)
      let count = try database.integer(
        "SELECT count(*) FROM track_import WHERE device = ?", [imported.device.sql])
      guard count ?? 0 < TrackImport.most else { throw StoreError.tooMany(allowed: TrackImport.most) }
      try database.insert(
        """
        INSERT INTO track_import (id, device, name, started_at, changed_at, state, share, fixes_read, fixes_added,
          first_at, last_at, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          imported.id.sql, imported.device.sql, imported.name, imported.startedAt.sql, imported.changedAt.sql,
          Int64(imported.state.rawValue), imported.share, Int64(imported.fixesRead),
          Int64(imported.fixesAdded), imported.first?.sql, imported.last?.sql, imported.detail,
        ])
    }
  }

  /// Adds the fixes that are new to the device's history. A fix less than a second from a stored one, or from
  /// an earlier one in `fixes`, is skipped; importing the same file twice therefore adds nothing, however it
  /// is split.
  /// - Parameter imported: the values to store; the store counts the added fixes itself.
  /// - Returns: the stored import.
  /// - Throws: `.notFound` if the import or the device is gone.
  public func record(
    _ imported: TrackImport, adding fixes: [Fix], of account: AccountID
  ) async throws(StoreError) -> TrackImport {
    // No other data depends on it, so ingest batches of other processes need not wait.
    try await write(.note) { database in
      _ = try Self.device(imported.device, of: account, database)
      // Locks the import's row first, so that the import cannot be removed before the fixes are added.
      let changed = try database.run(
        """
        UPDATE track_import SET changed_at = ?, state = ?, share = ?, fixes_read = ?, detail = ?
        WHERE id = ? AND device = ?
        """,
        [
          imported.changedAt.sql, Int64(imported.state.rawValue), imported.share,
          Int64(imported.fixesRead), imported.detail, imported.id.sql, imported.device.sql,
        ])
      guard changed == 1 else { throw StoreError.notFound }
      let new = try Self.unknown(fixes, of: imported.device, database)
      if !new.isEmpty {
        let added = try database.insert(
          Self.importedFixTable, new.map { Self.values($0, imported) }, orIgnore: true)
        try database.run(
          """
          UPDATE track_import SET fixes_added = fixes_added + ?, first_at = min(coalesce(first_at, ?), ?),
            last_at = max(coalesce(last_at, ?), ?) WHERE id = ?
          """,
          [
            Int64(added), new[0].measuredAt.sql, new[0].measuredAt.sql, new[new.count - 1].measuredAt.sql,
            new[new.count - 1].measuredAt.sql, imported.id.sql,
          ])
      }
      let row = try database.row(
        "SELECT \(Self.importColumns) FROM track_import WHERE id = ?", [imported.id.sql])
      guard let row else { throw StoreError.notFound }
      return try Self.trackImport(row)
    }
  }

  /// The imports, the latest started first.
  public func imports(of device: DeviceID, account: AccountID) async throws(StoreError) -> [TrackImport] {
    try await read { database in
      _ = try Self.device(device, of: account, database)
      return try database.rows(
        "SELECT \(Self.importColumns) FROM track_import WHERE device = ? ORDER BY started_at DESC, id",
        [device.sql]
      ).map { try Self.trackImport($0) }
    }
  }

  /// Removes an import and its fixes, at most `limit` fixes in a call.
  /// - Returns: whether all of them are gone.
  public func removeImport(
    _ id: TrackImportID, of device: DeviceID, account: AccountID, limit: Int
  ) async throws(StoreError) -> Bool {
    try await write { database in
      _ = try Self.device(device, of: account, database)
      let row = try database.row(
        "SELECT first_at FROM track_import WHERE id = ? AND device = ?", [id.sql, device.sql])
      guard let row else { throw StoreError.notFound }
      return try Self.forget(id, of: device, since: row[0] ?? .max, limit: max(1, limit), database).isWhole
    }
  }

  /// Deletes imports that ended before `time`, at most `limit` rows. The retention of imported fixes counts
  /// from the import, not from the measurement; otherwise old fixes would be deleted in the night after their
  /// import.
  static func pruneImports(
    before time: Instant, of account: AccountID?, limit: Int, _ database: any SQLTransaction
  ) throws -> Int {
    let whose = account == nil ? "" : "AND device IN (SELECT id FROM device WHERE account = ?)"
    let rows = try database.rows(
      "SELECT id, device, first_at FROM track_import WHERE changed_at < ? \(whose) ORDER BY changed_at, id",
      account.map { [time.sql, $0.sql] } ?? [time.sql])
    var removed = 0
    for row in rows where removed < limit {
      removed += try forget(
        row.id(0), of: row.id(1), since: row[2] ?? .max, limit: limit - removed, database
      ).rows
    }
    return removed
  }

  /// Deletes the imported fixes of a deleted device, at most `limit` rows.
  static func forgetImports(of device: DeviceID, limit: Int, _ database: any SQLTransaction) throws -> Int {
    try database.run(
      """
      DELETE FROM imported_fix WHERE device = ?1 AND measured_at IN
        (SELECT measured_at FROM imported_fix WHERE device = ?1 ORDER BY measured_at LIMIT ?2)
      """, [device.sql, limit])
  }

  private static func forget(
    _ id: TrackImportID, of device: DeviceID, since first: Int64, limit: Int, _ database: any SQLTransaction
  ) throws -> (rows: Int, isWhole: Bool) {
    // An import that is still running waits for this row, and then finds itself stopped or gone.
    try database.run(
      "UPDATE track_import SET state = ? WHERE id = ?", [Int64(TrackImport.State.stopped.rawValue), id.sql])
    let removed = try database.run(
      """
      DELETE FROM imported_fix WHERE device = ?1 AND measured_at IN
        (SELECT measured_at FROM imported_fix WHERE device = ?1 AND measured_at >= ?2 AND track = ?3
          ORDER BY measured_at LIMIT ?4)
      """, [device.sql, first, id.sql, limit])
    guard removed < limit else { return (removed, false) }
    return (removed + (try database.run("DELETE FROM track_import WHERE id = ?", [id.sql])), true)
  }

  /// The fixes that the history does not have, in the order of time.
  private static func unknown(
    _ fixes: [Fix], of device: DeviceID, _ database: any SQLTransaction
  ) throws -> [Fix] {
    guard !fixes.isEmpty else { return [] }
    let sorted = fixes.enumerated().sorted {
      ($0.element.measuredAt, $0.offset) < ($1.element.measuredAt, $1.offset)
    }.map(\.element)
    var known = [Bool](repeating: false, count: sorted.count)
    let imported = try database.rows(
      "SELECT 1 FROM imported_fix WHERE device = ? AND measured_at BETWEEN ? AND ? LIMIT 1",
      each: sorted.map { [device.sql, $0.measuredAt.sql - sameMargin, $0.measuredAt.sql + sameMargin] })
    for (index, rows) in imported.enumerated() where !rows.isEmpty { known[index] = true }
    // Reported fixes are stored by day, and most are later than the imported ones.
    if let firstDay = try database.integer("SELECT min(day) FROM fix") {
      var asked: [(index: Int, arguments: SQLArguments)] = []
      for (index, fix) in sorted.enumerated() where !known[index] {
        let (from, to) = (fix.measuredAt.sql - sameMargin, fix.measuredAt.sql + sameMargin)
        let days = Set([from, to].map { IngestWriter.day(of: Instant(sql: $0)) }).sorted()
        for day in days where day >= firstDay { asked.append((index, [day, device.sql, from, to])) }
      }
      let reported = try database.rows(
        "SELECT 1 FROM fix WHERE day = ? AND device = ? AND measured_at BETWEEN ? AND ? LIMIT 1",
        each: asked.map(\.arguments))
      for (question, rows) in zip(asked, reported) where !rows.isEmpty { known[question.index] = true }
    }
    var new: [Fix] = []
    for (fix, isKnown) in zip(sorted, known) where !isKnown {
      if let last = new.last, fix.measuredAt - last.measuredAt < TrackImport.sameWithin { continue }
      new.append(fix)
    }
    return new
  }

  private static let importedFixTable = SQLTable(
    "imported_fix",
    [
      "device": .integer, "measured_at": .integer, "latitude": .real, "longitude": .real, "accuracy": .real,
      "speed": .real, "course": .real, "track": .integer, "altitude": .real, "altitude_error": .real,
      "altitude_reference": .integer,
    ])

  private static func values(_ fix: Fix, _ imported: TrackImport) -> [SQLValue] {
    let arguments: SQLArguments = [
      imported.device.sql, fix.measuredAt.sql, fix.position.latitude.degrees, fix.position.longitude.degrees,
      IngestWriter.accuracy(fix), fix.speed?.metresPerSecond, fix.course?.degrees, imported.id.sql,
      fix.altitude?.height.metres, fix.altitude?.error?.metres,
      fix.altitude.map { Int($0.reference.rawValue) },
    ]
    return arguments.values
  }

  private static let importColumns = """
    id, device, name, started_at, changed_at, state, share, fixes_read, fixes_added, first_at, last_at, detail
    """

  private static func trackImport(_ row: SQLRow) throws -> TrackImport {
    var imported = TrackImport(id: row.id(0), device: row.id(1), name: row[2], startedAt: row.instant(3))
    guard let state = TrackImport.State(rawValue: row[5]) else {
      throw StoreError.corrupted(detail: "an import has state \(row[5] as Int64)")
    }
    imported.state = state
    imported.changedAt = row.instant(4)
    imported.share = row[6]
    imported.fixesRead = row[7]
    imported.fixesAdded = row[8]
    imported.first = row.optionalInstant(9)
    imported.last = row.optionalInstant(10)
    imported.detail = row[11]
    return imported
  }
}
