import AlarmEngine
import Foundation
import Geometry
import NIOConcurrencyHelpers

// How our values stand in columns: times and spans as milliseconds in 64-bit integers, words of the engine and hashes
// as bytes, everything else as what it is.

extension StoreID {
  /// The highest bit turned over, so that SQL's signed integers have the order of ids.
  var sql: Int64 { Int64(bitPattern: rawValue ^ (1 << 63)) }
  init(sql: Int64) { self.init(rawValue: UInt64(bitPattern: sql) ^ (1 << 63)) }

  /// A condition on a column of ids that come after one, or on all, with one argument.
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

/// What a column gives.
protocol SQLReadable {
  /// Nil where it is of another type.
  init?(sqlValue: SQLValue)
  /// What stands for it then, until the transaction fails.
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
  /// As the statement names its columns.
  let columns: SQLColumns

  /// What is of another type than the statement says is damage: the transaction that met it throws `.corrupted`.
  subscript<Value: SQLReadable>(column: Int) -> Value {
    if let value = Value(sqlValue: values[column]) { return value }
    columns.damage.note("column \(columns.names[column]) holds no \(Value.self)")
    return Value.missing
  }
}

/// Shared by the rows of a result.
final class SQLColumns: Sendable {
  let names: [String]
  let damage: SQLDamage

  init(_ names: [String], _ damage: SQLDamage) {
    self.names = names
    self.damage = damage
  }
}

/// The damage that a transaction has met in what it has read.
final class SQLDamage: Sendable {
  private let first = NIOLockedValueBox<String?>(nil)

  func note(_ what: String) { first.withLockedValue { $0 = $0 ?? what } }

  /// Ends a transaction.
  /// - Throws: `StoreError.corrupted` where there is any.
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
  /// As `lower()` of both databases makes it, whatever language they are set to.
  var asciiLowercased: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 | 32 : $0 }, as: UTF8.self)
  }
}
