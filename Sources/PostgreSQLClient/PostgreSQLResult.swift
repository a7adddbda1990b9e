/// What a statement answered.
public struct PostgreSQLResult: Sendable {
  public let rows: [[PostgreSQLValue]]
  public let columns: [String]
  /// How many rows were inserted, updated, deleted or copied; for a SELECT, how many were returned.
  public let changed: Int
}
