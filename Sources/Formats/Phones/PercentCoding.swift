/// Percent encoding of addresses and forms (RFC 3986; WHATWG URL, application/x-www-form-urlencoded).
enum PercentCoding {
  /// `%41` is a letter; a `%` before anything but two digits is itself. Bytes that are not UTF-8 are read as Windows-1252.
  static func decode(_ bytes: ArraySlice<UInt8>, plusIsBlank: Bool = false) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at < bytes.endIndex {
      let byte = bytes[at]
      if byte == UInt8(ascii: "%"), at + 2 < bytes.endIndex, let high = digit(bytes[at + 1]),
        let low = digit(bytes[at + 2])
      {
        decoded.append(high << 4 | low)
        at += 3
        continue
      }
      decoded.append(plusIsBlank && byte == UInt8(ascii: "+") ? 0x20 : byte)
      at += 1
    }
    return TextEncoding.string(decoded[...])
  }

  /// Encodes all bytes but letters, digits and `-._~` as `%` and two digits.
  static func encode(_ text: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.append(byte)
      default: encoded += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
