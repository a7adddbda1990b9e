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
    var mantissa: UInt64 = 0
    var digits = 0
    var decimals = 0
    var seenPoint = false
    var isPlain = true
    var i = bytes.startIndex
    let negative = i < bytes.endIndex && bytes[i] == UInt8(ascii: "-")
    if negative || (i < bytes.endIndex && bytes[i] == UInt8(ascii: "+")) { i += 1 }
    while i < bytes.endIndex {
      let byte = bytes[i]
      if byte.isDigit {
        digits += 1
        if digits <= 19 { mantissa = mantissa &* 10 &+ UInt64(byte & 15) }
        if seenPoint { decimals += 1 }
      } else if !seenPoint, byte == UInt8(ascii: ".") || (decimalComma && byte == UInt8(ascii: ",")) {
        seenPoint = true
      } else if digits > 0, byte | 0x20 == UInt8(ascii: "e") {
        isPlain = false
        break
      } else {
        return nil
      }
      i += 1
    }
    guard digits > 0 else { return nil }
    // Both numbers are exact here, so that the one division rounds correctly (W. D. Clinger, PLDI 1990).
    if isPlain, digits <= 19, mantissa <= 1 << 53, decimals < Self.powersOfTen.count {
      let size = Double(mantissa) / Self.powersOfTen[decimals]
      return negative ? -size : size
    }
    guard bytes.count <= 400 else { return nil }
    let text = bytes.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
    guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
    return number
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
  ]
}
