import AlarmEngine
import Geometry
import PAD

/// Reads zones from Traccar's geofences, as its API returns them: objects with a `name` and an `area` of
/// well-known text, latitude first.
///
/// | area | zone |
/// | --- | --- |
/// | `CIRCLE (latitude longitude, metres)` | circle |
/// | `POLYGON ((latitude longitude, ...), ...)` | area with holes |
/// | `LINESTRING (latitude longitude, ...)` | corridor, `polylineDistance` of its attributes wide to either side |
///
/// Attributes are properties (`ZoneProperties`). A calendar is not obeyed, which is reported.
package final class TraccarGeofences: ZoneFormatReader {
  package var builder: ZoneFileBuilder
  private var slicer = JSONSlicer(keys: [], takesOutermost: true)
  private var encoding = TextEncoding()

  package init(_ builder: ZoneFileBuilder) { self.builder = builder }

  package func feed(_ chunk: [UInt8]) { slicer.feed(encoding.decode(chunk)) { take($0) } }

  package func finish() {
    slicer.feed(encoding.decode([], isLast: true)) { take($0) }
    slicer.finish { take($0) }
  }

  private func take(_ item: JSONSlicer.Item) {
    switch item {
    case .element(let bytes, let line): take(bytes, line)
    case .document(let bytes, let line, let count):
      // The elements of an array have been read.
      if count == 0 { take(bytes, line) }
    case .nothing(let line):
      builder.report(.warning, line: line, "an extra comma found; it is passed over")
    case .tooDeep(let line), .tooLong(let line):
      builder.report(.error, line: line, "a geofence is longer or deeper than allowed; it is left out")
    case .cutOff(let line):
      builder.report(.error, .cutOff, line: line, "the file is cut off; the complete zones before are kept")
    }
  }

  private func take(_ bytes: [UInt8], _ line: Int) {
    guard let value = try? JSONValue.parse(bytes, line: line), value.isObject else {
      builder.report(.error, line: line, "no JSON object found, a geofence allowed; it is left out")
      return
    }
    var members: [(String, JSONValue)] = []
    for key in ["name", "description"] { if let text = value[key] { members.append((key, text)) } }
    for (key, attribute) in value["attributes"]?.members ?? [] {
      members.append((key == "polylineDistance" ? "radius_m" : key, attribute))
    }
    let name = ZoneProperties(members).name
    guard let text = value["area"]?.string else {
      builder.report(.error, .noGeometry, line: line, zone: name, "no area found; it is left out")
      return
    }
    var reader = AreaReader(text)
    guard let area = reader.area() else {
      builder.report(
        .error, .noGeometry, line: line, zone: name,
        "area \"\(text.prefix(60))\" found, CIRCLE (latitude longitude, metres), POLYGON or LINESTRING of places within "
          + "±90 and ±360 degrees allowed; it is left out")
      return
    }
    switch area {
    case .circle(_, let metres): members.append(("radius_m", .number(metres)))
    case .outline: break
    }
    if let calendar = value["calendarId"]?.double, calendar != 0 {
      builder.report(
        .warning, .calendarIgnored, line: line, zone: name,
        "calendarId \(calendar) found, which has no effect: the zone is always on duty")
    }
    let stated = value["id"]?.whole.map { "traccar:\($0)" }
    builder.add(ZoneProperties(members), outline: area.outline, stated: stated, line: line)
  }

  private enum Area {
    case circle(Coordinate, metres: Double)
    case outline(ZoneOutline)

    var outline: ZoneOutline {
      switch self {
      case .circle(let center, _): .locations([center])
      case .outline(let outline): outline
      }
    }
  }

  /// Reads well-known text, whole or not at all.
  private struct AreaReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func area() -> Area? {
      let found: Area?
      switch word() {
      case "CIRCLE": found = circle()
      case "POLYGON": found = polygon()
      case "LINESTRING":
        found = list().flatMap { $0.count >= 2 ? .outline(.path($0)) : nil }
      default: found = nil
      }
      skipBlanks()
      return at == bytes.count ? found : nil
    }

    private mutating func circle() -> Area? {
      guard take("("), let center = place(), take(","), let metres = number(), take(")") else { return nil }
      return .circle(center, metres: metres)
    }

    private mutating func polygon() -> Area? {
      guard take("(") else { return nil }
      var rings: [Ring] = []
      repeat {
        guard let places = list(), let ring = try? Ring(places) else { return nil }
        rings.append(ring)
      } while take(",")
      guard take(")") else { return nil }
      let part = Polygon.Part(outer: rings[0], holes: Array(rings.dropFirst()))
      return .outline(.area(Polygon(parts: [part], edges: .lonLat)))
    }

    private mutating func list() -> [Coordinate]? {
      guard take("(") else { return nil }
      var places: [Coordinate] = []
      repeat {
        guard let place = place() else { return nil }
        places.append(place)
      } while take(",")
      return take(")") ? places : nil
    }

    private mutating func place() -> Coordinate? {
      guard let latitude = number(), let longitude = number() else { return nil }
      return try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }

    private mutating func number() -> Double? {
      skipBlanks()
      let digits = bytes[at...].prefix { (48...57).contains($0) || "+-.eE".utf8.contains($0) }
      at = digits.endIndex
      return DecimalNumber.parse(Array(digits))
    }

    private mutating func word() -> String {
      skipBlanks()
      let letters = bytes[at...].prefix { (65...90).contains($0 & 0xdf) }
      at = letters.endIndex
      return String(decoding: letters.map { $0 & 0xdf }, as: UTF8.self)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipBlanks()
      guard at < bytes.count, bytes[at] == UInt8(ascii: character) else { return false }
      at += 1
      return true
    }

    private mutating func skipBlanks() { while at < bytes.count, bytes[at] <= 32 { at += 1 } }
  }
}
