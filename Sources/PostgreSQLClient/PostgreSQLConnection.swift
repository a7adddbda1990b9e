import CPostgreSQL

/// A connection to a PostgreSQL server of version 14 or later.
///
/// Every method blocks until the server has answered. Use a connection on a thread of its own
/// (`PostgreSQLPool`), one thread at a time; only a `canceller` may be used from another. A lost connection
/// stays lost: make a new one.
public final class PostgreSQLConnection {
  public let address: PostgreSQLAddress
  /// nil once closed.
  private(set) var handle: OpaquePointer?
  var prepared = PreparedStatements()

  /// - Throws: `08001` if no server answers, `28P01` for a wrong password, `3D000` for an unknown database,
  ///   and `0A000` if the server is too old, does not store UTF-8, or is behind a pooler that keeps no
  ///   session.
  public init(_ address: PostgreSQLAddress) throws(PostgreSQLError) {
    self.address = address
    handle = try Self.open(address)
    do {
      try refuseUnsuitableServer()
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  /// Closes the connection; later calls throw `08003`. An open transaction is rolled back by the server.
  public func close() {
    if let handle { PQfinish(handle) }
    handle = nil
  }

  /// Runs one statement. `$1` and so on stand for the parameters.
  ///
  /// A statement that reads or changes rows is prepared at its first run and kept. Outside `transaction` each
  /// statement is a transaction of its own.
  public func run(
    _ sql: String, _ parameters: [PostgreSQLValue] = []
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    let parameters = try BinaryParameters(parameters)
    let handle = try opened()
    guard Self.isPrepared(sql) else { return try answer(of: parameters.execute(sql, on: handle)) }
    do {
      return try runPrepared(sql, parameters, on: handle)
    } catch {
      // The tables have changed since the statement was prepared. Outside a transaction nothing has happened
      // yet.
      guard error.isStalePlan, transactionState == PQTRANS_IDLE else { throw error }
      return try runPrepared(sql, parameters, on: handle)
    }
  }

  private func runPrepared(
    _ sql: String, _ parameters: BinaryParameters, on handle: OpaquePointer
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    guard let name = try preparedName(of: sql, parameters.types, on: handle) else {
      return try answer(of: parameters.execute(sql, on: handle))
    }
    do {
      return try answer(of: parameters.execute(prepared: name, on: handle))
    } catch {
      if error.isStalePlan {
        prepared.forget(name)
        // A failed transaction runs no further statement; the server then keeps it until the connection ends.
        if transactionState == PQTRANS_IDLE { PQclear(PQexec(handle, "DEALLOCATE \(name)")) }
      }
      throw error
    }
  }

  /// Returns the name of the prepared statement.
  ///
  /// - Returns: nil in a failed transaction, where the server refuses every statement but its end.
  private func preparedName(
    of sql: String, _ types: [UInt32], on handle: OpaquePointer
  ) throws(PostgreSQLError) -> String? {
    if let name = prepared.name(of: sql, types) { return name }
    guard transactionState != PQTRANS_INERROR else { return nil }
    try makeRoom(for: 1)
    let name = prepared.add(sql, types)
    do {
      _ = try answer(of: PQprepare(handle, name, sql, Int32(types.count), types))
    } catch {
      prepared.forget(name)
      throw error
    }
    return name
  }

  /// Drops the least recently used statements, so that `count` more can be prepared.
  func makeRoom(for count: Int) throws(PostgreSQLError) {
    while prepared.count > max(0, PreparedStatements.limit - count), let oldest = prepared.leastRecentlyUsed {
      prepared.forget(oldest)
      _ = try answer(of: PQexec(try opened(), "DEALLOCATE \(oldest)"))
    }
  }

  /// True if the statement is prepared. Others (`BEGIN`, `SET`, `CREATE TABLE`) have no plan worth keeping.
  static func isPrepared(_ sql: String) -> Bool {
    let first = sql.drop { $0 == " " || $0 == "\n" || $0 == "(" }.prefix { $0.isLetter }.lowercased()
    return ["select", "insert", "update", "delete", "with", "values", "merge"].contains(first)
  }

  /// Runs several statements without parameters, separated by semicolons, such as migrations. They are one
  /// transaction, unless they begin and end others.
  public func script(_ sql: String) throws(PostgreSQLError) {
    _ = try answer(of: PQexec(try opened(), sql))
  }

  /// Runs `body` in a transaction that begins with `begin` (`BEGIN ISOLATION LEVEL READ COMMITTED`), and
  /// commits it. If the body throws, the transaction is rolled back and the error is passed on.
  ///
  /// - Throws: `08007` if the connection was lost while committing (`isOutcomeUnknown`); `25P02` if a
  ///   statement had failed and the body did not pass the error on. Nothing was written in the second case.
  /// - Precondition: no transaction has begun.
  public func transaction<Value>(
    _ begin: String = "BEGIN", _ body: (PostgreSQLConnection) throws -> Value
  ) throws -> Value {
    precondition(
      transactionState != PQTRANS_INTRANS && transactionState != PQTRANS_INERROR,
      "a transaction begins within no other")
    try script(begin)
    let value: Value
    do {
      value = try body(self)
    } catch {
      rollBack()
      throw error
    }
    try commit()
    return value
  }

  private func commit() throws(PostgreSQLError) {
    let result = PQexec(try opened(), "COMMIT")
    let tag = PQcmdStatus(result).map { String(cString: $0) }
    do {
      _ = try answer(of: result)
    } catch {
      guard error.isConnectionLost else { throw error }
      throw PostgreSQLError(
        code: "08007",
        message: "The connection was lost while a transaction was being committed, so it may hold or not: "
          + error.message)
    }
    guard tag == "COMMIT" else {
      throw PostgreSQLError(
        code: "25P02", message: "A statement of the transaction had failed, so nothing was written.")
    }
  }

  /// Rolls back the transaction, if there is one. Closes the connection if that fails.
  func rollBack() {
    guard let handle, transactionState != PQTRANS_IDLE else { return }
    let result = PQexec(handle, "ROLLBACK")
    if PQresultStatus(result) != PGRES_COMMAND_OK { close() }
    PQclear(result)
  }

  var transactionState: PGTransactionStatusType { handle.map { PQtransactionStatus($0) } ?? PQTRANS_UNKNOWN }

  /// True if the connection is closed or known to be broken.
  public var isLost: Bool { handle.map { PQstatus($0) != CONNECTION_OK } ?? true }

  func opened() throws(PostgreSQLError) -> OpaquePointer {
    guard let handle else { throw PostgreSQLError(code: "08003", message: "The connection is closed.") }
    return handle
  }
}
