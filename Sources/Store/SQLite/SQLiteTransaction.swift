import Foundation
import GRDB
import GRDBSQLite

/// A transaction on one connection to the file.
struct SQLiteTransaction: SQLTransaction {
  let database: Database
  let damage = SQLDamage()
  let changes = TransactionChanges()

  /// Runs `body` and returns its result, unless it has read damaged data.
  static func run<Value>(_ database: Database, _ body: (any SQLTransaction) throws -> Value) throws -> Value {
    let transaction = SQLiteTransaction(database: database)
    let value = try body(transaction)
    try transaction.damage.check()
    return value
  }

  @discardableResult
  func run(_ sql: String, _ arguments: SQLArguments) throws -> Int {
    let statement = try SQLiteStatement(database, sql)
    defer { statement.reset() }
    return try statement.run(arguments)
  }

  @discardableResult
  func run(_ sql: String, each arguments: [SQLArguments]) throws -> [Int] {
    let statement = try SQLiteStatement(database, sql)
    defer { statement.reset() }
    return try arguments.map { try statement.run($0) }
  }

  func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] {
    let statement = try SQLiteStatement(database, sql)
    defer { statement.reset() }
    return try statement.rows(arguments, damage)
  }

  func rows(_ sql: String, each arguments: [SQLArguments]) throws -> [[SQLRow]] {
    let statement = try SQLiteStatement(database, sql)
    defer { statement.reset() }
    return try arguments.map { try statement.rows($0, damage) }
  }

  func rows(
    _ sql: String, given table: SQLTable, _ rows: [[SQLValue]], _ arguments: SQLArguments
  ) throws -> [SQLRow] {
    let names = table.columns.map(\.name).joined(separator: ", ")
    let places = table.columns.indices.map { "?\(arguments.values.count + $0 + 1)" }.joined(separator: ", ")
    return try self.rows(
      "WITH given(\(names)) AS (VALUES (\(places))) \(sql)", each: rows.map { arguments + SQLArguments($0) }
    ).flatMap { $0 }
  }

  func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
    // A statement of its own, since `body` may run the same SQL meanwhile.
    let statement = try SQLiteStatement(database.makeStatement(sql: sql), database)
    try statement.forEachRow(arguments, damage, body)
  }

  func insert(_ sql: String, _ arguments: SQLArguments) throws {
    do { try run(sql, arguments) } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CONSTRAINT
    {
      throw error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY ? StoreError.notFound : StoreError.taken
    }
  }
}

extension SQLiteTransaction {
  @discardableResult
  func insert(_ table: SQLTable, _ rows: [[SQLValue]], onConflict conflict: SQLConflict) throws
    -> Int
  {
    let names = table.columns.map(\.name).joined(separator: ", ")
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    let sql =
      "INSERT INTO \(table.name) (\(names)) VALUES (\(places))\(conflict.clause)"
    return try run(sql, each: rows.map { SQLArguments($0) }).reduce(0, +)
  }

  func update(_ table: SQLTable, _ rows: [[SQLValue]], set changes: String) throws -> Set<Int64> {
    let wanted = table.columns.map { "\($0.name) = ?" }.joined(separator: " AND ")
    let changed = try run(
      "UPDATE \(table.name) SET \(changes) WHERE \(wanted)", each: rows.map { SQLArguments($0) })
    return Set(
      zip(rows, changed).compactMap { row, count in
        guard count > 0, case .integer(let key) = row[0] else { return nil }
        return key
      })
  }
}

/// A prepared statement that calls SQLite's C functions directly, because many run once for each fix.
struct SQLiteStatement {
  private let statement: Statement
  private let handle: OpaquePointer
  private let connection: OpaquePointer?
  /// Tells SQLite to copy bound values (`SQLITE_TRANSIENT`).
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ database: Database, _ sql: String) throws {
    self.init(try database.cachedStatement(sql: sql), database)
  }

  init(_ statement: Statement, _ database: Database) {
    self.statement = statement
    handle = statement.sqliteStatement
    connection = database.sqliteConnection
  }

  /// - Returns: the number of rows changed.
  func run(_ arguments: SQLArguments) throws -> Int {
    bind(arguments)
    let before = sqlite3_total_changes(connection)
    var code = sqlite3_step(handle)
    while code == SQLITE_ROW { code = sqlite3_step(handle) }
    guard code == SQLITE_DONE else { throw failure(code) }
    sqlite3_reset(handle)
    // A statement that changes nothing leaves the previous statement's count.
    return sqlite3_total_changes(connection) == before ? 0 : Int(sqlite3_changes(connection))
  }

  func rows(_ arguments: SQLArguments, _ damage: SQLDamage) throws -> [SQLRow] {
    var rows: [SQLRow] = []
    try forEachRow(arguments, damage) { rows.append($0) }
    return rows
  }

  func forEachRow(
    _ arguments: SQLArguments, _ damage: SQLDamage, _ body: (SQLRow) throws -> Void
  ) throws {
    bind(arguments)
    let count = sqlite3_column_count(handle)
    var columns: SQLColumns?
    while true {
      let code = sqlite3_step(handle)
      if code == SQLITE_DONE { break }
      guard code == SQLITE_ROW else { throw failure(code) }
      let known =
        columns ?? SQLColumns((0..<count).map { String(cString: sqlite3_column_name(handle, $0)) }, damage)
      columns = known
      try body(SQLRow(values: (0..<count).map { value($0) }, columns: known))
    }
    sqlite3_reset(handle)
  }

  /// Prepares the statement for its next run, also after an error.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private func value(_ column: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_text(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
      return .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      guard let start = sqlite3_column_blob(handle, column) else { return .bytes(Data()) }
      return .bytes(Data(bytes: start, count: Int(sqlite3_column_bytes(handle, column))))
    default: return .null(.integer)
    }
  }

  private func bind(_ arguments: SQLArguments) {
    for (place, value) in arguments.values.enumerated() {
      let index = Int32(place + 1)
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let number): sqlite3_bind_int64(handle, index, number)
      case .boolean(let yes): sqlite3_bind_int64(handle, index, yes ? 1 : 0)
      case .real(let number): sqlite3_bind_double(handle, index, number)
      case .text(var text):
        text.withUTF8 { bytes in
          _ = sqlite3_bind_text64(
            handle, index, bytes.baseAddress, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
        }
        // SQLite binds NULL for a missing address.
        if text.isEmpty { sqlite3_bind_text(handle, index, "", 0, Self.copied) }
      case .bytes(let bytes):
        _ = bytes.withUnsafeBytes {
          sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.copied)
        }
        if bytes.isEmpty { sqlite3_bind_zeroblob(handle, index, 0) }
      }
    }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    let extended = sqlite3_extended_errcode(connection)
    let message = String(cString: sqlite3_errmsg(connection))
    sqlite3_reset(handle)
    return DatabaseError(resultCode: ResultCode(rawValue: extended == 0 ? code : extended), message: message)
  }
}
