/// How a straight way meets a zone.
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
  /// Where that is, from the start of the way.
  public let closestAt: Distance
  public init(crossings: [Crossing], closest: Distance, closestAt: Distance) {
    self.crossings = crossings
    self.closest = closest
    self.closestAt = closestAt
  }
}

extension Outline {
  public func passage(from a: Coordinate, to b: Coordinate, level: Distance) -> Passage {
    Passage(crossings: [], closest: signedDistance(from: a), closestAt: .zero)
  }
  public var deepest: (point: Coordinate, depth: Distance) {
    switch shape {
    case .circle(let center, let radius): (center, radius)
    case .corridor(let path, let halfWidth, _): (path[0], halfWidth)
    case .polygon(let polygon): (polygon.parts[0].outer.vertices[0], .metres(50))
    }
  }
}
