import AlarmEngine

/// Bounds that no policy can beat, for comparison.
public enum EvaluationBound: String, CaseIterable, Sendable {
  /// C0: knows the journey; one fix at each entry.
  case oracle
  /// C1: the safe period's greedy schedule with exact fixes; each costs one single satellite fix.
  case certificate
  /// LB_E: the least energy for positions that proves every zone; ``EnergyBound``.
  case leastEnergy

  /// Seconds of satellite reception for one single fix: the median of the calibration.
  static let secondsOfFix = 8.0

  public func result(_ course: Trial.Case, profile: EnergyProfile) -> TrialResult {
    let owed = course.truth.visits.filter(\.isOwed)
    var ledger = EnergyLedger(start: course.journey.start)
    let fixes: Int
    switch self {
    case .oracle:
      fixes = owed.count
      chargeSingle(fixes, profile, to: &ledger)
    case .certificate:
      fixes = course.bound
      chargeSingle(fixes, profile, to: &ledger)
    case .leastEnergy:
      let bound = EnergyBound(profile)
      let plan = bound.plan(course.journey, zones: course.zones)
      fixes = plan.fixes.count + plan.sessionSeconds
      for fix in plan.fixes {
        ledger.charge(bound.sensors[fix.sensor].component, joules: bound.sensors[fix.sensor].cost)
      }
      ledger.charge(.session, joules: Double(plan.sessionSeconds) * bound.sessionWatts)
    }
    for _ in owed { ledger.charge(.alert, joules: profile.alertJoules) }
    let leads = course.leads
    let alarms = owed.map {
      TrialRecord.Alarm(
        zone: $0.zone, raisedAt: max($0.entry - (leads[$0.zone] ?? .zero), course.journey.start))
    }
    return TrialResult(
      matching: Matching(
        alarms, with: course.truth, leads: leads, distance: { _, _ in 0 }, depth: { _, _ in 0 }),
      ledger: ledger, fixes: fixes, course: course)
  }

  private func chargeSingle(_ fixes: Int, _ profile: EnergyProfile, to ledger: inout EnergyLedger) {
    let perFix = profile.bestMovingMilliwatts / 1000 * (Self.secondsOfFix + profile.tailSeconds)
    for _ in 0..<fixes {
      ledger.charge(.satellites, joules: perFix)
      ledger.charge(.wake, joules: profile.wakeJoules)
    }
  }
}
