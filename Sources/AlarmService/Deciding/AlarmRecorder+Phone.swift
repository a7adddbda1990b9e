import AlarmEngine
import Geometry
import Store

/// Alarms about the phone itself: its battery, its SOS button, and unreadable messages.
extension AlarmRecorder {
  /// The values that replace a zone in the alarm's id. A zone has the same id with a probability of 1 in
  /// 2^64.
  private enum Topic: UInt64 {
    case battery = 0x6261_7474_6572_795f
    case distress = 0x6469_7374_7265_7373
    case unreadable = 0x756e_7265_6164_5f5f
  }

  private func id(_ topic: Topic, _ began: Instant) -> AlarmID {
    AlarmID(device: device.id, zone: ZoneID(rawValue: topic.rawValue), began: began)
  }

  func distressID(at time: Instant) -> AlarmID { id(.distress, time) }

  mutating func lowBattery(_ level: Double, at time: Instant) {
    ring(id(.battery, time), .lowBattery(level: level), at: time, nil)
  }

  mutating func distress(at time: Instant, _ position: Coordinate?) {
    ring(id(.distress, time), .distress, at: time, position)
  }

  mutating func unreadable(_ why: DeviceStatus.Unread) {
    ring(id(.unreadable, now), .unreadable(why), at: now, nil)
  }

  private mutating func ring(
    _ id: AlarmID, _ subject: AlarmRecord.Subject, at time: Instant, _ position: Coordinate?
  ) {
    guard alarms[id] == nil else { return }
    make(
      AlarmRecord(
        id: id, account: account, device: device.id, subject: subject, began: time, decidedAt: time,
        learnedAt: max(now, time), position: position, lastRangAt: now))
  }

  /// Ends the open alarms for which the condition holds.
  mutating func end(_ why: Clearing = .reported, where isOver: (AlarmRecord) -> Bool) {
    for alarm in alarms.values.sorted(by: { $0.id < $1.id }) where alarm.isOpen && isOver(alarm) {
      let now = now
      edit(alarm.id, .withdrawn) {
        $0.state = .cleared(why, at: max(now, $0.began))
      }
    }
  }
}

extension AlarmRecord {
  package var isDistress: Bool { if case .distress = subject { true } else { false } }
  package var isMissedCheckIn: Bool { if case .missedCheckIn = subject { true } else { false } }
  var missing: AlarmRecord.NotArrived? { if case .notArrived(let missing) = subject { missing } else { nil } }
  /// True if a person may need help: the alarm is announced however old it is, and rings without end.
  var callsForHelp: Bool { isDistress || isMissedCheckIn || missing != nil }
  var isLowBattery: Bool { if case .lowBattery = subject { true } else { false } }
  var isUnreadable: Bool { if case .unreadable = subject { true } else { false } }

  /// True if a person has answered the alarm, so that it no longer rings by itself.
  var isAcknowledged: Bool {
    switch state {
    case .acknowledgedInside, .acknowledgedForToday: true
    case .ringing, .closed, .sleeping, .cleared, .retracted: false
    }
  }

  /// True if nobody has stopped the alarm or put it to sleep.
  var awaitsAnswer: Bool {
    switch state {
    case .ringing, .closed: true
    case .sleeping, .acknowledgedInside, .acknowledgedForToday, .cleared, .retracted: false
    }
  }

  /// True if an alarm that is not about a zone ends when the device reports or is switched off.
  func endsWith(_ why: Clearing) -> Bool {
    switch subject {
    case .zone: false
    case .missedSignal, .silence: true
    case .lowBattery, .unreadable: why == .deactivated
    case .companion(_, _, let news): news != .ended && why == .deactivated
    // A person pressed the button, so only a person can end the alarm.
    case .distress: false
    // A report of the phone does not say that the person is well.
    case .missedCheckIn: false
    // Only a position at the zone ends it.
    case .notArrived: false
    }
  }
}
