import AlarmEngine

/// The server's data, in an SQL database: one SQLite file, or PostgreSQL.
///
/// Each method is one transaction: complete when it returns, without effect when it throws. Methods take the
/// account whose data they use; data of another account is `.notFound`. Both databases pass the same contract
/// suite.
public final class SQLStore: Sendable {
  let database: any SQLDatabase

  init(_ database: any SQLDatabase) { self.database = database }

  /// Closes the database. Every later call throws `.closed`.
  public func close() async throws(StoreError) { try await database.close() }

  /// Runs one write transaction.
  func write<Value: Sendable>(
    _ writing: SQLWriting = .edit, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value {
    try await database.write(writing, body)
  }

  /// Runs one read transaction: `body` sees the data of one moment.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value {
    try await database.read(body)
  }
}
