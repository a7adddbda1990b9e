import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

/// The certified policy on a phone that rests, is parked, or sets off.
@Suite("Certified watch: rest")
struct CertifiedRestTests {
  private static let safe = AlarmStory.circle { $0.assurance = .safety }

  @Test func `inside a zone that rang a suspended phone needs no session until it leaves`() {
    var teller = WatchTeller([AlarmStory.circle(radius: 1500)], .suspended)
    teller.tell(.fix(WatchTeller.fix(0, at: 5)), 5)
    #expect(teller.isFencing)
    #expect(teller.tell(.fenceState(.movement, inside: true), 7).contains(.endSession))
    #expect(teller.guarantee(8) == .bestEffort(.rangAlready))
  }

  @Test(arguments: [(8000.0, 400.0), (3000, 400), (1000, 1300), (200, 1300)])
  func `beside a zone that could be entered before the fence is heard of the phone parks later`(
    _ place: (east: Double, parksBy: Double)
  ) {
    var teller = WatchTeller([Self.safe], .suspended)
    teller.tell(.motion(.still), 1)
    teller.tell(.fix(WatchTeller.fix(place.east, at: 5)), 5)
    teller.tell(.fix(WatchTeller.fix(place.east, at: 60)), 60)
    if place.parksBy > 1200 {
      teller.wait(until: 1190, at: place.east)
      #expect(!teller.isFencing)
    }
    teller.wait(until: place.parksBy, at: place.east)
    #expect(teller.isFencing)
  }

  @Test
  func `a phone that parks beside a zone leaves a fence sooner on each side, and says what it cannot notice`()
  {
    var teller = WatchTeller([AlarmStory.circle(radius: 50)], .suspended)
    teller.tell(.motion(.still), 1)
    teller.tell(.fix(WatchTeller.fix(130, at: 5)), 5)
    teller.tell(.timer, 1300)
    let commands = teller.tell(.fix(WatchTeller.fix(130, at: 1301)), 1301)
    var laid: [Fence] = []
    for case .fences(let fences) in commands { laid = fences }
    let place = AlarmStory.place(east: 130)
    #expect(laid.count { $0.onExit } == 9)
    // Each contains the phone with its error. In any direction the phone leaves one of them within half the
    // distance of a fence around the phone itself.
    let error = 5 * Rule.errorFactor(.safety)
    for fence in laid where fence.onExit {
      #expect(fence.center.distance(to: place).metres + error <= fence.radius.metres)
    }
    for degrees in stride(from: 0.0, to: 360, by: 5) {
      let there = Geodesic.destination(from: place, azimuth: .degrees(degrees), distance: .metres(50))
      let left = laid.count { $0.onExit && $0.center.distance(to: there) > $0.radius }
      #expect(left >= 1)
    }
    teller.park(1302)
    #expect(teller.guarantee(1340) == .bestEffort(.parkedBeside))
    // Any fence that is left wakes it.
    var asked = 0
    for case .requestFix in teller.tell(.fenceExited(.aside(3)), 1400) { asked += 1 }
    #expect(asked == 1)
  }

  @Test(arguments: [(130.0, true, true), (130, false, false), (600, true, false)])
  func `a phone that parks near a zone is woken by live updates when it moves, where there are any`(
    _ place: (east: Double, hasUpdates: Bool, waits: Bool)
  ) {
    var capabilities = Capabilities.suspended
    capabilities.liveUpdates = place.hasUpdates
    var teller = WatchTeller([AlarmStory.circle(radius: 50)], capabilities)
    teller.tell(.motion(.still), 1)
    teller.tell(.fix(WatchTeller.fix(place.east, at: 5)), 5)
    teller.tell(.timer, 1300)
    teller.tell(.fix(WatchTeller.fix(place.east, at: 1301)), 1301)
    let parked = teller.park(1302)
    #expect(parked.contains(.session(.wakingOnMotion)) == place.waits)
    #expect(parked.contains(.endSession) != place.waits)
    // Nothing more is promised: whether the system notices the movement in time is not documented.
    if place.waits { #expect(teller.guarantee(1340) == .bestEffort(.parkedBeside)) }
    let moved = teller.tell(.motion(.unknown), 9000)
    #expect(moved.contains { if case .requestFix = $0 { true } else { false } })
    #expect(moved.contains(.session(Session(accuracy: .threeKilometres))))
  }

  /// A phone that sets off just before it is parked would enter a zone before the end of the report's delay.

  @Test func `before a phone is parked near a zone, it is waited for a report that it has just set off`() {
    func teller(east: Double) -> WatchTeller {
      var teller = WatchTeller([Self.safe], .suspended)
      teller.tell(.motion(.still), 1)
      teller.tell(.fix(WatchTeller.fix(east, at: 5)), 5)
      teller.tell(.timer, 1300)
      teller.tell(.fix(WatchTeller.fix(east, at: 1301)), 1301)
      return teller
    }
    func asks(_ commands: [WatchCommand]) -> Bool {
      commands.contains { if case .requestFix = $0 { true } else { false } }
    }
    var near = teller(east: 400)
    #expect(!near.tell(.fenceState(.movement, inside: true), 1302).contains(.endSession))
    #expect(!near.watch.stage.isSuspended)
    // Still again: the phone has moved in between, and may be in the zone.
    var moved = near
    #expect(asks(moved.tell(.motion(.still), 1325)))
    #expect(near.tell(.timer, 1331).contains(.endSession))
    #expect(near.watch.stage.isSuspended)
    // The process lives for some more seconds.
    #expect(asks(near.tell(.motion(.still), 1335)))
    var exited = teller(east: 400)
    exited.tell(.fenceState(.movement, inside: true), 1302)
    exited.tell(.fenceState(.movement, inside: false), 1310)
    #expect(asks(exited.tell(.timer, 1331)))
    // No zone can be reached within the delay.
    var far = teller(east: 3000)
    #expect(far.tell(.fenceState(.movement, inside: true), 1302).contains(.endSession))
  }

  @Test func `a request that was answered does not shorten the promise of a phone at rest`() {
    var teller = WatchTeller([AlarmStory.circle()], .timed)
    teller.tell(.motion(.driving), 1)
    teller.tell(.fix(WatchTeller.fix(3000, at: 5)), 5)
    let asked = teller.tell(.fix(WatchTeller.fix(9000, at: 8)), 8).contains {
      if case .requestFix = $0 { true } else { false }
    }
    #expect(asked, "an impossible place")
    // A report comes before the answer.
    teller.tell(.motion(.still), 9)
    teller.tell(.fix(WatchTeller.fix(2990, at: 10)), 10)
    guard case .guaranteed(let promise)? = teller.guarantee(20_000) else { return #expect(Bool(false)) }
    // The report's delay, a fix of a cold receiver, and the handling of both.
    #expect(promise.late == .seconds(62))
  }

  @Test func `a phone that was parked indoors searches for satellites for the full time when it is woken`() {
    var teller = WatchTeller([AlarmStory.circle(radius: 50)], .suspended)
    teller.tell(.motion(.still), 1)
    var misses = 0
    var seconds = 2.0
    while !teller.isFencing, seconds < 3000 {
      // Only Wi-Fi answers.
      for case .requestFix in teller.tell(.timer, seconds) {
        teller.tell(.fix(WatchTeller.fix(230, at: seconds + 1, accuracy: 65)), seconds + 1)
        misses += 1
      }
      seconds += 10
    }
    #expect(misses >= 2)
    #expect(teller.watch.known.satellites.misses > 0)
    teller.park(seconds)
    #expect(teller.watch.stage.isSuspended)
    #expect(teller.tell(.fenceExited(.aside(1)), 20_000).contains(.requestFix(.best, within: .seconds(30))))
  }

  @Test func `when a parked phone is woken, a safety zone is promised no more than a cold receiver can keep`()
    throws
  {
    var teller = WatchTeller([Self.safe], .suspended)
    teller.tell(.motion(.still), 1)
    teller.tell(.fix(WatchTeller.fix(1000, at: 5)), 5)
    teller.tell(.timer, 1300)
    teller.tell(.fix(WatchTeller.fix(1000, at: 1301)), 1301)
    teller.park(1302)
    teller.tell(.fenceExited(.movement), 9000)
    func late(_ seconds: Double) -> TimeSpan? {
      if case .guaranteed(let promise)? = teller.guarantee(seconds) { promise.late } else { nil }
    }
    #expect(late(9001) == .seconds(32))
    teller.tell(.fix(WatchTeller.fix(990, at: 9020)), 9020)
    #expect(try #require(late(9021)) < .seconds(32))
  }

  /// A position that was requested for another zone comes as late as one of a cold receiver.

  @Test func `a safety zone that opens while a position is awaited is promised no more than that can keep`()
    throws
  {
    // The story's day begins at midnight UTC.
    let opening = AlarmStory.circle {
      $0.assurance = .safety
      $0.schedule = Schedule(
        windows: [.init(weekdays: .everyDay, opens: 16, closes: 1440)], timeZone: "UTC", offsets: [])
    }
    var teller = WatchTeller([opening, AlarmStory.circle(east: 3000, id: 2)], .timed)
    teller.tell(.motion(.driving), 1)
    teller.tell(.fix(WatchTeller.fix(0, at: 5)), 5)
    #expect(teller.tell(.timer, 950).contains { if case .requestFix = $0 { true } else { false } })
    let shown = teller.watch.guarantees(
      zones: teller.timeline.surroundings(at: AlarmStory.start + .minutes(16)))
    let promised = try #require(shown.first { $0.zone == opening.id })
    guard case .guaranteed(let promise) = promised.guarantee else {
      return #expect(Bool(false), "\(promised)")
    }
    #expect(promise.late == .seconds(32))
  }

  @Test func `a zone that is moved to a phone at rest is looked for anew`() {
    var teller = WatchTeller([AlarmStory.circle(radius: 50, east: 100)], .timed)
    teller.tell(.motion(.still), 1)
    /// Wi-Fi alone answers.
    func looks(from start: Double, to end: Double) -> Int {
      var looks = 0
      for second in stride(from: start, to: end, by: 10) {
        for case .requestFix in teller.tell(.timer, second) {
          looks += 1
          teller.tell(.fix(WatchTeller.fix(0, at: second + 1, accuracy: 65)), second + 1)
        }
      }
      return looks
    }
    #expect(looks(from: 10, to: 4000) > 3)
    #expect(looks(from: 4000, to: 8000) == 0)
    let moved = WatchedZones(
      [AlarmStory.circle(radius: 50, east: -100)], defaultRadius: Settings.phone.defaultRadius)
    teller.timeline.insert([.command(.replaceZones(moved), at: AlarmStory.start + .seconds(8000))])
    let asks = teller.tell(.zonesChanged, 8000).contains { if case .requestFix = $0 { true } else { false } }
    #expect(asks || looks(from: 8010, to: 8700) > 0)
  }

  @Test func `live updates end when the zones near a parked phone are gone`() {
    var capabilities = Capabilities.suspended
    capabilities.liveUpdates = true
    var teller = WatchTeller([AlarmStory.circle(radius: 50)], capabilities)
    teller.tell(.motion(.still), 1)
    teller.tell(.fix(WatchTeller.fix(430, at: 5)), 5)
    teller.tell(.timer, 1300)
    teller.tell(.fix(WatchTeller.fix(430, at: 1301)), 1301)
    #expect(teller.park(1302).contains(.session(.wakingOnMotion)))
    let smaller = WatchedZones([AlarmStory.circle(radius: 20)], defaultRadius: Settings.phone.defaultRadius)
    teller.timeline.insert([.command(.replaceZones(smaller), at: AlarmStory.start + .seconds(2000))])
    #expect(teller.tell(.zonesChanged, 2000).contains(.endSession))
    #expect(teller.watch.stage.isSuspended)
  }

  @Test
  func
    `after minutes of rest a safety zone far enough off needs no look, and one beside is promised from departure`()
  {
    for (east, moment) in [(1000.0, Guarantee.Moment.entry), (250, .departure)] {
      var teller = WatchTeller([Self.safe], .timed)
      teller.tell(.fix(WatchTeller.fix(east, at: 0)), 0)
      teller.tell(.motion(.still), 1)
      teller.tell(.fix(WatchTeller.fix(east, at: 20)), 20)
      #expect(teller.isFollowing == (moment == .departure), "at first it may drive on at once")
      var seconds = 30.0
      while seconds < 330 {
        teller.wait(until: seconds, at: east)
        seconds += 10
      }
      #expect(!teller.isFollowing)
      var asked = 0
      for minute in 6..<300 {
        for case .requestFix in teller.tell(.timer, Double(minute) * 60) { asked += 1 }
      }
      #expect(asked == 0)
      guard case .guaranteed(let promise)? = teller.guarantee(18_000) else { return #expect(Bool(false)) }
      #expect(promise.after == moment)
      // From the departure on: the delay of the report, a fix of a cold receiver, and the handling of both.
      if moment == .departure { #expect(promise.late == .seconds(62)) }
      if moment == .entry { #expect(promise.unannounced == .metresPerSecond(7)) }
      // A motion report wakes it.
      teller.tell(.motion(.walking), 18_001)
      #expect(teller.isFollowing)
    }
  }

  @Test func `a car that stops before a zone is followed as long as a light lasts, and then left alone`() {
    var teller = WatchTeller([AlarmStory.circle()], .timed)
    teller.tell(.motion(.driving), 1)
    teller.tell(.fix(WatchTeller.fix(140, at: 5, speed: 12)), 5)
    #expect(teller.isFollowing)
    teller.tell(.motion(.still), 20)
    for second in stride(from: 21.0, to: 36, by: 1) {
      teller.tell(.fix(WatchTeller.fix(140, at: second)), second)
    }
    for second in stride(from: 40.0, to: 160, by: 10) { teller.tell(.timer, second) }
    #expect(teller.isFollowing)
    if case .guaranteed(let promise)? = teller.guarantee(100) {
      #expect(promise.late < .seconds(30), "the word of motion is not waited for")
    }
    teller.tell(.timer, 175)
    #expect(!teller.isFollowing)
  }

  @Test func `a zone that opens around a phone at rest has the running session give a position`() {
    let start = Double(AlarmStory.start.millisecondsSince1970 % 60_000) / 1000
    let minute = Int((AlarmStory.start.millisecondsSince1970 / 60_000) % 1440)
    let late = AlarmStory.circle(radius: 200, id: 2) {
      $0.schedule = Schedule(
        windows: [
          .init(weekdays: .init(rawValue: 0b1111111), opens: minute + 2, closes: min(1440, minute + 90))
        ],
        timeZone: "UTC", offsets: [.init(from: Instant(millisecondsSince1970: 0), seconds: 0)])
    }
    let opening = 120 - start
    var teller = WatchTeller([Self.safe, late], .timed)
    teller.tell(.motion(.driving), 1)
    teller.tell(.fix(WatchTeller.fix(140, at: 5, speed: 12)), 5)
    teller.tell(.motion(.still), 20)
    teller.tell(.fix(WatchTeller.fix(140, at: 25)), 25)
    func looks(at seconds: Double) -> Int {
      teller.tell(.timer, seconds).count { if case .requestFix(.best, _) = $0 { true } else { false } }
    }
    #expect(looks(at: opening - 5) == 0)
    #expect(teller.isFollowing)
    #expect(looks(at: opening) == 1)
    #expect(looks(at: opening + 10) == 0, "once")
  }

  @Test func `a zone drawn beside a parked phone has the motion hardware say anew that the phone rests`() {
    var story = WatchStory(CertifiedWatch(), zones: [AlarmStory.circle()], capabilities: .suspended)
    _ = story.told(
      """
      0:00   start
      0:05   x 8000
      0:07   still
      5:07   timer
      5:09   inside
      """)
    let now = AlarmStory.start + .seconds(400)
    let nearer = WatchedZones([AlarmStory.circle(radius: 7920)], defaultRadius: Settings.phone.defaultRadius)
    _ = story.timeline.insert([.command(.replaceZones(nearer), at: now)])
    let commands = story.policy.handle(.zonesChanged, at: now, zones: story.timeline.surroundings(at: now))
    #expect(commands.contains(.motion(true)), "\(commands)")
    #expect(!story.policy.stage.isSuspended)
  }

  private func line(_ teller: WatchTeller, _ seconds: Double) -> Guarantee.Line? {
    guard case .guaranteed(let promise)? = teller.guarantee(seconds) else { return nil }
    return promise.line
  }

  @Test func `a phone that rests and may have crossed the edge is not promised an alarm at the edge`() {
    for (east, expected) in [(103.0, Guarantee.Line.insideByError), (180, .edge)] {
      var teller = WatchTeller([Self.safe], .timed)
      teller.tell(.fix(WatchTeller.fix(east, at: 0)), 0)
      teller.tell(.motion(.still), 1)
      teller.tell(.fix(WatchTeller.fix(east, at: 8, speed: 0)), 8)
      #expect(line(teller, 9) == expected)
      // A phone that moves rings as soon as being inside cannot be excluded.
      teller.tell(.motion(.walking), 10)
      #expect(line(teller, 11) == .edge)
    }
  }

  @Test func `a safety zone that was left is promised at its edge again once the phone was surely outside`() {
    var teller = WatchTeller(
      [
        AlarmStory.circle {
          $0.assurance = .safety
          $0.trigger = .enterAndLeave(passingCounts: true, after: .zero)
        }
      ], .timed)
    teller.tell(.motion(.walking), 0)
    teller.tell(.fix(WatchTeller.fix(60, at: 1)), 1)
    #expect(teller.guarantee(2) != nil)
    teller.tell(.fix(WatchTeller.fix(104, at: 31)), 31)
    #expect(line(teller, 32) == .insideByError)
    teller.tell(.fix(WatchTeller.fix(130, at: 51)), 51)
    #expect(line(teller, 52) == .edge)
  }

  @Test func `the silence of a session at rest is not taken for missing satellites`() {
    var teller = WatchTeller([Self.safe], .suspended)
    teller.tell(.motion(.driving), 0)
    teller.tell(.fix(WatchTeller.fix(130, at: 1, speed: 0)), 1)
    teller.tell(.motion(.still), 2)
    teller.tell(.fix(WatchTeller.fix(130, at: 4, speed: 0)), 4)
    for seconds in stride(from: 14.0, to: 120, by: 10) { teller.tell(.timer, seconds) }
    #expect(teller.isFollowing)
    // The system reports that the phone goes, and the session has not had the time for a position yet.
    teller.tell(.visitDeparted(AlarmStory.origin), 121)
    teller.tell(.timer, 124)
    #expect(!teller.watch.known.isBlind(at: AlarmStory.start + .seconds(125)))
    teller.tell(.timer, 160)
    #expect(teller.watch.known.isBlind(at: AlarmStory.start + .seconds(161)))
  }

  @Test func `without Wi-Fi and satellites nothing is promised`() {
    for wifi in [true, false] {
      var capabilities = Capabilities.timed
      capabilities.wifi = wifi
      var teller = WatchTeller([AlarmStory.circle()], capabilities)
      teller.tell(.motion(.walking), 0)
      teller.tell(.fix(WatchTeller.fix(130, at: 1, speed: 1)), 1)
      #expect(line(teller, 2) == .insideByError)
      for seconds in stride(from: 12.0, to: 60, by: 10) {
        teller.tell(.fix(WatchTeller.fix(130, at: seconds - 1, accuracy: 900)), seconds - 1)
        teller.tell(.timer, seconds)
      }
      #expect((line(teller, 60) == nil) == !wifi)
    }
  }
}
