/// The coordinate reference system that a GeoJSON object names: the member `crs` of GeoJSON 2008, which RFC
/// 7946 removed.
enum GeoJSONReference {
  /// - Returns: the name of the system if it is not longitude and latitude on WGS 84; nil if it is, or if
  ///   none is named.
  static func foreign(_ object: JSONValue) -> String? {
    guard let system = object["crs"] else { return nil }
    if case .null = system { return nil }
    let properties = system["properties"]
    let named = [properties?["name"], properties?["code"], properties?["href"], system["name"], system].lazy
      .compactMap { $0 }.compactMap { value in value.string ?? value.whole.map { "EPSG:\($0)" } }
    guard let name = named.first(where: { !$0.isEmpty }) else { return String(system.text.prefix(60)) }
    return isWGS84(name) ? nil : String(name.prefix(60))
  }

  /// `EPSG:4326`, `urn:ogc:def:crs:OGC:1.3:CRS84`, `http://www.opengis.net/def/crs/EPSG/0/4326` and the like; EPSG:4979 is the
  /// same with heights.
  private static func isWGS84(_ name: String) -> Bool {
    let words = name.uppercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    guard let last = words.last else { return false }
    if ["CRS84", "CRS84H", "WGS84"].contains(last) || words == ["WGS", "84"] { return true }
    return words.contains("EPSG") && (last == "4326" || last == "4979") || words == ["4326"]
  }

  static func refusal(_ name: String) -> String {
    "crs \"\(name)\" found, longitude and latitude on WGS 84 (CRS84, EPSG:4326) allowed"
  }
}
