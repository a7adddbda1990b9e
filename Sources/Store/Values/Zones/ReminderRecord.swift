import AlarmEngine

/// A reminder edited on several devices, with the times of its edits.
public struct ReminderRecord: Hashable, Sendable {
  public let id: ReminderID
  public let record: SyncRecord

  public init(id: ReminderID, record: SyncRecord) {
    self.id = id
    self.record = record
  }
}
