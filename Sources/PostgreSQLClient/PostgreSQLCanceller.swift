import CPostgreSQL

/// Asks the server to end the statement that a connection is running. May be used from any thread.
public final class PostgreSQLCanceller: @unchecked Sendable {
  // libpq only reads it and allows use from any thread.
  private let handle: OpaquePointer?

  init(_ connection: OpaquePointer?) { handle = connection.flatMap { PQgetCancel($0) } }

  deinit { PQfreeCancel(handle) }

  /// Cancels the statement. It then throws `57014`, unless it has ended before.
  public func cancel() {
    guard let handle else { return }
    var words = [CChar](repeating: 0, count: 256)
    _ = PQcancel(handle, &words, 256)
  }
}

extension PostgreSQLConnection {
  /// A canceller for use on another thread while this one waits for a statement.
  public var canceller: PostgreSQLCanceller { PostgreSQLCanceller(handle) }

  /// Ends the running statement, if there is one: after a `pipeline` or `notifications` that another thread
  /// gave up.
  public func cancel() { canceller.cancel() }
}
