/// How a straight way meets an outline.
public struct Passage: Equatable, Sendable {
  public struct Crossing: Equatable, Sendable {
    /// From the start of the way.
    public let along: Distance
    public let inward: Bool
    public init(along: Distance, inward: Bool) {
      self.along = along
      self.inward = inward
    }
  }
  public let crossings: [Crossing]
  /// The least signed distance on the way, ends included.
  public let closest: Distance
  /// The distance of that point from the start of the way.
  public let closestAt: Distance
  public init(crossings: [Crossing], closest: Distance, closestAt: Distance) {
    self.crossings = crossings
    self.closest = closest
    self.closestAt = closestAt
  }
}

extension Outline {
  /// Finds where the geodesic from `a` to `b` enters and leaves the level `signedDistance <= level`.
  ///
  /// The signed distance changes by at most the distance moved, so two samples bound it on the way between
  /// them. Undecided stretches are halved, the most doubtful first. Every stay beyond the level that gets
  /// 0.01 m away from it is found, or a two-thousandth of the way's length if that is more. The places of the
  /// crossings are found to 0.001 m, the least signed distance to 0.01 m or a thousandth of itself.
  /// - Returns: distances from `a` at which the level is crossed, ascending, each with its direction, and the
  ///   least signed distance on the way with its place.
  /// - Complexity: two signed distances for an outline far from the way, some dozens for one that is crossed, 2,000
  ///   at most for a way that runs along the border.
  public func passage(from a: Coordinate, to b: Coordinate, level: Distance) -> Passage {
    var way = WaySearch(outline: self, way: Geodesic(from: a, to: b), level: level.metres)
    way.explore()
    let crossings = way.crossings()
    let (closest, along) = way.closest()
    return Passage(crossings: crossings, closest: .metres(closest), closestAt: .metres(along))
  }

  /// The crossings of ``passage(from:to:level:)`` alone, to the bit, for a part of its cost.
  public func crossings(from a: Coordinate, to b: Coordinate, level: Distance) -> [Passage.Crossing] {
    var way = WaySearch(outline: self, way: Geodesic(from: a, to: b), level: level.metres)
    way.explore()
    return way.crossings()
  }
}
