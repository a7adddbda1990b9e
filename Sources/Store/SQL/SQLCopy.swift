import AlarmEngine
import Foundation
import GRDB
import NIOConcurrencyHelpers

extension SQLStore {
  /// Copies all data into another, empty store. Call it again to continue a copy that was broken off. At the
  /// end all rows of both stores are compared.
  ///
  /// - Parameter progress: called from time to time with a value from 0 to 1 and the table being copied;
  ///   false stops.
  /// - Throws: `.taken` if the other store has data of its own; `.cancelled` if it was stopped; `.corrupted`
  ///   if a table differs at the end.
  public func copy(
    to other: SQLStore, progress: @escaping @Sendable (Double, String) -> Bool
  ) async throws(StoreError) {
    try await SQLCopy.copy(database, to: other.database, progress: progress)
  }
}

/// Copies all data of a store into an empty one, between any two databases, to move to another database or
/// for a backup.
///
/// The copy is a snapshot of one moment. A repeated call continues a copy that was broken off: rows that are
/// already there are left as they are. At the end all rows of both are compared.
enum SQLCopy {
  /// The name of the server value that marks a target whose copy has not ended.
  private static let mark = "copy-unfinished"
  private static let rowsAtOnce = 500

  /// - Parameter progress: called from time to time with a value from 0 to 1 and the current step; false
  ///   stops.
  /// - Throws: `.taken` if the target has data of its own; `.corrupted` if a table differs at the end.
  static func copy(
    _ source: any SQLDatabase, to target: any SQLDatabase,
    progress: @escaping @Sendable (Double, String) -> Bool
  ) async throws(StoreError) {
    let tables = try await SQLiteDatabase.tables()
    let isUsed = try await target.read { database in
      let accounts = try database.integer("SELECT count(*) FROM account") ?? 0
      let marked = try database.integer(
        "SELECT 1 FROM server_value WHERE name = ?", [mark])
      return accounts > 0 && marked == nil
    }
    if isUsed { throw .taken }
    try await target.write(.edit) { database in
      try database.run(
        "INSERT INTO server_value (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", [mark, Data()])
      // Empty the tables that the target filled itself, and those without a key to recognise copied rows.
      for table in tables where table.isWhole { try database.run("DELETE FROM \(table.table.name)") }
    }
    let sums = NIOLockedValueBox<[String: TableSum]>([:])
    try await source.read { database in
      var done: Int64 = 0
      let all = max(
        1,
        try tables.reduce(into: Int64(0)) { sum, table in
          sum += try database.integer("SELECT count(*) FROM \(table.table.name)") ?? 0
        })
      for table in tables {
        var sum = TableSum()
        var rows: [[SQLValue]] = []
        func send() throws {
          try wait { [rows] in
            try await target.write(.edit) { database in
              _ = try database.insert(table.table, rows, orIgnore: !table.isWhole)
            }
          }
          done += Int64(rows.count)
          rows.removeAll(keepingCapacity: true)
          guard progress(min(0.9, 0.9 * Double(done) / Double(all)), table.table.name) else {
            throw StoreError.cancelled
          }
        }
        try database.forEachRow(table.query, []) { row in
          let values = table.values(row)
          sum.add(values)
          rows.append(values)
          if rows.count == rowsAtOnce { try send() }
        }
        if !rows.isEmpty { try send() }
        let whole = sum
        sums.withLockedValue { $0[table.table.name] = whole }
      }
    }
    try await target.finishCopy(of: tables.map(\.table))
    try await target.read { database in
      for (place, table) in tables.enumerated() {
        let share = 0.9 + 0.1 * Double(place) / Double(tables.count)
        guard progress(share, "comparing \(table.table.name)") else { throw StoreError.cancelled }
        var sum = TableSum()
        try database.forEachRow(table.query, []) { row in
          let values = table.values(row)
          if table.table.name == "server_value", values.first == .text(mark) { return }
          sum.add(values)
        }
        let expected = sums.withLockedValue { $0[table.table.name] } ?? TableSum()
        guard sum == expected else {
          throw StoreError.corrupted(
            detail:
              "table \(table.table.name) is not the same after copying: \(sum.rows) rows, \(expected.rows) expected"
          )
        }
      }
    }
    try await target.write(.edit) { _ = try $0.run("DELETE FROM server_value WHERE name = ?", [mark]) }
    _ = progress(1, "")
  }

  /// Backs up the data to one SQLite file, which the program opens like any other.
  static func backUp(
    _ source: any SQLDatabase, to path: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws(StoreError) {
    try await SQLiteDatabase.writeWhole(path) { partial in
      let target = try SQLiteDatabase(path: partial, options: SQLiteOptions())
      do {
        try await copy(source, to: target) { share, _ in
          progress(share)
          return true
        }
      } catch {
        try await target.close()
        throw error
      }
      try await target.close()
    }
  }

  /// Waits for `work` on the transaction's own thread, which has nothing else to do.
  private static func wait(_ work: @escaping @Sendable () async throws -> Void) throws {
    let ended = DispatchSemaphore(value: 0)
    let result = NIOLockedValueBox<Result<Void, any Error>>(.success(()))
    Task {
      do { try await work() } catch { result.withLockedValue { $0 = .failure(error) } }
      ended.signal()
    }
    ended.wait()
    try result.withLockedValue { $0 }.get()
  }
}

/// The number of rows of a table and a checksum of their contents that does not depend on their order.
private struct TableSum: Equatable {
  var rows: Int64 = 0
  private var sum: UInt64 = 0

  mutating func add(_ values: [SQLValue]) {
    rows += 1
    var hash = RowHash()
    for value in values { hash.add(value) }
    sum &+= hash.finished
  }
}

/// The FNV-1a hash of a row, mixed at the end so that sums over many rows rarely collide.
private struct RowHash {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  private mutating func add(byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
  private mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      add(byte: UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func add(_ value: SQLValue) {
    switch value {
    case .null: add(byte: 0)
    case .integer(let number):
      add(byte: 1)
      add(UInt64(bitPattern: number))
    case .real(let number):
      add(byte: 2)
      add(number.bitPattern)
    case .text(let text):
      add(byte: 3)
      for byte in text.utf8 { add(byte: byte) }
      add(byte: 0)
    case .bytes(let bytes):
      add(byte: 4)
      add(UInt64(bytes.count))
      for byte in bytes { add(byte: byte) }
    case .boolean(let yes): add(byte: yes ? 6 : 5)
    }
  }

  var finished: UInt64 {
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// A table to copy.
struct CopiedTable: Sendable {
  let table: SQLTable
  /// True if a repeated copy writes the whole table anew, because its rows have no key.
  let isWhole: Bool

  var query: String {
    "SELECT \(table.columns.map(\.name).joined(separator: ", ")) FROM \(table.name)"
  }

  /// The row's values in the types of the columns. SQLite has no booleans, and may store an integer in a
  /// column of reals.
  func values(_ row: SQLRow) -> [SQLValue] {
    zip(table.columns, row.values).map { column, value in
      switch (column.type, value) {
      case (.boolean, .integer(let number)): .boolean(number != 0)
      case (.real, .integer(let number)): .real(Double(number))
      case (let type, .null): .null(type)
      // A text from a file written by a version that did not replace zero bytes yet.
      case (_, .text(let text)): .text(text.withoutZeroBytes)
      default: value
      }
    }
  }
}

extension SQLiteDatabase {
  /// All tables of the store in the order of a new file: referenced tables come first.
  static func tables() async throws(StoreError) -> [CopiedTable] {
    let empty = try inMemory()
    do {
      return try await empty.database.read { database in
        let names = try String.fetchAll(
          database,
          sql:
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid")
        return try names.map { name in
          let columns = try Row.fetchAll(database, sql: "PRAGMA table_info(\(name))")
          let table = SQLTable(
            name,
            columns.map { row in
              let name: String = row["name"]
              return SQLTable.Column(name: name, type: type(row["type"], of: name))
            })
          let hasKey = columns.contains { ($0["pk"] as Int) > 0 }
          // Tables with a single row, which every new database already has.
          let isSingle = table.columns.first?.name == "one"
          return CopiedTable(table: table, isWhole: !hasKey || isSingle)
        }
      }
    } catch { throw StoreError(error) }
  }

  private static func type(_ declared: String, of column: String) -> SQLType {
    switch declared {
    case "INTEGER": column.hasPrefix("is_") ? .boolean : .integer
    case "REAL": .real
    case "TEXT": .text
    default: .bytes
    }
  }
}
