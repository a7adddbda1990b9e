import Geometry

/// A search for places by words, by distance or by both.
public struct PlaceQuery: Equatable, Sendable {
  /// The words; each must match name, brand, category or address, the last one as a prefix.
  public let words: PlaceWords?
  public let near: Near?
  /// The index of the first result, from 0.
  public let offset: Int
  public let limit: Int

  public struct Near: Equatable, Sendable {
    public let coordinate: Coordinate
    /// The largest distance of a result.
    public let radius: Distance

    /// - Precondition: the radius is in `allowedRadius`.
    public init(_ coordinate: Coordinate, within radius: Distance = allowedRadius.upperBound) {
      precondition(Self.allowedRadius.contains(radius), "a radius of up to half the earth's girth")
      self.coordinate = coordinate
      self.radius = radius
    }

    /// The allowed radius, up to half of the earth's circumference.
    public static let allowedRadius = Distance.metres(1)...Distance.kilometres(20_020)
  }

  public static let allowedLimit = 1...100
  public static let allowedOffset = 0...1000

  /// - Precondition: `words` or `near` is given, `limit` and `offset` are allowed.
  public init(words: PlaceWords?, near: Near?, offset: Int = 0, limit: Int = 20) {
    precondition(words != nil || near != nil, "something is looked for")
    precondition(Self.allowedLimit.contains(limit) && Self.allowedOffset.contains(offset), "a bounded page")
    self.words = words
    self.near = near
    self.offset = offset
    self.limit = limit
  }
}
