import Geometry

/// A place in degrees; not `Equatable`, `Hashable` or `Codable`, because Apple's is not.
public struct CLLocationCoordinate2D: Sendable {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees

  public init() {
    latitude = 0
    longitude = 0
  }
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// |latitude| ≤ 90 and |longitude| ≤ 180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}

extension CLLocationCoordinate2D {
  init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude.degrees, longitude: coordinate.longitude.degrees)
  }

  /// The place as a `Coordinate`; an invalid one becomes the origin. Callers check validity where it matters.
  var coordinate: Coordinate {
    guard CLLocationCoordinate2DIsValid(self) else {
      return Coordinate(latitude: .degrees(0), longitude: .degrees(0))
    }
    return Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }
}
