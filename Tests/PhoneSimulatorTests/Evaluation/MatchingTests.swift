import AlarmEngine
import Geometry
import Testing

@testable import PhoneSimulator

@Suite("Alarms set against the truth")
struct MatchingTests {
  /// Enters at 90 s; stays 20 s, or stops in the middle for the given time.
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

  /// Alarms of one zone that may be early by so many metres; the phone drives at 10 m/s.
  private func early(_ raised: [Double], by metres: Double) -> Matching {
    Matching(
      raised.map { seconds in
        var alarm = TrialRecord.Alarm(zone: Road.id, raisedAt: Road.at(seconds))
        alarm.earliness = metres
        return alarm
      }, with: truth(),
      distance: { _, time in 900 - (time - Road.start).seconds * 10 }, depth: { _, _ in 0 },
      travelled: { ($0.upperBound - $0.lowerBound).seconds * 10 })
  }

  @Test func `an alarm as early as twice the error it was given with is right, one metre more is false`() {
    // 70 s before the entry at 10 m/s: 700 m.
    #expect(early([20], by: 710).caught == 1)
    #expect(early([20], by: 710).falseAlarms.isEmpty)
    #expect(early([20], by: 690).caught == 0)
    #expect(early([20], by: 690).falseAlarms.map(\.distance) == [700])
  }

  @Test func `until the phone was 200 m away a second alarm repeats the first, after that it is false`() {
    // Leaves at 110 s, is 200 m away at 130 s; the window of the short stay ends at 140 s.
    let again = matching(92, 128, with: truth())
    #expect(again.right == 1 && again.repeated == 1 && again.falseAlarms.isEmpty)
    let away = matching(92, 145, with: truth())
    #expect(away.right == 1 && away.repeated == 0 && away.falseAlarms.count == 1)
  }

  @Test func `a visit that has had its alarm does not take that of the next one`() {
    // Leaves at 110 s, is 200 m away at 130 s, and enters again at 135 s. The window of the first visit ends at
    // 140 s.
    let truth = GroundTruth(
      Road.drive(Road.go(1310, 10), Road.go(1000, 50), .stand(.seconds(60))),
      zones: [Road.zone(at: 1000, radius: 100)])
    let both = matching(92, 136, with: truth)
    #expect(both.outcomes.map(\.raisedAt) == [Road.at(92), Road.at(136)])
    #expect(both.caught == 2 && both.repeated == 0 && both.falseAlarms.isEmpty)
    // One alarm is that of the visit during which it was raised, or of the first if that was before the second.
    #expect(matching(136, with: truth).outcomes.map(\.isCaught) == [false, true])
    #expect(matching(134, with: truth).outcomes.map(\.isCaught) == [true, false])
  }

  @Test func `a repetition needs an alarm before it: late after a missed visit is false`() {
    let slow = GroundTruth(
      Road.drive(Road.go(1000, 10), Road.go(4000, 1)), zones: [Road.zone(at: 1000, radius: 100)])
    // Leaves at 200 s, is 60 m away at 260 s.
    #expect(matching(260, with: slow).falseAlarms.count == 1)
    let heard = matching(95, 260, with: slow)
    #expect(heard.falseAlarms.isEmpty && heard.repeated == 1)
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

  // MARK: Alarms that only say that the phone may be inside

  private static let near = Road.zone(at: 1000, radius: 100)

  /// The distance in metres from the zone within which such an alarm is not false.
  private func beside(_ assurance: Assurance, at seconds: Double, accuracy: Double = 65) -> Double? {
    var zone = Self.near
    zone.change { $0.assurance = assurance }
    // Drives until 88 s, rests 20 m before the line, and drives away again an hour later.
    let journey = Road.drive(Road.go(880, 10), .stand(.hours(1)), Road.go(0, 10))
    let course = Trial.Case(name: "beside", scenario: "tests", journey: journey, zones: [zone])
    var log = EventLog()
    let time = Road.at(seconds)
    log.append(.fix(Road.place(880), accuracy: accuracy, measuredAt: time, by: .wifi), at: time)
    let alarm = TrialRecord.Alarm(zone: Road.id, raisedAt: time, cause: .possible)
    guard let line = AlarmLine(zone, settings: .phone) else { return nil }
    return TrialResult.weighed([alarm], course, [Road.id: line], log).first?.beside
  }

  @Test func `who says "may be inside" 20 m off is right only of a safety zone, and of a phone that moves`() {
    #expect(beside(.safety, at: 100) == 30)
    #expect(beside(.safety, at: 205) == 30)
    // Two minutes later it rests, and the phone has to be inside.
    #expect(beside(.safety, at: 215) == 0)
    #expect(beside(.normal, at: 100) == 0 && beside(.relaxed, at: 100) == 0)
    #expect(beside(.safety, at: 100, accuracy: 900) == 0)
  }

  @Test func `"may be inside" at no visit is as false as any other alarm, unless the rule wants it there`() {
    func falseAlarms(beside metres: Double, cause: Cause = .possible) -> Int {
      var alarm = TrialRecord.Alarm(zone: Road.id, raisedAt: Road.at(2000), cause: cause)
      alarm.beside = metres
      let found = Matching([alarm], with: truth(), distance: { _, _ in 20 }, depth: { _, _ in 0 })
      return found.falseAlarms.count
    }
    #expect(falseAlarms(beside: 0) == 1)
    #expect(falseAlarms(beside: 19) == 1)
    #expect(falseAlarms(beside: 30) == 0)
    #expect(falseAlarms(beside: 30, cause: .inside) == 1)
  }
}
