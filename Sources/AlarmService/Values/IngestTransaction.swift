import AlarmEngine
import Store

/// The changes that one group commit is going to write, and the engines in the state after it.
///
/// Each job works on its own part (`part(for:)`), which is joined when the job is done. The part of a job
/// that throws is never joined: nothing that the job did is written, published or remembered.
struct IngestTransaction {
  /// The time at which the current jobs are decided.
  private(set) var now: Instant
  var batch: IngestBatch
  var devices: [DeviceID: CachedDevice] = [:]
  /// The version of the stored engine that each used device was decided from: the earliest if there are
  /// several, since decisions made from it count as well.
  private var versions: [DeviceID: Int64] = [:]
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
  /// Notes for the operator, counted or logged when the transaction is on the disk.
  var notes: [DecisionNote] = []

  init(at now: Instant) {
    self.now = now
    batch = IngestBatch(at: now)
  }

  // MARK: Jobs

  /// Moves the time forward for the next jobs to decide.
  mutating func advance(to time: Instant) {
    now = max(now, time)
    batch.at = now
  }

  /// Returns the part that a job begins with: its device in the state that the jobs before it have left, and
  /// nothing else.
  /// - Parameter held: the device in memory, used if no job before has used the device.
  func part(for device: DeviceID?, held: CachedDevice?) -> IngestTransaction {
    var part = IngestTransaction(at: now)
    guard let device else { return part }
    part.devices[device] = devices[device] ?? held
    part.alarms[device] = alarms[device]
    if stored.contains(device) { part.stored.insert(device) }
    part.rung[device] = rung[device]
    return part
  }

  /// Adds the work of a job.
  mutating func join(_ part: IngestTransaction) {
    devices.merge(part.devices) { $1 }
    versions.merge(part.devices.mapValues(\.version)) { min($0, $1) }
    alarms.merge(part.alarms) { $1 }
    published.formUnion(part.published)
    moved.merge(part.moved) { $1 }
    stored.formUnion(part.stored)
    forgotten.formUnion(part.forgotten)
    for device in part.forgotten { devices[device] = nil }
    looked.merge(part.looked) { $1 }
    dropsEngines = dropsEngines || part.dropsEngines
    rung.merge(part.rung) { $1 }
    notes += part.notes
    batch.append(part.batch)
  }

  // MARK: The end

  /// Returns the batch to write; nil if it is empty.
  mutating func finish() -> IngestBatch? {
    batch.alarms = alarms.values.flatMap(\.values).sorted { $0.id < $1.id }
    batch.snapshots = stored.sorted().compactMap { devices[$0]?.snapshot() }
    noteDueTimes()
    batch.changes += moved.sorted { $0.key < $1.key }.map {
      NewChange(account: $0.value, kind: .device, id: $0.key.rawValue)
    }
    // Include devices on which nothing had to be done: that was decided from their state, too.
    batch.versions = versions
    let isEmpty =
      batch.fixes.isEmpty && batch.statuses.isEmpty && batch.rawBodies.isEmpty && batch.snapshots.isEmpty
      && batch.commands.isEmpty
      && batch.alarms.isEmpty && batch.events.isEmpty && batch.outbox.isEmpty && batch.changes.isEmpty
      && batch.companions.isEmpty && batch.companionsMoved.isEmpty && batch.notices.isEmpty
      && batch.reminded.isEmpty && batch.checkIns.isEmpty && batch.expectedArrivals.isEmpty
      && batch.restarted.isEmpty
      && batch.dues.isEmpty && batch.versions.isEmpty
    return isEmpty ? nil : batch
  }

  /// Adds the due times that have to be written. A time later than the stored one is not written with each
  /// fix: a worker that comes too early finds nothing to do and stores the right time then. A stored time in
  /// the past is kept, since it may stand for a change that has not been processed. The timers find it within
  /// `Ingest.looksAtLeastEvery`.
  private mutating func noteDueTimes() {
    for id in devices.keys.sorted() {
      guard let due = devices[id]?.nextDue else {
        guard let seen = looked[id] else { continue }
        batch.dues.append(DeviceDue(device: id, at: nil, seen: seen))
        devices[id]?.storedDue = nil
        continue
      }
      let stored = devices[id]?.storedDue
      guard looked[id] != nil || stored.map({ due < $0 }) ?? true else { continue }
      batch.dues.append(DeviceDue(device: id, at: due, seen: looked[id]))
      devices[id]?.storedDue = due
    }
  }
}

/// A note of a job for the operator, counted or logged when the transaction is on the disk.
enum DecisionNote: Equatable, Sendable {
  /// Adds one to a metric.
  case count(String)
  /// A zone raises one alarm after another on a device, so people are not notified of this one yet.
  case heldBack(DeviceID, ZoneID, alarms: Int)
  /// No channel takes the alarm.
  case nobodyReached(AlarmID)
  /// The measured error of the phone's clock has changed; zero if the clock is right again.
  case clockIsWrong(DeviceID, behind: TimeSpan)
}

extension IngestTransaction {
  /// Adds what a phone sent.
  /// - Parameter fixes: the report's fixes with corrected times.
  mutating func add(_ report: DeviceReport, _ fixes: [StoredFix]) {
    batch.fixes.append(DeviceFixes(device: report.device, fixes: fixes, isHeard: report.isHeard))
    batch.rawBodies += report.rawBodies
  }
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
    reminded += other.reminded
    restarted += other.restarted
    checkIns += other.checkIns
    expectedArrivals += other.expectedArrivals
    companions += other.companions
    companionsMoved.formUnion(other.companionsMoved)
  }
}
