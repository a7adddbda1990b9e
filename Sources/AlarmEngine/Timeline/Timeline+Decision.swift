extension Timeline {
  /// Returns the record of the decision behind an alarm, a clearing or a `perhaps` event of a zone.
  ///
  /// Takes the last alarm within a tenth of a second of `time`, because times are printed to tenths; without one, the
  /// last other such event. Nil if there is none, or if no rule decided it. The deciding fix can be later than
  /// `time`, which is interpolated for a crossing between two fixes.
  package func decision(of zone: ZoneID, toldAt time: Instant) -> Explanation? {
    let printed = TimeSpan.milliseconds(100)
    let told = events.filter {
      $0.time > time - printed && $0.time < time + printed && $0.isDecision(of: zone)
    }
    // An alarm that is over at once has the same time as its end.
    guard let event = told.last(where: { $0.isAlarm }) ?? told.last else { return nil }
    return explanations(of: zone, in: event.decidedAt...event.decidedAt).last {
      event.isDecided(by: $0.verdict)
    }
  }
}

extension Event {
  fileprivate var isAlarm: Bool { if case .alarm = kind { true } else { false } }

  package func isDecision(of zone: ZoneID) -> Bool {
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
