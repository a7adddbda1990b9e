import Formats

/// A feature of an extract of OpenStreetMap, as `osmium export -f geojsonseq --add-unique-id=type_id` writes
/// it.
package struct ExtractFeature: Sendable {
  package enum Shape: Sendable, Equatable { case point, line, area }

  /// OpenStreetMap's id; for an area twice the id, plus 1 if it is a relation's.
  package let id: Int64
  package let shape: Shape
  /// The `geometry` member, unparsed.
  package let geometry: [UInt8]
  package let tags: [String: String]

  package init(id: Int64, shape: Shape, geometry: [UInt8], tags: [String: String]) {
    self.id = id
    self.shape = shape
    self.geometry = geometry
    self.tags = tags
  }

  /// Reads a line. A geometry holds no objects, so the first closing brace ends it. It is passed on unparsed,
  /// since most of the extract is coordinates of lines that are not used here.
  ///
  /// - Throws: `ReadError` for a line that is no feature. Returns nil for shapes that are not drawn.
  package init?(line: [UInt8]) throws {
    guard let start = line.firstRange(of: Self.head)?.upperBound,
      let end = line[start...].firstIndex(of: UInt8(ascii: "}"))
    else { throw ReadError("no feature with a geometry found") }
    geometry = [UInt8(ascii: "{")] + line[start...end]
    let value = try JSONValue.parse(Array(line[..<start]) + line[end...])
    guard let text = value["id"]?.string, let id = Int64(text.dropFirst()),
      let members = value["properties"]?.members
    else { throw ReadError("no feature with id and properties found") }
    if geometry.starts(with: Self.point) {
      shape = .point
    } else if geometry.starts(with: Self.line) {
      shape = .line
    } else if geometry.starts(with: Self.polygon) || geometry.starts(with: Self.polygons) {
      shape = .area
    } else {
      return nil
    }
    self.id = id
    tags = Dictionary(
      members.compactMap { key, value in value.string.map { (key, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private static let head = Array(#""geometry":{"#.utf8)
  private static let point = Array(#"{"type":"Point""#.utf8)
  private static let line = Array(#"{"type":"LineString""#.utf8)
  private static let polygon = Array(#"{"type":"Polygon""#.utf8)
  private static let polygons = Array(#"{"type":"MultiPolygon""#.utf8)
}

/// A feature that is drawn.
package struct StreetFeature: Sendable {
  package enum Place: Sendable, Equatable {
    /// The geometry of the extract.
    case asGiven
    /// One point within the area.
    case middle
  }
  package let layer: String
  package let zoom: Int
  package let place: Place
  package let attributes: [(String, JSONValue)]
}

/// The zooms of the map's tiles.
package enum StreetZooms {
  package static let least = 4
  package static let most = 14
}
