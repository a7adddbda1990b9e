import AlarmEngine
import Store

/// What one group commit is going to write, and the engines as they will be once it has.
struct IngestTransaction {
  let now: Instant
  var batch: IngestBatch
  var engines: [DeviceID: DeviceEngine] = [:]
  /// Each alarm once, as it is at the end.
  var alarms: [AlarmID: AlarmRecord] = [:]
  /// Of accounts whose alarms changed.
  var channels: [AccountID: [Channel]] = [:]
  var published: Set<AccountID> = []
  /// Devices with new fixes, for the change feed.
  var moved: [DeviceID: AccountID] = [:]
  /// Whose engines are to be stored.
  var stored: Set<DeviceID> = []
  var forgotten: Set<DeviceID> = []

  init(at now: Instant) {
    self.now = now
    batch = IngestBatch(at: now)
  }

  /// All that is to be written; nil where there is nothing.
  mutating func finish() -> IngestBatch? {
    batch.alarms = alarms.values.sorted { $0.id < $1.id }
    batch.snapshots = stored.sorted().compactMap { engines[$0]?.snapshot }
    batch.changes += moved.sorted { $0.key < $1.key }.map {
      NewChange(account: $0.value, kind: .device, id: $0.key.rawValue)
    }
    let isEmpty =
      batch.fixes.isEmpty && batch.rawBodies.isEmpty && batch.snapshots.isEmpty && batch.commands.isEmpty
      && batch.alarms.isEmpty && batch.events.isEmpty && batch.outbox.isEmpty && batch.changes.isEmpty
      && batch.notices.isEmpty
    return isEmpty ? nil : batch
  }
}
