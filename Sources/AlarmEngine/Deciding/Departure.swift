import Geometry

extension ZoneAlarm {
  /// The way out of a zone, from the first fix beyond its edge until the phone has certainly left.
  struct Departure: Hashable, Sendable {
    /// The interpolated time of the last crossing outwards.
    var crossedAt: Instant
    /// The time of the first fix of an unbroken series of fixes clearly outside.
    var clearSince: Instant?

    /// Updates or begins a departure by a fix.
    ///
    /// - Parameter level: the phone leaves beyond this distance.
    /// - Returns: the departure, nil if the phone is not leaving; and the time of the crossing, once two fixes are
    ///   clearly outside.
    static func follow(
      _ departure: Self?, _ e: Evidence, beyond level: Distance
    ) -> (departure: Self?, cleared: Instant?) {
      guard !e.isWithin(level) else { return (nil, nil) }
      var next = departure ?? Self(crossedAt: e.way?.leftAt ?? e.measuredAt, clearSince: nil)
      guard e.isClear(of: level) else {
        next.clearSince = nil
        return (next, nil)
      }
      let apart = e.error == .zero ? Rule.betweenExactClearFixes : Rule.betweenClearFixes
      guard let since = next.clearSince else {
        next.clearSince = e.measuredAt
        return (next, nil)
      }
      return (next, e.measuredAt - since >= apart ? next.crossedAt : nil)
    }
  }
}

extension ZoneAlarm.Departure {
  /// True if the phone has been clearly outside for so long that a fix inside, at this time, begins another
  /// visit.
  ///
  /// One fix outside is enough, because a sparse track may have no second one; a wrong fix would have been
  /// contradicted within that time.
  func wasOut(at time: Instant) -> Bool { clearSince.map { time - $0 >= Rule.anotherVisit } ?? false }
}

// MARK: Zones that ring on leaving

extension ZoneAlarm {
  /// Follows the phone out of a zone that rings on leaving.
  mutating func watchLeaving(
    _ departure: Departure?, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    let (next, cleared) = Departure.follow(departure, e, beyond: e.level)
    phase = .present(next)
    guard let next else { return (.waitsForLeaving, .none) }
    guard Self.isOut(e, isClear: cleared != nil, rules) else { return (.leavingNotSure, .none) }
    guard rules.trigger.time == nil else { return countOutside(since: e.decidedAt, e) }
    let effect = start(e, at: next.crossedAt, .left, rules)
    return announced(.wentOut, effect)
  }

  /// Follows the phone out of a zone that rings both ways, while the alarm of the entry rings.
  mutating func watchLeaving(
    _ ringing: Ringing, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    var ringing = ringing
    let (next, cleared) = Departure.follow(ringing.departure, e, beyond: e.level)
    if let next, Self.isOut(e, isClear: cleared != nil, rules) {
      // The same fix then begins the alarm of leaving, or the time outside.
      phase = .present(ringing.departure)
      return (.cleared, .clear(at: max(next.crossedAt, ringing.began), .left))
    }
    // A phone that passed through, and is back, stays.
    if ringing.cause == .passed { ringing.cause = Self.cause(of: e) }
    ringing.departure = next
    phase = .ringing(ringing)
    return soundInside(ringing, e, rules)
  }

  /// True for a fix beyond the edge by which the phone has left the zone.
  private static func isOut(_ e: Evidence, isClear: Bool, _ rules: ZoneRules) -> Bool {
    switch rules.assurance {
    case .safety: e.sighting == .outside || isLikelyOut(e)
    case .normal: e.sighting == .outside || isClear
    case .relaxed: isClear
    }
  }

  /// True for a position beyond the edge of a safety zone that may be that of a phone which has left.
  ///
  /// Coarse positions of a phone at rest differ, and one of the mobile network can be wrong by a mile.
  private static func isLikelyOut(_ e: Evidence) -> Bool {
    e.accuracy <= SensorMemory.wifiAtMost
      && (e.isFine(.safety) || e.isMoving || e.probabilityInside <= 1 - Rule.surely)
  }

  /// Counts the time outside, which the clock ends (``timeIsUp(at:of:)``).
  private mutating func countOutside(since: Instant, _ e: Evidence) -> (verdict: Verdict, effect: Effect) {
    var last = e
    // Measured differently for a zone that is explained, and not needed for the ring.
    last.way = nil
    phase = .dwelling(since: since, last: last)
    return (.waitsOutside, .none)
  }

  /// Ends the time outside if the phone is back; a fix that leaves it open does not.
  mutating func stayAway(
    since: Instant, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    guard isBack(e, rules), e.probabilityInside >= Rule.likely else { return countOutside(since: since, e) }
    phase = .present(nil)
    return (.cameBack, .none)
  }

  /// Ends the alarm of leaving if the phone is back. In a zone that rings both ways, a phone that was surely outside
  /// comes back by the rules of an entry, and passes through as well.
  mutating func awaitReturn(
    _ ringing: Ringing, _ e: Evidence, _ rules: ZoneRules
  ) -> (verdict: Verdict, effect: Effect) {
    var ringing = ringing
    let wasOut = ringing.departure != nil
    if rules.trigger.ringsOnEntry, e.sighting == .outside, !wasOut {
      ringing.departure = Departure(crossedAt: ringing.began, clearSince: e.measuredAt)
      phase = .ringing(ringing)
    }
    let mayEnter =
      wasOut
      && (judge(e, rules).rings || e.probabilityInside >= Rule.likely
        || rules.trigger.passingCounts && passage(e, rules) == .passedThrough)
    guard mayEnter || isBack(e, rules) else {
      return soundAgain(ringing, e, rules, triggering: !e.isWithin(e.level))
    }
    // A zone that rings both ways rings for this entry.
    phase = rules.trigger.ringsOnEntry ? .idle : .present(nil)
    return (.cleared, .clear(at: max(e.way?.enteredAt ?? e.measuredAt, ringing.began), .left))
  }

  /// True if a fix shows the phone at a zone that it had left.
  ///
  /// A safety zone is left with the first position beyond its edge, so the phone has to be back by the error of
  /// the position or, in a zone too small for that, by half of its depth.
  func isBack(_ e: Evidence, _ rules: ZoneRules) -> Bool {
    let depth = rules.assurance == .safety ? min(e.error, (e.reach + e.level) * 0.5) : .zero
    return e.isWithin(e.level - depth)
      && (e.accuracy <= SensorMemory.wifiAtMost || e.probabilityInside >= Rule.likely)
  }
}
