import AlarmEngine

/// A JSON value; members keep their order, numbers are the shortest that read back equal.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Must be finite.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])

  /// Nil for anything but a number.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }
  /// Nil for anything but a string.
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  /// Nil for anything but an array.
  package var list: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  package var isObject: Bool { if case .object = self { true } else { false } }
  /// Nil for anything but an object.
  package var members: [(String, JSONValue)]? { if case .object(let members) = self { members } else { nil } }
  /// The member of an object with this name; the last one if there are several.
  package subscript(_ key: String) -> JSONValue? {
    let length = key.utf8.count
    // Names of another length are passed over, since comparing them is slow.
    return members?.last { $0.0.utf8.count == length && $0.0 == key }?.1
  }

  /// The kind of value for messages: "an array".
  package var kind: String {
    switch self {
    case .null: "nothing"
    case .bool: "true or false"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The beginning of the value as text, for messages.
  package var excerpt: String {
    switch self {
    case .string(let text): String(text.prefix(60))
    case .array(let values) where values.count > 8: "an array of \(values.count)"
    case .object: kind
    case .null, .bool, .integer, .number, .array: String(text.prefix(60))
    }
  }

  /// As JSON.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The same, in UTF-8.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  package func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): bytes.append(contentsOf: "\(value)".utf8)
    case .number(let value): bytes.append(contentsOf: "\(value)".utf8)
    case .string(let value): JSONString.write(value.utf8, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONString.write(member.0.utf8, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.1.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}
