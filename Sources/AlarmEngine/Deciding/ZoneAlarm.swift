import Geometry

/// The alarm of one zone on one device.
///
///     idle --coarse or single fix--> confirming --better fix, agreement, timeout or moved on--> ringing
///      |                              \--timeout, not likely enough--> idle, told without sound ("perhaps")
///      |  \--inside--> dwelling --long enough--> ringing          (dwell zones)
///      |   \--inside--> present --outside--> ringing              (leave zones)
///      |      present --outside--> dwelling --long enough--> ringing  (leave zones with a time outside)
///      \--inside or passed through--> ringing --outside, twice--> idle
///                                     ringing --outside--> present --> ringing  (zones that ring both ways)
///
/// Sleep and acknowledgement change only the sound of a ringing alarm. The alarm itself lasts until it is
/// cleared.
public struct ZoneAlarm: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    case idle
    // Evidence is large, and most alarms hold none.
    indirect case confirming(Confirmation)
    /// Inside since this (interpolated) time, or outside a leave zone since leaving was decided; `last` is
    /// the last fix there.
    indirect case dwelling(since: Instant, last: Evidence)
    /// Inside a zone that rings on leaving; with a departure if the phone may be leaving.
    case present(Departure?)
    case ringing(Ringing)
  }

  var phase = Phase.idle
  var memory = AlarmMemory()

  /// The effect that a decision has outside of this state.
  enum Effect: Hashable, Sendable {
    case none
    case ring(at: Instant)
    case ringAnew
    case clear(at: Instant, Clearing)
    indirect case perhaps(Evidence)
  }

  /// Judges the evidence of a fix, and logs the result.
  ///
  /// - Parameter notice: the notice that the zone shows on entry.
  /// - Returns: whether the alarm began to ring.
  mutating func take(
    _ evidence: Evidence, _ rules: ZoneRules, notice: @autoclosure () -> Notice?, learnedAt: Instant,
    _ log: inout DecisionLog
  ) -> Bool {
    let before = self
    let (verdict, effect) = see(evidence, of: rules)
    log.explain(rules.zone) {
      Explanation(
        zone: rules.zone, decidedAt: evidence.decidedAt, basis: .fix(evidence), before: before, rules: rules,
        verdict: verdict)
    }
    let rang = tell(
      effect, of: rules.zone, notice: notice(), before: before, at: evidence.decidedAt, learnedAt: learnedAt,
      seen: evidence, &log)
    guard case .clear = effect else { return rang }
    switch phase {
    // This fix ended the previous visit and begins another.
    case .idle where evidence.isWithin(evidence.level) || before.hasLeft: break
    // This fix ended the alarm of the entry, and is outside of a zone that rings on leaving too.
    case .present where !evidence.isWithin(evidence.level): break
    default: return rang
    }
    return take(evidence, rules, notice: notice(), learnedAt: learnedAt, &log)
  }

  /// Repeats the alarm or ends a wait. To be called when ``nextDue(of:)`` has come.
  ///
  /// - Returns: whether the alarm began to ring.
  mutating func wake(
    at now: Instant, _ rules: ZoneRules, notice: @autoclosure () -> Notice?, learnedAt: Instant,
    _ log: inout DecisionLog
  ) -> Bool {
    if case .ringing(var ringing) = phase,
      ringing.failsAt(rules.leadTime, rules.alertDistance).map({ now < $0 }) ?? true
    {
      log.add(.repeat(ringing.report(of: rules.zone)), time: now, decidedAt: now, learnedAt: learnedAt)
      ringing.repeated(cycle: rules.cycleTime)
      phase = .ringing(ringing)
      return false
    }
    let before = self
    guard let (verdict, effect) = timeIsUp(at: now, of: rules) else { return false }
    log.explain(rules.zone) {
      Explanation(
        zone: rules.zone, decidedAt: now, basis: .time, before: before, rules: rules, verdict: verdict)
    }
    return tell(
      effect, of: rules.zone, notice: notice(), before: before, at: now, learnedAt: learnedAt, &log)
  }

  /// Ends the alarm, whatever its phase.
  mutating func end(
    _ why: Clearing, of zone: ZoneID, at now: Instant, learnedAt: Instant, _ log: inout DecisionLog
  ) {
    let before = self
    phase = .idle
    memory.forgetDoubts()
    guard case .ringing = before.phase else { return }
    _ = tell(
      .clear(at: now, why), of: zone, notice: nil, before: before, at: now, learnedAt: learnedAt, &log)
  }

  /// Decides by the evidence of a fix.
  mutating func see(_ evidence: Evidence, of rules: ZoneRules) -> (verdict: Verdict, effect: Effect) {
    if evidence.isSuspect { return doubt(evidence, rules) }
    if memory.hasDoubts, evidence.isExcluded(rules.assurance) { memory.forgetDoubts() }
    switch phase {
    case .ringing(let ringing): return keepRinging(ringing, evidence, rules)
    case .present(let departure): return watchLeaving(departure, evidence, rules)
    case .dwelling(let since, _) where rules.trigger.ringsOnLeaving:
      return stayAway(since: since, evidence, rules)
    case .idle, .confirming, .dwelling: return arrive(evidence, rules)
    }
  }

  /// Decides by a quarantined fix, which is as likely wrong as right, for an entry zone at rest.
  private mutating func doubt(_ e: Evidence, _ rules: ZoneRules) -> (verdict: Verdict, effect: Effect) {
    var e = e
    e.likelihood = .init(inside: e.probabilityInside / 2, deviation: e.likelihood?.deviation ?? .zero)
    guard e.probabilityInside >= Rule.quiet(rules.assurance) else { return (.unlikely, .none) }
    if memory.isPerhaps(at: e.decidedAt) { return (.perhaps, .none) }
    memory.perhapsSince = e.decidedAt
    return (.perhaps, memory.isQuiet(at: e.decidedAt) ? .none : .perhaps(e))
  }

  /// Decides at the end of a confirmation, without a better fix, of a safety zone's dwell, or of a leave
  /// zone's time outside.
  mutating func timeIsUp(at now: Instant, of rules: ZoneRules) -> (verdict: Verdict, effect: Effect)? {
    switch phase {
    case .confirming(let confirmation):
      guard let deadline = confirmation.deadline, deadline <= now else { return nil }
      phase = .idle
      let best = confirmation.best
      let probability = best.probabilityInside
      switch rules.trigger {
      case .enter, .enterAndLeave:
        if probability >= best.loud(rules.assurance) {
          return announced(.stillPossible, start(best, at: confirmation.entered, .possible, rules, now: now))
        }
        guard probability >= Rule.quiet(rules.assurance) else { return unlikely(at: now) }
        memory.perhapsSince = now
        return (.perhaps, memory.isQuiet(at: now) ? .none : .perhaps(best))
      case .leave:
        guard probability >= Rule.likely else { return unlikely(at: now) }
        phase = .present(nil)
        return (.waitsForLeaving, .none)
      case .dwell:
        guard probability >= Rule.likely else { return unlikely(at: now) }
        phase = .dwelling(since: confirmation.entered, last: best)
        return (.dwelling, .none)
      }
    case .dwelling(let since, let last):
      guard let time = rules.trigger.timeByClock(rules.assurance), since + time <= now else { return nil }
      let isLeft = rules.trigger.ringsOnLeaving
      return announced(
        isLeft ? .stayedOutside : .dwelledLongEnough,
        start(last, at: since + time, isLeft ? .left : .dwell, rules, now: now))
    case .ringing(let ringing):
      guard let failsAt = ringing.failsAt(rules.leadTime, rules.alertDistance), failsAt <= now else {
        return nil
      }
      phase = .idle
      return (.cleared, .clear(at: now, .left))
    case .idle, .present: return nil
    }
  }
}

// MARK: Arrival

extension ZoneAlarm {
  private mutating func arrive(_ e: Evidence, _ rules: ZoneRules) -> (verdict: Verdict, effect: Effect) {
    let verdict = judge(e, rules)
    var entered = e.way?.enteredAt ?? e.measuredAt
    // After a long gap nothing shows when the phone came, and a stay may just have begun.
    if case .dwell = rules.trigger, let way = e.way, e.measuredAt - way.from > Rule.passingGap {
      entered = e.measuredAt
    }
    if verdict.rings {
      return settle(verdict, e, enteredAt: confirmedEntry ?? entered, rules)
    }
    switch verdict {
    case .waitsForBetterFix:
      if case .dwelling = phase { return stay(verdict, e, enteredAt: entered, rules) }
      if isDoubtedInVain(e, rules) { return (.unlikely, .none) }
      let isLoud = e.probabilityInside >= e.loud(rules.assurance)
      if rules.trigger.ringsOnEntry {
        if !isLoud, memory.isPerhaps(at: e.decidedAt) {
          // A person has been told already.
          return (.perhaps, .none)
        }
        if isLoud, case .confirming(let before) = phase, before.deadline != nil,
          before.best.probabilityInside >= before.best.loud(rules.assurance)
        {
          return announced(
            .stillPossible, start(e, at: before.entered, .possible, rules, now: e.decidedAt))
        }
      }
      let wait = isLoud ? Rule.loudConfirmation : Rule.confirmation
      askForBetter(e, entered: entered, deadline: e.decidedAt + wait)
      return (verdict, .none)
    case .waitsForSecondFix:
      if case .dwelling = phase { return stay(verdict, e, enteredAt: entered, rules) }
      askForBetter(e, entered: entered, deadline: nil)
      return (verdict, .none)
    default:
      return keepAway(verdict, e, rules)
    }
  }

  /// Handles an unsure fix during a dwell: it completes the dwell if that is long enough and the probability
  /// of being inside is 50 % or more.
  private mutating func stay(
    _ verdict: Verdict, _ e: Evidence, enteredAt entered: Instant, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    guard e.probabilityInside >= Rule.likely else { return (.dwelling, .none) }
    return settle(verdict, e, enteredAt: entered, rules)
  }

  /// Applies the trigger, once the position counts as at the zone.
  private mutating func settle(
    _ verdict: Verdict, _ e: Evidence, enteredAt entered: Instant, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    switch rules.trigger {
    case .enter, .enterAndLeave:
      return announced(verdict, start(e, at: entered, Self.cause(of: e), rules))
    case .leave:
      // A phone that merely may be inside is on its way there: the next position beside the zone is no leaving.
      guard verdict != .insideNotExcluded || e.probabilityInside >= Rule.likely else {
        phase = .idle
        return (.beside, .none)
      }
      phase = .present(nil)
      return (.waitsForLeaving, .none)
    case .dwell(let length):
      var since = entered
      if case .dwelling(let earlier, _) = phase { since = earlier }
      guard e.measuredAt - since >= length else {
        phase = .dwelling(since: since, last: e)
        return (.dwelling, .none)
      }
      return announced(.dwelledLongEnough, start(e, at: since + length, .dwell, rules))
    }
  }

  /// Replaces the verdict if an acknowledgement for today keeps the ring silent.
  func announced(_ verdict: Verdict, _ effect: Effect) -> (verdict: Verdict, effect: Effect) {
    (effect == .none ? .acknowledged : verdict, effect)
  }

  /// Handles a fix that is not at the zone. The path to it may have led through the zone.
  private mutating func keepAway(
    _ verdict: Verdict, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    if case .dwelling = phase {
      // An unsure fix neither starts nor breaks a dwell.
      guard e.sighting == .outside else { return (.dwelling, .none) }
      phase = .idle
      return (verdict, .none)
    }
    var doubt: Confirmation?
    if case .confirming(let confirmation) = phase {
      phase = .idle
      // A relaxed zone needs certainty: if the phone goes away, it stays silent.
      doubt = confirmation.deadline == nil ? nil : confirmation
    }
    guard rules.trigger.passingCounts else { return (verdict, .none) }
    if e.sighting == .outside, let doubt, isLikely(doubt.best, rules) {
      let effect = start(doubt.best, at: doubt.entered, .possible, rules, now: e.decidedAt)
      goAway(since: e.way?.leftAt ?? e.measuredAt, e, rules)
      return announced(.stillPossible, effect)
    }
    guard let way = e.way, let entered = way.enteredAt, let passage = passage(e, rules) else {
      return (verdict, .none)
    }
    guard passage == .passedThrough else { return (passage, .none) }
    var there = e
    there.distance = way.closest
    there.position = way.closestPosition
    let effect = start(there, at: entered, .passed, rules)
    goAway(since: way.leftAt ?? e.measuredAt, e, rules)
    return announced(.passedThrough, effect)
  }

  /// The verdict on the path to a fix that is not at the zone; nil if the path does not lead through the zone.
  func passage(_ e: Evidence, _ rules: ZoneRules) -> Verdict? {
    // A path that starts inside the zone does not pass through it. The zone was off duty until now.
    guard let way = e.way, way.closest <= e.level, way.enteredAt != nil else { return nil }
    if e.measuredAt - way.from > Rule.passingGap { return .gapTooLong }
    let mayHavePassed =
      rules.assurance == .safety && e.mayBeComing
      && way.fromError <= SensorMemory.wifiAtMost * Rule.errorFactor(.safety)
    return mayHavePassed || way.closestBeside <= e.level ? .passedThrough : .grazedOnTheWay
  }

  /// True if a coarse fix at the zone is likely enough to ring when the next one is beyond it.
  private func isLikely(_ e: Evidence, _ rules: ZoneRules) -> Bool {
    let isResting = rules.assurance == .safety && !e.mayBeComing
    return e.probabilityInside >= (isResting ? Rule.surely : Rule.likely)
  }

  /// Begins the departure of an alarm that started when the phone had left the zone already.
  private mutating func goAway(since crossedAt: Instant, _ e: Evidence, _ rules: ZoneRules) {
    guard case .ringing(var ringing) = phase else { return }
    ringing.departure = Departure(crossedAt: crossedAt, clearSince: nil)
    phase = .ringing(ringing)
    noteClear(e, rules)
  }

  /// Decides by the zone's assurance whether the phone is at the zone.
  func judge(_ e: Evidence, _ rules: ZoneRules) -> Verdict {
    if e.isOverOrUnder { return .overOrUnder }
    if e.sighting == .outside { return .outside }
    let positionInside = e.distance <= e.level
    let isFine = e.isFine(rules.assurance)
    switch rules.assurance {
    case .safety:
      if e.sighting == .inside { return .positionInside }
      if positionInside, isFine { return .positionInside }
      if e.isInside(.safety) { return .probablyInside }
      if e.mayBeComing, isFine || e.probabilityInside >= Rule.loud(.safety) { return .insideNotExcluded }
      // No better position can be had, and the phone does not come nearer.
      if isFine, !e.isMoving { return .beside }
    case .normal:
      if isFine { return positionInside ? .positionInside : .beside }
      if e.probabilityInside >= Rule.surely { return .probablyInside }
    case .relaxed:
      if e.sighting == .inside { return .certainlyInside }
      if isFine ? positionInside : e.probabilityInside >= Rule.loud(.relaxed) {
        if case .confirming(let before) = phase, before.deadline == nil { return .twoFixesAgree }
        return .waitsForSecondFix
      }
      if isFine { return .beside }
    }
    return e.isExcluded(rules.assurance) ? .beside : .waitsForBetterFix
  }

  static func cause(of e: Evidence) -> Cause {
    if e.distance <= .zero { return .inside }
    return e.distance <= e.level ? .near : .possible
  }

  /// Begins an alarm, unless it is acknowledged for today.
  mutating func start(
    _ e: Evidence, at time: Instant, _ cause: Cause, _ rules: ZoneRules, now: Instant? = nil
  ) -> Effect {
    let now = now ?? e.decidedAt
    if memory.isQuiet(at: now) {
      phase = .idle
      return .none
    }
    memory.quietUntil = nil
    memory.forgetDoubts()
    let alarm = AlarmID(device: rules.device, zone: rules.zone, began: time)
    phase = .ringing(
      Ringing(
        alarm: alarm, cause: cause, began: time, clearLevel: max(rules.alertDistance, e.level),
        sound: rules.sound(from: now), departure: nil, distance: e.distance,
        position: e.position))
    return .ring(at: time)
  }
}

// MARK: Ringing and departure

extension ZoneAlarm {
  private mutating func keepRinging(
    _ ringing: Ringing, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    var ringing = ringing
    ringing.distance = e.distance
    ringing.position = e.position
    if ringing.isPrediction(rules.leadTime, rules.alertDistance) { ringing.follow(e, rules) }
    phase = .ringing(ringing)
    if ringing.cause == .left { return awaitReturn(ringing, e, rules) }
    if ringing.cause == .possible, !rules.isToldOnce, e.isInside(rules.assurance) {
      return ringAsCertain(ringing, e, rules)
    }
    // An alarm of cause `possible` ends with the first fix that refutes it, so that it does not hide a later
    // entry.
    if ringing.cause == .possible, isRefuted(ringing, by: e, rules) {
      // A person was told that the phone is likely there, and is told that it has left.
      phase = rules.trigger.ringsBothWays && rules.assurance != .safety ? .present(nil) : .idle
      return (.cleared, .clear(at: max(e.way?.leftAt ?? e.measuredAt, ringing.began), .left))
    }
    if rules.trigger.ringsBothWays,
      ringing.isOfStay || ringing.cause == .passed && e.isWithin(ringing.clearLevel)
    {
      return watchLeaving(ringing, e, rules)
    }
    if let out = ringing.departure, out.wasOut(at: e.measuredAt), e.isWithin(ringing.clearLevel) {
      phase = .idle
      return (.cleared, .clear(at: max(out.crossedAt, ringing.began), .left))
    }
    if let crossedAt = noteClear(e, rules) {
      phase = .idle
      // An alarm that an edit, activation or opening started cannot end before it began.
      return (
        .cleared, .clear(at: max(crossedAt, ringing.began), ringing.cause == .passed ? .passedThrough : .left)
      )
    }
    guard case .ringing(let now) = phase else { return (.cleared, .none) }
    return soundInside(now, e, rules)
  }

  /// Turns an alarm of cause `possible` into one of a certain entry, and rings anew.
  ///
  /// A sleep or an acknowledgement counted for the possible entry only, except for one for today. If the
  /// alarm began less than `Rule.guessLasts` ago, only the cause changes.
  private mutating func ringAsCertain(
    _ ringing: Ringing, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    var ringing = ringing
    ringing.cause = Self.cause(of: e)
    ringing.clearLevel = max(ringing.clearLevel, e.level)
    ringing.departure = nil
    phase = .ringing(ringing)
    if e.decidedAt - ringing.began < Rule.guessLasts {
      return soundAgain(ringing, e, rules, triggering: true)
    }
    if memory.isQuiet(at: e.decidedAt) { return (.acknowledged, .none) }
    ringing.sound = rules.sound(from: e.decidedAt)
    ringing.closed = false
    phase = .ringing(ringing)
    return (e.isFine(rules.assurance) ? .positionInside : .probablyInside, .ringAnew)
  }

  /// True for a fix that ends an alarm of cause `possible`.
  ///
  /// A safety zone does not go on ringing for a phone at rest that merely cannot be excluded.
  private func isRefuted(_ ringing: Ringing, by e: Evidence, _ rules: ZoneRules) -> Bool {
    guard rules.assurance == .safety else { return e.isExcluded(rules.assurance) }
    if !e.isMoving, e.accuracy <= SensorMemory.wifiAtMost {
      return e.isFine(.safety) ? e.distance > e.level : e.probabilityInside < Rule.loud(.normal)
    }
    return e.isExcluded(.safety) && (!e.isFine(.safety) || e.isClear(of: ringing.clearLevel))
  }

  /// Follows the phone out of the zone.
  /// - Returns: the interpolated time of leaving, once two fixes are clearly outside.
  @discardableResult
  private mutating func noteClear(_ e: Evidence, _ rules: ZoneRules) -> Instant? {
    guard case .ringing(var ringing) = phase else { return nil }
    let (departure, cleared) = Departure.follow(ringing.departure, e, beyond: ringing.clearLevel)
    ringing.departure = departure
    phase = .ringing(ringing)
    return cleared
  }
}

// MARK: Effects

extension ZoneAlarm {
  /// Turns an effect into events, and shows the zone's notice if it is due.
  ///
  /// - Returns: whether the alarm began to ring.
  @inline(never)
  private mutating func tell(
    _ effect: Effect, of zone: ZoneID, notice: @autoclosure () -> Notice?, before: ZoneAlarm, at now: Instant,
    learnedAt: Instant, seen: Evidence? = nil, _ log: inout DecisionLog
  ) -> Bool {
    switch effect {
    case .none: return false
    case .ring(let time):
      let report = report(of: zone)
      if let report { log.add(.alarm(report), time: time, decidedAt: now, learnedAt: learnedAt) }
      if let notice = notice(), memory.isNoticeDue(notice, at: now) {
        memory.noticeShownAt = now
        log.add(.notice(zone: zone), time: time, decidedAt: now, learnedAt: learnedAt)
      }
      return report != nil
    case .ringAnew:
      guard let report = report(of: zone) else { return false }
      log.add(.alarm(report), time: now, decidedAt: now, learnedAt: learnedAt)
      return false
    case .perhaps(let best):
      log.add(
        .perhaps(
          zone: zone, distance: best.distance, position: best.position, probability: best.probabilityInside),
        time: best.measuredAt, decidedAt: now, learnedAt: learnedAt)
      return false
    case .clear(let time, let why):
      guard var report = before.report(of: zone) else { return false }
      if let seen { report = report.moved(to: seen.position, distance: seen.distance) }
      log.add(.cleared(report, why), time: time, decidedAt: now, learnedAt: learnedAt)
      return false
    }
  }

  /// The record of a ringing alarm; nil when it does not ring.
  private func report(of zone: ZoneID) -> AlarmReport? {
    guard case .ringing(let ringing) = phase else { return nil }
    return ringing.report(of: zone)
  }
}
