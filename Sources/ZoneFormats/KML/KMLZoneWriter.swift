import AlarmEngine
import Geometry

/// Writes zones as KML (OGC 07-147r2), a placemark for each, with `ExtendedData` for members that KML has no element for;
/// ``KMLZoneReader`` reads them.
package final class KMLZoneWriter: ZoneFormatWriter {
  private var found: [ReadIssue] = []
  /// The ids of other programs that XML does not allow.
  private var lostIDs: [ForeignMembers] = []
  private var bytes = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2">
    <Document>

    """.utf8)

  package init() {}

  package var issues: [ReadIssue] {
    found + [ForeignMembers.leftOut(lostIDs, by: "KML")].compactMap { $0 }
  }

  package func append(_ zone: ZoneDraft, keeping foreign: ForeignMembers?) {
    if let issue = zone.placeless { found.append(issue) }
    let name = zone.name.string.trimmed
    if name != zone.name.string { warn(zone, "blanks around the name are not kept") }
    let id = foreign?.id.flatMap(Self.xmlID)
    if id == nil, let lost = foreign?.id { lostIDs.append(ForeignMembers(id: lost, properties: [])) }
    var isWhole = true
    func write(_ text: String) { bytes += text.utf8 }
    func writeEscaped(_ text: String) {
      let (escaped, whole) = XMLText.escaped(text)
      if !whole { isWhole = false }
      write(escaped)
    }
    write("<Placemark id=\"\(id ?? "z\(zone.id.description)")\"><name>")
    writeEscaped(name)
    write("</name>\n<ExtendedData>")
    for (key, value) in ZoneProperties.members(of: zone) + (foreign?.properties ?? []) {
      write("<Data name=\"")
      writeEscaped(key)
      write("\"><value>")
      writeEscaped(value.string ?? value.text)
      write("</value></Data>")
    }
    write("</ExtendedData>\n")
    self.write(zone.outline)
    write("</Placemark>\n")
    if !isWhole { warn(zone, "control characters, which XML cannot hold, are removed") }
  }

  package func finish() { bytes += "</Document>\n</kml>\n".utf8 }

  package func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  private func warn(_ zone: ZoneDraft, _ message: String) {
    found.append(ReadIssue(.warning, "\(ZoneFileBuilder.label(zone.name)): \(message)"))
  }

  /// Returns the id if XML allows it; nil otherwise, and if it would be read as one of ours.
  private static func xmlID(_ id: JSONValue) -> String? {
    guard let text = id.string, let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "_"),
      text.utf8.allSatisfy({ isLetter($0) || $0.isDigit || "-._".utf8.contains($0) }),
      !(first == UInt8(ascii: "z") && ZoneID(hexadecimal: String(text.dropFirst())) != nil)
    else { return nil }
    return text
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

  private func write(_ outline: ZoneOutline) {
    switch outline {
    case .locations(let places):
      switch places.count {
      case 0: break
      case 1: write(places, in: "Point")
      case 2: write(places, in: "LineString")
      default: write([places])
      }
    case .path(let places): write(places, in: "LineString")
    case .area(let polygon):
      let isOne = polygon.parts.count == 1
      if !isOne { bytes += "<MultiGeometry>".utf8 }
      for part in polygon.parts { write(([part.outer] + part.holes).map { $0.vertices }) }
      if !isOne { bytes += "</MultiGeometry>".utf8 }
    }
  }

  /// Writes a polygon: its outer ring, then its holes.
  private func write(_ rings: [[Coordinate]]) {
    bytes += "<Polygon>".utf8
    for (index, ring) in rings.enumerated() {
      bytes += (index == 0 ? "<outerBoundaryIs>" : "<innerBoundaryIs>").utf8
      write(ring + ring.prefix(1), in: "LinearRing")
      bytes += (index == 0 ? "</outerBoundaryIs>" : "</innerBoundaryIs>").utf8
    }
    bytes += "</Polygon>".utf8
  }

  private func write(_ places: [Coordinate], in element: String) {
    bytes += "<\(element)><coordinates>".utf8
    for (index, place) in places.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: " ")) }
      bytes += "\(place.longitude.degrees),\(place.latitude.degrees)".utf8
    }
    bytes += "</coordinates></\(element)>".utf8
  }
}
