import AlarmEngine
import Geometry

/// What one trial came to.
public struct TrialResult: Sendable {
  public let matching: Matching
  /// Seconds.
  public let duration: Double
  public let ledger: EnergyLedger
  public let fixes: Int
  public let wakes: Int
  /// Seconds during which a location session was on.
  public let sessionSeconds: Double
  public let satelliteSeconds: Double
  /// Alarms later than promised although the promise's conditions held; and where they did not.
  public let violations: Int
  public let excusedViolations: Int
  /// The excused ones by the premise that was false.
  public let excuses: [String: Int]
  public let bound: Int

  init(
    _ course: Trial.Case, record: TrialRecord, promises: [GroundTruth.Visit: Guarantee.Promise],
    phone: Phone
  ) {
    let lines = Dictionary(
      course.zones.compactMap { zone in AlarmLine(zone, settings: .phone).map { (zone.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    let distance = { (zone: ZoneID, time: Instant) -> Double in
      lines[zone]?.distance(from: course.journey.position(at: time)) ?? 0
    }
    matching = Matching(record.alarms, with: course.truth, distance: distance) { zone, span in
      var deepest = 0.0
      var time = span.lowerBound
      // More than an hour late, how deep says nothing that the lateness does not.
      let end = min(span.upperBound, span.lowerBound + .hours(1))
      while time <= end {
        deepest = max(deepest, -distance(zone, time))
        time = time + .seconds(1)
      }
      return deepest
    }
    duration = (course.journey.end - course.journey.start).seconds
    ledger = phone.ledger
    fixes = phone.log.entries.count { if case .fix = $0.occurrence { true } else { false } }
    wakes = phone.ledger.count(.wake)
    sessionSeconds = phone.ledger.time(.session).seconds
    satelliteSeconds = phone.ledger.time(.satellites).seconds
    bound = course.bound
    let assurances = Dictionary(
      course.zones.map { ($0.id, $0.assurance) }, uniquingKeysWith: { first, _ in first })
    let audit = GuaranteeAudit(
      promises, journey: course.journey, log: phone.log, journal: record.journal,
      assurance: { assurances[$0] ?? .normal }, distance: distance)
    let broken = matching.outcomes.filter { audit.isBroken($0) }
    var excuses: [String: Int] = [:]
    for premise in broken.compactMap({ audit.falsePremise($0) }) {
      excuses[premise.rawValue, default: 0] += 1
    }
    self.excuses = excuses
    excusedViolations = excuses.values.reduce(0, +)
    violations = broken.count - excusedViolations
  }

  /// Of a bound, which makes no promise and knows no session.
  init(matching: Matching, ledger: EnergyLedger, fixes: Int, course: Trial.Case) {
    self.matching = matching
    self.ledger = ledger
    self.fixes = fixes
    duration = (course.journey.end - course.journey.start).seconds
    wakes = ledger.count(.wake)
    sessionSeconds = 0
    satelliteSeconds = 0
    violations = 0
    excusedViolations = 0
    excuses = [:]
    bound = course.bound
  }
}
