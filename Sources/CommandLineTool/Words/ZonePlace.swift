import AlarmEngine
import CommandLineSupport
import Geometry

/// A zone with a printed name. Zones without a name are distinguished by their line in the file and their
/// coordinates.
struct ZonePlace {
  let zone: Zone
  /// The line in its file, from 1.
  let line: Int?

  init(_ zone: Zone, line: Int? = nil) {
    self.zone = zone
    self.line = line
  }

  /// "Bakery", or "(no name, line 12, 53.55000,13.26000)"
  var name: String {
    let shown = displayName(zone.name)
    guard shown == displayName(.empty) else { return shown }
    var parts = ["no name"]
    if let line { parts.append("line \(line)") }
    if let place = Self.first(of: zone.outline) {
      let latitude = fixedPoint(place.latitude.degrees, decimals: 5)
      parts.append("\(latitude),\(fixedPoint(place.longitude.degrees, decimals: 5))")
    }
    return "(\(parts.joined(separator: ", ")))"
  }

  private static func first(of outline: ZoneOutline) -> Coordinate? {
    switch outline {
    case .locations(let places), .path(let places): places.first
    case .area(let polygon): polygon.parts.first?.outer.vertices.first
    }
  }
}
