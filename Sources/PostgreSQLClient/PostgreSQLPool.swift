import Foundation

/// A pool of threads with one connection each, opened at first use, and a common queue of work.
public final class PostgreSQLPool: Sendable {
  private let queue: WorkQueue

  /// - Parameter label: the prefix of the threads' names, for debuggers.
  /// - Precondition: at least one connection.
  public init(_ address: PostgreSQLAddress, connections: Int, label: String) {
    precondition(connections > 0, "a pool has at least one connection")
    queue = WorkQueue(address, connections: connections, label: label)
  }

  deinit { queue.close(then: nil) }

  /// Runs `body` on the next free thread, in the order of calls. A transaction that it leaves open is rolled
  /// back.
  ///
  /// A call that loses its connection throws; the next one on that thread opens another. While none can be
  /// opened, calls throw the error of the last attempt at once. Attempts are at most a second apart.
  /// - Throws: the body's error, or the reason why there is no connection.
  public func run<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.add { connection in
        continuation.resume(with: Result { try body(try connection()) })
      }
    }
  }

  /// The number of further calls that would start without waiting; at most the number of connections.
  public var free: Int { queue.use.free }
  /// The number of connections lost since the pool was made.
  public var lost: Int { queue.use.lost }

  /// Finishes the queued work, closes the connections and ends the threads. Later calls throw `08003`.
  public func close() async {
    await withCheckedContinuation { continuation in queue.close { continuation.resume() } }
  }
}
