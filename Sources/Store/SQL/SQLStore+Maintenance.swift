import AlarmEngine

/// Maintenance of the store itself.
extension SQLStore {
  /// Writes all data, as it is at one moment, to a new file, while the store stays in use.
  ///
  /// - Parameters:
  ///   - path: must not exist yet. The file appears there when it is complete.
  ///   - progress: called from time to time with a value from 0 to 1.
  public func backUp(
    to path: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws(StoreError) {
    try await database.backUp(to: path, progress: progress)
  }

  /// Checks all data.
  /// - Returns: the issues, one sentence each; empty if there are none.
  public func integrityIssues() async throws(StoreError) -> [String] {
    try await Self.damage { () async throws(StoreError) -> [String] in
      let found = try await database.issues(isQuick: false)
      return try await read { database in
        var issues = found
        for row in try database.rows("SELECT id, record FROM zone WHERE NOT is_deleted") {
          do { _ = try Zone(id: row.id(0), record: SyncRecord(bytes: row.bytes(1))) } catch {
            issues.append("zone \(row.id(0, ZoneID.self)): \(error)")
          }
        }
        for row in try database.rows("SELECT id, record FROM reminder WHERE NOT is_deleted") {
          do { _ = try Reminder(id: row.id(0), record: SyncRecord(bytes: row.bytes(1))) } catch {
            issues.append("reminder \(row.id(0, ReminderID.self)): \(error)")
          }
        }
        return issues
      }
    }
  }

  /// Reads the whole file once and looks for damage. Faster and less thorough than `integrityIssues`.
  public func quickCheck() async throws(StoreError) -> [String] {
    try await Self.damage { () async throws(StoreError) -> [String] in
      try await database.issues(isQuick: true)
    }
  }

  /// Runs a check. Damage that stops it is returned as its finding.
  private static func damage(
    _ check: () async throws(StoreError) -> [String]
  ) async throws(StoreError) -> [String] {
    do { return try await check() } catch {
      guard case .corrupted(let detail) = error else { throw error }
      return [detail]
    }
  }

  /// Checks that the store can be written, without writing anything.
  /// - Throws: the error that a write would throw: `.readOnly`, `.locked`, `.closed` and so on. The room on
  ///   the disk is not checked.
  public func checkWritable() async throws(StoreError) { try await database.checkWritable() }

  public func statistics() async throws(StoreError) -> StoreStatistics {
    let sizes = try await database.sizes()
    return try await read { database in
      func count(_ sql: String) throws -> Int { Int(try database.integer(sql) ?? 0) }
      var statistics = StoreStatistics()
      statistics.accounts = try count("SELECT count(*) FROM account WHERE NOT is_erased")
      statistics.devices = try count("SELECT count(*) FROM device")
      statistics.unclaimedDevices = try count("SELECT count(*) FROM device WHERE account IS NULL")
      statistics.zones = try count("SELECT count(*) FROM zone WHERE NOT is_deleted")
      statistics.alarms = try count("SELECT count(*) FROM alarm")
      statistics.openAlarms = try count("SELECT count(*) FROM alarm WHERE is_open")
      statistics.outbox = try count("SELECT count(*) FROM outbox")
      statistics.oldestDue = try database.integer("SELECT min(ready_at) FROM outbox").map { Instant(sql: $0) }
      (statistics.fileBytes, statistics.freeBytes, statistics.logBytes) = sizes
      return statistics
    }
  }

  /// Prepares partitions for the fixes of the next days, and drops whole days that are old enough, if the
  /// database keeps days apart. `prune` removes the remaining rows one by one.
  /// - Parameter oldest: fixes of days before this time's day are dropped; nil keeps all.
  /// - Returns: the number of days prepared or dropped.
  public func arrangeDays(at now: Instant, fixesBefore oldest: Instant?) async throws(StoreError) -> Int {
    try await database.arrangeDays(
      today: IngestWriter.day(of: now), oldest: oldest.map { IngestWriter.day(of: $0) })
  }

  /// The time by the database server's clock, which all processes share; nil for a database on one machine
  /// only.
  public func sharedTime() async throws(StoreError) -> Instant? { try await database.time() }

  /// Returns the figures about the connections to the database server, and begins new measurements of delays.
  /// Returns nil if there is no server.
  public func takeConnectionFigures() -> ConnectionFigures? { database.takeConnectionFigures() }

  /// The interval at which to ask for other processes' writes (``changesByOthers(since:)``).
  public var looksForOthersEvery: Duration { database.looksForOthersEvery }
}
