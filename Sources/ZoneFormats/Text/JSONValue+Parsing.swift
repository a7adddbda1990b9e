import AlarmEngine
import PAD

/// The reason why bytes are not JSON, and the place.
package struct JSONError: Error, Equatable {
  /// "a comma or ] expected".
  package let message: String
  /// The offset from the first byte.
  package let offset: Int
  /// The line, counted from that of the first byte.
  package let line: Int
}

extension JSONValue {
  package static let maximumDepth = 64

  /// Reads one value (RFC 8259), numbers to the nearest double; control characters inside strings are
  /// accepted.
  ///
  /// Foundation's parser is not used: on Linux its doubles are sometimes off by an ulp, so that written
  /// values would not be read back equal. Strings that are not UTF-8 are read as Windows-1252.
  /// - Parameter line: the line of the first byte, for errors.
  package static func parse(_ bytes: [UInt8], line: Int = 1) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes: bytes, line: line)
    let value = try parser.value(depth: 0)
    parser.skipBlanks()
    guard parser.at == bytes.count else { throw parser.failure("the end expected") }
    return value
  }
}

private struct JSONParser {
  package let bytes: [UInt8]
  package let line: Int
  package var at = 0

  package mutating func skipBlanks() {
    while at < bytes.count, bytes[at] == 32 || bytes[at] == 10 || bytes[at] == 13 || bytes[at] == 9 {
      at += 1
    }
  }

  package func failure(_ expected: String) -> JSONError {
    let at = min(at, bytes.count)
    return JSONError(
      message: at == bytes.count ? "the text ends early" : expected, offset: at,
      line: line + bytes[..<at].count { $0 == 10 })
  }

  private mutating func expect(_ byte: UInt8, _ expected: String) throws(JSONError) {
    guard at < bytes.count, bytes[at] == byte else { throw failure(expected) }
    at += 1
  }

  package mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    skipBlanks()
    guard at < bytes.count else { throw failure("a value expected") }
    guard depth <= JSONValue.maximumDepth else {
      throw failure("more than \(JSONValue.maximumDepth) levels found")
    }
    switch bytes[at] {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for index in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[index], "a value expected") }
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    at += 1
    var members: [(String, JSONValue)] = []
    skipBlanks()
    if at < bytes.count, bytes[at] == UInt8(ascii: "}") {
      at += 1
      return .object([])
    }
    while true {
      skipBlanks()
      guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else {
        throw failure("a key in quotes expected")
      }
      let key = try string()
      skipBlanks()
      try expect(UInt8(ascii: ":"), "a colon expected")
      members.append((key, try value(depth: depth + 1)))
      skipBlanks()
      if at < bytes.count, bytes[at] == UInt8(ascii: "}") {
        at += 1
        return .object(members)
      }
      try expect(UInt8(ascii: ","), "a comma or } expected")
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    at += 1
    var values: [JSONValue] = []
    skipBlanks()
    if at < bytes.count, bytes[at] == UInt8(ascii: "]") {
      at += 1
      return .array([])
    }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlanks()
      if at < bytes.count, bytes[at] == UInt8(ascii: "]") {
        at += 1
        return .array(values)
      }
      try expect(UInt8(ascii: ","), "a comma or ] expected")
    }
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = at
    var isWhole = true
    scan: while at < bytes.count {
      switch bytes[at] {
      case 48...57, UInt8(ascii: "-"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"): isWhole = false
      default: break scan
      }
      at += 1
    }
    let end = at
    at = start
    guard let first = bytes[start..<end].first else { throw failure("a value expected") }
    guard first != UInt8(ascii: "+"), first != UInt8(ascii: "."), bytes[end - 1] != UInt8(ascii: "."),
      let value = Self.number(bytes[start..<end], isWhole)
    else { throw failure("a number within ±1.8e308 expected") }
    at = end
    return value
  }

  private static func number(_ written: ArraySlice<UInt8>, _ isWhole: Bool) -> JSONValue? {
    // The most common case by far.
    if isWhole, written.count <= 18, let first = written.first, first != UInt8(ascii: "-") {
      var whole: Int64 = 0
      for byte in written {
        guard byte.isDigit else { return nil }
        whole = whole * 10 + Int64(byte & 15)
      }
      return .integer(whole)
    }
    // "-0" is no integer: its sign would be lost.
    if isWhole, written.count <= 19, let whole = Int64(String(decoding: written, as: UTF8.self)),
      whole != 0 || written.first != UInt8(ascii: "-")
    {
      return .integer(whole)
    }
    return DecimalNumber.parse(written).map { .number($0) }
  }

  private mutating func string() throws(JSONError) -> String {
    at += 1
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\") { at += 1 }
    guard at < bytes.count else { throw failure("a string without end") }
    if bytes[at] == UInt8(ascii: "\"") {
      at += 1
      return TextEncoding.string(bytes[start..<at - 1])
    }
    var utf8 = Array(bytes[start..<at])
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return TextEncoding.string(utf8[...])
      case UInt8(ascii: "\\"): try escape(&utf8)
      default: utf8.append(byte)
      }
    }
    throw failure("a string without end")
  }

  private mutating func escape(_ utf8: inout [UInt8]) throws(JSONError) {
    guard at < bytes.count else { throw failure("a string without end") }
    let byte = bytes[at]
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): utf8.append(byte)
    case UInt8(ascii: "b"): utf8.append(8)
    case UInt8(ascii: "f"): utf8.append(12)
    case UInt8(ascii: "n"): utf8.append(10)
    case UInt8(ascii: "r"): utf8.append(13)
    case UInt8(ascii: "t"): utf8.append(9)
    case UInt8(ascii: "u"):
      var unit = try hexUnit()
      if unit & 0xfc00 == 0xd800, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
        bytes[at + 1] == UInt8(ascii: "u")
      {
        at += 2
        let low = try hexUnit()
        unit = low & 0xfc00 == 0xdc00 ? 0x1_0000 + (unit - 0xd800) << 10 + (low - 0xdc00) : 0xfffd
      }
      utf8.append(contentsOf: String(Unicode.Scalar(unit) ?? "\u{fffd}").utf8)
    default:
      at -= 1
      throw failure("an escape expected after \\")
    }
  }

  private mutating func hexUnit() throws(JSONError) -> UInt32 {
    guard at + 4 <= bytes.count else { throw failure("four hexadecimal digits expected after \\u") }
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[at])).hexDigitValue else {
        throw failure("four hexadecimal digits expected after \\u")
      }
      unit = unit << 4 | UInt32(digit)
      at += 1
    }
    return unit
  }
}
