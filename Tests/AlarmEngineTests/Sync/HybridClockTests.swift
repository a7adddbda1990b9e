import AlarmEngine
import TestSupport
import Testing

@Suite("Hybrid logical clock")
struct HybridClockTests {
  @Test(arguments: Seeds.few(20))
  func `whatever the wall clock does, each time is later than all made or received before`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var clock = HybridClock(node: 1)
    var latest: HybridTime?
    for _ in 0..<200 {
      let now = Instant(millisecondsSince1970: .random(in: 0...50, using: &generator))
      if Bool.random(using: &generator) {
        let received = HybridTime(
          time: Instant(millisecondsSince1970: .random(in: 0...60, using: &generator)),
          counter: .random(in: 0...3, using: &generator), node: 2)
        try clock.receive(received, at: now)
        latest = max(latest ?? received, received)
      } else {
        let made = clock.tick(at: now)
        if let latest { #expect(made > latest, "seed \(seed)") }
        #expect(made.time >= now, "seed \(seed)")
        latest = made
      }
    }
  }

  @Test func `a full counter goes on with the next millisecond`() {
    let full = HybridTime(time: Instant(millisecondsSince1970: 5), counter: .max, node: 9)
    var clock = HybridClock(node: 1, last: full)
    let made = clock.tick(at: Instant(millisecondsSince1970: 5))
    #expect(made > full)
    #expect(made == HybridTime(time: Instant(millisecondsSince1970: 6), counter: 0, node: 1))
  }

  @Test func `a clock that is too far ahead is refused and changes nothing`() {
    var clock = HybridClock(node: 1)
    let now = Instant(millisecondsSince1970: 0)
    let ahead = HybridTime(time: now + .minutes(10) + .milliseconds(1), counter: 0, node: 2)
    #expect(throws: HybridClockError.ahead(given: ahead.time, allowed: now + .minutes(10))) {
      try clock.receive(ahead, at: now)
    }
    #expect(clock.last == nil)
  }
}
