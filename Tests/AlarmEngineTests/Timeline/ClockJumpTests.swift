import AlarmEngine
import Geometry
import TestSupport
import Testing

@Suite("Clock jumps")
struct ClockJumpTests {
  @Test func `set back two hours 200 m before a zone: rings on entering as it would have`() {
    expectStory(
      [AlarmStory.circle()],
      """
      2:00:00  x 300
      0:10  clock -2:00:00
      0:15  x 150
      0:20  x 80    -> alarm inside @0:18.6
      0:30  x 50
      """)
  }

  @Test func `set back 15 s or forward two hours: nothing is late`() {
    expectStory(
      [AlarmStory.circle()],
      """
      0:20  x 300
      0:10  clock -0:15
      0:12  x 80    -> alarm inside @0:11.4
      """)
    expectStory(
      [AlarmStory.circle()],
      """
      0:20  x 300
      2:00:25  clock 2:00:00
      2:00:27  x 80   -> alarm inside @2:00:26.4
      """)
  }

  @Test func `an alarm that rings goes on in its cycle, is answered by its id, and clears`() throws {
    var story = AlarmStory(zones: [AlarmStory.circle()], settings: Settings())
    let told = story.told(
      """
      2:00:00  x 0
      2:00:05  wait
      0:06  clock -2:00:00
      0:10  wait
      0:15  close
      0:20  wait
      0:21  x 400
      0:22  x 430
      """)
    #expect(
      told
        == AlarmStory.plain(
          """
          2:00:00 x 0 -> alarm inside
          2:00:05 wait
          0:06 clock -2:00:00
          0:10 wait -> repeat
          0:15 close
          0:20 wait -> repeat
          0:21 x 400
          0:22 x 430 -> cleared left @0:05.3
          """))
  }

  @Test func `what fell due by the old clock before the jump is said with the jump`() {
    expectStory(
      [AlarmStory.circle()], settings: Settings(),
      """
      2:00:00  x 0     -> alarm inside
      0:25  clock -2:00:00  -> repeat @2:00:10, repeat @2:00:20
      0:30  wait       -> repeat
      """)
  }

  @Test func `a stay is as long as it lasted, whatever the clock did`() {
    let zone = AlarmStory.circle { $0.trigger = .dwell(.minutes(10)) }
    expectStory(
      [zone],
      """
      2:00:00  x 0
      2:05:00  x 1
      0:05:10  clock -2:00:00
      0:09:50  x 0
      0:10:05  x 1  -> alarm dwell @10:00
      """)
    expectStory(
      [zone],
      """
      0:00  x 0
      2:00:10  clock 2:00:00
      2:00:20  x 1
      2:10:05  x 0  -> alarm dwell @2:10:00
      """)
  }

  @Test func `a sleep is as long as was asked for, an acknowledgement for today never longer`() {
    let zone = AlarmStory.circle { $0.sleepTime = .minutes(5) }
    expectStory(
      [zone],
      """
      2:00:00  x 0     -> alarm inside
      2:00:10  sleep
      0:02:00  clock -2:00:00
      0:05:00  x 1
      0:05:20  x 0     -> alarm inside
      """)
    expectStory(
      [zone],
      """
      2:00:00  x 0     -> alarm inside
      2:00:10  today 3:00:00
      0:02:00  clock -2:00:00
      0:59:00  x 1
      1:00:10  x 0     -> alarm inside
      """)
    // Midnight of the new clock has passed.
    expectStory(
      [zone],
      """
      2:00:00  x 0     -> alarm inside
      2:00:10  today 3:00:00
      3:02:20  clock 1:02:00
      3:02:30  x 1     -> alarm inside
      """)
  }

  @Test func `hours go by the new clock at once: closing ends, opening judges where the phone is`() {
    let zone = AlarmStory.circle {
      // Monday 1:00 to 1:30.
      $0.schedule = Schedule(
        windows: [.init(weekdays: .init(rawValue: 1), opens: 60, closes: 90)], timeZone: "UTC",
        offsets: [.init(from: Instant(millisecondsSince1970: 0), seconds: 0)])
    }
    expectStory(
      [zone],
      """
      3:00:00  x 0
      1:10:00  clock -2:00:00  -> alarm inside
      0:20:00  clock -1:00:00  -> cleared schedule_closed
      """.replacing("schedule_closed", with: "scheduleClosed"))
  }

  @Test func `a fix of the old clock is refused as too old, one of the new clock is not`() {
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: Settings(), zones: [AlarmStory.circle()])
    let start = AlarmStory.start + .hours(2)
    func fix(_ east: Double, _ at: Instant) -> Fix {
      Fix(position: AlarmStory.place(east: east), accuracy: .radius(.metres(5)), measuredAt: at)
    }
    timeline.insert([.fix(fix(300, start)), .fix(fix(290, start + .seconds(1)))])
    let now = start + .seconds(2) - .hours(2)
    timeline.clockJumped(by: .hours(-2), at: now)
    #expect(timeline.position == fix(290, now - .seconds(1)))
    #expect(timeline.keptFrom == now - .milliseconds(999))
    #expect(timeline.through == now)
    let old = timeline.insert([.fix(fix(280, now - .seconds(2)))])
    #expect(old.refused.map(\.reason) == [.tooOld])
    // Measured while the jump was being detected.
    let next = fix(285, now - .milliseconds(500))
    #expect(timeline.insert([.fix(next)]).refused.isEmpty)
    #expect(timeline.position == next)
  }

  @Test func `a program that finds its clock behind after it was not running goes on by the new one`() throws
  {
    let zones = WatchedZones([AlarmStory.circle()])
    var timeline = Timeline(device: DeviceID(rawValue: 1), settings: Settings(), watched: zones)
    let start = AlarmStory.start + .hours(2)
    #expect(timeline.jumpWhileAway(at: start) == nil)
    timeline.insert([
      .fix(Fix(position: AlarmStory.place(east: 0), accuracy: .radius(.metres(5)), measuredAt: start))
    ])
    var again = try Timeline(
      snapshot: timeline.snapshot(), device: DeviceID(rawValue: 1), settings: Settings()
    ) { _ in zones }
    #expect(again.jumpWhileAway(at: start + .hours(1)) == nil)
    #expect(again.jumpWhileAway(at: start - .milliseconds(900)) == nil)
    #expect(again.jumpWhileAway(at: start - .hours(1)) == .hours(-1))
    again.clockJumped(by: .hours(-1), at: start - .hours(1))
    #expect(again.advance(to: start - .hours(1) + .seconds(10)).added.count == 1, "the repeat")
  }

  @Test func `the record of a jump says what it did, and is judged again to the same`() throws {
    var story = AlarmStory(zones: [AlarmStory.circle()])
    _ = story.told("2:00:00 x 0\n0:10 clock -2:00:00\n0:20 x 1")
    let zone = ZoneID(rawValue: 1)
    let records = story.timeline.explanations(of: zone, in: Instant.allowed)
    #expect(records.map(\.verdict) == [.clockJumped, .ringing])
    let record = try #require(records.first)
    #expect(record.basis == .clockJumped(by: .hours(-2)))
    #expect(record.decidedAt == AlarmStory.start + .seconds(10))
    #expect(record.replayed() == .clockJumped)
    #expect(story.timeline.lastClockJump == ClockJump(at: record.decidedAt, by: .hours(-2)))
    let later = (AlarmStory.start + .seconds(15))...Instant.allowed.upperBound
    #expect(story.timeline.explanations(of: zone, in: later).map(\.verdict) == [.ringing])
  }
}

@Suite("Clock jumps at random")
struct RandomClockJumpTests {
  /// A clock that is set now and then, with its reading of true times.
  struct SetClock {
    var offset = TimeSpan.zero
    func time(_ true: Instant) -> Instant { `true` + offset }
    func fix(_ fix: Fix) -> Fix {
      Fix(
        position: fix.position, accuracy: fix.accuracy, measuredAt: time(fix.measuredAt),
        receivedAt: time(fix.receivedAt), speed: fix.speed, course: fix.course,
        altitude: fix.altitude)
    }
  }

  /// The events with true times and without ids, which are made from times.
  private static func plain(_ events: [Event], _ offset: TimeSpan) -> [String] {
    events.map { event in
      let times = [event.time, event.decidedAt, event.learnedAt].map { ($0 - offset).millisecondsSince1970 }
      let what: String
      switch event.kind {
      case .alarm(let report): what = "alarm \(plain(report))"
      case .repeat(let report): what = "repeat \(plain(report))"
      case .cleared(let report, let why): what = "cleared \(plain(report)) \(why)"
      case .missedSignal(let zone, let distance, _): what = "missed \(zone.rawValue) \(distance.metres)"
      case .perhaps(let zone, let distance, _, let share):
        what = "perhaps \(zone.rawValue) \(distance.metres) \(share)"
      case .ignored(let fix, let reason):
        what = "ignored \((fix.measuredAt - offset).millisecondsSince1970) \(reason)"
      case .notice(let zone): what = "notice \(zone.rawValue)"
      case .proposal(let proposal): what = "proposal \(proposal.lines.count)"
      }
      return "\(times) \(what)"
    }
  }

  private static func plain(_ report: AlarmReport) -> String {
    "\(report.zone.rawValue) \(report.cause) \(report.distance.metres) \(report.position)"
  }

  @Test(arguments: Seeds.few(12))
  func `a device whose clock is set at any time says what one says whose clock is right`(seed: Int) throws {
    let journey = RandomJourney(seed: UInt64(seed) + 3000)
    var random = SeededGenerator(seed: UInt64(seed))
    var settings = AlarmStory.quietSettings
    settings.change(.alarmCycle, to: 20)
    settings.change(.signalTimeout, to: 60)
    // Schedules follow the clock, so the zones have none here.
    let zones = WatchedZones(
      journey.zones.map { zone in
        var zone = zone
        zone.change { $0.schedule = nil }
        return zone
      })
    let device = DeviceID(rawValue: 1)
    var right = Timeline(device: device, settings: settings, watched: zones)
    var jumping = right
    var clock = SetClock()
    var ids: [AlarmID: AlarmID] = [:]
    var jumps = 0
    func expectSame(_ a: Timeline.Change, _ b: Timeline.Change) {
      #expect(Self.plain(a.added, .zero) == Self.plain(b.added, clock.offset), "seed \(seed)")
      #expect(a.retracted.isEmpty && b.retracted.isEmpty, "seed \(seed)")
      for (one, other) in zip(a.added, b.added) {
        guard case .alarm(let ours) = one.kind, case .alarm(let theirs) = other.kind else { continue }
        if let known = ids[ours.alarm] { #expect(known == theirs.alarm, "seed \(seed): an id changed") }
        ids[ours.alarm] = theirs.alarm
      }
    }
    var last = AlarmStory.start
    for fix in journey.fixes where fix.measuredAt > last {
      // A moment between the last fix and this one.
      let between = last + .milliseconds((fix.measuredAt - last).milliseconds / 2)
      if random.next() % 6 == 0 {
        let jump = TimeSpan.milliseconds(Int64(random.double(in: -9e6...9e6)))
        let expected = right.advance(to: between)
        let said = jumping.clockJumped(by: jump, at: clock.time(between) + jump)
        // Anything due before it is reported by the old clock.
        expectSame(expected, said)
        clock.offset = clock.offset + jump
        jumps += 1
      }
      if random.next() % 5 == 0, let ours = ids.keys.sorted(by: { $0.rawValue < $1.rawValue }).last {
        let theirs = try #require(ids[ours])
        func both(_ command: (AlarmID) -> Command) {
          expectSame(
            right.insert([.command(command(ours), at: between)]),
            jumping.insert([.command(command(theirs), at: clock.time(between))]))
        }
        switch random.next() % 3 {
        case 0: both { .close($0) }
        case 1: both { .sleep($0) }
        default: both { .acknowledgeInside($0) }
        }
      }
      if random.next() % 4 == 0 {
        let bytes = jumping.snapshot()
        jumping = try Timeline(snapshot: bytes, device: device, settings: settings) { _ in zones }
        #expect(jumping.snapshot() == bytes, "seed \(seed)")
      }
      expectSame(right.insert([.fix(fix)]), jumping.insert([.fix(clock.fix(fix))]))
      expectSame(right.advance(to: fix.measuredAt), jumping.advance(to: clock.time(fix.measuredAt)))
      last = fix.measuredAt
      #expect(right.wantsFix == jumping.wantsFix, "seed \(seed)")
      #expect(right.nextDue == jumping.nextDue.map { $0 - clock.offset }, "seed \(seed)")
    }
    #expect(jumps > 5 && !ids.isEmpty, "seed \(seed)")
  }
}
