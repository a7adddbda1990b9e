import AlarmEngine

/// A zone as an account keeps it.
public struct StoredZone: Hashable, Sendable {
  /// The stored zone, for display. If ``fault`` is not nil, unreadable fields and numbers out of range have
  /// the values of a new zone.
  public let draft: ZoneDraft
  /// The zone to watch; nil if the stored zone cannot be used, with the reason in ``fault``.
  public let zone: Zone?
  /// The reason why the zone cannot be used. Nil does not mean that the zone has an area.
  public let fault: ZoneError?
  public let account: AccountID
  /// The collection in which the zone is published; nil if it is not.
  public let collection: CollectionID?
  public let revision: Revision
  public let savedAt: Instant

  public var id: ZoneID { draft.id }

  public init(
    zone: Zone, account: AccountID, collection: CollectionID?, revision: Revision, savedAt: Instant
  ) {
    draft = zone.draft
    self.zone = zone
    fault = nil
    self.account = account
    self.collection = collection
    self.revision = revision
    self.savedAt = savedAt
  }

  /// - Parameter fault: why what is stored cannot be used, if that is known already.
  public init(
    draft: ZoneDraft, account: AccountID, collection: CollectionID?, revision: Revision, savedAt: Instant,
    fault: ZoneError?
  ) {
    var (zone, fault): (Zone?, ZoneError?) = (nil, fault)
    if fault == nil { do { zone = try Zone(draft) } catch { fault = error } }
    self.draft = fault == nil ? draft : draft.withNumbersInRange()
    self.zone = zone
    self.fault = fault
    self.account = account
    self.collection = collection
    self.revision = revision
    self.savedAt = savedAt
  }
}
