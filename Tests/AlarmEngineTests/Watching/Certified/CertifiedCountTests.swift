import Geometry
import TestSupport
import Testing

@testable import AlarmEngine

/// The number of fixes that the certified policy takes in the idealised setting: immediate fixes, no session,
/// no motion hardware.
@Suite("Certified watch: how many fixes")
struct CertifiedCountTests {
  private static func parameters(speed: Double, lateness: Double) -> CertifiedParameters {
    var parameters = CertifiedParameters()
    parameters.greatestSpeed = .metresPerSecond(speed)
    // The ways change their speed at once.
    parameters.greatestAcceleration = 1e6
    parameters.safetyLateness = .seconds(lateness)
    parameters.coldFix = .zero
    parameters.hotFix = .zero
    parameters.networkFix = .zero
    parameters.handling = .zero
    parameters.sessionBreakEven = .zero
    parameters.sessionBreakEvenWarm = .zero
    parameters.satellitesWithin = .metres(.greatestFiniteMagnitude)
    return parameters
  }

  private static var capabilities: Capabilities {
    var capabilities = Capabilities.timed
    capabilities.motion = false
    return capabilities
  }

  @Test(arguments: [
    (1.4, 40.0, 500.0, 36), (1.4, 40, 5000, 92), (1.4, 3, 500, 6), (1.4, 3, 5000, 10), (5, 12, 500, 5),
    (5, 12, 5000, 9), (14, 40, 500, 3), (14, 40, 5000, 8),
  ])
  func `a straight approach costs as many fixes as the logarithm says`(
    _ approach: (speed: Double, most: Double, distance: Double, fixes: Int)
  ) {
    var way = BoundedWay(east: 100 + approach.distance, north: 0)
    way.go(to: 0, 0, speed: approach.speed)
    var phone = WorstCasePhone(
      watch: CertifiedWatch(parameters: Self.parameters(speed: approach.most, lateness: 5)),
      zones: [AlarmStory.circle(radius: 100) { $0.assurance = .safety }], capabilities: Self.capabilities,
      way: way,
      generator: SeededGenerator(seed: 1))
    phone.run(until: way.end)
    #expect(phone.alarms.count == 1)
    // The first fix, at the start, is not counted.
    #expect(phone.measuredAt.count - 1 == approach.fixes)
  }

  /// The least number of fixes for an observer that knows the way: each as late as the true distance allows.
  /// Times in seconds.
  private static func greedy(
    _ way: BoundedWay, radius: Double, speed: Double, lateness: Double, until end: Double
  ) -> [Double] {
    var times: [Double] = []
    var time = 0.0
    while time <= end {
      times.append(time)
      let (east, north) = way.position(at: time)
      let distance =
        AlarmStory.origin.distance(to: AlarmStory.place(east: east, north: north)).metres - radius
      time = ((time + max(0, distance) / speed + lateness) * 1000).rounded(.down) / 1000
    }
    return times
  }

  @Test func `with errors, never more fixes than the fewest for the zone grown by twice the error`() {
    for seed in Seeds.few(60) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let speed = [2.0, 10, 40][Int.random(in: 0..<3, using: &generator)]
      let lateness = [1.0, 5, 20][Int.random(in: 0..<3, using: &generator)]
      var way = BoundedWay(
        east: 300 + generator.double(in: 0...200) * speed, north: generator.double(in: -50...50) * speed)
      for _ in 0..<10 {
        way.go(
          to: generator.double(in: -100...100) * speed, generator.double(in: -100...100) * speed,
          speed: 0.999 * speed * generator.double(in: 0.1...1))
      }
      var phone = WorstCasePhone(
        watch: CertifiedWatch(parameters: Self.parameters(speed: speed, lateness: lateness)),
        zones: [AlarmStory.circle(radius: 100) { $0.assurance = .safety }], capabilities: Self.capabilities,
        way: way, generator: generator)
      phone.error = [0.0, 5, 30][Int.random(in: 0..<3, using: &generator)]
      phone.accuracy = phone.error / Rule.errorFactor(.safety)
      phone.run(until: way.end)
      let end = phone.measuredAt.last ?? 0
      let fewest = Self.greedy(
        way, radius: 100 + 2 * phone.error + 0.05, speed: speed, lateness: lateness, until: end)
      #expect(phone.measuredAt.count <= fewest.count, "seed \(seed)")
      for (mine, theirs) in zip(phone.measuredAt, fewest) { #expect(mine >= theirs - 1e-6, "seed \(seed)") }
    }
  }
}
