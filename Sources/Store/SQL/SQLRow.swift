import AlarmEngine
import Foundation
import Geometry
import NIOConcurrencyHelpers

// The form of values in columns: times and spans are milliseconds in 64-bit integers, the engine's texts and
// hashes are bytes, and everything else has its natural type.

extension StoreID {
  /// The raw value with its highest bit flipped, so that SQL's signed integers sort like ids.
  var sql: Int64 { Int64(bitPattern: rawValue ^ (1 << 63)) }
  init(sql: Int64) { self.init(rawValue: UInt64(bitPattern: sql) ^ (1 << 63)) }

  /// Returns a condition with one argument on a column of ids: those after `id`, or all if it is nil.
  static func after(_ id: Self?, _ column: String) -> String { "\(column) \(id == nil ? ">=" : ">") ?" }
  static func bound(_ id: Self?) -> Int64 { id?.sql ?? .min }
}

extension TokenHash {
  var sql: Data { Data(bytes) }
}

extension Instant {
  var sql: Int64 { millisecondsSince1970 }
  init(sql: Int64) { self.init(millisecondsSince1970: sql) }
}

extension Text {
  var sql: Data { Data(utf8) }
  init(sql: Data) { self.init(utf8: Array(sql)) }
}

extension Revision {
  var sql: Int64 { rawValue }
}

/// A type that can be read from a column.
protocol SQLReadable {
  /// Returns nil for a value of another type.
  init?(sqlValue: SQLValue)
  /// The placeholder for a value of the wrong type, until the transaction fails.
  static var missing: Self { get }
}

extension Int64: SQLReadable {
  static var missing: Self { 0 }
  init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .integer(let number): self = number
    case .boolean(let yes): self = yes ? 1 : 0
    default: return nil
    }
  }
}
extension Int: SQLReadable {
  static var missing: Self { 0 }
  init?(sqlValue: SQLValue) {
    guard let number = Int64(sqlValue: sqlValue) else { return nil }
    self = Int(number)
  }
}
extension UInt8: SQLReadable {
  static var missing: Self { 0 }
  init?(sqlValue: SQLValue) {
    guard let number = Int64(sqlValue: sqlValue), let small = UInt8(exactly: number) else { return nil }
    self = small
  }
}
extension Double: SQLReadable {
  static var missing: Self { 0 }
  init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: return nil
    }
  }
}
extension String: SQLReadable {
  static var missing: Self { "" }
  init?(sqlValue: SQLValue) {
    guard case .text(let text) = sqlValue else { return nil }
    self = text
  }
}
extension Data: SQLReadable {
  static var missing: Self { Data() }
  init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .bytes(let bytes): self = bytes
    case .text(let text): self = Data(text.utf8)
    default: return nil
    }
  }
}
extension Bool: SQLReadable {
  static var missing: Self { false }
  init?(sqlValue: SQLValue) {
    guard let number = Int64(sqlValue: sqlValue) else { return nil }
    self = number != 0
  }
}
extension Optional: SQLReadable where Wrapped: SQLReadable {
  static var missing: Self { nil }
  init?(sqlValue: SQLValue) {
    if case .null = sqlValue {
      self = .none
    } else {
      guard let wrapped = Wrapped(sqlValue: sqlValue) else { return nil }
      self = wrapped
    }
  }
}

/// A row of a result.
struct SQLRow: Sendable {
  let values: [SQLValue]
  /// The columns, with the names that the statement gives them.
  let columns: SQLColumns

  /// The value of a column. A value of another type than the caller expects is damage: the transaction then
  /// throws `.corrupted`.
  subscript<Value: SQLReadable>(column: Int) -> Value {
    if let value = Value(sqlValue: values[column]) { return value }
    columns.damage.note("column \(columns.names[column]) holds no \(Value.self)")
    return Value.missing
  }
}

/// The columns' names and the damage found, shared by all rows of a result.
final class SQLColumns: Sendable {
  let names: [String]
  let damage: SQLDamage

  init(_ names: [String], _ damage: SQLDamage) {
    self.names = names
    self.damage = damage
  }
}

/// The first damage that a transaction found in the data that it read.
final class SQLDamage: Sendable {
  private let first = NIOLockedValueBox<String?>(nil)

  func note(_ what: String) { first.withLockedValue { $0 = $0 ?? what } }

  /// Called at the end of a transaction.
  /// - Throws: `StoreError.corrupted` if damage was found.
  func check() throws(StoreError) {
    if let detail = first.withLockedValue({ $0 }) { throw .corrupted(detail: detail) }
  }
}

extension SQLRow {
  func id<ID: StoreID>(_ column: Int, _ type: ID.Type = ID.self) -> ID { ID(sql: self[column]) }
  func optionalID<ID: StoreID>(_ column: Int, _ type: ID.Type = ID.self) -> ID? {
    (self[column] as Int64?).map { ID(sql: $0) }
  }
  func instant(_ column: Int) -> Instant { Instant(sql: self[column]) }
  func optionalInstant(_ column: Int) -> Instant? { (self[column] as Int64?).map { Instant(sql: $0) } }
  func revision(_ column: Int) -> Revision { Revision(rawValue: self[column]) }
  func bytes(_ column: Int) -> [UInt8] { (self[column] as Data?).map { Array($0) } ?? [] }
  func text(_ column: Int) -> Text { Text(utf8: bytes(column)) }
  func distance(_ column: Int) -> Distance? { (self[column] as Double?).map { .metres($0) } }
  func place(_ column: Int) -> Coordinate? {
    guard let latitude = self[column] as Double?, let longitude = self[column + 1] as Double? else {
      return nil
    }
    return try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }
}

extension String {
  /// The text in lower case as `lower()` of both databases gives it in any locale: only ASCII letters change.
  var asciiLowercased: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 | 32 : $0 }, as: UTF8.self)
  }
}
