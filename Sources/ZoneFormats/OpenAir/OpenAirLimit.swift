import AlarmEngine
import Geometry
import PAD

/// A floor (`AL`) or ceiling (`AH`) as OpenAir writes it: `GND`, `SFC`, `0`, `UNL`, `2500`, `2500 ft AMSL`, `760m MSL`, `FL 95`,
/// `1000 ft AGL`.
///
/// The default unit is feet, the default reference sea level. A limit that cannot be placed over sea level is
/// left out or moved, so that a zone is too high or too deep rather than too small:
///
/// - Above ground (`AGL`, `ASFC`): not known without the terrain.
/// - Flight levels are heights by pressure, at 1013.25 hPa in the standard atmosphere. Air of 940 hPa at sea level puts them 600 m
///   lower, and air that is 25 K colder or warmer than the standard a tenth lower or higher. A limit is moved outwards by
///   both.
enum OpenAirLimit: Equatable {
  /// Over sea level.
  case height(Distance)
  case flightLevel(Distance)
  case aboveGround
  case ground
  case unlimited

  /// Lowest pressure at sea level that an air mass has, in metres below the standard one.
  private static let pressure = Distance.metres(600)
  private static let temperature = 0.1

  /// - Returns: nil for any other text.
  init?(_ text: some StringProtocol) {
    let letters = OpenAirField.trimmed(text).map { byte in byte >= 97 && byte <= 122 ? byte - 32 : byte }
    let words = letters.split { $0 == 32 || $0 == 9 }
    // Two numbers are not one.
    for (word, next) in zip(words, words.dropFirst())
    where Self.endsNumber(word.last) && Self.endsNumber(next.first) { return nil }
    let word = String(decoding: words.joined(), as: UTF8.self)
    if ["GND", "SFC", "GROUND", "SURFACE"].contains(word) {
      self = .ground
      return
    }
    if ["UNL", "UNLIM", "UNLTD", "UNLIMITED"].contains(word) {
      self = .unlimited
      return
    }
    if word.hasPrefix("FL") {
      guard let level = OpenAirField.number(word.utf8.dropFirst(2)), (0...1000).contains(level) else {
        return nil
      }
      self = .flightLevel(.metres(level * 100 * Self.foot))
      return
    }
    let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }
    guard let number = DecimalNumber.parse(Array(digits.utf8)), abs(number) <= 1e6 else { return nil }
    var rest = word.dropFirst(digits.count)
    var unit = Self.foot
    // "MSL" begins with the letter of metres.
    for (name, metres) in Self.units where rest.hasPrefix(name) && !rest.hasPrefix("MSL") {
      unit = metres
      rest = rest.dropFirst(name.count)
      break
    }
    switch rest {
    // Zero means the ground, which lies below the sea in places.
    case "", "AMSL", "MSL", "ALT", "QNH": self = number == 0 ? .ground : .height(.metres(number * unit))
    case "AGL", "ASFC", "AGND", "SFC", "GND": self = .aboveGround
    default: return nil
    }
  }

  private static func endsNumber(_ byte: UInt8?) -> Bool {
    byte.map { (48...57).contains($0) || $0 == UInt8(ascii: ".") } ?? false
  }

  private static let foot = 0.3048
  /// Among names with the same beginning, the longest comes first.
  private static let units: [(name: String, metres: Double)] = [
    ("FEET", foot), ("FT", foot), ("F", foot), ("METRES", 1), ("METERS", 1), ("MTR", 1), ("M", 1),
  ]

  /// The floor below which the zone surely does not reach; nil for none.
  var floor: Distance? {
    switch self {
    case .height(let height): Self.allowed(height)
    case .flightLevel(let height): Self.allowed(height * (1 - Self.temperature) - Self.pressure)
    case .aboveGround, .ground, .unlimited: nil
    }
  }

  /// The ceiling above which the zone surely does not reach; nil for none.
  var ceiling: Distance? {
    switch self {
    case .height(let height): Self.allowed(height)
    case .flightLevel(let height): Self.allowed(height * (1 + Self.temperature) + Self.pressure)
    case .aboveGround, .ground, .unlimited: nil
    }
  }

  /// Returns nil for a limit out of a zone's range, where no phone can be.
  private static func allowed(_ height: Distance) -> Distance? {
    RangedField.ceiling.allowed.contains(height.metres) ? height : nil
  }
}
