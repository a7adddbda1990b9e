import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Watch policies: the clock is set")
struct WatchClockTests {
  /// A policy that has received one fix, and its commands up to then.
  private struct Told {
    var watch: Watch
    var timeline: Timeline
    var commands: [WatchCommand] = []

    init(_ name: WatchPolicyName, at now: Instant) {
      watch = Watch(name)
      timeline = Timeline(
        device: DeviceID(rawValue: 1), settings: AlarmStory.quietSettings, zones: [AlarmStory.circle()])
      var capabilities = Capabilities.timed
      capabilities.motion = false
      tell(.started(.person, capabilities: capabilities, lastKnown: nil), at: now)
    }

    mutating func tell(_ event: WatchEvent, at now: Instant) {
      if case .fix(let fix) = event { timeline.insert([.fix(fix)]) }
      if case .clockJumped(let span) = event { timeline.clockJumped(by: span, at: now) }
      timeline.advance(to: now)
      commands = watch.handle(event, at: now, zones: timeline.surroundings(at: now))
    }

    mutating func fix(_ east: Double, at now: Instant) {
      tell(
        .fix(Fix(position: AlarmStory.place(east: east), accuracy: .radius(.metres(5)), measuredAt: now)),
        at: now)
    }

    var timers: [Instant?] { commands.compactMap { if case .timer(let time) = $0 { time } else { nil } } }
    var guarantee: Guarantee {
      let zones = timeline.surroundings(at: timeline.through!)
      return watch.guarantee(ofWatched: zones.slots.lowerBound, zones)
    }
  }

  @Test(arguments: [-7200.0, -15, 7200])
  func `sleeping by timer: it is told anew for the same moment, and what is promised stays`(seconds: Double)
    throws
  {
    let jump = TimeSpan.seconds(seconds)
    let now = AlarmStory.start + .hours(3)
    var told = Told(.certified, at: now)
    told.fix(20_000, at: now + .seconds(2))
    let planned = try #require(told.timers.last ?? nil)
    let promised = told.guarantee
    guard case .guaranteed = promised else {
      Issue.record("nothing is promised: \(promised)")
      return
    }
    told.tell(.clockJumped(by: jump), at: now + .seconds(2) + jump)
    #expect(told.timers == [planned + jump])
    #expect(told.guarantee == promised)
    #expect(told.watch.reason.due.map { $0 <= planned + jump } ?? true)
  }

  @Test
  func `set back and forth, the next fix is judged by what the phone can have moved, and sleep is as long`()
    throws
  {
    let now = AlarmStory.start + .hours(3)
    var straight = Told(.certified, at: now)
    var jumping = straight
    straight.fix(20_000, at: now + .seconds(2))
    jumping.fix(20_000, at: now + .seconds(2))
    jumping.tell(.clockJumped(by: .hours(-2)), at: now + .seconds(30) - .hours(2))
    straight.fix(16_000, at: now + .seconds(130))
    jumping.fix(16_000, at: now + .seconds(130) - .hours(2))
    let expected = try #require(straight.timers.last ?? nil)
    #expect(jumping.timers.last == expected - .hours(2))
  }

  @Test(arguments: WatchPolicyName.allCases)
  func `no policy keeps a timer of the old clock`(name: WatchPolicyName) {
    let now = AlarmStory.start + .hours(3)
    var told = Told(name, at: now)
    told.fix(20_000, at: now + .seconds(2))
    told.tell(.clockJumped(by: .hours(-2)), at: now + .seconds(3) - .hours(2))
    for case let time? in told.timers {
      #expect(time < now, "\(name) would sleep two hours too long")
    }
  }
}

@Suite("Comparison of clocks")
struct ClockComparisonTests {
  @Test func `tells how far the clock was set, not that time passed or that clocks differ a little`() {
    let start = AlarmStory.start
    var clocks = ClockComparison(now: start, uptime: .seconds(5))
    #expect(clocks.jump(now: start + .seconds(60), uptime: .seconds(65)) == nil)
    #expect(clocks.jump(now: start + .seconds(119.4), uptime: .seconds(125)) == nil)
    #expect(clocks.jump(now: start - .hours(2) + .seconds(180), uptime: .seconds(185)) == .hours(-2))
    #expect(clocks.jump(now: start - .hours(2) + .seconds(190), uptime: .seconds(195)) == nil)
    #expect(clocks.jump(now: start + .seconds(200), uptime: .seconds(205)) == .hours(2))
    // Small steps add up.
    #expect(clocks.jump(now: start + .seconds(299.5), uptime: .seconds(305)) == nil)
    #expect(clocks.jump(now: start + .seconds(398.9), uptime: .seconds(405)) == .milliseconds(-1100))
    var without = ClockComparison(now: start, uptime: nil)
    #expect(without.jump(now: start - .hours(2), uptime: nil) == nil)
  }
}
