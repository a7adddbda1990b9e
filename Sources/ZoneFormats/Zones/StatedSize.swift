import Geometry
import PAD

/// The size of a circle or a corridor as properties state it, by us or by other programs: `radius`, `radius` with `radius_units`,
/// `radiusInKm`, `radius_ft`, `diameter_km`, `buffer` with `units`, "250 m".
///
/// The unit is given by the name, the value or another property; contradicting units make the size
/// unreadable. Without a unit, `radius`, `diameter` and `size` are metres, and nothing else is a size. Half
/// of a diameter is the size.
enum StatedSize {
  case metres(Double, key: String)
  /// A property that is a size but cannot be read, and the reason.
  case unreadable(key: String, String)
  /// Properties that are named like a size but are not understood.
  case notUnderstood([String])

  /// The metres of each unit, by its usual names.
  private static let units: [String: Double] = {
    let names: [(Double, [String])] = [
      (1, ["m", "mtr", "mtrs", "meter", "meters", "metre", "metres"]),
      (1000, ["km", "kms", "kilometer", "kilometers", "kilometre", "kilometres"]),
      (0.3048, ["ft", "foot", "feet"]), (0.9144, ["yd", "yard", "yards"]),
      (1609.344, ["mi", "mile", "miles"]),
      (1852, ["nmi", "nm", "nautical mile", "nautical miles", "nauticalmile", "nauticalmiles"]),
    ]
    return Dictionary(uniqueKeysWithValues: names.flatMap { metres, names in names.map { ($0, metres) } })
  }()
  static let allowed = "a number of m, km, ft, yd, mi or nmi"

  /// - Parameters:
  ///   - names: our names of a size; the first that is present is read.
  ///   - keys: the keys of `values`, in the order of the file.
  init(names: [String], keys: [String], values: [String: JSONValue]) {
    for key in names {
      guard let value = values[key], !Self.isEmpty(value) else { continue }
      // Properties of other programs beside ours do not affect ours.
      let head = key.hasSuffix("_m") ? nil : key
      self = Self.size(
        key, value, unit: head == nil ? 1 : nil,
        companion: head.flatMap { Self.companion(of: $0, keys, values) }, share: 1)
      return
    }
    var strange: [String] = []
    for key in keys {
      guard let value = values[key], !Self.isEmpty(value), let name = Name(key) else { continue }
      let companion = name.unit == nil && name.isPlain ? Self.companion(of: name.head, keys, values) : nil
      let hasUnit = name.unit != nil || companion != nil || Self.number(value)?.unit != nil
      if name.isPlain, name.head != "size", hasUnit || ["radius", "diameter"].contains(name.head) {
        self = Self.size(key, value, unit: nil, companion: companion, share: name.share)
        return
      }
      if name.unit != nil {
        self = Self.size(key, value, unit: name.unit, companion: nil, share: name.share)
        return
      }
      if name.head != "size" { strange.append(key) }
    }
    self = .notUnderstood(strange)
  }

  private static func size(
    _ key: String, _ value: JSONValue, unit: Double?, companion: (key: String, metres: Double?)?,
    share: Double
  ) -> Self {
    guard let (number, written) = number(value) else {
      return .unreadable(key: key, "\"\(value.excerpt)\" found, \(allowed) allowed")
    }
    if let companion, companion.metres == nil {
      return .unreadable(
        key: key,
        "\(value.excerpt) with an unknown unit in \(companion.key.prefix(60)) found, \(allowed) allowed")
    }
    let stated = [unit, companion?.metres, written].compactMap { $0 }
    guard stated.allSatisfy({ $0 == stated[0] }) else {
      return .unreadable(
        key: key, "\"\(value.excerpt)\" found, which contradicts the unit stated beside it")
    }
    return .metres(number * (stated.first ?? 1) * share, key: key)
  }

  /// Reads a number, or a text with a number and an optional unit.
  private static func number(_ value: JSONValue) -> (number: Double, unit: Double?)? {
    if let number = value.double { return (number, nil) }
    guard let text = value.string else { return nil }
    let bytes = Array(text.utf8)[...].trimmed
    if let number = DecimalNumber.parse(Array(bytes)) { return (number, nil) }
    let digits = bytes.prefix { (48...57).contains($0) || "+-.".utf8.contains($0) }
    guard let number = DecimalNumber.parse(Array(digits)),
      let unit = unit(String(decoding: bytes[digits.endIndex...].trimmed, as: UTF8.self))
    else { return nil }
    return (number, unit)
  }

  private static func unit(_ text: String) -> Double? {
    var name = text.lowercased()
    // An abbreviation may end with a point.
    if name.hasSuffix(".") { name.removeLast() }
    return units[name]
  }

  /// Returns the property that states the unit of those called `head`, and the unit's metres; nil metres for
  /// an unknown unit.
  private static func companion(of head: String, _ keys: [String], _ values: [String: JSONValue]) -> (
    key: String, metres: Double?
  )? {
    let words = ["unit", "units", "uom"]
    for (names, isOwn) in [(words.map { head + $0 }, true), (words, false)] {
      for key in keys where names.contains(Name.plain(key)) {
        guard let value = values[key], !isEmpty(value) else { continue }
        if let text = value.string {
          return (key, unit(String(decoding: Array(text.utf8)[...].trimmed, as: UTF8.self)))
        }
        if isOwn { return (key, nil) }
      }
    }
    return nil
  }

  private static func isEmpty(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool: true
    case .string(let text): text.isEmpty
    case .integer, .number, .array, .object: false
    }
  }

  /// A property name that begins like that of a size.
  private struct Name {
    let head: String
    /// The metres of the unit at the end of the name.
    let unit: Double?
    /// True if nothing else follows `head`.
    let isPlain: Bool
    /// The fraction of the stated number that is the size.
    var share: Double { head == "diameter" ? 0.5 : 1 }

    /// - Returns: nil for any other name, and for a property that states the unit of another.
    init?(_ key: String) {
      guard key.utf8.count <= 60 else { return nil }
      let plain = Self.plain(key)
      guard let head = ["radius", "rad", "diameter", "buffer", "size"].first(where: plain.hasPrefix),
        !["radio", "radar", "radia"].contains(where: plain.hasPrefix)
      else { return nil }
      var rest = plain.dropFirst(head.count)
      guard !["unit", "units", "uom"].contains(rest) else { return nil }
      for word in ["distance", "dist", "value", "length", "in"] where rest.count > word.count || word != "in"
      {
        if rest.hasPrefix(word) { rest = rest.dropFirst(word.count) }
      }
      (self.head, isPlain) = (head, rest.isEmpty)
      unit = StatedSize.units[String(rest)]
    }

    /// Returns the key in lower case, without separators of words.
    static func plain(_ key: String) -> String { key.lowercased().filter { !" _-.:()[]/".contains($0) } }
  }
}
