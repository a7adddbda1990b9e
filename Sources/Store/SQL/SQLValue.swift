import Foundation

/// The value of a column or a parameter.
enum SQLValue: Hashable, Sendable {
  /// A null with its type: PostgreSQL requires the type of each parameter.
  case null(SQLType)
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes(Data)
  case boolean(Bool)
}

enum SQLType: Hashable, Sendable { case integer, real, text, bytes, boolean }

/// A type that can be bound to a parameter.
protocol SQLBindable: Sendable {
  static var sqlType: SQLType { get }
  var sqlValue: SQLValue { get }
}

extension Int64: SQLBindable {
  static var sqlType: SQLType { .integer }
  var sqlValue: SQLValue { .integer(self) }
}
extension Int: SQLBindable {
  static var sqlType: SQLType { .integer }
  var sqlValue: SQLValue { .integer(Int64(self)) }
}
extension UInt8: SQLBindable {
  static var sqlType: SQLType { .integer }
  var sqlValue: SQLValue { .integer(Int64(self)) }
}
extension Double: SQLBindable {
  static var sqlType: SQLType { .real }
  var sqlValue: SQLValue { .real(self) }
}
extension String: SQLBindable {
  static var sqlType: SQLType { .text }
  var sqlValue: SQLValue { .text(withoutZeroBytes) }

  /// The text with zero bytes replaced by U+FFFD. PostgreSQL cannot store a zero byte in a text, and SQLite's
  /// functions stop at it.
  var withoutZeroBytes: String {
    utf8.contains(0) ? String(unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : Character($0) }) : self
  }
}
extension Data: SQLBindable {
  static var sqlType: SQLType { .bytes }
  var sqlValue: SQLValue { .bytes(self) }
}
extension Bool: SQLBindable {
  static var sqlType: SQLType { .boolean }
  var sqlValue: SQLValue { .boolean(self) }
}
extension Optional: SQLBindable where Wrapped: SQLBindable {
  static var sqlType: SQLType { Wrapped.sqlType }
  var sqlValue: SQLValue { self?.sqlValue ?? .null(Wrapped.sqlType) }
}

/// The parameters of a statement, in order.
struct SQLArguments: ExpressibleByArrayLiteral, Sendable {
  private(set) var values: [SQLValue] = []

  init(arrayLiteral elements: any SQLBindable...) { values = elements.map(\.sqlValue) }
  init(_ values: [SQLValue]) { self.values = values }

  static func + (a: Self, b: Self) -> Self { Self(a.values + b.values) }
  static func += (a: inout Self, b: Self) { a.values += b.values }
}
