import AlarmEngine

/// A recorded track holds positions, but not the surroundings.
extension Journey {
  /// Shares of the way, by length, between high buildings and indoors. A: no source has them.
  private static let wayShares = (canyon: 0.25, indoors: 0.05)
  /// The share of long rests that are indoors. A.
  private static let restsIndoors = 0.7
  /// Metres between changes of surroundings on the way. A.
  private static let stretch = (least: 100.0, most: 800.0)
  /// A shorter rest is a stop on the way, in the same surroundings.
  private static let longRest = TimeSpan.minutes(5)

  /// The same positions at the same times, with surroundings drawn from the seed.
  /// - Complexity: linear in the vertices.
  public func withDrawnSurroundings(seed: UInt64) -> Journey {
    var drawn: Int64 = 0
    func draw() -> Double {
      drawn += 1
      return Randomness.uniform(seed: seed, channel: 9, index: drawn)
    }
    var points = vertices.map {
      Point(time: $0.time, position: $0.position, motion: $0.motion, surroundings: $0.surroundings)
    }
    var around = Surroundings.outdoors
    var until = -Double.infinity
    var place = 0
    while place < vertices.count {
      guard vertices[place].motion == .still else {
        if vertices[place].travelled >= until {
          let share = draw()
          around =
            share < Self.wayShares.indoors
            ? .indoors : share < Self.wayShares.indoors + Self.wayShares.canyon ? .urbanCanyon : .outdoors
          until =
            vertices[place].travelled + Self.stretch.least
            + draw() * (Self.stretch.most - Self.stretch.least)
        }
        points[place].surroundings = around
        place += 1
        continue
      }
      var next = place + 1
      while next < vertices.count, vertices[next].motion == .still { next += 1 }
      let rest = vertices[min(next, vertices.count - 1)].time - vertices[place].time
      let there = rest < Self.longRest ? around : draw() < Self.restsIndoors ? .indoors : .outdoors
      for index in place..<next { points[index].surroundings = there }
      place = next
    }
    return Journey(points: points)
  }

  /// The same positions at the same times, all in the given surroundings.
  public func with(_ surroundings: Surroundings) -> Journey {
    Journey(
      points: vertices.map {
        Point(time: $0.time, position: $0.position, motion: $0.motion, surroundings: surroundings)
      })
  }
}
