import AlarmEngine

/// The zones that the devices of an account watch: its own, and those of the collections it follows.
public struct ZoneSet: Equatable, Sendable {
  /// Changes whenever a zone of the set is changed, added or removed.
  public let revision: Revision
  /// Ascending by id. If several have the same id, the account's own zone is used, otherwise that of the
  /// collection with the lowest id.
  public let zones: [StoredZone]

  public init(revision: Revision, zones: [StoredZone]) {
    self.revision = revision
    self.zones = zones
  }
}
