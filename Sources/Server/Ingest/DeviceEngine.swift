import AlarmEngine
import Geometry
import Store

/// One device's engine with the alarms it has open, as the store has them.
struct DeviceEngine: Sendable {
  var device: Device
  var settings: Settings
  /// Nil for an unclaimed device, over which nobody's zones watch.
  var timeline: Timeline?
  /// The account's zones that are in the timeline.
  var watched: WatchedZones?
  var zoneSet = Revision(rawValue: 0)
  /// The latest input.
  var through: Instant
  var open: [AlarmID: AlarmRecord] = [:]
  var heardAt: Instant
  /// Since when the server hears what phones send.
  var awakeSince = Instant.allowed.lowerBound
  /// Of the phone; nil as long as its times were never odd.
  var clock: PhoneClock?
  /// When the next people are told of an alarm that nobody answers.
  var escalations: [AlarmID: Instant] = [:]
  var escalationDelays = EscalationDelays()
  /// What was stated with the positions of open alarms.
  var accuracies: [AlarmID: (position: Coordinate, accuracy: Distance)] = [:]
  /// Inputs since the last time some were forgotten.
  var unforgotten = 0
  /// What the running transaction has put in; not in the store yet.
  var unsaved: [Input] = []
  /// Alarms that the running transaction has made; not in the store yet.
  var unsavedAlarms: Set<AlarmID> = []
  /// Of the stretch that the running transaction folds again.
  var past: ZonesOfThePast?
  /// When the store has it that something is due: never later than `nextDue` of what is stored.
  var storedDue: Instant?
  /// Of memory, roughly.
  var bytes = DeviceEngine.bytes(snapshot: 200)

  static func bytes(snapshot: Int) -> Int { 1900 + 2 * snapshot }

  /// So many inputs stay for those that come late; more than that are read from the store again.
  static let kept = 4
  /// Forgetting costs a fold: only now and then.
  static let keptAtMost = 8

  var id: DeviceID { device.id }
  var account: AccountID? { device.account }

  init(device: Device, settings: Settings) {
    self.device = device
    self.settings = settings
    through = Instant.allowed.lowerBound
    heardAt = device.lastReceivedAt ?? device.createdAt
  }

  /// When something has to be done if nothing comes.
  var nextDue: Instant? {
    guard account != nil else { return nil }
    var times = [timeline?.nextDue, silenceDue].compactMap { $0 }
    times += escalations.values
    times += open.values.compactMap { ownRepeat(of: $0) }
    return times.min()
  }

  /// When the device will have been silent for too long (F8).
  var silenceDue: Instant? {
    guard let interval = device.reportInterval, device.isArmed, !open.values.contains(where: \.isSilence)
    else {
      return nil
    }
    return max(heardAt + interval, awakeSince + min(interval, Self.grace))
  }

  /// After the server was away, phones send what they could not: a device is silent only when it does not do so either.
  /// Longer, and a server that is restarted every day would never tell of a phone that must report once a day.
  static let grace = TimeSpan.minutes(10)

  /// When an alarm that is none of a zone rings again: no engine repeats it.
  func ownRepeat(of alarm: AlarmRecord) -> Instant? {
    guard !alarm.isOfZone else { return nil }
    switch alarm.state {
    case .ringing, .closed:
      let next = alarm.lastRangAt + max(settings.alarmCycleTime, .seconds(1))
      return next <= alarm.began + settings.repeatHorizon || alarm.isDistress ? next : nil
    case .sleeping(let until), .acknowledgedForToday(let until): return until
    case .acknowledgedInside, .cleared, .retracted: return nil
    }
  }

  /// When a command of `time` happens: after what is forgotten already, which an edit of zones in the same moment may be.
  func timeOfCommand(at time: Instant) -> Instant { max(time, timeline?.keptFrom ?? time) }

  /// Lets time pass in the engine.
  mutating func advance(to now: Instant) -> Timeline.Change {
    timeline?.advance(to: now) ?? .init()
  }

  /// The inputs that fixes are. What a clock that runs ahead has sent is kept, and not judged: it would push what is
  /// true out of the engine's memory.
  func believable(_ fixes: [StoredFix]) -> [Fix] {
    let allowance = settings.clockAllowance
    return fixes.map(\.fix).filter { $0.measuredAt <= $0.receivedAt + allowance }
  }

  /// Follows the server's clock, which was set back since the engine was saved: what it remembers of times that the clock
  /// has not reached is moved back with it.
  /// - Parameter span: by which it was set back last, as far as that is known. Else it is not known how long the server
  ///   was away, and the device goes on where it was.
  mutating func follow(setBack span: TimeSpan?, to now: Instant) -> Timeline.Change? {
    guard let away = timeline?.jumpWhileAway(at: now), away < .zero - PhoneClock.agreement else { return nil }
    // Inputs are forgotten up to a millisecond after the latest.
    let least = away - .milliseconds(1)
    let change = timeline?.clockJumped(by: min(span.map { .zero - $0 } ?? least, least), at: now)
    through = now
    return change
  }

  func unbelievable(_ fixes: [StoredFix]) -> [DeviceEvent] {
    let allowance = settings.clockAllowance
    return fixes.filter { $0.fix.measuredAt > $0.fix.receivedAt + allowance }.map {
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

  /// Forgets all inputs but the last few.
  mutating func forgetPast() {
    timeline?.forget(keeping: Self.kept)
    unforgotten = Self.kept
    // A snapshot names one set of zones only.
    guard let timeline, timeline.zoneRevisions.count > 1 else { return }
    self.timeline?.forget(keeping: 0)
    unforgotten = 0
  }

  mutating func snapshot() -> DeviceSnapshot? {
    guard let timeline else { return nil }
    let snapshot = DeviceSnapshot(
      device: id, through: through, zoneSet: zoneSet, bytes: timeline.snapshot())
    bytes = Self.bytes(snapshot: snapshot.bytes.count)
    return snapshot
  }

  func outcome(wantsDistance: Bool, at now: Instant) -> IngestOutcome {
    var outcome = IngestOutcome()
    outcome.device = device
    outcome.open = open.values.sorted { $0.id < $1.id }
    for alarm in outcome.open { outcome.accuracies[alarm.id] = accuracy(of: alarm) }
    outcome.watched = watched
    outcome.position = timeline?.position
    outcome.maximumSpeed = settings.maximumSpeed
    if wantsDistance, let timeline, let position = timeline.position {
      let nearest = timeline.surroundings(at: now).nearest(1, to: position.position).first
      outcome.nearest = nearest.map { .metres($0.toAlert) }
    }
    return outcome
  }
}

extension AlarmRecord {
  var isSilence: Bool { if case .silence = subject { true } else { false } }
  var isOfZone: Bool { if case .zone = subject { true } else { false } }
  var zone: ZoneID? {
    switch subject {
    case .zone(let zone, _, _), .missedSignal(let zone, _): zone
    case .silence, .lowBattery, .distress, .unreadable: nil
    }
  }
}
