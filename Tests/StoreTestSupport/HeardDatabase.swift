import AlarmEngine

@testable import Store

/// A store's database that reports its statements to a test, each with the arguments that are sent together.
struct HeardDatabase: SQLDatabase {
  let inner: any SQLDatabase
  /// Called before a transaction begins. The transaction waits for it, and fails with its error.
  var hold: @Sendable (SQLWriting) async throws(StoreError) -> Void = { _ throws(StoreError) in }
  let hear: @Sendable (_ sql: String, _ arguments: [SQLArguments]) -> Void

  func write<Value: Sendable>(
    _ writing: SQLWriting, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value {
    try await hold(writing)
    return try await inner.write(writing) { try body(HeardTransaction(inner: $0, hear: hear)) }
  }
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value {
    try await inner.read { try body(HeardTransaction(inner: $0, hear: hear)) }
  }

  // MARK: As the database does it

  func close() async throws(StoreError) { try await inner.close() }
  func backUp(to path: String, progress: @escaping @Sendable (Double) -> Void)
    async throws(StoreError)
  {
    try await inner.backUp(to: path, progress: progress)
  }
  func issues(isQuick: Bool) async throws(StoreError) -> [String] {
    try await inner.issues(isQuick: isQuick)
  }
  func checkWritable() async throws(StoreError) { try await inner.checkWritable() }
  func forgetErased() async throws(StoreError) { try await inner.forgetErased() }
  func sizes() async throws(StoreError) -> (file: Int64, free: Int64, log: Int64) {
    try await inner.sizes()
  }
  func writesByOthers(since number: Int64?) async throws(StoreError) -> WritesByOthers {
    try await inner.writesByOthers(since: number)
  }
  var looksForOthersEvery: Duration { inner.looksForOthersEvery }
  func takeConnectionFigures() -> ConnectionFigures? { inner.takeConnectionFigures() }
  func time() async throws(StoreError) -> Instant? { try await inner.time() }
  func arrangeDays(today: Int64, oldest: Int64?) async throws(StoreError) -> Int {
    try await inner.arrangeDays(today: today, oldest: oldest)
  }
  func finishCopy(of tables: [SQLTable]) async throws(StoreError) {
    try await inner.finishCopy(of: tables)
  }
}

private struct HeardTransaction: SQLTransaction {
  let inner: any SQLTransaction
  let hear: @Sendable (String, [SQLArguments]) -> Void

  var changes: TransactionChanges { inner.changes }
  func run(_ sql: String, _ arguments: SQLArguments) throws -> Int {
    hear(sql, [arguments])
    return try inner.run(sql, arguments)
  }
  func run(_ sql: String, each arguments: [SQLArguments]) throws -> [Int] {
    hear(sql, arguments)
    return try inner.run(sql, each: arguments)
  }
  func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow] {
    hear(sql, [arguments])
    return try inner.rows(sql, arguments)
  }
  func rows(_ sql: String, each arguments: [SQLArguments]) throws -> [[SQLRow]] {
    hear(sql, arguments)
    return try inner.rows(sql, each: arguments)
  }
  func rows(
    _ sql: String, given table: SQLTable, _ rows: [[SQLValue]], _ arguments: SQLArguments
  ) throws -> [SQLRow] {
    hear(sql, rows.map { arguments + SQLArguments($0) })
    return try inner.rows(sql, given: table, rows, arguments)
  }
  func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws {
    hear(sql, [arguments])
    try inner.forEachRow(sql, arguments, body)
  }
  func insert(_ sql: String, _ arguments: SQLArguments) throws {
    hear(sql, [arguments])
    try inner.insert(sql, arguments)
  }
  func insert(_ table: SQLTable, _ rows: [[SQLValue]], onConflict conflict: SQLConflict) throws
    -> Int
  {
    hear("INSERT INTO \(table.name)", rows.map { SQLArguments($0) })
    return try inner.insert(table, rows, onConflict: conflict)
  }
  func update(_ table: SQLTable, _ rows: [[SQLValue]], set changes: String) throws -> Set<Int64> {
    hear("UPDATE \(table.name)", rows.map { SQLArguments($0) })
    return try inner.update(table, rows, set: changes)
  }
}
