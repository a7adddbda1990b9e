import AlarmEngine

/// A zone as an account keeps it.
public struct StoredZone: Hashable, Sendable {
  /// Where `fault` is not nil: what can be read of it, with the values of a new zone for what cannot.
  public let zone: Zone
  /// Why the zone cannot be watched, where what is stored of it cannot be used; nil says nothing of its area.
  public let fault: ZoneError?
  public let account: AccountID
  /// The collection in which it is published; nil: the account's alone.
  public let collection: CollectionID?
  public let revision: Revision
  public let savedAt: Instant

  public init(
    zone: Zone, account: AccountID, collection: CollectionID?, revision: Revision, savedAt: Instant,
    fault: ZoneError? = nil
  ) {
    self.zone = zone
    self.fault = fault
    self.account = account
    self.collection = collection
    self.revision = revision
    self.savedAt = savedAt
  }
}
