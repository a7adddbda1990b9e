import AlarmEngine

/// Positions of the past that came in files. They are history and nothing else: no engine is made from them, so they ring
/// nothing, and `SQLStore.fixes`, which engines are made from, does not know them.
extension SQLStore {
  /// - Throws: `.notFound` when the device is not the account's; `.tooMany` beyond `TrackImport.most` for one device.
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

  /// Adds the fixes that the device's history does not have: of those less than a second from one that is stored, or from
  /// one before it in `fixes`, none is added. So the same file twice adds nothing, whatever it is cut into.
  /// - Parameter imported: as it is to be stored; what was added is counted by the store.
  /// - Returns: as it is stored now.
  /// - Throws: `.notFound` when the import or the device is gone.
  public func record(
    _ imported: TrackImport, adding fixes: [Fix], of account: AccountID
  ) async throws(StoreError) -> TrackImport {
    // Nothing else rests on it, so that several processes' reports need not wait.
    try await write(.note) { database in
      _ = try Self.device(imported.device, of: account, database)
      // First of all, so that nobody takes the import back between this and the fixes.
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

  /// The last to begin first.
  public func imports(of device: DeviceID, account: AccountID) async throws(StoreError) -> [TrackImport] {
    try await read { database in
      _ = try Self.device(device, of: account, database)
      return try database.rows(
        "SELECT \(Self.importColumns) FROM track_import WHERE device = ? ORDER BY started_at DESC, id",
        [device.sql]
      ).map { try Self.trackImport($0) }
    }
  }

  /// Takes back what an import added, at most `limit` fixes at once.
  /// - Returns: whether all of it is gone.
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

  /// Imports that ended before a time, at most `limit` rows of them: what was imported is kept as long from then on as what
  /// is reported is kept from when it was measured, since all of it would be gone the same night otherwise.
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

  /// All that was imported for a device that is gone, at most `limit` rows.
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
    // Whoever goes on importing waits, and finds it gone or stopped.
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

  /// Those that the history has not, in the order of time.
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
    // Reported fixes lie by day, mostly all later than what is imported.
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
