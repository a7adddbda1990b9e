import AlarmEngine

// Past zone sets. Each transaction that changes zones has a number, its edit. A row of `zone` or `follow` has
// the edit since which it is valid; previous versions are in `former_zone` and `former_follow`.

extension SQLStore {
  /// The zone sets that the account's devices have watched since a time, in order: the one in force at that
  /// time, if the history goes back that far, and all later ones. Only the last `limit` of them are returned.
  public func zoneSetHistory(
    of account: AccountID, from time: Instant, limit: Int
  ) async throws(StoreError) -> [ZoneSetChange] {
    let limit = max(1, limit)
    return try await read { database in
      _ = try Self.zoneSetRevision(account, database)
      let first = try database.integer(
        "SELECT max(revision) FROM zone_set WHERE account = ? AND at <= ?", [account.sql, time.sql])
      return try database.rows(
        """
        SELECT revision, at FROM zone_set WHERE account = ? AND revision >= ? ORDER BY revision DESC LIMIT ?
        """, [account.sql, first ?? 0, limit]
      ).reversed().map { ZoneSetChange(revision: $0.revision(0), at: $0.instant(1)) }
    }
  }

  /// Earlier zone sets, ascending by revision. Sets that are forgotten or never existed are left out.
  public func zoneSets(
    of account: AccountID, at revisions: [Revision]
  ) async throws(StoreError) -> [ZoneSet] {
    try await read { database in
      let present = try Self.zoneSetRevision(account, database)
      var edits: [(revision: Revision, edit: Int64)] = []
      for revision in Set(revisions).sorted() where revision <= present {
        let edit = try database.integer(
          "SELECT edit FROM zone_set WHERE account = ? AND revision = ?", [account.sql, revision.sql])
        if let edit { edits.append((revision, edit)) }
      }
      guard let first = edits.first?.edit, let last = edits.last?.edit else { return [] }
      let past = try ZonesOfSpan(account, first...last, database)
      return edits.map { ZoneSet(revision: $0.revision, zones: past.zones(at: $0.edit)) }
    }
  }

  /// Returns the difference between an earlier zone set and the present one. The cost depends on the number
  /// of edits, not of zones.
  ///
  /// - Returns: nil if the difference is unknown or too large: history since then was deleted, other
  ///   collections are followed, or more than 1000 zones were edited. ``zoneSet(of:)`` always works.
  public func zoneSetEdit(
    of account: AccountID, since revision: Revision
  ) async throws(StoreError) -> ZoneSetEdit? {
    try await read { database in
      let present = try Self.zoneSetRevision(account, database)
      let begun = try database.integer(
        """
        SELECT zone_set.edit FROM zone_set, zone_clock
        WHERE account = ? AND revision = ? AND zone_set.edit > zone_clock.forgotten
        """, [account.sql, revision.sql])
      guard let begun else { return nil }
      let follows = try database.row(
        """
        SELECT 1 FROM follow WHERE account = ?1 AND watched_since > ?2
        UNION ALL SELECT 1 FROM former_follow WHERE account = ?1 AND until > ?2 LIMIT 1
        """, [account.sql, begun])
      guard follows == nil else { return nil }
      let edited = try database.rows(
        """
        SELECT id FROM zone WHERE account = ?1 AND since > ?2
        UNION SELECT id FROM former_zone WHERE account = ?1 AND until > ?2
        UNION SELECT zone.id FROM follow JOIN zone ON zone.collection = follow.collection
          WHERE follow.account = ?1 AND zone.since > ?2
        UNION SELECT former_zone.id FROM follow JOIN former_zone ON former_zone.collection = follow.collection
          WHERE follow.account = ?1 AND former_zone.until > ?2
        ORDER BY 1 LIMIT ?3
        """, [account.sql, begun, Self.mostEditedZones + 1]
      ).map { ZoneID(sql: $0[0]) }
      guard edited.count <= Self.mostEditedZones else { return nil }
      let zones = try Self.watchedZones(of: account, among: edited, database)
      let left = Set(zones.map(\.id))
      return ZoneSetEdit(
        revision: present, zones: zones, removed: edited.filter { !left.contains($0) },
        count: try Self.watchedZoneCount(of: account, database))
    }
  }

  private static func watchedZoneCount(of account: AccountID, _ database: any SQLTransaction) throws -> Int {
    let own = "SELECT id FROM zone WHERE account = ?1 AND NOT is_deleted"
    let follows = try database.row("SELECT 1 FROM follow WHERE account = ?1 LIMIT 1", [account.sql])
    let all = follows == nil ? own : "\(own) UNION SELECT zone.id \(followedZones)"
    return Int(try database.integer("SELECT count(*) FROM (\(all)) AS watched", [account.sql]) ?? 0)
  }

  /// Marks the edits so far as unusable for `zoneSetEdit`, after zones or follows were deleted without a
  /// previous version.
  static func forgetZoneEdits(_ database: any SQLTransaction) throws {
    try database.run("UPDATE zone_clock SET forgotten = edit WHERE forgotten < edit")
  }

  /// The most edited zones that are read one by one; above it, reading all zones in a row is faster.
  private static var mostEditedZones: Int { 1000 }

  // MARK: Writing

  /// The edit number of the running transaction, if it changes zones.
  static func zoneEdit(_ database: any SQLTransaction) throws -> Int64 {
    (try database.integer("SELECT edit FROM zone_clock") ?? 0) + 1
  }

  /// Keeps the present version of zones that are about to change in the running transaction. Skips deleted
  /// zones.
  static func keepFormer(
    zones condition: String, _ arguments: SQLArguments, at now: Instant, _ database: any SQLTransaction
  ) throws {
    let edit = try zoneEdit(database)
    try database.run(
      """
      INSERT INTO former_zone (account, id, collection, revision, saved_at, record, since, until, ended_at)
      SELECT account, id, collection, revision, saved_at, record, since, ?, ? FROM zone
      WHERE NOT is_deleted AND since < ? AND \(condition)
      """, [edit, now.sql, edit] + arguments)
  }

  /// The same for follows that end or lose their permission.
  static func keepFormer(
    follows condition: String, _ arguments: SQLArguments, at now: Instant, _ database: any SQLTransaction
  ) throws {
    let edit = try zoneEdit(database)
    try database.run(
      """
      INSERT INTO former_follow (account, collection, since, until, ended_at)
      SELECT follow.account, follow.collection, watched_since, ?, ?
      FROM follow JOIN collection ON collection.id = follow.collection
      WHERE watched_since < ? AND \(mayFollow) AND \(condition)
      """, [edit, now.sql, edit] + arguments)
  }

  /// Begins a new zone set for the accounts, as of the running transaction.
  static func beginZoneSet(
    of accounts: String, _ arguments: SQLArguments, at now: Instant, _ database: any SQLTransaction
  ) throws {
    let edit = try zoneEdit(database)
    try database.run(
      "UPDATE account SET zone_set = zone_set + 1 WHERE id IN (\(accounts))", arguments)
    try database.run(
      """
      INSERT INTO zone_set (account, revision, edit, at) SELECT id, zone_set, ?, max(?, coalesce(
        (SELECT at FROM zone_set WHERE account = account.id ORDER BY revision DESC LIMIT 1), ?))
      FROM account WHERE id IN (\(accounts))
      """, [edit, now.sql, now.sql] + arguments)
  }

  /// Deletes zone sets from before `time`, at most `limit` rows.
  static func pruneZoneHistory(
    before time: Instant, of account: AccountID?, limit: Int, _ database: any SQLTransaction
  ) throws -> Int {
    var removed = 0
    let (whose, owner): (String, SQLArguments) =
      account.map { ("account = ? AND", [$0.sql]) } ?? ("", [])
    for table in ["former_zone", "former_follow"] where removed < limit {
      removed += try database.run(
        "DELETE FROM \(table) WHERE rowid IN (SELECT rowid FROM \(table) WHERE \(whose) ended_at < ? LIMIT ?)",
        owner + [time.sql, limit - removed])
    }
    if removed > 0 { try forgetZoneEdits(database) }
    guard removed < limit else { return removed }
    // The set in force at that time stays.
    return removed
      + (try database.run(
        """
        DELETE FROM zone_set WHERE rowid IN (SELECT rowid FROM zone_set AS old WHERE \(whose) at < ?
          AND EXISTS (SELECT 1 FROM zone_set AS next WHERE next.account = old.account
            AND next.revision = old.revision + 1 AND next.at < ?) LIMIT ?)
        """, owner + [time.sql, time.sql, limit - removed]))
  }
}

/// The zones that an account's devices watched at any edit of a span. Each version of a zone is read once.
private struct ZonesOfSpan {
  private struct Version {
    let zone: StoredZone
    let edits: Range<Int64>
  }
  private var own: [Version] = []
  /// Ascending by zone, then collection.
  private var followed: [Version] = []
  private var follows: [CollectionID: [Range<Int64>]] = [:]

  init(_ account: AccountID, _ span: ClosedRange<Int64>, _ database: any SQLTransaction) throws {
    let (first, last) = (span.lowerBound, span.upperBound)
    own = try Self.versions("account = ?", [account.sql], span, database)
    let rows = try database.rows(
      """
      SELECT follow.collection, watched_since, ? FROM follow
        JOIN collection ON collection.id = follow.collection
      WHERE follow.account = ? AND collection.owner <> follow.account AND watched_since <= ?
        AND \(SQLStore.mayFollow)
      UNION ALL SELECT collection, since, until FROM former_follow
      WHERE account = ? AND until > ? AND since <= ?
      """, [Int64.max, account.sql, last, account.sql, first, last])
    for row in rows {
      follows[row.id(0), default: []].append((row[1] as Int64)..<(row[2] as Int64))
    }
    for collection in follows.keys.sorted() {
      followed += try Self.versions(
        "collection = ? AND account <> ?", [collection.sql, account.sql], span, database)
    }
    followed.sort {
      ($0.zone.id, $0.zone.collection?.rawValue ?? 0) < (
        $1.zone.id, $1.zone.collection?.rawValue ?? 0
      )
    }
  }

  private static func versions(
    _ condition: String, _ arguments: SQLArguments, _ span: ClosedRange<Int64>, _ database: any SQLTransaction
  ) throws -> [Version] {
    let present = try database.rows(
      "SELECT \(SQLStore.zoneColumns), since, ? FROM zone WHERE NOT is_deleted AND since <= ? AND \(condition)",
      [Int64.max, span.upperBound] + arguments)
    let former = try database.rows(
      """
      SELECT \(SQLStore.zoneColumns), since, until FROM former_zone
      WHERE until > ? AND since <= ? AND \(condition)
      """, [span.lowerBound, span.upperBound] + arguments)
    return (present + former).map { row in
      Version(zone: SQLStore.storedZone(row), edits: (row[6] as Int64)..<(row[7] as Int64))
    }
  }

  func zones(at edit: Int64) -> [StoredZone] {
    var zones = own.filter { $0.edits.contains(edit) }.map(\.zone)
    var known = Set(zones.map(\.id))
    for version in followed where version.edits.contains(edit) {
      guard let collection = version.zone.collection,
        follows[collection]?.contains(where: { $0.contains(edit) }) ?? false,
        known.insert(version.zone.id).inserted
      else { continue }
      zones.append(version.zone)
    }
    return zones.sorted { $0.id < $1.id }
  }
}
