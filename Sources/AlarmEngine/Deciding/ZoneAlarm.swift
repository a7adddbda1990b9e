import Geometry

/// The alarm of one zone on one device.
///
///     idle --coarse or single fix--> confirming --better fix, agreement, time or gone on--> ringing
///      |  \--inside--> dwelling --long enough--> ringing          (dwell zones)
///      |   \--inside--> present --outside--> ringing              (leave zones)
///      \--inside or passed through--> ringing --outside, twice--> idle
///
/// Sleep and acknowledgement change only the sound of a ringing alarm: its record lives until it is cleared.
public struct ZoneAlarm: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    case idle
    case confirming(Confirmation)
    /// Inside since this (true) time; the last fix that said so.
    case dwelling(since: Instant, last: Evidence)
    /// Inside a leave zone; perhaps on the way out.
    case present(Departure?)
    case ringing(Ringing)
  }

  struct Confirmation: Hashable, Sendable {
    /// True time of the possible entry.
    var entered: Instant
    /// A relaxed zone has none: it waits for agreement.
    var deadline: Instant?
    /// The evidence with the least error so far; of several, the nearest.
    var best: Evidence
  }

  struct Departure: Hashable, Sendable {
    /// True time of the last crossing outwards.
    var crossedAt: Instant
    /// First of the fixes, without a break, that lie clearly outside.
    var clearSince: Instant?
  }

  struct Ringing: Hashable, Sendable {
    var alarm: AlarmID
    var cause: Cause
    var began: Instant
    /// It ends beyond this distance.
    var clearLevel: Double
    var sound: Sound
    var departure: Departure?
    /// The person closed the notification; repeats go on.
    var closed = false
    var distance: Double
    var position: Coordinate
  }

  enum Sound: Hashable, Sendable {
    /// Until the horizon, in steps of the Alarm Cycle Time.
    case repeating(next: Instant, horizon: Instant)
    /// Nil: until the zone is left.
    case quiet(until: Instant?)
  }

  var phase = Phase.idle
  /// Acknowledged for today: no ring before this.
  var quietUntil: Instant?
  var noticeShownAt: Instant?

  /// What an evaluation changed outside the state.
  enum Effect: Hashable, Sendable {
    case none
    case ring(at: Instant, cause: Cause, distance: Double, position: Coordinate)
    case ringAnew(distance: Double, position: Coordinate)
    case clear(at: Instant, Clearing)
  }

  /// Judges what a fix says.
  mutating func see(_ evidence: Evidence, of rules: ZoneRules) -> (verdict: Verdict, effect: Effect) {
    switch phase {
    case .ringing(let ringing): return keepRinging(ringing, evidence, rules)
    case .present(let departure): return watchLeaving(departure, evidence, rules)
    case .idle, .confirming, .dwelling: return arrive(evidence, rules)
    }
  }

  /// Decides, without a better fix, at the end of a confirmation or of a safety zone's dwell.
  mutating func timeIsUp(at now: Instant, of rules: ZoneRules) -> (verdict: Verdict, effect: Effect)? {
    switch phase {
    case .confirming(let confirmation):
      guard let deadline = confirmation.deadline, deadline <= now else { return nil }
      phase = .idle
      let best = confirmation.best
      let probability = best.probabilityInside
      switch rules.trigger {
      case .enter:
        guard probability >= Rule.stillPossible else { return (.unlikely, .none) }
        return announced(.stillPossible, start(best, at: confirmation.entered, .possible, rules, now: now))
      case .leave:
        guard probability >= Rule.likely else { return (.unlikely, .none) }
        phase = .present(nil)
        return (.waitsForLeaving, .none)
      case .dwell:
        guard probability >= Rule.likely else { return (.unlikely, .none) }
        phase = .dwelling(since: confirmation.entered, last: best)
        return (.dwelling, .none)
      }
    case .dwelling(let since, let last):
      guard case .dwell(let length) = rules.trigger, rules.assurance == .safety, since + length <= now
      else { return nil }
      return announced(.dwelledLongEnough, start(last, at: since + length, .dwell, rules, now: now))
    case .idle, .present, .ringing: return nil
    }
  }

  /// When `timeIsUp` has something to say.
  func deadline(of rules: SharedZoneRules) -> Instant? {
    switch phase {
    case .confirming(let confirmation): return confirmation.deadline
    case .dwelling(let since, _):
      guard case .dwell(let length) = rules.trigger, rules.assurance == .safety else { return nil }
      return since + length
    case .idle, .present, .ringing: return nil
    }
  }

  /// A better fix would settle something.
  var wantsFix: Bool {
    switch phase {
    case .confirming, .dwelling: true
    case .ringing(let ringing): ringing.departure != nil
    case .present(let departure): departure != nil
    case .idle: false
    }
  }
}

// MARK: Coming near

extension ZoneAlarm {
  private mutating func arrive(_ e: Evidence, _ rules: ZoneRules) -> (verdict: Verdict, effect: Effect) {
    let verdict = judge(e, rules)
    let entered = e.way?.enteredAt ?? e.measuredAt
    if verdict.rings {
      return settle(verdict, e, enteredAt: confirmedEntry ?? entered, rules)
    }
    switch verdict {
    case .waitsForBetterFix:
      if case .dwelling = phase { return (.dwelling, .none) }
      askForBetter(e, entered: entered, deadline: e.decidedAt + Rule.confirmation)
      return (verdict, .none)
    case .waitsForSecondFix:
      if case .dwelling = phase { return (.dwelling, .none) }
      askForBetter(e, entered: entered, deadline: nil)
      return (verdict, .none)
    default:
      return keepAway(verdict, e, rules)
    }
  }

  /// The position is believed to be at the zone: what the trigger makes of it.
  private mutating func settle(
    _ verdict: Verdict, _ e: Evidence, enteredAt entered: Instant, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    switch rules.trigger {
    case .enter:
      return announced(verdict, start(e, at: entered, Self.cause(of: e), rules))
    case .leave:
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

  /// A ring that an acknowledgement for today keeps silent has that as its reason.
  private func announced(_ verdict: Verdict, _ effect: Effect) -> (verdict: Verdict, effect: Effect) {
    (effect == .none ? .acknowledged : verdict, effect)
  }

  /// The fix does not put the phone at the zone; perhaps the way to it led through.
  private mutating func keepAway(
    _ verdict: Verdict, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    if case .dwelling = phase {
      // No news: an unsure fix neither starts nor breaks a dwell.
      guard e.sighting == .outside else { return (.dwelling, .none) }
      phase = .idle
      return (verdict, .none)
    }
    var doubt: Confirmation?
    if case .confirming(let confirmation) = phase {
      phase = .idle
      // A relaxed zone wants certainty: going away ends its doubt in silence.
      doubt = confirmation.deadline == nil ? nil : confirmation
    }
    guard case .enter(passingCounts: true) = rules.trigger else { return (verdict, .none) }
    if e.sighting == .outside, let doubt, doubt.best.probabilityInside >= Rule.likely {
      let effect = start(doubt.best, at: doubt.entered, .possible, rules, now: e.decidedAt)
      goAway(since: e.way?.leftAt ?? e.measuredAt, e, rules)
      return announced(.stillPossible, effect)
    }
    guard let way = e.way, way.closest <= e.level else { return (verdict, .none) }
    // From inside an idle zone (its window was closed, it was switched off) nobody passes through.
    guard let entered = way.enteredAt else { return (verdict, .none) }
    if e.measuredAt - way.from > Rule.passingGap { return (.gapTooLong, .none) }
    guard rules.assurance == .safety || way.closestBeside <= e.level else { return (.grazedOnTheWay, .none) }
    var there = e
    there.distance = way.closest
    there.position = way.closestPosition
    let effect = start(there, at: entered, .passed, rules)
    goAway(since: way.leftAt ?? e.measuredAt, e, rules)
    return announced(.passedThrough, effect)
  }

  /// An alarm that began when the phone was out of the zone again is on its way to being cleared.
  private mutating func goAway(since crossedAt: Instant, _ e: Evidence, _ rules: ZoneRules) {
    guard case .ringing(var ringing) = phase else { return }
    ringing.departure = Departure(crossedAt: crossedAt, clearSince: nil)
    phase = .ringing(ringing)
    noteClear(e, rules)
  }

  /// Whether the fix puts the phone at the zone, by the zone's assurance.
  func judge(_ e: Evidence, _ rules: ZoneRules) -> Verdict {
    if e.sighting == .outside { return .outside }
    let positionInside = e.distance <= e.level
    switch rules.assurance {
    case .safety:
      return e.sighting == .inside ? .positionInside : .insideNotExcluded
    case .normal:
      if e.error <= max(Rule.fineError, e.reach / 2) { return positionInside ? .positionInside : .beside }
      return e.probabilityInside >= Rule.surely ? .probablyInside : .waitsForBetterFix
    case .relaxed:
      if e.sighting == .inside { return .certainlyInside }
      guard positionInside else { return .beside }
      if case .confirming = phase { return .twoFixesAgree }
      return .waitsForSecondFix
    }
  }

  private mutating func askForBetter(_ e: Evidence, entered: Instant, deadline: Instant?) {
    guard case .confirming(var confirmation) = phase else {
      phase = .confirming(Confirmation(entered: entered, deadline: deadline, best: e))
      return
    }
    // Of two equally coarse fixes the nearer one: that the phone has gone on does not undo that it was there.
    let best = confirmation.best
    if e.error < best.error || e.error == best.error && e.distance - e.level <= best.distance - best.level {
      confirmation.best = e
    }
    phase = .confirming(confirmation)
  }

  private var confirmedEntry: Instant? {
    guard case .confirming(let confirmation) = phase else { return nil }
    return confirmation.entered
  }

  private static func cause(of e: Evidence) -> Cause {
    if e.distance <= 0 { return .inside }
    return e.distance <= e.level ? .near : .possible
  }

  /// Begins an alarm, unless it is acknowledged for today.
  private mutating func start(
    _ e: Evidence, at time: Instant, _ cause: Cause, _ rules: ZoneRules, now: Instant? = nil
  ) -> Effect {
    let now = now ?? e.decidedAt
    if let quiet = quietUntil, now < quiet {
      phase = .idle
      return .none
    }
    quietUntil = nil
    let alarm = AlarmID(device: rules.device, zone: rules.zone, began: time)
    phase = .ringing(
      Ringing(
        alarm: alarm, cause: cause, began: time, clearLevel: max(rules.alertDistance, e.level),
        sound: rules.sound(from: now), departure: nil, distance: e.distance,
        position: e.position))
    return .ring(at: time, cause: cause, distance: e.distance, position: e.position)
  }
}

// MARK: Ringing, and going away

extension ZoneAlarm {
  private mutating func keepRinging(
    _ ringing: Ringing, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    var ringing = ringing
    ringing.distance = e.distance
    ringing.position = e.position
    phase = .ringing(ringing)
    if ringing.cause == .left { return awaitReturn(ringing, e, rules) }
    if let crossedAt = noteClear(e, rules) {
      phase = .idle
      // An alarm that began under a standing position can't have ended before.
      return (
        .cleared, .clear(at: max(crossedAt, ringing.began), ringing.cause == .passed ? .passedThrough : .left)
      )
    }
    guard case .ringing(let now) = phase else { return (.cleared, .none) }
    let triggering = e.distance - (rules.assurance == .safety ? e.error : 0) <= e.level
    let sounding = soundAgain(now, e, rules, triggering: triggering)
    return sounding.verdict.rings || now.departure == nil ? sounding : (.leavingNotSure, .none)
  }

  /// Follows the phone out of the zone.
  /// - Returns: the true time of leaving, once two clear fixes say so.
  @discardableResult
  private mutating func noteClear(_ e: Evidence, _ rules: ZoneRules) -> Instant? {
    guard case .ringing(var ringing) = phase else { return nil }
    let (departure, cleared) = Self.follow(ringing.departure, e, beyond: ringing.clearLevel)
    ringing.departure = departure
    phase = .ringing(ringing)
    return cleared
  }

  private static func follow(
    _ departure: Departure?, _ e: Evidence, beyond level: Double
  ) -> (departure: Departure?, cleared: Instant?) {
    guard e.distance > level else { return (nil, nil) }
    var next = departure ?? Departure(crossedAt: e.way?.leftAt ?? e.measuredAt, clearSince: nil)
    guard e.distance >= level + e.error + Rule.hysteresis else {
      next.clearSince = nil
      return (next, nil)
    }
    let apart = e.error == 0 ? Rule.betweenExactClearFixes : Rule.betweenClearFixes
    guard let since = next.clearSince else {
      next.clearSince = e.measuredAt
      return (next, nil)
    }
    return (next, e.measuredAt - since >= apart ? next.crossedAt : nil)
  }

  /// After Sleep or an acknowledgement that has ended, the next triggering fix rings anew.
  private mutating func soundAgain(
    _ ringing: Ringing, _ e: Evidence, _ rules: ZoneRules, triggering: Bool
  ) -> (verdict: Verdict, effect: Effect) {
    guard case .quiet(let until) = ringing.sound else { return (.ringing, .none) }
    guard let until else { return (.acknowledged, .none) }
    guard e.decidedAt >= until, triggering else { return (.asleep, .none) }
    var ringing = ringing
    ringing.sound = rules.sound(from: e.decidedAt)
    ringing.closed = false
    phase = .ringing(ringing)
    return (.rangAnew, .ringAnew(distance: e.distance, position: e.position))
  }

  private mutating func watchLeaving(
    _ departure: Departure?, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    let (next, cleared) = Self.follow(departure, e, beyond: e.level)
    phase = .present(next)
    guard let next else { return (.waitsForLeaving, .none) }
    let out: Bool
    switch rules.assurance {
    case .safety: out = true
    case .normal: out = e.sighting == .outside || cleared != nil
    case .relaxed: out = cleared != nil
    }
    guard out else { return (.leavingNotSure, .none) }
    let effect = start(e, at: next.crossedAt, .left, rules)
    return announced(.wentOut, effect)
  }

  private mutating func awaitReturn(
    _ ringing: Ringing, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    let back = rules.assurance == .safety ? e.sighting == .inside : e.distance <= e.level
    guard back else { return soundAgain(ringing, e, rules, triggering: e.distance > e.level) }
    phase = .present(nil)
    return (.cleared, .clear(at: max(e.way?.enteredAt ?? e.measuredAt, ringing.began), .left))
  }
}
