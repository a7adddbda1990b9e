/// Converts numbers and times in the digits of other scripts to ASCII.
package enum Numerals {
  /// Returns the text with ASCII digits and marks: digits of any script, `٫` and `．` as the decimal point,
  /// full-width signs, colons and slashes, the minus sign. Marks of the writing direction are left out.
  /// - Returns: nil if the bytes are already ASCII, or are not UTF-8.
  package static func plain(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.count <= 256, bytes.contains(where: { $0 >= 0x80 }),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        plain.append(UInt8(truncatingIfNeeded: scalar.value))
      } else if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
        plain.append(UInt8(ascii: "0") + UInt8(value))
      } else if let mark = marks[scalar] {
        plain += mark
      } else {
        plain += String(scalar).utf8
      }
    }
    return plain
  }

  private static let marks: [Unicode.Scalar: [UInt8]] = [
    "\u{66b}": Array(".".utf8),  // Arabic decimal separator
    "\u{ff0e}": Array(".".utf8), "\u{ff0c}": Array(",".utf8), "\u{60c}": Array(",".utf8),
    "\u{2212}": Array("-".utf8), "\u{ff0d}": Array("-".utf8), "\u{ff0b}": Array("+".utf8),
    "\u{ff1a}": Array(":".utf8), "\u{ff0f}": Array("/".utf8),
    "\u{ff34}": Array("T".utf8), "\u{ff3a}": Array("Z".utf8),
    "\u{a0}": Array(" ".utf8), "\u{202f}": Array(" ".utf8), "\u{3000}": Array(" ".utf8),
    "\u{200e}": [], "\u{200f}": [], "\u{61c}": [], "\u{feff}": [],
  ]
}
