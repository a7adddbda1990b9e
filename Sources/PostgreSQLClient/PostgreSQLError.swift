/// The reason why a statement or a connection failed.
public struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The SQLSTATE of five characters, from the server or, if it sent none, from this client.
  public let code: String
  /// One sentence without passwords. The server's details are left out, since they may quote rows.
  public let message: String
  /// The constraint that was violated.
  public let constraint: String?

  public init(code: String, message: String, constraint: String? = nil) {
    self.code = code
    self.message = message
    self.constraint = constraint
  }

  /// True if the connection is gone or was never made: closed, refused, or the server is starting or
  /// stopping.
  ///
  /// A statement outside a transaction may have been carried out nevertheless.
  public var isConnectionLost: Bool { code.hasPrefix("08") || ["57P01", "57P02", "57P03"].contains(code) }

  /// True if the connection was lost while committing, so that the transaction may or may not hold.
  public var isOutcomeUnknown: Bool { code == "08007" }

  /// True if the whole transaction may be tried again at once: a serialisation failure or a deadlock.
  public var isRepeatable: Bool { code == "40001" || code == "40P01" }

  /// True if a unique constraint or primary key refused a row.
  public var isDuplicate: Bool { code == "23505" }

  /// True if a row refers to a missing one, or is still referred to.
  public var isForeignKeyViolation: Bool { code == "23503" }

  /// True if the statement was cancelled, by `cancel` or by the server's time limit.
  public var isCancelled: Bool { code == "57014" }

  public var description: String { "PostgreSQL: \(message) (\(code))" }
}
