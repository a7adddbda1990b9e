import Store
import Testing

@testable import AlarmService

@Suite("The share of an account whose past is judged")
struct LatePaceTests {
  private let anna = AccountID(rawValue: 1)
  private let bob = AccountID(rawValue: 2)
  private let start = ContinuousClock.now

  /// Anna and Bob have reported, and a job of Anna's took `cost`.
  private func pace(_ cost: Duration) -> LatePace {
    var pace = LatePace()
    pace.note(reportOf: bob, at: start)
    pace.note(reportOf: anna, at: start)
    pace.note(cost, of: anna, at: start)
    return pace
  }

  @Test func `an account rests three times as long as its job took, and no other one does`() {
    let pace = pace(.milliseconds(400))
    #expect(pace.rest(of: anna, at: start) == .milliseconds(1200))
    #expect(pace.rest(of: anna, at: start + .milliseconds(1000)) == .milliseconds(200))
    #expect(pace.rest(of: anna, at: start + .milliseconds(1200)) == nil)
    #expect(pace.rest(of: bob, at: start) == nil)
  }

  @Test func `nobody rests who is alone`() {
    var alone = LatePace()
    alone.note(reportOf: anna, at: start)
    alone.note(.seconds(1), of: anna, at: start)
    #expect(alone.rest(of: anna, at: start) == nil)
    // Bob's last report is eleven minutes old.
    let later = start + .seconds(660)
    var since = pace(.seconds(1))
    since.note(.seconds(1), of: anna, at: later)
    #expect(since.rest(of: anna, at: later) == nil)
    since.note(reportOf: bob, at: later)
    #expect(since.rest(of: anna, at: later) == .seconds(3))
  }

  @Test func `a rest is bounded`() {
    #expect(pace(.seconds(60)).rest(of: anna, at: start) == .seconds(5))
  }
}
