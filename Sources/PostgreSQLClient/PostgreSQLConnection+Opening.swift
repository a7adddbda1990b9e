import CPostgreSQL
import Foundation

extension PostgreSQLConnection {
  static let oldestServer: Int32 = 140_000

  static func open(_ address: PostgreSQLAddress) throws(PostgreSQLError) -> OpaquePointer {
    let began = ContinuousClock.now
    guard let handle = connect(address) else {
      throw PostgreSQLError(code: "53200", message: "There is no memory for a connection.")
    }
    // Without a notice processor libpq would print the server's notices.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    if PQstatus(handle) == CONNECTION_OK { return handle }
    let message = String(cString: PQerrorMessage(handle))
    // libpq reports the SQLSTATE of a refused connection in verbose messages only, which can be set only on
    // an existing handle.
    if ContinuousClock.now - began < .seconds(1) {
      PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
      PQreset(handle)
      if PQstatus(handle) == CONNECTION_OK {
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        return handle
      }
    }
    let code = sqlState(in: String(cString: PQerrorMessage(handle))) ?? "08001"
    PQfinish(handle)
    throw PostgreSQLError(code: code, message: words(for: message))
  }

  private static func connect(_ address: PostgreSQLAddress) -> OpaquePointer? {
    let parameters = address.parameters.sorted { $0.key < $1.key }
    let texts = parameters.map { strdup($0.key) } + parameters.map { strdup($0.value) }
    defer { for text in texts { free(text) } }
    let pointers = texts.map { UnsafePointer($0) }
    return PQconnectdbParams(
      Array(pointers[..<parameters.count]) + [nil], Array(pointers[parameters.count...]) + [nil], 0)
  }

  /// Finds the SQLSTATE in `… failed: FATAL:  28P01: password authentication failed`. The words depend on the
  /// server's language.
  static func sqlState(in message: String) -> String? {
    let words = message.split(whereSeparator: { $0 == " " || $0.isNewline })
    return words.last { word in
      word.utf8.count == 6 && word.last == ":"
        && word.utf8.dropLast().allSatisfy {
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        }
        && word.utf8.dropLast().contains { $0 < UInt8(ascii: "A") }
    }.map { String($0.dropLast()) }
  }

  private static func words(for message: String) -> String {
    let said = PostgreSQLError.firstLine(of: message)
    guard message.contains("unsupported startup parameter") else { return said }
    return said + ". The address leads to PgBouncer: name the server itself,"
      + " or a pool with pool_mode = session and ignore_startup_parameters = options."
  }

  func refuseUnsuitableServer() throws(PostgreSQLError) {
    let handle = try opened()
    guard PQserverVersion(handle) >= Self.oldestServer else {
      let version = PQparameterStatus(handle, "server_version").map { String(cString: $0) } ?? "unknown"
      throw PostgreSQLError(
        code: "0A000", message: "The server is PostgreSQL \(version); version 14 or later is needed.")
    }
    let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? "unknown"
    guard encoding == "UTF8" else {
      throw PostgreSQLError(
        code: "0A000",
        message: "The database's encoding is \(encoding); UTF8 is needed (CREATE DATABASE … ENCODING 'UTF8')."
      )
    }
    try refuseLostSessions()
  }

  /// Refuses a pooler that gives each transaction any free session (PgBouncer with `pool_mode =
  /// transaction`). Prepared statements and LISTEN would fail now and then, or have no effect.
  ///
  /// A pooler reports made-up process ids to its clients, so a server that reports the same id in SQL is not
  /// behind one. To test a pooler, a second connection is opened while this one is open. With `transaction`,
  /// where the session used last is given out first, it gets this connection's session; with `session` it
  /// never does.
  private func refuseLostSessions() throws(PostgreSQLError) {
    let handle = try opened()
    guard try Self.process(of: handle) != PQbackendPID(handle) else { return }
    for _ in 0..<3 {
      let other = try Self.open(address)
      defer { PQfinish(other) }
      let mine = try Self.process(of: handle)
      // A pool with a single session would answer only after this connection is closed.
      guard Self.answers(other, within: 2000) else { return }
      guard try Self.process(of: other) != mine else {
        throw PostgreSQLError(
          code: "0A000",
          message:
            "The address leads to a pooler that keeps no session between transactions (PgBouncer with pool_mode ="
            + " transaction): name the server itself, or a pool with pool_mode = session.")
      }
    }
  }

  private static func process(of handle: OpaquePointer) throws(PostgreSQLError) -> Int32 {
    let result = PQexec(handle, "SELECT pg_backend_pid()")
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_TUPLES_OK, let text = PQgetvalue(result, 0, 0),
      let process = Int32(String(cString: text))
    else {
      throw PostgreSQLError(
        code: "08006", message: PostgreSQLError.firstLine(of: String(cString: PQerrorMessage(handle))))
    }
    return process
  }

  private static func answers(_ handle: OpaquePointer, within milliseconds: Int) -> Bool {
    guard PQsendQuery(handle, "") == 1 else { return false }
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while PQisBusy(handle) == 1 {
      guard SocketWait.isReadable(handle, until: deadline), PQconsumeInput(handle) == 1 else { return false }
    }
    while let result = PQgetResult(handle) { PQclear(result) }
    return true
  }
}
