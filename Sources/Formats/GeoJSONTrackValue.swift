/// JSON as the track readers need it: rows of numbers stay compact, objects know their line.
///
/// Strict as RFC 8259, save that a byte order mark is gone already. Depth is bounded, time linear.
indirect enum GeoJSONTrackValue {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  /// An array of one or more numbers and nothing else.
  case numbers([Double])
  case array([GeoJSONTrackValue])
  /// Of equal keys the last counts.
  case object([String: GeoJSONTrackValue], line: Int)

  /// Where and why text is not JSON.
  struct Failure: Error, Equatable {
    let line: Int
    let message: String
  }

  /// - Throws: `Failure` when `bytes` is not one JSON value with nothing but blanks around it.
  static func parse(_ bytes: ArraySlice<UInt8>, line: Int = 1) throws(Failure) -> Self {
    var parser = Parser(bytes: bytes, position: bytes.startIndex, line: line)
    let value = try parser.value(depth: 0)
    parser.skipBlanks()
    guard parser.position == bytes.endIndex else { throw parser.failure("the end expected") }
    return value
  }

  subscript(key: String) -> Self? {
    if case .object(let fields, _) = self { fields[key] } else { nil }
  }
  var line: Int? {
    if case .object(_, let line) = self { line } else { nil }
  }
  var string: String? {
    if case .string(let string) = self { string } else { nil }
  }
  var count: Int {
    switch self {
    case .array(let values): values.count
    case .numbers(let numbers): numbers.count
    default: 0
    }
  }
  /// The element of an array; nil beyond its end and in other values.
  func element(_ i: Int) -> Self? {
    switch self {
    case .array(let values): values.indices.contains(i) ? values[i] : nil
    case .numbers(let numbers): numbers.indices.contains(i) ? .number(numbers[i]) : nil
    default: nil
    }
  }
  /// Numbers also where they stand in quotes.
  var field: NumberField {
    switch self {
    case .null: .missing
    case .bool(let value): .words(String(value))
    case .number(let number): .number(number)
    case .string(let text): NumberField(text)
    case .numbers, .array: .words("[...]")
    case .object: .words("{...}")
    }
  }
}

private struct Parser {
  typealias Failure = GeoJSONTrackValue.Failure
  private static let deepest = 64

  let bytes: ArraySlice<UInt8>
  var position: Int
  var line: Int

  func failure(_ message: String) -> Failure { Failure(line: line, message: message) }

  private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) {
      if byte == 0x0a { line += 1 }
      position += 1
    }
  }

  mutating func value(depth: Int) throws(Failure) -> GeoJSONTrackValue {
    guard depth < Self.deepest else { throw failure("more than \(Self.deepest) levels found") }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some(let byte) where byte.isDigit || byte == UInt8(ascii: "-"): return .number(try number())
    case .some: throw failure("a value expected")
    case nil: throw failure("the text ends early")
    }
  }

  private mutating func word(_ word: String, _ value: GeoJSONTrackValue) throws(Failure) -> GeoJSONTrackValue
  {
    guard bytes[position...].starts(with: word.utf8) else { throw failure("a value expected") }
    position += word.utf8.count
    return value
  }

  private mutating func number() throws(Failure) -> Double {
    let start = position
    while let byte = next,
      byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
        || byte | 0x20 == UInt8(ascii: "e")
    { position += 1 }
    guard let number = NumberField.decimal(bytes[start..<position]) else {
      throw failure("a number expected")
    }
    return number
  }

  private mutating func string() throws(Failure) -> String {
    position += 1
    let start = position
    var unescaped: [UInt8]?
    while let byte = next {
      if byte == UInt8(ascii: "\"") {
        let raw = bytes[start..<position]
        position += 1
        return TextEncoding.string(unescaped.map { $0[...] } ?? raw)
      }
      guard byte >= 0x20 else { throw failure("a line end inside a string") }
      position += 1
      guard byte == UInt8(ascii: "\\") else {
        unescaped?.append(byte)
        continue
      }
      if unescaped == nil { unescaped = Array(bytes[start..<(position - 1)]) }
      unescaped?.append(contentsOf: try escape())
    }
    throw failure("a string without end")
  }

  private mutating func escape() throws(Failure) -> [UInt8] {
    guard let byte = next else { throw failure("a string without end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var units = [try codeUnit()]
      if units[0] & 0xfc00 == 0xd800, bytes[position...].starts(with: "\\u".utf8) {
        position += 2
        units.append(try codeUnit())
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    default: throw failure("an escape expected after \\")
    }
  }

  private mutating func codeUnit() throws(Failure) -> UInt16 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.isDigit || (0x61...0x66).contains($0 | 0x20) }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits expected after \\u") }
    position += 4
    return unit
  }

  private mutating func object(depth: Int) throws(Failure) -> GeoJSONTrackValue {
    let startLine = line
    position += 1
    var fields: [String: GeoJSONTrackValue] = [:]
    skipBlanks()
    if next == UInt8(ascii: "}") {
      position += 1
      return .object(fields, line: startLine)
    }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw failure("a key in quotes expected") }
      let key = try string()
      skipBlanks()
      guard next == UInt8(ascii: ":") else { throw failure("a colon expected") }
      position += 1
      fields[key] = try value(depth: depth + 1)
      skipBlanks()
      let separator = next
      position += 1
      if separator == UInt8(ascii: "}") { return .object(fields, line: startLine) }
      guard separator == UInt8(ascii: ",") else {
        position = min(position, bytes.endIndex)
        throw failure("a comma or } expected")
      }
    }
  }

  private mutating func array(depth: Int) throws(Failure) -> GeoJSONTrackValue {
    position += 1
    var numbers: [Double] = []
    var values: [GeoJSONTrackValue] = []
    skipBlanks()
    if next == UInt8(ascii: "]") {
      position += 1
      return .array([])
    }
    while true {
      let element = try value(depth: depth + 1)
      if case .number(let number) = element, values.isEmpty {
        numbers.append(number)
      } else {
        if values.isEmpty { values = numbers.map { .number($0) } }
        values.append(element)
      }
      skipBlanks()
      let separator = next
      position += 1
      if separator == UInt8(ascii: "]") { return values.isEmpty ? .numbers(numbers) : .array(values) }
      guard separator == UInt8(ascii: ",") else {
        position = min(position, bytes.endIndex)
        throw failure("a comma or ] expected")
      }
    }
  }
}
