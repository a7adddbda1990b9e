import AlarmEngine

/// Collections of zones: published by one account, followed read-only by others (S130).
public protocol CollectionStore: Sendable {
  func create(_ collection: ZoneCollection) async throws(StoreError)
  /// - Throws: `.notFound` unless it is the owner's.
  @discardableResult
  func save(
    _ collection: ZoneCollection, over revision: Revision, at now: Instant
  ) async throws(StoreError) -> ZoneCollection
  /// Deletes the collection. Its zones stay with the owner, unpublished.
  func deleteCollection(_ id: CollectionID, of owner: AccountID, at now: Instant) async throws(StoreError)

  /// The collection, if the account may see it: as owner, as member, or because it is public.
  func collection(
    _ id: CollectionID, seenBy account: AccountID
  ) async throws(StoreError) -> VisibleCollection
  /// Ascending by id.
  func collections(
    seenBy account: AccountID, after id: CollectionID?, limit: Int
  ) async throws(StoreError) -> [VisibleCollection]
  /// - Throws: `.notFound` when the account may not see it.
  func zones(
    in collection: CollectionID, seenBy account: AccountID
  ) async throws(StoreError) -> [StoredZone]

  func addMember(
    _ member: AccountID, to collection: CollectionID, of owner: AccountID, at now: Instant
  ) async throws(StoreError)
  /// Removes a member. The member no longer follows the collection, unless it is public or given to a group of theirs.
  /// - Throws: `.notFound` for those who may follow by a group only.
  func removeMember(
    _ member: AccountID, from collection: CollectionID, of owner: AccountID, at now: Instant
  ) async throws(StoreError)
  /// Ascending by login.
  func members(of collection: CollectionID, owner: AccountID) async throws(StoreError) -> [Membership]

  /// - Throws: `.notFound` when the account may not see it.
  func follow(
    _ collection: CollectionID, by account: AccountID, at now: Instant
  ) async throws(StoreError)
  func unfollow(
    _ collection: CollectionID, by account: AccountID, at now: Instant
  ) async throws(StoreError)
  /// The accounts that a change concerns: the owner and all followers that may see the collection. Ascending.
  func audience(of collection: CollectionID) async throws(StoreError) -> [AccountID]
}
