import AlarmEngine

/// Zones, as people and their phones edit them.
public protocol ZoneStore: Sendable {
  func zone(_ id: ZoneID, of account: AccountID) async throws(StoreError) -> StoredZone
  /// The account's own, ascending by id.
  func zones(of account: AccountID, after id: ZoneID?, limit: Int) async throws(StoreError) -> [StoredZone]
  func zoneCount(of account: AccountID) async throws(StoreError) -> Int
  /// Own and followed zones together.
  func zoneSet(of account: AccountID) async throws(StoreError) -> ZoneSet
  func zoneSetRevision(of account: AccountID) async throws(StoreError) -> Revision
  /// Which sets watched over the account's devices since a time: the one in force then, as far back as there is a
  /// history, and all that followed, in order; of more than `limit` the last ones.
  func zoneSetHistory(
    of account: AccountID, from time: Instant, limit: Int
  ) async throws(StoreError) -> [ZoneSetChange]
  /// Sets of the past, ascending by revision. One that is forgotten, or never was, is left out.
  func zoneSets(of account: AccountID, at revisions: [Revision]) async throws(StoreError) -> [ZoneSet]

  /// Saves a zone; the fields that differ from what is stored are edited now.
  ///
  /// - Parameters:
  ///   - revision: nil makes a new zone.
  ///   - collection: one of the account's, or nil.
  /// - Throws: `.stale`; `.taken` where a new one's id is; `.notFound` for the zone or the collection.
  @discardableResult
  func save(
    _ zone: Zone, of account: AccountID, in collection: CollectionID?, over revision: Revision?,
    at now: Instant
  ) async throws(StoreError) -> StoredZone
  /// All or none: a file's zones. One that is there already, by its id, is replaced.
  @discardableResult
  func replace(
    _ zones: [Zone], of account: AccountID, in collection: CollectionID?, at now: Instant
  ) async throws(StoreError) -> [StoredZone]
  /// - Parameter revision: nil deletes whatever is stored.
  func deleteZone(
    _ id: ZoneID, of account: AccountID, over revision: Revision?, at now: Instant
  ) async throws(StoreError)

  /// With the times of its edits; of a deleted zone too, as long as it is remembered.
  func zoneRecord(_ id: ZoneID, of account: AccountID) async throws(StoreError) -> ZoneRecord
  /// Takes over edits made elsewhere, field by field (S167).
  ///
  /// - Returns: the records as they are now, for the phone to merge in turn, and those that were refused because a field
  ///   of them cannot be read or is out of range.
  /// - Throws: `.clockAhead`; then none is taken.
  @discardableResult
  func merge(
    _ records: [ZoneRecord], of account: AccountID, at now: Instant
  ) async throws(StoreError) -> MergedRecords<ZoneRecord>
}
