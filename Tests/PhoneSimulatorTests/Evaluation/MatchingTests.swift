import AlarmEngine
import Geometry
import PhoneSimulator
import Testing

@Suite("Alarms set against the truth")
struct MatchingTests {
  /// Enters at 90 s; stays 20 s, or as long as it stands in the middle.
  private func truth(standing seconds: Double = 0, gaps: [ClosedRange<Instant>] = []) -> GroundTruth {
    let journey =
      seconds > 0
      ? Road.drive(Road.go(1000, 10), .stand(.seconds(seconds)), Road.go(4000, 10))
      : Road.drive(Road.go(4000, 10))
    return GroundTruth(journey, zones: [Road.zone(at: 1000, radius: 100)], gaps: gaps)
  }

  private func matching(_ raised: Double..., with truth: GroundTruth, zone: ZoneID = Road.id) -> Matching {
    Matching(
      raised.map { TrialRecord.Alarm(zone: zone, raisedAt: Road.at($0)) }, with: truth,
      distance: { _, time in 900 - (time - Road.start).seconds * 10 },
      depth: { _, span in (span.upperBound - span.lowerBound).seconds * 10 })
  }

  @Test func `an alarm five seconds after the entry catches the visit, 50 m deep`() throws {
    let found = matching(95, with: truth())
    let outcome = try #require(found.outcomes.first)
    #expect(found.caught == 1 && found.right == 1 && found.falseAlarms.isEmpty)
    #expect(abs(try #require(outcome.lateness) - 5) <= 1)
    #expect(abs(try #require(outcome.depth) - 50) <= 10)
  }

  @Test func `50 s early is right and says how far it was, 70 s early is false`() throws {
    let early = matching(40, with: truth())
    #expect(early.caught == 1)
    #expect(try #require(early.outcomes.first?.early) == 500)
    #expect(try #require(early.outcomes.first?.depth) == 0)
    let tooEarly = matching(20, with: truth())
    #expect(tooEarly.caught == 0)
    #expect(tooEarly.falseAlarms.count == 1)
  }

  @Test func `a short stay is caught until 30 s after its exit`() {
    #expect(matching(138, with: truth()).caught == 1)
    let late = matching(143, with: truth())
    #expect(late.caught == 0)
    #expect(late.falseAlarms.count == 1)
  }

  @Test func `a long stay must be alarmed in two minutes; later is neither right nor wrong`() {
    #expect(matching(90 + 119, with: truth(standing: 600)).caught == 1)
    let late = matching(90 + 125, with: truth(standing: 600))
    #expect(late.caught == 0)
    #expect(late.falseAlarms.isEmpty)
    #expect(late.neither == 1)
    #expect(late.outcomes.first?.raisedAt == Road.at(215))
  }

  @Test func `a second alarm at the same visit is neither right nor wrong`() {
    let found = matching(92, 100, with: truth())
    #expect(found.right == 1 && found.neither == 1 && found.falseAlarms.isEmpty)
  }

  @Test func `an alarm of another zone is false and leaves the visit missed`() {
    let found = matching(92, with: truth(), zone: ZoneID(rawValue: 8))
    #expect(found.caught == 0 && found.falseAlarms.count == 1)
  }

  @Test func `an alarm where the truth is not known is not counted`() {
    let gap = Road.at(300)...Road.at(380)
    let found = matching(92, 350, with: truth(gaps: [gap]))
    #expect(found.right == 1 && found.neither == 1 && found.falseAlarms.isEmpty)
  }

  @Test func `no alarm at all misses the visit`() {
    let found = matching(with: truth())
    #expect(found.outcomes.map(\.isCaught) == [false])
    #expect(found.outcomes[0].lateness == nil)
  }
}
