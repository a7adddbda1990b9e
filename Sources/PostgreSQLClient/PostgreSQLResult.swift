/// The result of a statement.
public struct PostgreSQLResult: Sendable {
  public let rows: [[PostgreSQLValue]]
  public let columns: [String]
  /// The number of rows inserted, updated, deleted or copied; for a SELECT, of rows returned.
  public let changed: Int
}
