import Foundation
import Geometry

/// A region to watch. Regions are identified by `identifier`; the regions in callbacks are copies.
public class CLRegion: NSObject, NSCopying, NSSecureCoding {
  public let identifier: String
  public var notifyOnEntry = true
  public var notifyOnExit = true

  init(identifier: String) { self.identifier = identifier }

  func copied() -> CLRegion {
    let copy = fresh()
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  func fresh() -> CLRegion { CLRegion(identifier: identifier) }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? CLRegion).map { $0.identifier == identifier } ?? false
  }
  public override var hash: Int { identifier.hashValue }

  public func copy(with zone: NSZone? = nil) -> Any { copied() }
  public class var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "identifier")
    coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
    coder.encode(notifyOnExit, forKey: "notifyOnExit")
  }

  public required init?(coder: NSCoder) {
    guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier") else { return nil }
    self.identifier = String(describing: identifier)
    notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
    notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
  }
}

public final class CLCircularRegion: CLRegion {
  public let center: CLLocationCoordinate2D
  /// Metres.
  public let radius: CLLocationDistance

  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(identifier: identifier)
  }

  /// Uses the distance over the ellipsoid; the edge is part of the region.
  public func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    center.coordinate.distance(to: coordinate.coordinate).metres <= radius
  }

  override func fresh() -> CLRegion {
    CLCircularRegion(center: center, radius: radius, identifier: identifier)
  }

  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(center.latitude, forKey: "latitude")
    coder.encode(center.longitude, forKey: "longitude")
    coder.encode(radius, forKey: "radius")
  }

  public required init?(coder: NSCoder) {
    center = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude"))
    radius = coder.decodeDouble(forKey: "radius")
    super.init(coder: coder)
  }
}

/// Counts towards the application's limit of regions, and never detects a beacon.
public final class CLBeaconRegion: CLRegion {
  public let uuid: UUID

  public init(uuid: UUID, identifier: String) {
    self.uuid = uuid
    super.init(identifier: identifier)
  }

  override func fresh() -> CLRegion { CLBeaconRegion(uuid: uuid, identifier: identifier) }

  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(uuid.uuidString as NSString, forKey: "uuid")
  }

  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
      let uuid = UUID(uuidString: String(describing: text))
    else { return nil }
    self.uuid = uuid
    super.init(coder: coder)
  }
}
