import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneSimulator

/// Half days made to break promises.
@Suite("Adversarial days")
struct AdversarialDayTests {
  private func run(_ course: Trial.Case, seed: UInt64) -> TrialResult {
    Trial(
      Trial.Contender(timed: "certified") { CertifiedWatch() }, parameters: .keepingPremises, seed: seed
    ).run(course)
  }

  @Test func `the same seed is the same day, another one another`() {
    let (first, again, other) = (
      AdversarialDay.course(seed: 5), AdversarialDay.course(seed: 5), AdversarialDay.course(seed: 6)
    )
    func way(_ course: Trial.Case) -> [Coordinate] {
      (0..<72).map { course.journey.position(at: course.journey.start + .minutes(10 * Double($0))) }
    }
    #expect(first.zones == again.zones && way(first) == way(again))
    #expect(first.zones != other.zones && way(first) != way(other))
  }

  @Test func `days last twelve hours and owe alarms of all triggers`() {
    var owed: Set<Trigger.Kind> = []
    for seed in UInt64(1)...4 {
      let course = AdversarialDay.course(seed: seed)
      #expect((12...13.5).contains((course.journey.end - course.journey.start).seconds / 3600))
      owed.formUnion(course.truth.visits.filter(\.isOwed).compactMap { course.zone(of: $0)?.trigger.kind })
    }
    #expect(owed == [.enter, .leave, .enterLeave, .dwell])
  }

  @Test func `days have zones of all shapes, zones that come later, and phones of all conditions`() {
    var found: Set<String> = []
    for seed in UInt64(1)...30 {
      let course = AdversarialDay.course(seed: seed)
      let visited = Set(course.truth.visits.filter(\.isOwed).map(\.zone))
      for zone in course.zones where visited.contains(zone.id) {
        switch zone.outline {
        case .path: found.insert("path")
        case .locations(let places): found.insert(places.count == 1 ? "circle" : "area")
        case .area: found.insert("imported")
        }
        if zone.leadTime != nil { found.insert("lead time") }
        if zone.schedule != nil { found.insert("opens") }
        if zone.band != nil, course.conditions.height != nil { found.insert("heights") }
        if course.changes.additions[zone.id] != nil { found.insert("added") }
      }
      if !course.changes.endings.isEmpty { found.insert("ended") }
      if !course.changes.charges.isEmpty { found.insert("low battery") }
      if !course.changes.clock.settings.isEmpty { found.insert("clock set") }
      if !course.changes.restarts.isEmpty { found.insert("restarted") }
      if !course.conditions.wifi { found.insert("no Wi-Fi") }
      let minutes = 0..<720
      let isIndoors = minutes.contains {
        course.journey.surroundings(at: course.journey.start + .minutes(Double($0))) == .indoors
      }
      if isIndoors { found.insert("indoors") }
    }
    #expect(
      found == [
        "path", "circle", "area", "lead time", "opens", "added", "ended", "no Wi-Fi", "indoors",
        "heights", "low battery", "clock set", "restarted",
      ])
  }

  /// A session at rest reports nothing: without a request at the end of the stay the alarm would be minutes late.
  @Test(arguments: [28, 43, 44] as [UInt64])
  func `a stay that ends at rest rings in time`(seed: UInt64) {
    let result = run(AdversarialDay.course(seed: seed), seed: seed)
    #expect(result.promised.contains { $0.dwell > .zero })
    #expect(result.brokenPromises.filter { $0.falsePremise == nil } == [], "seed \(seed)")
  }

  /// Seed 2069: a zone was added around a phone whose looks at rest were used up, so that nobody knew of the stay
  /// in it. Seed 2231: the promise held the time of one position, while a stay needs two.
  @Test(arguments: [2069, 2231] as [UInt64])
  func `an added zone is looked for, and a stay is promised by two positions`(seed: UInt64) {
    let result = run(AdversarialDay.course(seed: seed), seed: seed)
    #expect(result.brokenPromises.filter { $0.falsePremise == nil } == [], "seed \(seed)")
  }

  private final class Seen: @unchecked Sendable {
    var charges: [Capabilities.Battery] = []
    var jumps: [TimeSpan] = []
    var starts = 0
  }

  private struct Spy: WatchDecisions {
    var watch = CertifiedWatch()
    let seen: Seen
    var reason: WatchReason { watch.reason }
    mutating func handle(_ event: WatchEvent, at now: Instant, zones: Surroundings) -> [WatchCommand] {
      switch event {
      case .capabilitiesChanged(let capabilities): seen.charges.append(capabilities.battery)
      case .clockJumped(let span): seen.jumps.append(span)
      case .started: seen.starts += 1
      default: break
      }
      return watch.handle(event, at: now, zones: zones)
    }
    func guarantee(ofWatched zone: ZoneSlot, _ zones: Surroundings) -> Guarantee {
      watch.guarantee(ofWatched: zone, zones)
    }
  }

  private func restDay(_ zone: Zone, _ change: (inout Trial.Changes, Instant) -> Void) -> Trial.Case {
    let map = CityMap(seed: 1)
    var changes = Trial.Changes()
    change(&changes, map.morning)
    return Trial.Case(
      name: "rest", scenario: "tests",
      journey: Journey(from: map.home, at: map.morning, legs: [.stand(.hours(2))]),
      zones: [zone], changes: changes)
  }

  private func home(_ change: (inout ZoneDraft) -> Void = { _ in }) -> Zone {
    var draft = ZoneDraft(
      id: ZoneID(rawValue: 1), name: "home", size: .metres(100), outline: .locations([CityMap(seed: 1).home]))
    change(&draft)
    return .valid(draft)
  }

  @Test func `the application hears of the battery and of a clock that is set, and starts after a restart`() {
    let seen = Seen()
    let course = restDay(home()) { changes, start in
      changes.charges = [(start + .minutes(10), .low), (start + .minutes(20), .veryLow)]
      changes.clock.settings = [(start + .minutes(30), .seconds(-600))]
      changes.restarts = [start + .minutes(40)]
    }
    let result = Trial(
      Trial.Contender(timed: "spy") { Spy(seen: seen) }, parameters: .keepingPremises, seed: 1
    )
    .run(course, isAudited: false)
    #expect(seen.charges == [.low, .veryLow])
    #expect(seen.jumps == [.seconds(-600)])
    #expect(seen.starts == 2)
    #expect(result.fixes > 1)
  }

  @Test func `a zone opens by the phone's clock, and owes nothing where heights keep it silent`() {
    let opening = home {
      $0.schedule = Schedule(
        windows: [.init(weekdays: .everyDay, opens: 90, closes: 1440)], timeZone: "UTC", offsets: [])
    }
    func entries(_ span: TimeSpan?) -> [TimeSpan] {
      let course = restDay(opening) { changes, start in
        if let span { changes.clock.settings = [(start + .minutes(30), span)] }
      }
      return course.truth.visits.map { $0.entry - course.journey.start }
    }
    #expect(entries(nil) == [.minutes(90)])
    #expect(entries(.minutes(10)) == [.minutes(80)])
    #expect(entries(.minutes(70)) == [.minutes(30)], "it opens at once")
    #expect(entries(.minutes(-10)) == [.minutes(100)])
    let high = home {
      $0.floor = .metres(800)
      $0.ceiling = .metres(900)
    }
    var conditions = Phone.Conditions()
    for (height, visits) in [(850.0, 1), (700, 0), (950, 0)] {
      conditions.height = height
      #expect(restDay(high) { _, _ in }.varied(conditions: conditions).truth.visits.count == visits)
    }
  }

  @Test func `a zone that rings both ways is promised, and judged, both ways`() {
    var (promised, caught): (Set<Bool>, Set<Bool>) = ([], [])
    for seed in UInt64(1)...4 {
      let course = AdversarialDay.course(seed: seed)
      let result = run(course, seed: seed)
      func isOfBoth(_ visit: GroundTruth.Visit) -> Bool {
        course.zone(of: visit)?.trigger.kind == .enterLeave
      }
      promised.formUnion(result.promised.filter(isOfBoth).map { $0.inside != nil })
      let rung = result.matching.outcomes.filter { $0.isCaught && isOfBoth($0.visit) }
      caught.formUnion(rung.map { $0.visit.inside != nil })
    }
    #expect(promised == [true, false] && caught == [true, false])
  }

  @Test(arguments: Seeds.few(6)) func `no promise is broken while its premises hold`(seed: Int) {
    let result = run(AdversarialDay.course(seed: UInt64(seed)), seed: UInt64(seed))
    #expect(result.promised.count > 3)
    #expect(result.violations == 0, "seed \(seed)")
  }

  @Test func `a phone that is deaf breaks promises, each with its premise`() {
    let deaf = PhoneParameters.keepingPremises.with { $0.motionDelay = .constant(600) }
    let results = (UInt64(1)...6).map { seed in
      Trial(Trial.Contender(timed: "certified") { CertifiedWatch() }, parameters: deaf, seed: seed).run(
        AdversarialDay.course(seed: seed))
    }
    #expect(results.map(\.excusedViolations).reduce(0, +) > 0)
    #expect(results.allSatisfy { $0.violations == 0 })
  }

  @Test func `a phone that begins outside has not left the zone`() {
    let map = CityMap(seed: 1)
    func course(_ trigger: Trigger, _ legs: [Journey.Leg]) -> [GroundTruth.Visit] {
      let zone = Zone.scripted(
        id: ZoneID(rawValue: 1), name: "zone", size: .metres(100), outline: .locations([map.place(500, 0)]),
        trigger: trigger)
      let journey = Journey(from: map.home, at: map.morning, legs: legs)
      return GroundTruth(journey, zones: [zone]).visits.filter(\.isOwed)
    }
    let walk = Speed.metresPerSecond(1.5)
    let into: [Journey.Leg] = [
      .stand(.minutes(5)), .go(to: map.place(500, 0), walk, .walking), .stand(.minutes(10)),
    ]
    let out: [Journey.Leg] = [.go(to: map.home, walk, .walking), .stand(.minutes(20))]
    for trigger in [Trigger.leave(), .leave(after: .seconds(60))] {
      #expect(course(trigger, into).isEmpty)
      let visits = course(trigger, into + out)
      #expect(visits.count == 1)
      // Ten minutes at its middle, and the way through it but for 15 m at the edge.
      #expect(visits.first?.inside.map { (700...730).contains($0.seconds) } ?? false)
      #expect(visits.first?.dwell == trigger.time ?? .zero)
    }
    // Through the zone in seven seconds.
    let ride: [Journey.Leg] = [
      .stand(.minutes(5)), .go(to: map.place(2000, 0), .metresPerSecond(30), .vehicle),
    ]
    #expect(course(.leave(), ride + [.stand(.minutes(9))]).allSatisfy { $0.inside ?? .zero < .seconds(7) })
  }
}
