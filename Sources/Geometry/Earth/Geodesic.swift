/// The shortest line over the WGS 84 ellipsoid between two points.
///
/// Within 1e-8 m of GeographicLib, for any two points: poles, antipodes, one and the same point.
/// Between antipodes, where several lines are shortest, one of them. From a pole, the azimuth is that of the
/// meridian taken as the pole's own longitude says. Symmetrical: the way back is as long, to the bit.
/// After C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87 (2013).
public struct Geodesic: Equatable, Sendable {
  public let start: Coordinate
  public let end: Coordinate
  public let length: Distance
  /// Azimuths clockwise from north, -180° to 180°; of one and the same point 0°.
  public let azimuthAtStart: Angle
  public let azimuthAtEnd: Angle
  /// m₁₂: how far apart two lines are at the end per radian between them at the start; never negative here
  /// but for rounding.
  public let reducedLength: Distance
  /// M₁₂: how far apart two lines are at the end that start parallel, per metre between them.
  public let scaleAtEnd: Double
  /// M₂₁: how far apart two lines are at the start that are parallel at the end, per metre between them.
  public let scaleAtStart: Double

  private let direction: UnitAngle

  /// The inverse problem.
  public init(from start: Coordinate, to end: Coordinate) {
    let inverse = GeodesicInverse(from: start, to: end)
    self.start = start
    self.end = end
    length = .metres(inverse.length)
    azimuthAtStart = .degrees(inverse.alpha1.degrees)
    azimuthAtEnd = .degrees(inverse.alpha2.degrees)
    reducedLength = .metres(inverse.reducedLength)
    scaleAtEnd = inverse.scale12
    scaleAtStart = inverse.scale21
    direction = inverse.alpha1
  }

  /// The direct problem: where one gets from `start` going `azimuth` for `distance`, backwards when negative.
  public static func destination(
    from start: Coordinate, azimuth: Angle, distance: Distance
  ) -> Coordinate {
    GeodesicLine(from: start, azimuth: azimuth).point(at: distance)
  }

  /// This line made ready to answer many points, and going on beyond the end.
  public var line: GeodesicLine {
    GeodesicLine(from: start, azimuth: azimuthAtStart, direction: direction)
  }

  /// The point `distance` from the start, along this line. For many points, make ``line`` once.
  public func point(at distance: Distance) -> Coordinate { line.point(at: distance) }
}

extension Coordinate {
  /// The length of the geodesic between two points.
  public func distance(to other: Coordinate) -> Distance {
    .metres(GeodesicInverse(from: self, to: other).length)
  }
}
