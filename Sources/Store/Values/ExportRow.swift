import AlarmEngine
import Foundation

/// One row of an account's export: the table's name, and the columns in the order in which they were added.
public struct ExportRow: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    /// Finite.
    case real(Double)
    case text(String)
  }

  public let table: String
  public private(set) var columns: [Column] = []

  public struct Column: Hashable, Sendable {
    public let name: String
    public let value: Value
  }

  init(table: String) { self.table = table }

  mutating func add(_ name: String, _ value: Value) { columns.append(Column(name: name, value: value)) }
  mutating func add(_ name: String, _ text: String?) { add(name, text.map { .text($0) } ?? .null) }
  mutating func add(_ name: String, _ number: Int64) { add(name, .integer(number)) }
  /// A number that is not finite becomes null.
  mutating func add(_ name: String, _ number: Double) { add(name, number.isFinite ? .real(number) : .null) }
  /// Bytes are written in base64.
  mutating func add(_ name: String, bytes: Data) { add(name, bytes.base64EncodedString()) }
}
