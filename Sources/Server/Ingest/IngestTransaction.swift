import AlarmEngine
import Store

/// What one group commit is going to write, and the engines as they will be once it has.
///
/// Each job works on a part of its own (`part(for:)`), which is joined when the job is done. A job that throws is
/// never joined: nothing that it did is written, told or remembered.
struct IngestTransaction {
  let now: Instant
  /// Read once for all jobs. Nothing a job does changes it, so no job has to give it back.
  let reads: TransactionReads
  var batch: IngestBatch
  var engines: [DeviceID: DeviceEngine] = [:]
  /// Each alarm once, as it is at the end.
  var alarms: [DeviceID: [AlarmID: AlarmRecord]] = [:]
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
  /// Zones with new alarms, one for each alarm.
  var rung: [DeviceID: [ZoneID]] = [:]
  /// By the job at hand.
  var waitedFor: Set<ZoneSetNeed> = []

  init(at now: Instant, reads: TransactionReads = TransactionReads()) {
    self.now = now
    self.reads = reads
    batch = IngestBatch(at: now)
  }

  // MARK: Jobs

  /// What one job begins with: its device as the jobs before have left it, and nothing else.
  func part(for job: IngestJob) -> IngestTransaction {
    var part = IngestTransaction(at: now, reads: reads)
    part.waitedFor = job.waitedFor
    guard let device = job.device else { return part }
    part.engines[device] = engines[device]
    part.alarms[device] = alarms[device]
    if stored.contains(device) { part.stored.insert(device) }
    part.rung[device] = rung[device]
    return part
  }

  /// Takes over what a job has done.
  mutating func join(_ part: IngestTransaction) {
    engines.merge(part.engines) { $1 }
    alarms.merge(part.alarms) { $1 }
    published.formUnion(part.published)
    moved.merge(part.moved) { $1 }
    stored.formUnion(part.stored)
    forgotten.formUnion(part.forgotten)
    for device in part.forgotten { engines[device] = nil }
    looked.merge(part.looked) { $1 }
    dropsEngines = dropsEngines || part.dropsEngines
    rung.merge(part.rung) { $1 }
    batch.append(part.batch)
  }

  // MARK: The end

  /// All that is to be written; nil where there is nothing.
  mutating func finish() -> IngestBatch? {
    batch.alarms = alarms.values.flatMap(\.values).sorted { $0.id < $1.id }
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
  /// and says then when to look again. A stored time that is past stays: it may stand for a change that nobody has
  /// looked at yet, and the timers come to it within `Ingest.looksAtLeastEvery`.
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

/// What a transaction has read from the store, each once for all devices that need it.
final class TransactionReads {
  /// Of devices whose engines are about to be made.
  var states: [DeviceID: DeviceState] = [:]
  /// Of accounts whose alarms changed.
  var channels: [AccountID: [Channel]] = [:]
  var zoneRevisions: [AccountID: Revision] = [:]
  var settings: [AccountID: String] = [:]
}

extension IngestBatch {
  /// Appends what a job has added. What it takes back of an alarm is not told any more, though an earlier job of the
  /// same transaction had said so.
  fileprivate mutating func append(_ other: IngestBatch) {
    fixes += other.fixes
    statuses.merge(other.statuses) { $1 }
    rawBodies += other.rawBodies
    commands += other.commands
    events += other.events
    if !other.withdrawn.isEmpty {
      let withdrawn = Set(other.withdrawn)
      outbox.removeAll { $0.alarm.map(withdrawn.contains) ?? false }
      self.withdrawn += other.withdrawn
    }
    outbox += other.outbox
    changes += other.changes
    notices += other.notices
  }
}
