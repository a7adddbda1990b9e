import AlarmEngine
import Geometry

/// Makes zones from the elements of KML (OGC 07-147r2).
///
/// Placemarks with polygons become areas (all polygons of one placemark one zone), lines corridors, points
/// circles; the innermost folder is the category. Attributes are in `ExtendedData` (`ZoneProperties`).
///
/// An area that stands on the ground and reaches up to heights over sea level (`extrude` with an
/// `altitudeMode` of `absolute`) has the highest of them as its ceiling. Heights over ground are unknown
/// without the terrain: such an area has no ceiling, with a warning. Anything else is drawn on the ground, or
/// is a surface without a height of its own.
package final class KMLZoneReader: KMLDocumentReader, ZoneXMLReader {
  /// The longest coordinates of one ring or line, in bytes.
  package let longestText = 1 << 28

  /// Fragments without `<kml>` exist; they begin with one of the others.
  package let rootNames = ["kml", "Document", "Folder", "Placemark"]
  package var builder: ZoneFileBuilder
  package var links = KMLLinks()
  private var path: [String] = []
  private var folders: [String] = []
  private var placemark: Placemark?
  private var dataName = ""

  private struct Placemark {
    let id: String?
    let line: Int
    var name = ""
    var data: [(String, JSONValue)] = []
    var points: [Coordinate] = []
    var lines: [[Coordinate]] = []
    var polygons: [(outer: [Coordinate], holes: [[Coordinate]])] = []
    var top = KMLTop()
    var hasBrokenTag = false
    var issues: [String] = []
    var leftOut = (count: 0, first: "")
    var strangeAltitude: String?
  }

  package init(_ builder: ZoneFileBuilder) { self.builder = builder }

  package func finish() { noteLinks() }

  package func begin(document: String) {
    (path, folders, placemark) = ([], [], nil)
    builder.document = document
  }

  package func start(_ name: String, _ attributes: [String: String], line: Int) -> Bool {
    let parent = path.last ?? ""
    path.append(name)
    switch name {
    case "Folder": folders.append("")
    case "Placemark":
      endPlacemark()  // Where its end tag is missing.
      placemark = Placemark(id: attributes["id"], line: line)
    case "Polygon":
      placemark?.polygons.append(([], []))
      placemark?.top.begin()
    case "Data", "SimpleData": dataName = attributes["name"] ?? ""
    default: break
    }
    if links.start(name) { return true }
    return switch name {
    case "coordinates", "SimpleData": placemark != nil
    case "altitudeMode", "extrude": parent == "Polygon"
    case "value": parent == "Data"
    case "name": parent == "Placemark" || parent == "Folder"
    default: false
    }
  }

  package func end(_ name: String, text: String, line: Int) {
    path.removeLast()
    links.end(name, text: text, line: line)
    let parent = path.last ?? ""
    switch name {
    case "name" where parent == "Placemark":
      placemark?.name = text.trimmed
    case "name" where parent == "Folder":
      if !folders.isEmpty {
        folders[folders.count - 1] = text.trimmed
      }
    case "value" where parent == "Data": placemark?.data.append((dataName, .string(text)))
    case "SimpleData": placemark?.data.append((dataName, .string(text)))
    case "coordinates": takeCoordinates(Array(text.utf8), in: parent)
    case "altitudeMode", "extrude": placemark?.top.take(name, text)
    case "Folder": folders.removeLast()
    case "Placemark": endPlacemark()
    default: break
    }
  }

  package func note(_ severity: ReadIssue.Severity, line: Int?, _ message: String) {
    builder.report(severity, severity == .error ? .unreadable : .mended, line: line, message)
  }

  package func noteLink(_ severity: ReadIssue.Severity, line: Int, _ message: String) {
    builder.report(severity, .linkElsewhere, line: line, message)
  }

  /// Keeps the zone: a doubtful shape with an issue is better than no zone.
  package func lostTag() { placemark?.hasBrokenTag = true }

  private func takeCoordinates(_ text: [UInt8], in parent: String) {
    guard placemark != nil else { return }
    let found = KMLCoordinates(text)
    let (places, highest) = (found.places, found.highest)
    if placemark?.leftOut.count == 0 { placemark?.leftOut.first = found.leftOut.first }
    placemark?.leftOut.count += found.leftOut.count
    if placemark?.strangeAltitude == nil { placemark?.strangeAltitude = found.strangeAltitude }
    switch parent {
    case "Point":
      placemark?.points += places.prefix(1)
      if places.count > 1 {
        placemark?.issues.append(
          "a point of \(places.count) positions found, 1 allowed; the others are left out")
      }
    case "LineString": placemark?.lines.append(places)
    case "LinearRing":
      let last = (placemark?.polygons.count ?? 0) - 1
      if path.contains("innerBoundaryIs"), last >= 0 {
        placemark?.polygons[last].holes.append(places)
      } else if path.contains("outerBoundaryIs"), last >= 0 {
        placemark?.polygons[last].outer = places
        placemark?.top.take(highest)
      } else {
        placemark?.polygons.append((places, []))  // A ring that stands alone.
      }
    default: break
    }
  }

  private func endPlacemark() {
    guard var ended = placemark else { return }
    placemark = nil
    if ended.hasBrokenTag { ended.issues.append("has a broken tag; its shape may be another than meant") }
    var members: [(String, JSONValue)] = ended.data
    if let folder = folders.last(where: { !$0.isEmpty }) {
      members.insert(("category", .string(folder)), at: 0)
    }
    members.append(("name", .string(ended.name)))
    var properties = ZoneProperties(members)
    let outlines = outlines(&ended, &properties)
    report(ended, properties.name, isLost: outlines.isEmpty)
    for sentence in properties.mistyped {
      builder.report(.error, .misspelled, line: ended.line, zone: properties.name, sentence)
    }
    if ended.top.isAboveGround {
      builder.report(
        .warning, .heightUnknown, line: ended.line, zone: properties.name,
        "an area up to a height above ground found, whose height over sea level is not known; the zone gets no ceiling"
      )
    }
    for (index, outline) in outlines.enumerated() {
      let ordinal = outlines.count > 1 ? index + 1 : nil
      add(outline, properties, of: ended, ordinal: ordinal)
    }
  }

  /// Reports at most one error, however much is unreadable.
  private func report(_ placemark: Placemark, _ name: Text, isLost: Bool) {
    var sentences: [String] = []
    let (count, first) = placemark.leftOut
    if count > 0 {
      sentences.append(
        "\"\(first)\" \(count > 1 ? "and \(count - 1) more found" : "found"), longitude,latitude within ±360 and ±90 degrees "
          + "allowed; \(count > 1 ? "they are" : "it is") left out")
    }
    sentences += placemark.issues.prefix(Self.issuesTold)
    let more = placemark.issues.count - Self.issuesTold
    if more > 0 { sentences.append("\(more) more of the kind") }
    if isLost { sentences.append("no place found; it is left out") }
    if !sentences.isEmpty {
      builder.report(
        .error, isLost ? .noGeometry : .badCoordinate, line: placemark.line, zone: name,
        sentences.joined(separator: "; "))
    }
    if let altitude = placemark.strangeAltitude {
      builder.report(
        .warning, .badAltitude, line: placemark.line, zone: name,
        "altitude in \"\(altitude)\" found, a number allowed; the place has no altitude")
    }
  }
  private static let issuesTold = 5

  private func add(_ outline: ZoneOutline, _ given: ZoneProperties, of placemark: Placemark, ordinal: Int?) {
    var properties = given
    let name = ordinal.map { Text("\(given.name.string) \($0)") } ?? given.name
    var stated = placemark.id
    // Our ids begin with a letter here, as XML requires.
    if let id = stated, id.hasPrefix("z"), ZoneID(hexadecimal: String(id.dropFirst())) != nil {
      stated = String(id.dropFirst())
    }
    var standard = EdgeKind.lonLat
    if case .locations(let places) = outline, places.count == 1 { standard = .geodesic }
    if case .area(let polygon) = outline { standard = polygon.edges }
    let id = builder.zoneID(stated: stated, ordinal: ordinal, name: name, outline: outline)
    var draft = ZoneDraft(id: id, name: name, outline: outline, edges: properties.edges(standard))
    properties.apply(to: &draft)
    if draft.band == nil, case .area = outline { draft.ceiling = placemark.top.ceiling }
    builder.report(.error, properties.issues, line: placemark.line, zone: name)
    builder.report(.warning, properties.warnings, line: placemark.line, zone: name)
    let isOurs = placemark.id.map { $0 != stated || ZoneID(hexadecimal: $0) != nil } ?? true
    builder.add(
      draft, line: placemark.line,
      foreign: ForeignMembers(
        id: isOurs || ordinal != nil ? nil : placemark.id.map { .string($0) }, properties: properties.foreign)
    )
  }

  private func outlines(_ placemark: inout Placemark, _ properties: inout ZoneProperties) -> [ZoneOutline] {
    var outlines: [ZoneOutline] = []
    let asLocations = properties.outline == "locations"
    var parts: [Polygon.Part] = []
    for polygon in placemark.polygons {
      var outer = polygon.outer
      if asLocations {
        if outer.count > 1, outer.first == outer.last { outer.removeLast() }
        if !outer.isEmpty { outlines.append(.locations(outer)) }
        continue
      }
      guard let ring = try? Ring(outer) else {
        placemark.issues.append("a ring of \(outer.count) usable positions found, 3 or more needed; left out")
        continue
      }
      var holes: [Ring] = []
      for hole in polygon.holes {
        if let ring = try? Ring(hole) {
          holes.append(ring)
        } else {
          placemark.issues.append(
            "a hole of \(hole.count) usable positions found, 3 or more needed; left out")
        }
      }
      parts.append(.init(outer: ring, holes: holes))
    }
    if !parts.isEmpty {
      // Edges are read again, with their issues, where the zone is made.
      var quiet = properties
      outlines.append(.area(Polygon(parts: parts, edges: quiet.edges(.lonLat))))
    }
    for line in placemark.lines {
      if line.count >= 2 {
        outlines.append(asLocations ? .locations(line) : .path(line))
      } else {
        placemark.issues.append("a line of \(line.count) usable positions found, 2 or more needed; left out")
      }
    }
    return outlines + placemark.points.map { .locations([$0]) }
  }
}
