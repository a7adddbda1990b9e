import AlarmEngine
import Foundation

extension SQLStore {
  /// A row of `zone`, deleted or not.
  private struct ZoneRow {
    var record = SyncRecord()
    var collection: CollectionID?
    /// Nil when there is no row yet.
    var revision: Revision?
    /// As it is stored: what is saved over it without a difference begins no new version.
    private var stored: (record: SyncRecord, collection: CollectionID?, since: Int64)?

    init() {}
    init(_ row: SQLRow) {
      record = SQLStore.storedRecord(row.bytes(0)).record
      collection = row.optionalID(1)
      revision = row.revision(2)
      stored = (record, collection, row[3])
    }

    /// From which edit on it is as it is.
    func since(_ edit: Int64) -> Int64 {
      guard let stored, stored.record == record, stored.collection == collection else { return edit }
      return stored.since
    }
  }

  private static func zoneRow(_ id: ZoneID, _ account: AccountID, _ database: any SQLTransaction) throws
    -> ZoneRow
  {
    try database.row(
      "SELECT record, collection, revision, since FROM zone WHERE account = ? AND id = ?",
      [account.sql, id.sql]
    ).map { ZoneRow($0) } ?? ZoneRow()
  }

  private static func write(
    _ row: ZoneRow, _ id: ZoneID, _ account: AccountID, at now: Instant, _ database: any SQLTransaction
  ) throws {
    let edit = try zoneEdit(database)
    let since = row.since(edit)
    if since == edit {
      try keepFormer(zones: "account = ? AND id = ?", [account.sql, id.sql], at: now, database)
    }
    try database.insert(
      """
      INSERT INTO zone (account, id, collection, is_deleted, revision, saved_at, record, since)
      VALUES (?, ?, ?, ?, 1, ?, ?, ?)
      ON CONFLICT (account, id) DO UPDATE SET collection = excluded.collection,
        is_deleted = excluded.is_deleted, revision = zone.revision + 1, saved_at = excluded.saved_at,
        record = excluded.record, since = excluded.since
      """,
      [
        account.sql, id.sql, row.collection?.sql, !row.record.exists, now.sql, Data(row.record.bytes),
        since,
      ])
    try change(.zone, id.rawValue, of: account, deleted: !row.record.exists, at: now, database)
  }

  /// The zones that watch over an account's devices are others now, and those of all who follow the collections: their
  /// devices are due. The last step of a transaction that changes zones.
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
      for zone in zones {
        var row = try Self.zoneRow(zone.id, account, database)
        saved.append(
          try Self.edit(&row, to: zone, account, collection, time, &touched, at: now, database))
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
    let saved = try edit(&row, to: zone, account, collection, time, &touched, at: now, database)
    try zoneSetChanged(of: account, touched, at: now, database)
    return saved
  }

  private static func edit(
    _ row: inout ZoneRow, to zone: Zone, _ account: AccountID, _ collection: CollectionID?,
    _ time: HybridTime, _ touched: inout Set<CollectionID>, at now: Instant, _ database: any SQLTransaction
  ) throws -> StoredZone {
    for concerned in [row.collection, collection].compactMap({ $0 }) { touched.insert(concerned) }
    row.record.edit(to: zone.fields, at: time)
    row.collection = collection
    try write(row, zone.id, account, at: now, database)
    return StoredZone(
      zone: zone, account: account, collection: collection, revision: row.revision?.next ?? .first,
      savedAt: now)
  }

  public func deleteZone(
    _ id: ZoneID, of account: AccountID, over revision: Revision?, at now: Instant
  ) async throws(StoreError) {
    try await write { database in
      var row = try Self.zoneRow(id, account, database)
      guard row.record.exists, let stored = row.revision else { throw StoreError.notFound }
      if let revision, revision != stored { throw StoreError.stale(stored: stored) }
      row.record.delete(at: try Self.tick(at: now, database))
      try Self.write(row, id, account, at: now, database)
      try Self.zoneSetChanged(of: account, Set([row.collection].compactMap { $0 }), at: now, database)
    }
  }

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
      for record in records {
        var row = try Self.zoneRow(record.id, account, database)
        let before = row.record
        row.record.merge(record.record)
        if row.record != before, row.record.exists {
          do throws(FieldError) { _ = try Zone(id: record.id, record: row.record) } catch {
            refused.append(RefusedRecord(id: record.id.rawValue, reason: error))
            continue
          }
        }
        merged.append(ZoneRecord(id: record.id, record: row.record))
        guard row.record != before else { continue }
        changed = true
        if let collection = row.collection { touched.insert(collection) }
        try Self.write(row, record.id, account, at: now, database)
      }
      if changed { try Self.zoneSetChanged(of: account, touched, at: now, database) }
      return MergedRecords(records: merged, refused: refused)
    }
  }
}
