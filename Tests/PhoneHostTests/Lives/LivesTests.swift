import Foundation
import TestSupport
import Testing

/// 20 phones of some 35 lives each. `make phone-lives` tries more: `SEED=17` one phone alone, `SIMULATED_SEEDS` so many;
/// `SIMULATION_TELLS=1` prints what happens.
@Suite("Simulated lives of the app", .serialized)
struct LivesTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
  private static let tells = ProcessInfo.processInfo.environment["SIMULATION_TELLS"] != nil
  private static let moves = 120

  @Test func `no zone is lost, and no alarm is lost or doubled, whatever happens to the phone`() {
    let seeds = Self.number("SEED").map { [$0] } ?? Array(1...max(1, Self.number("SIMULATED_SEEDS") ?? 20))
    let start = ContinuousClock.now
    var (lives, alarms) = (0, 0)
    for seed in seeds {
      var story = LifeStory(seed: UInt64(seed))
      story.run(moves: Self.moves)
      (lives, alarms) = (lives + story.phone.lives, alarms + story.oracle.alarms)
      if Self.tells { Self.print(story.log.joined(separator: "\n")) }
      if let failure = story.oracle.failures.first {
        Issue.record(
          """
          seed \(seed): \(failure)
          again: make phone-lives SEED=\(seed)
          \(story.log.suffix(12).joined(separator: "\n"))
          """)
      }
    }
    Self.print("\(lives) lives of \(seeds.count) phones, \(alarms) alarms, \(ContinuousClock.now - start)")
    if seeds.count > 10 { #expect(lives > 20 * seeds.count && alarms > seeds.count) }
  }

  /// Each fault is found by one of so many phones.
  @Test(arguments: LifePhone.Planted.allCases)
  func `an app with a fault is found out`(planted: LifePhone.Planted) {
    let first = (1...60).first { seed in
      var story = LifeStory(seed: UInt64(seed), planted: planted)
      story.run(moves: Self.moves)
      if !story.oracle.failures.isEmpty {
        Self.print("\(planted): found with seed \(seed), \(story.oracle.failures[0])")
      }
      return !story.oracle.failures.isEmpty
    }
    #expect(first != nil)
  }

  private static func print(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
