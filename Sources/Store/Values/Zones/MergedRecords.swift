import AlarmEngine

/// The result of merging edits from other devices. A refused record does not affect the others.
public struct MergedRecords<Record: Hashable & Sendable>: Hashable, Sendable {
  /// The merged records, in the order in which they were sent.
  public let records: [Record]
  /// The refused records, with the reason. Nothing was changed by them.
  public let refused: [RefusedRecord]

  public init(records: [Record], refused: [RefusedRecord]) {
    self.records = records
    self.refused = refused
  }
}

/// A record that was refused because the merged result could not be read as a zone or reminder.
public struct RefusedRecord: Hashable, Sendable {
  /// The id of the zone or reminder.
  public let id: UInt64
  public let reason: FieldError

  public init(id: UInt64, reason: FieldError) {
    self.id = id
    self.reason = reason
  }
}
