/// A point on the WGS 84 ellipsoid.
public struct Coordinate: Hashable, Sendable {
  /// -90 to 90 degrees, north positive.
  public let latitude: Angle
  /// -180 to 180 degrees, east positive.
  public let longitude: Angle

  /// For values that are known to be good; `init(latitudeDegrees:longitudeDegrees:)` is for data from outside.
  /// - Precondition: latitude within ±90°. A longitude beyond ±180° is turned into that range.
  public init(latitude: Angle, longitude: Angle) {
    precondition(abs(latitude.degrees) <= 90, "a latitude lies between -90 and 90 degrees")
    self.latitude = latitude
    self.longitude = .degrees(Self.wrapped(longitude.degrees))
  }

  /// Checks numbers that came from outside.
  ///
  /// Longitudes up to ±360° are turned into ±180°, as files that draw across the antimeridian write them.
  /// - Throws: what was given, when it is no place on earth.
  public init(latitudeDegrees: Double, longitudeDegrees: Double) throws(CoordinateError) {
    guard latitudeDegrees.isFinite, abs(latitudeDegrees) <= 90 else {
      throw .latitudeOutOfRange(given: latitudeDegrees)
    }
    guard longitudeDegrees.isFinite, abs(longitudeDegrees) <= 360 else {
      throw .longitudeOutOfRange(given: longitudeDegrees)
    }
    self.init(latitude: .degrees(latitudeDegrees), longitude: .degrees(longitudeDegrees))
  }

  /// `degrees` brought into -180 ... 180, exactly; values already there are left as they are, both ends included.
  static func wrapped(_ degrees: Double) -> Double {
    if abs(degrees) <= 180 { return degrees }
    let rest = Trigonometry.withoutFullTurns(degrees)
    return rest > 180 ? rest - 360 : rest < -180 ? rest + 360 : rest
  }
}

/// Why two numbers are not a place.
public enum CoordinateError: Error, Equatable, Sendable {
  /// Allowed: -90 to 90.
  case latitudeOutOfRange(given: Double)
  /// Allowed: -360 to 360.
  case longitudeOutOfRange(given: Double)
}
