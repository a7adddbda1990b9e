import AlarmEngine
import Geometry

/// Reads zones from OwnTracks waypoints: a `waypoints` object (`.otrw`), a single `waypoint`, or a configuration (`.otrc`)
/// or command that holds them. The format has only circles.
package final class OwnTracksWaypointReader: ZoneFormatReader {
  package var builder: ZoneFileBuilder
  private var bytes: [UInt8] = []
  private static let limit = 1 << 28

  package init(_ builder: ZoneFileBuilder) { self.builder = builder }

  package func feed(_ chunk: [UInt8]) throws(ReadError) {
    bytes += chunk
    guard bytes.count <= Self.limit else {
      throw ReadError("more than the maximum of \(Self.limit) bytes found")
    }
  }

  package func finish() throws(ReadError) {
    guard let value = try? JSONValue.parse(bytes) else {
      throw ReadError("not JSON; an OwnTracks waypoints object allowed")
    }
    bytes = []
    guard let found = waypoints(value, depth: 0) else {
      throw ReadError("no OwnTracks waypoints found; _type waypoints or waypoint allowed")
    }
    for (index, entry) in found.enumerated() { take(entry, number: index + 1) }
  }

  /// Returns the list that the message holds; nil if it is of another kind.
  private func waypoints(_ value: JSONValue, depth: Int) -> [JSONValue]? {
    if let list = value.list { return list }
    guard value.isObject, depth < 3 else { return nil }
    if value["_type"]?.string == "waypoint" { return [value] }
    for key in ["waypoints", "configuration"] {
      if let inner = value[key], let list = waypoints(inner, depth: depth + 1) { return list }
    }
    return nil
  }

  private func take(_ value: JSONValue, number ordinal: Int) {
    guard value.isObject else {
      builder.report(.error, .noGeometry, "waypoint \(ordinal): \(value.kind) found, an object allowed")
      return
    }
    let name = Text(value["desc"]?.string ?? "")
    let label = "waypoint \(ordinal)"
    if let type = value["_type"]?.string, type != "waypoint" {
      builder.report(
        .error, .noGeometry, zone: name,
        "\(label): _type \"\(type.prefix(40))\" found, waypoint allowed; it is left out")
      return
    }
    guard let latitude = number(value["lat"]), let longitude = number(value["lon"]) else {
      if let given = [value["lat"], value["lon"]].compactMap({ $0 }).first(where: { isText($0) }) {
        builder.report(
          .error, .noGeometry, zone: name,
          "\(label): \"\(given.excerpt)\" found, lat and lon in degrees allowed; it is left out")
        return
      }
      builder.report(
        .error, .noGeometry, zone: name, "\(label): has no lat and lon (a beacon perhaps); it is left out")
      return
    }
    let place: Coordinate
    do { place = try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) } catch {
      builder.report(
        .error, .noGeometry, zone: name,
        "\(label): lat \(latitude), lon \(longitude) found, -90 to 90 and -360 to 360 allowed; left out")
      return
    }
    let stated = value["rid"]?.string ?? number(value["tst"]).map { "\(name.string)@\($0)" }
    var draft = ZoneDraft(
      id: builder.zoneID(stated: stated, ordinal: nil, name: name, outline: .locations([place])), name: name,
      outline: .locations([place]))
    switch (value["rad"], number(value["rad"])) {
    case (_, let radius?) where Zone.allowedSize.contains(.metres(radius)): draft.size = .metres(radius)
    case (_, 0?):
      builder.report(
        .error, .noRegion, zone: name,
        "\(label): rad 0 found, more than 0 allowed: it is no region in OwnTracks; it is left out")
      return
    case (_, let radius?):
      builder.report(
        .warning, .badRadius, zone: name,
        "\(label): rad \(radius) found, \(Zone.allowedSize.lowerBound.metres) to "
          + "\(Zone.allowedSize.upperBound.metres) allowed; the Default Radius is taken")
    case (let given, nil):
      builder.report(
        .warning, .badRadius, zone: name,
        "\(label): rad \(given.map { "\"\($0.excerpt)\"" } ?? "missing") found, a number of metres allowed; "
          + "the Default Radius is taken")
    }
    builder.add(draft, line: nil)
  }

  /// Text that is no number.
  private func isText(_ value: JSONValue) -> Bool { value.string != nil && number(value) == nil }

  private func number(_ value: JSONValue?) -> Double? { value?.decimal }
}
