/// Why a statement or a connection failed.
public struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The SQLSTATE: five characters, by the server or, where it could say none, by this client.
  public let code: String
  /// One sentence; never a password, and of the server's details none, since they may quote rows.
  public let message: String
  /// The constraint that was violated.
  public let constraint: String?

  public init(code: String, message: String, constraint: String? = nil) {
    self.code = code
    self.message = message
    self.constraint = constraint
  }

  /// The connection is gone, or there was none: closed, refused, or the server is starting or stopping.
  ///
  /// A statement outside a transaction may have been carried out all the same.
  public var isConnectionLost: Bool { code.hasPrefix("08") || ["57P01", "57P02", "57P03"].contains(code) }

  /// The connection was lost while a transaction was being committed: the transaction may hold or not.
  public var isOutcomeUnknown: Bool { code == "08007" }

  /// The whole transaction may be tried again at once: a serialisation failure or a deadlock.
  public var isRepeatable: Bool { code == "40001" || code == "40P01" }

  /// A unique constraint or primary key refused a row.
  public var isDuplicate: Bool { code == "23505" }

  /// A row refers to one that is missing, or is still referred to.
  public var isForeignKeyViolation: Bool { code == "23503" }

  /// The statement was cancelled: by `cancel`, or because it took longer than the server allows.
  public var isCancelled: Bool { code == "57014" }

  public var description: String { "PostgreSQL: \(message) (\(code))" }
}
