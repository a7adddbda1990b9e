import AlarmEngine
import Geometry

/// Reads zones from GPX 1.0 and 1.1: waypoints as circles, routes as corridors. Tracks are no zones.
///
/// GPX itself states no size. Elements of other namespaces count as properties (`ZoneProperties`), `radius` for instance, and
/// Garmin's `Proximity` is a radius in metres. The type becomes the category. Source: https://www.topografix.com/GPX/1/1/.
package final class GPXZoneReader: ZoneXMLReader {
  package let rootNames = ["gpx"]
  package let longestText = 4096
  package var builder: ZoneFileBuilder
  private var path: [String] = []
  private var item: Item?
  private var tracks = 0

  private struct Item {
    let line: Int
    let isRoute: Bool
    var members: [(String, JSONValue)] = []
    var places: [Coordinate] = []
    var issues: [ZoneRemark] = []
  }

  package init(_ builder: ZoneFileBuilder) { self.builder = builder }

  package func start(_ name: String, _ attributes: [String: String], line: Int) -> Bool {
    path.append(name)
    switch name {
    case "wpt", "rte":
      endItem()  // Where its end tag is missing.
      item = Item(line: line, isRoute: name == "rte")
      if name == "wpt" { takePlace(attributes) }
    case "rtept": takePlace(attributes)
    case "trk":
      endItem()
      tracks += 1
    default: break
    }
    return item != nil && !path.contains("rtept") && !Self.unused.contains(name)
  }

  package func end(_ name: String, text: String, line: Int) {
    path.removeLast()
    switch name {
    case "wpt", "rte": endItem()
    case _ where path.contains("rtept"): break
    case _ where Self.unused.contains(name) && !path.contains("extensions"): break
    default:
      let text = text.trimmed
      guard item != nil, !text.isEmpty else { return }
      let isOfGPX = path.last == "wpt" || path.last == "rte"
      let property = (isOfGPX ? Self.properties[name] : nil) ?? (name == "Proximity" ? "radius_m" : name)
      item?.members.append((property, .string(text)))
    }
  }

  package func note(_ severity: ReadIssue.Severity, line: Int?, _ message: String) {
    builder.report(severity, line: line, message)
  }

  package func lostTag() {
    guard let count = item?.issues.count, count < 5 else { return }
    item?.issues.append(
      ZoneRemark(kind: .unreadable, text: "has a broken tag; its shape may be another than meant"))
  }

  private func takePlace(_ attributes: [String: String]) {
    let (latitude, longitude) = (attributes["lat"], attributes["lon"])
    if let latitude = NumberField.degrees(latitude).number,
      let longitude = NumberField.degrees(longitude).number,
      let place = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    {
      item?.places.append(place)
    } else if let item, item.issues.count < 5 {
      let found = [latitude, longitude].map { $0.map { "\"\($0.prefix(30))\"" } ?? "missing" }
      self.item?.issues.append(
        ZoneRemark(
          kind: item.isRoute ? .badCoordinate : .noGeometry,
          text:
            "lat \(found[0]), lon \(found[1]) found, degrees within ±90 and ±360 allowed; the place is left out"
        ))
    }
  }

  private func endItem() {
    guard let ended = item else { return }
    item = nil
    let properties = ZoneProperties(ended.members)
    builder.report(.error, ended.issues, line: ended.line, zone: properties.name)
    guard ended.isRoute else {
      guard let place = ended.places.first else { return }
      builder.add(properties, outline: .locations([place]), line: ended.line)
      return
    }
    guard ended.places.count >= 2 else {
      builder.report(
        .error, .noGeometry, line: ended.line, zone: properties.name,
        "a route of \(ended.places.count) usable places found, 2 or more needed; it is left out")
      return
    }
    builder.add(properties, outline: .path(ended.places), line: ended.line)
  }

  package func finish() {
    // A truncated element is left out.
    item = nil
    if tracks > 0 {
      builder.report(
        .warning,
        "\(tracks == 1 ? "a track" : "\(tracks) tracks") ignored: only waypoints and routes are read as zones"
      )
    }
    if builder.isEmpty {
      builder.report(.error, "no waypoint and no route found")
    }
  }

  private static let properties = ["name": "name", "desc": "description", "type": "category"]
  /// Elements of GPX that do not describe a zone.
  private static let unused: Set<String> = [
    "ele", "time", "magvar", "geoidheight", "cmt", "src", "link", "text", "url", "urlname", "sym", "fix",
    "sat", "hdop", "vdop",
    "pdop", "ageofdgpsdata", "dgpsid", "number", "extensions", "wpt", "rte", "rtept",
  ]
}
