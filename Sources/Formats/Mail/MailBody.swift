/// The content of a message or of a part.
enum MailBody {
  /// Returns the parts between the lines `--boundary`, up to `--boundary--` or the end (RFC 2046, section
  /// 5.1.1).
  static func parts(of body: ArraySlice<UInt8>, boundary: String) -> [ArraySlice<UInt8>] {
    let mark = Array("--\(boundary)".utf8)
    var parts: [ArraySlice<UInt8>] = []
    var start: Int?
    var at = body.startIndex
    while at < body.endIndex {
      let end = body[at...].firstIndex(of: 10) ?? body.endIndex
      let next = end < body.endIndex ? end + 1 : end
      let line = body[at..<end]
      if line.starts(with: mark) {
        var rest = line.dropFirst(mark.count)
        let isLast = rest.starts(with: [45, 45])
        if isLast { rest = rest.dropFirst(2) }
        if rest.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) {
          if let start { parts.append(trimmed(body[start..<at])) }
          start = isLast ? nil : next
          if isLast { return parts }
        }
      }
      at = next
    }
    // The message is truncated; its last part may still be complete.
    if let start, start < body.endIndex { parts.append(body[start...]) }
    return parts
  }

  /// Removes the line break before a boundary, which belongs to the boundary.
  private static func trimmed(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var part = part
    if part.last == 10 { part = part.dropLast() }
    if part.last == 13 { part = part.dropLast() }
    return part
  }

  /// - Parameter coding: the `Content-Transfer-Encoding`; with an unknown one the body is returned unchanged.
  static func decode(_ body: ArraySlice<UInt8>, coding: String) -> [UInt8] {
    switch coding {
    case "base64": base64(body)
    case "quoted-printable": quotedPrintable(body)
    default: Array(body)
    }
  }

  /// Decodes base64. Other characters are skipped; padding ends a group, after which another text may follow.
  private static func base64(_ body: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in body {
      let value: UInt8
      switch byte {
      case 65...90: value = byte - 65
      case 97...122: value = byte - 71
      case 48...57: value = byte + 4
      case 43, 45: value = 62
      case 47, 95: value = 63
      case 61:
        bits = 0
        count = 0
        continue
      default: continue
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  /// Decodes quoted-printable (RFC 2045, section 6.7); an equals sign that begins no code is kept.
  private static func quotedPrintable(_ body: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.count)
    var at = body.startIndex
    /// The number of blanks at the end of the line, which were added in transit.
    var blanks = 0
    while at < body.endIndex {
      let byte = body[at]
      at += 1
      if byte == 61 {
        var end = at
        while end < body.endIndex, body[end] == 32 || body[end] == 9 || body[end] == 13 { end += 1 }
        if end == body.endIndex || body[end] == 10 {
          at = min(end + 1, body.endIndex)
        } else if at + 1 < body.endIndex, let high = nibble(body[at]), let low = nibble(body[at + 1]) {
          bytes.append(high << 4 | low)
          at += 2
        } else {
          bytes.append(byte)
        }
        blanks = 0
      } else if byte == 10 {
        if bytes.last == 13 {
          bytes.removeLast()
          bytes.removeLast(blanks)
          bytes += [13, 10]
        } else {
          bytes.removeLast(blanks)
          bytes.append(10)
        }
        blanks = 0
      } else {
        blanks = byte == 32 || byte == 9 ? blanks + 1 : byte == 13 ? blanks : 0
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// Returns the value of a hexadecimal digit; nil for any other byte.
  static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
