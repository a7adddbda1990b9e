/// Converts text files of various encodings to UTF-8.
///
/// UTF-16 is recognised by its byte order mark or by a zero byte among the first two. Everything else passes
/// through unchanged: ``string(_:)`` then reads words that are not UTF-8 as Windows-1252.
package struct TextEncoding {
  package init() {}

  private enum Kind {
    case undecided, bytes
    case utf16(bigEndian: Bool)
  }
  private var kind = Kind.undecided
  /// Bytes at the end of a chunk that need the next one: at most three.
  private var pending: [UInt8] = []

  /// Returns the next piece of text as UTF-8 (or unchanged, see above), without byte order mark.
  /// - Parameter isLast: whether no chunk follows; an incomplete character is then replaced by U+FFFD.
  package mutating func decode(_ chunk: [UInt8], isLast: Bool = false) -> [UInt8] {
    switch kind {
    case .bytes: return chunk
    case .utf16(let bigEndian): return decodeUTF16(chunk, bigEndian: bigEndian, isLast: isLast)
    case .undecided:
      let head = pending + chunk
      guard head.count >= 3 || isLast else {
        pending = head
        return []
      }
      pending = []
      return start(head, isLast: isLast)
    }
  }

  private mutating func start(_ head: [UInt8], isLast: Bool) -> [UInt8] {
    if head.starts(with: [0xef, 0xbb, 0xbf]) {
      kind = .bytes
      return Array(head[3...])
    }
    let marked = head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff])
    let paired = head.count >= 2 && (head[0] == 0) != (head[1] == 0)
    guard marked || paired else {
      kind = .bytes
      return head
    }
    let bigEndian = marked ? head[0] == 0xfe : head[0] == 0
    kind = .utf16(bigEndian: bigEndian)
    return decodeUTF16(marked ? Array(head[2...]) : head, bigEndian: bigEndian, isLast: isLast)
  }

  private mutating func decodeUTF16(_ chunk: [UInt8], bigEndian: Bool, isLast: Bool) -> [UInt8] {
    let bytes = pending.isEmpty ? chunk : pending + chunk
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2 + 1)
    var i = 0
    while i + 1 < bytes.count {
      let high = UInt16(bytes[bigEndian ? i : i + 1])
      units.append(high << 8 | UInt16(bytes[bigEndian ? i + 1 : i]))
      i += 2
    }
    // Half a surrogate pair waits for its other half.
    if !isLast, let last = units.last, last & 0xfc00 == 0xd800 {
      units.removeLast()
      i -= 2
    }
    pending = Array(bytes[i...])
    if isLast, !pending.isEmpty { units.append(0xfffd) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// Decodes UTF-8 or, if it is invalid, Windows-1252.
  package static func string(_ bytes: ArraySlice<UInt8>) -> String {
    // Most words are ASCII, and validating is slow.
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    return decoded(bytes)
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? windows1252(bytes)
  }

  private static func windows1252(_ bytes: ArraySlice<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      let code = (0x80...0x9f).contains(byte) ? specials[Int(byte) - 0x80] : UInt16(byte)
      scalars.append(Unicode.Scalar(code) ?? "\u{fffd}")
    }
    return String(scalars)
  }

  /// 0x80 to 0x9f of Windows-1252, after the WHATWG Encoding Standard.
  private static let specials: [UInt16] = [
    0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d,
    0x17d,
    0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153,
    0x9d,
    0x17e, 0x178,
  ]
}
