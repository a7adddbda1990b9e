#if PostgreSQL
  import Foundation
  import PostgreSQLClient

  /// A transaction on one connection to the server.
  struct PostgreSQLTransaction: SQLTransaction {
    let connection: PostgreSQLConnection
    let statements: PostgreSQLStatements
    let damage = SQLDamage()
    let changes = TransactionChanges()

    /// Runs `body` and returns its result, unless it has read damaged data.
    func run<Value>(_ body: (any SQLTransaction) throws -> Value) throws -> Value {
      let value = try body(self)
      try damage.check()
      return value
    }

    @discardableResult
    func run(_ sql: String, _ arguments: SQLArguments) throws -> Int {
      try connection.run(statements.translated(sql), arguments.parameters).changed
    }

    @discardableResult
    func run(_ sql: String, each arguments: [SQLArguments]) throws -> [Int] {
      try answers(sql, arguments).map(\.changed)
    }

    func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] {
      rows(try connection.run(statements.translated(sql), arguments.parameters))
    }

    func rows(_ sql: String, each arguments: [SQLArguments]) throws -> [[SQLRow]] {
      try answers(sql, arguments).map { rows($0) }
    }

    func rows(
      _ sql: String, given table: SQLTable, _ rows: [[SQLValue]], _ arguments: SQLArguments
    ) throws -> [SQLRow] {
      guard !rows.isEmpty else { return [] }
      return self.rows(
        try connection.run(
          "WITH \(given(table, after: arguments.values.count)) \(statements.translated(sql))",
          arguments.parameters + columns(table, rows)))
    }

    /// Returns the table `given` as a common table expression with one array parameter per column, numbered
    /// after `others`.
    private func given(_ table: SQLTable, after others: Int = 0) -> String {
      let names = table.columns.map(\.name).joined(separator: ", ")
      let arrays = table.columns.indices.map { "$\(others + $0 + 1)" }.joined(separator: ", ")
      return "given(\(names)) AS (SELECT * FROM unnest(\(arrays)))"
    }

    func update(_ table: SQLTable, _ rows: [[SQLValue]], set changes: String) throws -> Set<Int64> {
      guard !rows.isEmpty else { return [] }
      let (name, key) = (table.name, table.columns[0].name)
      let wanted = table.columns.map { "\(name).\($0.name) = given.\($0.name)" }.joined(separator: " AND ")
      // A row that another transaction changed while this one waited for it is compared again.
      let changed = try connection.run(
        """
        WITH \(given(table)), held AS MATERIALIZED (
          SELECT \(name).\(key) FROM \(name) JOIN given ON \(wanted) ORDER BY \(name).\(key) FOR UPDATE OF \(name))
        UPDATE \(name) SET \(changes) FROM held WHERE \(name).\(key) = held.\(key) RETURNING \(name).\(key)
        """, columns(table, rows))
      return Set(
        changed.rows.compactMap { row in if case .integer(let key) = row[0] { key } else { nil } })
    }

    private func columns(_ table: SQLTable, _ rows: [[SQLValue]]) -> [PostgreSQLValue] {
      table.columns.enumerated().map { place, column in
        PostgreSQLValue(rows.lazy.map { $0[place] }, of: column.type)
      }
    }

    /// The number of rows fetched from a cursor at once.
    private static let rowsAtOnce = 1000

    func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
      let cursor = "rows_\(UInt32.random(in: 0 ... .max))"
      _ = try connection.run(
        "DECLARE \(cursor) NO SCROLL CURSOR FOR \(statements.translated(sql))", arguments.parameters)
      while true {
        // The cursor's name is used once, so the statement is not worth preparing.
        let rows = rows(try connection.run("FETCH \(Self.rowsAtOnce) FROM \(cursor)"))
        for row in rows { try body(row) }
        if rows.count < Self.rowsAtOnce { break }
      }
      _ = try connection.run("CLOSE \(cursor)")
    }

    func insert(_ sql: String, _ arguments: SQLArguments) throws {
      do { try run(sql, arguments) } catch let error as PostgreSQLError
        where error.isDuplicate || error.isForeignKeyViolation
      {
        throw error.isForeignKeyViolation ? StoreError.notFound : StoreError.taken
      }
    }

    func insert(_ table: SQLTable, _ rows: [[SQLValue]], onConflict conflict: SQLConflict) throws
      -> Int
    {
      guard !rows.isEmpty else { return 0 }
      let arrays = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
      let sql =
        "INSERT INTO \(table.name) (\(table.columns.map(\.name).joined(separator: ", "))) "
        + "SELECT * FROM unnest(\(arrays))\(conflict.clause)"
      return try connection.run(sql, columns(table, rows)).changed
    }

    /// Runs a statement for each of the arguments in one round trip. A single one needs no pipeline.
    private func answers(_ sql: String, _ arguments: [SQLArguments]) throws -> [PostgreSQLResult] {
      let sql = statements.translated(sql)
      if arguments.count <= 1 { return try arguments.map { try connection.run(sql, $0.parameters) } }
      return try connection.pipeline(arguments.map { (sql, $0.parameters) })
    }

    private func rows(_ result: PostgreSQLResult) -> [SQLRow] {
      let columns = SQLColumns(result.columns, damage)
      return result.rows.map { SQLRow(values: $0.map { SQLValue($0) }, columns: columns) }
    }
  }

  extension SQLArguments {
    fileprivate var parameters: [PostgreSQLValue] { values.map { PostgreSQLValue($0) } }
  }

  extension SQLValue {
    init(_ value: PostgreSQLValue) {
      switch value {
      case .integer(let number): self = .integer(number)
      case .real(let number): self = .real(number)
      case .text(let text): self = .text(text)
      case .bytes(let bytes): self = .bytes(Data(bytes))
      case .boolean(let yes): self = .boolean(yes)
      // The store's statements return no arrays.
      default: self = .null(.integer)
      }
    }
  }

  extension PostgreSQLValue {
    init(_ value: SQLValue) {
      switch value {
      case .null(let type): self = .nullOf(Kind(type))
      case .integer(let number): self = .integer(number)
      case .real(let number): self = .real(number)
      case .text(let text): self = .text(text)
      case .bytes(let bytes): self = .bytes([UInt8](bytes))
      case .boolean(let yes): self = .boolean(yes)
      }
    }

    /// An array of a column's values. Values of another type become null; the store's rows contain none.
    init(_ values: some Sequence<SQLValue>, of type: SQLType) {
      switch type {
      case .integer:
        self = .integers(values.map { if case .integer(let number) = $0 { number } else { nil } })
      case .real: self = .reals(values.map { if case .real(let number) = $0 { number } else { nil } })
      case .text:
        self = .texts(values.map { if case .text(let text) = $0 { text } else { nil } })
      case .bytes:
        self = .byteArrays(values.map { if case .bytes(let bytes) = $0 { [UInt8](bytes) } else { nil } })
      case .boolean: self = .booleans(values.map { if case .boolean(let yes) = $0 { yes } else { nil } })
      }
    }
  }

  extension PostgreSQLValue.Kind {
    init(_ type: SQLType) {
      switch type {
      case .integer: self = .integer
      case .real: self = .real
      case .text: self = .text
      case .bytes: self = .bytes
      case .boolean: self = .boolean
      }
    }
  }
#endif
