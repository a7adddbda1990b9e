import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import PhoneSimulator

@Suite("Safe periods: theorems and tables")
struct SafePeriodTheoremTests {
  private static func bound(_ speed: Double, tolerance: Double = 5, error: Double = 0) -> SafePeriodBound {
    var bound = SafePeriodBound()
    bound.greatestSpeed = speed
    bound.tolerance = tolerance
    bound.error = error
    return bound
  }

  @Test(arguments: [
    (1.4, 40.0, 500.0, 36), (1.4, 40, 5000, 92), (1.4, 3, 500, 6), (1.4, 3, 5000, 10), (5, 12, 500, 5),
    (5, 12, 5000, 9), (14, 40, 500, 3), (14, 40, 5000, 8),
  ])
  func `a straight approach takes the fixes of the formula`(
    _ speed: Double, _ limit: Double, _ distance: Double, _ expected: Int
  ) {
    // The edge is 100 m from the zone's centre, and the way ends at the edge.
    let journey = Road.drive(Road.go(distance, speed))
    let zone = Road.zone(at: distance + 100, radius: 100)
    #expect(Self.bound(limit).fixes(journey, zones: [zone]) == expected)
  }

  @Test(arguments: [
    (200.0, 3.0, 1206), (200, 14, 4480), (200, 40, 8640), (1000, 3, 255), (1000, 14, 1130), (1000, 40, 2880),
    (10_000, 3, 26), (10_000, 14, 120), (10_000, 40, 339),
  ])
  func `standing still takes the fixes of the table`(_ distance: Double, _ limit: Double, _ expected: Int) {
    // Enough days that the mean gives the whole number.
    let days = max(5, 40_000 / expected)
    let journey = Road.drive(.stand(.hours(24 * Double(days))))
    let zone = Road.zone(at: distance + 100, radius: 100)
    let count = Self.bound(limit).fixes(journey, zones: [zone])
    #expect(Int((Double(count - 1) / Double(days)).rounded()) == expected, "\(count) in \(days) days")
  }

  /// A way of random legs within a kilometre or two of some zones; at most 30 m/s.
  private static func wander(_ random: inout SeededGenerator) -> (journey: Journey, zones: [Zone]) {
    func place(_ reach: Double) -> Coordinate {
      Scene.place(metres: random.double(in: 0...reach), bearing: random.double(in: -180...180))
    }
    let legs = (0..<8).flatMap { _ -> [Journey.Leg] in
      [
        .go(to: place(1500), .metresPerSecond(random.double(in: 1...30)), .vehicle),
        .stand(.seconds(random.double(in: 1...200))),
      ]
    }
    let zones = (0..<3).map { number in
      Zone.valid(
        id: ZoneID(rawValue: UInt64(number + 1)), name: "z", size: .metres(random.double(in: 30...200)),
        outline: .locations([place(2000)]))
    }
    return (Journey(from: Scene.home, at: Scene.start, legs: legs), zones)
  }

  @Test func `theorem 2 - among sound schedules the greedy one takes the fewest fixes`() {
    for seed in Seeds.few(60) {
      var random = SeededGenerator(seed: UInt64(seed))
      let (journey, zones) = Self.wander(&random)
      let lines = zones.compactMap { AlarmLine($0, settings: .phone) }
      let bound = Self.bound(30, tolerance: random.double(in: 2...30))
      let greedy = bound.fixes(journey, zones: zones)
      for _ in 0..<5 {
        // Any schedule whose next fix comes no later than the last one allows, earlier by a random part.
        var (time, count) = (journey.start, 0)
        var alarmed = [Bool](repeating: false, count: lines.count)
        let laziness = random.double(in: 0.2...1)
        while time <= journey.end {
          count += 1
          let here = journey.position(at: time)
          var margin = Double.infinity
          for (index, line) in lines.enumerated() {
            let distance = line.distance(from: here)
            if distance <= 0 { alarmed[index] = true }
            if distance > bound.hysteresis { alarmed[index] = false }
            margin = min(margin, alarmed[index] ? bound.hysteresis - distance : max(0, distance))
          }
          let longest = margin / bound.greatestSpeed + bound.tolerance
          time = time + .seconds(max(0.5, longest * random.double(in: laziness...1)))
        }
        // Two schedules may differ in whether a zone has rung yet, which is worth a fix or two.
        #expect(greedy <= count + 2, "seed \(seed): greedy \(greedy), another sound schedule \(count)")
      }
    }
  }

  @Test func `theorem 3 - with errors the online schedule takes no more than the greedy one for grown zones`()
  {
    for seed in Seeds.few(60, from: 500) {
      var random = SeededGenerator(seed: UInt64(seed))
      let journey = Self.wander(&random).journey
      // No zone is entered, as in the theorem, which does not cover rings.
      let zone = Zone.valid(
        id: ZoneID(rawValue: 1), name: "z", size: .metres(100),
        outline: .locations([Scene.place(metres: 4000, bearing: random.double(in: -180...180))]))
      guard let line = AlarmLine(zone, settings: .phone) else { continue }
      let (error, tolerance) = (random.double(in: 1...60), random.double(in: 1...20))
      let greedy = Self.bound(30, tolerance: tolerance, error: error).fixes(journey, zones: [zone])
      var (time, online) = (journey.start, 0)
      while time <= journey.end {
        online += 1
        let truth = journey.position(at: time)
        let there = Geodesic.destination(
          from: truth, azimuth: .degrees(random.double(in: -180...180)),
          distance: .metres(Bool.random(using: &random) ? error : random.double(in: 0...error)))
        let safe = max(0, line.distance(from: there) - error)
        time = time + .seconds(safe / 30 + tolerance)
      }
      #expect(online <= greedy, "seed \(seed): online \(online), greedy \(greedy)")
    }
  }

  @Test func `theorem 1 - every stay is alarmed in time, and no alarm is early by more than twice the error`()
  {
    var stays = 0
    for seed in Seeds.few(120, from: 900) {
      var random = SeededGenerator(seed: UInt64(seed))
      func one(_ values: [Double]) -> Double { values[Int.random(in: values.indices, using: &random)] }
      let (speed, tolerance) = (one([2, 10, 30]), one([0, 1, 5, 20]))
      let (latest, delay, error) = (one([0, 2, 8]), one([0.1, 1, 3]), one([0, 5, 30]))
      func place(_ reach: Double) -> Coordinate {
        Scene.place(metres: random.double(in: 0...reach), bearing: random.double(in: -180...180))
      }
      let legs = (0..<10).flatMap { _ -> [Journey.Leg] in
        [
          .go(to: place(60 * speed), .metresPerSecond(speed * one([0.3, 0.8, 0.999])), .vehicle),
          .stand(.seconds(random.double(in: 1...60))),
        ]
      }
      let journey = Journey(from: place(60 * speed), at: Scene.start, legs: legs)
      let disc = Disc(centre: Scene.home, radius: 10 * speed)
      // The theorem's policy; each fix comes as late as allowed, with any error.
      var (measured, alarm) = (journey.start, Instant?.none)
      while measured <= journey.end, alarm == nil {
        let truth = journey.position(at: measured)
        let there = Geodesic.destination(
          from: truth, azimuth: .degrees(random.double(in: -180...180)),
          distance: .metres(Bool.random(using: &random) ? error : random.double(in: 0...error)))
        let distance = max(0, -disc.depth(of: there))
        if distance <= error {
          alarm = measured + .seconds(delay)
          #expect(-disc.depth(of: truth) <= 2 * error + 0.01, "seed \(seed): early")
        } else {
          let wait = max((distance - error) / speed + tolerance - latest, delay)
          measured = measured + .seconds(wait + random.double(in: 0...latest))
        }
      }
      let least = max(tolerance, delay + latest)
      var from = journey.start
      while let entry = journey.firstTime(inside: true, of: disc, from: from, until: journey.end) {
        let exit = journey.firstTime(inside: false, of: disc, from: entry, until: journey.end) ?? journey.end
        from = exit + .seconds(1)
        guard (exit - entry).seconds >= least + 1 else { continue }
        stays += 1
        let due = entry + .seconds(least + delay + 0.6)
        #expect(
          alarm.map { $0 <= due } ?? false,
          "seed \(seed): stay at \(entry), alarm \(String(describing: alarm))")
        break
      }
    }
    #expect(stays >= 60)
  }
}
