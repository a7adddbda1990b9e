import AlarmEngine

/// Why bytes are not JSON, and where.
struct JSONError: Error, Equatable {
  enum Kind: Equatable {
    case unexpected, endsEarly, tooDeep, numberTooLarge, badEscape
  }
  let kind: Kind
  /// From the first byte.
  let offset: Int
}

extension JSONValue {
  static let maximumDepth = 64

  /// Reads one value (RFC 8259), numbers to the nearest double.
  ///
  /// Foundation's parser is not used: on Linux its doubles are off by an ulp now and then, so that what is written
  /// would not be read back equal. Bytes that are not UTF-8 become replacement characters.
  static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes: bytes)
    let value = try parser.value(depth: 0)
    parser.skipBlanks()
    guard parser.at == bytes.count else { throw JSONError(kind: .unexpected, offset: parser.at) }
    return value
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  var at = 0

  mutating func skipBlanks() {
    while at < bytes.count, bytes[at] == 32 || bytes[at] == 10 || bytes[at] == 13 || bytes[at] == 9 {
      at += 1
    }
  }

  private func failure(_ kind: JSONError.Kind = .unexpected) -> JSONError {
    JSONError(kind: at >= bytes.count ? .endsEarly : kind, offset: at)
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard at < bytes.count, bytes[at] == byte else { throw failure() }
    at += 1
  }

  mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    skipBlanks()
    guard at < bytes.count else { throw failure() }
    guard depth <= JSONValue.maximumDepth else { throw failure(.tooDeep) }
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
    for index in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[index]) }
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
      guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { throw failure() }
      let key = try string()
      skipBlanks()
      try expect(UInt8(ascii: ":"))
      members.append((key, try value(depth: depth + 1)))
      skipBlanks()
      if at < bytes.count, bytes[at] == UInt8(ascii: "}") {
        at += 1
        return .object(members)
      }
      try expect(UInt8(ascii: ","))
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
      try expect(UInt8(ascii: ","))
    }
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = at
    var isWhole = true
    while at < bytes.count {
      switch bytes[at] {
      case 48...57, UInt8(ascii: "-"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"): isWhole = false
      default: return try number(start, isWhole)
      }
      at += 1
    }
    return try number(start, isWhole)
  }

  private func number(_ start: Int, _ isWhole: Bool) throws(JSONError) -> JSONValue {
    let written = bytes[start..<at]
    guard let first = written.first, let last = written.last, first != UInt8(ascii: "+"),
      first != UInt8(ascii: "."), last != UInt8(ascii: ".")
    else { throw JSONError(kind: start >= bytes.count ? .endsEarly : .unexpected, offset: start) }
    if isWhole, written.count <= 19, let whole = Int64(String(decoding: written, as: UTF8.self)),
      whole != 0 || first != UInt8(ascii: "-")
    {
      return .integer(whole)
    }
    guard let value = DecimalNumber.parse(written) else {
      throw JSONError(kind: .numberTooLarge, offset: start)
    }
    return .number(value)
  }

  private mutating func string() throws(JSONError) -> String {
    at += 1
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != UInt8(ascii: "\\") { at += 1 }
    guard at < bytes.count else { throw failure() }
    if bytes[at] == UInt8(ascii: "\"") {
      at += 1
      return String(decoding: bytes[start..<at - 1], as: UTF8.self)
    }
    var utf8 = Array(bytes[start..<at])
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: utf8, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(&utf8)
      default: utf8.append(byte)
      }
    }
    throw failure()
  }

  private mutating func escape(_ utf8: inout [UInt8]) throws(JSONError) {
    guard at < bytes.count else { throw failure() }
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
      throw failure(.badEscape)
    }
  }

  private mutating func hexUnit() throws(JSONError) -> UInt32 {
    guard at + 4 <= bytes.count else { throw JSONError(kind: .endsEarly, offset: bytes.count) }
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[at])).hexDigitValue else { throw failure(.badEscape) }
      unit = unit << 4 | UInt32(digit)
      at += 1
    }
    return unit
  }
}
