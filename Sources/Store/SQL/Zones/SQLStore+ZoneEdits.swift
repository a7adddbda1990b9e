import AlarmEngine
import Foundation

extension SQLStore {
  /// A row of `zone`, deleted or not.
  private struct ZoneRow {
    var record = SyncRecord()
    var collection: CollectionID?
    /// Nil if there is no row yet.
    var revision: Revision?
    /// The stored values. Saving equal ones begins no new version.
    private(set) var stored: Stored?

    struct Stored {
      let record: SyncRecord
      let bytes: Data
      let collection: CollectionID?
      let since: Int64
      let savedAt: Instant
      let isDeleted: Bool
    }

    init() {}
    init(_ row: SQLRow) {
      record = SQLStore.storedRecord(row.bytes(0)).record
      collection = row.optionalID(1)
      revision = row.revision(2)
      stored = Stored(
        record: record, bytes: Data(row.bytes(0)), collection: collection, since: row[3],
        savedAt: row.instant(4), isDeleted: row[5])
    }

    /// The edit since which the zone has its present values.
    func since(_ edit: Int64) -> Int64 {
      guard let stored, stored.record == record, stored.collection == collection else { return edit }
      return stored.since
    }
  }

  /// The stored rows of several zones.
  private static func zoneRows(
    _ ids: [ZoneID], _ account: AccountID, _ database: any SQLTransaction
  ) throws -> [ZoneRow] {
    try database.rows(
      "SELECT record, collection, revision, since, saved_at, is_deleted FROM zone WHERE account = ? AND id = ?",
      each: ids.map { [account.sql, $0.sql] }
    ).map { rows in rows.first.map { ZoneRow($0) } ?? ZoneRow() }
  }

  private static func zoneRow(_ id: ZoneID, _ account: AccountID, _ database: any SQLTransaction) throws
    -> ZoneRow
  {
    try zoneRows([id], account, database).first ?? ZoneRow()
  }

  /// Splits a list into parts without repeated zones. A repeated zone begins a new part, so that it is read
  /// after the earlier one was written.
  private static func withoutRepeats<Element>(_ all: [Element], _ id: (Element) -> ZoneID)
    -> [[Element]]
  {
    var parts: [[Element]] = []
    var known: Set<ZoneID> = []
    for element in all {
      if parts.isEmpty || known.contains(id(element)) {
        parts.append([])
        known = []
      }
      known.insert(id(element))
      parts[parts.count - 1].append(element)
    }
    return parts
  }

  private static let zoneTable = SQLTable(
    "zone",
    [
      "account": .integer, "id": .integer, "collection": .integer, "is_deleted": .boolean,
      "revision": .integer, "saved_at": .integer, "record": .bytes, "since": .integer,
    ])
  private static let formerTable = SQLTable(
    "former_zone",
    [
      "account": .integer, "id": .integer, "collection": .integer, "revision": .integer,
      "saved_at": .integer, "record": .bytes, "since": .integer, "until": .integer,
      "ended_at": .integer,
    ])

  /// Saves rows, keeps their previous versions, and adds them to the change feed, with as many statements as
  /// for one.
  /// - Parameter rows: distinct zones.
  private static func write(
    _ rows: [(id: ZoneID, row: ZoneRow)], _ account: AccountID, at now: Instant,
    _ database: any SQLTransaction
  ) throws {
    guard !rows.isEmpty else { return }
    try refusePrivate(account, database)
    let edit = try zoneEdit(database)
    var (saved, former): ([SQLArguments], [SQLArguments]) = ([], [])
    for (id, row) in rows {
      let since = row.since(edit)
      if since == edit, let stored = row.stored, let revision = row.revision, !stored.isDeleted,
        stored.since < edit
      {
        former.append([
          account.sql, id.sql, stored.collection?.sql, revision.sql, stored.savedAt.sql,
          stored.bytes, stored.since, edit, now.sql,
        ])
      }
      saved.append([
        account.sql, id.sql, row.collection?.sql, !row.record.exists, Revision.first.sql, now.sql,
        Data(row.record.bytes), since,
      ])
    }
    try database.insert(formerTable, former.map(\.values), onConflict: .fail)
    try database.insert(
      zoneTable, saved.map(\.values),
      onConflict: .update(
        "account, id",
        set: """
          collection = excluded.collection, is_deleted = excluded.is_deleted, revision = zone.revision + 1,
          saved_at = excluded.saved_at, record = excluded.record, since = excluded.since
          """))
    try change(
      .zone, rows.map { ($0.id.rawValue, !$0.row.record.exists) }, of: account, at: now, database)
    try endExpectedArrivals(
      at: rows.filter { !$0.row.record.exists }.map(\.id), of: account, at: now, database)
  }

  /// Begins a new zone set for the account and for the followers of the collections, and makes their devices
  /// due. The last step of a transaction that changes zones.
  static func zoneSetChanged(
    of account: AccountID, _ collections: Set<CollectionID>, at now: Instant, _ database: any SQLTransaction
  ) throws {
    try beginZoneSet(of: "?", [account.sql], at: now, database)
    try noteEdit(of: account, database)
    try makeDue(devicesOf: account, at: now, database)
    for collection in collections.sorted() {
      try beginZoneSet(
        of: "SELECT account FROM follow WHERE collection = ?", [collection.sql], at: now, database)
      try makeDue(followersOf: collection, at: now, database)
      try change(
        .follow, collection.rawValue, ofAll: "SELECT account FROM follow WHERE collection = ?",
        [collection.sql], at: now, database)
    }
    try database.run("UPDATE zone_clock SET edit = edit + 1")
  }

  private static func checkOwner(
    of collection: CollectionID?, _ account: AccountID, _ database: any SQLTransaction
  ) throws {
    guard let collection else { return }
    let owned = try database.integer(
      "SELECT 1 FROM collection WHERE id = ? AND owner = ?", [collection.sql, account.sql])
    guard owned != nil else { throw StoreError.notFound }
  }

  /// Saves a zone. The fields that differ from the stored zone count as edited now.
  ///
  /// - Parameters:
  ///   - revision: the revision that was edited; nil to create a zone.
  ///   - collection: one of the account's collections, or nil.
  /// - Throws: `.stale`; `.taken` if the id of a new zone is in use; `.notFound` if the zone or the
  ///   collection does not exist.
  @discardableResult
  public func save(
    _ zone: Zone, of account: AccountID, in collection: CollectionID?, over revision: Revision?,
    at now: Instant
  ) async throws(StoreError) -> StoredZone {
    try await write { database in
      _ = try Self.account(account, database)
      try Self.checkOwner(of: collection, account, database)
      let row = try Self.zoneRow(zone.id, account, database)
      if let revision {
        guard row.record.exists, let stored = row.revision else { throw StoreError.notFound }
        guard stored == revision else { throw StoreError.stale(stored: stored) }
      } else if row.record.exists {
        throw StoreError.taken
      }
      return try Self.edit(row, to: zone, account, collection, at: now, database)
    }
  }

  /// Saves the zones of a file, all or none. A stored zone with the same id is replaced.
  @discardableResult
  public func replace(
    _ zones: [Zone], of account: AccountID, in collection: CollectionID?, at now: Instant
  ) async throws(StoreError) -> [StoredZone] {
    try await write { database in
      _ = try Self.account(account, database)
      try Self.checkOwner(of: collection, account, database)
      let time = try Self.tick(at: now, database)
      var touched: Set<CollectionID> = []
      var saved: [StoredZone] = []
      for zones in Self.withoutRepeats(zones, \.id) {
        var rows = try Self.zoneRows(zones.map(\.id), account, database)
        for (place, zone) in zones.enumerated() {
          saved.append(
            Self.edit(&rows[place], to: zone, account, collection, time, &touched, at: now))
        }
        try Self.write(zip(zones, rows).map { ($0.id, $1) }, account, at: now, database)
      }
      try Self.zoneSetChanged(of: account, touched, at: now, database)
      return saved
    }
  }

  private static func edit(
    _ row: ZoneRow, to zone: Zone, _ account: AccountID, _ collection: CollectionID?, at now: Instant,
    _ database: any SQLTransaction
  ) throws -> StoredZone {
    var row = row
    var touched: Set<CollectionID> = []
    let time = try tick(at: now, database)
    let saved = edit(&row, to: zone, account, collection, time, &touched, at: now)
    try write([(zone.id, row)], account, at: now, database)
    try zoneSetChanged(of: account, touched, at: now, database)
    return saved
  }

  private static func edit(
    _ row: inout ZoneRow, to zone: Zone, _ account: AccountID, _ collection: CollectionID?,
    _ time: HybridTime, _ touched: inout Set<CollectionID>, at now: Instant
  ) -> StoredZone {
    for concerned in [row.collection, collection].compactMap({ $0 }) { touched.insert(concerned) }
    row.record.edit(to: zone.fields, at: time)
    row.collection = collection
    return StoredZone(
      zone: zone, account: account, collection: collection, revision: row.revision?.next ?? .first,
      savedAt: now)
  }

  /// - Parameter revision: nil deletes the zone at any revision.
  public func deleteZone(
    _ id: ZoneID, of account: AccountID, over revision: Revision?, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      var row = try Self.zoneRow(id, account, database)
      guard row.record.exists, let stored = row.revision else { throw StoreError.notFound }
      if let revision, revision != stored { throw StoreError.stale(stored: stored) }
      row.record.delete(at: try Self.tick(at: now, database))
      try Self.write([(id, row)], account, at: now, database)
      try Self.zoneSetChanged(of: account, Set([row.collection].compactMap { $0 }), at: now, database)
    }
  }

  /// Merges edits made on other devices, field by field (S167).
  ///
  /// - Returns: the merged records, for the phone to merge in turn, and the refused records, in which a field
  ///   cannot be read or is out of range.
  /// - Throws: `.clockAhead`; then no record is merged.
  @discardableResult
  public func merge(
    _ records: [ZoneRecord], of account: AccountID, at now: Instant
  ) async throws(StoreError) -> MergedRecords<ZoneRecord> {
    try await write { database in
      _ = try Self.account(account, database)
      try Self.receive(records.map(\.record), at: now, database)
      var touched: Set<CollectionID> = []
      var changed = false
      var merged: [ZoneRecord] = []
      var refused: [RefusedRecord] = []
      for records in Self.withoutRepeats(records, \.id) {
        var rows: [(id: ZoneID, row: ZoneRow)] = []
        for (record, stored) in zip(
          records, try Self.zoneRows(records.map(\.id), account, database))
        {
          var row = stored
          row.record.merge(record.record)
          if row.record != stored.record, row.record.exists {
            do throws(FieldError) { _ = try Zone(id: record.id, record: row.record) } catch {
              refused.append(RefusedRecord(id: record.id.rawValue, reason: error))
              continue
            }
          }
          merged.append(ZoneRecord(id: record.id, record: row.record))
          guard row.record != stored.record else { continue }
          changed = true
          if let collection = row.collection { touched.insert(collection) }
          rows.append((record.id, row))
        }
        try Self.write(rows, account, at: now, database)
      }
      if changed { try Self.zoneSetChanged(of: account, touched, at: now, database) }
      return MergedRecords(records: merged, refused: refused)
    }
  }
}
