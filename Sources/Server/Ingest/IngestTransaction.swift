import AlarmEngine
import Store

/// What one group commit is going to write, and the engines as they will be once it has.
struct IngestTransaction {
  let now: Instant
  var batch: IngestBatch
  var engines: [DeviceID: DeviceEngine] = [:]
  /// Read ahead for engines that are about to be made.
  var states: [DeviceID: DeviceState] = [:]
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
  /// Somebody else wrote meanwhile: nothing of it stays in memory.
  var dropsEngines = false
  /// Devices that were due and were looked at: what the store has for them is replaced, unless it is from a change since.
  var looked: [DeviceID: DueMark] = [:]
  /// By the job at hand.
  var waitedFor: Set<ZoneSetNeed> = []
  /// Read once for all devices.
  var zoneRevisions: [AccountID: Revision] = [:]
  var settings: [AccountID: String] = [:]

  init(at now: Instant) {
    self.now = now
    batch = IngestBatch(at: now)
  }

  /// All that is to be written; nil where there is nothing.
  mutating func finish() -> IngestBatch? {
    batch.alarms = alarms.values.sorted { $0.id < $1.id }
    batch.snapshots = stored.sorted().compactMap { engines[$0]?.snapshot() }
    noteDueTimes()
    batch.changes += moved.sorted { $0.key < $1.key }.map {
      NewChange(account: $0.value, kind: .device, id: $0.key.rawValue)
    }
    let isEmpty =
      batch.fixes.isEmpty && batch.statuses.isEmpty && batch.rawBodies.isEmpty && batch.snapshots.isEmpty
      && batch.commands.isEmpty
      && batch.alarms.isEmpty && batch.events.isEmpty && batch.outbox.isEmpty && batch.changes.isEmpty
      && batch.notices.isEmpty && batch.dues.isEmpty
    return isEmpty ? nil : batch
  }

  /// Only an earlier time than the store has is worth a row with each fix: whoever looks too early finds nothing to do,
  /// and says then when to look again.
  private mutating func noteDueTimes() {
    for id in engines.keys.sorted() {
      guard let due = engines[id]?.nextDue else {
        guard let seen = looked[id] else { continue }
        batch.dues.append(DeviceDue(device: id, at: nil, seen: seen))
        engines[id]?.storedDue = nil
        continue
      }
      let stored = engines[id]?.storedDue
      guard looked[id] != nil || stored.map({ due < $0 }) ?? true else { continue }
      batch.dues.append(DeviceDue(device: id, at: due, seen: looked[id]))
      engines[id]?.storedDue = due
    }
  }
}
