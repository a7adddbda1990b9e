import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneSimulator

@Suite("The same journey under other circumstances")
struct TrialVariationTests {
  private let course = Trial.Case(
    name: "drive", scenario: "S",
    journey: Road.drive(.stand(.hours(1)), Road.go(6000, 12), .stand(.hours(1))),
    zones: [9.0, 3, 5].enumerated().map { number, place in
      Zone.valid(
        id: ZoneID(rawValue: UInt64(number + 1)), name: "z", size: .metres(150),
        outline: .locations([Road.place(place * 1000)]))
    })

  @Test func `fewer zones keep those that are visited, in the order of their visits`() {
    #expect(course.withZones(1, seed: 1).zones.map(\.id.rawValue) == [2])
    #expect(course.withZones(2, seed: 1).zones.map(\.id.rawValue) == [2, 3])
    #expect(course.withZones(3, seed: 1).zones.map(\.id.rawValue) == [2, 3, 1])
  }

  @Test(arguments: [10, 30, 200])
  func `more zones lie in the surroundings, with ids of their own, the same for the same seed`(_ count: Int) {
    let many = course.withZones(count, seed: 4)
    #expect(many.zones.count == count)
    #expect(Set(many.zones.map(\.id)).count == count)
    #expect(many.scenario == "S, \(count) zones")
    #expect(many.zones == course.withZones(count, seed: 4).zones)
    #expect(many.zones != course.withZones(count, seed: 5).zones)
    for zone in many.zones.dropFirst(3) {
      guard case .locations(let places) = zone.outline else { continue }
      let distance = places[0].distance(to: Road.place(3000)).metres
      #expect(distance < 3000 + 10_000 * 2.0.squareRoot() + 100, "\(zone)")
    }
    #expect(many.truth.visits.filter(\.isOwed).count >= course.truth.visits.filter(\.isOwed).count)
  }

  @Test func `an outage leaves no satellite fix in its time, and some before and after`() throws {
    let dark = course.withoutSatellites(for: .minutes(3))
    let outage = try #require(dark.outage)
    #expect((outage.upperBound - outage.lowerBound).seconds == 180)
    let middle = course.truth.visits.filter(\.isOwed)[1].entry
    #expect(outage.contains(middle))
    func times(_ course: Trial.Case) -> [Instant] {
      var found: [Instant] = []
      _ = Trial(Trial.Contender(timed: "continuous") { ContinuousWatch() }, seed: 1).run(course) { phone, _ in
        found = phone.log.compactMap { entry in
          guard case .fix(_, _, let measured, .gnss) = entry.occurrence else { return nil }
          return measured
        }
      }
      return found
    }
    #expect(times(course).contains { outage.contains($0) })
    let found = times(dark)
    #expect(!found.contains { outage.contains($0) })
    #expect(found.contains { $0 < outage.lowerBound } && found.contains { $0 > outage.upperBound })
  }

  @Test func `a journal changes nothing and holds what was decided`() {
    func result(_ journal: SceneJournal?) -> TrialResult {
      let contender = Trial.Contender(timed: "certified") {
        journal.map { JournaledWatch(CertifiedWatch(), in: $0) as any WatchDecisions } ?? CertifiedWatch()
      }
      return Trial(contender, seed: 3).run(course)
    }
    let journal = SceneJournal()
    let (plain, kept) = (result(nil), result(journal))
    #expect(plain.ledger.marginal == kept.ledger.marginal)
    #expect(plain.matching.outcomes == kept.matching.outcomes)
    #expect(journal.entries.count > 10)
    #expect(zip(journal.entries, journal.entries.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(journal.entries.contains { !$0.commands.isEmpty })
  }

  @Test func `a journal changes nothing of a policy that rings by its own rule`() {
    func result(_ journal: SceneJournal?) -> TrialResult {
      let contender = Trial.Contender(baseline: "duty cycle") {
        journal.map { JournaledBaseline(DutyCycle(), in: $0) as any Baseline } ?? DutyCycle()
      }
      return Trial(contender, seed: 3).run(course)
    }
    let journal = SceneJournal()
    let (plain, kept) = (result(nil), result(journal))
    #expect(plain.ledger.marginal == kept.ledger.marginal)
    #expect(plain.matching.outcomes == kept.matching.outcomes)
    #expect(journal.entries.contains { !$0.commands.isEmpty })
  }
}
