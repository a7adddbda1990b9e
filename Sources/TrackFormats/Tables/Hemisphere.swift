import ZoneFormats

/// The hemisphere of a latitude or longitude, given by a letter in its own column or beside the number.
///
/// A sign may agree with the letter (`-46.05` and `S`). One that contradicts it (`-46.05` and `N`) is an
/// error of its line, and so is every value but a hemisphere.
package enum Hemisphere: Equatable {
  case north, south, east, west

  package enum Axis: Equatable { case latitude, longitude }

  package var axis: Axis { self == .north || self == .south ? .latitude : .longitude }
  package var isNegative: Bool { self == .south || self == .west }

  /// Reads a letter or a word, in any case. "O" is east in German and west in French, so it is refused.
  package init?(_ field: ArraySlice<UInt8>) {
    let bytes = field.trimmed
    guard let first = bytes.first, bytes.count <= 12 else { return nil }
    if bytes.count == 1 {
      switch first | 0x20 {
      case UInt8(ascii: "n"): self = .north
      case UInt8(ascii: "s"): self = .south
      case UInt8(ascii: "e"): self = .east
      case UInt8(ascii: "w"): self = .west
      default: return nil
      }
      return
    }
    guard let found = Self.words[TextEncoding.string(bytes).lowercased()] else { return nil }
    self = found
  }

  private static let words: [String: Self] = [
    "north": .north, "northern": .north, "nord": .north, "norte": .north,
    "south": .south, "southern": .south, "süd": .south, "sued": .south, "sud": .south, "sur": .south,
    "sul": .south,
    "east": .east, "eastern": .east, "ost": .east, "est": .east, "este": .east, "leste": .east,
    "west": .west, "western": .west, "ouest": .west, "oeste": .west, "ovest": .west,
  ]

  /// Returns the axis whose hemisphere a column of that name gives: `N/S`, `lat_hem`, `Longitude Direction`.
  /// - Parameter name: small letters and digits only.
  package static func axis(ofColumn name: String) -> Axis? {
    switch name {
    case "ns", "sn", "nors", "northsouth", "nordsüd", "nordsued": return .latitude
    case "ew", "we", "eorw", "eastwest", "ostwest", "ow": return .longitude
    default: break
    }
    for (axis, words) in axes {
      for word in words {
        if name.hasPrefix(word), marks.contains(String(name.dropFirst(word.count))) { return axis }
        if name.hasSuffix(word), marks.contains(String(name.dropLast(word.count))) { return axis }
      }
    }
    return nil
  }

  private static let axes: [(Axis, [String])] = [
    (
      .latitude,
      [
        "gpslatitude", "gpslat", "latitude", "lat", "breitengrad", "breite", "northsouth", "ns",
      ]
    ),
    (
      .longitude,
      [
        "gpslongitude", "gpslong", "gpslon", "gpslng", "longitude", "long", "lon", "lng", "längengrad",
        "länge",
        "eastwest", "ew",
      ]
    ),
  ]
  private static let marks: Set<String> = [
    "hem", "hemi", "hemis", "hemisph", "hemisphere", "hemisphäre", "dir", "direction", "ref", "reference",
    "ind",
    "indicator", "cardinal", "cardinaldirection", "card", "letter", "flag", "side", "sign", "quadrant",
    "compass",
    "orientation", "ns", "sn", "ew", "we", "nors", "eorw", "northsouth", "eastwest", "nshem", "ewhem",
    "nshemisphere", "ewhemisphere", "nsindicator", "ewindicator", "hemispherens", "hemisphereew", "richtung",
  ]

  /// Applies the hemisphere of a column to degrees.
  /// - Parameter text: the column's value; nil if there is no such column.
  package static func apply(_ text: ArraySlice<UInt8>?, to number: NumberField, _ axis: Axis) -> NumberField {
    guard let text, case .number(let degrees) = number else { return number }
    guard let hemisphere = Self(text), hemisphere.axis == axis, let signed = hemisphere.signed(degrees) else {
      return .words("\(degrees) \(NumberField.excerpt(text.trimmed))")
    }
    return .number(signed)
  }

  /// Reads degrees with a letter before or after them: `46.05 S`, `N46.05°`.
  /// - Returns: nil for anything else, also if sign and letter contradict each other.
  package static func degrees(_ field: ArraySlice<UInt8>, _ axis: Axis) -> NumberField? {
    let bytes = field.trimmed
    guard bytes.count >= 2, let first = bytes.first, let last = bytes.last else { return nil }
    let hemisphere: Self
    var rest: ArraySlice<UInt8>
    if let found = Self([last]) {
      (hemisphere, rest) = (found, bytes.dropLast().trimmed)
    } else if let found = Self([first]) {
      (hemisphere, rest) = (found, bytes.dropFirst().trimmed)
    } else {
      return nil
    }
    for mark in [Array("°".utf8), [0xb0]] where rest.reversed().starts(with: mark.reversed()) {
      rest = rest.dropLast(mark.count).trimmed
      break
    }
    guard hemisphere.axis == axis, case .number(let degrees) = NumberField(rest, comma: .decimal) else {
      return nil
    }
    return hemisphere.signed(degrees).map { .number($0) }
  }

  /// Returns the signed degrees; nil if their sign contradicts the hemisphere.
  private func signed(_ degrees: Double) -> Double? {
    if degrees < 0 { return isNegative ? degrees : nil }
    return isNegative ? -degrees : degrees
  }
}
