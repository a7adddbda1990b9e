import AlarmEngine
import PAD

/// A number as it stood in a file.
enum NumberField: Equatable {
  case missing
  case number(Double)
  /// What stood there instead of a number, cut to a length fit for a message.
  case words(String)

  init(_ bytes: ArraySlice<UInt8>, decimalComma: Bool = false) {
    let trimmed = bytes.trimmed
    guard !trimmed.isEmpty else {
      self = .missing
      return
    }
    if let number = Self.decimal(trimmed, decimalComma: decimalComma) {
      self = .number(number)
    } else {
      self = .words(Self.excerpt(trimmed))
    }
  }
  init(_ text: String?) {
    guard let text else {
      self = .missing
      return
    }
    self.init(Array(text.utf8)[...])
  }

  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  func scaled(by factor: Double) -> Self {
    if case .number(let number) = self { .number(number * factor) } else { self }
  }

  static func excerpt(_ text: String) -> String { excerpt(Array(text.utf8)[...].trimmed) }
  static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
    let text = TextEncoding.string(bytes.prefix(60))
    return bytes.count > 60 ? text + "..." : text
  }

  /// A decimal number, correctly rounded; hexadecimal, "nan" and "infinity" are none.
  static func decimal(_ bytes: ArraySlice<UInt8>, decimalComma: Bool = false) -> Double? {
    let comma = UInt8(ascii: ",")
    return DecimalNumber.parse(bytes, mark: decimalComma && bytes.contains(comma) ? comma : UInt8(ascii: "."))
  }
}
