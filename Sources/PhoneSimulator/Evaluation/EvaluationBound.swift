import AlarmEngine

/// What no policy can do, to measure the others by.
public enum EvaluationBound: String, CaseIterable, Sendable {
  /// C0: knows the journey; one fix at each entry.
  case oracle
  /// C1: the safe period's greedy schedule with exact fixes; each costs a single satellite fix.
  case certificate

  /// Seconds of satellites for one single fix: half of the fixes of the calibration came within it.
  private static let secondsOfFix = 8.0

  public func result(_ course: Trial.Case, profile: EnergyProfile) -> TrialResult {
    let owed = course.truth.visits.filter(\.isOwed)
    let fixes = self == .oracle ? owed.count : course.bound
    var ledger = EnergyLedger(start: course.journey.start)
    let perFix = profile.bestMovingMilliwatts / 1000 * (Self.secondsOfFix + profile.tailSeconds)
    for _ in 0..<fixes {
      ledger.charge(.satellites, joules: perFix)
      ledger.charge(.wake, joules: profile.wakeJoules)
    }
    for _ in owed { ledger.charge(.alert, joules: profile.alertJoules) }
    let alarms = owed.map { TrialRecord.Alarm(zone: $0.zone, raisedAt: $0.entry) }
    return TrialResult(
      matching: Matching(alarms, with: course.truth, distance: { _, _ in 0 }, depth: { _, _ in 0 }),
      ledger: ledger, fixes: fixes, course: course)
  }
}
