import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

/// The bound on the way of a phone since its last position.
@Suite("Displacement budget")
struct DisplacementBudgetTests {
  @Test func `a word that comes again charges what may have gone before it at the greatest speed`() {
    let parameters = CertifiedParameters()
    var budget = DisplacementBudget(at: AlarmStory.start)
    budget.told(.walking, at: AlarmStory.start, unannounced: .zero, parameters)
    budget.restart(at: AlarmStory.start, now: AlarmStory.start, speed: nil, parameters)
    let later = AlarmStory.start + .seconds(100)
    #expect(budget.bound(at: later, unannounced: .zero, parameters) == .metres(350))
    budget.told(.walking, at: later, unannounced: parameters.greatestSpeed, parameters)
    // 70 s of walking, and 30 s that may have been a drive: from 3.5 to 45 m/s in 83/6 s, then at 45 m/s.
    let drive = (3.5 + 45) / 2 * 83 / 6 + 45 * (30 - 83.0 / 6)
    let bound = budget.bound(at: later, unannounced: .zero, parameters)
    #expect(abs(bound.metres - 3.5 * 70 - drive) < 0.01)
  }

  @Test func `the bound reaches no distance sooner than it says`() {
    let parameters = CertifiedParameters()
    for seed in Seeds.few(300, from: 9000) {
      var generator = SeededGenerator(seed: UInt64(seed))
      var now = AlarmStory.start
      var budget = DisplacementBudget(at: now)
      let unannounced = Speed.metresPerSecond([0.0, 7, 15, 45][Int.random(in: 0..<4, using: &generator)])
      for _ in 0..<4 {
        now = now + .seconds(generator.double(in: 0...40))
        if Bool.random(using: &generator) {
          let motions = [Motion.still, .walking, .cycling, .driving, .unknown]
          budget.told(
            motions[Int.random(in: 0..<5, using: &generator)], at: now, unannounced: unannounced, parameters)
        } else {
          let speed: Speed? =
            Bool.random(using: &generator) ? .metresPerSecond(generator.double(in: 0...45)) : nil
          budget.restart(
            at: now - .seconds(generator.double(in: 0...3)), now: now, speed: speed, parameters)
        }
      }
      now = now + .seconds(generator.double(in: 0...40))
      let distance = Distance.metres(generator.double(in: 0...3000))
      func bound(after seconds: Double) -> Double {
        budget.bound(at: now + .seconds(seconds), unannounced: unannounced, parameters).metres
      }
      let seconds = budget.seconds(until: distance, from: now, unannounced: unannounced, parameters)
      if seconds == 0 {
        #expect(bound(after: 0) >= distance.metres, "seed \(seed)")
        continue
      }
      for share in [0.1, 0.3, 0.5, 0.8, 0.99] {
        let reached = bound(after: (seconds ?? 3600) * share)
        #expect(
          reached <= distance.metres + 0.1, "seed \(seed): \(reached) m after \(share) of \(seconds ?? -1) s")
      }
    }
  }
}
