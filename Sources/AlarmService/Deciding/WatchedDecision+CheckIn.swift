import AlarmEngine
import Delivery
import Formats
import Store

/// Check-ins: rings when the time by which a person wants to be back has passed, and ends when they are back.
///
/// The check-in is loaded with its device. Each edit has the device loaded again and makes it due, and the alarm
/// is written with the mark that the check-in was missed, in one transaction, which another process's change
/// undoes (see `IngestBatch.versions`). So exactly one alarm rings, also if no process ran at the time.
extension WatchedDecision {
  mutating func judgeCheckIn(_ recorder: inout AlarmRecorder) {
    let checkIn = device.checkIn
    // Ended, or set anew: the person has answered.
    recorder.end { $0.isMissedCheckIn && $0.id != checkIn?.alarm }
    guard let checkIn, checkIn.missedAt == nil else { return }
    if checkIn.dueAt <= now {
      let last = facts.lastPlace(of: account, phone: checkIn.phone)
      guard facts.isComplete else { return }
      recorder.missed(checkIn, lastSeen: last)
      take(.missed, of: checkIn)
    } else if let due = checkIn.reminderDue, due <= now {
      remind(of: checkIn)
      take(.reminded, of: checkIn)
    }
  }

  private mutating func take(_ step: CheckInStep.Kind, of checkIn: CheckIn) {
    part.batch.checkIns.append(CheckInStep(step, of: checkIn, at: now))
    device.checkIn = checkIn.after(step, at: now)
    if step == .missed {
      part.batch.changes.append(NewChange(account: account, kind: .checkIn, id: account.rawValue))
    }
    part.published.insert(account)
    part.stored.insert(id)
  }

  /// Reminds the person on their own devices. Other channels may lead to other people.
  private mutating func remind(of checkIn: CheckIn) {
    let notice = AlarmNotice(
      alarm: checkIn.alarm, sequence: 0, .checkInSoon,
      device: .init(id: id, name: device.record.name), time: checkIn.dueAt, learnedAt: now,
      messages: checkIn.note.isEmpty ? [] : [checkIn.note.string])
    let payload = Array(JSONValue.object(NoticeJSON.members(of: notice)).text.utf8)
    let channels = facts.channels(of: account)
    let event = ChannelRule.Event(
      .checkInSoon, of: id, during: now...now, offsets: ruleOffsets(for: channels, around: now))
    for channel in channels
    where channel.isActive && channel.kind.traits.contains(.isOwnDevice) && channel.rule.allows(event) {
      part.batch.outbox.append(
        OutboxItem(
          account: account, channel: channel.id, alarm: nil, collapseKey: checkIn.alarm.description,
          payload: payload, createdAt: now, dueAt: now, expiresAt: checkIn.dueAt))
    }
  }

  /// Tells everybody who was told of a missed check-in that the person has answered. Those who were not told
  /// yet are not told any more.
  mutating func tellAnswered(_ alarm: AlarmRecord, _ payload: OutboxPayload) {
    tellOver(alarm, payload, people: .checkInOver)
  }

  /// Tells everybody who was told of an alarm that it is over: people by a message of their own, programs by
  /// `cleared`.
  mutating func tellOver(
    _ alarm: AlarmRecord, _ payload: OutboxPayload, people message: AlarmNotice.Message
  ) {
    part.batch.withdrawn.append(alarm.id)
    part.batch.outbox.removeAll { $0.alarm == alarm.id }
    for channel in facts.channels(of: account) where channel.isActive {
      part.add(
        payload.notice(channel.kind.traits.contains(.tellsClearing) ? alarm.cleared : message), alarm,
        channel,
        lifetime: .hours(24), isOnlyIfTold: true)
    }
  }
}

extension AlarmRecorder {
  /// Begins the alarm of a check-in whose time has passed.
  mutating func missed(_ checkIn: CheckIn, lastSeen: Fix?) {
    guard alarms[checkIn.alarm] == nil else { return }
    make(
      AlarmRecord(
        id: checkIn.alarm, account: account, device: device.id,
        subject: .missedCheckIn(note: checkIn.note, seenAt: lastSeen?.measuredAt), began: checkIn.dueAt,
        decidedAt: checkIn.dueAt, learnedAt: now, position: lastSeen?.position, lastRangAt: now))
  }
}

extension CheckIn {
  fileprivate func after(_ step: CheckInStep.Kind, at now: Instant) -> Self {
    Self(
      account: account, device: device, phone: phone, note: note, alarm: alarm, setAt: setAt, dueAt: dueAt,
      isSpan: isSpan, isReminded: true, missedAt: step == .missed ? now : nil)
  }
}
