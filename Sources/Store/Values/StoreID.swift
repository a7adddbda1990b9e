import AlarmEngine

/// A random 64-bit id that never changes. It is written in links and files as sixteen hexadecimal digits.
public protocol StoreID: Hashable, Comparable, Sendable, CustomStringConvertible {
  var rawValue: UInt64 { get }
  init(rawValue: UInt64)
}

extension StoreID {
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns nil for anything but sixteen hexadecimal digits.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ Self.isHexadecimal($0) }),
      let value = UInt64(text, radix: 16)
    else { return nil }
    self.init(rawValue: value)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
  }

  /// Returns a new id from the system's secure random numbers, so that it cannot be guessed.
  public static func random() -> Self { Self(rawValue: .random(in: .min ... .max)) }

  public static func random(using generator: inout some RandomNumberGenerator) -> Self {
    Self(rawValue: generator.next())
  }
}

extension ZoneID: StoreID {}
extension DeviceID: StoreID {}
extension AlarmID: StoreID {}
extension CompanionID: StoreID {}
extension ReminderID: StoreID {}

/// Parses an id as it is written in addresses: sixteen hexadecimal digits in lower case.
package func parsedID(_ text: some StringProtocol) -> UInt64? {
  guard text.utf8.count == 16, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
  else { return nil }
  return UInt64(text, radix: 16)
}
