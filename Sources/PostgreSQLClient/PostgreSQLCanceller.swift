import CPostgreSQL

/// Asks the server to end the statement that a connection is running. Any thread may.
public final class PostgreSQLCanceller: @unchecked Sendable {
  // libpq only reads it, and allows it from any thread.
  private let handle: OpaquePointer?

  init(_ connection: OpaquePointer?) { handle = connection.flatMap { PQgetCancel($0) } }

  deinit { PQfreeCancel(handle) }

  /// The statement then throws `57014`, if it has not ended before.
  public func cancel() {
    guard let handle else { return }
    var words = [CChar](repeating: 0, count: 256)
    _ = PQcancel(handle, &words, 256)
  }
}

extension PostgreSQLConnection {
  /// For use on another thread, while this one waits for a statement.
  public var canceller: PostgreSQLCanceller { PostgreSQLCanceller(handle) }

  /// Ends the statement that is running, if one is: after a `pipeline` or `notifications` that another thread gave up.
  public func cancel() { canceller.cancel() }
}
