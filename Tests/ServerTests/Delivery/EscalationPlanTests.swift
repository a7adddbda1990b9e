import AlarmEngine
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Escalation")
struct EscalationPlanTests {
  private typealias Plan = EscalationPlan<String>

  private let plan = EscalationPlan(steps: [
    .init(channels: ["push", "ntfy"], delay: .zero), .init(channels: ["mail"], delay: .seconds(60)),
    .init(channels: ["guard"], delay: .minutes(5)),
  ])

  /// Runs a story: each line has a time, an event (`fails X`, `answered` or none), and the expected action.
  private func expectStory(
    of plan: Plan, _ story: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var progress = Plan.Progress(began: someTime)
    for line in story.split(separator: "\n") {
      let words = line.split(separator: "->").map { $0.split(separator: " ").map(String.init) }
      let clock = words[0][0].split(separator: ":").map { Double($0)! }
      let now = someTime + .seconds(clock[0] * 60 + clock[1])
      switch words[0].dropFirst().first {
      case "fails": progress.failed.formUnion(words[0].dropFirst(2))
      case "answered": progress.answeredAt = now
      default: break
      }
      let decision = plan.next(progress, now: now)
      let told: String
      switch decision {
      case .start(let step, let channels):
        #expect(step == progress.started.count, sourceLocation: sourceLocation)
        progress.started.append(now)
        told = "start \(channels.joined(separator: " "))"
      case .wait(let until):
        let seconds = Int((until - someTime).seconds)
        told = "wait \(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
      case .answered: told = "answered"
      case .exhausted: told = "exhausted"
      case .nobodyReached: told = "nobody reached"
      case .expired: told = "expired"
      }
      #expect(told == words[1].joined(separator: " "), "\(line)", sourceLocation: sourceLocation)
    }
  }

  @Test func `one person after the other, until somebody answers`() {
    expectStory(
      of: plan,
      """
      0:00           -> start push ntfy
      0:00           -> wait 1:00
      0:59           -> wait 1:00
      1:00           -> start mail
      1:01           -> wait 6:00
      3:00  answered -> answered
      6:00           -> answered
      """)
  }

  @Test func `a step whose channels have all failed does not keep the next waiting`() {
    expectStory(
      of: plan,
      """
      0:00                  -> start push ntfy
      0:05  fails push      -> wait 1:00
      0:06  fails ntfy      -> start mail
      0:07                  -> wait 5:06
      0:08  fails mail      -> start guard
      0:09                  -> exhausted
      0:10  fails guard     -> nobody reached
      """)
  }

  @Test func `channels that are gone already are left out`() {
    expectStory(
      of: plan,
      """
      0:00  fails push      -> start ntfy
      1:00                  -> start mail
      6:00                  -> start guard
      6:01                  -> exhausted
      """)
  }

  @Test func `nothing starts after the horizon, and a plan of nothing says so`() {
    let short = EscalationPlan(
      steps: [.init(channels: ["a"], delay: .zero), .init(channels: ["b"], delay: .minutes(10))],
      horizon: .minutes(5))
    expectStory(
      of: short,
      """
      0:00  -> start a
      0:01  -> wait 5:00
      5:00  -> expired
      """)
    expectStory(of: EscalationPlan(steps: []), "0:00  -> nobody reached")
  }
}
