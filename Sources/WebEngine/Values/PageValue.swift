import AlarmEngine

/// A message between a page and the engine: plain data, encoded as CBOR.
///
/// The subset: whole numbers within 53 bits, doubles, text, bytes, lists and maps with text for keys, all of definite
/// length, nested at most `deepest` levels. Source: C. Bormann, P. Hoffman, RFC 8949 (2020).
public enum PageValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(Text)
  case bytes([UInt8])
  case list([PageValue])
  /// Entries in the order written; the first of equal keys counts.
  case map([Entry])

  public struct Entry: Equatable, Sendable {
    public let key: Text
    public let value: PageValue
    public init(_ key: Text, _ value: PageValue) {
      self.key = key
      self.value = value
    }
  }

  public static let deepest = 32
}

extension [PageValue.Entry] {
  /// Not inlined: called some hundred times, nowhere often.
  @inline(never)
  mutating func add(_ key: Text, _ value: PageValue) { append(.init(key, value)) }
}

extension PageValue {
  public subscript(key: Text) -> PageValue? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// The entry's value, with null the same as absent.
  func present(_ key: Text) -> PageValue? {
    let value = self[key]
    return value == .null ? nil : value
  }

  var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }
  /// A finite number, whole or not.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value.isFinite ? value : nil
    case .null, .bool, .text, .bytes, .list, .map: nil
    }
  }
  var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): value.isFinite && value == value.rounded(.down) ? Int64(exactly: value) : nil
    case .null, .bool, .text, .bytes, .list, .map: nil
    }
  }
  var text: Text? {
    guard case .text(let value) = self else { return nil }
    return value
  }
  var bytes: [UInt8]? {
    guard case .bytes(let value) = self else { return nil }
    return value
  }
  var list: [PageValue]? {
    guard case .list(let values) = self else { return nil }
    return values
  }
}

/// Why bytes are no `PageValue`.
public enum PageValueError: Error, Equatable, Sendable {
  case truncated(at: Int)
  /// A form of CBOR outside the subset, by its first byte.
  case unsupported(UInt8, at: Int)
  case tooDeep(at: Int)
  /// A whole number of more than 53 bits, or a key that is no text.
  case outOfRange(at: Int)
  case leftOver(at: Int)
}
