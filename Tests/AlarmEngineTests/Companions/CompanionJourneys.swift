import AlarmEngine
import Geometry
import TestSupport

/// Two journeys on a plane, made from a seed, with the true positions second by second.
struct CompanionJourneys {
  private var own: [(east: Double, north: Double)] = []
  private var other: [(east: Double, north: Double)] = []
  private let seed: Int
  let seconds = 3600.0

  init(seed: Int) {
    self.seed = seed
    var random = SeededGenerator(seed: UInt64(seed) ^ 0x10ad)
    own = Self.journey(&random, Int(seconds))
    other = Self.journey(&random, Int(seconds))
  }

  /// A journey at constant speed, straight from one place in a town to the next.
  private static func journey(_ random: inout SeededGenerator, _ seconds: Int) -> [(
    east: Double, north: Double
  )] {
    var place = (east: random.double(in: -2000...2000), north: random.double(in: -2000...2000))
    var path = [place]
    while path.count <= seconds {
      let next = (east: random.double(in: -2000...2000), north: random.double(in: -2000...2000))
      let speed = random.double(in: 1...20)
      let far =
        ((next.east - place.east) * (next.east - place.east)
        + (next.north - place.north) * (next.north - place.north)).squareRoot()
      let steps = max(1, Int(far / speed))
      for step in 1...steps {
        let share = Double(step) / Double(steps)
        path.append(
          (place.east + (next.east - place.east) * share, place.north + (next.north - place.north) * share))
      }
      place = next
    }
    return path
  }

  /// Distance between the two in metres, for each second.
  var apart: [Double] {
    (0...Int(seconds)).map { second in
      let (east, north) = (own[second].east - other[second].east, own[second].north - other[second].north)
      return (east * east + north * north).squareRoot()
    }
  }

  /// Almost exact fixes every five seconds, at different times for the two.
  func fixes(_ story: CompanionStory) -> (own: [Fix], other: [Fix]) {
    func fixes(_ path: [(east: Double, north: Double)], _ shift: Int) -> [Fix] {
      stride(from: shift, through: Int(seconds), by: 5).map { second in
        story.fix(Double(second), east: path[second].east, north: path[second].north, radius: 1)
      }
    }
    return (fixes(own, 0), fixes(other, 2))
  }
}

extension CompanionStory {
  /// Fixes at irregular times, with errors, made from a seed.
  func walks(seed: Int, seconds: Double = 7200) -> (own: [Fix], hers: [Fix]) {
    var random = SeededGenerator(seed: UInt64(seed) ^ 0xa1fa)
    func walk(_ reach: Double) -> [Fix] {
      var fixes: [Fix] = []
      var time = 0.0
      while time < seconds - 90 {
        time += random.double(in: 5...90)
        let east = reach * Trigonometry.sine(time / 600 + reach)
        let north = reach * 0.5 * Trigonometry.sine(time / 430)
        fixes.append(
          fix(
            (time * 1000).rounded() / 1000, east: east + random.double(in: -8...8),
            north: north + random.double(in: -8...8), radius: random.double(in: 3...25)))
      }
      return fixes
    }
    return (walk(1500), walk(900))
  }
}
