import AlarmEngine
import Formats
import Foundation

/// One line of an account's export: a JSON object, its members in the order they were added.
struct ExportLine {
  private var members: [(String, JSONValue)]

  init(table: String) { members = [("table", .string(table))] }

  mutating func add(_ name: String, _ value: String?) {
    members.append((name, value.map { .string($0) } ?? .null))
  }
  mutating func add(_ name: String, _ value: Int64?) {
    members.append((name, value.map { .integer($0) } ?? .null))
  }
  /// What is not finite becomes null.
  mutating func add(_ name: String, _ value: Double?) {
    members.append((name, value.flatMap { $0.isFinite ? .number($0) : nil } ?? .null))
  }
  mutating func add(_ name: String, bytes: Data?) { add(name, bytes?.base64EncodedString()) }

  var finished: String { JSONValue.object(members).text }
}
