import AlarmEngine

/// A zone as an account keeps it.
public struct StoredZone: Hashable, Sendable {
  public let zone: Zone
  public let account: AccountID
  /// The collection in which it is published; nil: the account's alone.
  public let collection: CollectionID?
  public let revision: Revision
  public let savedAt: Instant

  public init(
    zone: Zone, account: AccountID, collection: CollectionID?, revision: Revision, savedAt: Instant
  ) {
    self.zone = zone
    self.account = account
    self.collection = collection
    self.revision = revision
    self.savedAt = savedAt
  }
}
