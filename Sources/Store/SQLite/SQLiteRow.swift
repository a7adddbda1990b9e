import AlarmEngine
import Foundation
import GRDB
import Geometry

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

extension Row {
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

extension Database {
  /// Runs one statement, prepared once for each connection.
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
    try cachedStatement(sql: sql).execute(arguments: arguments)
    return changesCount
  }

  func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  func integer(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64? {
    try Int64.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  /// Runs an insertion; `.taken` when a key is there already, `.notFound` when what it belongs to is not.
  func insert(_ sql: String, _ arguments: StatementArguments) throws {
    do { try run(sql, arguments) } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CONSTRAINT
    {
      throw error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY ? StoreError.notFound : StoreError.taken
    }
  }
}
