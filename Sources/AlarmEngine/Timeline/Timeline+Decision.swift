extension Timeline {
  /// Returns the record of the decision behind an alarm, a clearing or a `perhaps` event of a zone.
  ///
  /// Takes the last such event within a tenth of a second of `time`, because times are printed to tenths. Nil
  /// if there is none, or if no rule decided it. The deciding fix can be later than `time`, which is
  /// interpolated for a crossing between two fixes.
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
