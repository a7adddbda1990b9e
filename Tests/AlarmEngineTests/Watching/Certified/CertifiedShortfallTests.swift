import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

/// The certified policy's commands and promises on a phone that lacks something it needs.
@Suite("Certified watch: shortfalls")
struct CertifiedShortfallTests {
  private static let safe = AlarmStory.circle { $0.assurance = .safety }

  @Test func `a receiver that states zero while the phone moves is not believed`() {
    func nextFix(speed: Double) -> Double? {
      var teller = WatchTeller([AlarmStory.circle()], .timed)
      teller.tell(.motion(.driving), 1)
      teller.tell(.fix(WatchTeller.fix(9000, at: 40, speed: speed)), 40)
      let commands = teller.tell(.fix(WatchTeller.fix(8000, at: 80, speed: speed)), 80)
      return commands.compactMap {
        if case .timer(let time?) = $0 { (time - AlarmStory.start).seconds } else { nil }
      }
      .max()
    }
    // It came 1,000 m in 40 s, of which the errors leave 970.
    guard let right = nextFix(speed: 24.25), let wrong = nextFix(speed: 0) else {
      Issue.record("no next position is planned")
      return
    }
    #expect(abs(right - wrong) < 0.1)
  }

  @Test func `a position that states more speed than the word allows refutes it`() {
    var teller = WatchTeller([AlarmStory.circle()], .timed)
    teller.tell(.motion(.walking), 1)
    let commands = teller.tell(.fix(WatchTeller.fix(2000, at: 40, speed: 12)), 40)
    #expect(teller.watch.known.budget.motion == .unknown)
    #expect(commands.contains(.motion(true)))
  }

  @Test func `with no fix for a safety zone that may hold the phone it warns once and says so`() {
    var teller = WatchTeller([Self.safe], .timed)
    teller.tell(.fix(WatchTeller.fix(700, at: 5)), 5)
    #expect(teller.guarantee(5).map { if case .guaranteed = $0 { true } else { false } } == true)
    var warnings = 0
    var seconds = 6.0
    while seconds < 300 {
      let commands = teller.tell(.timer, seconds)
      if commands.contains(.warn(.cannotLocate(Self.safe.id))) { warnings += 1 }
      seconds += 10
    }
    #expect(warnings == 1)
    #expect(teller.guarantee(seconds) == .bestEffort(.mayBeInside))
    teller.tell(.fix(WatchTeller.fix(700, at: seconds)), seconds)
    #expect(teller.guarantee(seconds) != .bestEffort(.mayBeInside))
  }

  @Test func `with significant changes alone it is suspended only beyond their reach, and promises no time`()
  {
    var capabilities = Capabilities.suspended
    capabilities.fences = 0
    var far = WatchTeller([AlarmStory.circle()], capabilities)
    let commands = far.tell(.fix(WatchTeller.fix(20_000, at: 5)), 5)
    #expect(commands.contains(.significantChanges(true)))
    #expect(commands.contains(.endSession))
    #expect(far.guarantee(5) == .bestEffort(.significantChangesOnly))
    let woken = far.tell(.significantChange(WatchTeller.fix(19_000, at: 900, accuracy: 500)), 900)
    #expect(woken.contains(.session(Session(accuracy: .threeKilometres))))
    var near = WatchTeller([AlarmStory.circle()], capabilities)
    #expect(!near.tell(.fix(WatchTeller.fix(14_000, at: 5)), 5).contains(.endSession))
  }

  @Test func `without Wi-Fi fences stand three times as far off, and a warning says what it costs`() {
    var capabilities = Capabilities.suspended
    var with = WatchTeller([AlarmStory.circle()], capabilities)
    capabilities.wifi = false
    var without = WatchTeller([AlarmStory.circle()], capabilities)
    func radius(_ teller: inout WatchTeller) -> Distance? {
      for case .fences(let fences) in teller.tell(.fix(WatchTeller.fix(40_000, at: 5)), 5) {
        return fences.first { $0.id == .movement }?.radius
      }
      return nil
    }
    let wide = radius(&with) ?? .zero
    #expect(abs((wide - (radius(&without) ?? .zero)).metres - 45 * 2 * 165) < 1e-6)
    capabilities.wifi = true
    without.tell(.capabilitiesChanged(capabilities), 60)
    capabilities.wifi = false
    #expect(without.tell(.capabilitiesChanged(capabilities), 90).contains(.warn(.wifiIsOff)))
  }

  @Test func `a low battery makes relaxed zones later, then normal ones, never safety`() {
    func late(_ assurance: Assurance, _ battery: Capabilities.Battery) -> Double {
      CertifiedParameters().lateness(assurance, battery).seconds
    }
    #expect(Capabilities.Battery.allCases.map { late(.safety, $0) } == [0, 0, 0])
    #expect(Capabilities.Battery.allCases.map { late(.normal, $0) } == [10, 10, 40])
    #expect(Capabilities.Battery.allCases.map { late(.relaxed, $0) } == [60, 240, 240])
    var capabilities = Capabilities.timed
    capabilities.battery = .veryLow
    capabilities.motion = false
    var teller = WatchTeller([AlarmStory.circle()], capabilities)
    teller.tell(.fix(WatchTeller.fix(200_000, at: 0)), 0)
    guard case .guaranteed(let promise)? = teller.guarantee(0) else { return #expect(Bool(false)) }
    #expect(promise.late == .seconds(41))
  }

  @Test func `leaving a relaxed zone is promised the time of two positions`() {
    func late(_ trigger: Trigger) -> TimeSpan? {
      var teller = WatchTeller(
        [AlarmStory.circle { ($0.assurance, $0.trigger) = (.relaxed, trigger) }], .timed)
      teller.tell(.fix(WatchTeller.fix(trigger.ringsOnEntry ? 4000 : 0, at: 5)), 5)
      guard case .guaranteed(let promise)? = teller.guarantee(6) else { return nil }
      return promise.late
    }
    // Ten seconds apart, of which the second may take as long as a session's.
    #expect(late(.enter(passingCounts: true)) == .seconds(61))
    #expect(late(.leave()) == .seconds(81))
  }

  @Test func `the warning of silence is put off while the watch lives and taken back when it stops`() {
    var teller = WatchTeller([AlarmStory.circle()], .suspended)
    func planned(_ commands: [WatchCommand]) -> [Instant?] {
      commands.compactMap { if case .warnIfSilent(let time) = $0 { time } else { nil } }
    }
    teller.tell(.fix(WatchTeller.fix(3000, at: 5)), 5)
    var last = AlarmStory.start + .seconds(1800)
    for minute in stride(from: 5.0, through: 120, by: 5) {
      let now = AlarmStory.start + .seconds(60 * minute)
      if let time = planned(teller.tell(.timer, 60 * minute)).last ?? nil { last = time }
      #expect(last > now + .seconds(1300))
    }
    #expect(planned(teller.tell(.stopped, 7300)) == [nil])
  }

  @Test func `a promise does not change while the watch sleeps without satellites`() {
    var teller = WatchTeller([AlarmStory.circle { $0.assurance = .safety }], .timed)
    teller.tell(.fix(WatchTeller.fix(1000, at: 5)), 5)
    var seconds = 15.0
    var (sleeps, searches) = (0, 0)
    while seconds < 900 {
      var commands = teller.tell(.timer, seconds)
      for case .requestFix(let accuracy, _) in commands {
        if accuracy == .best { searches += 1 }
        // No satellites: the network answers, or nobody.
        if accuracy == .hundredMetres {
          commands = teller.tell(.fix(WatchTeller.fix(1000, at: seconds + 1, accuracy: 65)), seconds + 1)
        }
      }
      var next = seconds + 11
      for case .timer(let time?) in commands { next = (time - AlarmStory.start).seconds }
      if teller.watch.reason.rule == .asksTheNetworkOnly {
        sleeps += 1
        let promised = teller.guarantee(seconds + 1)
        for later in stride(from: seconds + 1, to: next, by: 0.5) {
          #expect(teller.guarantee(later) == promised, "at \(later) s, asleep from \(seconds) to \(next) s")
        }
      }
      seconds = max(seconds + 2, next)
    }
    #expect(sleeps > 10)
    #expect(searches > 1)
  }

  @Test func `satellites that cannot be had give way to the network, and are looked for again`() {
    var teller = WatchTeller([AlarmStory.circle()], .timed)
    teller.tell(.fix(WatchTeller.fix(150, at: 5)), 5)
    #expect(teller.isFollowing)
    var asked: [DesiredAccuracy] = []
    var seconds = 15.0
    while seconds < 800 {
      for case .requestFix(let accuracy, _) in teller.tell(.timer, seconds) {
        asked.append(accuracy)
        if accuracy == .hundredMetres {
          teller.tell(.fix(WatchTeller.fix(150, at: seconds + 1, accuracy: 65)), seconds + 1)
        }
      }
      seconds += 11
    }
    #expect(asked.count { $0 == .hundredMetres } > 10)
    #expect(asked.contains(.best))
  }
}
