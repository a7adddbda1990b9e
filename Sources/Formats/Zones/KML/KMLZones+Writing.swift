import AlarmEngine
import Foundation
import Geometry

extension KMLZones {
  static func encodeArchive(_ zones: [ZoneDraft], keeping foreign: [ZoneID: ForeignMembers] = [:]) throws
    -> (data: Data, issues: [ReadIssue])
  {
    let (data, issues) = encode(zones, keeping: foreign)
    return (try ZipArchive.archive([("doc.kml", Array(data))]), issues)
  }

  /// Encodes a placemark for each zone, with `ExtendedData` for members that KML has no element for.
  static func encode(_ zones: [ZoneDraft], keeping foreign: [ZoneID: ForeignMembers] = [:]) -> (
    data: Data, issues: [ReadIssue]
  ) {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2">
      <Document>

      """
    var issues: [ReadIssue] = []
    for zone in zones {
      let label = ZoneFileBuilder.label(zone.name)
      if zone.outline.places.isEmpty {
        issues.append(ReadIssue(.warning, "\(label) has no place; readers will refuse it"))
      }
      let name = zone.name.string.trimmingCharacters(in: .whitespacesAndNewlines)
      if name != zone.name.string {
        issues.append(ReadIssue(.warning, "\(label): blanks around the name are not kept"))
      }
      let (placemark, isWhole) = placemark(zone, name, foreign[zone.id])
      text += placemark
      if !isWhole {
        issues.append(
          ReadIssue(.warning, "\(label): control characters, which XML cannot hold, are removed"))
      }
    }
    let ids = zones.compactMap { foreign[$0.id]?.id }.filter { xmlID($0) == nil }
      .map { ForeignMembers(id: $0, properties: []) }
    if let issue = ForeignMembers.leftOut(ids, by: "KML") { issues.append(issue) }
    text += "</Document>\n</kml>\n"
    return (Data(text.utf8), issues)
  }

  /// Returns the id if XML allows it; nil otherwise, and if it would be read as one of ours.
  private static func xmlID(_ id: JSONValue?) -> String? {
    guard let text = id?.string, let first = text.unicodeScalars.first, first.isASCII,
      first.properties.isAlphabetic || first == "_",
      text.unicodeScalars.allSatisfy({
        $0.isASCII
          && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-._".unicodeScalars.contains($0))
      }), !(text.hasPrefix("z") && ZoneID(hexadecimal: String(text.dropFirst())) != nil)
    else { return nil }
    return text
  }

  private static func placemark(_ zone: ZoneDraft, _ name: String, _ foreign: ForeignMembers?) -> (
    text: String, isWhole: Bool
  ) {
    var isWhole = true
    func escaped(_ text: String) -> String {
      let (escaped, whole) = XMLText.escaped(text)
      if !whole { isWhole = false }
      return escaped
    }
    var text =
      "<Placemark id=\"\(xmlID(foreign?.id) ?? "z\(zone.id)")\"><name>\(escaped(name))</name>\n<ExtendedData>"
    for (key, value) in ZoneProperties.members(of: zone) + (foreign?.properties ?? []) {
      text += "<Data name=\"\(escaped(key))\"><value>\(escaped(value.string ?? value.text))</value></Data>"
    }
    text += "</ExtendedData>\n\(geometry(zone.outline))</Placemark>\n"
    return (text, isWhole)
  }

  private static func geometry(_ outline: ZoneOutline) -> String {
    switch outline {
    case .locations(let places):
      switch places.count {
      case 0: ""
      case 1: "<Point>\(coordinates(places))</Point>"
      case 2: "<LineString>\(coordinates(places))</LineString>"
      default: "<Polygon><outerBoundaryIs>\(ring(places))</outerBoundaryIs></Polygon>"
      }
    case .path(let places): "<LineString>\(coordinates(places))</LineString>"
    case .area(let polygon):
      polygon.parts.count == 1
        ? part(polygon.parts[0]) : "<MultiGeometry>\(polygon.parts.map(part).joined())</MultiGeometry>"
    }
  }

  private static func part(_ part: Polygon.Part) -> String {
    let holes = part.holes.map { "<innerBoundaryIs>\(ring($0.vertices))</innerBoundaryIs>" }.joined()
    return "<Polygon><outerBoundaryIs>\(ring(part.outer.vertices))</outerBoundaryIs>\(holes)</Polygon>"
  }

  private static func ring(_ places: [Coordinate]) -> String {
    "<LinearRing>\(coordinates(places + places.prefix(1)))</LinearRing>"
  }

  private static func coordinates(_ places: [Coordinate]) -> String {
    let tuples = places.map { "\($0.longitude.degrees),\($0.latitude.degrees)" }
    return "<coordinates>\(tuples.joined(separator: " "))</coordinates>"
  }
}
