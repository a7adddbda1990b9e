import AlarmEngine
import Geometry

/// Alarms and their delivery attempts. They are written by `SQLStore.record`.
extension SQLStore {
  static let alarmColumns = """
    id, account, device, subject, zone, zone_name, cause, silent_since, state, state_argument, began, decided_at,
    learned_at, distance, latitude, longitude, last_rang_at, rings, cleared_at, answered_at, answered_by,
    escalation_step, version, level, unread, engine_id, is_held_back, expected, expected_minute
    """

  static func alarm(_ row: SQLRow) throws -> AlarmRecord {
    let id: AlarmID = row.id(0)
    guard let subject = subject(row), let state = state(row) else {
      throw StoreError.corrupted(detail: "alarm \(id) has an unknown subject or state")
    }
    return AlarmRecord(
      id: id, engineID: row.id(25), account: row.id(1), device: row.id(2), subject: subject, state: state,
      began: row.instant(10),
      decidedAt: row.instant(11), learnedAt: row.instant(12), distance: row.distance(13),
      position: row.place(14), lastRangAt: row.instant(16), rings: row[17],
      answeredAt: row.optionalInstant(19), answeredBy: row[20],
      escalationStep: EscalationStep(nearest: row[21]), isHeldBack: row[26], version: row[22])
  }

  private static func subject(_ row: SQLRow) -> AlarmRecord.Subject? {
    switch row[3] as Int {
    case 1:
      guard let zone = row.optionalID(4, ZoneID.self), let cause = Cause(rawValue: row[6]) else {
        return nil
      }
      return .zone(zone, name: row.text(5), cause)
    case 2: return row.optionalID(4, ZoneID.self).map { .missedSignal($0, name: row.text(5)) }
    case 3: return row.optionalInstant(7).map { .silence(since: $0) }
    case 4: return (row[23] as Double?).map { .lowBattery(level: $0) }
    case 5: return .distress
    case 6: return (row[24] as Int?).flatMap(DeviceStatus.Unread.init(rawValue:)).map { .unreadable($0) }
    case 7:
      guard let companion = row.optionalID(4, CompanionID.self),
        let news = (row[6] as Int64?).flatMap({ UInt8(exactly: $0) }).flatMap(
          AlarmRecord.CompanionNews.init(rawValue:))
      else { return nil }
      return .companion(companion, name: row.text(5), news)
    case 8: return .missedCheckIn(note: row.text(5), seenAt: row.optionalInstant(7))
    case 9:
      guard let zone = row.optionalID(4, ZoneID.self), let id = row.optionalID(27, ExpectedArrivalID.self),
        let minute = row[28] as Int?
      else { return nil }
      return .notArrived(
        .init(expected: id, zone: zone, name: row.text(5), minute: minute, seenAt: row.optionalInstant(7)))
    default: return nil
    }
  }

  private static func state(_ row: SQLRow) -> AlarmRecord.State? {
    switch (row[8] as Int, row[9] as Int64?) {
    case (1, _): .ringing
    case (2, _): .closed
    case (3, let until?): .sleeping(until: Instant(sql: until))
    case (4, _): .acknowledgedInside
    case (5, let until?): .acknowledgedForToday(until: Instant(sql: until))
    case (6, let why?):
      UInt8(exactly: why).flatMap { Clearing(rawValue: $0) }.map {
        // Older rows lack the time of the end: the time of the last ring replaces it.
        .cleared($0, at: row.optionalInstant(18) ?? row.instant(16))
      }
    case (7, _): .retracted
    default: nil
    }
  }

  private static func columns(of state: AlarmRecord.State) -> (number: Int, argument: Int64?) {
    switch state {
    case .ringing: (1, nil)
    case .closed: (2, nil)
    case .sleeping(let until): (3, until.sql)
    case .acknowledgedInside: (4, nil)
    case .acknowledgedForToday(let until): (5, until.sql)
    case .cleared(let why, _): (6, Int64(why.rawValue))
    case .retracted: (7, nil)
    }
  }

  /// - Throws: `.stale` if a later version is stored; `.taken` if the id belongs to another account's alarm.
  static func upsert(_ alarm: AlarmRecord, _ database: any SQLTransaction) throws {
    var zone: ZoneID?
    var name: Text?
    var cause: UInt8?
    var silentSince: Instant?
    var level: Double?
    var unread: DeviceStatus.Unread?
    var expected: (id: ExpectedArrivalID, minute: Int)?
    let subject: Int
    switch alarm.subject {
    case .zone(let id, let called, let why): (subject, zone, name, cause) = (1, id, called, why.rawValue)
    case .missedSignal(let id, let called): (subject, zone, name) = (2, id, called)
    case .silence(let since): (subject, silentSince) = (3, since)
    case .lowBattery(let charge): (subject, level) = (4, charge)
    case .distress: subject = 5
    case .unreadable(let why): (subject, unread) = (6, why)
    case .companion(let id, let called, let news):
      (subject, zone, name, cause) = (7, id.zone, called, news.rawValue)
    case .missedCheckIn(let note, let seenAt): (subject, name, silentSince) = (8, note, seenAt)
    case .notArrived(let missing):
      (subject, zone, name, silentSince) = (9, missing.zone, missing.name, missing.seenAt)
      expected = (missing.expected, missing.minute)
    }
    let state = columns(of: alarm.state)
    let changed = try database.run(
      """
      INSERT INTO alarm (\(alarmColumns), is_open)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET subject = excluded.subject, zone = excluded.zone,
        zone_name = excluded.zone_name, cause = excluded.cause, silent_since = excluded.silent_since, level = excluded.level, unread = excluded.unread,
        state = excluded.state, state_argument = excluded.state_argument, is_open = excluded.is_open,
        began = excluded.began, decided_at = excluded.decided_at, learned_at = excluded.learned_at,
        distance = excluded.distance, latitude = excluded.latitude, longitude = excluded.longitude,
        last_rang_at = excluded.last_rang_at, rings = excluded.rings, cleared_at = excluded.cleared_at,
        answered_at = excluded.answered_at, answered_by = excluded.answered_by,
        escalation_step = excluded.escalation_step, engine_id = excluded.engine_id,
        is_held_back = excluded.is_held_back, expected = excluded.expected,
        expected_minute = excluded.expected_minute, version = excluded.version
      WHERE alarm.account = excluded.account AND alarm.device = excluded.device
        AND alarm.version <= excluded.version
      """,
      [
        alarm.id.sql, alarm.account.sql, alarm.device.sql, subject, zone?.sql, name?.sql,
        cause, silentSince?.sql, state.number, state.argument, alarm.began.sql,
        alarm.decidedAt.sql, alarm.learnedAt.sql, alarm.distance?.metres, alarm.position?.latitude.degrees,
        alarm.position?.longitude.degrees, alarm.lastRangAt.sql, alarm.rings, alarm.clearedAt?.sql,
        alarm.answeredAt?.sql, alarm.answeredBy, alarm.escalationStep.number, alarm.version, level,
        unread?.rawValue,
        alarm.engineID.sql, alarm.isHeldBack, expected?.id.sql, expected?.minute, alarm.isOpen,
      ])
    guard changed == 0 else { return }
    let stored = try database.row("SELECT version, account FROM alarm WHERE id = ?", [alarm.id.sql])
    guard let stored, stored.id(1) == alarm.account else { throw StoreError.taken }
    throw StoreError.stale(stored: stored.revision(0))
  }

  public func alarm(_ id: AlarmID, of account: AccountID) async throws(StoreError) -> AlarmRecord {
    let alarm = try await alarm(id)
    guard alarm.account == account else { throw .notFound }
    return alarm
  }

  /// The alarm of any account, for signed links and the delivery.
  public func alarm(_ id: AlarmID) async throws(StoreError) -> AlarmRecord {
    guard let alarm = try await alarms([id]).first else { throw .notFound }
    return alarm
  }

  /// The alarms with these ids that exist.
  public func alarms(_ ids: [AlarmID]) async throws(StoreError) -> [AlarmRecord] {
    try await read { database in try ids.compactMap { try Self.alarm($0, database) } }
  }

  /// The alarms with these ids. An id may be the alarm's own or the one that the engine gives it now.
  public func alarms(named ids: [AlarmID]) async throws(StoreError) -> [AlarmRecord] {
    try await read { database in
      try ids.flatMap { id in
        try database.rows(
          "SELECT \(Self.alarmColumns) FROM alarm WHERE id = ?1 OR engine_id = ?1 ORDER BY id", [id.sql]
        ).map { try Self.alarm($0) }
      }
    }
  }

  static func alarm(_ id: AlarmID, _ database: any SQLTransaction) throws -> AlarmRecord? {
    try database.row("SELECT \(alarmColumns) FROM alarm WHERE id = ?", [id.sql]).map { try alarm($0) }
  }

  /// Returns alarms in descending order of beginning, ties by descending id.
  /// - Parameters:
  ///   - device: nil for all devices of the account.
  ///   - alarm: the page begins after this alarm in that order.
  public func alarms(
    of account: AccountID, device: DeviceID?, before alarm: AlarmID?, limit: Int
  ) async throws(StoreError) -> [AlarmRecord] {
    try await read { database in
      var bound: (began: Int64, id: Int64) = (.max, .max)
      if let alarm {
        let row = try database.row(
          "SELECT began, id FROM alarm WHERE id = ? AND account = ?", [alarm.sql, account.sql])
        guard let row else { throw StoreError.notFound }
        bound = (row[0], row[1])
      }
      // The account and the device each have an index; the query uses one of them.
      let whose = device == nil ? "" : "AND device = ?4"
      var arguments: SQLArguments = [account.sql, bound.began, bound.id]
      if let device { arguments += [device.sql] }
      arguments += [limit]
      return try database.rows(
        """
        SELECT \(Self.alarmColumns) FROM alarm WHERE account = ?1 AND (began, id) < (?2, ?3) \(whose)
        ORDER BY began DESC, id DESC LIMIT ?
        """, arguments
      ).map { try Self.alarm($0) }
    }
  }

  /// The open alarms of all accounts, ascending by id, for the timers at the start.
  public func openAlarms(after id: AlarmID?, limit: Int) async throws(StoreError) -> [AlarmRecord] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.alarmColumns) FROM alarm WHERE is_open AND \(AlarmID.after(id, "id")) ORDER BY id LIMIT ?",
        [AlarmID.bound(id), limit]
      ).map { try Self.alarm($0) }
    }
  }

  /// The delivery attempts of an alarm, in the order in which they ended, including those of deleted
  /// channels.
  public func attempts(
    of alarm: AlarmID, account: AccountID
  ) async throws(StoreError) -> [DeliveryAttempt] {
    try await read { database in
      let owned = try database.integer(
        "SELECT 1 FROM alarm WHERE id = ? AND account = ?", [alarm.sql, account.sql])
      guard owned != nil else { throw StoreError.notFound }
      return try database.rows(
        """
        SELECT channel, attempt, started_at, ended_at, outcome, detail FROM attempt WHERE alarm = ?
        ORDER BY ended_at, number
        """, [alarm.sql]
      ).map { row in
        guard let outcome = DeliveryAttempt.Outcome(rawValue: row[4]) else {
          throw StoreError.corrupted(detail: "an attempt has outcome \(row[4] as String)")
        }
        return DeliveryAttempt(
          alarm: alarm, channel: row.id(0), attempt: row[1], startedAt: row.instant(2),
          endedAt: row.instant(3), outcome: outcome, detail: row[5])
      }
    }
  }

  /// Records an attempt that did not come from the outbox: a notification seen, or withdrawn by the receiver.
  public func record(_ attempt: DeliveryAttempt) async throws(StoreError) {
    try await write { database in
      guard try Self.note(attempt, database) else { throw StoreError.notFound }
    }
  }

  /// - Returns: whether the alarm exists. The attempt is recorded only if it does.
  @discardableResult
  static func note(_ attempt: DeliveryAttempt, _ database: any SQLTransaction) throws -> Bool {
    let noted = try database.run(
      """
      INSERT INTO attempt (alarm, channel, attempt, started_at, ended_at, outcome, detail)
      SELECT id, ?, ?, ?, ?, ?, ? FROM alarm WHERE id = ?
      """,
      [
        attempt.channel.sql, attempt.attempt, attempt.startedAt.sql, attempt.endedAt.sql,
        attempt.outcome.rawValue, attempt.detail, attempt.alarm.sql,
      ])
    return noted == 1
  }
}
