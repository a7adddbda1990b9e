import Foundation

/// One line of an account's export: a JSON object, its members in the order they were added.
struct ExportLine {
  private(set) var text: String

  init(table: String) { text = "{\"table\":\(Self.quoted(table))" }

  mutating func add(_ name: String, _ value: String?) { member(name, value.map { Self.quoted($0) }) }
  mutating func add(_ name: String, _ value: Int64?) { member(name, value.map { "\($0)" }) }
  /// What is not finite becomes null.
  mutating func add(_ name: String, _ value: Double?) {
    member(name, value.flatMap { $0.isFinite ? "\($0)" : nil })
  }
  mutating func add(_ name: String, bytes: Data?) { add(name, bytes?.base64EncodedString()) }

  var finished: String { text + "}" }

  private mutating func member(_ name: String, _ json: String?) {
    text += ",\(Self.quoted(name)):\(json ?? "null")"
  }

  private static func quoted(_ string: String) -> String {
    var quoted = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..."\u{1f}":
        let hex = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
