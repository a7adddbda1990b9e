import AlarmEngine

/// Parses decimal numbers of files to the nearest `Double`.
///
/// The standard library's parser is not part of Embedded Swift, and the page must read the same value from the
/// same bytes as the server.
public enum DecimalNumber {
  /// Returns the double nearest to the written number, ties to even.
  ///
  /// Sign, digits with at most one `mark` among them, exponent: `-12.5`, `+.5`, `3.`, `1e-3`. No blanks, no words
  /// (so neither NaN nor infinity), no hexadecimal digits.
  /// - Parameter mark: the decimal mark; `.` by default.
  /// - Returns: nil if the bytes are no such number, or one too large for a `Double`.
  /// - Complexity: linear in the number of bytes; no allocation up to 19 digits.
  public static func parse(
    _ bytes: ArraySlice<UInt8>, mark: UInt8 = UInt8(ascii: ".")
  ) -> Double? {
    guard let scanned = Scanned(bytes, mark: mark) else { return nil }
    let magnitude = scanned.quickValue ?? scanned.exactValue
    guard magnitude.isFinite else { return nil }
    return scanned.negative ? -magnitude : magnitude
  }

  public static func parse(_ bytes: [UInt8], mark: UInt8 = UInt8(ascii: ".")) -> Double? {
    parse(bytes[...], mark: mark)
  }
}

extension DecimalNumber {
  /// The number as `leading` times ten to the `exponent`; if it has more than 19 digits, all are in `digits`
  /// as well.
  struct Scanned {
    var negative = false
    /// The first 19 significant digits, as an integer.
    var leading: UInt64 = 0
    /// The number of significant digits, at most `maximumDigits`.
    var count = 0
    /// The power of ten of the last digit counted.
    var exponent = 0
    /// All significant digits, 0 to 9 each, if there are more than 19; else empty.
    var digits: [UInt8] = []

    /// No halfway point between two doubles has more than 767 significant digits; one more tells above from
    /// below.
    static let maximumDigits = 800

    init?(_ bytes: ArraySlice<UInt8>, mark: UInt8) {
      var at = bytes.startIndex
      if at < bytes.endIndex, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
        negative = bytes[at] == UInt8(ascii: "-")
        at += 1
      }
      var sawDigit = false
      var sawMark = false
      while at < bytes.endIndex {
        let byte = bytes[at]
        if byte >= 48, byte <= 57 {
          sawDigit = true
          take(byte - 48, afterMark: sawMark)
        } else if byte == mark, !sawMark {
          sawMark = true
        } else {
          break
        }
        at += 1
      }
      guard sawDigit else { return nil }
      if at < bytes.endIndex {
        guard let power = Self.power(bytes[at...]) else { return nil }
        exponent += power
      }
    }

    private mutating func take(_ digit: UInt8, afterMark: Bool) {
      if count == 0, digit == 0 {
        if afterMark { exponent -= 1 }
        return
      }
      if count < 19 {
        leading = leading * 10 + UInt64(digit)
      } else if count < Self.maximumDigits {
        if digits.isEmpty { digits = Self.digits(of: leading) }
        digits.append(digit)
      } else {
        // Further digits do not matter, except that one is not zero.
        if digit != 0 { digits[Self.maximumDigits - 1] |= 1 }
        if !afterMark { exponent += 1 }
        return
      }
      count += 1
      if afterMark { exponent -= 1 }
    }

    private static func digits(of value: UInt64) -> [UInt8] {
      var rest = value
      var reversed: [UInt8] = []
      while rest > 0 {
        reversed.append(UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      }
      reversed.reverse()
      return reversed
    }

    /// Reads `e` and a whole number, capped at ±100,000,000: the result is zero or too large anyway.
    private static func power(_ bytes: ArraySlice<UInt8>) -> Int? {
      var at = bytes.startIndex
      guard bytes[at] == UInt8(ascii: "e") || bytes[at] == UInt8(ascii: "E") else { return nil }
      at += 1
      var negative = false
      if at < bytes.endIndex, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
        negative = bytes[at] == UInt8(ascii: "-")
        at += 1
      }
      guard at < bytes.endIndex else { return nil }
      var value = 0
      while at < bytes.endIndex {
        guard bytes[at] >= 48, bytes[at] <= 57 else { return nil }
        value = min(100_000_000, value * 10 + Int(bytes[at] - 48))
        at += 1
      }
      return negative ? -value : value
    }
  }
}

extension DecimalNumber.Scanned {
  /// The value, if at most 19 digits and a small exponent allow a fast path; nil otherwise.
  var quickValue: Double? {
    if leading == 0 { return 0 }
    guard count <= 19 else { return nil }
    // Both are exact, so there is one rounding: W. D. Clinger, "How to Read Floating Point Numbers
    // Accurately" (1990).
    if leading <= 1 << 53, exponent >= -22, exponent <= 22 {
      let power = Self.exactPowers[abs(exponent)]
      return exponent < 0 ? Double(leading) / power : Double(leading) * power
    }
    guard exponent >= -19, exponent < 0 else { return nil }
    return Self.quotient(leading, by: -exponent)
  }

  static let exactPowers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
    1e20, 1e21, 1e22,
  ]

  /// `dividend` / 10^`power`, rounded once: long division in binary, 57 bits and whether anything is left.
  private static func quotient(_ dividend: UInt64, by power: Int) -> Double {
    var divisor: UInt64 = 1
    for _ in 0..<power { divisor *= 10 }
    // Both with their highest bit set; the quotient then lies in (1/2, 2).
    let shift = divisor.leadingZeroBitCount - dividend.leadingZeroBitCount
    divisor <<= UInt64(divisor.leadingZeroBitCount)
    var rest = dividend << UInt64(dividend.leadingZeroBitCount)
    var bits: UInt64 = 0
    var carry = false
    for _ in 0..<57 {
      bits <<= 1
      if carry || rest >= divisor {
        rest &-= divisor
        bits |= 1
      }
      carry = rest >> 63 == 1
      rest <<= 1
    }
    if carry || rest != 0 { bits |= 1 }
    // At least 56 bits, the last one sticky: the conversion rounds once, the power of two not at all.
    return Double(bits) * Double(sign: .plus, exponent: shift - 56, significand: 1)
  }
}
