/// The only writer of JSON strings.
public enum JSONString {
  /// Appends a JSON string (RFC 8259, section 7) with its quotation marks.
  ///
  /// Control characters are escaped, and so are U+2028 and U+2029, which JavaScript and some line readers
  /// take for the end of a line: a value is always one line.
  ///
  /// - Parameter text: UTF-8. Invalid bytes are copied; the reader shows a replacement for them.
  @inlinable
  public static func write(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var place = text.startIndex
    while place != text.endIndex {
      let byte = text[place]
      text.formIndex(after: &place)
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0a: escape(UInt8(ascii: "n"), to: &bytes)
      case 0x0d: escape(UInt8(ascii: "r"), to: &bytes)
      case 0x09: escape(UInt8(ascii: "t"), to: &bytes)
      case 0..<0x20, 0x7f: escape(unit: UInt16(byte), to: &bytes)
      case 0xc2:
        // U+0080 to U+009F.
        if place != text.endIndex, (0x80...0x9f).contains(text[place]) {
          escape(unit: UInt16(text[place]), to: &bytes)
          text.formIndex(after: &place)
        } else {
          bytes.append(byte)
        }
      case 0xe2:
        let rest = text[place...].prefix(2)
        if let last = rest.dropFirst().first, rest.first == 0x80, last == 0xa8 || last == 0xa9 {
          escape(unit: 0x2000 | UInt16(last - 0x80), to: &bytes)
          text.formIndex(&place, offsetBy: 2)
        } else {
          bytes.append(byte)
        }
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  @inlinable
  static func escape(_ letter: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(letter)
  }

  @inlinable
  static func escape(unit: UInt16, to bytes: inout [UInt8]) {
    escape(UInt8(ascii: "u"), to: &bytes)
    var shift: UInt16 = 16
    while shift > 0 {
      shift -= 4
      let digit = UInt8((unit >> shift) & 15)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
