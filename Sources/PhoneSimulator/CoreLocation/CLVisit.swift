import Foundation

/// A place where the phone rested for a noticeable time.
public final class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// `.distantPast` if unknown.
  public let arrivalDate: Date
  /// `.distantFuture` while the phone is still there.
  public let departureDate: Date
  public let coordinate: CLLocationCoordinate2D
  public let horizontalAccuracy: CLLocationAccuracy

  init(
    coordinate: CLLocationCoordinate2D, horizontalAccuracy: CLLocationAccuracy, arrivalDate: Date,
    departureDate: Date
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.arrivalDate = arrivalDate
    self.departureDate = departureDate
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(coordinate.latitude, forKey: "latitude")
    coder.encode(coordinate.longitude, forKey: "longitude")
    coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
    coder.encode(arrivalDate.timeIntervalSinceReferenceDate, forKey: "arrivalDate")
    coder.encode(departureDate.timeIntervalSinceReferenceDate, forKey: "departureDate")
  }

  public init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "arrivalDate") else { return nil }
    coordinate = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude"))
    horizontalAccuracy = coder.decodeDouble(forKey: "horizontalAccuracy")
    arrivalDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "arrivalDate"))
    departureDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "departureDate"))
  }
}
