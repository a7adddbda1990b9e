import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneSimulator

@Suite("Journeys")
struct JourneyTests {
  private func wander(seed: UInt64) throws -> Journey {
    var random = SeededGenerator(seed: seed)
    var (east, north) = (0.0, 0.0)
    let fixes = (0..<600).map { n -> Fix in
      east += random.double(in: -12...12)
      north += random.double(in: -12...12)
      let place = Geodesic.destination(
        from: Scene.home, azimuth: .radians(Trigonometry.arctangent(y: east, x: north)),
        distance: .metres((east * east + north * north).squareRoot()))
      return Fix(position: place, accuracy: .unstated, measuredAt: Scene.start + .seconds(Double(n) * 3))
    }
    return try Journey(track: fixes)
  }

  @Test(arguments: UInt64(1)...30)
  func `crossings agree with a look at every half second`(seed: UInt64) throws {
    let journey = try wander(seed: seed)
    let disc = Disc(centre: Scene.place(metres: 30), radius: 60)
    for inside in [true, false] {
      let found = journey.firstTime(inside: inside, of: disc, from: Scene.start, until: journey.end)
      var time = Scene.start
      while time <= journey.end, (disc.depth(of: journey.position(at: time)) >= 0) != inside {
        time = time + .milliseconds(500)
      }
      if time > journey.end {
        #expect(found == nil, "seed \(seed)")
      } else {
        let late = found.map { ($0 - time).seconds }
        #expect(late.map { abs($0) <= 1 } ?? false, "seed \(seed): \(String(describing: late))")
      }
    }
  }

  @Test func `a leg is travelled at its speed along the geodesic`() {
    let goal = Scene.place(metres: 50_000, bearing: 40)
    let journey = Journey(
      from: Scene.home, at: Scene.start, legs: [.go(to: goal, .metresPerSecond(25), .vehicle)])
    #expect(abs((journey.end - journey.start).seconds - 2000) < 0.01)
    let middle = journey.position(at: Scene.start + .seconds(1000))
    #expect(middle.distance(to: Scene.place(metres: 25_000, bearing: 40)).metres < 0.5)
    #expect(abs(journey.speed(at: Scene.start + .seconds(77)).metresPerSecond - 25) < 0.01)
    #expect(journey.course(at: Scene.start + .seconds(5)).map { abs($0.degrees - 40) < 0.1 } ?? false)
  }

  @Test func `a journey may cross the antimeridian`() {
    let west = Coordinate(latitude: .degrees(10), longitude: .degrees(179.99))
    let east = Coordinate(latitude: .degrees(10), longitude: .degrees(-179.99))
    let journey = Journey(
      from: west, at: Scene.start, legs: [.go(to: east, .metresPerSecond(10), .vehicle)])
    let middle = journey.position(at: Scene.start + .seconds((journey.end - journey.start).seconds / 2))
    #expect(abs(abs(middle.longitude.degrees) - 180) < 0.001)
  }

  @Test func `rests in a track count as still, ways between them by their pace`() throws {
    var fixes: [Fix] = []
    func add(_ seconds: Double, _ metres: Double) {
      fixes.append(
        Fix(
          position: Scene.place(metres: metres), accuracy: .unstated,
          measuredAt: Scene.start + .seconds(seconds)))
    }
    for n in 0..<100 { add(Double(n), Double(n % 5)) }
    for n in 0..<100 { add(100 + Double(n), 50 + 1.5 * Double(n)) }
    for n in 0..<100 { add(200 + Double(n), 250 + 15 * Double(n)) }
    let journey = try Journey(track: fixes)
    #expect(journey.motion(at: Scene.start + .seconds(50)) == .still)
    #expect(journey.motion(at: Scene.start + .seconds(150)) == .walking)
    #expect(journey.motion(at: Scene.start + .seconds(250)) == .vehicle)
  }

  @Test func `a track may come in any order, and of two fixes of one time the last counts`() throws {
    let places = [0.0, 10, 20, 30].map { Scene.place(metres: $0) }
    func fix(_ n: Int, _ place: Int) -> Fix {
      Fix(position: places[place], accuracy: .unstated, measuredAt: Scene.start + .seconds(Double(n)))
    }
    let journey = try Journey(track: [fix(2, 2), fix(0, 0), fix(1, 3), fix(1, 1)])
    #expect(journey.position(at: Scene.start + .seconds(1)) == places[1])
    #expect(abs(journey.length.metres - 20) < 1e-6)
    #expect(throws: JourneyError.noFixes) { try Journey(track: []) }
  }

  @Test func `padding makes whole days and moves nothing`() throws {
    let journey = try wander(seed: 1)
    let padded = journey.paddedToDays()
    #expect((padded.end - padded.start).seconds == 86_400)
    #expect(
      padded.position(at: Scene.start + .seconds(900)) == journey.position(at: Scene.start + .seconds(900)))
    #expect(padded.motion(at: Scene.start + .hours(20)) == .still)
  }

  @Test func `settling needs the whole dwell beyond the depth`() {
    let journey = Scene.straight(stand: 10, speed: 10, metres: 1000)
    let disc = Disc(centre: Scene.home, radius: 100)
    let settled = journey.settled(
      inside: false, of: disc, dwell: .seconds(20), from: Scene.start, until: journey.end)
    #expect(settled.map { abs(($0 - Scene.start).seconds - 40) <= 0.6 } ?? false)
    #expect(
      journey.settled(
        inside: false, of: disc, dwell: .seconds(20), from: Scene.start, until: Scene.start + .seconds(35))
        == nil)
  }

  /// 20 km on foot and by car with a rest of 20 minutes and one of a minute; a recorded track with a fix each
  /// second.
  private static func recorded() throws -> Journey {
    let script = Journey(
      from: Scene.home, at: Scene.start,
      legs: [
        .go(to: Scene.place(metres: 1000), .metresPerSecond(1.4), .walking), .stand(.minutes(20)),
        .go(to: Scene.place(metres: 12_000), .metresPerSecond(12), .vehicle), .stand(.minutes(1.5)),
        .go(to: Scene.place(metres: 21_000), .metresPerSecond(12), .vehicle),
      ])
    let seconds = Int((script.end - script.start).seconds)
    return try Journey(
      track: (0...seconds).map { second in
        let time = script.start + .seconds(Double(second))
        return Fix(position: script.position(at: time), accuracy: .unstated, measuredAt: time)
      })
  }

  private func metres(_ journey: Journey, in surroundings: Journey.Surroundings) -> Double {
    zip(journey.vertices, journey.vertices.dropFirst()).filter { $0.0.surroundings == surroundings }
      .map { $1.travelled - $0.travelled }.reduce(0, +)
  }

  @Test func `what surrounded a recorded track is drawn from the seed, and nothing else changes`() throws {
    let plain = try Self.recorded()
    var canyons = 0.0
    var indoors = 0
    for seed in UInt64(1)...30 {
      let drawn = plain.withDrawnSurroundings(seed: seed)
      #expect(
        drawn.vertices.map(\.surroundings)
          == plain.withDrawnSurroundings(seed: seed).vertices.map(\.surroundings))
      #expect(
        drawn.vertices.map(\.time) == plain.vertices.map(\.time)
          && drawn.vertices.map(\.position) == plain.vertices.map(\.position)
          && drawn.vertices.map(\.motion) == plain.vertices.map(\.motion))
      canyons += metres(drawn, in: .urbanCanyon) / 21_000 / 30
      // The long rest, from 714 to 1914 s, has one kind of surroundings; a stop on the way keeps those of the
      // way.
      let rest = Set((800...1900).map { drawn.surroundings(at: Scene.start + .seconds(Double($0))) })
      #expect(rest.count == 1 && !rest.contains(.urbanCanyon), "seed \(seed)")
      if rest == [.indoors] { indoors += 1 }
      let stop = Scene.start + .seconds(2870)
      let before = drawn.vertices.last { $0.time <= stop && $0.motion != .still }
      #expect(drawn.surroundings(at: stop) == before?.surroundings, "seed \(seed)")
    }
    #expect((0.15...0.35).contains(canyons), "\(canyons)")
    #expect((12...28).contains(indoors), "\(indoors)")
    #expect(
      plain.withDrawnSurroundings(seed: 1).vertices.map(\.surroundings)
        != plain.withDrawnSurroundings(seed: 2).vertices.map(\.surroundings))
  }

  @Test func `stated surroundings are those of the whole track`() throws {
    let indoors = try Self.recorded().with(.indoors)
    #expect(abs(metres(indoors, in: .indoors) - 21_000) < 30)
  }
}
