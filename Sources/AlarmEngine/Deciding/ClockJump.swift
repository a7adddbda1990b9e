/// The host's clock was set: it no longer says what it would have said.
public struct ClockJump: Hashable, Sendable {
  /// By the clock as it is since.
  public let at: Instant
  /// Negative where the clock was set back.
  public let by: TimeSpan

  /// From one end of what clocks can say to the other.
  public static var allowed: ClosedRange<TimeSpan> {
    let longest = Instant.allowed.upperBound - Instant.allowed.lowerBound
    return (TimeSpan.zero - longest)...longest
  }

  /// - Precondition: `by` is in `allowed`.
  public init(at: Instant, by: TimeSpan) {
    precondition(Self.allowed.contains(by), "a clock is set within the years 0001 to 9999")
    self.at = at
    self.by = by
  }

  /// The same moment by the clock as it was before.
  var before: Instant { at - by }

  /// What the clock says since of a moment for which it said `time` before.
  func shifted(_ time: Instant) -> Instant { (time + by).clampedToAllowed }

  /// An end that a person chose by the clock, midnight say: the earlier of what the old and the new clock make of it, so
  /// that no silence becomes longer than it was meant to be.
  func soonest(_ end: Instant) -> Instant { min(end, shifted(end)) }

  func shifted(_ fix: Fix) -> Fix {
    Fix(
      position: fix.position, accuracy: fix.accuracy, measuredAt: shifted(fix.measuredAt),
      receivedAt: shifted(fix.receivedAt), speed: fix.speed, course: fix.course)
  }

  func shifted(_ evidence: Evidence) -> Evidence {
    var evidence = evidence
    evidence.decidedAt = shifted(evidence.decidedAt)
    evidence.measuredAt = shifted(evidence.measuredAt)
    guard var way = evidence.way else { return evidence }
    way.from = shifted(way.from)
    way.enteredAt = way.enteredAt.map { shifted($0) }
    way.leftAt = way.leftAt.map { shifted($0) }
    way.closestAt = shifted(way.closestAt)
    evidence.way = way
    return evidence
  }
}

extension Timeline {
  /// The host's clock was set by `jump`, and says `now` since: negative where it was set back.
  ///
  /// Nothing that is known is lost by it. What falls due by the old clock until then is done first. Then every time that
  /// the timeline remembers is moved by the jump: dwells, repeats, sleeps and what the last fixes say go on as if the
  /// clock had always been the new one. Alarms that ring keep their ids. Schedules go by the new clock at once, and an
  /// acknowledgement for today ends at the earlier of the two midnights. Inputs and events from before the jump are
  /// forgotten: their times cannot be compared with those that come. Inputs that follow are by the new clock.
  ///
  /// Tell it of each jump before the first input of the new clock. A host knows of one when its wall clock and its
  /// monotonic clock disagree; time that merely passed, while a computer slept too, is none.
  /// - Returns: what fell due by either clock. Nothing is retracted.
  @discardableResult
  public mutating func clockJumped(by jump: TimeSpan, at now: Instant) -> Change {
    let jump = ClockJump(at: now, by: jump)
    var change = advance(to: jump.before)
    guard jump.by != .zero else { return change }
    let next = inputs.last.map { $0.time + .milliseconds(1) } ?? keptFrom
    var state = present ?? head
    var log = Log()
    state.value.clockJumped(jump, &log)
    head = state
    present = nil
    checkpoints = [Checkpoint(inputs: 0, events: 0, state: state)]
    (inputs, events, settled) = ([], [], 0)
    keptFrom = next.map { jump.shifted($0) }
    self.now = now
    letTimePass()
    change.added += log.events + events
    return change
  }

  /// The jump (``clockJumped(by:at:)``) that a program which was not running finds at `now`, when it goes on: nil unless
  /// the clock says less than the timeline has seen. How long it was away is then not known, and taken for no time.
  public func jumpWhileAway(at now: Instant) -> TimeSpan? {
    guard let through, now < through - ClockComparison.grain else { return nil }
    return now - through
  }

  /// The last jump of the clock, as far as it is not forgotten.
  public var lastClockJump: ClockJump? { head.value.jump }

  /// How far time has passed: a clock that says less was set back.
  public var through: Instant? {
    [now, inputs.last.map { $0.time }, head.value.clock].compactMap { $0 }.max()
  }
}

extension DeviceAlarms {
  mutating func clockJumped(_ jump: ClockJump, _ log: inout Log) {
    self.jump = jump
    tracking = tracking.shifted(by: jump)
    for (zone, alarm) in alarms { alarms[zone] = alarm.shifted(by: jump) }
    if let deadline = signalWatch?.deadline { signalWatch?.deadline = jump.shifted(deadline) }
    // Before the first input nothing waits for a schedule.
    guard let clock else { return }
    self.clock = jump.shifted(clock)
    changeSchedules(at: jump.at, since: jump.before, &log)
  }

  /// What the last jump did to a zone's alarm, for its explanations.
  func recordOfJump(for zone: ZoneID) -> Explanation? {
    guard let jump, let position = zones.position(of: zone) else { return nil }
    return Explanation(
      zone: zone, decidedAt: jump.at, basis: .clockJumped(by: jump.by),
      before: alarms[position] ?? ZoneAlarm(), rules: rules(of: position), verdict: .clockJumped)
  }
}

extension Tracking {
  func shifted(by jump: ClockJump) -> Self {
    Self(
      anchor: anchor.map { jump.shifted($0) }, previous: previous.map { jump.shifted($0) },
      suspect: suspect.map { jump.shifted($0) }, allowedSpeed: allowedSpeed)
  }
}

extension ZoneAlarm {
  func shifted(by jump: ClockJump) -> Self {
    var alarm = self
    alarm.quietUntil = quietUntil.map { jump.soonest($0) }
    alarm.noticeShownAt = noticeShownAt.map { jump.shifted($0) }
    switch phase {
    case .idle: break
    case .confirming(var confirmation):
      confirmation.entered = jump.shifted(confirmation.entered)
      confirmation.deadline = confirmation.deadline.map { jump.shifted($0) }
      confirmation.best = jump.shifted(confirmation.best)
      alarm.phase = .confirming(confirmation)
    case .dwelling(let since, let last):
      alarm.phase = .dwelling(since: jump.shifted(since), last: jump.shifted(last))
    case .present(let departure): alarm.phase = .present(departure?.shifted(by: jump))
    case .ringing(var ringing):
      ringing.began = jump.shifted(ringing.began)
      ringing.departure = ringing.departure?.shifted(by: jump)
      switch ringing.sound {
      case .repeating(let next, let horizon):
        ringing.sound = .repeating(next: jump.shifted(next), horizon: jump.shifted(horizon))
      case .quiet(let until):
        let isForToday = until != nil && until == quietUntil
        ringing.sound = .quiet(until: until.map { isForToday ? jump.soonest($0) : jump.shifted($0) })
      }
      alarm.phase = .ringing(ringing)
    }
    return alarm
  }
}

extension ZoneAlarm.Departure {
  fileprivate func shifted(by jump: ClockJump) -> Self {
    Self(crossedAt: jump.shifted(crossedAt), clearSince: clearSince.map { jump.shifted($0) })
  }
}
