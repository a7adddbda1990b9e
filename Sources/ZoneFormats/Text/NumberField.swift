import AlarmEngine
import PAD

/// A number field of a file.
///
/// Digits of every script are read, and a comma as the decimal mark where it is unambiguous.
package enum NumberField: Equatable {
  case missing
  case number(Double)
  /// The text found instead of a number, shortened for a message.
  case words(String)

  /// The meanings that a comma in a number may have.
  package enum Comma {
    /// A decimal mark, unless it could separate thousands: `12,5` is read, `1,234` is not.
    case decimalUnlessThousands
    /// A decimal mark: degrees have no thousands, and a table with decimal commas in its degrees has them everywhere.
    case decimal
  }

  package init(_ bytes: ArraySlice<UInt8>, comma: Comma = .decimalUnlessThousands) {
    let trimmed = bytes.trimmed
    guard !trimmed.isEmpty else {
      self = .missing
      return
    }
    if let number = Self.decimal(trimmed) ?? Self.localized(trimmed, comma: comma) {
      self = .number(number)
    } else {
      self = .words(Self.excerpt(trimmed))
    }
  }
  package init(_ text: String?, comma: Comma = .decimalUnlessThousands) {
    guard let text else {
      self = .missing
      return
    }
    self.init(Array(text.utf8)[...], comma: comma)
  }

  /// Degrees of latitude or longitude.
  package static func degrees(_ text: String?) -> Self { Self(text, comma: .decimal) }

  package var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  package func scaled(by factor: Double) -> Self {
    if case .number(let number) = self { .number(number * factor) } else { self }
  }

  package static func excerpt(_ text: String) -> String { excerpt(Array(text.utf8)[...].trimmed) }
  package static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
    let text = TextEncoding.string(bytes.prefix(60))
    return bytes.count > 60 ? text + "..." : text
  }

  /// A decimal number in ASCII with a point, correctly rounded; hexadecimal, "nan" and "infinity" are none.
  package static func decimal(_ bytes: ArraySlice<UInt8>) -> Double? { DecimalNumber.parse(bytes) }

  /// Reads a number in another notation: digits of other scripts, a decimal comma.
  package static func localized(_ bytes: ArraySlice<UInt8>, comma rule: Comma = .decimalUnlessThousands)
    -> Double?
  {
    let plain = Numerals.plain(bytes)
    let digits = (plain.map { $0[...] } ?? bytes).trimmed
    guard let comma = digits.firstIndex(of: UInt8(ascii: ",")) else {
      return plain == nil ? nil : decimal(digits)
    }
    if rule == .decimalUnlessThousands, couldPartThousands(digits, at: comma) { return nil }
    // Without a digit on both sides it may be punctuation.
    guard comma > digits.startIndex, digits[comma - 1].isDigit, comma + 1 < digits.endIndex,
      digits[comma + 1].isDigit
    else { return nil }
    return DecimalNumber.parse(digits, mark: UInt8(ascii: ","))
  }

  /// True if a comma could separate thousands: one to three digits before it, the first not zero, and exactly
  /// three after it.
  private static func couldPartThousands(_ digits: ArraySlice<UInt8>, at comma: Int) -> Bool {
    let whole = digits[..<comma].drop { !$0.isDigit }
    return (1...3).contains(whole.count) && whole.first != UInt8(ascii: "0")
      && digits[(comma + 1)...].prefix(while: { $0.isDigit }).count == 3
  }
}
