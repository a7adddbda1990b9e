#if PostgreSQL
  import AlarmEngine
  import Foundation
  import NIOConcurrencyHelpers
  import PostgreSQLClient

  /// The settings with which a PostgreSQL database is used.
  public struct PostgreSQLOptions: Hashable, Sendable {
    /// The number of connections that write, and as many that read.
    public var connections = 4
    /// The time for which a call waits for an unreachable database before it fails.
    public var patience = TimeSpan.seconds(8)
    public init() {}
  }

  extension SQLStore {
    /// Opens a PostgreSQL database and migrates its tables. Any number of processes may use it at the same
    /// time.
    ///
    /// - Parameter url: a libpq URL `postgres://user:password@host:port/database`, with parameters such as
    ///   `sslmode` after a `?`.
    /// - Throws: `.badAddress`, `.unavailable`, `.foreignFile`, `.newerSchema`, `.unreleasedSchema`,
    ///   `.readOnly`.
    public convenience init(
      postgreSQL url: String, options: PostgreSQLOptions = PostgreSQLOptions()
    ) async throws(StoreError) {
      self.init(try await PostgreSQLDatabase(url, options))
    }
  }

  /// A database on a PostgreSQL server, accessed with libpq.
  ///
  /// Transactions are `READ COMMITTED`. Those that must not run at the same time take an advisory lock, which
  /// the server releases at the end of the transaction even if the process dies. Such a transaction therefore
  /// sees the same as with SQLite's single writer.
  final class PostgreSQLDatabase: SQLDatabase {
    /// The class of our advisory locks, which distinguishes them from those of other programs: "PRXA".
    static let lockClass: Int32 = 0x5052_5841
    private enum Lock: Int32 {
      case writing = 1
      case leasing, migrating, arranging
    }

    let address: PostgreSQLAddress
    private let writers: PostgreSQLPool
    private let readers: PostgreSQLPool
    private let statements = PostgreSQLStatements()
    private let patience: Duration
    private let signals: PostgreSQLSignals
    private let isClosed = NIOLockedValueBox(false)

    /// - Parameter steps: the migration steps; tests of an upgrade pass others.
    init(
      _ url: String, _ options: PostgreSQLOptions, steps: [String] = PostgreSQLSchema.steps
    ) async throws(StoreError) {
      do { address = try PostgreSQLAddress(url) } catch { throw .badAddress("\(error)") }
      patience = .milliseconds(options.patience.milliseconds)
      writers = PostgreSQLPool(address, connections: max(1, options.connections), label: "writer")
      readers = PostgreSQLPool(address, connections: max(1, options.connections), label: "reader")
      signals = PostgreSQLSignals(address)
      do {
        try await writers.run {
          try PostgreSQLSchema.migrate($0, by: steps, lock: "\(Self.lockClass), \(Lock.migrating.rawValue)")
        }
      } catch {
        await writers.close()
        await readers.close()
        throw StoreError(error)
      }
      signals.start()
    }

    func close() async throws(StoreError) {
      isClosed.withLockedValue { $0 = true }
      await signals.stop()
      await writers.close()
      await readers.close()
    }

    func write<Value: Sendable>(
      _ writing: SQLWriting, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
      try await write(writing, patience: patience, body)
    }

    private func write<Value: Sendable>(
      _ writing: SQLWriting, patience: Duration,
      _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
      let begin = "BEGIN ISOLATION LEVEL READ COMMITTED" + Self.lock(for: writing)
      let (value, changes) = try await withConnection(of: writers, patience: patience) {
        [statements] connection in
        // Repeat after a deadlock, which the server resolves by failing one of the transactions.
        for _ in 0..<Self.repeatsAtMost {
          do {
            return try connection.transaction(begin) {
              let transaction = PostgreSQLTransaction(connection: $0, statements: statements)
              return (try transaction.run(body), transaction.changes.note)
            }
          } catch let error as PostgreSQLError where error.isRepeatable {}
        }
        throw StoreError.locked
      }
      signals.wrote(changes)
      return value
    }

    private static let repeatsAtMost = 20

    private static func lock(for writing: SQLWriting) -> String {
      switch writing {
      case .edit: "; SELECT pg_advisory_xact_lock(\(lockClass), \(Lock.writing.rawValue))"
      case .ingest: "; SELECT pg_advisory_xact_lock_shared(\(lockClass), \(Lock.writing.rawValue))"
      case .lease: "; SELECT pg_advisory_xact_lock(\(lockClass), \(Lock.leasing.rawValue))"
      case .note: ""
      case .count: "; SET LOCAL synchronous_commit TO off"
      }
    }

    func read<Value: Sendable>(
      _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
      try await withConnection(of: readers) { [statements] connection in
        try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
          try PostgreSQLTransaction(connection: $0, statements: statements).run(body)
        }
      }
    }

    /// Runs `body`. After a lost connection it is run again on another, unless the loss occurred while
    /// committing, when the transaction may have been committed.
    private func withConnection<Value: Sendable>(
      of pool: PostgreSQLPool, patience: Duration? = nil,
      _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws(StoreError) -> Value {
      let last = ContinuousClock.now + (patience ?? self.patience)
      var pause = Duration.milliseconds(20)
      while true {
        if isClosed.withLockedValue({ $0 }) { throw .closed }
        do { return try await pool.run(body) } catch {
          guard let lost = error as? PostgreSQLError, lost.isConnectionLost, !lost.isOutcomeUnknown,
            ContinuousClock.now + pause < last
          else { throw StoreError(error) }
        }
        do { try await Task.sleep(for: pause) } catch { throw .cancelled }
        pause = min(pause * 2, .seconds(1))
      }
    }

    // MARK: Upkeep

    func backUp(
      to path: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws(StoreError) {
      try await SQLCopy.backUp(self, to: path, progress: progress)
    }

    func issues(isQuick: Bool) async throws(StoreError) -> [String] {
      // The server verifies its pages with checksums when reading them. An invalid index can be rebuilt
      // without loss.
      guard !isQuick else { return [] }
      return try await read { database in
        try database.rows(
          "SELECT CAST(CAST(indexrelid AS regclass) AS text) FROM pg_index WHERE NOT indisvalid"
        ).map { "index \($0[0] as String) is not valid: rebuild it with REINDEX" }
      }
    }

    func checkWritable() async throws(StoreError) {
      // A write with a transaction id fails on a standby or a read-only database. The short patience reports
      // an unreachable database quickly.
      try await write(.note, patience: min(patience, .milliseconds(500))) {
        _ = try $0.integer("SELECT CAST(CAST(pg_current_xact_id() AS text) AS bigint)")
      }
    }

    /// PostgreSQL's vacuum removes deleted rows from their pages, so there is nothing to do here.
    func forgetErased() async throws(StoreError) {}

    func sizes() async throws(StoreError) -> (file: Int64, free: Int64, log: Int64) {
      let size = try await read { try $0.integer("SELECT pg_database_size(current_database())") ?? 0 }
      return (size, 0, 0)
    }

    func time() async throws(StoreError) -> Instant? {
      try await read { database in
        try database.integer("SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)")
          .map { Instant(sql: $0) }
      }
    }

    func takeConnectionFigures() -> ConnectionFigures? {
      let (lost, heardAfter) = signals.takeFigures()
      return ConnectionFigures(
        freeWriters: writers.free, freeReaders: readers.free,
        lost: writers.lost + readers.lost + lost,
        heardAfter: heardAfter)
    }

    func arrangeDays(today: Int64, oldest: Int64?) async throws(StoreError) -> Int {
      try await withConnection(of: writers) {
        try PostgreSQLDays.arrange(
          $0, lock: "\(Self.lockClass), \(Lock.arranging.rawValue)", today: today, oldest: oldest)
      }
    }

    func finishCopy(of tables: [SQLTable]) async throws(StoreError) {
      try await write(.edit) { database in
        for table in tables {
          for column in table.columns where ["number", "cursor"].contains(column.name) {
            _ = try database.rows(
              """
              SELECT setval(pg_get_serial_sequence('\(table.name)', '\(column.name)'),
                (SELECT max(\(column.name)) FROM \(table.name))) WHERE pg_get_serial_sequence('\(table.name)', '\(column.name)') IS NOT NULL
              """)
          }
          // Update the statistics for the query planner.
          try database.run("ANALYZE \(table.name)")
        }
      }
    }

    /// Asking is cheap, because changes arrive as notifications.
    var looksForOthersEvery: Duration { .milliseconds(20) }

    func writesByOthers(since number: Int64?) async throws(StoreError) -> WritesByOthers {
      signals.heard(since: number)
    }
  }
#endif
