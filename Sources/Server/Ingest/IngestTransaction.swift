import AlarmEngine
import Store

/// Everything that one group commit is going to write, and the engines as they are after it.
///
/// Each job works on its own part (`part(for:)`), which is joined when the job is done. The part of a job
/// that throws is never joined: nothing that the job did is written, published or remembered.
struct IngestTransaction {
  let now: Instant
  /// Read once for all jobs, and shared by all parts: jobs do not change it.
  let reads: TransactionReads
  var batch: IngestBatch
  var engines: [DeviceID: DeviceEngine] = [:]
  /// The alarms that changed, in their last state.
  var alarms: [DeviceID: [AlarmID: AlarmRecord]] = [:]
  var published: Set<AccountID> = []
  /// Devices with new fixes, for the change feed.
  var moved: [DeviceID: AccountID] = [:]
  /// The devices whose engines are to be stored.
  var stored: Set<DeviceID> = []
  var forgotten: Set<DeviceID> = []
  /// Another process has written to the store, so no engine stays in memory.
  var dropsEngines = false
  /// Devices that were due and have been processed, with their marks. Their stored due time is replaced,
  /// unless a later change has set a new mark.
  var looked: [DeviceID: DueMark] = [:]
  /// Zones with new alarms, one for each alarm.
  var rung: [DeviceID: [ZoneID]] = [:]
  /// The zones for which the current job has waited.
  var waitedFor: Set<ZoneSetNeed> = []

  init(at now: Instant, reads: TransactionReads = TransactionReads()) {
    self.now = now
    self.reads = reads
    batch = IngestBatch(at: now)
  }

  // MARK: Jobs

  /// What one job begins with: its device as the jobs before it have left it, and nothing else.
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

  /// Adds the work of a job.
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

  /// All that is to be written; nil if there is nothing.
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

  /// Adds the due times that have to be written. A later time than the stored one is not written with each
  /// fix: a worker that comes too early finds nothing to do and stores the right time then. A stored time in
  /// the past is kept, since it may stand for a change that has not been processed; the timers find it within
  /// `Ingest.looksAtLeastEvery`.
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

/// What a transaction has read from the store, once for all devices that need it.
final class TransactionReads {
  /// The states of devices whose engines are about to be loaded.
  var states: [DeviceID: DeviceState] = [:]
  /// The channels of accounts whose alarms changed.
  var channels: [AccountID: [Channel]] = [:]
  var zoneRevisions: [AccountID: Revision] = [:]
  var settings: [AccountID: String] = [:]
}

extension IngestBatch {
  /// Appends the additions of a job. If the job withdraws an alarm, deliveries about it that earlier jobs of
  /// the same transaction added are removed.
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
