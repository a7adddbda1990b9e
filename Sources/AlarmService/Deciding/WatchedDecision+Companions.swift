import AlarmEngine
import Geometry
import Store

/// Judges the companion alarms of a device: its distance from the devices of others.
///
/// The positions of both devices come from the store, so the same positions give the same alarms, whichever
/// device reported, whichever process took the report, and in whichever order. A report makes the watcher's
/// device due in the transaction that stores its positions; this is the transaction that follows. A target's
/// report that is stored meanwhile makes the device due once more, with another mark.
extension WatchedDecision {
  /// How far a phone's clock may be ahead of ours.
  private static let ahead = TimeSpan.hours(24)

  mutating func judgeCompanions() {
    let isOpen = device.open.values.contains { $0.companion != nil }
    guard device.hasCompanions || isOpen else {
      device.companionsDue = nil
      return
    }
    let sights = device.hasCompanions ? facts.companions(of: id) : []
    guard facts.isComplete else { return }
    var due: Instant?
    var recorder = recorder(device.open)
    for sight in sights { judge(sight, &recorder, &due) }
    guard facts.isComplete else { return }
    recorder.forgetCompanions(but: Set(sights.map(\.companion.id)))
    device.companionsDue = due
    finish(recorder)
  }

  private mutating func judge(_ sight: CompanionSight, _ recorder: inout AlarmRecorder, _ due: inout Instant?)
  {
    func consider(_ time: Instant?) {
      if let time { due = due.map { min($0, time) } ?? time }
    }
    let companion = sight.companion
    if let end = end(of: sight) {
      recorder.endCompanion(companion)
      part.batch.companions.append(
        CompanionUpdate(id: companion.id, begins: companion.begins, snapshot: nil, end: end))
      return
    }
    consider(sight.allowedUntil)
    guard device.record.isArmed else {
      // Its alarms ended when the device was disarmed.
      guard companion.begins != nil else { return }
      part.batch.companions.append(CompanionUpdate(id: companion.id, begins: nil, snapshot: nil))
      return
    }
    guard let owner = sight.owner, let target = companion.target else { return }
    let others = DeviceSettings.settings([facts.settings(of: owner), sight.targetSettings])
    var alarm = alarm(of: companion, others)
    let span = alarm.wantsFrom...max(now, alarm.wantsFrom) + Self.ahead
    let own = facts.inputs(of: id, account, in: span).fixes
    let theirs = facts.inputs(of: target, owner, in: span).fixes
    guard facts.isComplete else { return }
    // If there are more positions than one read returns, time passes only up to the last one read.
    var through = now
    for fixes in [own, theirs] where fixes.count >= Self.inputsAtMost {
      if let last = fixes.last { through = min(through, last.fix.measuredAt) }
    }
    if through < now { consider(now) }
    let change = alarm.judge(watcher: own.map(\.fix), target: theirs.map(\.fix), through: through)
    know(AlarmRecorder.companionAlarms(in: change), &recorder)
    recorder.take(change, of: companion)
    recorder.agree(companion.id, rings: alarm.ringing, .left)
    tellLoss(alarm, companion, &recorder)
    guard facts.isComplete else { return }
    consider(alarm.nextDue)
    let snapshot = alarm.snapshot()
    if snapshot != companion.snapshot {
      part.batch.companions.append(
        CompanionUpdate(id: companion.id, begins: companion.begins ?? now, snapshot: snapshot))
    }
  }

  /// Returns the reason why the companion alarm has ended; nil if it has not.
  private func end(of sight: CompanionSight) -> Companion.End? {
    if let end = sight.companion.end { return end }
    if sight.companion.target == nil { return .deviceGone }
    return sight.isAllowed ? nil : .notShared
  }

  private func alarm(of companion: Companion, _ others: Settings) -> CompanionAlarm {
    let restored = companion.snapshot.flatMap { bytes in
      try? CompanionAlarm(snapshot: bytes, companion.rules, watcher: device.settings, target: others)
    }
    if let restored { return restored }
    // If the snapshot cannot be read, the alarm begins anew.
    let begins = companion.snapshot == nil ? companion.begins ?? now : now
    return CompanionAlarm(companion.rules, begins: begins, watcher: device.settings, target: others)
  }

  /// Adds ended alarms that a change mentions.
  private mutating func know(_ alarms: [AlarmID], _ recorder: inout AlarmRecorder) {
    for alarm in Set(alarms).sorted() where recorder.alarms[alarm] == nil {
      if let stored = part.alarms[id]?[alarm] ?? facts.alarm(alarm) { recorder.know(stored) }
    }
  }

  private mutating func tellLoss(
    _ alarm: CompanionAlarm, _ companion: Companion, _ recorder: inout AlarmRecorder
  ) {
    guard let lost = alarm.unknown else { return recorder.find(companion.id, but: nil, .reported) }
    let lostID = recorder.lostID(companion, since: lost.since)
    recorder.find(companion.id, but: lostID, .reported)
    know([lostID], &recorder)
    recorder.lose(
      companion, since: lost.since, at: max(lost.since, companion.createdAt) + companion.rules.horizon)
  }
}

/// The reporting interval that companion alarms need.
extension WatchedDecision {
  /// Returns how far the device can go before a companion alarm needs its position; nil if none does.
  ///
  /// Both devices may approach each other, so each gets the share of the distance between them that its speed
  /// gives it.
  mutating func companionRoom() -> Distance? {
    guard let own = device.timeline.position else { return nil }
    var room: Distance?
    for neighbour in facts.companionNeighbours(of: id) {
      let others = DeviceSettings.settings([facts.settings(of: neighbour.owner), neighbour.settings])
      guard facts.isComplete else { return nil }
      // If the other's position is not known, there is nothing to approach until it reports.
      guard let other = neighbour.lastFix else { continue }
      let quiet = CompanionPacing.quietTime(
        neighbour.rules.distance, neighbour.rules.assurance, between: own, device.settings, other, others,
        at: now)
      let far = device.settings.maximumSpeed * quiet
      room = room.map { min($0, far) } ?? far
    }
    return room
  }
}
