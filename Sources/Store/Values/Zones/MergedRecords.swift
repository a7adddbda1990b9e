import AlarmEngine

/// What came of edits made elsewhere: a record that cannot be taken leaves the others alone.
public struct MergedRecords<Record: Hashable & Sendable>: Hashable, Sendable {
  /// As they are now, in the order in which they were sent.
  public let records: [Record]
  /// What was not taken, with the reason; nothing is changed there.
  public let refused: [RefusedRecord]

  public init(records: [Record], refused: [RefusedRecord]) {
    self.records = records
    self.refused = refused
  }
}

/// A record that cannot be taken, because it would be no zone or no reminder that can be read.
public struct RefusedRecord: Hashable, Sendable {
  /// Of the zone or the reminder.
  public let id: UInt64
  public let reason: FieldError

  public init(id: UInt64, reason: FieldError) {
    self.id = id
    self.reason = reason
  }
}
