import AlarmEngine
import Foundation
import PAD

/// Collections published as signed packs.
///
/// A pack that has ended, or whose owner is disabled, is `.notFound` for everybody.
extension SQLStore {
  private static let zoneTable = SQLTable(
    "pack_zone", ["collection": .integer, "id": .integer, "version": .integer, "pad": .bytes])

  /// A query for published packs, with a further condition.
  private static func published(_ condition: String) -> String {
    """
    SELECT collection.id, collection.owner, collection.name, collection.about, collection.is_public,
      collection.created_at, collection.revision, account.name, pack.address, pack.version, pack.made_at,
      (SELECT count(*) FROM pack_zone WHERE pack_zone.collection = pack.collection AND pad IS NOT NULL),
      pack.zone_set <> account.zone_set OR pack.revision <> collection.revision, account.zone_set
    FROM pack JOIN collection ON collection.id = pack.collection JOIN account ON account.id = collection.owner
    WHERE NOT account.is_disabled AND NOT account.is_erased AND \(condition)
    """
  }

  private static func pack(_ row: SQLRow) throws -> PublishedPack {
    PublishedPack(
      collection: ZoneCollection(
        id: row.id(0), owner: row.id(1), name: row[2], about: row[3], isPublic: row[4],
        createdAt: row.instant(5), revision: row.revision(6)),
      publisher: row[7], address: row[8], version: try version(row[9]), madeAt: row.instant(10),
      zoneCount: row[11], isStale: row[12])
  }

  private static func version(_ number: Int64) throws -> PackVersion {
    guard let version = PackVersion(number) else {
      throw StoreError.corrupted(detail: "\(number) is no version of a pack")
    }
    return version
  }

  private static func published(_ address: String, _ database: any SQLTransaction) throws -> SQLRow {
    let row = try database.row(published("pack.address = ?"), [address])
    guard let row else { throw StoreError.notFound }
    return row
  }

  private static func published(
    _ collection: CollectionID, _ owner: AccountID, _ database: any SQLTransaction
  ) throws -> SQLRow? {
    try database.row(
      published("pack.collection = ? AND collection.owner = ?"), [collection.sql, owner.sql])
  }

  /// The private key with which an account signs its packs.
  /// - Parameter new: stored if the account has no key yet.
  public func packKey(
    of account: AccountID, orElse new: [UInt8], at now: Instant
  ) async throws(StoreError) -> StoredPackKey {
    let known = try await read { try Self.packKey(account, $0) }
    if let known { return known }
    return try await write { database in
      _ = try Self.account(account, database)
      // Another process may have stored a key in the meantime.
      try database.run(
        "INSERT INTO pack_key (account, secret, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [account.sql, Data(new), now.sql])
      guard let key = try Self.packKey(account, database) else { throw StoreError.notFound }
      return key
    }
  }

  /// The private key of an account that has one.
  /// - Throws: `.notFound`.
  public func packKey(of account: AccountID) async throws(StoreError) -> StoredPackKey {
    try await read { database in
      guard let key = try Self.packKey(account, database) else { throw StoreError.notFound }
      return key
    }
  }

  private static func packKey(
    _ account: AccountID, _ database: any SQLTransaction
  ) throws -> StoredPackKey? {
    let row = try database.row("SELECT secret FROM pack_key WHERE account = ?", [account.sql])
    guard let secret = row?.bytes(0) else { return nil }
    let changes = try database.rows(
      "SELECT statement FROM pack_key_change WHERE account = ? ORDER BY number", [account.sql])
    return StoredPackKey(secret: secret, changes: changes.map { $0.bytes(0) })
  }

  /// Replaces the account's signing key and deletes the old one. All its packs are renewed at the next
  /// request.
  /// - Returns: false, without effect, if the account's key is no longer `secret`.
  public func changePackKey(
    of account: AccountID, from secret: [UInt8], to new: StoredPackKey, at now: Instant
  ) async throws(StoreError) -> Bool {
    try await write { database in
      let changed = try database.run(
        "UPDATE pack_key SET secret = ?, created_at = ? WHERE account = ? AND secret = ?",
        [Data(new.secret), now.sql, account.sql, Data(secret)])
      guard changed == 1 else { return false }
      try database.run("DELETE FROM pack_key_change WHERE account = ?", [account.sql])
      for (number, statement) in new.changes.enumerated() {
        try database.insert(
          "INSERT INTO pack_key_change (account, number, statement) VALUES (?, ?, ?)",
          [account.sql, Int64(number), Data(statement)])
      }
      // No collection has revision 0, so every pack counts as stale and is signed with the new key at the
      // next request.
      try database.run(
        "UPDATE pack SET revision = 0 WHERE collection IN (SELECT id FROM collection WHERE owner = ?)",
        [account.sql])
      return true
    }
  }

  @discardableResult
  /// Publishes a collection at an address. A published collection keeps its address.
  /// - Throws: `.notFound` if the collection is not the owner's; `.taken` if the address is in use.
  public func publish(
    _ collection: CollectionID, of owner: AccountID, at address: String, now: Instant
  ) async throws(StoreError) -> PublishedPack {
    try await write { database in
      let owned = try database.integer(
        "SELECT 1 FROM collection WHERE id = ? AND owner = ?", [collection.sql, owner.sql])
      guard owned != nil else { throw StoreError.notFound }
      if try Self.published(collection, owner, database) == nil {
        // Stale from the beginning, so that the first request builds it.
        try database.insert(
          """
          INSERT INTO pack (collection, address, version, made_at, zone_set, revision) VALUES (?, ?, ?, ?, 0, 0)
          """, [collection.sql, address, PackVersion(after: nil, at: now).number, now.sql])
      }
      guard let row = try Self.published(collection, owner, database) else { throw StoreError.notFound }
      return try Self.pack(row)
    }
  }

  /// Withdraws a pack from its address. Copies that people have stay with them.
  /// - Throws: `.notFound` if the collection is not published.
  public func endPack(of collection: CollectionID, owner: AccountID) async throws(StoreError) {
    try await write { database in
      guard try Self.published(collection, owner, database) != nil else { throw StoreError.notFound }
      try database.run("DELETE FROM pack_zone WHERE collection = ?", [collection.sql])
      try database.run("DELETE FROM pack WHERE collection = ?", [collection.sql])
    }
  }

  public func pack(
    of collection: CollectionID, owner: AccountID
  ) async throws(StoreError) -> PublishedPack {
    try await read { database in
      guard let row = try Self.published(collection, owner, database) else { throw StoreError.notFound }
      return try Self.pack(row)
    }
  }

  public func pack(at address: String) async throws(StoreError) -> PublishedPack {
    try await read { try Self.pack(try Self.published(address, $0)) }
  }

  @discardableResult
  /// Updates a pack from its collection. Changed zones get a new version. `madeAt` advances even if no zone
  /// has changed.
  ///
  /// - Parameter pad: returns the published form of a zone, or nil to leave the zone out. It must return the
  ///   same bytes for the same zone.
  public func renewPack(
    at address: String, now: Instant, pad: @escaping @Sendable (StoredZone) -> [UInt8]?
  ) async throws(StoreError) -> PublishedPack {
    try await write { database in
      let row = try Self.published(address, database)
      let before = try Self.pack(row)
      let collection = before.collection.id
      let known = try Self.packedZones(of: collection, database)
      let zones = try database.rows(
        "SELECT \(Self.zoneColumns) FROM zone WHERE collection = ? AND NOT is_deleted ORDER BY id",
        [collection.sql]
      ).map { Self.storedZone($0) }
      let entries = zones.compactMap { zone in pad(zone).map { (id: zone.id, pad: $0) } }
      let old = Dictionary(uniqueKeysWithValues: known.map { ($0.id, $0.pad) })
      let present = Set(entries.map(\.id))
      let changed = entries.filter { old[$0.id] != $0.pad }
      let removed = known.filter { $0.pad != nil && !present.contains($0.id) }
      let isSame = changed.isEmpty && removed.isEmpty
      let version = isSame ? before.version : PackVersion(after: before.version, at: now)
      let news: [[SQLValue]] =
        changed.map { [collection.sql, $0.id.sql, version.number, Data($0.pad)] as SQLArguments }.map(
          \.values)
        + removed.map { [collection.sql, $0.id.sql, version.number, Data?.none] as SQLArguments }.map(
          \.values)
      try database.insert(
        Self.zoneTable, news,
        onConflict: .update("collection, id", set: "version = excluded.version, pad = excluded.pad"))
      // Always later than before, whatever the clock says: of two packs with the same version the later one
      // counts.
      let madeAt = max(now, before.madeAt + .milliseconds(1))
      try database.run(
        "UPDATE pack SET version = ?, made_at = ?, zone_set = ?, revision = ? WHERE collection = ?",
        [version.number, madeAt.sql, row[13] as Int64, before.collection.revision.sql, collection.sql])
      return try Self.pack(try Self.published(address, database))
    }
  }

  private static func packedZones(
    of collection: CollectionID, _ database: any SQLTransaction
  ) throws -> [PackedZone] {
    try database.rows(
      "SELECT id, version, pad FROM pack_zone WHERE collection = ? ORDER BY id", [collection.sql]
    ).map { row in
      PackedZone(
        id: row.id(0), version: try version(row[1]), pad: (row[2] as Data?).map { Array($0) })
    }
  }

  /// A pack and all its zones, including removed ones, as of one moment. Ascending by id.
  public func packedZones(
    at address: String
  ) async throws(StoreError) -> (pack: PublishedPack, zones: [PackedZone]) {
    try await read { database in
      let pack = try Self.pack(try Self.published(address, database))
      return (pack, try Self.packedZones(of: pack.collection.id, database))
    }
  }
}
