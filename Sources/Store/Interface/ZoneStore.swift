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
  /// What differs between an earlier set and the present one: as much work as there are edits, however many zones there are.
  ///
  /// - Returns: nil where it cannot be told, or is not worth it: what has gone since then was forgotten, other collections are
  ///   followed, or very many zones were edited. ``zoneSet(of:)`` always tells.
  func zoneSetEdit(of account: AccountID, since revision: Revision) async throws(StoreError) -> ZoneSetEdit?
  /// The zone sets that the account's devices have watched since a time, in order: the one in force at that
  /// time, if the history goes back that far, and all later ones. Only the last `limit` of them are returned.
  func zoneSetHistory(
    of account: AccountID, from time: Instant, limit: Int
  ) async throws(StoreError) -> [ZoneSetChange]
  /// Earlier zone sets, ascending by revision. Sets that are forgotten or never existed are left out.
  func zoneSets(of account: AccountID, at revisions: [Revision]) async throws(StoreError) -> [ZoneSet]

  /// Saves a zone. The fields that differ from the stored zone count as edited now.
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
  /// Saves the zones of a file, all or none. A stored zone with the same id is replaced.
  @discardableResult
  func replace(
    _ zones: [Zone], of account: AccountID, in collection: CollectionID?, at now: Instant
  ) async throws(StoreError) -> [StoredZone]
  /// - Parameter revision: nil deletes the zone at any revision.
  func deleteZone(
    _ id: ZoneID, of account: AccountID, over revision: Revision?, at now: Instant
  ) async throws(StoreError)

  /// The zone with the times of its edits; also of a deleted zone, until that is forgotten.
  func zoneRecord(_ id: ZoneID, of account: AccountID) async throws(StoreError) -> ZoneRecord
  /// Merges edits that were made on other devices, field by field (S167).
  ///
  /// - Returns: the merged records, for the phone to merge in turn, and the records that were refused because
  ///   a field cannot be read or is out of range.
  /// - Throws: `.clockAhead`; then no record is merged.
  @discardableResult
  func merge(
    _ records: [ZoneRecord], of account: AccountID, at now: Instant
  ) async throws(StoreError) -> MergedRecords<ZoneRecord>
}
