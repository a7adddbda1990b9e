import AlarmEngine
import Foundation

/// Pending deliveries. Filled by `SQLStore.record`.
extension SQLStore {
  private static let columns = """
    number, account, channel, alarm, collapse_key, payload, created_at, due_at, expires_at, attempts
    """

  private static func item(_ row: SQLRow) -> OutboxItem {
    OutboxItem(
      account: row.id(1), channel: row.id(2), alarm: row.optionalID(3), collapseKey: row[4],
      payload: row.bytes(5), createdAt: row.instant(6), dueAt: row.instant(7), expiresAt: row.instant(8))
  }

  public func enqueue(_ items: [OutboxItem]) async throws(StoreError) {
    try await write { database in
      for item in items { try Self.enqueue(item, at: item.createdAt, database) }
    }
  }

  /// Adds an item, unless its channel is gone or belongs to another account, or `isOnlyIfTold` leaves it out.
  static func enqueue(_ item: OutboxItem, at now: Instant, _ database: any SQLTransaction) throws {
    if let key = item.collapseKey {
      try database.run(
        """
        DELETE FROM outbox WHERE channel = ? AND collapse_key = ? AND account = ?
          AND (NOT is_leased OR ready_at <= ?)
        """, [item.channel.sql, key, item.account.sql, now.sql])
    }
    if item.isOnlyIfTold, try !wasTold(item, database) { return }
    try database.run(
      """
      INSERT INTO outbox (account, channel, alarm, collapse_key, payload, created_at, due_at, expires_at, ready_at)
      SELECT account, id, ?, ?, ?, ?, ?, ?, ? FROM channel WHERE id = ? AND account = ?
      """,
      [
        item.alarm?.sql, item.collapseKey, Data(item.payload), item.createdAt.sql, item.dueAt.sql,
        item.expiresAt.sql, item.dueAt.sql, item.channel.sql, item.account.sql,
      ])
  }

  /// True if a message about the item's alarm was tried on its channel, or waits for it.
  private static func wasTold(_ item: OutboxItem, _ database: any SQLTransaction) throws -> Bool {
    guard let alarm = item.alarm else { return false }
    return try ["attempt", "outbox"].contains { table in
      try database.integer(
        "SELECT 1 FROM \(table) WHERE alarm = ? AND channel = ? LIMIT 1", [alarm.sql, item.channel.sql])
        != nil
    }
  }

  /// A condition that excludes items for channels of some kinds; empty if `left` is.
  private static func condition(without left: Set<ChannelKind>) -> String {
    guard !left.isEmpty else { return "" }
    let kinds = left.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    return """
      NOT EXISTS (SELECT 1 FROM channel WHERE channel.id = outbox.channel AND channel.kind IN (\(kinds)))
      """
  }

  /// Leases the items that are due, the earliest first. Only one item of a channel and collapse key, and of a
  /// channel and alarm, is leased at a time, the oldest first, so that a withdrawal never overtakes its
  /// notice.
  ///
  /// An item whose lease ran out is due again. Expired items are dropped, and recorded with their alarm as
  /// rejected.
  /// - Parameters:
  ///   - owner: the process that delivers them. Processes that lease at the same time get different items.
  ///   - left: kinds of channels that this process cannot reach now. Their items wait without an attempt, for
  ///     another process or a later call.
  public func lease(
    now: Instant, limit: Int, for duration: TimeSpan, owner: String, without left: Set<ChannelKind>
  ) async throws(StoreError) -> [OutboxLease] {
    let until = now + duration
    let condition = Self.condition(without: left)
    let (orReachable, andReachable) =
      condition.isEmpty ? ("", "") : ("AND (expires_at <= ?1 OR \(condition))", "AND \(condition)")
    // Usually nothing is due; a read finds that out without taking the writer.
    let isDue = try await read {
      try $0.integer("SELECT 1 FROM outbox WHERE ready_at <= ?1 \(orReachable) LIMIT 1", [now.sql]) != nil
    }
    guard isDue else { return [] }
    return try await write { database in
      try Self.dropExpired(now, database)
      // Delete items that a later one with the same key replaces.
      try database.run(
        """
        DELETE FROM outbox WHERE ready_at <= ? AND collapse_key IS NOT NULL AND EXISTS (
          SELECT 1 FROM outbox AS later WHERE later.channel = outbox.channel
            AND later.collapse_key = outbox.collapse_key AND later.number > outbox.number)
        """, [now.sql])
      let rows = try database.rows(
        """
        SELECT \(Self.columns) FROM outbox WHERE ready_at <= ?1 \(andReachable)
          AND NOT EXISTS (
            SELECT 1 FROM outbox AS other WHERE other.channel = outbox.channel
              AND other.collapse_key = outbox.collapse_key AND other.number <> outbox.number
              AND other.is_leased AND other.ready_at > ?1)
          AND NOT EXISTS (
            SELECT 1 FROM outbox AS other WHERE other.alarm = outbox.alarm
              AND other.channel = outbox.channel AND other.number < outbox.number
              AND (other.is_leased OR other.ready_at <= ?1))
        ORDER BY ready_at, number LIMIT ?2
        """, [now.sql, limit])
      return try rows.map { row in
        let number: Int64 = row[0]
        let attempt = (row[9] as Int) + 1
        try database.run(
          "UPDATE outbox SET attempts = ?, is_leased = TRUE, owner = ?, ready_at = ? WHERE number = ?",
          [attempt, owner, until.sql, number])
        return OutboxLease(number: number, item: Self.item(row), attempt: attempt, leasedUntil: until)
      }
    }
  }

  private static func dropExpired(_ now: Instant, _ database: any SQLTransaction) throws {
    let expired = try database.rows(
      "SELECT \(columns) FROM outbox WHERE ready_at <= ?1 AND expires_at <= ?1 LIMIT 1000", [now.sql])
    for row in expired {
      let item = item(row)
      if let alarm = item.alarm {
        try note(
          DeliveryAttempt(
            alarm: alarm, channel: item.channel, attempt: row[9], startedAt: now, endedAt: now,
            outcome: .rejected, detail: "expired"), database)
      }
      try database.run("DELETE FROM outbox WHERE number = ?", [row[0] as Int64])
    }
  }

  /// Extends leases to `duration` from now. A lease that ran out is extended too, unless the item was leased again since.
  /// - Returns: the extended leases. The others are no longer valid.
  public func renew(
    _ leases: [OutboxLease], for duration: TimeSpan, at now: Instant
  ) async throws(StoreError) -> [OutboxLease] {
    let until = now + duration
    return try await write { database in
      try leases.compactMap { lease in
        let renewed = try database.run(
          "UPDATE outbox SET ready_at = ? WHERE number = ? AND attempts = ? AND is_leased",
          [until.sql, lease.number, lease.attempt])
        guard renewed == 1 else { return nil }
        var lease = lease
        lease.leasedUntil = until
        return lease
      }
    }
  }

  /// Records attempts, and removes or postpones their items, in one transaction.
  /// - Parameter isRepeated: whether the same call was made before with an unknown outcome. Attempts are then
  ///   recorded only if the lease is still valid, so that none is recorded twice.
  /// - Returns: the number of items whose lease was still valid. Without `isRepeated`, attempts are recorded
  ///   even if the lease is not.
  @discardableResult
  public func settle(
    _ settlements: [OutboxSettlement], isRepeated: Bool = false
  ) async throws(StoreError) -> Int {
    try await write { database in
      var good = 0
      for settlement in settlements {
        let lease = settlement.lease
        if let attempt = settlement.attempt {
          let isSettled =
            try isRepeated
            && database.integer(
              "SELECT 1 FROM outbox WHERE number = ? AND attempts = ? AND is_leased",
              [lease.number, lease.attempt]) == nil
          if !isSettled { try Self.note(attempt, database) }
        }
        switch settlement.outcome {
        case .done:
          good += try database.run(
            "DELETE FROM outbox WHERE number = ? AND attempts = ?", [lease.number, lease.attempt])
        case .again(let time):
          good += try database.run(
            "UPDATE outbox SET is_leased = FALSE, owner = NULL, ready_at = ? WHERE number = ? AND attempts = ?",
            [time.sql, lease.number, lease.attempt])
          // A later item with the same key replaces this one, which would otherwise be retried after it.
          try database.run(
            """
            DELETE FROM outbox WHERE number = ? AND NOT is_leased AND collapse_key IS NOT NULL AND EXISTS (
              SELECT 1 FROM outbox AS later WHERE later.channel = outbox.channel
                AND later.collapse_key = outbox.collapse_key AND later.number > outbox.number)
            """, [lease.number])
        }
      }
      return good
    }
  }

  /// Removes the waiting items about an alarm. Leased items stay, since they are being delivered.
  static func withdraw(_ alarm: AlarmID, at now: Instant, _ database: any SQLTransaction) throws {
    try database.run(
      "DELETE FROM outbox WHERE alarm = ? AND (NOT is_leased OR ready_at <= ?)", [alarm.sql, now.sql])
  }

  /// Removes all items about an alarm, leased or not.
  /// - Returns: the number of items removed.
  @discardableResult
  public func cancelOutbox(of alarm: AlarmID) async throws(StoreError) -> Int {
    try await write { try $0.run("DELETE FROM outbox WHERE alarm = ?", [alarm.sql]) }
  }

  @discardableResult
  public func cancelOutbox(
    of channel: ChannelID, collapseKey: String
  ) async throws(StoreError) -> Int {
    try await write {
      try $0.run(
        "DELETE FROM outbox WHERE channel = ? AND collapse_key = ?", [channel.sql, collapseKey])
    }
  }

  /// Ends the leases of an owner, so that their items are due at once. Call it when the process that held
  /// them is gone and the caller has taken its place. Leases of other processes stay.
  ///
  /// Leases without an owner are from a version that ran as a single process.
  public func releaseLeases(of owner: String, at now: Instant) async throws(StoreError) {
    try await write {
      _ = try $0.run(
        """
        UPDATE outbox SET is_leased = FALSE, owner = NULL, ready_at = ?
        WHERE is_leased AND (owner = ? OR owner IS NULL)
        """, [now.sql, owner])
    }
  }

  /// The time at which the next item is due, leases that run out included; nil if there is none.
  /// - Parameter left: kinds of channels whose items are skipped.
  public func nextDue(without left: Set<ChannelKind>) async throws(StoreError) -> Instant? {
    let condition = Self.condition(without: left)
    let reachable = condition.isEmpty ? "" : "WHERE \(condition)"
    return try await read { database in
      try database.integer("SELECT ready_at FROM outbox \(reachable) ORDER BY ready_at LIMIT 1").map {
        Instant(sql: $0)
      }
    }
  }

  /// The same for channels of all kinds.
  public func lease(
    now: Instant, limit: Int, for duration: TimeSpan, owner: String
  ) async throws(StoreError) -> [OutboxLease] {
    try await lease(now: now, limit: limit, for: duration, owner: owner, without: [])
  }

  /// The same for channels of all kinds.
  public func nextDue() async throws(StoreError) -> Instant? { try await nextDue(without: []) }

  /// Records the attempt, successful or not, and removes the item.
  /// - Returns: whether the lease was still valid.
  @discardableResult
  public func complete(
    _ lease: OutboxLease, _ attempt: DeliveryAttempt?
  ) async throws(StoreError) -> Bool {
    try await settle([OutboxSettlement(lease: lease, outcome: .done, attempt: attempt)]) == 1
  }

  /// Records the attempt and makes the item due again at `time`.
  @discardableResult
  public func retry(
    _ lease: OutboxLease, at time: Instant, _ attempt: DeliveryAttempt?
  ) async throws(StoreError) -> Bool {
    try await settle([OutboxSettlement(lease: lease, outcome: .again(at: time), attempt: attempt)]) == 1
  }
}
