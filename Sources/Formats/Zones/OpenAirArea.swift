import AlarmEngine
import Geometry
import PAD

/// The airspace that is being read.
struct OpenAirArea {
  let line: Int
  var category: String?
  var name: String?
  var rows: [[Text]] = []
  var clockwise = true
  var points: [Coordinate] = []
  var circles: [(center: Coordinate, radius: Distance)] = []
  var airway: [Coordinate] = []
  /// Whole width of an airway.
  var width: Distance?
  var lostRecords = 0
  var floor: Distance?
  var ceiling: Distance?

  init(line: Int) { self.line = line }

  var label: Text { Text(name ?? "") }
  var hasGeometry: Bool { !points.isEmpty || !circles.isEmpty || !airway.isEmpty || lostRecords > 0 }

  var outlines: [(outline: ZoneOutline, size: Distance?)] {
    var outlines: [(outline: ZoneOutline, size: Distance?)] = []
    if points.count >= 3, (try? Ring(points)) != nil { outlines.append((.locations(points), nil)) }
    for circle in circles { outlines.append((.locations([circle.center]), circle.radius)) }
    if airway.count >= 2 { outlines.append((.path(airway), width.map { $0 * 0.5 })) }
    return outlines
  }
}

/// Coordinates as OpenAir writes them: `39:29.7 N 119:46.5 W`, `39:29:42N 119:46:30W`, `39.495 N 119.775 W`.
enum OpenAirCoordinate {
  static func parse(_ text: some StringProtocol) throws(OpenAirError) -> Coordinate {
    var rest = Array(text.utf8)[...]
    guard let latitude = angle(&rest, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S")),
      let longitude = angle(&rest, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W")),
      let place = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else {
      throw OpenAirError(
        allowed: "degrees:minutes:seconds N or S, then E or W, within 90 and 180 allowed; it is left out")
    }
    return place
  }

  /// Degrees, minutes and seconds up to the letter of the hemisphere; what comes after it stays in `rest`.
  private static func angle(_ rest: inout ArraySlice<UInt8>, positive: UInt8, negative: UInt8) -> Double? {
    guard let end = rest.firstIndex(where: { $0 & 0xdf == positive || $0 & 0xdf == negative }) else {
      return nil
    }
    let isNegative = rest[end] & 0xdf == negative
    let written = rest[..<end].filter { $0 != 32 && $0 != 9 }
    rest = rest[(end + 1)...]
    let parts = written.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var degrees = 0.0
    for (index, part) in parts.enumerated() {
      guard let value = DecimalNumber.parse(part), value >= 0, index == 0 || value < 60.000_001 else {
        return nil
      }
      degrees += value / [1, 60, 3600][index]
    }
    return isNegative ? -degrees : degrees
  }

  static func number(_ text: some StringProtocol) -> Double? {
    // A comment or a unit may follow.
    let digits = text.utf8.drop { $0 == 32 || $0 == 9 }.prefix { "+-.0123456789".utf8.contains($0) }
    return DecimalNumber.parse(Array(digits))
  }
}
