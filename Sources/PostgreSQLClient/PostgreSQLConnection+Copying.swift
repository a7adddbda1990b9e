import CPostgreSQL

extension PostgreSQLConnection {
  /// Runs a `COPY … FROM STDIN` with `rows`: its text form (`PostgreSQLValue.copyRow`), CSV or its binary
  /// form, in pieces of any size. Either all rows are stored or none.
  ///
  /// - Returns: the number of rows stored.
  public func copyIn(_ sql: String, rows: some Sequence<[UInt8]>) throws(PostgreSQLError) -> Int {
    let handle = try opened()
    let begun = PQexec(handle, sql)
    guard PQresultStatus(begun) == PGRES_COPY_IN else {
      _ = try answer(of: begun)
      throw PostgreSQLError(code: "0A000", message: "Only COPY … FROM STDIN takes rows.")
    }
    PQclear(begun)
    var gathered: [UInt8] = []
    var sent = true
    for row in rows where sent {
      gathered += row
      guard gathered.count >= 1 << 16 else { continue }
      sent = send(gathered, on: handle)
      gathered.removeAll(keepingCapacity: true)
    }
    if sent { sent = send(gathered, on: handle) }
    guard sent, PQputCopyEnd(handle, nil) == 1 else {
      let error = failure()
      close()
      throw error
    }
    let result = PQgetResult(handle)
    while result != nil, let more = PQgetResult(handle) { PQclear(more) }
    return try answer(of: result).changed
  }

  private func send(_ bytes: [UInt8], on handle: OpaquePointer) -> Bool {
    bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress else { return true }
      return PQputCopyData(handle, base.assumingMemoryBound(to: CChar.self), Int32(raw.count)) == 1
    }
  }
}

extension PostgreSQLValue {
  /// Returns a row in the text form of `COPY`.
  ///
  /// - Throws: for an array, which is not supported here, and for a text with a zero byte.
  public static func copyRow(_ values: [PostgreSQLValue]) throws(PostgreSQLError) -> [UInt8] {
    var row: [UInt8] = []
    for (index, value) in values.enumerated() {
      if index > 0 { row.append(UInt8(ascii: "\t")) }
      switch value {
      case .null, .nullOf: row += #"\N"#.utf8
      case .integer(let number): row += String(number).utf8
      case .real(let number): row += String(number).utf8
      case .boolean(let truth): row.append(UInt8(ascii: truth ? "t" : "f"))
      case .text(let text): try append(text, to: &row)
      case .bytes(let bytes):
        row += #"\\x"#.utf8
        for byte in bytes {
          for digit in [byte >> 4, byte & 15] {
            row.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
          }
        }
      case .integers, .reals, .texts, .byteArrays, .booleans:
        throw PostgreSQLError(code: "0A000", message: "An array is not copied: give it to a statement.")
      }
    }
    row.append(UInt8(ascii: "\n"))
    return row
  }

  private static func append(_ text: String, to row: inout [UInt8]) throws(PostgreSQLError) {
    for byte in text.utf8 {
      switch byte {
      case 0:
        throw PostgreSQLError(
          code: "22021", message: "PostgreSQL cannot store a text that contains a zero byte.")
      case UInt8(ascii: "\\"): row += #"\\"#.utf8
      case UInt8(ascii: "\n"): row += #"\n"#.utf8
      case UInt8(ascii: "\r"): row += #"\r"#.utf8
      case UInt8(ascii: "\t"): row += #"\t"#.utf8
      default: row.append(byte)
      }
    }
  }
}
