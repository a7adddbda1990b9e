import AlarmEngine
import Delivery
import Geometry
import Store

/// Turns changes of the engine into alarm records and notifications.
extension WatchedDecision {
  func recorder(_ alarms: [AlarmID: AlarmRecord]) -> AlarmRecorder {
    AlarmRecorder(
      device: device.record, account: account, alarms: alarms, now: now,
      lastFix: device.timeline.position?.measuredAt
    ) { [device] in
      device.zone($0, at: $1)?.name ?? .empty
    }
  }

  /// Adds the results of changes to the transaction: events, alarm records and deliveries.
  ///
  /// - Parameters:
  ///   - silenceEnds: the reason why alarms about silence end, if they do: the device reported, or was
  ///     switched off.
  ///   - passesTime: whether to handle due events that the engine does not have: silence, repeats of alarms
  ///     that are not about zones, escalation.
  ///   - agrees: whether the engine was rebuilt, so that the records have to be made to agree with it.
  ///   - fixes: the new positions, which may show that a phone has arrived.
  mutating func settle(
    _ changes: [Timeline.Change], silenceEnds: Clearing? = nil, passesTime: Bool = false,
    agrees: Bool = false, answer: (AlarmID, AlarmRecord.State, by: String)? = nil, fixes: [Fix] = []
  ) {
    defer { if agrees || device.unforgotten > WatchedDevice.keptAtMost { device.forgetPast() } }
    let isQuiet = changes.allSatisfy { $0.added.isEmpty && $0.retracted.isEmpty }
    let endsSilence = silenceEnds.map { why in device.open.values.contains { $0.endsWith(why) } } ?? false
    // A position may show that a phone has arrived after all.
    let isAwaited = !fixes.isEmpty && device.open.values.contains { $0.missing != nil }
    if isQuiet, !agrees, answer == nil, !passesTime, !endsSilence, !isAwaited { return }
    let alarms = alarms(mentionedIn: changes)
    var recorder = recorder(alarms)
    // Before the changes are applied, so that an alarm about a signal lost since then stays.
    if let silenceEnds { recorder.endSilence(at: now, silenceEnds) }
    // An event that one change retracts and a later one restores counts as unchanged.
    var change = changes.reduce(into: Timeline.Change()) { $0.follow(with: $1) }
    change.follow(with: answerAgain(change))
    recorder.take(change)
    part.batch.events += change.retracted.compactMap { stored($0, isRetracted: true) }
    part.batch.events += change.added.compactMap { stored($0, isRetracted: false) }
    if agrees || !change.retracted.isEmpty { recorder.agree(with: device.timeline) }
    if let (id, state, by) = answer { recorder.answer(id, state, by: by) }
    if isAwaited { judgeMissing(&recorder, by: fixes) }
    if passesTime { look(&recorder) }
    finish(recorder)
  }

  /// The open alarms, and the ended ones that the changes mention.
  private mutating func alarms(mentionedIn changes: [Timeline.Change]) -> [AlarmID: AlarmRecord] {
    var alarms = device.open
    let mentioned = changes.reduce(into: Set<AlarmID>()) {
      $0.formUnion(AlarmRecorder.mentioned(in: $1, on: id))
    }
    let written = part.alarms[id] ?? [:]
    let known = Set((device.open.merging(written) { $1 }).values.map(\.engineID))
    for alarm in written.values where mentioned.contains(alarm.engineID) { alarms[alarm.id] = alarm }
    // Most of the others are new and not in the store.
    for name in mentioned.subtracting(known).sorted() {
      for alarm in facts.alarms(named: name) where alarms[alarm.id] == nil {
        alarms[alarm.id] = written[alarm.id] ?? alarm
      }
    }
    return alarms
  }

  /// Applies the answers of alarms that a change renamed to the alarms' new ids.
  private mutating func answerAgain(_ change: Timeline.Change) -> Timeline.Change {
    let answers = AlarmRecorder.renamed(by: change).flatMap {
      device.timeline.answers(to: $0.former, addressedTo: $0.present)
    }
    guard !answers.isEmpty else { return Timeline.Change() }
    device.note(answers)
    return device.timeline.insert(answers)
  }

  /// The row for an event. Repeats have none: they are counted in the alarm's record, and there can be
  /// thousands a day.
  private func stored(_ event: Event, isRetracted: Bool) -> DeviceEvent? {
    switch event.kind {
    case .repeat, .proposal: nil
    case .alarm, .cleared, .missedSignal, .ignored, .notice, .perhaps:
      DeviceEvent(device: id, event: event, isRetracted: isRetracted)
    }
  }

  /// Handles due events that the engine does not have.
  private mutating func look(_ recorder: inout AlarmRecorder) {
    if let silent = device.silenceDue, silent <= now {
      if let alarm = facts.alarm(AlarmRecorder.silence(of: id, since: device.heardAt)) {
        recorder.know(alarm)
      }
      recorder.fallSilent(since: device.heardAt, until: silent)
    }
    judgeCheckIn(&recorder)
    judgeExpected(&recorder)
    for alarm in device.open.values.sorted(by: { $0.id < $1.id })
    where recorder.alarms[alarm.id]?.isOpen == true {
      if let due = device.ownRepeat(of: alarm), due <= now { recorder.repeatOwn(alarm.id) }
    }
    lookAtEscalations(&recorder)
  }

  mutating func finish(_ recorder: AlarmRecorder) {
    for alarm in recorder.changed.sorted() { finish(alarm, recorder) }
    for (zone, at) in recorder.notices { show(zone, since: at) }
    for (zone, event) in recorder.doubts { tellDoubt(about: zone, event) }
  }

  private mutating func finish(_ changed: AlarmID, _ recorder: AlarmRecorder) {
    guard var alarm = recorder.alarms[changed] else { return }
    let before = device.open[changed]
    let earlier = before.map { self.audience(of: $0) }
    if alarm.isOpen, earlier?.firstStep == nil, let first = self.audience(of: alarm).firstStep {
      alarm.escalationStep = max(alarm.escalationStep, first)
    }
    let isNew = recorder.made.contains(changed)
    if isNew { device.unsavedAlarms.insert(changed) }
    var message = Telling.message(of: alarm, told: before, isNew: isNew, event: recorder.asked[changed])
    // An alarm that began before the repeat horizon is not announced.
    let isOld = alarm.began < now - device.settings.repeatHorizon && !alarm.callsForHelp
    let wasHeldBack = alarm.isHeldBack
    if message != nil { alarm.isHeldBack = false }
    if message == .ring {
      if isOld { message = nil } else if !alarm.isLearntLate { alarm.isHeldBack = holdsBack(alarm) }
    } else if wasHeldBack, message == .repeat || alarm.escalationStep != before?.escalationStep {
      // It continues to ring, so all channels are notified, including those without repeats.
      message = .ring
      alarm.isHeldBack = false
    }
    part.alarms[id, default: [:]][changed] = alarm
    part.published.insert(account)
    device.open[changed] = alarm.isOpen ? alarm : nil
    device.noteAccuracy(of: alarm)
    let audience = self.audience(of: alarm)
    if alarm.state == .ringing {
      let isWider = audience.channels.count != earlier?.channels.count
      if before?.state != .ringing || before?.escalationStep != alarm.escalationStep || isWider {
        schedule(alarm)
      }
    } else {
      device.escalations[changed] = nil
    }
    if !(message == .ring && alarm.isHeldBack) {
      tell(alarm, message, audience, told: earlier?.reached(by: before?.escalationStep ?? .first))
    }
  }

  /// True if the zone has raised too many announced alarms, so that this one is not announced yet.
  private mutating func holdsBack(_ alarm: AlarmRecord) -> Bool {
    guard alarm.isOfZone, let zone = alarm.zone else { return false }
    let before = context.breaker.count(id, zone, at: now) + (part.rung[id] ?? []).count { $0 == zone }
    part.rung[id, default: []].append(zone)
    guard before >= AlarmBreaker.most else { return false }
    part.notes.append(.heldBack(id, zone, alarms: before + 1))
    return true
  }

  /// Puts the notifications of an alarm into the outbox.
  /// - Parameter told: the channels that the record before reached; nil if there was none.
  private mutating func tell(
    _ alarm: AlarmRecord, _ message: Telling.Message?, _ audience: Audience, told: [Channel]?
  ) {
    let reached = audience.reached(by: alarm.escalationStep)
    // Those of a further step, and those whose hours have begun.
    var joining: [Channel] = []
    if let told, alarm.state == .ringing || alarm.state == .closed {
      joining = reached.filter { channel in !told.contains { $0.id == channel.id } }
    }
    let payload = OutboxPayload(
      alarm, zone: device.zone(of: alarm), device: device.record, accuracy: device.accuracy(of: alarm))
    switch message {
    case .ring?:
      let notice = payload.notice(alarm.ring)
      let wait = alarm.isLearntLate && told == nil ? AlarmRecord.waitsWhenLate : .zero
      for channel in reached { part.add(notice, alarm, channel, lifetime: .hours(24), after: wait) }
      return
    case .repeat?:
      let notice = payload.notice(alarm.repeated)
      for channel in reached where channel.takesRepeats && !joining.contains(channel) {
        // With the same lifetime as the first notification, which it may replace in the outbox.
        part.add(notice, alarm, channel, lifetime: .hours(24))
      }
    case .withdrawn?:
      withdraw(alarm, reached, payload)
      return
    case .past?:
      for channel in reached where channel.kind.traits.contains(.tellsClearing) {
        part.add(payload.notice(alarm.cleared), alarm, channel, lifetime: .hours(24))
      }
      return
    case nil: break
    }
    let notice = payload.notice(alarm.ring)
    for channel in joining { part.add(notice, alarm, channel, lifetime: .hours(24)) }
  }

  /// Withdraws the notifications of an alarm.
  ///
  /// If the alarm was answered or retracted, pending deliveries are dropped (S194). If the phone merely left
  /// the zone, people who were not notified yet still are, unless the alarm was past when it was learnt.
  private mutating func withdraw(
    _ alarm: AlarmRecord, _ reached: [Channel], _ payload: OutboxPayload
  ) {
    var key = alarm.id.description
    if case .cleared = alarm.state, alarm.isMissedCheckIn { return tellAnswered(alarm, payload) }
    if alarm.clearing == .reported, alarm.missing != nil { return tellArrived(alarm, payload) }
    if case .cleared = alarm.state, !alarm.isLearntLate {
      key += "-cleared"
    } else {
      part.batch.withdrawn.append(alarm.id)
      part.batch.outbox.removeAll { $0.alarm == alarm.id }
    }
    let isCleared = if case .cleared = alarm.state { true } else { false }
    // A channel may have been told before its rule, the zone or the phones of the rule were changed.
    let former = facts.channels(of: account).filter { channel in
      channel.isActive && !channel.rule.isEverything && !reached.contains { $0.id == channel.id }
    }
    for channel in reached + former {
      part.add(
        channel.kind.traits.contains(.tellsClearing) && isCleared
          ? payload.notice(alarm.cleared) : payload.withdrawal, alarm,
        channel, lifetime: .hours(24), key: key, isOnlyIfTold: !reached.contains { $0.id == channel.id }
      )
    }
  }
}

extension IngestTransaction {
  /// - Parameters:
  ///   - key: a pending delivery to the channel with the same key is replaced. If nil, the key is the alarm's
  ///     id.
  ///   - wait: the time before it is delivered, unless it is withdrawn or replaced.
  ///   - isOnlyIfTold: whether it is left out if the channel was not told of the alarm.
  mutating func add(
    _ payload: [UInt8], _ alarm: AlarmRecord, _ channel: Channel, lifetime: TimeSpan, key: String? = nil,
    after wait: TimeSpan = .zero, isOnlyIfTold: Bool = false
  ) {
    batch.outbox.append(
      OutboxItem(
        account: alarm.account, channel: channel.id, alarm: alarm.id,
        collapseKey: key ?? alarm.id.description,
        payload: payload, createdAt: now, dueAt: now + wait, expiresAt: now + lifetime,
        isOnlyIfTold: isOnlyIfTold))
  }
}

extension WatchedDevice {
  /// The zone as it was at a time if the running transaction judges that time again, else as it is now.
  func zone(_ id: ZoneID, at time: Instant) -> Zone? {
    (past?.zones(at: time) ?? watched).zone(id) ?? watched.zone(id)
  }

  func zone(of alarm: AlarmRecord) -> Zone? {
    alarm.zone.flatMap { zone($0, at: alarm.decidedAt) }
  }

  /// The accuracy of the alarm's position. Nil if it is not known: no fix stated it, or the server was
  /// restarted since.
  func accuracy(of alarm: AlarmRecord) -> Distance? {
    accuracies[alarm.id].flatMap { $0.position == alarm.position ? $0.accuracy : nil }
  }

  /// Remembers the latest fix's accuracy if the alarm's position is that of the latest fix.
  mutating func noteAccuracy(of alarm: AlarmRecord) {
    guard alarm.isOpen else {
      accuracies[alarm.id] = nil
      return
    }
    guard let fix = timeline.position, fix.position == alarm.position,
      case .radius(let radius) = fix.accuracy
    else { return }
    accuracies[alarm.id] = (fix.position, radius)
  }
}

extension AlarmRecord {
  /// True if the alarm was learnt so late that more positions of that time may be on their way, for example
  /// when a phone sends a queue one by one. They will show how it ended.
  var isLearntLate: Bool { isOfZone && learnedAt - decidedAt > .minutes(2) }
  /// The delay before an alarm that was learnt late is announced, if it then still rings.
  static let waitsWhenLate = TimeSpan.seconds(10)
}
