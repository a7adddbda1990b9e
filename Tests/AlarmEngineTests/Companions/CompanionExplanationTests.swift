import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Why a companion alarm rang, or did not")
struct CompanionExplanationTests {
  private let story = CompanionStory()

  @Test func `who comes near is explained before, at and after the alarm`() throws {
    var alarm = story.alarm(try CompanionStory.rules())
    // Anna stands still; I come from 2 km away at 10 m/s and stay.
    let own = (0...40).map { story.fix(Double($0) * 10, east: max(0, 2000 - Double($0) * 100)) }
    let hers = (0...40).map { story.fix(Double($0) * 10 + 3, east: 0, north: 5) }
    func explained(_ seconds: Double) -> Explanation? {
      alarm.explanation(
        watcher: own, target: hers, at: CompanionStory.at(seconds), through: CompanionStory.at(seconds + 900))
    }
    let before = try #require(explained(60))
    #expect(before.verdict == .outside && abs((before.distance?.metres ?? 0) - 1400) < 120)
    #expect(before.zone == CompanionStory.companion.zone)
    alarm.judge(watcher: own, target: hers, through: CompanionStory.at(410))
    let rung = try #require(alarm.rung.first)
    let at = alarm.explanation(
      watcher: own, target: hers, at: rung.at, through: rung.at + .minutes(15))
    #expect(at?.verdict.rings == true && (at?.distance ?? .zero) <= .metres(520))
    #expect(explained(400)?.verdict == .ringing)
    #expect(explained(-10) == nil, "nothing was judged yet")
  }

  @Test(arguments: Seeds.few(6))
  func `every record is judged again to the same verdict, and what rings was decided by one that rings`(
    seed: Int
  ) throws {
    let (own, hers) = story.walks(seed: seed, seconds: 1800)
    for trigger in CompanionTrigger.allCases {
      let rules = try CompanionStory.rules(trigger, metres: 700)
      var alarm = story.alarm(rules)
      let fresh = alarm
      let end = CompanionStory.at(1800)
      alarm.judge(watcher: own, target: hers, through: end)
      for seconds in stride(from: 0.0, through: 1800, by: 180) {
        let time = CompanionStory.at(seconds)
        let explanation = fresh.explanation(
          watcher: own, target: hers, at: time, through: min(end, time + .minutes(15)))
        #expect(
          explanation.map { $0.replayed() == $0.verdict } ?? true, "seed \(seed), \(trigger), \(seconds) s")
      }
      for rung in alarm.rung {
        let explanation = fresh.explanation(watcher: own, target: hers, at: rung.at, through: end)
        #expect(explanation?.verdict.rings == true, "seed \(seed), \(trigger), \(rung.at)")
      }
    }
  }
}
