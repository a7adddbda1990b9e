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

/// What differs between two sets of zones of one account.
public struct ZoneSetEdit: Equatable, Sendable {
  /// Of the later set.
  public let revision: Revision
  /// Zones of the later set: all that are not the same in the earlier one, and perhaps others. Ascending by id.
  public let zones: [StoredZone]
  /// Ids of which the later set has no zone; perhaps the earlier one had none either. Ascending.
  public let removed: [ZoneID]
  /// How many zones the later set has: who applies the edit and has another number has missed something.
  public let count: Int

  public init(revision: Revision, zones: [StoredZone], removed: [ZoneID], count: Int) {
    self.revision = revision
    self.count = count
    self.zones = zones
    self.removed = removed
  }
}
