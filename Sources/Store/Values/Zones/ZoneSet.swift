import AlarmEngine

/// What watches over the devices of an account: its own zones and those of the collections it follows.
public struct ZoneSet: Equatable, Sendable {
  /// Changes whenever a zone of the set does, or one comes or goes.
  public let revision: Revision
  /// Ascending by id. Where an own zone has the same id as a followed one, the own; of two followed ones that of
  /// the collection with the lower id.
  public let zones: [StoredZone]

  public init(revision: Revision, zones: [StoredZone]) {
    self.revision = revision
    self.zones = zones
  }
}
