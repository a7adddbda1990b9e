import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneSimulator

@Suite("Promises held to account")
struct GuaranteeAuditTests {
  /// On foot along a road, then a drive of 26 s into the zone, like a bus between two stops: when the motion
  /// hardware reports, 30 s after the start, the phone is on foot again.
  private static func stopToStop(_ seed: Int) -> Trial.Case {
    var generator = SeededGenerator(seed: UInt64(seed))
    let stop = generator.double(in: 900...1100)
    let ride = 26 * generator.double(in: 9...13)
    return Trial.Case(
      name: "stop to stop \(seed)", scenario: "tests",
      journey: Road.drive(
        .stand(.minutes(10)), Road.go(stop, 14), Road.go(stop + 40, 1.2), Road.go(stop + 40 + ride, 12),
        Road.go(stop + 100 + ride, 1.2), .stand(.minutes(5))),
      zones: [Road.zone(at: stop + 40 + ride, radius: generator.double(in: 100...150))])
  }

  @Test func `a ride that is over before it could be told breaks no promise`() {
    let certified = Trial.Contender(timed: "certified") { CertifiedWatch() }
    var caught = 0
    for seed in Seeds.few(20) {
      let result = Trial(certified, seed: UInt64(seed)).run(Self.stopToStop(seed))
      #expect(result.violations == 0, "seed \(seed)")
      caught += result.matching.caught
    }
    #expect(caught >= 19)
  }

  @Test
  func `what broke only because motion was told late is named so, and with prompt words nothing breaks`() {
    let course = Trial.Case(
      name: "drive", scenario: "tests",
      journey: Road.drive(.stand(.minutes(15)), Road.go(1300, 12), .stand(.minutes(20))),
      zones: [Road.zone(at: 1300, radius: 300)])
    let certified = Trial.Contender(timed: "certified") { CertifiedWatch() }
    func excuses(_ delay: Double, seed: Int) -> [String: Int] {
      let parameters = PhoneParameters.measured2019.with { $0.motionDelay = .constant(delay) }
      let result = Trial(certified, parameters: parameters, seed: UInt64(seed)).run(course)
      #expect(result.violations == 0, "seed \(seed), \(delay) s")
      return result.excuses
    }
    for seed in Seeds.few(4) {
      #expect(excuses(400, seed: seed) == ["untoldMotion": 1], "seed \(seed)")
      #expect(excuses(PhoneParameters.promisedMotionDelay, seed: seed).isEmpty, "seed \(seed)")
    }
  }

  private struct Told: WatchDecisions {
    var reason: WatchReason { WatchReason(.notStarted) }
    mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand] { [] }
    func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
      .guaranteed(
        .init(upTo: .metresPerSecond(45), late: .seconds(10), after: .entry, line: .edge, coarse: .zero))
    }
  }

  /// The false premise for an alarm that never came, on a drive into a zone from 900 s on, entered at 975 s.
  private func excuse(
    speed: Double = 45, unannounced: Speed? = nil, restarts: [Double] = [],
    _ note: (inout WatchJournal, (Double) -> Instant) -> Void
  ) -> GuaranteeAudit.Premise? {
    let course = Trial.Case(
      name: "drive", scenario: "tests",
      journey: Road.drive(.stand(.minutes(15)), Road.go(1000, 12), .stand(.minutes(10))),
      zones: [Road.zone(at: 1000, radius: 100)])
    var journal = WatchJournal()
    note(&journal, Road.at)
    let visit = course.truth.visits[0]
    let promise = Guarantee.Promise(
      upTo: .metresPerSecond(speed), late: .seconds(10), after: .entry, line: .edge, coarse: .zero,
      unannounced: unannounced)
    let audit = GuaranteeAudit(
      [visit: [promise]], journey: course.journey, log: EventLog(), journal: journal,
      restarts: restarts.map(Road.at),
      distance: { _, _ in 0 })
    let missed = Matching.Outcome(visit: visit, raisedAt: nil, isCaught: false, depth: nil, early: nil)
    #expect(audit.isBroken(missed))
    return audit.falsePremise(missed)
  }

  @Test func `each false premise has its name, and none is invented`() {
    #expect(excuse { _, _ in } == nil)
    #expect(excuse(speed: 11) { _, _ in } == .tooFast)
    #expect(excuse(restarts: [980]) { _, _ in } == .switchedOff)
    #expect(excuse(restarts: [900]) { _, _ in } == nil)
    let late = excuse { journal, at in
      journal.note(.timer, [.requestFix(.best, within: .seconds(60))], at: at(950))
      journal.note(
        .fix(Fix(position: Road.place(900), accuracy: .radius(.metres(10)), measuredAt: at(990))), [],
        at: at(990))
    }
    #expect(late == .slowFix)
    let never = excuse { journal, at in
      journal.note(.timer, [.requestFix(.best, within: .seconds(30))], at: at(970))
      journal.note(.fixFailed, [], at: at(999))
    }
    #expect(never == .slowFix)
    let inTime = excuse { journal, at in
      journal.note(.timer, [.requestFix(.best, within: .seconds(30))], at: at(950))
      journal.note(
        .fix(Fix(position: Road.place(600), accuracy: .radius(.metres(10)), measuredAt: at(960))), [],
        at: at(960))
    }
    #expect(inTime == nil)
    #expect(excuse { journal, at in journal.note(.motion(.walking), [], at: at(600)) } == .untoldMotion)
    let told = excuse { journal, at in
      journal.note(.motion(.still), [], at: at(600))
      journal.note(.motion(.driving), [], at: at(930))
      journal.note(.motion(.still), [], at: at(1014))
    }
    #expect(told == nil)
    let sudden = { (journal: inout WatchJournal, at: (Double) -> Instant) in
      journal.note(.motion(.still), [], at: at(300))
      journal.note(.motion(.driving), [], at: at(925))
    }
    #expect(excuse(unannounced: .metresPerSecond(7), sudden) == .suddenStart)
    #expect(excuse(unannounced: .metresPerSecond(14), sudden) == nil)
    #expect(excuse(sudden) == nil)
    let fence = Fence(id: .movement, center: Road.origin, radius: .metres(100))
    #expect(excuse { journal, at in journal.note(.timer, [.fences([fence])], at: at(60)) } == .lateFence)
    let left = excuse { journal, at in
      journal.note(.timer, [.fences([fence])], at: at(60))
      journal.note(.fenceExited(.movement), [], at: at(960))
    }
    #expect(left == nil)
  }

  @Test(arguments: [Trigger.leave(), .leave(after: .minutes(2)), .dwell(.minutes(2))])
  func `a promise of a zone that is left or stayed in can be broken, too`(trigger: Trigger) {
    let course = Trial.Case(
      name: "away", scenario: "tests",
      journey: Road.drive(.stand(.minutes(15)), Road.go(1000, 12), .stand(.minutes(10))),
      zones: [Road.zone(at: trigger.kind == .leave ? 0 : 1000, radius: 100, trigger: trigger)])
    let result = Trial(Trial.Contender(timed: "told") { Told() }, seed: 1).run(course)
    #expect(result.matching.outcomes.count == 1)
    #expect(result.violations == 1)
    #expect(result.excuses.isEmpty)
  }

  /// True if a missed stay breaks the promise of 65 s, 95 s with a coarse position. It lasts an hour, `depth`
  /// metres inside the line, and ends by 30 s nearer to the line.
  ///
  /// - Parameter fixes: seconds since the entry, and the stated error in metres.
  private static func breaks(_ fixes: [(at: Double, accuracy: Double)], depth: Double = 20) -> Bool {
    let course = Trial.Case(
      name: "at home", scenario: "tests",
      journey: Road.drive(.stand(.minutes(15)), Road.go(1000, 12), .stand(.minutes(60)), Road.go(0, 12)),
      zones: [Road.zone(at: 1000, radius: 100)])
    let visit = course.truth.visits[0]
    var log = EventLog()
    for fix in fixes {
      let time = visit.entry + .seconds(fix.at)
      let place = course.journey.position(at: time)
      log.append(.fix(place, accuracy: fix.accuracy, measuredAt: time, by: .gnss), at: time)
    }
    let promise = Guarantee.Promise(
      upTo: .metresPerSecond(45), late: .seconds(65), after: .entry, line: .insideByError,
      coarse: .seconds(30))
    let audit = GuaranteeAudit(
      [visit: [promise]], journey: course.journey, log: log,
      distance: { _, time in time <= visit.exit - .seconds(30) ? -depth : -5 })
    return audit.isBroken(
      Matching.Outcome(visit: visit, raisedAt: nil, isCaught: false, depth: nil, early: nil))
  }

  @Test func `a missed stay counts by positions of its time, not by one on the way out`() {
    let coarse = stride(from: -60.0, through: 3600, by: 60).map { (at: $0, accuracy: 65.0) }
    #expect(!Self.breaks(coarse), "65 m times 1.73 is deeper than 20 m")
    #expect(Self.breaks(coarse, depth: 113))
    #expect(!Self.breaks(coarse + [(at: 3606, accuracy: 10)]), "known only on the way out")
    // A good position in the stay decides, also if it comes after the time promised.
    #expect(Self.breaks(coarse.prefix(20) + [(at: 1100, accuracy: 10)] + coarse.dropFirst(20)))
    #expect(Self.breaks([(at: -60, accuracy: 10)]), "a policy that asks no more")
    #expect(Self.breaks([(at: -60, accuracy: 65), (at: 1800, accuracy: 10)]), "a policy that asks too late")
    #expect(Self.breaks([]), "without any position, each moment inside counts")
  }

  @Test func `a stay counts by the promise that was shown when the phone was as far inside as counts`() {
    let course = Trial.Case(
      name: "at home", scenario: "tests",
      journey: Road.drive(.stand(.minutes(15)), Road.go(1000, 12), .stand(.minutes(60)), Road.go(0, 12)),
      zones: [Road.zone(at: 1000, radius: 100)])
    let visit = course.truth.visits[0]
    var log = EventLog()
    for second in stride(from: 0.0, through: 600, by: 10) {
      let time = visit.entry + .seconds(second)
      log.append(
        .fix(course.journey.position(at: time), accuracy: 10, measuredAt: time, by: .gnss), at: time)
    }
    func promise(_ late: Double) -> Guarantee.Promise {
      .init(
        upTo: .metresPerSecond(45), late: .seconds(late), after: .entry, line: .insideByError, coarse: .zero)
    }
    // Five metres inside for 100 s, then 50 m. The alarm comes 150 s after that.
    let missed = Matching.Outcome(
      visit: visit, raisedAt: visit.entry + .seconds(250), isCaught: false, depth: nil, early: nil)
    func breaks(_ promises: [Guarantee.Promise?]) -> Bool {
      GuaranteeAudit(
        [visit: promises], journey: course.journey, log: log,
        distance: { _, time in time < visit.entry + .seconds(100) ? -5 : -50 }
      ).isBroken(missed)
    }
    let first = Array(repeating: Optional(promise(60)), count: 100)
    #expect(breaks([promise(60)]))
    #expect(!breaks(first + [promise(200)]))
    #expect(breaks(first + [promise(60)] + Array(repeating: promise(200), count: 60)))
    #expect(!breaks(first + [nil]), "nothing is promised any more")
  }

  @Test(arguments: [Journey.Surroundings.outdoors, .indoors])
  func `a promise from the edge on counts from it where satellites can be had`(
    _ surroundings: Journey.Surroundings
  ) {
    let course = Trial.Case(
      name: "at home", scenario: "tests",
      journey: Road.drive(.stand(.minutes(15)), Road.go(1000, 12), .stand(.minutes(60), surroundings)),
      zones: [Road.zone(at: 1000, radius: 100)])
    let visit = course.truth.visits[0]
    let arrival = visit.entry + .seconds(100 / 12)
    var log = EventLog()
    for second in stride(from: 0.0, through: 600, by: 10) {
      let time = arrival + .seconds(second)
      log.append(
        .fix(course.journey.position(at: time), accuracy: 65, measuredAt: time, by: .wifi), at: time)
    }
    let promise = Guarantee.Promise(
      upTo: .metresPerSecond(45), late: .seconds(60), after: .entry, line: .edge, coarse: .zero)
    func breaks(depth: Double) -> Bool {
      GuaranteeAudit(
        [visit: [promise]], journey: course.journey, log: log,
        distance: { _, time in time < arrival ? 5 : -depth }
      ).isBroken(Matching.Outcome(visit: visit, raisedAt: nil, isCaught: false, depth: nil, early: nil))
    }
    #expect(breaks(depth: 15) == (surroundings == .outdoors))
    #expect(breaks(depth: 120), "65 m times 1.73")
  }

  struct Rest {
    var surroundings = Journey.Surroundings.indoors
    /// The accuracy of positions until second 500, and later.
    var early = 65.0
    var late = 65.0
    /// The second in which the zone is added.
    var added: Double?
    let isKnown: Bool
  }

  @Test(arguments: [
    Rest(early: 10, late: 10, isKnown: true), Rest(isKnown: false),
    Rest(surroundings: .outdoors, isKnown: true),
    Rest(early: 10, isKnown: true), Rest(early: 10, added: 400, isKnown: true),
    Rest(early: 10, added: 600, isKnown: false),
  ])
  func `a zone can be left only if a position has shown that the phone was in it, where one could be had`(
    _ rest: Rest
  ) {
    let course = Trial.Case(
      name: "away", scenario: "tests",
      journey: Road.drive(.stand(.minutes(15), rest.surroundings), Road.go(1000, 12), .stand(.minutes(10))),
      zones: [Road.zone(at: 0, radius: 50, trigger: .leave())])
    let visit = course.truth.visits[0]
    var log = EventLog()
    for second in stride(from: 0.0, through: 1500, by: 10) {
      let time = Road.at(second)
      // Good positions come only after the zone was left.
      log.append(
        .fix(
          course.journey.position(at: time),
          accuracy: time >= visit.entry ? 10 : second < 500 ? rest.early : rest.late, measuredAt: time,
          by: .gnss),
        at: time)
    }
    let promise = Guarantee.Promise(
      upTo: .metresPerSecond(45), late: .seconds(60), after: .entry, line: .insideByError, coarse: .zero)
    let audit = GuaranteeAudit(
      [visit: [promise]], journey: course.journey, log: log,
      additions: rest.added.map { [visit.zone: Road.at($0)] } ?? [:],
      distance: { _, time in 50 - course.journey.position(at: time).distance(to: Road.origin).metres })
    #expect(
      audit.isBroken(Matching.Outcome(visit: visit, raisedAt: nil, isCaught: false, depth: nil, early: nil))
        == rest.isKnown)
  }

  @Test func `a policy that asks nothing has no excuse`() {
    let course = Trial.Case(
      name: "drive", scenario: "tests",
      journey: Road.drive(.stand(.minutes(15)), Road.go(1000, 12), .stand(.minutes(10))),
      zones: [Road.zone(at: 1000, radius: 100)])
    let told = Trial.Contender(timed: "told") { Told() }
    let result = Trial(told, seed: 1).run(course)
    #expect(result.violations == 1)
    #expect(result.excuses.isEmpty)
  }
}
