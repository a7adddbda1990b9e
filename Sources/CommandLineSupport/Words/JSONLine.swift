import AlarmEngine

/// A JSON object on one line, with its members in the order in which they were added.
package struct JSONLine {
  private var text = "{"

  package init() {}

  package mutating func add(_ key: String, _ value: Value) {
    if text.utf8.count > 1 { text += "," }
    text += Self.quoted(key)
    text += ":"
    text += value.text
  }

  /// The finished line, without a line end.
  package var string: String { text + "}" }

  package struct Value {
    fileprivate let text: String
    package static let null = Self(text: "null")
    package static func bool(_ value: Bool) -> Self { Self(text: value ? "true" : "false") }
    package static func integer(_ value: Int) -> Self { Self(text: String(value)) }
    package static func string(_ value: String) -> Self { Self(text: JSONLine.quoted(value)) }
    package static func strings(_ values: [String]) -> Self {
      Self(text: "[" + values.map { JSONLine.quoted($0) }.joined(separator: ",") + "]")
    }
    /// A number to the millimetre. JSON has no infinity and no NaN; these become null.
    package static func metres(_ value: Double) -> Self {
      value.isFinite ? Self(text: fixedPoint(value, decimals: 3)) : .null
    }
    /// The shortest decimal that reads back as the same number.
    package static func number(_ value: Double) -> Self { value.isFinite ? Self(text: "\(value)") : .null }
    package static func seconds(_ value: Double) -> Self {
      value.isFinite ? Self(text: fixedPoint(value, decimals: 3)) : .null
    }
  }

  /// A JSON string with its quotation marks.
  package static func quoted(_ value: String) -> String {
    var bytes: [UInt8] = []
    JSONString.write(value.utf8, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
