/// A jump of the host's clock, which was set to another time.
public struct ClockJump: Hashable, Sendable {
  /// The time of the jump, by the new clock.
  public let at: Instant
  /// How far the clock was set; negative if it was set back.
  public let by: TimeSpan

  /// The jumps that are possible: from one end of the allowed times to the other.
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

  /// The time of the jump, by the old clock.
  var before: Instant { at - by }

  /// The new time of a moment that was `time` by the old clock.
  func shifted(_ time: Instant) -> Instant { (time + by).clampedToAllowed }

  /// The new time of an end that a person chose by the clock, such as midnight. The earlier of the two
  /// clocks' readings is taken, so that no silence becomes longer than it was meant to be.
  func soonest(_ end: Instant) -> Instant { min(end, shifted(end)) }

  func shifted(_ fix: Fix) -> Fix {
    Fix(
      position: fix.position, accuracy: fix.accuracy, measuredAt: shifted(fix.measuredAt),
      receivedAt: shifted(fix.receivedAt), speed: fix.speed, course: fix.course,
      altitude: fix.altitude)
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
  /// Tells the timeline that the host's clock was set by `jump`, which is negative if it was set back, and
  /// now shows `now`.
  ///
  /// First, all timers that are due by the old clock run. Then every time that the timeline remembers
  /// is moved by the jump, so dwells, repeats, sleeps and the last positions continue as if the clock had
  /// always been the new one. Alarms that ring keep their ids. Schedules go by the new clock at once, and an
  /// acknowledgement for today ends at the earlier of the two midnights. Inputs and events from before the
  /// jump are forgotten: their times cannot be compared with later ones. Inputs that follow are by the new
  /// clock.
  ///
  /// Call it for each jump, before the first input with a time of the new clock. A host detects a jump when
  /// its wall clock and its monotonic clock disagree. Time that merely passed is no jump, even if the
  /// computer slept.
  /// - Returns: the events that fell due by either clock. Nothing is retracted.
  @discardableResult
  public mutating func clockJumped(by jump: TimeSpan, at now: Instant) -> Change {
    let jump = ClockJump(at: now, by: jump)
    var change = advance(to: jump.before)
    guard jump.by != .zero else { return change }
    let next = inputs.last.map { $0.time + .milliseconds(1) } ?? keptFrom
    var state = present ?? head
    var log = DecisionLog()
    state.value.clockJumped(jump, &log)
    head = state
    present = nil
    (base, checkpoints) = (state, [])
    (inputs, events, settled) = ([], [], 0)
    keptFrom = next.map { jump.shifted($0) }
    self.now = now
    letTimePass()
    change.added += log.events + events
    return change
  }

  /// The jump (``clockJumped(by:at:)``) that happened while the program was not running; nil unless the clock
  /// shows over a second less than the timeline has reached. The time that the program was away is not known
  /// then; no time is assumed to have passed.
  public func jumpWhileAway(at now: Instant) -> TimeSpan? {
    guard let through, now < through - ClockComparison.grain else { return nil }
    return now - through
  }

  /// The last jump of the clock that has not been forgotten.
  public var lastClockJump: ClockJump? { head.value.jump }

  /// The latest time that the timeline has reached. A clock that shows less was set back.
  public var through: Instant? {
    [now, inputs.last.map { $0.time }, head.value.clock].compactMap { $0 }.max()
  }
}

extension DeviceAlarms {
  mutating func clockJumped(_ jump: ClockJump, _ log: inout DecisionLog) {
    self.jump = jump
    tracking = tracking.shifted(by: jump)
    for zone in alarms.slots { alarms[zone] = alarms[zone]?.shifted(by: jump) }
    if let deadline = signalWatch?.deadline { signalWatch?.deadline = jump.shifted(deadline) }
    // Before the first input no schedule has to be followed.
    guard let clock else { return }
    self.clock = jump.shifted(clock)
    changeSchedules(at: jump.at, since: jump.before, &log)
  }

  /// The record of the last jump's effect on a zone's alarm, for explanations.
  func recordOfJump(for zone: ZoneID) -> Explanation? {
    guard let jump, let slot = zones.slot(of: zone) else { return nil }
    return Explanation(
      zone: zone, decidedAt: jump.at, basis: .clockJumped(by: jump.by),
      before: alarms[slot] ?? ZoneAlarm(), rules: rules(of: slot), verdict: .clockJumped)
  }
}

extension Tracking {
  func shifted(by jump: ClockJump) -> Self {
    var tracking = Self(
      anchor: anchor.map { jump.shifted($0) }, previous: previous.map { jump.shifted($0) },
      suspect: suspect.map { jump.shifted($0) }, allowedSpeed: allowedSpeed,
      sensors: sensors.shifted(by: jump), movement: movement.shifted(by: jump))
    tracking.course = course
    for place in course.points.indices {
      tracking.course.points[place].at = jump.shifted(course.points[place].at)
    }
    return tracking
  }
}

extension ZoneAlarm {
  func shifted(by jump: ClockJump) -> Self {
    var alarm = self
    alarm.memory.quietUntil = memory.quietUntil.map { jump.soonest($0) }
    alarm.memory.noticeShownAt = memory.noticeShownAt.map { jump.shifted($0) }
    alarm.memory.perhapsSince = memory.perhapsSince.map { jump.shifted($0) }
    alarm.memory.unlikelySince = memory.unlikelySince.map { jump.shifted($0) }
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
        let isForToday = until != nil && until == memory.quietUntil
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
