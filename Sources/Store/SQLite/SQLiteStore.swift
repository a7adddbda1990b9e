import AlarmEngine
import Foundation
import GRDB
import NIOConcurrencyHelpers

/// The store in one SQLite file: one writer, readers beside it, nothing acknowledged before it is on the disk.
///
/// Write-ahead log, `synchronous=FULL`, foreign keys on. One process at a time should write; another that does makes
/// this one wait, and `.locked` after `Options.busyTimeout`.
public final class SQLiteStore: ServerStore {
  public struct Options: Hashable, Sendable {
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

  let database: any DatabaseWriter
  /// Nil in memory.
  let path: String?
  private let isClosed = NIOLockedValueBox(false)

  /// Opens the file, or makes it, and brings its tables up to date.
  ///
  /// - Throws: `.cannotOpen`, `.foreignFile`, `.newerSchema`, `.corrupted`, `.locked`, `.readOnly`, `.diskFull`.
  public init(path: String, options: Options = Options()) throws(StoreError) {
    self.path = path
    do {
      let pool = try DatabasePool(path: path, configuration: Self.configuration(options))
      // Making a pool sets NORMAL, whatever was prepared before.
      try pool.writeWithoutTransaction { try Self.settle($0, options) }
      try SQLiteSchema.migrate(pool)
      database = pool
    } catch { throw StoreError(error, path: path) }
  }

  private init(_ queue: DatabaseQueue) {
    database = queue
    path = nil
  }

  /// A store that is gone with the process: for tests and trials.
  public static func inMemory() throws(StoreError) -> SQLiteStore {
    do {
      let queue = try DatabaseQueue(configuration: configuration(Options()))
      try SQLiteSchema.migrate(queue)
      return SQLiteStore(queue)
    } catch { throw StoreError(error) }
  }

  private static func configuration(_ options: Options) -> Configuration {
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

  private static func settle(_ database: Database, _ options: Options) throws {
    try database.execute(sql: "PRAGMA synchronous = FULL")
    try database.execute(sql: "PRAGMA cache_size = -\(max(1, options.cacheKibibytes))")
    // A log that a long reader made large is cut to this many bytes when it begins anew.
    try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
    if let pages = options.maximumPages { try database.execute(sql: "PRAGMA max_page_count = \(pages)") }
  }

  public func close() async throws(StoreError) {
    // The pool closes its writer before its readers, and the last one cannot empty the log. Where that is not
    // possible (a full disk, another process) the log stays, and is read at the next opening.
    isClosed.withLockedValue { $0 = true }
    // A queue in memory does not bear being asked once it is closed: it goes with the store.
    guard path != nil else { return }
    _ = try? await database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    do { try database.close() } catch { throw StoreError(error) }
  }

  /// One transaction.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreError) -> Value {
    if isClosed.withLockedValue({ $0 }) { throw .closed }
    do { return try await database.write(body) } catch { throw StoreError(error) }
  }

  /// All that `body` reads is of one moment.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws(StoreError) -> Value {
    if isClosed.withLockedValue({ $0 }) { throw .closed }
    do {
      // In memory there is one connection, for one after the other: to make it read-only for each reading would cost as
      // much as the reading.
      return try await path == nil ? database.unsafeRead(body) : database.read(body)
    } catch { throw StoreError(error) }
  }
}
