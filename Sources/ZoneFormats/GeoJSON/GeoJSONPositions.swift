import AlarmEngine
import Geometry

/// Reads the nested arrays of GeoJSON coordinates, longitude first.
///
/// A position out of range is left out, and so is a ring or line with too few left.
package struct GeoJSONPositions {
  package init() {}

  package private(set) var issues: [(severity: ReadIssue.Severity, kind: ZoneFileNote.Kind, text: String)] =
    []
  private static let maximumIssues = 20

  private mutating func report(_ severity: ReadIssue.Severity, _ text: @autoclosure () -> String) {
    guard issues.count < Self.maximumIssues else { return }
    issues.append((severity, severity == .error ? .badCoordinate : .mended, text()))
  }

  package mutating func list(_ value: JSONValue?) -> [JSONValue] {
    if let list = value?.list { return list }
    report(.error, "\(value?.kind ?? "nothing") found, an array of coordinates allowed")
    return []
  }

  package mutating func position(_ value: JSONValue?) -> Coordinate? {
    guard let value, let numbers = value.list else {
      report(.error, "\(value?.kind ?? "nothing") found, a position [longitude, latitude] allowed")
      return nil
    }
    guard numbers.count >= 2, let longitude = numbers[0].decimal,
      let latitude = numbers[1].decimal
    else {
      report(
        .error,
        "position \(value.excerpt) found, [longitude, latitude] in degrees allowed; it is left out"
      )
      return nil
    }
    do throws(CoordinateError) {
      return try Coordinate(latitudeDegrees: nearPole(latitude), longitudeDegrees: longitude)
    } catch {
      switch error {
      case .latitudeOutOfRange(let given):
        report(
          .error,
          "latitude \(given) found, -90 to 90 allowed (longitude comes first); the position is left out")
      case .longitudeOutOfRange(let given):
        report(.error, "longitude \(given) found, -360 to 360 allowed; the position is left out")
      }
      return nil
    }
  }

  /// Moves a latitude barely beyond a pole, as rounding produces it, to the pole.
  private mutating func nearPole(_ latitude: Double) -> Double {
    guard abs(latitude) > 90, abs(latitude) <= 90.001 else { return latitude }
    report(.warning, "latitude \(latitude) found, -90 to 90 allowed; the pole is taken")
    return latitude < 0 ? -90 : 90
  }

  package mutating func positions(_ value: JSONValue?) -> [Coordinate] {
    var places: [Coordinate] = []
    for entry in list(value) { if let place = position(entry) { places.append(place) } }
    return places
  }

  package mutating func line(_ value: JSONValue?) -> [Coordinate]? {
    let places = positions(value)
    guard places.count >= 2 else {
      report(.error, "a line of \(places.count) usable positions found, 2 or more needed; it is left out")
      return nil
    }
    return places
  }

  /// Returns the places of a ring without the closing one.
  package mutating func closedPlaces(_ value: JSONValue?) -> [Coordinate]? {
    var places = positions(value)
    if places.count > 1, places.first == places.last {
      places.removeLast()
    } else if !places.isEmpty {
      report(.warning, "a ring does not end where it begins; it is closed")
    }
    return places.isEmpty ? nil : places
  }

  private mutating func ring(_ value: JSONValue?) -> Ring? {
    guard let places = closedPlaces(value) else { return nil }
    do { return try Ring(places) } catch {
      report(.error, "a ring of \(places.count) different positions found, 3 or more needed; it is left out")
      return nil
    }
  }

  package mutating func part(_ value: JSONValue?) -> Polygon.Part? {
    let rings = list(value)
    guard let outer = ring(rings.first) else {
      report(.error, "a polygon without a usable outer ring; it is left out")
      return nil
    }
    var holes: [Ring] = []
    for hole in rings.dropFirst() { if let ring = ring(hole) { holes.append(ring) } }
    return Polygon.Part(outer: outer, holes: holes)
  }
}
