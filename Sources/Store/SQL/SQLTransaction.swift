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
  /// The rows of one statement that reads a table `given`, of which the rows come with it: with PostgreSQL one statement,
  /// however many they are. With SQLite it is run for each of them, so it has to treat each by itself.
  /// - Parameters:
  ///   - table: its columns; its name says only what the rows are of.
  ///   - arguments: of the statement itself, where they are `?1`, `?2` and so on.
  func rows(
    _ sql: String, given table: SQLTable, _ rows: [[SQLValue]], _ arguments: SQLArguments
  ) throws -> [SQLRow]
  /// Goes through rows without holding all of them.
  func forEachRow(_ sql: String, _ arguments: SQLArguments, _ body: (SQLRow) throws -> Void) throws
  /// Runs an insertion; `.taken` when a key is there already, `.notFound` when what it belongs to is not.
  func insert(_ sql: String, _ arguments: SQLArguments) throws
  /// Adds many rows at once: with PostgreSQL by one statement, however many they are.
  /// - Parameter conflict: what becomes of those whose key is there already. No two of `rows` may have the same key.
  /// - Returns: how many were added or changed.
  @discardableResult
  func insert(_ table: SQLTable, _ rows: [[SQLValue]], onConflict conflict: SQLConflict) throws
    -> Int
  /// Changes one row for each of `rows`: with PostgreSQL by one statement, which waits for the rows in the order of their
  /// keys, as whoever else changes them does.
  /// - Parameters:
  ///   - table: the columns that have to be what each of `rows` says. The first is the table's key, an integer.
  ///   - rows: no two with the same key.
  ///   - changes: as SQL writes them, without parameters.
  /// - Returns: the keys of those that were there and were changed.
  func update(_ table: SQLTable, _ rows: [[SQLValue]], set changes: String) throws -> Set<Int64>
}

/// What becomes of a row whose key is in the table already.
enum SQLConflict: Sendable {
  /// The statement fails.
  case fail
  /// It is left out.
  case ignore
  /// The one that is there is changed: the key, and what is set, as SQL writes it. `excluded` is the row that came.
  case update(String, set: String)

  /// At the end of an insertion.
  var clause: String {
    switch self {
    case .fail: ""
    case .ignore: " ON CONFLICT DO NOTHING"
    case .update(let key, let changes): " ON CONFLICT (\(key)) DO UPDATE SET \(changes)"
    }
  }
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
  /// - Parameter orIgnore: leaves out those whose key is there already.
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

  /// What `SQLStore` says, as far as it is the database's own.
  func backUp(to path: String, progress: @escaping @Sendable (Double) -> Void) async throws(StoreError)
  /// Damage that the database itself finds.
  func issues(isQuick: Bool) async throws(StoreError) -> [String]
  func checkWritable() async throws(StoreError)
  /// What `SQLStore` says.
  func forgetErased() async throws(StoreError)
  /// Sizes on the disk, in bytes.
  func sizes() async throws(StoreError) -> (file: Int64, free: Int64, log: Int64)
  /// What other processes have written, and not this one.
  /// - Parameter number: of the answer before; nil the first time, when nothing is told.
  func writesByOthers(since number: Int64?) async throws(StoreError) -> WritesByOthers
  /// How often that is worth asking.
  var looksForOthersEvery: Duration { get }
  /// What time it is where several processes agree on it: at the database's server; nil where there is none.
  func time() async throws(StoreError) -> Instant?
  /// What `SQLStore` says.
  func takeConnectionFigures() -> ConnectionFigures?
  /// Makes room for positions of the days to come, and lets go of whole days, where days are kept apart.
  /// - Parameters:
  ///   - today: the number of the day, UTC, since 1970.
  ///   - oldest: days before it go; nil keeps all.
  /// - Returns: how many days were made or are gone.
  func arrangeDays(today: Int64, oldest: Int64?) async throws(StoreError) -> Int
  /// Rows were copied into these tables with the numbers they had: the next number is after them.
  func finishCopy(of tables: [SQLTable]) async throws(StoreError)
}
