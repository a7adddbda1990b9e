import GRDB
import GRDBSQLite

/// A prepared statement driven without a detour: for the few that run once for each fix.
struct HotStatement {
  private let statement: Statement
  private let handle: OpaquePointer
  private let connection: OpaquePointer?
  /// SQLite copies what is bound.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ database: Database, _ sql: String) throws {
    statement = try database.cachedStatement(sql: sql)
    handle = statement.sqliteStatement
    connection = database.sqliteConnection
  }

  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }
  func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }
  func bind(_ index: Int32, _ value: Double?) {
    if let value { sqlite3_bind_double(handle, index, value) } else { sqlite3_bind_null(handle, index) }
  }
  func bind(_ index: Int32, _ value: Int64?) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
  }
  func bind(_ index: Int32, _ value: String?) {
    guard var text = value else {
      sqlite3_bind_null(handle, index)
      return
    }
    text.withUTF8 { bytes in
      _ = sqlite3_bind_text64(
        handle, index, bytes.baseAddress, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
    }
  }
  func bind(_ index: Int32, _ value: [UInt8]) {
    _ = value.withUnsafeBytes {
      sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.copied)
    }
    // No address is a null to SQLite.
    if value.isEmpty { sqlite3_bind_zeroblob(handle, index, 0) }
  }

  /// Runs it and makes it ready to be bound again.
  /// - Returns: how many rows it changed.
  func run() throws -> Int {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failure(code) }
    sqlite3_reset(handle)
    return Int(sqlite3_changes(connection))
  }

  /// The first column of the first row as an integer: nil without a row, the inner nil for a null.
  func integer() throws -> Int64?? {
    let code = sqlite3_step(handle)
    defer { sqlite3_reset(handle) }
    switch code {
    case SQLITE_ROW:
      return sqlite3_column_type(handle, 0) == SQLITE_NULL ? .some(nil) : sqlite3_column_int64(handle, 0)
    case SQLITE_DONE: return nil
    default: throw failure(code)
    }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    let extended = sqlite3_extended_errcode(connection)
    let message = String(cString: sqlite3_errmsg(connection))
    sqlite3_reset(handle)
    return DatabaseError(resultCode: ResultCode(rawValue: extended == 0 ? code : extended), message: message)
  }
}
