import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneSimulator

/// A zone that rings a minute before it is entered, on a road along which the phone drives at 10 m/s.
@Suite("Warnings set against the entries that follow")
struct LeadMatchingTests {
  private static let lead = TimeSpan.seconds(60)
  /// Enters at 590 s, leaves at 610 s, drives on until 1200 s.
  private static let through = Road.drive(Road.go(12_000, 10))

  private static func zone(at metres: Double = 6000) -> Zone {
    var zone = Road.zone(at: metres, radius: 100)
    zone.change { $0.leadTime = lead }
    return zone
  }

  private func matching(
    _ raised: Double..., along journey: Journey = through, gaps: [ClosedRange<Instant>] = []
  ) -> Matching {
    Matching(
      raised.map { TrialRecord.Alarm(zone: Road.id, raisedAt: Road.at($0)) },
      with: GroundTruth(journey, zones: [Self.zone()], gaps: gaps), leads: [Road.id: Self.lead],
      distance: { _, time in 5900 - (time - Road.start).seconds * 10 }, depth: { _, _ in 0 })
  }

  @Test func `an alarm 90 s before the entry is right, and says how much of the time asked it gave`() throws {
    let found = matching(500)
    #expect(found.lead.right == 1 && found.lead.falseAlarms.isEmpty && found.lead.neither == 0)
    let entry = try #require(found.lead.entries.first)
    #expect(found.lead.entries.count == 1 && entry.isWarned)
    #expect(abs(try #require(entry.share) - 1.5) <= 0.02)
    // It belongs to no entry as an ordinary alarm, and none is owed.
    #expect(found.outcomes.isEmpty && found.falseAlarms.isEmpty && found.right == 0 && found.neither == 0)
  }

  @Test func `without an entry within four times the time asked it is false, and the entry not warned of`() {
    let found = matching(340)
    #expect(found.lead.right == 0 && found.lead.falseAlarms.map(\.raisedAt) == [Road.at(340)])
    #expect(found.lead.entries.map(\.isWarned) == [false])
    #expect(matching(351).lead.right == 1)
    #expect(matching(900).lead.falseAlarms.count == 1)
  }

  @Test func `an alarm within the zone warns of nothing, and is not false`() {
    let found = matching(595)
    #expect(found.lead.falseAlarms.isEmpty && found.lead.neither == 1)
    #expect(found.lead.entries.map(\.isWarned) == [false])
    #expect(matching().lead.entries.map(\.isWarned) == [false])
  }

  @Test func `who passes within the truth's error was warned of nothing false, who turns back was`() {
    let past = matching(500, along: Road.drive(Road.go(5890, 10), Road.go(0, 10)))
    #expect(past.lead.falseAlarms.isEmpty && past.lead.neither == 1 && past.lead.entries.isEmpty)
    let back = matching(500, along: Road.drive(Road.go(5700, 10), Road.go(0, 10)))
    #expect(back.lead.falseAlarms.count == 1)
  }

  @Test func `what follows a gap, or the end, is not known`() {
    let gap = Road.at(400)...Road.at(500)
    #expect(matching(380, gaps: [gap]).lead.neither == 1)
    #expect(matching(1000).lead.neither == 1)
    // A gap within the minute before the entry hides the warning.
    #expect(matching(gaps: [Road.at(535)...Road.at(545)]).lead.entries.isEmpty)
  }

  @Test func `shares of a trial are those of its alarms and entries`() {
    let course = Trial.Case(
      name: "drive", scenario: "tests", journey: Self.through, zones: [Self.zone()])
    func result(_ raised: Double...) -> TrialResult {
      let alarms = raised.map { TrialRecord.Alarm(zone: Road.id, raisedAt: Road.at($0)) }
      return TrialResult(
        matching: Matching(
          alarms, with: course.truth, leads: course.leads, distance: { _, _ in 0 }, depth: { _, _ in 0 }),
        ledger: EnergyLedger(start: course.journey.start), fixes: 0, course: course)
    }
    let results = [result(500), result(200, 560), result()]
    let metrics = EvaluationMetrics(results, references: results.map { _ in .init(alwaysOn: 1) })
    #expect(metrics.lead.alarms == 3 && metrics.lead.falseAlarms == 1)
    #expect(metrics.lead.entries == 3 && metrics.lead.unwarned == 1)
    #expect(abs(metrics.lead.falseShare - 1.0 / 3) < 1e-12)
    #expect(abs(metrics.lead.unwarnedShare - 1.0 / 3) < 1e-12)
    #expect(abs(metrics.lead.median - 1) <= 0.02)
    #expect(metrics.all.visits == 0 && metrics.falseAlarms == 0 && metrics.alarms == 3)
  }

  @Test func `the bound warns of every entry, just as asked`() {
    let course = Trial.Case(
      name: "drive", scenario: "tests", journey: Self.through, zones: [Self.zone()])
    let lead = EvaluationBound.oracle.result(course, profile: .iPhone6).matching.lead
    #expect(lead.entries.map(\.share) == [1] && lead.falseAlarms.isEmpty)
  }

  @Test func `a warning before the entry keeps what was promised for it`() {
    let course = Trial.Case(
      name: "drive", scenario: "tests", journey: Road.drive(.stand(.minutes(15)), Road.go(12_000, 12)),
      zones: [Self.zone()])
    let result = Trial(Trial.Contender(timed: "certified") { CertifiedWatch() }, seed: 1).run(course)
    #expect(result.matching.lead.entries.count == 1 && result.matching.outcomes.isEmpty)
    #expect(result.violations == 0)
  }
}
