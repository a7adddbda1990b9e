import AlarmEngine

/// A zone edited on several devices, with the times of its edits.
public struct ZoneRecord: Hashable, Sendable {
  public let id: ZoneID
  public let record: SyncRecord

  public init(id: ZoneID, record: SyncRecord) {
    self.id = id
    self.record = record
  }
}
