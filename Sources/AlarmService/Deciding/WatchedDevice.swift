import AlarmEngine
import Geometry
import Store

/// A device that is watched by its account's zones: its engine, and its open alarms as they are stored.
struct WatchedDevice: Sendable {
  var record: Device
  /// The version of the stored engine that corresponds to this one.
  var version: Int64 = 0
  let account: AccountID
  var settings: Settings
  var timeline: Timeline
  /// The account's zones that the timeline uses.
  var watched: WatchedZones
  var zoneSet: Revision
  /// The time of the latest input.
  var through: Instant
  var open: [AlarmID: AlarmRecord] = [:]
  var heardAt: Instant
  /// The spans between the last reports, the latest last. They are stored with the snapshot.
  var silences: [TimeSpan] = []
  /// The time since when phones have been able to report.
  var awake = Awake(since: Instant.allowed.lowerBound)
  /// The error of the phone's clock.
  var clock = PhoneClock()
  /// When the next escalation step of an unanswered alarm begins.
  var escalations: [AlarmID: Instant] = [:]
  var escalationDelays = EscalationDelays()
  /// The accuracy stated with the position of each open alarm.
  var accuracies: [AlarmID: (position: Coordinate, accuracy: Distance)] = [:]
  /// The number of inputs since the timeline last forgot some.
  var unforgotten = 0
  /// Inputs that the running transaction has added; they are not in the store yet.
  var unsaved: [Input] = []
  /// Alarms that the running transaction has made; they are not in the store yet.
  var unsavedAlarms: Set<AlarmID> = []
  /// The zones of the period that the running transaction judges again.
  var past: ZonesOfThePast?
  /// The due time in the store. It is never later than `nextDue` of the stored engine.
  var storedDue: Instant?
  /// True if companion alarms are set on the device, and whether others watch it.
  var hasCompanions = false
  var isCompanion = false
  /// When a companion alarm has something to decide without a position.
  var companionsDue: Instant?
  var reminders = DeviceReminders()
  /// The check-in whose alarm the device has.
  var checkIn: CheckIn?
  /// The zones at which the phone is to be by a time, ascending by id.
  var expected: [ExpectedArrival] = []
  /// The approximate memory that the device takes, without its reminders.
  var bytes = WatchedDevice.bytes(snapshot: 200)

  /// Returns the bytes of a device: measured as the growth of the heap by 10,000 devices. 4 KB each, with the
  /// inputs that are kept and two states of the engine.
  static func bytes(snapshot: Int) -> Int { 3600 + 2 * snapshot }

  /// The number of inputs that stay in memory, in case others arrive late. Earlier ones are read from the
  /// store when they are needed.
  static let kept = 4
  /// The timeline forgets inputs when it has more than this. Forgetting computes the state again, so it is
  /// not done each time.
  static let keptAtMost = 8

  var id: DeviceID { record.id }

  /// A device that has reported nothing.
  init(_ record: Device, of account: AccountID, _ settings: Settings, _ zones: ZoneSets.Entry) {
    self.record = record
    self.account = account
    self.settings = settings
    watched = zones.watched
    zoneSet = zones.revision
    timeline = Timeline(
      device: record.id, settings: settings, watched: zones.watched, armed: record.isArmed)
    through = Instant.allowed.lowerBound
    heardAt = record.lastReceivedAt ?? record.createdAt
  }

  /// When the device has to be processed even if it reports nothing.
  var nextDue: Instant? {
    var times = [timeline.nextDue, silenceDue].compactMap { $0 }
    if let due = checkIn?.nextDue { times.append(due) }
    times += expected.filter(\.isEnabled).map(\.nextDue)
    if let companionsDue { times.append(companionsDue) }
    // A disarmed device tells no reminder, so no snooze is awaited.
    if record.isArmed, let wake = reminders.list.nextWake { times.append(wake) }
    times += escalations.values
    times += open.values.compactMap { ownRepeat(of: $0) }
    return times.min()
  }

  /// When the device has been silent for too long (F8); nil if it need not report.
  var silenceDue: Instant? {
    guard let interval = record.reportInterval, record.isArmed, !open.values.contains(where: \.isSilence)
    else {
      return nil
    }
    return max(heardAt + interval, awake.since + min(interval, Self.grace), awake.knownAt)
  }

  /// Notes that the device was heard.
  mutating func heard(at now: Instant) {
    guard now > heardAt else { return }
    // A lost signal that was reported and has ended is typical of this phone, so the silence counts three
    // times.
    let count = open.values.contains(where: \.isOfLostSignal) ? 3 : 1
    silences = (silences + Array(repeating: now - heardAt, count: count)).suffix(Self.keptSilences)
    heardAt = now
    timeline.signalExpectedBy = signalExpectedBy
  }

  /// The time until which the device may be silent: after its last report, `signalTimeout` or three times its
  /// usual interval between two reports, whichever is longer. Positions that arrive late say nothing about
  /// the signal.
  var signalExpectedBy: Instant {
    heardAt + max(settings.signalTimeout, UsualSpan.patience(after: silences) ?? .zero)
  }

  private static let keptSilences = 5
  /// The least time between two rings of a lost signal, since nothing new is known.
  private static let lostSignalCycle = TimeSpan.minutes(1)

  /// How long phones have, after the server was down, to send their delayed reports. With a longer time, a
  /// server that is restarted every day would never notice the silence of a phone that must report once a
  /// day.
  static let grace = TimeSpan.minutes(10)

  /// Returns when an alarm that is not about a zone rings again. The engine repeats only alarms about zones.
  func ownRepeat(of alarm: AlarmRecord) -> Instant? {
    guard !alarm.isOfZone, !alarm.isOfLostCompanion else { return nil }
    switch alarm.state {
    case .ringing, .closed:
      let least = alarm.isOfLostSignal ? Self.lostSignalCycle : .seconds(1)
      let next = alarm.lastRangAt + max(settings.alarmCycleTime, least)
      return next <= alarm.began + settings.repeatHorizon || alarm.callsForHelp ? next : nil
    case .sleeping(let until), .acknowledgedForToday(let until): return until
    case .acknowledgedInside, .cleared, .retracted: return nil
    }
  }

  /// Returns the time at which a command of `time` takes effect: not before the time up to which inputs are
  /// forgotten, which an edit of zones in the same millisecond may have moved.
  func timeOfCommand(at time: Instant) -> Instant { max(time, timeline.keptFrom ?? time) }

  /// Lets time pass in the engine.
  mutating func advance(to now: Instant) -> Timeline.Change { timeline.advance(to: now) }

  /// Returns the fixes that are judged. A fix measured in the future is stored but not judged, since it would
  /// push true ones out of the engine's memory.
  func believable(_ fixes: [StoredFix]) -> [Fix] { fixes.filter { !$0.isFromFuture }.map(\.fix) }

  /// Follows the server's clock if it was set back since the engine was saved: all remembered times are moved
  /// back.
  /// - Parameter span: the amount by which the clock was last set back; nil if that is not known. The length
  ///   of the server's downtime is then not known either, and no time is assumed to have passed for the
  ///   device.
  mutating func follow(setBack span: TimeSpan?, to now: Instant) -> Timeline.Change? {
    guard let away = timeline.jumpWhileAway(at: now), away < .zero - PhoneClock.agreement else { return nil }
    // One millisecond more, since inputs are forgotten up to a millisecond after the latest.
    let least = away - .milliseconds(1)
    let jump = min(span.map { .zero - $0 } ?? least, least)
    var change = timeline.clockJumped(by: jump, at: now)
    let effects = reminders.list.step(.clockJumped(by: jump, at: now))
    reminders.pending += effects
    // Events that fell due by the old clock get times by the new one: an alarm that rang after now would not
    // repeat until then.
    change.added = change.added.map { $0.decidedAt > now ? $0.moved(by: jump, to: now) : $0 }
    through = now
    return change
  }

  func unbelievable(_ fixes: [StoredFix]) -> [DeviceEvent] {
    fixes.filter(\.isFromFuture).map {
      DeviceEvent(
        device: id,
        event: Event(
          time: $0.fix.measuredAt, decidedAt: $0.fix.measuredAt, learnedAt: $0.fix.measuredAt,
          kind: .ignored($0.fix, .fromTheFuture)))
    }
  }

  mutating func note(_ inputs: [Input]) {
    unforgotten += inputs.count
    unsaved += inputs
    if let last = inputs.map(\.time).max() { through = max(through, last) }
  }

  /// Forgets all inputs except the last few.
  mutating func forgetPast() {
    timeline.forget(keeping: Self.kept)
    unforgotten = Self.kept
    // A snapshot can name only one set of zones.
    guard timeline.zoneRevisions.count > 1 else { return }
    timeline.forget(keeping: 0)
    unforgotten = 0
  }

  mutating func snapshot() -> DeviceSnapshot {
    let snapshot = DeviceSnapshot(
      device: id, through: through, zoneSet: zoneSet, bytes: timeline.snapshot(), silences: silences,
      reminders: reminders.list.snapshot())
    bytes = Self.bytes(snapshot: snapshot.bytes.count)
    return snapshot
  }

  func outcome(wantsDistance: Bool, at now: Instant) -> IngestOutcome {
    var outcome = IngestOutcome()
    outcome.device = record
    outcome.open = open.values.sorted { $0.id < $1.id }
    for alarm in outcome.open { outcome.accuracies[alarm.id] = accuracy(of: alarm) }
    outcome.watched = watched
    outcome.position = timeline.position
    outcome.maximumSpeed = settings.maximumSpeed
    if wantsDistance, let position = timeline.position {
      let nearest = timeline.surroundings(at: now).nearest(1, to: position.position).first
      outcome.nearest = nearest?.toAlert
    }
    return outcome
  }

  /// Clears the state of the running transaction when it is on the disk.
  mutating func saved(at now: Instant) {
    clock.saved(at: now)
    version += 1
    unsaved = []
    unsavedAlarms = []
    past = nil
  }
}

extension AlarmRecord {
  var isSilence: Bool { if case .silence = subject { true } else { false } }
  var isOfLostSignal: Bool { if case .missedSignal = subject { true } else { false } }
  var isOfZone: Bool { if case .zone = subject { true } else { false } }
  var zone: ZoneID? {
    switch subject {
    case .zone(let zone, _, _), .missedSignal(let zone, _): zone
    case .notArrived(let missing): missing.zone
    case .silence, .lowBattery, .distress, .missedCheckIn, .unreadable, .companion: nil
    }
  }
}

extension Event {
  /// Returns the event moved earlier by a jump of the clock, to `now` at the latest.
  fileprivate func moved(by jump: TimeSpan, to now: Instant) -> Event {
    func moved(_ time: Instant) -> Instant { min(time + jump, now) }
    return Event(time: moved(time), decidedAt: moved(decidedAt), learnedAt: moved(learnedAt), kind: kind)
  }
}
