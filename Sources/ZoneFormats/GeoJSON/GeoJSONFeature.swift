import AlarmEngine
import Geometry
import PAD

/// Converts one feature, or one bare geometry, to zones.
struct GeoJSONFeature {
  private let value: JSONValue
  private let line: Int

  init(_ value: JSONValue, line: Int) {
    self.value = value
    self.line = line
  }

  /// The outline and edges of one geometry.
  private struct Found {
    let outline: ZoneOutline
    let edges: EdgeKind
  }

  func add(to builder: inout ZoneFileBuilder) {
    guard value.isObject else {
      builder.report(.error, line: line, "\(value.kind) found, a feature allowed")
      return
    }
    guard let type = value["type"]?.string else {
      builder.report(.error, line: line, "an object without a type; it is left out")
      return
    }
    if type == "FeatureCollection" {
      addMembers(to: &builder)
      return
    }
    if let name = GeoJSONReference.foreign(value) {
      builder.report(
        .error, .foreignReference, line: line, zone: ZoneProperties(value["properties"]?.members ?? []).name,
        "\(GeoJSONReference.refusal(name)); it is left out"
      )
      return
    }
    var properties = ZoneProperties([])
    var found: [Found] = []
    if type == "Feature" {
      switch value["properties"] {
      case .object(let members): properties = ZoneProperties(members)
      case .null, nil: break
      case let other?:
        builder.report(
          .warning, .mended, line: line, "properties: \(other.kind) found, an object allowed; ignored")
      }
      guard let geometry = value["geometry"], geometry.isObject else {
        let kind = value["geometry"]?.kind ?? "nothing"
        builder.report(
          .error, .noGeometry, line: line, zone: properties.name,
          "\(kind) found as its geometry; it has no place and is left out")
        return
      }
      read(geometry, properties, into: &found, &builder)
    } else {
      read(value, properties, into: &found, &builder)
    }
    for sentence in properties.mistyped {
      builder.report(.error, .misspelled, line: line, zone: properties.name, sentence)
    }
    for (index, one) in found.enumerated() {
      let ordinal = found.count > 1 ? index + 1 : nil
      add(one, properties, stated: statedID, ordinal: ordinal, to: &builder)
    }
  }

  /// The features of a collection inside another one, as deep as `JSONValue.maximumDepth` at most.
  private func addMembers(to builder: inout ZoneFileBuilder) {
    if let name = GeoJSONReference.foreign(value) {
      builder.report(
        .error, .foreignReference, line: line, "\(GeoJSONReference.refusal(name)); none of its zones is read")
      return
    }
    guard let features = value["features"]?.list else {
      builder.report(.error, line: line, "a FeatureCollection without an array of features")
      return
    }
    for feature in features { GeoJSONFeature(feature, line: line).add(to: &builder) }
  }

  /// The feature's id in the file.
  private var statedID: String? {
    for id in [value["id"], value["properties"]?["id"], value["properties"]?["@id"]] {
      switch id {
      case .string(let text) where !text.isEmpty: return text
      case .integer(let number): return "\(number)"
      case .number(let number): return "\(number)"
      case .string, .null, .bool, .array, .object, nil: break
      }
    }
    return nil
  }

  private func add(
    _ found: Found, _ given: ZoneProperties, stated: String?, ordinal: Int?, to builder: inout ZoneFileBuilder
  ) {
    var properties = given
    var name = properties.name
    if let ordinal { name = Text("\(name.string) \(ordinal)") }
    let id = builder.zoneID(stated: stated, ordinal: ordinal, name: name, outline: found.outline)
    var draft = ZoneDraft(id: id, name: name, outline: found.outline, edges: found.edges)
    properties.apply(to: &draft)
    builder.report(.error, properties.issues, line: line, zone: name)
    builder.report(.warning, properties.warnings, line: line, zone: name)
    builder.add(draft, line: line, foreign: foreign(properties, ordinal: ordinal))
  }

  /// Returns the members of other programs. The id is left out if the feature makes several zones, which
  /// cannot share it.
  private func foreign(_ properties: ZoneProperties, ordinal: Int?) -> ForeignMembers {
    var id: JSONValue?
    if ordinal == nil, value["type"]?.string == "Feature", let stated = statedID {
      switch value["id"] {
      case .string(let text) where ZoneID(hexadecimal: text) == nil && text == stated: id = value["id"]
      case .integer, .number: id = value["id"]
      case .string, .null, .bool, .array, .object, nil: break
      }
    }
    return ForeignMembers(id: id, properties: properties.foreign)
  }

  private func read(
    _ geometry: JSONValue, _ given: ZoneProperties, into found: inout [Found],
    _ builder: inout ZoneFileBuilder
  ) {
    var properties = given
    let type = geometry["type"]?.string ?? ""
    if let name = GeoJSONReference.foreign(geometry) {
      builder.report(
        .error, .foreignReference, line: line, zone: given.name,
        "\(GeoJSONReference.refusal(name)); it is left out")
      return
    }
    if type == "GeometryCollection" {
      guard let members = geometry["geometries"]?.list else {
        builder.report(
          .error, .noGeometry, line: line, zone: given.name, "a GeometryCollection without geometries")
        return
      }
      // As deep as `JSONValue.maximumDepth` at most.
      for member in members { read(member, given, into: &found, &builder) }
      return
    }
    let before = found.count
    var reader = GeoJSONPositions()
    let coordinates = geometry["coordinates"]
    let locations = properties.outline == "locations"
    let edges = properties.edges(.lonLat)
    switch type {
    case "Point":
      if let place = reader.position(coordinates) {
        found.append(Found(outline: .locations([place]), edges: properties.edges(.geodesic)))
      }
    case "MultiPoint":
      for place in reader.positions(coordinates) {
        found.append(Found(outline: .locations([place]), edges: properties.edges(.geodesic)))
      }
    case "LineString":
      if let line = reader.line(coordinates) {
        found.append(Found(outline: locations ? .locations(line) : .path(line), edges: edges))
      }
    case "MultiLineString":
      for line in reader.list(coordinates).compactMap({ reader.line($0) }) {
        found.append(Found(outline: .path(line), edges: edges))
      }
    case "Polygon":
      if locations {
        if let ring = reader.closedPlaces(reader.list(coordinates).first) {
          found.append(Found(outline: .locations(ring), edges: edges))
        }
      } else if let part = reader.part(coordinates) {
        found.append(Found(outline: .area(Polygon(parts: [part], edges: edges)), edges: edges))
      }
    case "MultiPolygon":
      let parts = reader.list(coordinates).compactMap { reader.part($0) }
      if !parts.isEmpty {
        found.append(Found(outline: .area(Polygon(parts: parts, edges: edges)), edges: edges))
      }
    default:
      builder.report(
        .error, .noGeometry, line: line, zone: given.name,
        "geometry \"\(type.prefix(40))\" found; allowed: Point, LineString, Polygon, their Multi forms "
          + "and GeometryCollection")
    }
    var isLost = found.count == before
    for issue in reader.issues {
      let isFirstLoss = isLost && issue.severity == .error
      if isFirstLoss { isLost = false }
      builder.report(
        issue.severity, isFirstLoss ? .noGeometry : issue.kind, line: line, zone: given.name, issue.text)
    }
  }
}

extension ZoneFileBuilder {
  /// Returns the stated id if it is one of ours, else an id derived from the stated one, else from name and
  /// places.
  package mutating func zoneID(stated: String?, ordinal: Int?, name: Text, outline: ZoneOutline) -> ZoneID {
    if let stated, ordinal == nil, let own = ZoneID(hexadecimal: stated) {
      return ids.id(stated: own, name: name, places: [])
    }
    if let stated { return ids.id(from: Text("\(stated)#\(ordinal ?? 0)")) }
    return ids.id(stated: nil, name: name, places: outline.places)
  }
}

extension ZoneID {
  /// - Parameter hexadecimal: the sixteen digits of `description`.
  package init?(hexadecimal: String) {
    guard hexadecimal.utf8.count == 16, hexadecimal.allSatisfy({ $0.isHexDigit }),
      let value = UInt64(hexadecimal, radix: 16)
    else { return nil }
    self.init(rawValue: value)
  }
}

extension ZoneOutline {
  /// The vertices of the outline; of an area those of its first outer ring.
  package var places: [Coordinate] {
    switch self {
    case .locations(let places), .path(let places): places
    case .area(let polygon): polygon.parts[0].outer.vertices
    }
  }
}
