import Formats
import Geometry

/// Selects the features of an extract to draw, with their layer and first zoom. docs/map.md has the layers.
package enum StreetClassifier {
  package static func features(of feature: ExtractFeature) -> [StreetFeature] {
    let tags = Tags(feature.tags)
    switch feature.shape {
    case .point: return [place(tags), house(tags, .asGiven), point(tags, .asGiven)].compactMap(\.self)
    case .line: return lines(tags)
    case .area: return areas(tags, of: feature)
    }
  }

  /// Tags, with common conversions.
  private struct Tags {
    private let all: [String: String]
    init(_ all: [String: String]) { self.all = all }
    subscript(_ key: String) -> String { all[key] ?? "" }
    /// True if the tag is present and not "no".
    func isYes(_ key: String) -> Bool { !["", "no"].contains(self[key]) }
    func text(_ key: String, as name: String? = nil) -> [(String, JSONValue)] {
      all[key].map { [(name ?? key, .string($0))] } ?? []
    }
    func flag(_ key: String) -> [(String, JSONValue)] { isYes(key) ? [(key, .integer(1))] : [] }
  }

  private static func kind(_ kind: String) -> [(String, JSONValue)] { [("kind", .string(kind))] }

  private static func place(_ tags: Tags) -> StreetFeature? {
    guard let (zoom, rank) = StreetKinds.places[tags["place"]], tags["name"] != "" else { return nil }
    return StreetFeature(
      layer: "place", zoom: zoom, place: .asGiven,
      attributes: kind(tags["place"]) + tags.text("name") + [("rank", .integer(rank))])
  }

  private static func house(_ tags: Tags, _ place: StreetFeature.Place) -> StreetFeature? {
    guard tags["addr:housenumber"] != "" else { return nil }
    return StreetFeature(
      layer: "house", zoom: StreetZooms.most, place: place,
      attributes: tags.text("addr:housenumber", as: "number") + tags.text("addr:street", as: "street"))
  }

  private static func pointKind(_ tags: Tags) -> StreetKinds.PointKind? {
    if tags["railway"] == "station", tags["station"] == "subway" { return .init("subway", 13, 2) }
    for (key, kinds) in StreetKinds.points {
      if let found = kinds[tags[key]] { return found }
    }
    let shop = tags["shop"]
    if shop == "" || StreetKinds.noShops.contains(shop) { return nil }
    return StreetKinds.largeShops.contains(shop) ? StreetKinds.largeShop : StreetKinds.shop
  }

  private static func point(_ tags: Tags, _ place: StreetFeature.Place) -> StreetFeature? {
    guard let found = pointKind(tags), tags["name"] != "" || found.kind == "peak" else { return nil }
    var attributes = kind(found.kind) + tags.text("name") + [("rank", .integer(found.rank))]
    if found.kind == "peak", let height = height(tags["ele"]) {
      attributes.append(("height", .integer(height)))
    }
    return StreetFeature(layer: "point", zoom: found.zoom, place: place, attributes: attributes)
  }

  /// Reads "2430" or "2430.5 m" as metres, rounded; nil if it is higher than any mountain or deeper than the
  /// sea.
  private static func height(_ text: String) -> Int64? {
    let number = text.prefix { "-0123456789.".contains($0) }
    guard ["", "m", " m"].contains(text[number.endIndex...]) else { return nil }
    return Double(number).flatMap { (-500...9000).contains($0) ? Int64($0.rounded()) : nil }
  }

  private static func lines(_ tags: Tags) -> [StreetFeature] {
    var features: [StreetFeature] = []
    func add(_ layer: String, _ zoom: Int, _ attributes: [(String, JSONValue)]) {
      features.append(StreetFeature(layer: layer, zoom: zoom, place: .asGiven, attributes: attributes))
    }
    if let road = StreetKinds.roads[tags["highway"]] ?? StreetKinds.runways[tags["aeroway"]],
      !tags.isYes("area")
    {
      add("road", road.zoom, kind(road.kind) + tags.flag("bridge") + tags.flag("tunnel"))
      let names = tags.text("name") + tags.text("ref")
      if !names.isEmpty { add("road_name", max(road.zoom + 2, 10).clamped(), kind(road.kind) + names) }
    }
    if let rail = StreetKinds.rails[tags["railway"]] {
      let siding = tags["service"] != ""
      add(
        "rail", siding ? 13 : rail.zoom,
        kind(rail.kind) + (siding ? [("siding", .integer(1))] : []) + tags.flag("tunnel"))
    }
    if let water = StreetKinds.waterways[tags["waterway"]] {
      add("waterway", water.zoom, kind(water.kind) + tags.text("name") + tags.flag("tunnel"))
    }
    if isPier(tags) { add("pier", 13, []) }
    if let level = boundaryLevel(tags) { add("boundary", boundaryZoom(level), [("level", .integer(level))]) }
    return features
  }

  private static func isPier(_ tags: Tags) -> Bool { ["pier", "breakwater"].contains(tags["man_made"]) }

  private static func boundaryLevel(_ tags: Tags) -> Int64? {
    guard tags["boundary"] == "administrative", tags["natural"] != "coastline", !tags.isYes("maritime") else {
      return nil
    }
    return Int64(tags["admin_level"]).flatMap { (1...8).contains($0) ? $0 : nil }
  }
  private static func boundaryZoom(_ level: Int64) -> Int {
    level <= 2 ? 4 : level <= 4 ? 6 : level <= 6 ? 9 : 11
  }

  private static func areas(_ tags: Tags, of feature: ExtractFeature) -> [StreetFeature] {
    var features: [StreetFeature] = []
    func add(
      _ layer: String, _ zoom: Int, _ attributes: [(String, JSONValue)],
      at place: StreetFeature.Place = .asGiven
    ) {
      features.append(StreetFeature(layer: layer, zoom: zoom, place: place, attributes: attributes))
    }
    if tags.isYes("building") { add("building", 13, tags.text("name")) }
    if let water = value(tags, of: StreetKinds.waters) {
      let zoom = areaZoom(feature)
      add("water", zoom, kind(water) + tags.text("name"))
      if tags["name"] != "" { add("water_name", max(zoom, 9), tags.text("name"), at: .middle) }
    } else if tags["highway"] != "", tags.isYes("area") || tags["highway"] == "pedestrian" {
      add("ground", StreetZooms.most, kind("square") + tags.text("name"))
    } else if let ground = value(tags, of: StreetKinds.grounds) {
      add("ground", max(areaZoom(feature), ground == "town" ? 8 : 5), kind(ground) + tags.text("name"))
    }
    if isPier(tags) { add("pier", 13, []) }
    features += [house(tags, .middle), point(tags, .middle)].compactMap(\.self)
    return features
  }

  private static func value(_ tags: Tags, of table: [(key: String, values: [String: String])]) -> String? {
    for (key, values) in table {
      if let found = values[tags[key]] { return found }
    }
    return nil
  }

  /// Returns the first zoom at which the area is at least a fortieth of a tile's side wide.
  private static func areaZoom(_ feature: ExtractFeature) -> Int {
    guard let rings = try? ExtractGeometry(feature.geometry), let size = rings.roughSize else {
      return StreetZooms.most
    }
    var zoom = StreetZooms.least
    var side = ExtractGeometry.equator / 16
    while zoom < StreetZooms.most, size < side / 40 {
      zoom += 1
      side /= 2
    }
    return zoom
  }
}

extension Int {
  fileprivate func clamped() -> Int { Swift.min(self, StreetZooms.most) }
}
