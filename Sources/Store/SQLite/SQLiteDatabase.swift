import AlarmEngine
import Foundation
import GRDB
import NIOConcurrencyHelpers

/// The settings with which an SQLite file is opened.
public struct SQLiteOptions: Hashable, Sendable {
  /// The time to wait for another process.
  public var busyTimeout = TimeSpan.seconds(5)
  /// The number of connections that read while the writer writes.
  public var readers = 4
  /// The size of the writer's page cache in KiB; each reader has a quarter of it.
  public var cacheKibibytes = 16_384
  /// The largest size of the file, in pages of 4 KiB; nil for no limit but the disk.
  public var maximumPages: Int?
  public init() {}
}

extension SQLStore {
  /// Opens or creates the SQLite file, and migrates its tables. There is one writer with concurrent readers,
  /// and nothing is acknowledged before it is on the disk.
  ///
  /// Write-ahead log, `synchronous=FULL`, foreign keys on. One process at a time should write; another
  /// writing process makes this one wait, and throw `.locked` after `SQLiteOptions.busyTimeout`.
  /// - Throws: `.cannotOpen`, `.foreignFile`, `.newerSchema`, `.unreleasedSchema`, `.corrupted`, `.locked`,
  ///   `.readOnly`, `.diskFull`, `.emptied`.
  public convenience init(
    sqlite path: String, options: SQLiteOptions = SQLiteOptions()
  ) throws(StoreError) {
    self.init(try SQLiteDatabase(path: path, options: options))
  }

  /// Returns a store in memory, for tests and trials. Its data is lost with the process.
  public static func inMemory() throws(StoreError) -> SQLStore { SQLStore(try SQLiteDatabase.inMemory()) }
}

/// An SQLite database, accessed with GRDB: a file, or in memory.
final class SQLiteDatabase: SQLDatabase {
  let database: any DatabaseWriter
  /// Nil for a database in memory.
  let path: String?
  private let isClosed = NIOLockedValueBox(false)
  /// The identity of the opened file; nil in memory.
  private let identity: FileIdentity?

  /// The identity of a file, independent of its path.
  private struct FileIdentity: Equatable {
    let device: UInt64
    let inode: UInt64

    /// Returns nil if there is no file.
    init?(path: String) {
      var found = stat()
      guard stat(path, &found) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: found.st_dev)
      inode = UInt64(truncatingIfNeeded: found.st_ino)
    }
  }

  init(path: String, options: SQLiteOptions) throws(StoreError) {
    self.path = path
    try Self.refuseEmptied(path)
    do {
      let pool = try DatabasePool(path: path, configuration: Self.configuration(options))
      // Creating a pool sets NORMAL, whatever was configured before.
      try pool.writeWithoutTransaction { try Self.settle($0, options) }
      try SQLiteSchema.migrate(pool)
      database = pool
      identity = FileIdentity(path: path)
    } catch { throw StoreError(error, path: path) }
  }

  /// Refuses an empty or missing file with a log beside it: SQLite would create a new database and delete the
  /// log.
  private static func refuseEmptied(_ path: String) throws(StoreError) {
    guard size(of: path) == 0 else { return }
    let isThere = FileManager.default.fileExists(atPath: path)
    for suffix in ["-wal", "-shm"] {
      let beside = path + suffix
      // An empty log proves nothing if there is no file at all.
      guard isThere ? FileManager.default.fileExists(atPath: beside) : size(of: beside) > 0 else { continue }
      throw .emptied(path: path, beside: (beside as NSString).lastPathComponent)
    }
  }

  private init(_ queue: DatabaseQueue) {
    database = queue
    path = nil
    identity = nil
  }

  static func inMemory() throws(StoreError) -> SQLiteDatabase {
    do {
      let queue = try DatabaseQueue(configuration: configuration(SQLiteOptions()))
      try SQLiteSchema.migrate(queue)
      return SQLiteDatabase(queue)
    } catch { throw StoreError(error) }
  }

  private static func configuration(_ options: SQLiteOptions) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(options.busyTimeout.seconds)
    configuration.maximumReaderCount = max(1, options.readers)
    configuration.label = "store"
    // Error messages must not contain stored data.
    configuration.publicStatementArguments = false
    let cache = max(1, options.cacheKibibytes / 4)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(cache)") }
    return configuration
  }

  private static func settle(_ database: Database, _ options: SQLiteOptions) throws {
    try database.execute(sql: "PRAGMA synchronous = FULL")
    try database.execute(sql: "PRAGMA cache_size = -\(max(1, options.cacheKibibytes))")
    // The size in bytes to which a log that grew during a long read is cut at its next restart.
    try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
    // Overwrite deleted content. Debian's SQLite does so by default, other builds do not.
    _ = try Row.fetchAll(database, sql: "PRAGMA secure_delete = ON")
    if let pages = options.maximumPages { try database.execute(sql: "PRAGMA max_page_count = \(pages)") }
  }

  func close() async throws(StoreError) {
    // The pool closes its writer before its readers, and the last one cannot empty the log. If the checkpoint
    // is not possible (full disk, another process), the log stays and is read at the next opening.
    isClosed.withLockedValue { $0 = true }
    // A closed queue in memory must not be used again, so it stays open and ends with the store.
    guard path != nil else { return }
    _ = try? await database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    do { try database.close() } catch { throw StoreError(error) }
  }

  func write<Value: Sendable>(
    _ writing: SQLWriting, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value {
    try checkOpen()
    try checkFile()
    do { return try await database.write { try SQLiteTransaction.run($0, body) } } catch {
      throw StoreError(error)
    }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value {
    try checkOpen()
    let read: @Sendable (Database) throws -> Value = { try SQLiteTransaction.run($0, body) }
    do {
      // The database in memory has a single connection. Making it read-only for each read would cost as much
      // as the read itself.
      return try await path == nil ? database.unsafeRead(read) : database.read(read)
    } catch { throw StoreError(error) }
  }

  /// Refuses to write into a file that was replaced or removed, since the data would be lost.
  private func checkFile() throws(StoreError) {
    guard let path, let identity else { return }
    if FileIdentity(path: path) != identity { throw .fileReplaced(path: path) }
  }

  private func checkOpen() throws(StoreError) {
    if isClosed.withLockedValue({ $0 }) { throw .closed }
  }
}

// MARK: Upkeep

extension SQLiteDatabase {
  /// Empties the log, whose pages may hold erased data. Deleted content in the file is overwritten already
  /// (`secure_delete`).
  func forgetErased() async throws(StoreError) {
    guard path != nil else { return }
    // Readers of older snapshots keep the log; it is then emptied at the next call or on closing.
    _ = try? await database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  func backUp(
    to path: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws(StoreError) {
    try await Self.writeWhole(path) { partial in
      // One read transaction spans the whole backup, so that writes do not restart it.
      try await self.database.read { source in
        let target = try DatabaseQueue(path: partial)
        try target.writeWithoutTransaction { target in
          try source.backup(to: target, pagesPerStep: 1024) { step in
            let total = max(1, step.totalPageCount)
            progress(Double(step.completedPageCount) / Double(total))
          }
          // The copy is a single file, without a log.
          try target.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try target.close()
      }
    }
  }

  /// Writes a new file under a temporary name. It appears under its own name when complete, or not at all.
  static func writeWhole(
    _ path: String, _ write: (_ partial: String) async throws -> Void
  ) async throws(StoreError) {
    guard !FileManager.default.fileExists(atPath: path) else { throw .taken }
    let partial = path + ".partial"
    func discard() {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: partial + suffix)
      }
    }
    discard()
    do {
      try await write(partial)
      try settle(partial, as: path)
    } catch {
      discard()
      throw StoreError(error, path: path)
    }
  }

  /// Renames the file, and flushes its folder so that the new name is on the disk.
  private static func settle(_ partial: String, as path: String) throws {
    guard rename(partial, path) == 0 else { throw StoreError.cannotOpen(path: path) }
    let parent = (path as NSString).deletingLastPathComponent
    let folder = open(parent.isEmpty ? "." : parent, O_RDONLY)
    guard folder >= 0 else { return }
    fsync(folder)
    Foundation.close(folder)
  }

  func issues(isQuick: Bool) async throws(StoreError) -> [String] {
    try checkOpen()
    do {
      return try await database.read { database in
        let check = isQuick ? "PRAGMA quick_check(20)" : "PRAGMA integrity_check(100)"
        var issues = try String.fetchAll(database, sql: check).filter { $0 != "ok" }
        guard !isQuick else { return issues }
        for row in try Row.fetchAll(database, sql: "PRAGMA foreign_key_check") {
          issues.append("a row of \(row[0] as String) belongs to nothing in \(row[2] as String)")
        }
        return issues
      }
    } catch { throw StoreError(error) }
  }

  func checkWritable() async throws(StoreError) { try await write(.note) { _ in } }

  func time() async throws(StoreError) -> Instant? { nil }

  func takeConnectionFigures() -> ConnectionFigures? { nil }

  /// SQLite stores all days in one tree, so there are no partitions to prepare.
  func arrangeDays(today: Int64, oldest: Int64?) async throws(StoreError) -> Int { 0 }

  /// SQLite continues after the highest number in the table by itself.
  func finishCopy(of tables: [SQLTable]) async throws(StoreError) {}

  func sizes() async throws(StoreError) -> (file: Int64, free: Int64, log: Int64) {
    let log = path.map { Self.size(of: $0 + "-wal") } ?? 0
    do {
      return try await database.read { database in
        func number(_ sql: String) throws -> Int64 { try Int64.fetchOne(database, sql: sql) ?? 0 }
        let page = try number("PRAGMA page_size")
        return (try number("PRAGMA page_count") * page, try number("PRAGMA freelist_count") * page, log)
      }
    } catch { throw StoreError(error) }
  }

  private static func size(of path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }

  /// Each call reads a counter in shared memory, but has to wait for the writer.
  var looksForOthersEvery: Duration { .milliseconds(400) }

  /// The file does not tell what the others' transactions changed, so any new one may have changed anything.
  func writesByOthers(since number: Int64?) async throws(StoreError) -> WritesByOthers {
    let latest = try await transactionsOfOthers()
    let changes = number == nil || number == latest ? TransactionChanges.Note() : .anything
    return WritesByOthers(number: latest, changes: changes)
  }

  private func transactionsOfOthers() async throws(StoreError) -> Int64 {
    // A database in memory has no other processes.
    guard path != nil else { return 0 }
    // On the writing connection, `data_version` does not count this process's own writes.
    do {
      return try await database.writeWithoutTransaction {
        try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0
      }
    } catch { throw StoreError(error) }
  }
}
