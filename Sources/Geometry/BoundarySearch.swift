/// Zones' boundaries looked for by bounds alone, and only those measured that no bound has ruled out.
///
/// A measured distance takes as long as the bounds of a dozen chunks, and much longer where it is more than 2,000 km.
struct BoundarySearch {
  /// A piece that may be the nearest of its zone, and its zone among the nearest.
  private struct Candidate {
    /// Metres through the earth, at least.
    let least: Float
    let zone: Int32
    let piece: Int32
  }

  /// Zones with metres over the ground that their boundary is not farther than.
  private(set) var upperBounds: Ranking
  /// What is farther through the earth than this does not count.
  private(set) var reach: Float
  private var candidates: [Candidate] = []
  /// Zones that were measured at once.
  private var measured: [ZoneIndex.Neighbour] = []
  private let limit: Int

  init(limit: Int, most: Double) {
    self.limit = limit
    upperBounds = Ranking(limit: limit, most: most)
    reach = Self.chord(upperBounds.reach)
  }

  private static func chord(_ ground: Double) -> Float { Float(Chord.upTo(ground: ground)).nextUp }

  /// What of one zone is farther than this does not count.
  @inline(__always) func reach(of zone: Int) -> Float {
    let known = upperBounds.distance(of: zone)
    return known < .infinity ? min(reach, Self.chord(known)) : reach
  }

  /// - Parameters:
  ///   - bounds: of eight pieces, by ``BoundaryChunks/Reader/leastDistances(from:to:)``.
  ///   - reach: of the zone.
  @inline(__always) mutating func add(
    _ bounds: SIMD8<Float>, _ spread: Float, _ reach: Float, zone: Int, piece: Int
  ) {
    let least = bounds.min()
    guard least <= reach else { return }
    let ground = Chord.ground(within: max(0, Double(least + spread)))
    insert(ZoneIndex.Neighbour(zone: zone, distance: .metres(min(ground, Earth.halfMeridian))))
    let reach = min(reach, Self.chord(ground))
    if candidates.isEmpty { candidates.reserveCapacity(32) }
    for lane in 0..<8 where bounds[lane] <= reach {
      candidates.append(
        Candidate(least: bounds[lane], zone: Int32(zone), piece: Int32(truncatingIfNeeded: piece &+ lane)))
    }
  }

  /// Adds a zone that is measured; one farther than the reach does not count.
  mutating func add(_ neighbour: ZoneIndex.Neighbour) {
    guard neighbour.distance.metres <= upperBounds.reach else { return }
    measured.append(neighbour)
    insert(neighbour)
  }

  @inline(__always) private mutating func insert(_ neighbour: ZoneIndex.Neighbour) {
    guard neighbour.distance.metres < upperBounds.reach else { return }
    upperBounds.insert(neighbour)
    reach = Self.chord(upperBounds.reach)
  }

  /// The nearest zones.
  /// - Parameter distance: to a piece of a zone.
  @inline(__always) func settled(distance: (Int, Int) -> Double) -> [ZoneIndex.Neighbour] {
    var ranking = Ranking(limit: limit, most: upperBounds.reach)
    for neighbour in measured where neighbour.distance.metres <= ranking.reach { ranking.insert(neighbour) }
    var left = candidates.filter { $0.least <= reach }
    left.sort { $0.least < $1.least }
    for candidate in left {
      let zone = Int(candidate.zone)
      guard candidate.least <= Self.chord(min(ranking.reach, ranking.distance(of: zone))) else { continue }
      let metres = distance(zone, Int(candidate.piece))
      if metres <= ranking.reach {
        ranking.insert(ZoneIndex.Neighbour(zone: zone, distance: .metres(metres)))
      }
    }
    return ranking.neighbours
  }
}
