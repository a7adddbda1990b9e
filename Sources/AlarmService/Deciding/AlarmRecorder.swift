import AlarmEngine
import Store

/// Turns the events of a device's engine into alarm records, and collects the notifications to send.
struct AlarmRecorder {
  let device: Device
  let account: AccountID
  let now: Instant
  /// The open alarms, and the ended ones that the change mentions.
  var alarms: [AlarmID: AlarmRecord]
  /// The messages that events and answers request; `Telling` decides on them.
  private(set) var asked: [AlarmID: Telling.Message] = [:]
  private(set) var changed: Set<AlarmID> = []
  /// New alarms, which are not in the store yet.
  private(set) var made: Set<AlarmID> = []
  /// The records' ids by those that the engine gives the alarms.
  private var own: [AlarmID: AlarmID] = [:]
  /// Alarms whose beginning the current change moves.
  private var moved: Set<AlarmID> = []
  /// How many rings of each alarm the current change retracts.
  private var retracted: [AlarmID: Int] = [:]
  /// Alarms whose notification was closed, and which the current change judges again.
  private var closed: Set<AlarmID> = []
  /// Zones whose notice is due.
  private(set) var notices: [(zone: ZoneID, at: Instant)] = []
  /// Zones that the phone is possibly in, to be announced without sound.
  private(set) var doubts: [(zone: ZoneID, event: Event)] = []
  /// The time of the device's last position; nil if there is none.
  private let lastFix: Instant?
  /// The name of a zone at a time.
  private let name: (ZoneID, Instant) -> Text

  init(
    device: Device, account: AccountID, alarms: [AlarmID: AlarmRecord], now: Instant, lastFix: Instant? = nil,
    name: @escaping (ZoneID, Instant) -> Text
  ) {
    self.device = device
    self.account = account
    self.alarms = alarms
    // Retracted alarms come first, so that an open one with the same beginning replaces them.
    for alarm in alarms.values.sorted(by: { ($0.isOpen ? 1 : 0, $0.id) < ($1.isOpen ? 1 : 0, $1.id) }) {
      own[alarm.engineID] = alarm.id
    }
    self.now = now
    self.lastFix = lastFix
    self.name = name
  }

  /// The ids of the alarms that a change mentions, as the engine gives them.
  static func mentioned(in change: Timeline.Change, on device: DeviceID) -> Set<AlarmID> {
    Set((change.added + change.retracted).compactMap { id(of: $0, on: device) })
  }

  private static func id(of event: Event, on device: DeviceID) -> AlarmID? {
    switch event.kind {
    case .alarm(let report), .repeat(let report), .cleared(let report, _): report.alarm
    case .missedSignal(let zone, _, _): missedSignal(device, zone, event.time)
    case .ignored, .notice, .proposal, .perhaps: nil
    }
  }

  /// The id of an alarm about a lost signal. It differs from every id of an alarm of the zone itself.
  private static func missedSignal(_ device: DeviceID, _ zone: ZoneID, _ at: Instant) -> AlarmID {
    AlarmID(device: device, zone: ZoneID(rawValue: ~zone.rawValue), began: at)
  }

  mutating func take(_ change: Timeline.Change) {
    (retracted, moved, closed) = ([:], [], [])
    for (former, present) in Self.renamed(by: change) {
      guard let alarm = own[former] else { continue }
      own[present] = alarm
      moved.insert(alarm)
      edit(alarm) { $0.engineID = present }
    }
    for event in change.retracted { retract(event) }
    for event in change.added { add(event) }
  }

  mutating func edit(_ id: AlarmID, _ message: Telling.Message? = nil, _ body: (inout AlarmRecord) -> Void) {
    guard var alarm = alarms[id] else { return }
    let before = alarm
    body(&alarm)
    if let message { asked[id] = max(asked[id] ?? message, message) }
    guard alarm != before else { return }
    if changed.insert(id).inserted { alarm.version += 1 }
    alarms[id] = alarm
  }

  mutating func make(_ alarm: AlarmRecord) {
    alarms[alarm.id] = alarm
    own[alarm.engineID] = alarm.id
    changed.insert(alarm.id)
    made.insert(alarm.id)
    asked[alarm.id] = .ring
  }

  private mutating func add(_ event: Event) {
    switch event.kind {
    case .alarm(let report): ring(report, event)
    case .repeat(let report):
      guard let id = own[report.alarm] else { break }
      let wasCounted = restoresRing(of: id)
      edit(id, message(.repeat, id, event)) { $0.ring(event, wasCounted: wasCounted) }
    case .cleared(let report, let why):
      guard let id = own[report.alarm] else { break }
      edit(id, .withdrawn) { $0.state = .cleared(why, at: event.time) }
    case .missedSignal(let zone, let distance, let position):
      // A position after the loss ends it: it is over when it becomes known.
      if let lastFix, lastFix > event.time { break }
      let id = Self.missedSignal(device.id, zone, event.time)
      guard alarms[id] == nil else { return edit(id, .ring) { $0.state = .ringing } }
      make(
        AlarmRecord(
          id: id, account: account, device: device.id,
          subject: .missedSignal(zone, name: name(zone, event.time)),
          began: event.time, decidedAt: event.decidedAt, learnedAt: max(event.learnedAt, event.decidedAt),
          distance: distance, position: position, lastRangAt: event.decidedAt))
    case .perhaps(let zone, _, _, _): doubts.append((zone, event))
    case .notice(let zone): notices.append((zone, event.time))
    case .ignored, .proposal: break
    }
  }

  private mutating func ring(_ report: AlarmReport, _ event: Event) {
    let called = name(report.zone, event.decidedAt)
    if let id = own[report.alarm] {
      let wasCounted = restoresRing(of: id)
      let isMoved = moved.contains(id)
      let message = message(.ring, id, event)
      let isStillClosed = closed.contains(id) && message == nil
      edit(id, message) {
        if isMoved { ($0.began, $0.decidedAt) = (event.time, event.decidedAt) }
        $0.subject = .zone(report.zone, name: called, report.cause)
        $0.state = isStillClosed ? .closed : .ringing
        $0.distance = report.distance
        $0.position = report.position
        $0.ring(event, wasCounted: wasCounted)
      }
      return
    }
    make(
      AlarmRecord(
        id: freeID(report.alarm, event), engineID: report.alarm, account: account, device: device.id,
        subject: .zone(report.zone, name: called, report.cause), began: event.time,
        decidedAt: event.decidedAt, learnedAt: event.learnedAt, distance: report.distance,
        position: report.position, lastRangAt: event.decidedAt))
  }

  /// Returns the alarm's permanent id: the one that the engine gives it now, unless another alarm has that id
  /// already.
  private func freeID(_ id: AlarmID, _ event: Event) -> AlarmID {
    var free = id
    while alarms[free] != nil {
      free = AlarmID(device: device.id, zone: ZoneID(rawValue: free.rawValue), began: event.time)
    }
    return free
  }

  /// Returns the message of a ring; nil if a later ring of the alarm was announced already. Late inputs cause
  /// past rings to be judged again.
  private func message(_ message: Telling.Message, _ id: AlarmID, _ event: Event) -> Telling.Message? {
    alarms[id].map { event.decidedAt > $0.lastRangAt } ?? true ? message : nil
  }

  /// True if this ring replaces one of the alarm's rings that the same change retracted.
  private mutating func restoresRing(of id: AlarmID) -> Bool {
    guard let count = retracted[id], count > 0 else { return false }
    retracted[id] = count - 1
    return true
  }

  /// Undoes an event. An alarm with no ring left is retracted.
  private mutating func retract(_ event: Event) {
    switch event.kind {
    case .alarm(let report), .repeat(let report):
      guard let id = own[report.alarm] else { break }
      retracted[id, default: 0] += 1
      if alarms[id]?.state == .closed { closed.insert(id) }
      edit(id, alarms[id].map { $0.rings <= 1 } ?? false ? .withdrawn : nil) {
        $0.rings = max(0, $0.rings - 1)
        if $0.rings == 0 { $0.state = .retracted }
      }
    case .cleared(let report, _):
      guard let id = own[report.alarm] else { break }
      edit(id) {
        $0.state = $0.rings > 0 ? .ringing : .retracted
      }
    case .missedSignal(let zone, _, _):
      // An alarm that has ended by then was correct: the signal was lost and came back.
      edit(Self.missedSignal(device.id, zone, event.time), .withdrawn) {
        if $0.isOpen { $0.state = .retracted }
      }
    case .ignored, .notice, .proposal, .perhaps: break
    }
  }

  /// Ends the alarms about the device's silence, because it reported or was switched off.
  mutating func endSilence(at time: Instant, _ why: Clearing) {
    for alarm in alarms.values.sorted(by: { $0.id < $1.id })
    where alarm.isOpen && alarm.endsWith(why) {
      edit(alarm.id, .withdrawn) {
        $0.state = .cleared(why, at: max(time, $0.began))
      }
    }
  }

  static func silence(of device: DeviceID, since: Instant) -> AlarmID {
    AlarmID(device: device, zone: ZoneID(rawValue: 0), began: since)
  }

  /// Adds an alarm that has ended and may ring again.
  mutating func know(_ alarm: AlarmRecord) { alarms[alarm.id] = alarms[alarm.id] ?? alarm }

  /// If a silence is found later than this after it fell due, its alarm begins now, since the device may not
  /// have had to report before.
  private static let foundAtOnce = TimeSpan.minutes(1)

  /// Begins the alarm about a device that did not report in time (F8). The same silence rings again after the
  /// device was switched off and on.
  mutating func fallSilent(since: Instant, until: Instant) {
    let id = Self.silence(of: device.id, since: since)
    let now = now
    // An old alarm is not announced, but a silence is present: it begins now if the device has to report only
    // since now, for example because it was armed.
    let began = now - until > Self.foundAtOnce ? now : until
    guard alarms[id] == nil else {
      return edit(id, .ring) {
        $0.began = max($0.began, began)
        $0.state = .ringing
        $0.rings += 1
        $0.lastRangAt = now
      }
    }
    make(
      AlarmRecord(
        id: id, account: account, device: device.id, subject: .silence(since: since), began: began,
        decidedAt: began, learnedAt: max(now, began), lastRangAt: now))
  }

  /// Rings an alarm that is not about a zone again, since the engine repeats only alarms about zones.
  mutating func repeatOwn(_ id: AlarmID) {
    guard let alarm = alarms[id] else { return }
    let message: Telling.Message = alarm.state == .ringing || alarm.state == .closed ? .repeat : .ring
    let now = now
    edit(id, message) {
      if message == .ring { $0.state = .ringing }
      $0.rings += 1
      $0.lastRangAt = now
    }
  }

  mutating func answer(_ id: AlarmID, _ state: AlarmRecord.State, by: String) {
    guard alarms[id]?.state != state else { return }
    let now = now
    edit(id, .withdrawn) {
      $0.state = state
      $0.answeredAt = now
      $0.answeredBy = by
    }
  }

  mutating func escalate(_ id: AlarmID, to step: EscalationStep) { edit(id) { $0.escalationStep = step } }

  /// Makes the records agree with the engine, after retractions and after an engine was rebuilt from its
  /// inputs. An alarm that only the engine has rings now.
  mutating func agree(with timeline: Timeline) {
    var known: Set<AlarmID> = []
    for (_, state) in timeline.states {
      switch state {
      case .idle, .confirming, .dwelling, .present: break
      case .ringing(let engineID, _):
        if own[engineID] == nil { makeMissing(engineID, timeline) }
        guard let id = own[engineID] else { continue }
        known.insert(id)
        edit(id) { alarm in
          switch alarm.state {
          case .ringing, .closed: break
          case .sleeping, .acknowledgedInside, .acknowledgedForToday, .cleared, .retracted:
            alarm.state = .ringing
          }
          alarm.rings = max(1, alarm.rings)
        }
      case .asleep(let engineID, let until):
        guard let id = own[engineID] else { continue }
        known.insert(id)
        edit(id) {
          if case .acknowledgedForToday = $0.state { return }
          $0.state = .sleeping(until: until)
        }
      case .acknowledged(let engineID):
        guard let id = own[engineID] else { continue }
        known.insert(id)
        edit(id) {
          if case .acknowledgedForToday = $0.state { return }
          $0.state = .acknowledgedInside
        }
      }
    }
    let now = now
    for alarm in alarms.values where alarm.isOpen && alarm.isOfZone && !known.contains(alarm.id) {
      // A ring that was judged anew may be older than the end of its alarm, which the change does not mention.
      let end = timeline.events.last { Self.id(of: $0, on: device.id) == alarm.engineID }
      edit(alarm.id, .withdrawn) {
        if let end, case .cleared(_, let why) = end.kind {
          $0.state = .cleared(why, at: end.time)
        } else {
          $0.state = .cleared(.zoneEdited, at: now)
        }
      }
    }
  }

  private mutating func makeMissing(_ id: AlarmID, _ timeline: Timeline) {
    for event in timeline.events {
      guard case .alarm(let report) = event.kind, report.alarm == id else { continue }
      return ring(report, event)
    }
  }
}

extension AlarmRecord {
  /// Counts a ring. A ring that late inputs cause to be judged again is counted once.
  fileprivate mutating func ring(_ event: Event, wasCounted: Bool) {
    if wasCounted || event.decidedAt > lastRangAt { rings += 1 }
    lastRangAt = max(lastRangAt, event.decidedAt)
  }
}
