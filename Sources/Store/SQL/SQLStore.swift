import AlarmEngine

/// The store in a database that speaks SQL: one SQLite file, or PostgreSQL.
public final class SQLStore: ServerStore {
  let database: any SQLDatabase

  init(_ database: any SQLDatabase) { self.database = database }

  public func close() async throws(StoreError) { try await database.close() }

  /// One transaction.
  func write<Value: Sendable>(
    _ writing: SQLWriting = .edit, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value {
    try await database.write(writing, body)
  }

  /// All that `body` reads is of one moment.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws(StoreError) -> Value {
    try await database.read(body)
  }
}
