import AlarmEngine
import Geometry

/// Writes zones as GeoJSON (RFC 7946), one feature per line; ``GeoJSONZoneReader`` reads them.
///
/// Rings keep their order and direction, so that reading gives equal zones.
package final class GeoJSONZoneWriter: ZoneFormatWriter {
  package private(set) var issues: [ReadIssue] = []
  private var bytes = Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8)
  private var isFirst = true

  package init() {}

  package func append(_ zone: ZoneDraft, keeping foreign: ForeignMembers?) {
    bytes += (isFirst ? "\n" : ",\n").utf8
    isFirst = false
    if let issue = zone.placeless { issues.append(issue) }
    Self.feature(zone, foreign).write(to: &bytes)
  }

  package func finish() { bytes += "\n]}\n".utf8 }

  package func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  private static func feature(_ zone: ZoneDraft, _ foreign: ForeignMembers?) -> JSONValue {
    .object([
      ("type", .string("Feature")), ("id", foreign?.id ?? .string(zone.id.description)),
      (
        "properties",
        .object(
          [("name", .string(zone.name.string))] + ZoneProperties.members(of: zone)
            + (foreign?.properties ?? []))
      ),
      ("geometry", geometry(zone.outline)),
    ])
  }

  private static func geometry(_ outline: ZoneOutline) -> JSONValue {
    switch outline {
    case .locations(let places):
      switch places.count {
      case 0: .null
      case 1: geometry("Point", position(places[0]))
      case 2: geometry("LineString", .array(places.map(position)))
      default: geometry("Polygon", .array([ring(places)]))
      }
    case .path(let places): geometry("LineString", .array(places.map(position)))
    case .area(let polygon):
      if polygon.parts.count == 1 {
        geometry("Polygon", part(polygon.parts[0]))
      } else {
        geometry("MultiPolygon", .array(polygon.parts.map(part)))
      }
    }
  }

  private static func geometry(_ type: String, _ coordinates: JSONValue) -> JSONValue {
    .object([("type", .string(type)), ("coordinates", coordinates)])
  }

  private static func part(_ part: Polygon.Part) -> JSONValue {
    .array(([part.outer] + part.holes).map { ring($0.vertices) })
  }

  private static func ring(_ places: [Coordinate]) -> JSONValue {
    .array((places + places.prefix(1)).map(position))
  }

  private static func position(_ place: Coordinate) -> JSONValue {
    .array([.number(place.longitude.degrees), .number(place.latitude.degrees)])
  }
}
