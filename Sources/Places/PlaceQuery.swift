import Geometry

/// What is looked for among places: words, nearness or both.
public struct PlaceQuery: Equatable, Sendable {
  /// Every one must be met, by name, brand, category or address; the last by its beginning.
  public let words: PlaceWords?
  public let near: Near?
  /// From this one on, counted from 0.
  public let offset: Int
  public let limit: Int

  public struct Near: Equatable, Sendable {
    public let coordinate: Coordinate
    /// Nothing farther away is found.
    public let radius: Distance

    /// - Precondition: the radius is in `allowedRadius`.
    public init(_ coordinate: Coordinate, within radius: Distance = allowedRadius.upperBound) {
      precondition(Self.allowedRadius.contains(radius), "a radius of up to half the earth's girth")
      self.coordinate = coordinate
      self.radius = radius
    }

    /// To the other side of the earth.
    public static let allowedRadius = Distance.metres(1)...Distance.kilometres(20_020)
  }

  public static let allowedLimit = 1...100
  public static let allowedOffset = 0...1000

  /// - Precondition: words or nearness are given, `limit` and `offset` are allowed.
  public init(words: PlaceWords?, near: Near?, offset: Int = 0, limit: Int = 20) {
    precondition(words != nil || near != nil, "something is looked for")
    precondition(Self.allowedLimit.contains(limit) && Self.allowedOffset.contains(offset), "a bounded page")
    self.words = words
    self.near = near
    self.offset = offset
    self.limit = limit
  }
}
