import Geometry

extension ZoneAlarm {
  /// A possible entry that waits for a better fix, a second fix or a timeout.
  struct Confirmation: Hashable, Sendable {
    /// The interpolated time of the possible entry.
    var entered: Instant
    /// Nil while a relaxed zone waits for a second fix that agrees.
    var deadline: Instant?
    /// The evidence with the most accurate position so far; of equally accurate ones the one most likely
    /// inside.
    var best: Evidence

    mutating func add(_ e: Evidence) {
      // If two fixes are equally coarse, the one more likely inside counts: the phone was there, even if it
      // has moved on since.
      let (deviation, least) = (Self.deviation(e), Self.deviation(best))
      if deviation < least || deviation == least && e.probabilityInside >= best.probabilityInside { best = e }
    }

    private static func deviation(_ e: Evidence) -> Distance {
      e.likelihood?.deviation ?? e.accuracy * 0.5.squareRoot()
    }
  }
}

extension ZoneAlarm {
  /// Remembers that no better fix came, so that a later fix that tells no more starts no new wait.
  mutating func unlikely(at now: Instant) -> (verdict: Verdict, effect: Effect) {
    memory.unlikelySince = now
    return (.unlikely, .none)
  }

  /// True for a coarse fix that tells too little to ask for a better one again.
  func isDoubtedInVain(_ e: Evidence, _ rules: ZoneRules) -> Bool {
    guard memory.isUnlikely(at: e.decidedAt) else { return false }
    if rules.trigger.ringsOnEntry { return e.probabilityInside < Rule.quiet(rules.assurance) }
    return e.probabilityInside < Rule.likely
  }

  mutating func askForBetter(_ e: Evidence, entered: Instant, deadline: Instant?) {
    guard case .confirming(var confirmation) = phase else {
      phase = .confirming(Confirmation(entered: entered, deadline: deadline, best: e))
      return
    }
    confirmation.add(e)
    if let deadline, let before = confirmation.deadline {
      confirmation.deadline = min(before, deadline)
    } else {
      confirmation.deadline = deadline
    }
    phase = .confirming(confirmation)
  }

  var confirmedEntry: Instant? {
    guard case .confirming(let confirmation) = phase else { return nil }
    return confirmation.entered
  }
}
