import AlarmEngine
import Foundation
import Geometry
import TestSupport
import Testing

@Suite("Probability of being inside")
struct ProbabilityTests {
  private func inside(_ distance: Double, accuracy: Double, depth: Double = 1e6) -> Double {
    Probability.inside(distance: .metres(distance), accuracy: .metres(accuracy), depth: .metres(depth))
  }

  @Test func `an exact fix is inside up to the level and outside beyond`() {
    #expect(inside(0, accuracy: 0) == 1)
    #expect(inside(-3, accuracy: 0, depth: 5) == 1)
    #expect(inside(0.001, accuracy: 0) == 0)
    #expect(inside(-3, accuracy: -1) == 1)
  }

  @Test func `on the edge of a large zone it is one half`() {
    #expect(inside(0, accuracy: 30) == 0.5)
  }

  /// Theorem 1's alarm rule d <= accuracy stands for a probability of 0.079.
  @Test func `one accuracy outside it is 0.0786`() {
    #expect(abs(inside(30, accuracy: 30) - 0.078_649_603_525_142_6) < 1e-12)
    #expect(abs(inside(-30, accuracy: 30) - 0.921_350_396_474_857_4) < 1e-12)
  }

  @Test func `a zone without inside holds nobody, unless the fix is exact`() {
    #expect(inside(-1, accuracy: 30, depth: 0) == 0)
    #expect(inside(-1, accuracy: 30, depth: -5) == 0)
  }

  @Test func `a coarse fix in the middle of a small zone is not certain`() {
    // A tenth of the accuracy deep: 1 - exp(-0.01).
    #expect(abs(inside(-10, accuracy: 100, depth: 10) - 0.009_950_166_250_831_947) < 1e-15)
  }

  @Test(arguments: 0..<30)
  func `of a circle it is never below, and near a large one close to, the mass of the error`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let accuracy = random.double(in: 5...100)
    let radius = accuracy * random.double(in: 0.1...20)
    let offset = max(0, radius + accuracy * random.double(in: -2...2))
    let mass = massInCircle(radius: radius, offset: offset, deviation: accuracy / 2.0.squareRoot())
    let answer = inside(offset - radius, accuracy: accuracy, depth: radius)
    // The sum over rings is good to about 1e-6.
    #expect(answer >= mass - 1e-5, "seed \(seed)")
    // The edge's curvature takes off at most σ/2R.
    #expect(answer - mass <= max(0.02, 0.4 * accuracy / radius), "seed \(seed): \(answer), \(mass)")
  }

  /// Rings of the circle, each with the mean of the error's density around it.
  private func massInCircle(radius: Double, offset: Double, deviation: Double) -> Double {
    let rings = 400
    let sectors = 200
    var sum = 0.0
    for ring in 0..<rings {
      let r = (Double(ring) + 0.5) / Double(rings) * radius
      for sector in 0..<sectors {
        let angle = (Double(sector) + 0.5) / Double(sectors) * 2 * .pi
        let square = r * r + offset * offset - 2 * r * offset * cos(angle)
        sum += r * exp(-square / (2 * deviation * deviation))
      }
    }
    return sum * radius / Double(rings) * 2 * .pi / Double(sectors) / (2 * .pi * deviation * deviation)
  }
}
