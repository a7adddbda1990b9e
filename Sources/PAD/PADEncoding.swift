import AlarmEngine

/// True if the bytes are well-formed UTF-8 (The Unicode Standard, table 3-7).
func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
  var at = bytes.startIndex
  while at < bytes.endIndex {
    let first = bytes[at]
    at += 1
    if first < 0x80 { continue }
    let following: Int
    var allowed: ClosedRange<UInt8> = 0x80...0xbf
    switch first {
    case 0xc2...0xdf: following = 1
    case 0xe0: (following, allowed) = (2, 0xa0...0xbf)
    case 0xed: (following, allowed) = (2, 0x80...0x9f)
    case 0xe1...0xef: following = 2
    case 0xf0: (following, allowed) = (3, 0x90...0xbf)
    case 0xf1...0xf3: following = 3
    case 0xf4: (following, allowed) = (3, 0x80...0x8f)
    default: return false
    }
    for _ in 0..<following {
      guard at < bytes.endIndex, allowed.contains(bytes[at]) else { return false }
      allowed = 0x80...0xbf
      at += 1
    }
  }
  return true
}

/// Converts Windows-1252 to UTF-8. Its five undefined bytes become the controls of the same number, as in the
/// WHATWG Encoding Standard.
func windows1252(_ bytes: [UInt8]) -> [UInt8] {
  var utf8: [UInt8] = []
  utf8.reserveCapacity(bytes.count + bytes.count / 4)
  for byte in bytes {
    let isPunctuation = byte >= 0x80 && byte < 0xa0
    appendUTF8(isPunctuation ? windows1252Punctuation[Int(byte) - 0x80] : UInt32(byte), to: &utf8)
  }
  return utf8
}

private let windows1252Punctuation: [UInt32] = [
  0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,
  0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
  0x0153, 0x9d, 0x017e, 0x0178,
]

/// - Precondition: `scalar` is a Unicode scalar value.
func appendUTF8(_ scalar: UInt32, to bytes: inout [UInt8]) {
  func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3f) }
  if scalar < 0x80 {
    bytes.append(UInt8(truncatingIfNeeded: scalar))
  } else if scalar < 0x800 {
    bytes.append(0xc0 | UInt8(truncatingIfNeeded: scalar >> 6))
    bytes.append(tail(0))
  } else if scalar < 0x1_0000 {
    bytes.append(0xe0 | UInt8(truncatingIfNeeded: scalar >> 12))
    bytes.append(tail(6))
    bytes.append(tail(0))
  } else {
    bytes.append(0xf0 | UInt8(truncatingIfNeeded: scalar >> 18))
    bytes.append(tail(12))
    bytes.append(tail(6))
    bytes.append(tail(0))
  }
}
