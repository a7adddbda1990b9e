import AlarmEngine
import Geometry
import TestSupport
import Testing

/// An event that is told is explained by the decision behind it, also if the clock decided.
@Suite("Decisions behind events")
struct DecisionTests {
  /// Returns the verdicts that explain the events of a zone, each asked for by the time of the event.
  private func verdicts(_ zone: Zone, _ story: String) -> [Verdict?] {
    var run = AlarmStory(zones: [zone])
    _ = run.told(story)
    return run.timeline.events.compactMap { event in
      guard event.isDecision(of: zone.id) else { return nil }
      let decision = run.timeline.decision(of: zone.id, toldAt: event.time)
      #expect(decision?.replayed() == decision?.verdict)
      return .some(decision?.verdict)
    }
  }

  private static let coarse = """
    0:00  x 600 ±5
    1:00  x 90 ±120
    5:00  x 5000 ±5
    """

  @Test func `a coarse position that no better one settled`() {
    #expect(verdicts(AlarmStory.circle(), Self.coarse).first == .stillPossible)
  }

  @Test func `perhaps`() {
    let story = Self.coarse.replacing("x 90", with: "x 130")
    #expect(verdicts(AlarmStory.circle(), story) == [.perhaps])
  }

  @Test func `a stay that the clock ended`() {
    let zone = AlarmStory.circle {
      $0.assurance = .safety
      $0.trigger = .dwell(.minutes(2))
    }
    let story = """
      0:00  x 600 ±5
      1:00  x 0 ±5
      9:00  x 600 ±5
      """
    #expect(verdicts(zone, story).first == .dwelledLongEnough)
  }

  @Test(arguments: ["9:00  x 600 ±5", "9:00  x 0 ±5", "3:00  x 0 ±5"])
  func `a time outside that the clock ended, whatever came next`(next: String) {
    let zone = AlarmStory.circle { $0.trigger = .leave(after: .minutes(2)) }
    let story = """
      0:00  x 0 ±5
      0:30  x 400 ±5
      \(next)
      """
    #expect(verdicts(zone, story).first == .stayedOutside)
  }

  @Test func `a predicted entry that did not come`() {
    let zone = AlarmStory.circle { $0.leadTime = .seconds(60) }
    let story = """
      0:00  x 2400 ±5
      0:30  x 1800 ±5
      1:00  x 1200 ±5
      1:10  x 1180 ±5
      9:00  x 1180 ±5
      """
    #expect(verdicts(zone, story) == [.positionInside, .cleared])
  }

  @Test func `each alarm and each perhaps of any journey`() {
    var told = 0
    for seed in UInt64(300)..<320 {
      let journey = RandomJourney(seed: seed, fixes: 150)
      var timeline = TimelineTests.timeline(journey)
      timeline.insert(journey.inputs)
      timeline.advance(to: AlarmStory.start + .hours(5))
      for event in timeline.events {
        let zone: ZoneID
        let isAlarm: Bool
        switch event.kind {
        case .alarm(let report): (zone, isAlarm) = (report.zone, true)
        case .perhaps(let doubtful, _, _, _): (zone, isAlarm) = (doubtful, false)
        case .repeat, .cleared, .missedSignal, .ignored, .notice, .proposal: continue
        }
        told += 1
        let verdict = timeline.decision(of: zone, toldAt: event.time)?.verdict
        #expect(
          verdict.map { $0.rings || !isAlarm && $0 == .perhaps } == true,
          "seed \(seed): \(event) is explained by \(String(describing: verdict))")
      }
    }
    #expect(told > 50)
  }
}
