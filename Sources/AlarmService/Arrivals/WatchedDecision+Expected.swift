import AlarmEngine
import Delivery
import Store

/// Expected arrivals: rings when a phone has not arrived at a zone by its time, and ends when it has.
///
/// They are loaded with the phone. Each edit has the phone loaded again and makes it due, and the alarm is written
/// with the next due time in one transaction, which another process's change undoes (see `IngestBatch.versions`). So
/// at most one alarm rings for each due time, also if no process ran at that time.
extension WatchedDecision {
  /// Judges the expected arrivals whose time has passed.
  mutating func judgeExpected(_ recorder: inout AlarmRecorder) {
    endUnexpected(&recorder)
    judgeMissing(&recorder, by: [device.timeline.position].compactMap { $0 })
    for (place, expected) in device.expected.enumerated() where expected.isEnabled {
      guard let (judged, next) = ArrivalTimes.due(of: expected, at: now) else { continue }
      if let due = judged, arrival(expected, due: due) == nil {
        let id = AlarmID(device: id, zone: ZoneID(rawValue: expected.id.rawValue), began: due)
        // A clock that is set back comes to the same time again.
        let known = recorder.alarms[id] ?? facts.alarm(id)
        let last = facts.lastPlace(of: account, phone: self.id)
        if known == nil { recorder.missing(expected, id, at: due, zone: name(of: expected), lastSeen: last) }
      }
      guard facts.isComplete else { return }
      part.batch.expectedArrivals.append(ExpectedArrivalStep(expected, next: next))
      part.batch.changes.append(
        NewChange(account: account, kind: .expectedArrival, id: expected.id.rawValue))
      device.expected[place] = expected.due(at: next)
      part.published.insert(account)
      part.stored.insert(id)
    }
  }

  /// Ends the alarms of phones that have arrived after all.
  /// - Parameter fixes: the positions that may show it.
  mutating func judgeMissing(_ recorder: inout AlarmRecorder, by fixes: [Fix]) {
    for alarm in recorder.alarms.values.sorted(by: { $0.id < $1.id }) where alarm.isOpen {
      guard let missing = alarm.missing,
        let expected = device.expected.first(where: { $0.id == missing.expected }),
        let proof = proof(expected, due: alarm.began)
      else { continue }
      guard proof.mayArrive(by: fixes), let fix = arrival(expected, due: alarm.began) else { continue }
      recorder.arrived(alarm.id, at: max(fix.measuredAt, alarm.began))
    }
  }

  /// Ends the alarms whose expected arrival is gone, is switched off or is about another zone now.
  private func endUnexpected(_ recorder: inout AlarmRecorder) {
    func isOver(_ alarm: AlarmRecord) -> Bool {
      guard let missing = alarm.missing else { return false }
      return !device.expected.contains {
        $0.id == missing.expected && $0.zone == missing.zone && $0.isEnabled
      }
    }
    recorder.end(.zoneRemoved) { isOver($0) && $0.zone.map { device.watched.zone($0) == nil } ?? false }
    recorder.end(.zoneEdited, where: isOver)
  }

  private func zone(of expected: ExpectedArrival) -> Zone? { device.watched.zone(expected.zone) }

  private func name(of expected: ExpectedArrival) -> Text { zone(of: expected)?.name ?? .empty }

  /// Nil if the zone has no area, so that nothing can show the arrival.
  private func proof(_ expected: ExpectedArrival, due: Instant) -> ArrivalProof? {
    zone(of: expected).map { ArrivalProof(expected, due: due, at: $0, device.settings) }
  }

  /// The position that shows that the phone has arrived, by its stored positions and those of this transaction.
  private mutating func arrival(_ expected: ExpectedArrival, due: Instant) -> Fix? {
    guard let proof = proof(expected, due: due) else { return nil }
    let stored = storedInputs(in: proof.from...Instant.allowed.upperBound)
    let fixes = Set((stored + device.unsaved).compactMap { if case .fix(let fix) = $0 { fix } else { nil } })
    return facts.isComplete ? proof.arrival(Array(fixes)) : nil
  }

  /// Tells everybody who was told of a missing phone that it has arrived. Those who were not told yet are not told
  /// any more.
  mutating func tellArrived(_ alarm: AlarmRecord, _ payload: OutboxPayload) {
    guard let missing = alarm.missing else { return }
    var clock = ""
    if let time = alarm.clearedAt, time > alarm.began,
      let expected = device.expected.first(where: { $0.id == missing.expected })
    {
      clock = ArrivalTimes.clock(at: time, in: expected.time.timeZone)
    }
    tellOver(alarm, payload, people: .arrived(missing.place, at: clock))
  }
}

extension AlarmRecorder {
  /// Begins the alarm of a phone that has not arrived, in place of an open one of an earlier day.
  fileprivate mutating func missing(
    _ expected: ExpectedArrival, _ id: AlarmID, at due: Instant, zone: Text, lastSeen: Fix?
  ) {
    end(.scheduleClosed) { $0.missing?.expected == expected.id }
    make(
      AlarmRecord(
        id: id, account: account, device: device.id,
        subject: .notArrived(
          .init(
            expected: expected.id, zone: expected.zone, name: zone, minute: expected.time.minute,
            seenAt: lastSeen?.measuredAt)),
        began: due, decidedAt: due, learnedAt: now, position: lastSeen?.position, lastRangAt: now))
  }

  fileprivate mutating func arrived(_ id: AlarmID, at time: Instant) {
    edit(id, .withdrawn) { $0.state = .cleared(.reported, at: time) }
  }
}
