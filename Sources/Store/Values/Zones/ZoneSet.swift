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

/// The difference between two zone sets of one account.
public struct ZoneSetEdit: Equatable, Sendable {
  /// The revision of the later set.
  public let revision: Revision
  /// The zones that differ from those of the earlier set, and perhaps others of the later set. Ascending by
  /// id.
  public let zones: [StoredZone]
  /// Ids that have no zone in the later set. The earlier set may have none either. Ascending.
  public let removed: [ZoneID]
  /// The number of zones in the later set. A reader that has another number after applying the edit has
  /// missed a change.
  public let count: Int

  public init(revision: Revision, zones: [StoredZone], removed: [ZoneID], count: Int) {
    self.revision = revision
    self.count = count
    self.zones = zones
    self.removed = removed
  }
}
