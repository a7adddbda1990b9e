import AlarmEngine
import Geometry
import Testing

@testable import PhoneSimulator

@Suite("What trials come to, split as the protocol wants it")
struct EvaluationMetricsTests {
  /// 20 s in a circle by car: enters at 90 s, leaves at 110 s.
  private let drive = Trial.Case(
    name: "drive", scenario: "tests", journey: Road.drive(Road.go(2000, 10)),
    zones: [Road.zone(at: 1000, radius: 100)])
  /// 100 s in a circle on foot: enters at 150 s, leaves at 250 s.
  private let walk = Trial.Case(
    name: "walk", scenario: "tests", journey: Road.drive(Road.go(800, 1)),
    zones: [Road.zone(at: 200, radius: 50)])

  /// - Parameter raised: the alarms, by their seconds and causes.
  private func result(
    _ course: Trial.Case, _ raised: [(Double, Cause)], joules: Double = 0
  ) -> TrialResult {
    var ledger = EnergyLedger(start: course.journey.start)
    ledger.charge(.satellites, joules: joules)
    ledger.charge(.wake, joules: joules)
    let matching = Matching(
      raised.map { TrialRecord.Alarm(zone: Road.id, raisedAt: Road.at($0.0), cause: $0.1) },
      with: course.truth, distance: { _, _ in 500 },
      depth: { _, span in (span.upperBound - span.lowerBound).seconds })
    return TrialResult(matching: matching, ledger: ledger, fixes: 4, course: course)
  }
  private func metrics(_ results: [TrialResult], least: Double? = nil) -> EvaluationMetrics {
    EvaluationMetrics(
      results, references: results.map { _ in .init(alwaysOn: 1000, paused: nil, least: least) })
  }

  @Test func `recall is told apart by the length of stay`() {
    let found = metrics([result(drive, []), result(drive, [(95, .inside)]), result(walk, [(160, .inside)])])
    #expect((found.short.visits, found.short.caught) == (2, 1))
    #expect((found.long.visits, found.long.caught) == (1, 1))
    #expect(found.short.recall == 0.5 && found.long.recall == 1)
    #expect(abs(found.all.recall - 2.0 / 3) < 1e-12)
  }

  @Test func `lateness and depth are told apart by how the phone came`() {
    let found = metrics([result(drive, [(95, .inside)]), result(walk, [(170, .inside)])])
    #expect(abs(found.driving.lateness(quantile: 1) - 5) <= 1)
    #expect(abs(found.driving.depth(quantile: 1) - 5) <= 1)
    #expect(abs(found.walking.lateness(quantile: 1) - 20) <= 1)
    #expect(abs(found.delay.lateness(quantile: 0.5) - 12.5) <= 1)
    // A missed visit counts 300 s, but only in the mean.
    let missed = metrics([result(drive, [(95, .inside)]), result(drive, [])])
    #expect(abs(missed.restrictedMeanLateness - 152.5) <= 1)
    #expect(missed.delay.lateness.count == 1)
  }

  @Test func `false alarms that only said possible are told apart, repeated ones counted`() {
    let found = metrics([
      result(walk, [(20, .inside), (40, .possible), (160, .inside), (200, .inside)])
    ])
    #expect(found.falseAlarms == 2 && found.falsePossible == 1 && found.repeated == 1)
    #expect(abs(found.precision - 1.0 / 3) < 1e-12)
    #expect(found.precisionOfCertain == 0.5)
    #expect(found.alarms == 4)
  }

  @Test func `energy is set against the phone that is always on and the least there is`() {
    let found = metrics([result(drive, [], joules: 60)], least: 20)
    #expect(abs(found.energyRatio - 0.12) < 1e-12)
    // Positions alone: the bound leaves wake-ups out.
    #expect(abs(found.leastRatio - 3) < 1e-12)
    #expect(found.pausedRatio.isNaN)
    let day = (drive.journey.end - drive.journey.start).seconds / 86_400
    #expect(abs(found.joulesPerDay - 120 / day) < 1e-6)
  }

  @Test func `one trial without its reference leaves the ratio open`() {
    let found = EvaluationMetrics(
      [result(drive, [], joules: 60), result(drive, [], joules: 60)],
      references: [.init(alwaysOn: 1, least: 20), .init(alwaysOn: 1)])
    #expect(found.leastRatio.isNaN)
  }
}
