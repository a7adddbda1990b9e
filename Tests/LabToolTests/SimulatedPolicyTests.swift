import AlarmEngine
import CommandLineSupport
import Geometry
import TestSupport
import Testing

@testable import LabTool
@testable import PhoneSimulator

/// Properties of every policy on every host.
@Suite("Simulated policies")
struct SimulatedPolicyTests {
  private static let start = Instant(millisecondsSince1970: 1_750_000_000_000)
  private static let home = Coordinate(latitude: .degrees(48.1), longitude: .degrees(11.5))

  private static func place(_ metres: Double, _ bearing: Double = 90) -> Coordinate {
    Geodesic.destination(from: home, azimuth: .degrees(bearing), distance: .metres(metres))
  }

  /// An hour or two with a stay in some zones on the way, and others beside it.
  private static func course(seed: UInt64) -> Trial.Case {
    var random = SeededGenerator(seed: seed)
    var legs: [Journey.Leg] = [.stand(.minutes(random.double(in: 10...40)))]
    var zones: [Zone] = []
    for stop in 1...3 {
      let goal = place(random.double(in: 700...3000), random.double(in: -180...180))
      let pace: (Double, Journey.Motion) =
        stop % 2 == 0 ? (random.double(in: 1.2...1.8), .walking) : (random.double(in: 8...14), .vehicle)
      legs += [
        .go(to: goal, .metresPerSecond(pace.0), pace.1),
        .stand(.minutes(random.double(in: 4...20))),
      ]
      for (number, centre) in [goal, place(random.double(in: 500...8000), random.double(in: -180...180))]
        .enumerated()
      {
        zones.append(
          Zone.valid(
            id: ZoneID(rawValue: UInt64(stop * 10 + number)), name: "z",
            size: .metres(random.double(in: 120...250)),
            outline: .locations([centre]), trigger: .enter(passingCounts: false)))
      }
    }
    return Trial.Case(
      name: "way", scenario: "tests", journey: Journey(from: home, at: start, legs: legs), zones: zones)
  }

  /// Every policy on every host that it supports.
  private static let rivals: [(name: String, contender: Trial.Contender)] = SimulatedPolicy.all.flatMap {
    policy in
    guard case .policy(let hosts, let make) = policy.kind else { return [(String, Trial.Contender)]() }
    return hosts.map { host in
      ("\(policy.name) on \(host.symbol)", SimulatedPolicy.contender(policy.name, on: host, make: make))
    }
  }

  private static func run(
    _ contender: Trial.Contender, _ course: Trial.Case, seed: UInt64,
    parameters: PhoneParameters = .measured2019
  ) -> (phone: Phone, record: TrialRecord) {
    let record = TrialRecord(
      timeline: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: course.zones))
    let phone = Phone(journey: course.journey, system: contender.system, parameters: parameters, seed: seed)
    contender.install(phone, record)
    phone.run(until: course.journey.end)
    return (phone, record)
  }

  @Test func `names are told apart`() {
    let names = SimulatedPolicy.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Self.rivals.count > 30)
  }

  @Test func `the same seed gives the same bytes, on every host and with every policy`() {
    let parameters = PhoneParameters.measured2019.with { $0.terminationsPerDay = 6 }
    for seed in Seeds.few(1, from: 3).map(UInt64.init) {
      let course = Self.course(seed: seed)
      for (name, contender) in Self.rivals {
        let first = Self.run(contender, course, seed: seed, parameters: parameters)
        let second = Self.run(contender, course, seed: seed, parameters: parameters)
        #expect(first.phone.log.bytes == second.phone.log.bytes, "\(name), seed \(seed)")
        #expect(first.phone.ledger.total == second.phone.ledger.total, "\(name), seed \(seed)")
        #expect(first.record.alarms == second.record.alarms, "\(name), seed \(seed)")
      }
    }
  }

  @Test func `the ledger's components add up to what was drawn, and powers to their time`() {
    for seed in Seeds.few(1, from: 11).map(UInt64.init) {
      let course = Self.course(seed: seed)
      for (name, contender) in Self.rivals {
        let ledger = Self.run(contender, course, seed: seed).phone.ledger
        let sum = EnergyLedger.Component.allCases.reduce(0) { $0 + ledger[$1] }
        #expect(abs(sum - ledger.total) <= 1e-9 * ledger.total, "\(name), seed \(seed)")
        let seconds = (course.journey.end - course.journey.start).seconds
        #expect(abs(ledger[.base] - EnergyProfile.iPhone6.baseMilliwatts / 1000 * seconds) < 1e-6, "\(name)")
        let profile = EnergyProfile.iPhone6
        // The energy of a component with constant power is that power times its time.
        for (component, milliwatts) in [
          (EnergyLedger.Component.processor, profile.processorMilliwatts),
          (.monitoring, profile.monitoringMilliwatts), (.motion, profile.motionMilliwatts),
        ] {
          let drawn = milliwatts / 1000 * ledger.time(component).seconds
          #expect(abs(ledger[component] - drawn) < 1e-6 * max(1, drawn), "\(name): \(component)")
          #expect(ledger.time(component).seconds <= seconds + 0.001, "\(name): \(component)")
        }
        for (component, joules) in [
          (EnergyLedger.Component.wake, profile.wakeJoules), (.alert, profile.alertJoules),
        ] {
          #expect(abs(ledger[component] - joules * Double(ledger.count(component))) < 1e-6, "\(name)")
        }
      }
    }
  }

  /// The zones that ring with an exact, immediate fix each second.
  private static func reference(_ course: Trial.Case) -> Set<ZoneID> {
    let lines = course.zones.compactMap { zone in AlarmLine(zone, settings: .phone).map { (zone.id, $0) } }
    var inside = Set<ZoneID>()
    var time = course.journey.start
    while time <= course.journey.end {
      let here = course.journey.position(at: time)
      for (id, line) in lines where !inside.contains(id) && line.distance(from: here) <= 0 {
        inside.insert(id)
      }
      time = time + .seconds(1)
    }
    return inside
  }

  /// Every position is right and says so, and every region event comes as soon as its dwell is over.
  private static let ideal = PhoneParameters.ideal.with {
    $0.wifiAccuracyMetres = 5
    $0.cellAccuracyLeastMetres = 5
    $0.cellAccuracyMostMetres = 5
    $0.significantAccuracyMetres = 5
    $0.significantCoarseShare = 1
  }

  @Test
  func `under ideal conditions the engine's policies that can see all ring where a fix each second does`() {
    for seed in Seeds.few(2, from: 40).map(UInt64.init) {
      let course = Self.course(seed: seed)
      let expected = Self.reference(course)
      #expect(expected.count >= 3)
      for (name, contender) in Self.rivals
      where ["certified", "continuous", "continuous-10m", "nearestRegions"].contains(contender.name) {
        let rang = Set(
          Self.run(contender, course, seed: seed, parameters: Self.ideal).record.alarms.map(\.zone))
        #expect(rang == expected, "\(name), seed \(seed)")
      }
    }
  }

  @Test
  func
    `under ideal conditions nobody rings for a zone that no fix of any second lies in, but at the platform's word`()
  {
    for seed in Seeds.few(1, from: 60).map(UInt64.init) {
      let course = Self.course(seed: seed)
      let expected = Self.reference(course)
      for (name, contender) in Self.rivals where !name.contains("infinite") && !name.contains("trusting") {
        let rang = Set(
          Self.run(contender, course, seed: seed, parameters: Self.ideal).record.alarms.map(\.zone))
        #expect(rang.isSubset(of: expected), "\(name), seed \(seed)")
      }
    }
  }

  @Test func `with its thresholds beyond the way the tiered policy sees all`() {
    var parameters = TieredParameters()
    parameters.standardThreshold = .kilometres(100)
    let wide = parameters
    for seed in Seeds.few(2, from: 80).map(UInt64.init) {
      let course = Self.course(seed: seed)
      let contender = SimulatedPolicy.contender("tiered", on: .suspended) { TieredWatch(parameters: wide) }
      let rang = Set(
        Self.run(contender, course, seed: seed, parameters: Self.ideal).record.alarms.map(\.zone))
      #expect(rang == Self.reference(course), "seed \(seed)")
    }
  }
}
