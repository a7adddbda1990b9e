import AlarmEngine

/// How often notices were shown and opened (S187-S192).
extension SQLStore {
  /// Counts a notice as shown, unless the cap forbids it.
  ///
  /// - Parameters:
  ///   - zone: a zone of the account, or one that it follows.
  ///   - cap: the notice is shown at most once in this time on the device; zero is no cap.
  /// - Returns: whether to show the notice.
  public func showNotice(
    of zone: ZoneID, on device: DeviceID, of account: AccountID, cap: TimeSpan, at now: Instant
  ) async throws(StoreError) -> Bool {
    try await write { database in
      _ = try Self.device(device, of: account, database)
      let showing = NoticeShowing(zone: zone, device: device, account: account, cap: cap, items: [])
      return try Self.show(showing, at: now, database)
    }
  }

  /// Counts a notice as shown and enqueues its deliveries, unless the cap forbids it.
  @discardableResult
  static func show(_ showing: NoticeShowing, at now: Instant, _ database: any SQLTransaction) throws -> Bool {
    let shown = try database.run(
      """
      INSERT INTO notice (account, zone, device, shown, opened, last_shown_at) VALUES (?1, ?2, ?3, 1, 0, ?4)
      ON CONFLICT (account, zone, device) DO UPDATE SET shown = notice.shown + 1, last_shown_at = ?4
        WHERE ?5 <= 0 OR notice.last_shown_at + ?5 <= ?4
      """,
      [showing.account.sql, showing.zone.sql, showing.device.sql, now.sql, showing.cap.milliseconds])
    guard shown == 1 else { return false }
    try tell(.notice, showing.zone.rawValue, of: showing.account, at: now, database)
    for item in showing.items { try enqueue(item, at: now, database) }
    return true
  }

  /// - Throws: `.notFound` if the notice was never shown there.
  public func openNotice(
    of zone: ZoneID, on device: DeviceID, of account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let opened = try database.run(
        "UPDATE notice SET opened = opened + 1 WHERE account = ? AND zone = ? AND device = ?",
        [account.sql, zone.sql, device.sql])
      guard opened == 1 else { throw StoreError.notFound }
      try Self.change(.notice, zone.rawValue, of: account, at: now, database)
    }
  }

  /// The counts, ascending by zone, then device.
  public func noticeCounts(of account: AccountID) async throws(StoreError) -> [NoticeCount] {
    try await read { database in
      try database.rows(
        """
        SELECT zone, device, shown, opened, last_shown_at FROM notice WHERE account = ?
        ORDER BY zone, device
        """, [account.sql]
      ).map { row in
        NoticeCount(
          zone: row.id(0), device: row.id(1), shown: row[2], opened: row[3], lastShownAt: row.instant(4))
      }
    }
  }
}
