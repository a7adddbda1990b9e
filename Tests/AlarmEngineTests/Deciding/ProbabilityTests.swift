import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@Suite("Probability of being inside")
struct ProbabilityTests {
  private func inCircle(_ radius: Double, _ distance: Double, _ deviation: Double = 1) -> Double {
    Probability.insideCircle(
      radius: .metres(radius), distance: .metres(distance), deviation: .metres(deviation))
  }

  @Test func `an exact position is inside up to the edge and outside beyond`() {
    #expect(inCircle(5, 5, 0) == 1)
    #expect(inCircle(5, 5.001, 0) == 0)
    #expect(inCircle(5, 4, -1) == 1)
    #expect(inCircle(0, 0, 0) == 0)
    #expect(inCircle(-1, 0, 10) == 0)
  }

  /// Radius and distance in standard deviations, and the noncentral chi-squared distribution with two degrees
  /// of freedom, computed by SciPy 1.17.
  static let table: [(radius: Double, distance: Double, share: Double)] = [
    (0.01, 0, 4.99987500209e-05),
    (0.5, 0, 0.117503097415),
    (0.5, 1.3, 0.0531303414831),
    (1, 0, 0.393469340287),
    (1, 1, 0.267120196203),
    (1, 3, 0.0108294498215),
    (2, 2.5, 0.232129725902),
    (5, 5, 0.459901613226),
    (5, 8, 0.00103959339886),
    (20, 19, 0.835056661447),
    (20, 23, 0.0012501619078),
    (100, 100.5, 0.306783764131),
    (1000, 999, 0.841223669876),
    (3, 0.2, 0.987878704676),
  ]

  @Test(arguments: table)
  func `it is Rice's distribution`(_ row: (radius: Double, distance: Double, share: Double)) {
    #expect(abs(inCircle(row.radius, row.distance) - row.share) < 2e-6)
    #expect(abs(inCircle(row.radius * 37, row.distance * 37, 37) - row.share) < 2e-6)
  }

  @Test func `far away it is 0 and deep inside 1, whatever the sizes`() {
    #expect(inCircle(10, 1e7) == 0)
    #expect(inCircle(1e7, 10) == 1)
    #expect(inCircle(1e-9, 0) < 1e-17)
  }

  /// Sums over squares with sides of a twentieth of a standard deviation.
  private func mass(_ deviation: Double, _ holds: (_ east: Double, _ north: Double) -> Bool) -> Double {
    let step = 0.05
    var sum = 0.0
    for i in -120..<120 {
      for j in -120..<120 {
        let (x, y) = ((Double(i) + 0.5) * step, (Double(j) + 0.5) * step)
        if holds(x * deviation, y * deviation) { sum += exp(-(x * x + y * y) / 2) }
      }
    }
    return sum * step * step / (2 * .pi)
  }

  @Test(arguments: 0..<40)
  func `of any area it is near the mass of the error over it`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let deviation = random.double(in: 5...200)
    // A strip between two parallel lines, a corner, and a half plane, on a plane around the position.
    let from = random.double(in: -2...2) * deviation
    let width = random.double(in: 0.5...3) * deviation
    let corner = random.double(in: -2...2) * deviation
    let shape = seed % 3
    func distance(_ east: Double, _ north: Double) -> Double {
      switch shape {
      case 0: max(from - north, north - from - width)
      case 1: max(from - north, corner - east)
      default: from - north
      }
    }
    let position = try Coordinate(latitudeDegrees: 48, longitudeDegrees: 9)
    let answer = Probability.inside(around: position, deviation: .metres(deviation)) { place in
      let apart = position.distance(to: place).metres
      let azimuth = Geodesic(from: position, to: place).azimuthAtStart.radians
      return .metres(distance(apart * sin(azimuth), apart * cos(azimuth)))
    }
    let exact = mass(deviation) { distance($0, $1) <= 0 }
    #expect(abs(answer - exact) < 0.03, "seed \(seed): \(answer), \(exact)")
  }
}
