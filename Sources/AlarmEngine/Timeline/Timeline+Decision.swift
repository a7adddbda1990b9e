extension Timeline {
  /// The record of what decided the alarm, the clearing or the doubt that is told of a zone at about that time (within a
  /// tenth of a second, to which times are printed); nil where nothing is told then, and where no rule decided.
  ///
  /// A crossing between two fixes lies before the fix that decided it, so the record is not the one in force at `time`.
  package func decision(of zone: ZoneID, toldAt time: Instant) -> Explanation? {
    let printed = TimeSpan.milliseconds(100)
    guard
      let event = events.last(where: {
        $0.time > time - printed && $0.time < time + printed && $0.isDecision(of: zone)
      })
    else { return nil }
    return explanations(of: zone, in: event.decidedAt...event.decidedAt).last {
      event.isDecided(by: $0.verdict)
    }
  }
}

extension Event {
  func isDecision(of zone: ZoneID) -> Bool {
    switch kind {
    case .alarm(let report), .cleared(let report, _): report.zone == zone
    case .perhaps(let doubtful, _, _, _): doubtful == zone
    case .repeat, .missedSignal, .ignored, .notice, .proposal: false
    }
  }

  func isDecided(by verdict: Verdict) -> Bool {
    switch kind {
    case .alarm: verdict.rings
    case .cleared: verdict == .cleared
    case .perhaps: verdict == .perhaps
    case .repeat, .missedSignal, .ignored, .notice, .proposal: false
    }
  }
}
