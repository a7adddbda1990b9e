import AlarmEngine
import Foundation

/// A running transaction, in whichever database. The store's statements are written once, in SQL that SQLite 3.40 and
/// PostgreSQL 15 both understand; parameters are `?`, or `?1` where one is used more than once.
///
/// What is not the same in both has a word of ours: `rowid` in a subquery that says which rows go, and `min` and `max` of
/// two numbers.
protocol SQLTransaction {
  /// What other processes hear of it.
  var news: SQLNews { get }
  /// Runs one statement, prepared once for each connection.
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ arguments: SQLArguments) throws -> Int
  /// Runs one statement for each of the arguments, in this order. With PostgreSQL they travel together.
  /// - Returns: how many rows each changed.
  @discardableResult
  func run(_ sql: String, each arguments: [SQLArguments]) throws -> [Int]
  func rows(_ sql: String, _ arguments: SQLArguments) throws -> [SQLRow]
  /// The rows of one statement for each of the arguments.
  func rows(_ sql: String, each arguments: [SQLArguments]) throws -> [[SQLRow]]
  /// Goes through rows without holding all of them.
  func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws
  /// Runs an insertion; `.taken` when a key is there already, `.notFound` when what it belongs to is not.
  func insert(_ sql: String, _ arguments: SQLArguments) throws
  /// Adds many rows at once.
  /// - Parameter orIgnore: leaves out those whose key is there already.
  /// - Returns: how many were added.
  @discardableResult
  func insert(_ table: SQLTable, _ rows: [[SQLValue]], orIgnore: Bool) throws -> Int
}

/// A table, or some of its columns, to add rows to.
struct SQLTable: Sendable {
  struct Column: Hashable, Sendable {
    let name: String
    let type: SQLType
  }
  let name: String
  let columns: [Column]

  /// - Parameter columns: each with its type.
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
  @discardableResult
  func run(_ sql: String) throws -> Int { try run(sql, [] as SQLArguments) }
  func rows(_ sql: String) throws -> [SQLRow] { try rows(sql, [] as SQLArguments) }

  func row(_ sql: String, _ arguments: SQLArguments = []) throws -> SQLRow? { try rows(sql, arguments).first }

  /// The first column of the first row; nil without a row, or for a null.
  func integer(_ sql: String, _ arguments: SQLArguments = []) throws -> Int64? {
    guard let row = try row(sql, arguments) else { return nil }
    return row[0] as Int64?
  }
}

/// What a transaction writes, since databases with several writers lock for it.
enum SQLWriting: Sendable {
  /// People's edits and upkeep: one at a time, as if there were one writer.
  case edit
  /// A batch of the ingest. Beside others of its kind; the rows of engine versions order what concerns one device.
  case ingest
  /// Leases of the outbox: one at a time.
  case lease
  /// A row or a few, on which nothing else rests.
  case note
  /// Tries that are counted: no other process need hear of them, and a crash may forget the last.
  case count
}

/// A database with the store's tables.
protocol SQLDatabase: Sendable {
  /// One transaction: complete when it returns, without effect when it throws.
  func write<Value: Sendable>(
    _ writing: SQLWriting, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value
  /// All that `body` reads is of one moment.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value
  func close() async throws(StoreError)

  /// What `MaintenanceStore` says, as far as it is the database's own.
  func backUp(to path: String, progress: @escaping @Sendable (Double) -> Void) async throws(StoreError)
  /// Damage that the database itself finds.
  func issues(isQuick: Bool) async throws(StoreError) -> [String]
  func checkWritable() async throws(StoreError)
  /// Sizes on the disk, in bytes.
  func sizes() async throws(StoreError) -> (file: Int64, free: Int64, log: Int64)
  /// What other processes have written, and not this one.
  /// - Parameter number: of the answer before; nil the first time, when nothing is told.
  func writesByOthers(since number: Int64?) async throws(StoreError) -> WritesByOthers
  /// How often that is worth asking.
  var looksForOthersEvery: Duration { get }
  /// What time it is where several processes agree on it: at the database's server; nil where there is none.
  func time() async throws(StoreError) -> Instant?
  /// Makes room for positions of the days to come, and lets go of whole days, where days are kept apart.
  /// - Parameters:
  ///   - today: the number of the day, UTC, since 1970.
  ///   - oldest: days before it go; nil keeps all.
  /// - Returns: how many days were made or are gone.
  func arrangeDays(today: Int64, oldest: Int64?) async throws(StoreError) -> Int
  /// Rows were copied into these tables with the numbers they had: the next number is after them.
  func finishCopy(of tables: [SQLTable]) async throws(StoreError)
}
