import AlarmEngine
import Geometry

/// The result of one trial.
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
  /// A visit at whose alarm a promise was not kept.
  public struct BrokenPromise: Hashable, Sendable {
    public let visit: GroundTruth.Visit
    /// The visit's first alarm; nil if none came.
    public let raisedAt: Instant?
    /// The name of the promise's first premise that was false; nil if all held.
    public let falsePremise: String?
  }
  /// The visits at whose beginning a promise was shown.
  public let promised: [GroundTruth.Visit]
  public let brokenPromises: [BrokenPromise]
  public let bound: Int

  init(
    _ course: Trial.Case, record: TrialRecord, promises: [GroundTruth.Visit: [Guarantee.Promise?]],
    phone: Phone
  ) {
    let judged = course.judged
    let lines = Dictionary(
      judged.zones.compactMap { zone in AlarmLine(zone, settings: .phone).map { (zone.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    let distance = { (zone: ZoneID, time: Instant) -> Double in
      lines[zone]?.distance(from: course.journey.position(at: time)) ?? 0
    }
    let alarms = Self.weighed(judged.attributed(record.alarms), course, lines, phone.log)
    let depth = { (zone: ZoneID, span: ClosedRange<Instant>) -> Double in
      var deepest = 0.0
      var time = span.lowerBound
      // Beyond one hour of lateness the depth adds nothing.
      let end = min(span.upperBound, span.lowerBound + .hours(1))
      while time <= end {
        deepest = max(deepest, -distance(zone, time))
        time = time + .seconds(1)
      }
      return deepest
    }
    matching = Matching(
      alarms, with: course.truth, leads: course.leads, distance: distance, depth: depth,
      travelled: { course.journey.travelled(at: $0.upperBound) - course.journey.travelled(at: $0.lowerBound) }
    )
    duration = (course.journey.end - course.journey.start).seconds
    ledger = phone.ledger
    fixes = phone.log.entries.count { if case .fix = $0.occurrence { true } else { false } }
    wakes = phone.ledger.count(.wake)
    sessionSeconds = phone.ledger.time(.session).seconds
    satelliteSeconds = phone.ledger.time(.satellites).seconds
    bound = course.bound
    let assurances = Dictionary(
      judged.zones.map { ($0.id, $0.assurance) }, uniquingKeysWith: { first, _ in first })
    let audit = GuaranteeAudit(
      promises, journey: course.journey, log: phone.log, journal: record.journal,
      assurance: { assurances[$0] ?? .normal },
      restarts: course.changes.restarts, additions: judged.withParts(course.changes.additions),
      errorFactor: { record.timeline.errorFactor(ofRadius: .metres($0)) },
      distance: distance)
    // An alarm before the entry keeps its promise.
    let warned = matching.lead.entries.map {
      Matching.Outcome(
        visit: $0.visit, raisedAt: $0.raisedAt, isCaught: $0.isWarned, depth: nil, early: nil)
    }
    // An alarm before the end of a stay is false, but it keeps its promise.
    let outcomes = matching.outcomes.map { outcome -> Matching.Outcome in
      let visit = outcome.visit
      guard outcome.raisedAt == nil, visit.dwell > .zero else { return outcome }
      let began = visit.entry - visit.dwell
      let early = alarms.first { $0.zone == visit.zone && began <= $0.raisedAt && $0.raisedAt < visit.entry }
      return Matching.Outcome(
        visit: visit, raisedAt: early?.raisedAt, isCaught: false, depth: outcome.depth, early: outcome.early)
    }
    let broken = (outcomes + warned).filter { audit.isBroken($0) }
    promised = promises.keys.sorted { ($0.entry, $0.zone) < ($1.entry, $1.zone) }
    brokenPromises = broken.map {
      BrokenPromise(
        visit: $0.visit, raisedAt: $0.raisedAt, falsePremise: audit.falsePremise($0)?.rawValue)
    }
  }

  /// The number of promises that were broken although all their premises held.
  public var violations: Int { brokenPromises.count { $0.falsePremise == nil } }
  /// The number of promises that were broken while a premise was false.
  public var excusedViolations: Int { brokenPromises.count - violations }
  /// Excused violations, by the name of the false premise.
  public var excuses: [String: Int] {
    brokenPromises.compactMap(\.falsePremise).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The alarms with their allowed earliness and distance, from the last fix before each, the zone and the
  /// true way.
  static func weighed(
    _ alarms: [TrialRecord.Alarm], _ course: Trial.Case, _ lines: [ZoneID: AlarmLine], _ log: EventLog
  ) -> [TrialRecord.Alarm] {
    let safe = Set(course.judged.zones.filter { $0.assurance == .safety }.map(\.id))
    let fixes = log.compactMap { entry -> (time: Instant, accuracy: Double)? in
      guard case .fix(_, let accuracy, _, _) = entry.occurrence else { return nil }
      return (entry.time, accuracy)
    }
    return alarms.map { alarm in
      var (low, high) = (0, fixes.count)
      while low < high {
        let middle = (low + high) / 2
        if fixes[middle].time <= alarm.raisedAt { low = middle + 1 } else { high = middle }
      }
      var weighed = alarm
      weighed.accuracy = low > 0 ? fixes[low - 1].accuracy : nil
      weighed.earliness = lines[alarm.zone]?.earliness ?? 0
      if safe.contains(alarm.zone), let accuracy = weighed.accuracy {
        weighed.earliness = max(weighed.earliness, 2 * Self.safetyFactor * accuracy)
      }
      if safe.contains(alarm.zone), weighed.accuracy ?? 0 <= Self.coarsestOfMoving,
        course.journey.moves(before: alarm.raisedAt)
      {
        weighed.beside = Self.besideOfMoving
      }
      return weighed
    }
  }

  /// Metres from the line within which an alarm of a safety zone is not false while the phone moves: such a
  /// zone rings whenever the phone cannot be excluded from it. At rest, and for other zones, the phone has to
  /// be inside.
  private static let besideOfMoving = 30.0
  /// The coarsest accuracy in metres for which `besideOfMoving` applies; coarser positions come from the
  /// mobile network.
  private static let coarsestOfMoving = 200.0

  /// A safety zone assumes an error of this multiple of the stated accuracy; 99 % of normal errors are within
  /// it.
  private static let safetyFactor = 2.15

  /// The result of a bound, which makes no promise and has no session.
  init(matching: Matching, ledger: EnergyLedger, fixes: Int, course: Trial.Case) {
    self.matching = matching
    self.ledger = ledger
    self.fixes = fixes
    duration = (course.journey.end - course.journey.start).seconds
    wakes = ledger.count(.wake)
    sessionSeconds = 0
    satelliteSeconds = 0
    promised = []
    brokenPromises = []
    bound = course.bound
  }
}

extension Journey {
  /// True if the phone truly moved within the two minutes in which the rule counts a movement
  /// (`docs/alarms.md`).
  func moves(before time: Instant) -> Bool {
    (0...120).contains { speed(at: time - .seconds(Double($0))).metresPerSecond >= 0.7 }
  }
}
