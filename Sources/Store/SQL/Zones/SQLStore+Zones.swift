import AlarmEngine
import Foundation

/// Zones, as edited by people and their phones.
extension SQLStore {
  static let zoneColumns = "id, account, collection, revision, saved_at, record"

  /// Returns the record of a stored zone or reminder. Unreadable bytes do not fail the whole query: they are
  /// returned as a record with an unknown field, which any edit overrides.
  static func storedRecord(_ bytes: [UInt8]) -> (record: SyncRecord, fault: FieldError?) {
    do { return (try SyncRecord(bytes: bytes), nil) } catch {
      let long = HybridTime(time: Instant.allowed.lowerBound, counter: 0, node: 0)
      return (SyncRecord(fields: [FieldRegister(field: .max, value: [], editedAt: long)]), error)
    }
  }

  static func storedZone(_ row: SQLRow) -> StoredZone {
    let (record, unreadable) = storedRecord(row.bytes(5))
    let (draft, fault) = ZoneDraft.stored(id: row.id(0), record: record)
    return StoredZone(
      draft: draft, account: row.id(1), collection: row.optionalID(2), revision: row.revision(3),
      savedAt: row.instant(4),
      fault: unreadable.map { .unreadable($0) } ?? fault)
  }

  public func zone(_ id: ZoneID, of account: AccountID) async throws(StoreError) -> StoredZone {
    try await read { try Self.zone(id, account, $0) }
  }

  private static func zone(_ id: ZoneID, _ account: AccountID, _ database: any SQLTransaction) throws
    -> StoredZone
  {
    let row = try database.row(
      "SELECT \(zoneColumns) FROM zone WHERE account = ? AND id = ? AND NOT is_deleted",
      [account.sql, id.sql])
    guard let row else { throw StoreError.notFound }
    return storedZone(row)
  }

  /// The account's own zones, ascending by id.
  public func zones(
    of account: AccountID, after id: ZoneID?, limit: Int
  ) async throws(StoreError) -> [StoredZone] {
    try await read { database in
      try database.rows(
        """
        SELECT \(Self.zoneColumns) FROM zone WHERE account = ? AND \(ZoneID.after(id, "id"))
          AND NOT is_deleted ORDER BY id LIMIT ?
        """, [account.sql, ZoneID.bound(id), limit]
      ).map { Self.storedZone($0) }
    }
  }

  public func zoneCount(of account: AccountID) async throws(StoreError) -> Int {
    try await read { database in
      let count = try database.integer(
        "SELECT count(*) FROM zone WHERE account = ? AND NOT is_deleted", [account.sql])
      return Int(count ?? 0)
    }
  }

  /// True if the account of a row `follow` may follow the collection: it is public, or the account is a
  /// member.
  static let mayFollow = "(collection.is_public OR \(isMember))"
  static let isMember = """
    EXISTS (SELECT 1 FROM membership WHERE membership.collection = follow.collection
      AND \(belongs(to: "follow.account")))
    """

  /// A condition that a row `membership` belongs to an account: bound to it, or unbound with the account's
  /// login.
  static func belongs(to account: String) -> String {
    """
    (membership.account = \(account) OR membership.account IS NULL
      AND lower(membership.login) = (SELECT lower(person.login) FROM account AS person WHERE person.id = \(account)))
    """
  }

  /// The account's own zones and those that it follows.
  public func zoneSet(of account: AccountID) async throws(StoreError) -> ZoneSet {
    try await read { database in
      let revision = try Self.zoneSetRevision(account, database)
      return ZoneSet(revision: revision, zones: try Self.watchedZones(of: account, among: nil, database))
    }
  }

  /// The zones of others' collections that the account ?1 follows.
  static let followedZones = """
    FROM follow JOIN collection ON collection.id = follow.collection JOIN zone ON zone.collection = collection.id
    WHERE follow.account = ?1 AND collection.owner <> follow.account AND NOT zone.is_deleted AND \(mayFollow)
    """

  /// The account's own zones and those of the collections it follows, ascending by id; all, or those in
  /// `ids`.
  static func watchedZones(
    of account: AccountID, among ids: [ZoneID]?, _ database: any SQLTransaction
  ) throws -> [StoredZone] {
    func zones(_ sql: String, order: String) throws -> [StoredZone] {
      guard let ids else {
        return try database.rows("\(sql) ORDER BY \(order)", [account.sql]).map { storedZone($0) }
      }
      return try database.rows(
        "\(sql) AND zone.id IN (SELECT given.id FROM given) ORDER BY \(order)",
        given: SQLTable("zone", ["id": .integer]), ids.map { [$0.sql.sqlValue] }, [account.sql]
      ).map { storedZone($0) }
    }
    var all = try zones(
      "SELECT \(zoneColumns) FROM zone WHERE account = ?1 AND NOT is_deleted", order: "id")
    let followed = try zones(
      """
      SELECT zone.id, zone.account, zone.collection, zone.revision, zone.saved_at, zone.record
      \(followedZones)
      """, order: "zone.id, zone.collection")
    if !followed.isEmpty {
      var known = Set(all.map(\.id))
      all += followed.filter { known.insert($0.id).inserted }
    }
    if ids != nil || !followed.isEmpty { all.sort { $0.id < $1.id } }
    return all
  }

  public func zoneSetRevision(of account: AccountID) async throws(StoreError) -> Revision {
    try await read { try Self.zoneSetRevision(account, $0) }
  }

  static func zoneSetRevision(_ account: AccountID, _ database: any SQLTransaction) throws -> Revision {
    guard let revision = try presentZoneSet(of: account, database) else { throw StoreError.notFound }
    return revision
  }

  /// The revision of the present zone set; nil if the account is gone.
  static func presentZoneSet(of account: AccountID, _ database: any SQLTransaction) throws -> Revision? {
    try database.integer("SELECT zone_set FROM account WHERE id = ? AND NOT is_erased", [account.sql])
      .map { Revision(rawValue: $0) }
  }

  /// The revisions of several accounts' present zone sets; accounts that are gone are left out.
  static func presentZoneSets(
    of accounts: [AccountID], _ database: any SQLTransaction
  ) throws -> [AccountID: Revision] {
    let rows = try database.rows(
      """
      SELECT account.id, account.zone_set FROM given JOIN account ON account.id = given.id
      WHERE NOT account.is_erased
      """, given: SQLTable("account", ["id": .integer]), accounts.map { [$0.sql.sqlValue] })
    return Dictionary(rows.map { ($0.id(0), Revision(rawValue: $0[1])) }) { $1 }
  }

  /// The zone with the times of its edits. Includes a deleted zone for as long as its deletion is stored.
  public func zoneRecord(_ id: ZoneID, of account: AccountID) async throws(StoreError) -> ZoneRecord {
    try await read { database in
      let row = try database.row(
        "SELECT record FROM zone WHERE account = ? AND id = ?", [account.sql, id.sql])
      guard let row else { throw StoreError.notFound }
      return ZoneRecord(id: id, record: Self.storedRecord(row.bytes(0)).record)
    }
  }
}
