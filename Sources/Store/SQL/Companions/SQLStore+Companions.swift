import AlarmEngine
import Foundation
import Geometry

/// Companion alarms: a person is told when two devices come near each other or part.
///
/// A change of a companion alarm makes the watcher's device due, so that alarms follow at once. It increments
/// the versions of both devices, so that no process continues without the change.
extension SQLStore {
  private static let rulesColumns = """
    companion.id, companion.device, companion.rings_when, companion.distance, companion.assurance,
    companion.horizon
    """
  private static let companionColumns = """
    \(rulesColumns), companion.account, companion.target, companion.name, companion.created_at, companion.begins,
    companion.ended, companion.ended_at, companion.bytes
    """

  /// Reads `rulesColumns`, the first of the row. A distance or horizon that is not allowed is replaced by the
  /// nearest that is, so that the alarm still rings, and the account's other alarms can be read.
  private static func rules(_ row: SQLRow) throws -> CompanionRules {
    let (distances, horizons) = (CompanionRules.allowedDistance, CompanionRules.allowedHorizon)
    let id: CompanionID = row.id(0)
    guard let trigger = UInt8(exactly: row[2] as Int64).flatMap(CompanionTrigger.init(rawValue:)),
      let assurance = UInt8(exactly: row[4] as Int64).flatMap(Assurance.init(rawValue:)),
      let metres: Double = row[3], !metres.isNaN
    else { throw StoreError.corrupted(detail: "companion \(id) has an unknown trigger or assurance") }
    return try CompanionRules(
      companion: id, device: row.id(1), trigger: trigger,
      distance: .metres(min(max(metres, distances.lowerBound.metres), distances.upperBound.metres)),
      assurance: assurance,
      horizon: min(max(.milliseconds(row[5]), horizons.lowerBound), horizons.upperBound))
  }

  private static func companion(_ row: SQLRow) throws -> Companion {
    var companion = Companion(
      try rules(row), account: row.id(6), target: row.optionalID(7) ?? DeviceID(rawValue: 0), name: row[8],
      createdAt: row.instant(9))
    companion.target = row.optionalID(7)
    companion.begins = row.optionalInstant(10)
    companion.end = (row[11] as Int64?).flatMap(Companion.End.init(rawValue:))
    companion.endedAt = row.optionalInstant(12)
    companion.snapshot = (row[13] as Data?).map { Array($0) }
    return companion
  }

  /// A condition that an account may know at ?1 where a device is: it is the account's own, or its place is
  /// shared with the account. Shares that end in a zone do not count, since their end is noticed only when
  /// somebody looks.
  private static func maySee(_ device: String, _ account: String) -> String {
    """
    EXISTS (SELECT 1 FROM device AS seen JOIN account AS owning ON owning.id = seen.account
      WHERE seen.id = \(device) AND NOT owning.is_disabled AND NOT owning.is_erased AND NOT owning.is_private
      AND (seen.account = \(account) OR EXISTS (SELECT 1 FROM share WHERE share.device = seen.id
        AND share.viewer = \(account) AND share.owner = seen.account AND share.accuracy = \(Share.Precision.place.rawValue)
        AND share.zone IS NULL AND (share.ends_at IS NULL OR share.ends_at > ?1))))
    """
  }

  /// - Throws: `.notFound` if the device is not the account's, or the account may not know where the target
  ///   is; `.tooMany` beyond `Companion.most` or `Companion.mostOfTarget`; `.privateAccount`.
  public func create(_ companion: Companion) async throws(StoreError) {
    try await write { database in
      guard let target = companion.target, target != companion.device else { throw StoreError.notFound }
      _ = try Self.device(companion.device, of: companion.account, database)
      try Self.refusePrivate(companion.account, database)
      let allowed = try database.row(
        "SELECT 1 FROM account WHERE id = ?2 AND \(Self.maySee("?3", "?2"))",
        [companion.createdAt.sql, companion.account.sql, target.sql])
      guard allowed != nil else { throw StoreError.notFound }
      let own = try database.integer(
        "SELECT count(*) FROM companion WHERE account = ?", [companion.account.sql])
      guard own ?? 0 < Companion.most else { throw StoreError.tooMany(allowed: Companion.most) }
      let about = try database.integer(
        "SELECT count(*) FROM companion WHERE target = ? AND ended_at IS NULL", [target.sql])
      guard about ?? 0 < Companion.mostOfTarget else {
        throw StoreError.tooMany(allowed: Companion.mostOfTarget)
      }
      try database.insert(
        """
        INSERT INTO companion (id, account, device, target, name, rings_when, distance, assurance, horizon, created_at,
          begins) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          companion.id.sql, companion.account.sql, companion.device.sql, target.sql, companion.name,
          Int64(companion.rules.trigger.rawValue), companion.rules.distance.metres,
          Int64(companion.rules.assurance.rawValue), companion.rules.horizon.milliseconds,
          companion.createdAt.sql, companion.begins?.sql,
        ])
      try Self.companionChanged(companion, at: companion.createdAt, database)
    }
  }

  /// Makes the watcher's device due, and outdates the engines of both devices.
  private static func companionChanged(
    _ companion: Companion, at now: Instant, _ database: any SQLTransaction
  ) throws {
    // In a fixed order, so that two transactions do not deadlock.
    for device in [companion.device, companion.target].compactMap({ $0 }).sorted() {
      try outdate(device, database)
    }
    try makeDue(companion.device, at: now, database)
  }

  /// The account's companion alarms, the latest first.
  public func companions(of account: AccountID) async throws(StoreError) -> [Companion] {
    try await read { database in
      try database.rows(
        "SELECT \(Self.companionColumns) FROM companion WHERE account = ? ORDER BY created_at DESC, id",
        [account.sql]
      ).map { try Self.companion($0) }
    }
  }

  /// Companion alarms of others about the account's devices that have not ended, the latest first.
  public func companions(about account: AccountID) async throws(StoreError) -> [CompanionAbout] {
    try await read { database in
      try database.rows(
        """
        SELECT \(Self.companionColumns), watching.login, watching.name FROM companion
          JOIN device AS seen ON seen.id = companion.target JOIN account AS watching ON watching.id = companion.account
        WHERE seen.account = ?1 AND companion.account <> ?1 AND companion.ended IS NULL
        ORDER BY companion.created_at DESC, companion.id
        """, [account.sql]
      ).map { row in
        CompanionAbout(companion: try Self.companion(row), watcherLogin: row[14], watcherName: row[15])
      }
    }
  }

  /// Edits one of the account's companion alarms that has not ended. A new trigger, distance or assurance
  /// restarts it at `now`; a new name or horizon does not. To change the device, make a new alarm, which the
  /// other device's owner then sees.
  /// - Throws: `.notFound` if the account has no such alarm for the device, or it has ended.
  @discardableResult
  public func edit(
    _ new: CompanionRules, name: String, of account: AccountID, at now: Instant
  ) async throws(StoreError) -> Companion {
    try await write { database in
      func stored() throws -> Companion {
        let row = try database.row(
          """
          SELECT \(Self.companionColumns) FROM companion
          WHERE id = ? AND account = ? AND device = ? AND ended IS NULL AND target IS NOT NULL
          """, [new.companion.sql, account.sql, new.device.sql])
        guard let row else { throw StoreError.notFound }
        return try Self.companion(row)
      }
      let before = try stored().rules
      let isSame =
        before.trigger == new.trigger && before.distance == new.distance
        && before.assurance == new.assurance
      try database.run(
        """
        UPDATE companion SET name = ?2, rings_when = ?3, distance = ?4, assurance = ?5, horizon = ?6,
          bytes = CASE WHEN ?7 THEN bytes END, begins = CASE WHEN ?7 OR begins IS NULL THEN begins ELSE ?8 END
        WHERE id = ?1
        """,
        [
          new.companion.sql, name, Int64(new.trigger.rawValue), new.distance.metres,
          Int64(new.assurance.rawValue), new.horizon.milliseconds, isSame, now.sql,
        ])
      let companion = try stored()
      try Self.companionChanged(companion, at: now, database)
      return companion
    }
  }

  /// Deletes a companion alarm of the account, or refuses another account's alarm about one of its devices.
  /// - Throws: `.notFound` for any other, and for one that was refused already.
  @discardableResult
  public func end(
    _ id: CompanionID, by account: AccountID, at now: Instant
  ) async throws(StoreError) -> EndedCompanion {
    try await write { database in
      let row = try database.row(
        """
        SELECT \(Self.companionColumns) FROM companion LEFT JOIN device AS seen ON seen.id = companion.target
        WHERE companion.id = ?1
          AND (companion.account = ?2 OR (seen.account = ?2 AND companion.ended IS NULL))
        """, [id.sql, account.sql])
      guard let row else { throw StoreError.notFound }
      var companion = try Self.companion(row)
      let isRefused = companion.account != account
      if isRefused {
        companion.end = .refused
        try database.run(
          "UPDATE companion SET ended = ? WHERE id = ?", [Companion.End.refused.rawValue, id.sql])
      } else {
        try database.run("DELETE FROM companion WHERE id = ?", [id.sql])
      }
      try Self.companionChanged(companion, at: now, database)
      return EndedCompanion(companion: companion, isRefused: isRefused)
    }
  }

  /// The companion alarms of a device whose end has not been reported yet, ascending by id.
  public func companionSights(
    of device: DeviceID, at now: Instant
  ) async throws(StoreError) -> [CompanionSight] {
    try await read { database in
      try database.rows(
        """
        SELECT \(Self.companionColumns), seen.account, coalesce(seen.settings, '{}'),
          \(Self.maySee("companion.target", "companion.account")),
          (SELECT max(share.ends_at) FROM share WHERE share.device = companion.target
            AND share.viewer = companion.account AND share.accuracy = \(Share.Precision.place.rawValue)
            AND share.zone IS NULL AND share.ends_at > ?1)
        FROM companion LEFT JOIN device AS seen ON seen.id = companion.target
        WHERE companion.device = ?2 AND companion.ended_at IS NULL ORDER BY companion.id
        """, [now.sql, device.sql]
      ).map { row in
        let companion = try Self.companion(row)
        let owner: AccountID? = row.optionalID(14)
        return CompanionSight(
          companion: companion, owner: owner, targetSettings: row[15], isAllowed: row[16],
          allowedUntil: owner == companion.account ? nil : row.optionalInstant(17))
      }
    }
  }

  /// The other devices of all companion alarms that are set on the device or watch it.
  public func companionNeighbours(of device: DeviceID) async throws(StoreError) -> [CompanionNeighbour] {
    try await read { database in
      try database.rows(
        """
        SELECT \(Self.rulesColumns), seen.account, seen.settings, measured_at, latitude, longitude, accuracy,
          received_at, speed, course
        FROM companion JOIN device AS seen
          ON seen.id = CASE WHEN companion.device = ?1 THEN companion.target ELSE companion.device END
        LEFT JOIN device_last ON device_last.device = seen.id
        WHERE (companion.device = ?1 OR companion.target = ?1) AND companion.ended_at IS NULL
          AND seen.account IS NOT NULL ORDER BY companion.id
        """, [device.sql]
      ).map { row in
        CompanionNeighbour(
          rules: try Self.rules(row), owner: row.id(6), settings: row[7],
          lastFix: row.optionalInstant(8) == nil ? nil : Self.fix(row, 8))
      }
    }
  }

  // MARK: Effects of other changes

  /// Makes the watchers of companion alarms due that may have ended.
  /// - Parameter condition: a condition on `companion` and its target `device`, with one argument.
  static func companionsMayEnd(
    where condition: String, _ argument: Int64, at now: Instant, _ database: any SQLTransaction
  ) throws {
    try database.run(
      """
      INSERT INTO device_due (device, at, mark) SELECT watching.id, ?1, ?2 FROM device AS watching
        WHERE watching.id IN (SELECT companion.device FROM companion JOIN device ON device.id = companion.target
          WHERE companion.ended_at IS NULL AND \(condition))
      ON CONFLICT (device) DO UPDATE SET at = min(device_due.at, excluded.at), mark = excluded.mark
      """, [now.sql, IngestWriter.newMark(), argument])
  }

  /// Restarts all companion alarms after the clock was set back, and deletes their previous states.
  static func beginCompanionsAnew(at now: Instant, _ database: any SQLTransaction) throws {
    try database.run(
      "UPDATE companion SET bytes = NULL, begins = ?1 WHERE begins IS NOT NULL AND ended_at IS NULL",
      [now.sql])
  }
}

// MARK: A batch of the ingest

extension IngestWriter {
  /// Makes the watchers of the batch's moved devices due at once.
  func wakeCompanions() throws {
    try database.run(
      """
      INSERT INTO device_due (device, at, mark) SELECT watching.id, ?1, ?2 FROM device AS watching
        WHERE watching.id IN
          (SELECT companion.device FROM companion WHERE companion.ended_at IS NULL
            AND (companion.target = ?3 OR companion.device = ?3))
      ON CONFLICT (device) DO UPDATE SET at = min(device_due.at, excluded.at), mark = excluded.mark
      """, each: batch.companionsMoved.sorted().map { [batch.at.sql, Self.newMark(), $0.sql] })
  }

  func writeCompanions() throws {
    try database.run(
      """
      UPDATE companion SET begins = ?2, bytes = ?3, ended = coalesce(ended, ?4),
        ended_at = CASE WHEN ?4 IS NULL THEN ended_at ELSE ?5 END WHERE id = ?1
      """,
      each: batch.companions.map {
        [$0.id.sql, $0.begins?.sql, $0.snapshot.map { Data($0) }, $0.end?.rawValue, batch.at.sql]
      })
  }
}
