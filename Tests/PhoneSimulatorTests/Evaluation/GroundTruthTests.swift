import AlarmEngine
import Geometry
import PhoneSimulator
import TestSupport
import Testing

/// A straight road to the east with a circle on it.
enum Road {
  static let start = Instant(millisecondsSince1970: 1_750_000_000_000)
  static let origin = Coordinate(latitude: .degrees(48.1), longitude: .degrees(11.5))
  static let id = ZoneID(rawValue: 7)

  static func place(_ metres: Double) -> Coordinate {
    Geodesic.destination(
      from: origin, azimuth: .degrees(metres < 0 ? -90 : 90), distance: .metres(abs(metres)))
  }

  static func zone(
    at metres: Double, radius: Double, inset: Double = 0, alert: Double = 0,
    trigger: Trigger = .enter(passingCounts: true)
  ) -> Zone {
    var zone = Zone.valid(
      id: id, name: "zone", size: .metres(radius), inset: .metres(inset), alertDistance: .metres(alert),
      outline: .locations([place(metres)]))
    zone.change { $0.trigger = trigger }
    return zone
  }

  static func drive(_ legs: Journey.Leg...) -> Journey { Journey(from: origin, at: start, legs: legs) }
  static func go(_ metres: Double, _ speed: Double) -> Journey.Leg {
    .go(to: place(metres), .metresPerSecond(speed), speed > 3 ? .vehicle : .walking)
  }
  static func at(_ seconds: Double) -> Instant { start + .seconds(seconds) }
}

@Suite("What truly happened")
struct GroundTruthTests {
  @Test func `driving through a zone is one visit, from edge to edge`() throws {
    let truth = GroundTruth(Road.drive(Road.go(2000, 10)), zones: [Road.zone(at: 1000, radius: 100)])
    try #require(truth.visits.count == 1)
    let visit = truth.visits[0]
    #expect(visit.isOwed)
    #expect(abs((visit.entry - Road.start).seconds - 90) <= 1)
    #expect(abs((visit.exit - Road.start).seconds - 110) <= 1)
    #expect(abs((visit.near.lowerBound - Road.start).seconds - 88.5) <= 1)
  }

  @Test func `a zone that is added, or opens, while the phone rests in it is entered then`() throws {
    // Arrives at 100 s and rests for ten minutes. The journey begins at 15:06:40.
    let journey = Road.drive(Road.go(1000, 10), .stand(.minutes(10)), Road.go(3000, 10))
    var zone = Road.zone(at: 1000, radius: 100)
    let added = GroundTruth(journey, zones: [zone], additions: [zone.id: Road.at(333)])
    zone.change {
      $0.schedule = Schedule(
        windows: [.init(weekdays: .everyDay, opens: 15 * 60 + 12, closes: 15 * 60 + 14)], timeZone: "UTC",
        offsets: [])
    }
    let opened = GroundTruth(journey, zones: [zone])
    for (truth, entry, exit) in [(added, 333.0, 710.0), (opened, 320, 440)] {
      try #require(truth.visits.count == 1)
      #expect(truth.visits[0].isOwed)
      #expect(abs((truth.visits[0].entry - Road.at(entry)).seconds) < 0.01)
      #expect(abs((truth.visits[0].exit - Road.at(exit)).seconds) <= 1)
    }
    #expect(GroundTruth(journey, zones: [zone], additions: [zone.id: Road.at(500)]).visits.isEmpty)
  }

  @Test func `inset and alert distance move the line`() throws {
    let zone = Road.zone(at: 1000, radius: 100, inset: 20, alert: 320)
    let truth = GroundTruth(Road.drive(Road.go(2000, 10)), zones: [zone])
    #expect(abs((try #require(truth.visits.first).entry - Road.start).seconds - 60) <= 1)
  }

  @Test func `a visit is surrounded by the time within 200 m, and knows how the phone came`() throws {
    let truth = GroundTruth(Road.drive(Road.go(2000, 10)), zones: [Road.zone(at: 1000, radius: 100)])
    let visit = try #require(truth.visits.first)
    #expect(abs((visit.around.lowerBound - Road.start).seconds - 70) <= 1)
    #expect(abs((visit.around.upperBound - Road.start).seconds - 130) <= 1)
    #expect(visit.motion == .vehicle)
  }

  @Test func `a zone that rings when it is left owes that each time it is left, and nothing before`() throws {
    let zone = Road.zone(at: 0, radius: 100, trigger: .leave())
    let truth = GroundTruth(
      Road.drive(
        .stand(.minutes(5)), Road.go(600, 2), .stand(.minutes(5)), Road.go(0, 2), .stand(.minutes(5)),
        Road.go(-300, 2), .stand(.minutes(5))), zones: [zone])
    #expect(truth.visits.map(\.isOwed) == [true, true])
    #expect(abs((truth.visits[0].entry - Road.start).seconds - 350) <= 1)
    #expect(abs((truth.visits[0].exit - Road.start).seconds - (300 + 300 + 300 + 250)) <= 1)
    // A phone that begins outside has not left.
    let outside = GroundTruth(
      Road.drive(.stand(.minutes(5)), Road.go(900, 5)),
      zones: [Road.zone(at: -500, radius: 100, trigger: .leave())])
    #expect(outside.visits.allSatisfy { !$0.isOwed })
  }

  @Test func `a zone that rings after a stay owes that at its end, and nothing to shorter stays`() throws {
    let zone = Road.zone(at: 1000, radius: 100, trigger: .dwell(.minutes(5)))
    func truth(staying minutes: Double) -> GroundTruth {
      GroundTruth(
        Road.drive(Road.go(1000, 10), .stand(.minutes(minutes)), Road.go(2000, 10)), zones: [zone])
    }
    #expect(truth(staying: 4).visits.map(\.isOwed) == [false])
    let long = truth(staying: 9)
    #expect(long.visits.map(\.isOwed) == [true])
    #expect(abs((long.visits[0].entry - Road.start).seconds - (90 + 300)) <= 1)
  }

  @Test func `a zone with a time outside owes its alarm at the end, and nothing to a shorter walk`() throws {
    let zone = Road.zone(at: 0, radius: 100, trigger: .leave(after: .minutes(5)))
    func truth(away minutes: Double) -> GroundTruth {
      GroundTruth(
        Road.drive(
          .stand(.minutes(5)), Road.go(600, 10), .stand(.minutes(minutes)), Road.go(0, 10),
          .stand(.minutes(5))), zones: [zone])
    }
    #expect(truth(away: 2).visits.map(\.isOwed) == [false])
    let long = truth(away: 9)
    #expect(long.visits.map(\.isOwed) == [true])
    #expect(abs((long.visits[0].entry - Road.start).seconds - (300 + 10 + 300)) <= 1)
  }

  @Test func `a touch owes no alarm, but allows one`() throws {
    let truth = GroundTruth(Road.drive(Road.go(905, 5)), zones: [Road.zone(at: 1000, radius: 100)])
    #expect(truth.visits.map(\.isOwed) == [false])
  }

  @Test func `eight seconds deep inside owe no alarm, twelve do`() {
    func isOwed(_ seconds: Double) -> [Bool] {
      let deep = Road.zone(at: 1000, radius: 15 + seconds * 10 / 2)
      return GroundTruth(Road.drive(Road.go(2000, 10)), zones: [deep]).visits.map(\.isOwed)
    }
    #expect(isOwed(8) == [false])
    #expect(isOwed(12.5) == [true])
  }

  @Test func `stepping out for 150 m is the same visit, 250 m begins another`() {
    func count(_ beyond: Double) -> Int {
      let journey = Road.drive(
        Road.go(1000, 10), Road.go(900 - beyond, 10), Road.go(1000, 10), Road.go(3000, 10))
      return GroundTruth(journey, zones: [Road.zone(at: 1000, radius: 100)]).visits.count
    }
    #expect(count(150) == 1)
    #expect(count(250) == 2)
  }

  @Test func `hours of rest inside are found without walking through them`() throws {
    let journey = Road.drive(Road.go(1000, 10), .stand(.hours(9)), Road.go(2000, 10))
    let truth = GroundTruth(journey, zones: [Road.zone(at: 1000, radius: 100)])
    #expect(abs((try #require(truth.visits.first).stay) - (9 * 3600 + 20)) <= 2)
  }

  @Test func `a visit in a gap of the track does not count`() throws {
    let fixes = [0.0, 50, 130, 180, 200].map { seconds in
      Fix(position: Road.place(10 * seconds), accuracy: .unstated, measuredAt: Road.at(seconds))
    }
    let gaps = GroundTruth.gaps(in: fixes)
    #expect(gaps == [Road.at(50)...Road.at(130)])
    let journey = try Journey(track: fixes)
    let zone = Road.zone(at: 1000, radius: 100)
    #expect(GroundTruth(journey, zones: [zone], gaps: gaps).visits.map(\.isOwed) == [false])
    #expect(GroundTruth(journey, zones: [zone]).visits.map(\.isOwed) == [true])
  }

  @Test func `a track measured each second is right to 15 m, one measured less often to 30 m`() {
    func error(_ step: Double) -> Double {
      GroundTruth.Rules(
        for: (0..<20).map { number in
          Fix(position: Road.place(0), accuracy: .unstated, measuredAt: Road.at(Double(number) * step))
        }
      ).error
    }
    #expect(error(1) == 15)
    #expect(error(5) == 30)
    #expect(GroundTruth.Rules(for: []).error == 30)
  }

  @Test func `who starts inside was not seen to come in`() {
    let truth = GroundTruth(
      Road.drive(.stand(.minutes(5)), Road.go(2000, 10)), zones: [Road.zone(at: 0, radius: 100)])
    #expect(truth.visits.map(\.isOwed) == [false])
  }

  @Test func `zones that are off or have no area are not visited`() {
    var off = Road.zone(at: 1000, radius: 100)
    off.change { $0.active = false }
    let none = Zone.valid(
      id: ZoneID(rawValue: 8), name: "none",
      outline: .locations(.init(repeating: Road.place(1000), count: 3)))
    #expect(GroundTruth(Road.drive(Road.go(2000, 10)), zones: [off, none]).visits.isEmpty)
  }
}
