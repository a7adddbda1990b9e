import Geometry

/// Reads named features of GeoJSON as places: points as they are, lines and areas by their centre.
///
/// Properties have the names of OpenStreetMap's tags, as its tools write them; in other files `name` and
/// `category` (or `type`, `kind`) are enough, in either case. The lines of one street become one place.
struct GeoJSONPlaceReader {
  private var summary = PlaceFile.Summary()
  /// The number used for features without an id.
  private var ordinal = 0
  private var streets = StreetMerger()

  static func read(_ source: ByteSource, _ handle: (Place) throws -> Void) throws -> PlaceFile.Summary {
    var reader = Self()
    try JSONSlicer.read(source, keys: ["features"]) { try reader.take($0, handle) }
    for place in reader.streets.places() {
      reader.summary.places += 1
      try handle(place)
    }
    return reader.summary
  }

  private mutating func take(_ item: JSONSlicer.Item, _ handle: (Place) throws -> Void) throws {
    switch item {
    case .element(let bytes, let line): try takeFeature(bytes, line, handle)
    case .document(let bytes, let line, let elements):
      if elements == 0 { try takeFeature(bytes, line, handle) }
    case .nothing(let line): summary.report(.warning, line: line, "a comma with no feature beside it")
    case .tooDeep(let line):
      summary.report(
        .error, line: line, "brackets nest deeper than the maximum of \(JSONSlicer.maximumDepth) levels")
    case .tooLong(let line):
      summary.report(
        .error, line: line, "a feature is longer than the maximum of \(JSONSlicer.maximumLength) bytes")
    case .cutOff(let line): summary.report(.error, line: line, "the file ends inside a feature")
    }
  }

  private mutating func takeFeature(
    _ bytes: [UInt8], _ line: Int, _ handle: (Place) throws -> Void
  ) throws {
    ordinal += 1
    let value: JSONValue
    do { value = try JSONValue.parse(bytes, line: line) } catch {
      summary.report(.error, line: error.line, error.message)
      return
    }
    let type = value["type"]?.string
    // A collection without features is valid.
    if type == "FeatureCollection" { return }
    guard type == "Feature" else {
      summary.report(.error, line: line, "\(value["type"]?.excerpt ?? value.kind) found, a Feature allowed")
      return
    }
    var draft = PlaceDraft()
    var otherwise = Place.Category(key: "place", value: "yes")
    for (key, value) in value["properties"]?.members ?? [] {
      guard let text = Self.text(value) else { continue }
      let key = key.lowercased()
      if let tag = PlaceTag(key: key) {
        draft.add(tag, text)
      } else if ["category", "type", "kind"].contains(key), key == "category" || otherwise.key == "place" {
        let word = PlaceText.cleaned(text)
        if !word.isEmpty { otherwise = Place.Category(key: "category", value: word) }
      }
    }
    guard draft.isPlace(otherwise: otherwise) else { return }
    let points = points(value["geometry"], line)
    if draft.isStreet {
      if !streets.add(id: id(of: value), draft, points) { summary.unplaced += 1 }
      return
    }
    guard let centre = PlaceCentre.of(points) else {
      summary.unplaced += 1
      return
    }
    guard let place = draft.place(id: id(of: value), at: centre, otherwise: otherwise) else { return }
    summary.places += 1
    streets.addSettlement(place)
    try handle(place)
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .null, .bool, .array, .object: nil
    }
  }

  private func id(of feature: JSONValue) -> String {
    let properties = feature["properties"]
    for value in [feature["id"], properties?["@id"], properties?["osm_id"], properties?["id"]] {
      guard let value, let text = Self.text(value) else { continue }
      let id = PlaceText.cleaned(text)
      if !id.isEmpty { return Self.osmID(id) ?? id }
    }
    return "feature/\(ordinal)"
  }

  /// Converts osmium's "n1" to "node/1". The number of an area ("a8", "a9") is twice that of a way, or twice
  /// that of a relation plus one.
  private static func osmID(_ text: String) -> String? {
    guard let letter = text.first, let number = Int64(text.dropFirst()) else { return nil }
    return switch letter {
    case "n": "node/\(number)"
    case "w": "way/\(number)"
    case "r": "relation/\(number)"
    case "a": number % 2 == 0 ? "way/\(number / 2)" : "relation/\(number / 2)"
    default: nil
    }
  }

  private mutating func points(_ geometry: JSONValue?, _ line: Int) -> [StreetMerger.Point] {
    var reader = GeoJSONPositions()
    let coordinates = geometry?["coordinates"]
    var places: [Coordinate] = []
    switch geometry?["type"]?.string {
    case "Point": places = reader.position(coordinates).map { [$0] } ?? []
    case "MultiPoint", "LineString": places = reader.positions(coordinates)
    case "MultiLineString": for part in reader.list(coordinates) { places += reader.positions(part) }
    case "Polygon": places = reader.positions(reader.list(coordinates).first)
    // The first part: it usually holds an area's main building.
    case "MultiPolygon": places = reader.positions(reader.list(coordinates).first?.element(0))
    case nil: break
    case let type?:
      summary.report(.error, line: line, "geometry \"\(type.prefix(40))\" found; it is left out")
    }
    for issue in reader.issues { summary.report(issue.severity, line: line, issue.text) }
    return places.map { ($0.latitude.degrees, $0.longitude.degrees) }
  }
}
