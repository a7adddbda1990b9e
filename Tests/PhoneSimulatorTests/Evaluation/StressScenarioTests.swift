import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneSimulator

/// Days with many difficulties at once, S14 to S18.
@Suite("Stress days")
struct StressScenarioTests {
  private static let all: [ScriptedScenario] = [
    .homeAmongZones, .stopAndGo, .tunnels, .canyons, .withoutWifi,
  ]

  @Test func `they are S14 to S18`() {
    #expect(Self.all.map(\.number) == ["S14", "S15", "S16", "S17", "S18"])
    #expect(ScriptedScenario.allCases.suffix(5) == Self.all[...])
  }

  @Test(arguments: all)
  func `a day has 18 zones of all triggers, and a visit to most kinds over a few seeds`(
    _ scenario: ScriptedScenario
  ) {
    var owed: [String: Int] = [:]
    for seed in UInt64(1)...3 {
      let course = scenario.course(seed: seed)
      #expect(course.zones.count == 18)
      #expect(abs((course.journey.end - course.journey.start).seconds / 3600 - 24) < 2, "seed \(seed)")
      func kind(_ zone: Zone) -> String {
        switch zone.trigger {
        case .leave: "leave"
        case .dwell: "dwell"
        case .enter, .enterAndLeave: zone.warningTime == nil ? "enter" : "lead"
        }
      }
      let kinds = Dictionary(course.zones.map { ($0.id, kind($0)) }, uniquingKeysWith: { first, _ in first })
      #expect(Set(kinds.values) == ["leave", "dwell", "enter", "lead"])
      for visit in course.truth.visits where visit.isOwed { owed[kinds[visit.zone] ?? "", default: 0] += 1 }
    }
    #expect((owed["enter"] ?? 0) >= 9, "\(owed)")
    #expect(["leave", "dwell", "lead"].allSatisfy { (owed[$0] ?? 0) >= 1 }, "\(owed)")
  }

  @Test(arguments: all) func `the same seed is the same day, another one another`(
    _ scenario: ScriptedScenario
  ) {
    let (first, again, other) = (
      scenario.course(seed: 5), scenario.course(seed: 5), scenario.course(seed: 6)
    )
    func way(_ course: Trial.Case) -> [Coordinate] {
      (0..<96).map { course.journey.position(at: course.journey.start + .minutes(15 * Double($0))) }
    }
    #expect(first.zones == again.zones && way(first) == way(again) && first.silences == again.silences)
    #expect(first.zones != other.zones && way(first) != way(other))
  }

  @Test func `S14: six zones of all classes begin 25 to 150 m from the home`() throws {
    let course = ScriptedScenario.homeAmongZones.course(seed: 3)
    let home = course.journey.position(at: course.journey.start)
    let near = course.zones.prefix(6)
    let metres = try near.map { zone in
      try #require(AlarmLine(zone, settings: .phone)).distance(from: home)
    }
    for (found, wanted) in zip(metres, [25.0, 40, 60, 80, 100, 150]) { #expect(abs(found - wanted) < 1) }
    #expect(Set(near.map(\.assurance)) == Set(Assurance.allCases))
  }

  @Test func `S15: a car waits at lights again and again`() {
    let journey = ScriptedScenario.stopAndGo.course(seed: 1).journey
    let stops = zip(journey.vertices, journey.vertices.dropFirst()).count {
      $0.motion == .still && $1.motion == .vehicle && ($1.time - $0.time).seconds <= 90
    }
    #expect(stops >= 5, "\(stops)")
  }

  @Test func `S16: in a tunnel no position comes, and behind it they come again`() {
    let course = ScriptedScenario.tunnels.course(seed: 2)
    #expect(course.silences.count >= 2)
    #expect(zip(course.silences, course.silences.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    #expect(course.silences.allSatisfy { course.journey.speed(at: $0.lowerBound + .seconds(5)) > .zero })
    var inSilence = 0
    var after = 0
    _ = Trial(Trial.Contender(timed: "continuous") { ContinuousWatch() }, seed: 2).run(course) { phone, _ in
      for entry in phone.log.entries {
        guard case .fix(_, _, let measuredAt, _) = entry.occurrence else { continue }
        // Within a second: the journey's times are rounded leg by leg.
        if course.silences.contains(where: {
          $0.lowerBound + .seconds(1) < measuredAt && measuredAt < $0.upperBound - .seconds(1)
        }) {
          inSilence += 1
        }
        if measuredAt > course.silences[0].upperBound { after += 1 }
      }
      #expect(phone.conditions == course.conditions)
    }
    #expect(inSilence == 0 && after > 100)
  }

  @Test func `no alarm is owed for a zone that is passed within a tunnel, one is for what reaches beyond`() {
    func owed(until seconds: Double) -> [Bool] {
      Trial.Case(
        name: "tunnel", scenario: "tests", journey: Road.drive(Road.go(4000, 10)),
        zones: [Road.zone(at: 1000, radius: 200)], silences: [Road.at(60)...Road.at(seconds)]
      ).truth.visits.map(\.isOwed)
    }
    // Inside from 80 to 120 s; the alarm may come until 150 s.
    #expect(owed(until: 155) == [false])
    #expect(owed(until: 145) == [true])
  }

  @Test func `S17: most of the way leads between high houses`() {
    let journey = ScriptedScenario.canyons.course(seed: 1).journey
    let moving = zip(journey.vertices, journey.vertices.dropFirst()).filter { $0.0.motion != .still }
    let metres = moving.map { $1.travelled - $0.travelled }.reduce(0, +)
    let canyon = moving.filter { $0.0.surroundings == .urbanCanyon }.map { $1.travelled - $0.travelled }
    #expect(canyon.reduce(0, +) > 0.5 * metres)
  }

  @Test func `S18: Wi-Fi is off, and on in the others`() {
    for scenario in Self.all {
      #expect(scenario.course(seed: 1).conditions.wifi == (scenario != .withoutWifi), "\(scenario)")
    }
  }

  @Test func `an outage and a tunnel that overlap end each at its own time`() {
    let course = Trial.Case(
      name: "tunnel", scenario: "tests", journey: Road.drive(Road.go(4000, 10)), zones: [],
      outage: Road.at(100)...Road.at(200), silences: [Road.at(150)...Road.at(250)])
    func received(_ seconds: Double) -> [Bool] {
      let now = course.conditions(at: Road.at(seconds))
      return [now.satellites, now.wifi, now.network]
    }
    #expect(received(99) == [true, true, true] && received(120) == [false, true, true])
    #expect(received(220) == [false, false, false] && received(250) == [true, true, true])
  }
}
