import Foundation
import PostgreSQLClient
import TestSupport
import Testing

@Suite("PostgreSQL pool")
struct PostgreSQLPoolTests {
  private static let process = "SELECT pg_backend_pid()"

  private func withPool(_ connections: Int, _ body: (PostgreSQLPool) async throws -> Void) async throws {
    try await PostgreSQLServer.withDatabase { url in
      let pool = PostgreSQLPool(try PostgreSQLAddress(url), connections: connections, label: "test")
      try await body(pool)
      await pool.close()
    }
  }

  @Test func `as many calls run at once as there are connections, each on its own`() async throws {
    try await withPool(3) { pool in
      let (lock, arrived) = (NSCondition(), Counter())
      let processes = try await withThrowingTaskGroup(of: PostgreSQLValue.self) { group in
        for _ in 0..<3 {
          group.addTask {
            try await pool.run { connection in
              // All three wait here for one another.
              lock.lock()
              arrived.count += 1
              lock.broadcast()
              while arrived.count < 3 { lock.wait() }
              lock.unlock()
              return try connection.run(Self.process).rows[0][0]
            }
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(processes.count == 3)
    }
  }

  @Test func `five hundred calls of one connection all get their own answer`() async throws {
    try await withPool(1) { pool in
      let answers = try await withThrowingTaskGroup(of: (Int64, PostgreSQLValue).self) { group in
        for index in 0..<500 {
          group.addTask {
            (
              Int64(index),
              try await pool.run { try $0.run("SELECT $1", [.integer(Int64(index))]).rows[0][0] }
            )
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.count == 500 && answers.allSatisfy { .integer($0) == $1 })
    }
  }

  @Test func `a call whose connection is killed throws, and the next has another`() async throws {
    try await withPool(1) { pool in
      let first = try await pool.run { try $0.run(Self.process).rows[0][0] }
      let error = try await #require(throws: PostgreSQLError.self) {
        try await pool.run { try $0.run("SELECT pg_terminate_backend(pg_backend_pid())").rows.count }
      }
      #expect(error.isConnectionLost)
      let second = try await pool.run { try $0.run(Self.process).rows[0][0] }
      #expect(second != first)
    }
  }

  @Test func `a connection that is killed while nobody uses it is replaced before the next call`()
    async throws
  {
    try await PostgreSQLServer.withDatabase { url in
      let address = try PostgreSQLAddress(url)
      let pool = PostgreSQLPool(address, connections: 1, label: "test")
      let other = try PostgreSQLConnection(address)
      for _ in 0..<5 {
        let process = try await pool.run { try $0.run(Self.process).rows[0][0] }
        _ = try other.run("SELECT pg_terminate_backend($1::int, 10000)", [process])
        #expect(try await pool.run { try $0.run("SELECT 1").rows } == [[.integer(1)]])
      }
      await pool.close()
    }
  }

  @Test func `a transaction cut off while it runs leaves nothing`() async throws {
    try await withPool(1) { pool in
      _ = try await pool.run { try $0.script("CREATE TABLE entry (id bigint)") }
      let error = try await #require(throws: PostgreSQLError.self) {
        try await pool.run { connection in
          try connection.transaction("BEGIN ISOLATION LEVEL READ COMMITTED") { connection in
            _ = try connection.run("INSERT INTO entry VALUES (1)")
            _ = try connection.run("SELECT pg_terminate_backend(pg_backend_pid())")
          }
        }
      }
      #expect(error.isConnectionLost && !error.isOutcomeUnknown)
      #expect(try await pool.run { try $0.run("SELECT count(*) FROM entry").rows } == [[.integer(0)]])
    }
  }

  @Test func `a connection lost while committing is told as an unknown outcome`() async throws {
    try await withPool(1) { pool in
      // A deferred trigger runs within COMMIT.
      _ = try await pool.run {
        try $0.script(
          """
          CREATE TABLE entry (id bigint);
          CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END';
          CREATE CONSTRAINT TRIGGER die AFTER INSERT ON entry DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION die();
          """)
      }
      let error = try await #require(throws: PostgreSQLError.self) {
        try await pool.run { connection in
          try connection.transaction { try $0.run("INSERT INTO entry VALUES (1)").changed }
        }
      }
      #expect(error.code == "08007" && error.isOutcomeUnknown && error.isConnectionLost)
    }
  }

  @Test func `a transaction that a call leaves open is rolled back`() async throws {
    try await withPool(1) { pool in
      _ = try await pool.run { connection in
        try connection.script("CREATE TABLE entry (id bigint)")
        try connection.script("BEGIN")
        return try connection.run("INSERT INTO entry VALUES (1)").changed
      }
      #expect(try await pool.run { try $0.run("SELECT count(*) FROM entry").rows } == [[.integer(0)]])
    }
  }

  @Test func `a server that is gone is told at once, and used again when it is back`() async throws {
    try await OwnPostgreSQLServer.with { server in
      let pool = PostgreSQLPool(try PostgreSQLAddress(server.url), connections: 2, label: "test")
      _ = try await pool.run { try $0.script("CREATE TABLE entry (id bigint); INSERT INTO entry VALUES (1)") }
      for how in [OwnPostgreSQLServer.Stop.immediate, .fast] {
        try server.stop(how)
        for _ in 0..<50 {
          let error = try await #require(throws: PostgreSQLError.self) {
            try await pool.run { try $0.run("SELECT 1") }
          }
          #expect(error.isConnectionLost, "\(error)")
          // Connecting times out after five seconds with an error that says so; no attempt here waited that
          // long.
          #expect(!error.message.contains("timeout"), "\(error)")
        }
        try server.start()
        let deadline = ContinuousClock.now + .seconds(20)
        var found: [[PostgreSQLValue]]?
        while found == nil, ContinuousClock.now < deadline {
          found = try? await pool.run { try $0.run("SELECT count(*) FROM entry").rows }
        }
        #expect(found == [[.integer(1)]])
      }
      await pool.close()
    }
  }

  @Test func `what was asked for before closing is done, what comes later is refused`() async throws {
    try await PostgreSQLServer.withDatabase { url in
      let pool = PostgreSQLPool(try PostgreSQLAddress(url), connections: 2, label: "test")
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<20 { group.addTask { try await pool.run { try $0.run("SELECT 1").rows.count } } }
        for try await count in group { #expect(count == 1) }
      }
      await pool.close()
      await pool.close()
      let error = try await #require(throws: PostgreSQLError.self) {
        try await pool.run { try $0.run("SELECT 1") }
      }
      #expect(error.code == "08003")
      // The server has noticed: only this connection is left.
      let other = try PostgreSQLConnection(try PostgreSQLAddress(url))
      let connected = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
      while try other.run(connected).rows != [[.integer(1)]] {}
    }
  }
}

/// Accessed only while a lock is held.
private final class Counter: @unchecked Sendable { var count = 0 }
