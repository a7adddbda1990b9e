import AlarmEngine
import Foundation

/// A running transaction in either database. The store's statements are written once, in SQL that both SQLite
/// 3.40 and PostgreSQL 15 understand; parameters are `?`, or `?1` if one is used more than once.
///
/// Two constructs of SQLite are supported in PostgreSQL: `rowid` in a subquery that selects rows to delete,
/// which is translated, and `min` and `max` of two numbers, which the schema defines as functions.
protocol SQLTransaction {
  /// The notification for other processes.
  var changes: TransactionChanges { get }
  /// Runs one statement, prepared once for each connection.
  /// - Returns: the number of rows changed.
  @discardableResult
  func run(_ sql: String, _ arguments: SQLArguments) throws -> Int
  /// Runs one statement once for each element of `arguments`, in this order. PostgreSQL gets them in one
  /// round trip.
  /// - Returns: the number of rows changed by each.
  @discardableResult
  func run(_ sql: String, each arguments: [SQLArguments]) throws -> [Int]
  func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow]
  /// Returns the rows of one statement for each element of `arguments`.
  func rows(_ sql: String, each arguments: [SQLArguments]) throws -> [[SQLRow]]
  /// Returns the rows of a statement that reads `rows` as a table `given`. PostgreSQL runs one statement
  /// however many rows there are. SQLite runs it once for each row, so the statement has to treat each row by
  /// itself.
  /// - Parameters:
  ///   - table: the columns of `given`. The name is for readers only.
  ///   - arguments: the arguments of the statement itself: `?1`, `?2` and so on.
  func rows(
    _ sql: String, given table: SQLTable, _ rows: [[SQLValue]], _ arguments: SQLArguments
  ) throws -> [SQLRow]
  /// Calls `body` for each row without holding all of them in memory.
  func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws
  /// Runs an insertion. Throws `.taken` if a key exists already, `.notFound` if a row that it refers to does
  /// not.
  func insert(_ sql: String, _ arguments: SQLArguments) throws
  /// Adds many rows at once; PostgreSQL uses one statement however many they are.
  /// - Parameter conflict: the treatment of rows whose key exists already. No two of `rows` may have the same
  ///   key.
  /// - Returns: the number of rows added or changed.
  @discardableResult
  func insert(_ table: SQLTable, _ rows: [[SQLValue]], onConflict conflict: SQLConflict) throws
    -> Int
  /// Changes one row for each of `rows`. PostgreSQL uses one statement, which locks the rows in the order of
  /// their keys, like every other writer of them.
  /// - Parameters:
  ///   - table: the columns that must have the values in `rows`. The first is the table's key, an integer.
  ///   - rows: values with distinct keys.
  ///   - changes: the SET clause, without parameters.
  /// - Returns: the keys of the rows that matched and were changed.
  func update(_ table: SQLTable, _ rows: [[SQLValue]], set changes: String) throws -> Set<Int64>
}

/// The treatment of a new row whose key exists already.
enum SQLConflict: Sendable {
  /// The statement fails.
  case fail
  /// The new row is left out.
  case ignore
  /// The existing row is changed: the conflicting key, and the SET clause. `excluded` is the new row.
  case update(String, set: String)

  /// The clause at the end of the INSERT statement.
  var clause: String {
    switch self {
    case .fail: ""
    case .ignore: " ON CONFLICT DO NOTHING"
    case .update(let key, let changes): " ON CONFLICT (\(key)) DO UPDATE SET \(changes)"
    }
  }
}

/// A table, or some of its columns, for added rows.
struct SQLTable: Sendable {
  struct Column: Hashable, Sendable {
    let name: String
    let type: SQLType
  }
  let name: String
  let columns: [Column]

  /// - Parameter columns: the names with their types.
  init(_ name: String, _ columns: KeyValuePairs<String, SQLType>) {
    self.name = name
    self.columns = columns.map { Column(name: $0.key, type: $0.value) }
  }

  init(_ name: String, _ columns: [Column]) {
    self.name = name
    self.columns = columns
  }
}

extension SQLTransaction {
  /// - Parameter orIgnore: whether rows whose key exists already are left out.
  @discardableResult
  func insert(_ table: SQLTable, _ rows: [[SQLValue]], orIgnore: Bool) throws -> Int {
    try insert(table, rows, onConflict: orIgnore ? .ignore : .fail)
  }
  @discardableResult
  func run(_ sql: String) throws -> Int { try run(sql, [] as SQLArguments) }
  func rows(_ sql: String) throws -> [SQLRow] { try rows(sql, [] as SQLArguments) }
  func rows(_ sql: String, given table: SQLTable, _ rows: [[SQLValue]]) throws -> [SQLRow] {
    try self.rows(sql, given: table, rows, [])
  }

  func row(_ sql: String, _ arguments: SQLArguments = []) throws -> SQLRow? { try rows(sql, arguments).first }

  /// The first column of the first row; nil if there is no row or the value is null.
  func integer(_ sql: String, _ arguments: SQLArguments = []) throws -> Int64? {
    guard let row = try row(sql, arguments) else { return nil }
    return row[0] as Int64?
  }
}

/// The kind of data that a transaction writes. Databases with several writers choose their locks by it.
enum SQLWriting: Sendable {
  /// People's edits and maintenance: one at a time, and not while an ingest batch is written.
  case edit
  /// A batch of the ingest. Batches run at the same time; rows in `engine_version` order those about one
  /// device.
  case ingest
  /// Leases of the outbox or of roles: one at a time.
  case lease
  /// One or a few rows on which no other data depends.
  case note
  /// Counters such as rate limits. Other processes are not notified, and a crash may lose the last writes.
  case count
}

/// A database with the store's tables.
protocol SQLDatabase: Sendable {
  /// Runs one write transaction: complete when it returns, without effect when it throws.
  func write<Value: Sendable>(
    _ writing: SQLWriting, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value
  /// Runs one read transaction: `body` sees the data of one moment.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value
  func close() async throws(StoreError)

  /// See `SQLStore.backUp`.
  func backUp(to path: String, progress: @escaping @Sendable (Double) -> Void) async throws(StoreError)
  /// Returns damage that the database itself finds.
  func issues(isQuick: Bool) async throws(StoreError) -> [String]
  func checkWritable() async throws(StoreError)
  /// See `SQLStore.forgetErased`.
  func forgetErased() async throws(StoreError)
  /// The sizes on the disk, in bytes.
  func sizes() async throws(StoreError) -> (file: Int64, free: Int64, log: Int64)
  /// Returns the notifications of writes by other processes, not by this one.
  /// - Parameter number: the number from the previous answer; nil the first time, when none are returned.
  func writesByOthers(since number: Int64?) async throws(StoreError) -> WritesByOthers
  /// The interval at which to call `writesByOthers`.
  var looksForOthersEvery: Duration { get }
  /// The time by the database server's clock, which all processes share; nil if there is no server.
  func time() async throws(StoreError) -> Instant?
  /// See `SQLStore.takeConnectionFigures`.
  func takeConnectionFigures() -> ConnectionFigures?
  /// Prepares partitions for the fixes of the coming days, and drops whole days, if the database keeps days
  /// apart.
  /// - Parameters:
  ///   - today: the number of the day, UTC, since 1970.
  ///   - oldest: earlier days are dropped; nil keeps all.
  /// - Returns: the number of days prepared or dropped.
  func arrangeDays(today: Int64, oldest: Int64?) async throws(StoreError) -> Int
  /// Sets the number sequences of these tables after their copied rows.
  func finishCopy(of tables: [SQLTable]) async throws(StoreError)
}
