/// CBOR as authenticators write it (CTAP2's canonical form, of RFC 8949): of definite length, without tags.
indirect enum CBORItem: Equatable, Sendable {
  case integer(Int64)
  case bytes([UInt8])
  case text(String)
  case list([CBORItem])
  case map([(key: CBORItem, value: CBORItem)])
  case simple(UInt8)

  static let deepest = 8
  /// The most entries of a map.
  static let most = 256

  static func == (a: CBORItem, b: CBORItem) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.text(let a), .text(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.map(let a), .map(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    case (.simple(let a), .simple(let b)): a == b
    default: false
    }
  }

  /// The value of a key in a map; nil for anything but a map.
  subscript(_ key: CBORItem) -> CBORItem? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }
  subscript(_ key: String) -> CBORItem? { self[.text(key)] }
  subscript(_ key: Int64) -> CBORItem? { self[.integer(key)] }

  var asBytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  var asText: String? { if case .text(let text) = self { text } else { nil } }
  var isMap: Bool { if case .map = self { true } else { false } }

  /// Reads one item.
  /// - Returns: the item and its length in bytes.
  static func read(_ bytes: ArraySlice<UInt8>) throws(SignInRefusal) -> (item: CBORItem, length: Int) {
    var reader = CBORReader(bytes: bytes)
    let item = try reader.item(depth: 0)
    return (item, reader.bytes.startIndex - bytes.startIndex)
  }
}

private struct CBORReader {
  /// The bytes not yet read.
  var bytes: ArraySlice<UInt8>

  mutating func item(depth: Int) throws(SignInRefusal) -> CBORItem {
    guard depth < CBORItem.deepest else {
      throw SignInRefusal("CBOR of more than \(CBORItem.deepest) levels", allowed: "\(CBORItem.deepest)")
    }
    let first = try next()
    let argument = try argument(first & 31)
    switch first >> 5 {
    case 0: return .integer(try small(argument))
    case 1: return .integer(-1 - (try small(argument)))
    case 2: return .bytes(Array(try run(argument)))
    case 3:
      guard let text = String(validating: try run(argument), as: UTF8.self) else {
        throw SignInRefusal("CBOR with a text that is not UTF-8", allowed: "UTF-8")
      }
      return .text(text)
    case 4:
      let count = try count(argument, bytesEach: 1)
      var items: [CBORItem] = []
      for _ in 0..<count { items.append(try item(depth: depth + 1)) }
      return .list(items)
    case 5:
      let count = try count(argument, bytesEach: 2)
      guard count <= CBORItem.most else {
        throw SignInRefusal("CBOR with a map of \(count) entries", allowed: "\(CBORItem.most)")
      }
      var entries: [(key: CBORItem, value: CBORItem)] = []
      for _ in 0..<count {
        let key = try item(depth: depth + 1)
        // With duplicate keys, readers that take the first and readers that take the last would disagree.
        guard !entries.contains(where: { $0.key == key }) else {
          throw SignInRefusal("CBOR with a key twice", allowed: "once")
        }
        entries.append((key, try item(depth: depth + 1)))
      }
      return .map(entries)
    case 7 where first & 31 < 24: return .simple(first & 31)
    default:
      throw SignInRefusal("CBOR with the byte \(first)", allowed: "numbers, bytes, texts, lists and maps")
    }
  }

  private mutating func next() throws(SignInRefusal) -> UInt8 {
    guard let byte = bytes.popFirst() else { throw Self.truncated }
    return byte
  }

  private static let truncated = SignInRefusal("CBOR that ends early", allowed: "whole items")

  private mutating func argument(_ short: UInt8) throws(SignInRefusal) -> UInt64 {
    guard short >= 24 else { return UInt64(short) }
    guard short <= 27 else {
      throw SignInRefusal("CBOR of unstated length", allowed: "stated lengths")
    }
    var value: UInt64 = 0
    for _ in 0..<(1 << (short - 24)) { value = value << 8 | UInt64(try next()) }
    return value
  }

  private func small(_ value: UInt64) throws(SignInRefusal) -> Int64 {
    guard let small = Int64(exactly: value), small < .max else {
      throw SignInRefusal("CBOR with the number \(value)", allowed: "less than 2^63 - 1")
    }
    return small
  }

  /// Checks a count against the remaining bytes, of which each item has at least `size`, so that a false
  /// count takes no memory.
  private func count(_ value: UInt64, bytesEach size: UInt64) throws(SignInRefusal) -> Int {
    guard value <= UInt64(bytes.count) / size else { throw Self.truncated }
    return Int(value)
  }

  private mutating func run(_ length: UInt64) throws(SignInRefusal) -> ArraySlice<UInt8> {
    let count = try count(length, bytesEach: 1)
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count)
  }
}
