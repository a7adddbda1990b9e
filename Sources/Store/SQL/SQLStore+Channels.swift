import AlarmEngine

/// The channels through which people are notified of alarms.
extension SQLStore {
  private static let columns = """
    id, account, kind, name, address, secrets, is_active, escalation_step, devices, created_at, revision,
    test_minute, test_at, tested_at, test_failure, rule_zones, rule_categories, rule_directions, rule_kinds,
    rule_hours
    """

  private static func channel(_ row: SQLRow) throws -> Channel {
    guard let kind = ChannelKind(rawValue: row[2]) else {
      throw StoreError.corrupted(detail: "a channel has kind \(row[2] as String)")
    }
    return Channel(
      id: row.id(0), account: row.id(1), kind: kind, name: row[3], address: row[4], secrets: row[5],
      isActive: row[6], escalationStep: EscalationStep(nearest: row[7]), rule: try rule(row),
      dailyTest: row.optionalInstant(12).map { DailyTest(minute: row[11], nextAt: $0) },
      lastTest: row.optionalInstant(13).map { ChannelTest(at: $0, failure: row[14]) },
      createdAt: row.instant(9), revision: row.revision(10))
  }

  /// A rule's values as text: one column for each member but the phones, which have the older column
  /// `devices`. Values are parted by blanks, categories by line feeds. Empty is everything.
  private struct RuleText {
    let devices: String?
    let zones, categories, directions, kinds, hours: String

    init(_ rule: ChannelRule) {
      func joined(_ words: some Sequence<String>, by separator: String = " ") -> String {
        words.sorted().joined(separator: separator)
      }
      devices = rule.devices.isEmpty ? nil : joined(rule.devices.map(\.description))
      zones = joined(rule.zones.map(\.description))
      categories = joined(rule.categories, by: "\n")
      directions = joined(rule.directions.map(\.rawValue))
      kinds = joined(rule.kinds.map(\.rawValue))
      hours = rule.hours.map { "\($0.weekdays.rawValue)-\($0.opens)-\($0.closes)" }.joined(separator: " ")
    }
  }

  private static func rule(_ row: SQLRow) throws -> ChannelRule {
    func values<Value>(
      _ text: String, by separator: Character = " ", _ value: (Substring) -> Value?
    ) throws -> [Value] {
      try text.split(separator: separator).map { word in
        guard let value = value(word) else {
          throw StoreError.corrupted(detail: "a channel's rule has \(word.prefix(60))")
        }
        return value
      }
    }
    let zones = try values(row[15]) { ZoneID($0) }
    let categories = try values(row[16], by: "\n") { String($0) }
    let directions = try values(row[17]) { ChannelRule.Direction(rawValue: String($0)) }
    let kinds = try values(row[18]) { NoticeKind(rawValue: String($0)) }
    let devices = try values(row[8] as String? ?? "") { DeviceID($0) }
    let hours = try values(row[19], window)
    do throws(ChannelRuleError) {
      return try ChannelRule(
        zones: Set(zones), categories: Set(categories), directions: Set(directions), kinds: Set(kinds),
        devices: Set(devices), hours: hours)
    } catch { throw StoreError.corrupted(detail: "a channel's rule: \(error)") }
  }

  private static func window(_ text: Substring) -> Schedule.Window? {
    let numbers = text.split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 3 else { return nil }
    return try? Schedule.Window(checkingWeekdays: numbers[0], opens: numbers[1], closes: numbers[2])
  }

  /// - Throws: `.taken` if the id is in use.
  public func create(_ channel: Channel) async throws(StoreError) {
    let rule = RuleText(channel.rule)
    try await write { database in
      _ = try Self.account(channel.account, database)
      try database.insert(
        """
        INSERT INTO channel (\(Self.columns))
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, NULL, NULL, ?, ?, ?, ?, ?)
        """,
        [
          channel.id.sql, channel.account.sql, channel.kind.rawValue, channel.name, channel.address,
          channel.secrets, channel.isActive, channel.escalationStep.number, rule.devices,
          channel.createdAt.sql, channel.dailyTest?.minute, channel.dailyTest?.nextAt.sql,
          rule.zones, rule.categories, rule.directions, rule.kinds, rule.hours,
        ])
      try Self.change(
        .channel, channel.id.rawValue, of: channel.account, at: channel.createdAt, database)
    }
  }

  public func channel(_ id: ChannelID, of account: AccountID) async throws(StoreError) -> Channel {
    try await read { try Self.channel(id, account, $0) }
  }

  private static func channel(
    _ id: ChannelID, _ account: AccountID, _ database: any SQLTransaction
  ) throws -> Channel {
    let row = try database.row(
      "SELECT \(columns) FROM channel WHERE id = ? AND account = ?", [id.sql, account.sql])
    guard let row else { throw StoreError.notFound }
    return try channel(row)
  }

  /// The channels, ascending by step, then name, then id.
  public func channels(of account: AccountID) async throws(StoreError) -> [Channel] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.columns) FROM channel WHERE account = ? ORDER BY escalation_step, name, id",
        [account.sql]
      ).map { try Self.channel($0) }
    }
  }

  /// The active channels of all accounts, ascending by id.
  public func activeChannels(of kind: ChannelKind) async throws(StoreError) -> [Channel] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.columns) FROM channel WHERE kind = ? AND is_active ORDER BY id", [kind.rawValue]
      ).map { try Self.channel($0) }
    }
  }

  /// The active channels of all accounts whose daily test is due, the earliest first.
  public func channelsToTest(through now: Instant, limit: Int) async throws(StoreError) -> [Channel] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.columns) FROM channel WHERE test_at <= ? AND is_active ORDER BY test_at, id LIMIT ?",
        [now.sql, limit]
      ).map { try Self.channel($0) }
    }
  }

  /// Enqueues a test, and puts the channel's next test off until `next`.
  /// - Parameter channel: as `channelsToTest` returned it.
  /// - Returns: false, without effect, if another process enqueued the test first or the channel was edited
  ///   since.
  public func enqueueTest(
    _ test: OutboxItem, of channel: Channel, next: Instant
  ) async throws(StoreError) -> Bool {
    try await write { database in
      let moved = try database.run(
        "UPDATE channel SET test_at = ? WHERE id = ? AND is_active AND revision = ? AND test_at = ?",
        [next.sql, channel.id.sql, channel.revision.rawValue, channel.dailyTest?.nextAt.sql])
      guard moved == 1 else { return false }
      try Self.enqueue(test, at: test.createdAt, database)
      return true
    }
  }

  /// Stores the result of the last test. The revision stays, so that a concurrent edit is not refused.
  public func record(_ test: ChannelTest, of channel: ChannelID) async throws(StoreError) {
    _ = try await write { database in
      try database.run(
        "UPDATE channel SET tested_at = ?, test_failure = ? WHERE id = ?",
        [test.at.sql, test.failure, channel.sql])
    }
  }

  @discardableResult
  public func save(
    _ channel: Channel, over revision: Revision, at now: Instant
  ) async throws(StoreError) -> Channel {
    let rule = RuleText(channel.rule)
    return try await write { database in
      let stored = try Self.channel(channel.id, channel.account, database)
      guard stored.revision == revision else { throw StoreError.stale(stored: stored.revision) }
      try database.run(
        """
        UPDATE channel SET name = ?, address = ?, secrets = ?, is_active = ?, escalation_step = ?, devices = ?,
          test_minute = ?, test_at = ?, rule_zones = ?, rule_categories = ?, rule_directions = ?, rule_kinds = ?,
          rule_hours = ?, revision = revision + 1 WHERE id = ?
        """,
        [
          channel.name, channel.address, channel.secrets, channel.isActive, channel.escalationStep.number,
          rule.devices, channel.dailyTest?.minute, channel.dailyTest?.nextAt.sql,
          rule.zones, rule.categories, rule.directions, rule.kinds, rule.hours, channel.id.sql,
        ])
      try Self.change(.channel, channel.id.rawValue, of: channel.account, at: now, database)
      return try Self.channel(channel.id, channel.account, database)
    }
  }

  /// Deletes the channel, with its items in the outbox.
  public func deleteChannel(
    _ id: ChannelID, of account: AccountID, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      let deleted = try database.run(
        "DELETE FROM channel WHERE id = ? AND account = ?", [id.sql, account.sql])
      guard deleted == 1 else { throw StoreError.notFound }
      try Self.change(.channel, id.rawValue, of: account, deleted: true, at: now, database)
    }
  }
}
