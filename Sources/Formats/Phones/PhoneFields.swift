import AlarmEngine

/// The members of a request, from its query, form or JSON alike.
struct PhoneFields {
  let members: [(String, JSONValue)]
  /// The index of each name; nil for few members, where a linear search is faster.
  private let places: [String: Int]?
  private static let few = 64

  /// Creates the fields. Of several members with one name the last counts.
  init(_ members: [(String, JSONValue)]) {
    self.members = members
    guard members.count > Self.few else {
      places = nil
      return
    }
    var places: [String: Int] = [:]
    for (place, member) in members.enumerated() { places[member.0] = place }
    self.places = places
  }

  private func place(_ name: String) -> Int? {
    if let places { return places[name] }
    return members.lastIndex { $0.0 == name }
  }

  /// The value of a name; nil for null and blank text.
  subscript(_ name: String) -> JSONValue? {
    guard let place = place(name) else { return nil }
    switch members[place].1 {
    case .null: return nil
    case .string(let text) where text.utf8.allSatisfy({ $0 <= 0x20 }): return nil
    case let value: return value
    }
  }
  /// The first of these names that has a value.
  subscript(_ name: String, _ other: String) -> JSONValue? { self[name] ?? self[other] }
  subscript(_ name: String, _ other: String, _ third: String) -> JSONValue? {
    self[name] ?? self[other] ?? self[third]
  }

  /// Returns the value as text, numbers included.
  func text(_ name: String) -> String? { self[name]?.words }
  func text(_ name: String, _ other: String) -> String? { text(name) ?? text(other) }
  func text(_ name: String, _ other: String, _ third: String) -> String? {
    text(name) ?? text(other) ?? text(third)
  }

  /// Latitude and longitude under the names that templates give them.
  var place: (latitude: JSONValue?, longitude: JSONValue?) {
    (self["lat", "latitude"], self["lon", "longitude", "lng"])
  }

  /// Applies the hemispheres that other members give: `lat=57.7&NS=S`, `lat_ref=S`, `hemisphere=S`.
  ///
  /// The rules are those of table columns (`Hemisphere`): a value that is empty, is no hemisphere or
  /// contradicts the sign makes the position unreadable.
  func sided(_ latitude: NumberField, _ longitude: NumberField) -> (
    latitude: NumberField, longitude: NumberField
  ) {
    var (latitude, longitude) = (latitude, longitude)
    for (name, value) in members where !Self.ordinary.contains(name) {
      let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
      let text = Array((value.words ?? "").utf8)[...]
      let axis =
        Hemisphere.axis(ofColumn: letters)
        ?? (Self.hemispheres.contains(letters) ? Hemisphere(text)?.axis ?? .latitude : nil)
      switch axis {
      case .latitude: latitude = Hemisphere.apply(text, to: latitude, .latitude)
      case .longitude: longitude = Hemisphere.apply(text, to: longitude, .longitude)
      case nil: break
      }
    }
    return (latitude, longitude)
  }

  /// Names that give no axis; the letter in the value tells it.
  private static let hemispheres: Set = ["hemisphere", "hemi", "hem", "nsew"]
  /// Common names, which are skipped without further checks.
  private static let ordinary: Set = [
    "id", "deviceid", "device_id", "lat", "latitude", "lon", "longitude", "lng", "timestamp", "t", "time",
    "acc", "accuracy",
    "speed", "speed_ms", "spd", "bearing", "dir", "direction", "alt", "altitude", "hdop", "batt", "bat",
    "battery", "sat", "charge",
    "valid", "mock", "event", "is_moving", "odometer", "heading", "useragent", "aid", "ser", "act",
    "activity", "prov", "desc",
  ]

  /// Returns a Boolean in any spelling.
  func flag(_ name: String) -> Bool? { self[name]?.flag }
  func flag(_ name: String, _ other: String) -> Bool? { flag(name) ?? flag(other) }

  /// Returns the members that are not in `known`. Members beyond the limits are left out, and `bodyHasMore`
  /// is set.
  func attributes(without known: Set<String>, _ builder: inout PhoneReportBuilder) -> [PhoneAttribute] {
    var attributes: [PhoneAttribute] = []
    for (place, (name, value)) in members.enumerated()
    where !known.contains(name) && self.place(name) == place {
      guard let text = value.attribute else { continue }
      guard text.utf8.count <= Self.longestAttribute, attributes.count < Self.maximumAttributes else {
        builder.bodyHasMore = true
        continue
      }
      attributes.append(PhoneAttribute(name, text))
    }
    return attributes
  }

  /// The most attributes kept for a position; the raw body has the others.
  static let maximumAttributes = 50
  /// The longest value kept, in bytes; longer ones, such as pictures, stay in the body.
  static let longestAttribute = 1000
}

extension JSONValue {
  /// A string, or a number as it would be written; nil for anything else, and for empty text.
  var words: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer, .number: text
    case .null, .bool, .array, .object: nil
    }
  }

  var flag: Bool? {
    switch self {
    case .bool(let value): value
    case .integer(let value): value != 0
    case .string(let text):
      switch text.lowercased() {
      case "true", "1", "yes", "on": true
      case "false", "0", "no", "off": false
      default: nil
      }
    case .null, .number, .array, .object: nil
    }
  }

  /// The strings of an array, or a single one.
  var strings: [String] {
    switch self {
    case .array(let values): values.compactMap(\.words)
    case .string, .integer, .number: words.map { [$0] } ?? []
    case .null, .bool, .object: []
    }
  }

  fileprivate var attribute: String? {
    switch self {
    case .null: nil
    case .string(let text): text.isEmpty ? nil : text
    case .bool, .integer, .number, .array, .object: text
    }
  }
}

/// Times as phones write them.
enum PhoneTime {
  /// PhoneTrack's rule; in seconds it would be the year 2286.
  static let milliseconds = 1e10
  /// Traccar's rule; in seconds it would be the year 2038.
  static let traccarMilliseconds = 2_147_483_647.0

  /// Reads Unix seconds, milliseconds from `threshold` on, or a date and a time of day, UTC if no zone is
  /// named.
  ///
  /// A `+` before the zone that was decoded as a blank is restored.
  static func read(_ value: JSONValue?, milliseconds threshold: Double = milliseconds) -> TrackFilePoint.Time
  {
    guard let value else { return .missing }
    if let number = value.field.number, !isFourteenDigits(value) {
      let factor: Double = abs(number) >= threshold ? 1 : 1000
      let size = abs(number)
      // Microseconds and nanoseconds, as some phones' clocks count.
      let reduced = size < 1e14 ? number : size < 1e17 ? number / 1e3 : number / 1e6
      return .read(Timestamp.instant(milliseconds: reduced * factor), as: String(number))
    }
    guard let text = value.string else { return value.time }
    let bytes = Array(text.utf8)
    var time = TrackFilePoint.Time.read(bytes[...])
    if case .read(.unreadable, _) = time, let blank = bytes.lastIndex(of: 0x20), bytes.count - blank <= 6 {
      var mended = bytes
      mended[blank] = UInt8(ascii: "+")
      let again = TrackFilePoint.Time.read(mended[...])
      if case .read(.time, _) = again { time = again }
    }
    if case .read(.time(let instant, .assumedUTC), let words) = time {
      return .read(.time(instant, zone: .stated), as: words)
    }
    return time
  }

  static func instant(_ value: JSONValue?) -> Instant? {
    if case .read(.time(let instant, _), _) = read(value) { instant } else { nil }
  }

  private static func isFourteenDigits(_ value: JSONValue) -> Bool {
    guard let text = value.string else { return false }
    let bytes = Array(text.utf8)[...].trimmed
    let plain = Numerals.plain(bytes).map { $0[...] } ?? bytes
    return plain.count == 14 && plain.allSatisfy(\.isDigit)
  }
}
