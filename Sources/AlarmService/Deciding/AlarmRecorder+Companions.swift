import AlarmEngine
import Geometry
import Store

/// Turns the decisions of companion alarms into alarm records.
extension AlarmRecorder {
  /// The values that replace a zone in the ids of alarms about a lost companion and about an ended one.
  private enum Topic: UInt64 {
    case lost = 0x6c6f_7374_5f5f_5f5f
    case ended = 0x656e_6465_645f_5f5f
  }

  private func id(_ topic: Topic, _ companion: Companion, _ time: Instant) -> AlarmID {
    AlarmID(device: device.id, zone: ZoneID(rawValue: companion.id.rawValue ^ topic.rawValue), began: time)
  }

  func lostID(_ companion: Companion, since: Instant) -> AlarmID { id(.lost, companion, since) }

  /// Returns the alarms that a change mentions.
  static func companionAlarms(in change: Timeline.Change) -> [AlarmID] {
    (change.added + change.retracted).compactMap { event in
      switch event.kind {
      case .alarm(let report), .cleared(let report, _): report.alarm
      case .repeat, .missedSignal, .ignored, .perhaps, .notice, .proposal: nil
      }
    }
  }

  /// Applies the change from judging a companion alarm. Every alarm that it mentions must be known.
  mutating func take(_ change: Timeline.Change, of companion: Companion) {
    var ringsStill: Set<AlarmID> = []
    for case .alarm(let report) in change.added.map(\.kind) { ringsStill.insert(report.alarm) }
    for event in change.retracted {
      switch event.kind {
      case .alarm(let report) where !ringsStill.contains(report.alarm):
        edit(report.alarm, .withdrawn) {
          $0.state = .retracted
          $0.rings = 0
        }
      case .cleared(let report, _):
        edit(report.alarm) { if case .cleared = $0.state { $0.state = .ringing } }
      case .alarm, .repeat, .missedSignal, .ignored, .perhaps, .notice, .proposal: break
      }
    }
    for event in change.added {
      switch event.kind {
      case .alarm(let report): ring(report, event, companion)
      case .cleared(let report, let why):
        guard alarms[report.alarm]?.isOpen ?? false else { continue }
        edit(report.alarm, .withdrawn) { $0.state = .cleared(why, at: max(event.time, $0.began)) }
      case .repeat, .missedSignal, .ignored, .perhaps, .notice, .proposal: break
      }
    }
  }

  private mutating func ring(_ report: AlarmReport, _ event: Event, _ companion: Companion) {
    let now = now
    guard let known = alarms[report.alarm] else {
      return make(
        AlarmRecord(
          id: report.alarm, account: account, device: device.id,
          subject: .companion(
            companion.id, name: Text(companion.name), companion.rules.trigger == .within ? .near : .apart),
          began: event.time, decidedAt: event.decidedAt, learnedAt: max(event.learnedAt, event.decidedAt),
          distance: report.distance, position: report.position, lastRangAt: now))
    }
    // A late position moved the place of the ring a little. An open alarm is not announced again.
    edit(report.alarm, known.isOpen ? nil : .ring) {
      $0.distance = report.distance
      $0.position = report.position
      if !known.isOpen {
        $0.state = .ringing
        $0.rings += 1
        $0.lastRangAt = now
      }
    }
  }

  /// Clears the open alarms of a companion that its present engine does not ring, such as alarms of an
  /// earlier engine or of a companion that is gone.
  mutating func agree(_ companion: CompanionID, rings: AlarmID?, _ why: Clearing) {
    let now = now
    for alarm in open(of: companion, [.near, .apart]) where alarm.id != rings {
      edit(alarm.id, .withdrawn) { $0.state = .cleared(why, at: max(now, $0.began)) }
    }
  }

  /// Makes an alarm: one of the two devices has not been heard of for longer than the horizon.
  mutating func lose(_ companion: Companion, since: Instant, at time: Instant) {
    let id = lostID(companion, since: since)
    let now = now
    guard alarms[id] == nil else { return }
    make(
      AlarmRecord(
        id: id, account: account, device: device.id,
        subject: .companion(companion.id, name: Text(companion.name), .lost), began: time, decidedAt: time,
        learnedAt: max(now, time), lastRangAt: now))
  }

  /// Clears the lost alarms, because both devices are known again or another silence has begun.
  mutating func find(_ companion: CompanionID, but lost: AlarmID?, _ why: Clearing) {
    let now = now
    for alarm in open(of: companion, [.lost]) where alarm.id != lost {
      edit(alarm.id, .withdrawn) { $0.state = .cleared(why, at: max(now, $0.began)) }
    }
  }

  /// Ends the companion alarm and notifies the person.
  mutating func endCompanion(_ companion: Companion) {
    agree(companion.id, rings: nil, .zoneRemoved)
    find(companion.id, but: nil, .zoneRemoved)
    let (id, now) = (id(.ended, companion, companion.createdAt), now)
    guard alarms[id] == nil else { return }
    make(
      AlarmRecord(
        id: id, account: account, device: device.id,
        subject: .companion(companion.id, name: Text(companion.name), .ended), began: now, decidedAt: now,
        learnedAt: now, lastRangAt: now))
  }

  /// Clears the open alarms of companion alarms that were deleted.
  mutating func forgetCompanions(but kept: Set<CompanionID>) {
    let now = now
    for alarm in alarms.values.sorted(by: { $0.id < $1.id }) where alarm.isOpen {
      guard case .companion(let id, _, let news) = alarm.subject, news != .ended, !kept.contains(id) else {
        continue
      }
      edit(alarm.id, .withdrawn) { $0.state = .cleared(.zoneRemoved, at: max(now, $0.began)) }
    }
  }

  private func open(of companion: CompanionID, _ wanted: Set<AlarmRecord.CompanionNews>) -> [AlarmRecord] {
    alarms.values.filter { alarm in
      guard alarm.isOpen, case .companion(companion, _, let news) = alarm.subject else { return false }
      return wanted.contains(news)
    }.sorted { $0.id < $1.id }
  }
}

extension AlarmRecord {
  var companion: CompanionID? { if case .companion(let id, _, _) = subject { id } else { nil } }

  var isOfEndedCompanion: Bool { if case .companion(_, _, .ended) = subject { true } else { false } }

  /// True if the alarm is about a lost companion. Such an alarm does not repeat.
  var isOfLostCompanion: Bool { if case .companion(_, _, .lost) = subject { true } else { false } }
}
