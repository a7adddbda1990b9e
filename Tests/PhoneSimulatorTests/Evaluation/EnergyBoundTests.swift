import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneSimulator

@Suite("The least energy with which all can be certain")
struct EnergyBoundTests {
  private static let satellites = EnergyBound.Sensor(cost: 5, error: 15, component: .satellites)
  private static let wifi = EnergyBound.Sensor(cost: 1.3, error: 65, component: .networkFix)
  private static let modes = KnownSpeeds.modes(walking: 3, cycling: 12, vehicle: 40)

  private static func bound(
    _ sensors: [EnergyBound.Sensor] = [satellites, wifi], _ speeds: KnownSpeeds = modes,
    tolerance: Double = 5,
    session: Double = 0.401
  ) -> EnergyBound {
    var bound = EnergyBound(sensors: sensors, sessionWatts: session, speeds: speeds)
    bound.tolerance = tolerance
    return bound
  }

  /// Walk, bicycle and car, an hour of movement within 24 hours. Circles of 100 m, a third of them on the
  /// way, the others anywhere within 10 km, but none within a kilometre of home, where a day's rest would
  /// cost thousands of fixes.
  private static func day(seed: UInt64, zones count: Int) -> (journey: Journey, zones: [Zone]) {
    var random = SeededGenerator(seed: seed)
    func place(_ east: Double, _ north: Double) -> Coordinate {
      Geodesic.destination(
        from: Scene.home, azimuth: .radians(Trigonometry.arctangent(y: east, x: north)),
        distance: .metres((east * east + north * north).squareRoot()))
    }
    let corners: [(Double, Double)] = [(0, 0), (1300, 300), (6000, -2000), (15_000, 4000), (0, 0)]
    let pace: [(Double, Journey.Motion)] = [(1.3, .walking), (5, .cycling), (14, .vehicle), (14, .vehicle)]
    var legs: [Journey.Leg] = [.stand(.hours(8))]
    for (corner, pace) in zip(corners.dropFirst(), pace) {
      legs += [.go(to: place(corner.0, corner.1), .metresPerSecond(pace.0), pace.1), .stand(.minutes(20))]
    }
    let journey = Journey(from: Scene.home, at: Scene.start, legs: legs).paddedToDays()
    var zones: [Zone] = []
    while zones.count < count {
      let leg = Int.random(in: 0..<3, using: &random)
      let share = random.double(in: 0...1)
      let (a, b) = (corners[leg], corners[leg + 1])
      let (east, north) =
        zones.count % 3 == 0
        ? (a.0 + share * (b.0 - a.0), a.1 + share * (b.1 - a.1))
        : (random.double(in: -10_000...10_000), random.double(in: -10_000...10_000))
      guard (east * east + north * north).squareRoot() > 1000 else { continue }
      zones.append(
        Zone.valid(
          id: ZoneID(rawValue: UInt64(zones.count + 1)), name: "z", size: .metres(100),
          outline: .locations([place(east, north)])))
    }
    return (journey, zones)
  }

  /// The median over the placements.
  private static func median(_ bound: EnergyBound, _ tracks: [MarginTrack]) -> Double {
    tracks.map { track in
      var track = track
      track.observe(bound.speeds)
      return bound.plan(track).joules
    }.sorted()[tracks.count / 2]
  }

  @Test(arguments: [3, 10, 30])
  func `joules and fixes a day are of the order found on recorded tracks`(count: Int) throws {
    let tracks = (1...UInt64(3)).map { seed in
      let (journey, zones) = Self.day(seed: seed, zones: count)
      let lines = zones.compactMap { AlarmLine($0, settings: .phone) }
      return MarginTrack(journey, lines: lines, speeds: Self.modes, rearmAt: 200)
    }
    let column = try #require([3, 10, 30].firstIndex(of: count))
    let exact = EnergyBound.Sensor(cost: 1, error: 0, component: .satellites)
    func fixes(_ speeds: KnownSpeeds, _ tolerance: Double) -> EnergyBound {
      Self.bound([exact], speeds, tolerance: tolerance, session: .infinity)
    }
    let table: [(EnergyBound, [Double])] = [
      (Self.bound(), [24, 57, 138]), (Self.bound([Self.satellites]), [73, 158, 321]),
      (Self.bound([Self.satellites], .moving(40)), [179, 378, 842]),
      (Self.bound([Self.satellites, Self.wifi], .always(40)), [1022, 2284, 6945]),
      (fixes(.always(40), 5), [941, 1754, 3830]), (fixes(.always(40), 30), [716, 1083, 1651]),
      (fixes(.moving(40), 5), [48, 88, 174]), (fixes(Self.modes, 5), [21.5, 39, 69]),
    ]
    for (row, (bound, figures)) in table.enumerated() {
      let (found, recorded) = (Self.median(bound, tracks), figures[column])
      // The way and zones differ from those recorded: a factor of four is allowed.
      #expect(
        (recorded / 4...recorded * 4).contains(found), "row \(row): \(found), on recorded tracks \(recorded)")
    }
  }

  /// A short way around a small zone.
  private static func tiny(_ random: inout SeededGenerator) -> MarginTrack {
    let seconds = 14
    var east = random.double(in: -120...120)
    let fixes = (0...seconds).map { second -> Fix in
      east += random.double(in: -12...12)
      return Fix(
        position: Scene.place(metres: abs(east), bearing: east < 0 ? -90 : 90), accuracy: .unstated,
        measuredAt: Scene.start + .seconds(Double(second)))
    }
    let zone = Zone.valid(
      id: ZoneID(rawValue: 1), name: "z", size: .metres(40), outline: .locations([Scene.home]))
    let line = AlarmLine(zone, settings: .phone)
    let journey = try? Journey(track: fixes, restRadius: .metres(2), restTime: .seconds(3))
    return MarginTrack(
      journey ?? Scene.still(hours: 1), lines: line.map { [$0] } ?? [], speeds: .moving(15), rearmAt: 20)
  }

  /// Tries every valid schedule: any sensor at any second up to the deadline, and sessions of any length.
  private static func cheapest(
    _ bound: EnergyBound, _ track: MarginTrack, from second: Int, deadline: Int,
    _ known: inout [[Int]: Double]
  ) -> Double {
    if deadline >= track.count { return 0 }
    if let found = known[[second, deadline]] { return found }
    var least = Double.infinity
    for time in second...deadline {
      for (index, sensor) in bound.sensors.enumerated() {
        let next = bound.next(track, time, sensor)
        least = min(
          least, sensor.cost + cheapest(bound, track, from: time + 1, deadline: next, &known))
        guard index == 0 else { continue }
        for end in (time + 1)..<max(time + 2, track.count) where end < track.count {
          let next = bound.next(track, end, sensor)
          let session = Double(end - time) * bound.sessionWatts
          least = min(
            least, sensor.cost + session + cheapest(bound, track, from: end + 1, deadline: next, &known))
        }
        least = min(least, sensor.cost + Double(track.count - time) * bound.sessionWatts)
      }
    }
    known[[second, deadline]] = least
    return least
  }

  @Test(arguments: [Trigger.enter(passingCounts: true), .leave()])
  func `rest beside a line costs a fix, whatever the line says`(
    _ trigger: Trigger
  ) {
    // 20 m before the line: within the errors of every sensor.
    let zone = Road.zone(
      at: trigger.kind == .leave ? 0 : 120, radius: trigger.kind == .leave ? 20 : 100, trigger: trigger)
    let plan = EnergyBound(.iPhone6).plan(
      Road.drive(.stand(.hours(10)), Road.go(-2000, 1.4)), zones: [zone])
    let atRest = plan.fixes.count { $0.second < 35_990 }
    #expect(atRest <= 1)
    #expect(plan.joules < 200)
  }

  @Test func `no policy gets along with less than the bound, for zones of any kind`() {
    for seed in Seeds.few(3) {
      for scenario in [ScriptedScenario.besideHome, .insideAllDay, .nextDoor, .trafficLight] {
        let course = scenario.course(seed: UInt64(seed))
        let least = EvaluationBound.leastEnergy.result(course, profile: .iPhone6).ledger.location
        let result = Trial(Trial.Contender(timed: "certified") { CertifiedWatch() }, seed: UInt64(seed)).run(
          course)
        #expect(result.ledger.location > least, "seed \(seed), \(course.name)")
      }
    }
  }

  @Test func `no sound schedule of a short way is cheaper`() {
    var inSessions = 0
    for seed in Seeds.few(60) {
      var random = SeededGenerator(seed: UInt64(seed))
      let track = Self.tiny(&random)
      let bound = Self.bound(
        [
          EnergyBound.Sensor(cost: random.double(in: 1...6), error: 2, component: .satellites),
          EnergyBound.Sensor(cost: random.double(in: 0.2...2), error: 20, component: .networkFix),
        ], .moving(15), tolerance: random.double(in: 0...3), session: random.double(in: 0.05...2))
      let plan = bound.plan(track)
      var known: [[Int]: Double] = [:]
      let least = Self.cheapest(bound, track, from: 0, deadline: 0, &known)
      #expect(abs(plan.joules - least) < 1e-9, "seed \(seed): \(plan.joules) J, by trying \(least) J")
      let spent = plan.fixes.map { bound.sensors[$0.sensor].cost }.reduce(0, +)
      #expect(
        abs(spent + Double(plan.sessionSeconds) * bound.sessionWatts - plan.joules) < 1e-9, "seed \(seed)")
      if plan.sessionSeconds > 0 { inSessions += 1 }
    }
    #expect(inSessions >= 2)
  }

  @Test func `more to choose from never costs more, more to watch never less`() {
    for seed in Seeds.few(3, from: 20) {
      let (journey, zones) = Self.day(seed: UInt64(seed), zones: 9)
      func joules(_ bound: EnergyBound, _ count: Int = 9) -> Double {
        bound.plan(journey, zones: Array(zones.prefix(count))).joules
      }
      let plain = joules(Self.bound())
      #expect(joules(Self.bound([Self.satellites])) >= plain, "seed \(seed)")
      #expect(joules(Self.bound(session: .infinity)) >= plain, "seed \(seed)")
      #expect(joules(Self.bound([Self.satellites, Self.wifi], .moving(40))) >= plain, "seed \(seed)")
      #expect(joules(Self.bound(tolerance: 30)) <= plain, "seed \(seed)")
      #expect(joules(Self.bound(), 4) <= plain, "seed \(seed)")
      #expect(joules(Self.bound(), 0) == 0)
      // Never more than a session all day and one fix to begin with.
      #expect(plain <= 5 + 0.401 * 86_400)
    }
  }

  @Test func `the bound is an evaluation's line, in the ledger's components`() {
    let course = Trial.Case(
      name: "drive", scenario: "tests",
      journey: Road.drive(.stand(.hours(1)), Road.go(6000, 12), .stand(.minutes(30))),
      zones: [Road.zone(at: 5000, radius: 150)])
    let result = EvaluationBound.leastEnergy.result(course, profile: .iPhone6)
    #expect(result.matching.caught == 1)
    let plan = EnergyBound(.iPhone6).plan(course.journey, zones: course.zones)
    #expect(plan.joules > 0)
    #expect(abs(result.ledger.marginal - plan.joules - EnergyProfile.iPhone6.alertJoules) < 1e-9)
    let certified = Trial(Trial.Contender(timed: "certified") { CertifiedWatch() }, seed: 1).run(course)
    #expect(result.ledger.marginal < certified.ledger.marginal)
  }
}
