import Foundation

/// Threads that each have a connection of their own, opened when it is first needed, and a queue of work before them.
public final class PostgreSQLPool: Sendable {
  private let queue: WorkQueue

  /// - Parameter label: names the threads, for debuggers.
  /// - Precondition: at least one connection.
  public init(_ address: PostgreSQLAddress, connections: Int, label: String) {
    precondition(connections > 0, "a pool has at least one connection")
    queue = WorkQueue(address, connections: connections, label: label)
  }

  deinit { queue.close(then: nil) }

  /// Runs `body` on the next free thread, first come, first served. A transaction that it leaves open is rolled back.
  ///
  /// A call that loses its connection throws; the next one on that thread opens another. While none can be opened, calls throw
  /// at once what the last attempt threw, and attempts are at most a second apart.
  /// - Throws: what the body throws, or why there is no connection.
  public func run<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.add { connection in
        continuation.resume(with: Result { try body(try connection()) })
      }
    }
  }

  /// How many calls more would not wait for one before them, of as many as the pool has connections.
  public var free: Int { queue.use.free }
  /// Connections that were lost since the pool was made.
  public var lost: Int { queue.use.lost }

  /// Finishes what was asked for, closes the connections and ends the threads. Later calls throw `08003`.
  public func close() async {
    await withCheckedContinuation { continuation in queue.close { continuation.resume() } }
  }
}
