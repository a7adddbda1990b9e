import AlarmEngine
import Foundation
import GRDB
import NIOConcurrencyHelpers

/// How a file is opened.
public struct SQLiteOptions: Hashable, Sendable {
  /// How long to wait for another process.
  public var busyTimeout = TimeSpan.seconds(5)
  /// Connections that read while the writer writes.
  public var readers = 4
  /// Of the writer's page cache, in KiB; each reader has a quarter of it.
  public var cacheKibibytes = 16_384
  /// The largest the file may become, in pages of 4 KiB; nil: as the disk allows.
  public var maximumPages: Int?
  public init() {}
}

extension SQLStore {
  /// Opens the SQLite file, or makes it, and brings its tables up to date: one writer, readers beside it, nothing
  /// acknowledged before it is on the disk.
  ///
  /// Write-ahead log, `synchronous=FULL`, foreign keys on. One process at a time should write; another that does makes
  /// this one wait, and `.locked` after `SQLiteOptions.busyTimeout`.
  /// - Throws: `.cannotOpen`, `.foreignFile`, `.newerSchema`, `.unreleasedSchema`, `.corrupted`, `.locked`,
  ///   `.readOnly`, `.diskFull`.
  public convenience init(
    sqlite path: String, options: SQLiteOptions = SQLiteOptions()
  ) throws(StoreError) {
    self.init(try SQLiteDatabase(path: path, options: options))
  }

  /// A store that is gone with the process: for tests and trials.
  public static func inMemory() throws(StoreError) -> SQLStore { SQLStore(try SQLiteDatabase.inMemory()) }
}

/// One file, by GRDB.
final class SQLiteDatabase: SQLDatabase {
  let database: any DatabaseWriter
  /// Nil in memory.
  let path: String?
  private let isClosed = NIOLockedValueBox(false)
  /// The file that was opened; nil in memory.
  private let identity: FileIdentity?

  /// Names a file whatever its path.
  private struct FileIdentity: Equatable {
    let device: UInt64
    let inode: UInt64

    /// - Returns: nil where there is no file.
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
      // Making a pool sets NORMAL, whatever was prepared before.
      try pool.writeWithoutTransaction { try Self.settle($0, options) }
      try SQLiteSchema.migrate(pool)
      database = pool
      identity = FileIdentity(path: path)
    } catch { throw StoreError(error, path: path) }
  }

  /// SQLite would make a new database, and throw away the log beside it.
  private static func refuseEmptied(_ path: String) throws(StoreError) {
    guard size(of: path) == 0 else { return }
    let isThere = FileManager.default.fileExists(atPath: path)
    for suffix in ["-wal", "-shm"] {
      let beside = path + suffix
      // An empty log says nothing where there is no file at all.
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
    // What is stored is never in a message.
    configuration.publicStatementArguments = false
    let cache = max(1, options.cacheKibibytes / 4)
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(cache)") }
    return configuration
  }

  private static func settle(_ database: Database, _ options: SQLiteOptions) throws {
    try database.execute(sql: "PRAGMA synchronous = FULL")
    try database.execute(sql: "PRAGMA cache_size = -\(max(1, options.cacheKibibytes))")
    // A log that a long reader made large is cut to this many bytes when it begins anew.
    try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
    // What is deleted is overwritten. Debian's SQLite does so of its own accord, others need to be told.
    _ = try Row.fetchAll(database, sql: "PRAGMA secure_delete = ON")
    if let pages = options.maximumPages { try database.execute(sql: "PRAGMA max_page_count = \(pages)") }
  }

  func close() async throws(StoreError) {
    // The pool closes its writer before its readers, and the last one cannot empty the log. Where that is not
    // possible (a full disk, another process) the log stays, and is read at the next opening.
    isClosed.withLockedValue { $0 = true }
    // A queue in memory does not bear being asked once it is closed: it goes with the store.
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
      // In memory there is one connection, for one after the other: to make it read-only for each reading would cost as
      // much as the reading.
      return try await path == nil ? database.unsafeRead(read) : database.read(read)
    } catch { throw StoreError(error) }
  }

  /// Refuses to write into a file that no longer has its name: nobody would find it again.
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
  /// Deleted content was overwritten with zeros in its pages (`secure_delete`); the log still has pages as they were before.
  func forgetErased() async throws(StoreError) {
    guard path != nil else { return }
    // Readers of older moments keep the log; it is emptied at the next call, or when the file is closed.
    _ = try? await database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
  }

  func backUp(
    to path: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws(StoreError) {
    try await Self.writeWhole(path) { partial in
      // A read transaction is open all the time: a step need not begin again when something was written.
      try await self.database.read { source in
        let target = try DatabaseQueue(path: partial)
        try target.writeWithoutTransaction { target in
          try source.backup(to: target, pagesPerStep: 1024) { step in
            let total = max(1, step.totalPageCount)
            progress(Double(step.completedPageCount) / Double(total))
          }
          // One file, without a log beside it.
          try target.execute(sql: "PRAGMA journal_mode = DELETE")
        }
        try target.close()
      }
    }
  }

  /// Has a new file written under another name; it appears under its own when it is complete, or not at all.
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

  /// Renames, and sees to it that the new name is on the disk.
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

  /// The days lie in one tree, where each begins beside the next.
  func arrangeDays(today: Int64, oldest: Int64?) async throws(StoreError) -> Int { 0 }

  /// SQLite counts by the highest number there is.
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

  /// A look at a number in shared memory, but by way of the writer.
  var looksForOthersEvery: Duration { .milliseconds(400) }

  /// The file does not say what others' transactions were about.
  func writesByOthers(since number: Int64?) async throws(StoreError) -> WritesByOthers {
    let latest = try await transactionsOfOthers()
    let news = number == nil || number == latest ? SQLNews.Note() : .anything
    return WritesByOthers(number: latest, news: news)
  }

  private func transactionsOfOthers() async throws(StoreError) -> Int64 {
    // In memory there are no others.
    guard path != nil else { return 0 }
    // On the connection that writes it does not count what this process writes.
    do {
      return try await database.writeWithoutTransaction {
        try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0
      }
    } catch { throw StoreError(error) }
  }
}
