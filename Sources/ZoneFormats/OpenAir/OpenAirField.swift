import AlarmEngine
import Geometry
import PAD

/// Reads values of OpenAir records. A value is read whole or not at all: only blanks and a comment (`*`) may
/// follow it.
enum OpenAirField {
  /// Returns the value without a comment and surrounding blanks.
  static func trimmed(_ value: some StringProtocol) -> [UInt8] {
    trimmed(Array(value.utf8.prefix { $0 != UInt8(ascii: "*") })[...])
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return Array(bytes[first...last])
  }

  /// Returns the parts between commas.
  static func list(_ value: some StringProtocol) -> [[UInt8]] {
    let parts = trimmed(value).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    return parts.map { trimmed($0) }
  }

  /// Reads digits with at most one point and an optional sign; nil for anything else.
  static func number(_ bytes: some Sequence<UInt8>) -> Double? {
    let bytes = Array(bytes)
    return bytes.allSatisfy(isOfNumber) ? DecimalNumber.parse(bytes) : nil
  }

  /// Reads a distance in nautical miles, or in the stated unit: `5`, `5.5 NM`, `5 km`.
  static func distance(_ bytes: [UInt8]) -> Distance? {
    let digits = bytes.prefix(while: isOfNumber)
    var unit = trimmed(bytes[digits.endIndex...]).map { $0 | 0x20 }
    // An abbreviation may end with a point.
    if unit.count > 1, unit.last == UInt8(ascii: ".") { unit.removeLast() }
    guard let metres = units[String(decoding: unit, as: UTF8.self)], let number = number(digits),
      abs(number) < 1e6
    else { return nil }
    return .metres(number * metres)
  }
  private static let units = ["": 1852.0, "nm": 1852, "nmi": 1852, "km": 1000]

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "-")
  }

  fileprivate static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}

/// Coordinates as OpenAir writes them: `39:29.7 N 119:46.5 W`, `39:29:42N 119:46:30W`, `39.495 N 119.775 W`.
enum OpenAirCoordinate {
  static func parse(_ text: some StringProtocol) throws(OpenAirError) -> Coordinate {
    try parse(OpenAirField.trimmed(text))
  }

  static func parse(_ bytes: [UInt8]) throws(OpenAirError) -> Coordinate {
    var rest = bytes[...]
    guard let latitude = angle(&rest, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S")),
      let longitude = angle(&rest, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W")),
      rest.allSatisfy(OpenAirField.isBlank), abs(longitude) <= 180,
      let place = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else {
      throw OpenAirError(
        .badCoordinate,
        allowed: "degrees:minutes:seconds N or S, then E or W, within 90 and 180 allowed; it is left out")
    }
    return place
  }

  /// Reads degrees, minutes and seconds up to the letter of the hemisphere; the text after it stays in
  /// `rest`.
  private static func angle(_ rest: inout ArraySlice<UInt8>, positive: UInt8, negative: UInt8) -> Double? {
    guard let end = rest.firstIndex(where: { $0 & 0xdf == positive || $0 & 0xdf == negative }) else {
      return nil
    }
    let isNegative = rest[end] & 0xdf == negative
    let parts = rest[..<end].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    rest = rest[(end + 1)...]
    guard (1...3).contains(parts.count) else { return nil }
    var degrees = 0.0
    for (index, part) in parts.enumerated() {
      let words = part.split(whereSeparator: OpenAirField.isBlank)
      guard words.count == 1, words[0].first != UInt8(ascii: "-"), let value = OpenAirField.number(words[0]),
        index == 0 || value < 60.000_001,
        // A fraction belongs to the last part.
        index == parts.count - 1 || value == value.rounded(.down)
      else { return nil }
      degrees += value / [1, 60, 3600][index]
    }
    return isNegative ? -degrees : degrees
  }
}
