import CPostgreSQL

extension PostgreSQLConnection {
  /// Converts libpq's result and frees it.
  func answer(of result: OpaquePointer?) throws(PostgreSQLError) -> PostgreSQLResult {
    guard let result else { throw failure() }
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK: return try rows(of: result)
    case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
      return PostgreSQLResult(rows: [], columns: [], changed: changed(by: result))
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      // Running another statement ends the copying.
      PQclear(PQexec(handle, ""))
      throw PostgreSQLError(
        code: "0A000", message: "COPY … FROM STDIN is run by copyIn, and COPY … TO STDOUT by nothing.")
    default: throw error(of: result)
    }
  }

  private func rows(of result: OpaquePointer) throws(PostgreSQLError) -> PostgreSQLResult {
    let width = PQnfields(result)
    var columns: [BinaryColumn] = []
    columns.reserveCapacity(Int(width))
    // The answers of a script are text, which is not read.
    guard PQbinaryTuples(result) == 1 || width == 0 else {
      return PostgreSQLResult(rows: [], columns: [], changed: changed(by: result))
    }
    for index in 0..<width {
      let name = PQfname(result, index).map { String(cString: $0) } ?? ""
      columns.append(try BinaryColumn(name: name, oid: PQftype(result, index)))
    }
    var rows: [[PostgreSQLValue]] = []
    let height = PQntuples(result)
    rows.reserveCapacity(Int(height))
    for row in 0..<height {
      var values: [PostgreSQLValue] = []
      values.reserveCapacity(Int(width))
      for index in 0..<width {
        if PQgetisnull(result, row, index) == 1 {
          values.append(.null)
        } else {
          let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, index), count: Int(PQgetlength(result, row, index)))
          values.append(try columns[Int(index)].value(bytes))
        }
      }
      rows.append(values)
    }
    return PostgreSQLResult(rows: rows, columns: columns.map { $0.name }, changed: changed(by: result))
  }

  private func changed(by result: OpaquePointer) -> Int {
    PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
  }

  func error(of result: OpaquePointer) -> PostgreSQLError {
    func field(_ letter: Unicode.Scalar) -> String? {
      PQresultErrorField(result, Int32(letter.value)).map { String(cString: $0) }
    }
    let message = field("M") ?? PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
    let error = PostgreSQLError(
      code: field("C") ?? "XX000", message: PostgreSQLError.firstLine(of: message), constraint: field("n"))
    guard isLost, !error.isConnectionLost else { return error }
    return PostgreSQLError(code: "08006", message: error.message)
  }

  /// The connection's error, for a call that gave no result.
  func failure() -> PostgreSQLError {
    let message =
      handle.flatMap { PQerrorMessage($0) }.map { String(cString: $0) } ?? "The connection is closed."
    return PostgreSQLError(code: isLost ? "08006" : "XX000", message: PostgreSQLError.firstLine(of: message))
  }
}

extension PostgreSQLError {
  static func firstLine(of message: String) -> String {
    message.split(whereSeparator: { $0.isNewline }).first.map(String.init) ?? "libpq does not say why."
  }

  /// True if the prepared statement no longer fits the tables, or is no longer known to the server.
  var isStalePlan: Bool { code == "26000" || code == "0A000" && message.contains("cached plan") }
}

extension BinaryParameters {
  func execute(_ sql: String, on handle: OpaquePointer) -> OpaquePointer? {
    withPointers { values, lengths, formats in
      PQexecParams(handle, sql, Int32(types.count), types, values, lengths, formats, 1)
    }
  }

  func execute(prepared name: String, on handle: OpaquePointer) -> OpaquePointer? {
    withPointers { values, lengths, formats in
      PQexecPrepared(handle, name, Int32(types.count), values, lengths, formats, 1)
    }
  }

  func send(_ sql: String, on handle: OpaquePointer) -> Bool {
    withPointers { values, lengths, formats in
      PQsendQueryParams(handle, sql, Int32(types.count), types, values, lengths, formats, 1) == 1
    }
  }

  func send(prepared name: String, on handle: OpaquePointer) -> Bool {
    withPointers { values, lengths, formats in
      PQsendQueryPrepared(handle, name, Int32(types.count), values, lengths, formats, 1) == 1
    }
  }

  private func withPointers<Value>(
    _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Value
  ) -> Value {
    bytes.withUnsafeBytes { bytes in
      let base = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
      return body(
        starts.map { start in start.map { base + $0 } }, lengths, [Int32](repeating: 1, count: lengths.count))
    }
  }
}
