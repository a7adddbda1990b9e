import AlarmEngine
import GRDB

// Files of places are SQLite whatever the store is: each server has its own.
extension Database {
  /// Runs one statement, prepared once for each connection.
  /// - Returns: the number of rows changed.
  @discardableResult
  func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
    try cachedStatement(sql: sql).execute(arguments: arguments)
    return changesCount
  }

  func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  func integer(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64? {
    try Int64.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }
}

extension Row {
  func instant(_ column: Int) -> Instant { Instant(millisecondsSince1970: self[column]) }
}
