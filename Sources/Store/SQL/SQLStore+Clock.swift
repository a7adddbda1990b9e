import AlarmEngine

extension SQLStore {
  /// The server's hybrid logical clock in its stored state.
  ///
  /// All processes share one row and its node. The row is read and written in transactions that run one at a
  /// time, and each time is later than the previous one, so no two processes produce the same time. Only
  /// edits produce times; the ingest does not.
  static func clock(_ database: any SQLTransaction) throws -> HybridClock {
    guard let row = try database.row("SELECT node, time, counter, made_by FROM hybrid_clock") else {
      throw StoreError.corrupted(detail: "there is no clock")
    }
    let node = UInt64(bitPattern: row[0] as Int64)
    guard let time = row.optionalInstant(1) else { return HybridClock(node: node) }
    let counter = UInt32(truncatingIfNeeded: row[2] as Int64)
    return HybridClock(
      node: node,
      last: HybridTime(time: time, counter: counter, node: UInt64(bitPattern: row[3] as Int64)))
  }

  static func save(_ clock: HybridClock, _ database: any SQLTransaction) throws {
    guard let last = clock.last else { return }
    try database.run(
      "UPDATE hybrid_clock SET time = ?, counter = ?, made_by = ?",
      [last.time.sql, Int64(last.counter), Int64(bitPattern: last.node)])
  }

  /// Returns the time for an edit made on this server.
  static func tick(at now: Instant, _ database: any SQLTransaction) throws -> HybridTime {
    var clock = try clock(database)
    let time = clock.tick(at: now)
    try save(clock, database)
    return time
  }

  /// Advances the clock past the edits of others.
  /// - Throws: `.clockAhead`.
  static func receive(_ records: [SyncRecord], at now: Instant, _ database: any SQLTransaction) throws {
    var clock = try clock(database)
    for record in records {
      guard let latest = record.latest else { continue }
      do { try clock.receive(latest, at: now) } catch {
        switch error {
        case .ahead(let given, let allowed): throw StoreError.clockAhead(given: given, allowed: allowed)
        }
      }
    }
    try save(clock, database)
  }
}
