/// The shortest line over the WGS 84 ellipsoid between two points.
public struct Geodesic: Equatable, Sendable {
  public let start: Coordinate
  public let end: Coordinate
  public let length: Distance
  /// Azimuths clockwise from north, -180° to 180°.
  public let azimuthAtStart: Angle
  public let azimuthAtEnd: Angle

  /// The inverse problem.
  public init(from start: Coordinate, to end: Coordinate) {
    let r = 6_371_008.8
    let dy = (end.latitude.radians - start.latitude.radians) * r
    let dx =
      Coordinate.wrapped(end.longitude.degrees - start.longitude.degrees) * .pi / 180 * r
      * Trigonometry.cosine((end.latitude.radians + start.latitude.radians) / 2)
    self.start = start
    self.end = end
    length = .metres((dx * dx + dy * dy).squareRoot())
    azimuthAtStart = .radians(Trigonometry.arctangent(y: dx, x: dy))
    azimuthAtEnd = azimuthAtStart
  }

  /// The direct problem: where one gets from `start` going `azimuth` for `distance`.
  public static func destination(from start: Coordinate, azimuth: Angle, distance: Distance) -> Coordinate {
    let r = 6_371_008.8
    let dy = Trigonometry.cosine(azimuth.radians) * distance.metres / r
    let dx =
      Trigonometry.sine(azimuth.radians) * distance.metres / r
      / Trigonometry.cosine(start.latitude.radians)
    return Coordinate(
      latitude: .degrees(max(-90, min(90, start.latitude.degrees + dy * 180 / .pi))),
      longitude: .degrees(start.longitude.degrees + dx * 180 / .pi))
  }

  /// The point `distance` from the start, along this line.
  public func point(at distance: Distance) -> Coordinate {
    Self.destination(from: start, azimuth: azimuthAtStart, distance: distance)
  }
}

extension Coordinate {
  /// The length of the geodesic between two points.
  public func distance(to other: Coordinate) -> Distance { Geodesic(from: self, to: other).length }
}
