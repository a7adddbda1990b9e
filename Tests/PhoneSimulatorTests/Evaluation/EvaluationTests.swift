import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Trials and what they come to")
struct EvaluationTests {
  private let course = Trial.Case(
    name: "drive", scenario: "tests",
    journey: Road.drive(.stand(.hours(1)), Road.go(6000, 12), .stand(.minutes(30))),
    zones: [Road.zone(at: 5000, radius: 150)])

  private func always(_ host: Capabilities.Host = .timed) -> Trial.Contender {
    Trial.Contender(timed: "continuous", host: host) { ContinuousWatch() }
  }

  @Test(arguments: [Capabilities.Host.timed, .visibleOnly])
  func `a phone that is always on catches the visit in seconds`(_ host: Capabilities.Host) throws {
    let result = Trial(always(host), seed: 1).run(course)
    try #require(result.matching.outcomes.count == 1)
    #expect(result.matching.caught == 1)
    #expect(result.matching.falseAlarms.isEmpty)
    #expect((-15.0...15).contains(try #require(result.matching.outcomes[0].lateness)))
  }

  /// At rest no position comes by itself, and a page does not hear of motion.
  @Test(arguments: [Capabilities.Host.timed, .visibleOnly])
  func `an application or page that rests in a zone decides the stay when it ends`(
    _ host: Capabilities.Host
  ) throws {
    let course = Trial.Case(
      name: "stay", scenario: "tests",
      journey: Road.drive(.stand(.minutes(2)), Road.go(1000, 5), .stand(.minutes(20))),
      zones: [Road.zone(at: 1000, radius: 100, trigger: .dwell(.minutes(5)))])
    let certified = Trial.Contender(timed: "certified", host: host) { CertifiedWatch() }
    let result = Trial(certified, parameters: .faultless, seed: 1).run(course)
    try #require(result.matching.outcomes.count == 1)
    let lateness = try #require(result.matching.outcomes[0].lateness)
    #expect((-5.0...30).contains(lateness), "\(lateness) s")
  }

  @Test func `the certified policy breaks no promise and costs less than half of always on`() throws {
    let certified = Trial(Trial.Contender(timed: "certified") { CertifiedWatch() }, seed: 1).run(course)
    let reference = Trial(always(), seed: 1).run(course)
    #expect(certified.matching.caught == 1)
    #expect(certified.violations == 0)
    #expect(certified.ledger.marginal < 0.5 * reference.ledger.marginal)
  }

  @Test(arguments: [
    PeriodicFixes(.every(.seconds(60))), PeriodicFixes(.byDistanceToEdge), PeriodicFixes(.naiveSafePeriod),
  ])
  func `policies of single fixes ask for them and go on asking`(_ policy: PeriodicFixes) {
    let result = Trial(Trial.Contender(timed: "fixes") { policy }, seed: 1).run(course)
    #expect(result.fixes >= 10)
    #expect(result.ledger.marginal > 0)
  }

  @Test func `the same seed gives the same result, another one another`() {
    func joules(_ seed: UInt64) -> Double {
      let contender = Trial.Contender(timed: "fixes") { PeriodicFixes(.every(.seconds(60))) }
      return Trial(contender, seed: seed).run(course).ledger.marginal
    }
    #expect(joules(5) == joules(5))
    #expect(joules(5) != joules(6))
  }

  /// Promises much, requests one fix and then does nothing.
  private struct Boaster: WatchDecisions {
    let speed: Double
    let late: Double
    var reason: WatchReason { WatchReason(.notStarted) }
    mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand] {
      if case .started = event { [.requestFix(.best, within: .seconds(30))] } else { [] }
    }
    func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
      .guaranteed(
        .init(upTo: .metresPerSecond(speed), late: .seconds(late), after: .entry, line: .edge, coarse: .zero))
    }
  }

  @Test func `a stay longer than promised without an alarm is a broken promise, unless its premises failed`()
  {
    func broken(speed: Double, late: Double) -> [Int] {
      let boaster = Trial.Contender(timed: "boaster") { Boaster(speed: speed, late: late) }
      let result = Trial(boaster, parameters: .ideal, seed: 1).run(course)
      return [result.violations, result.excusedViolations]
    }
    #expect(broken(speed: 45, late: 10) == [1, 0])
    #expect(broken(speed: 5, late: 10) == [0, 1])
    #expect(broken(speed: 45, late: 3600) == [0, 0])
  }

  @Test func `bounds catch everything at once, the oracle with one fix an alarm`() {
    let oracle = EvaluationBound.oracle.result(course, profile: .iPhone6)
    let certificate = EvaluationBound.certificate.result(course, profile: .iPhone6)
    for result in [oracle, certificate] {
      #expect(result.matching.caught == 1)
      #expect(result.matching.outcomes[0].lateness == 0)
    }
    #expect(oracle.fixes == 1)
    #expect(certificate.fixes == course.bound)
  }

  @Test func `a phone at rest needs a fix each time the safe period is over`() {
    let still = Road.drive(.stand(.hours(1)))
    var bound = SafePeriodBound()
    bound.error = 0
    // 4,500 m at 45 m/s and 10 s: a fix every 110 s, the first at the start.
    let zone = Road.zone(at: 5000, radius: 500)
    #expect(bound.fixes(still, zones: [zone]) == 1 + 3600 / 110)
    #expect(bound.fixes(still, zones: []) == 0)
  }

  @Test func `metrics add up what trials came to`() {
    let caught = EvaluationBound.oracle.result(course, profile: .iPhone6)
    let nothing = Trial(
      Trial.Contender(timed: "never") { PeriodicFixes(.every(.hours(9))) }, seed: 1
    ).run(course)
    let metrics = EvaluationMetrics(
      [caught, nothing],
      references: [
        EvaluationMetrics.Reference(alwaysOn: caught.ledger.marginal, paused: 2 * caught.ledger.marginal),
        EvaluationMetrics.Reference(alwaysOn: caught.ledger.marginal, paused: 2 * caught.ledger.marginal),
      ])
    #expect(metrics.all.visits == 2 && metrics.all.caught == 1)
    #expect(metrics.all.recall == 0.5)
    #expect(metrics.restrictedMeanLateness == 150)
    #expect(metrics.precision == 1)
    let parts = metrics.components.map(\.joulesPerDay).reduce(0, +)
    #expect(abs(parts - metrics.joulesPerDay) < 1e-6 * metrics.joulesPerDay)
    let expected = (caught.ledger.marginal + nothing.ledger.marginal) / (2 * caught.ledger.marginal)
    #expect(abs(metrics.energyRatio - expected) < 1e-12)
    #expect(abs(metrics.pausedRatio - expected / 2) < 1e-12)
    #expect(metrics.leastRatio.isNaN, "no reference, no ratio")
    #expect(EvaluationMetrics([], references: []).all.recall.isNaN)
  }

  @Test func `every scripted day lasts its hours and has visits, but the quiet one`() {
    for scenario in ScriptedScenario.allCases {
      let day = scenario.course(seed: 3)
      #expect((day.journey.end - day.journey.start).seconds > 15 * 3600, "\(scenario)")
      let owed = day.truth.visits.count(where: \.isOwed)
      #expect((owed == 0) == (scenario == .quiet), "\(scenario): \(owed) visits")
    }
  }
}
