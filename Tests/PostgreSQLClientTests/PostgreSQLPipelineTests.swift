import TestSupport
import Testing

@testable import PostgreSQLClient

@Suite("PostgreSQL pipelines and prepared statements")
struct PostgreSQLPipelineTests {
  private func withConnection(_ body: (PostgreSQLConnection) throws -> Void) async throws {
    try await PostgreSQLServer.withDatabase { url in
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
      try connection.script("CREATE TABLE entry (id bigint PRIMARY KEY, note text)")
      try body(connection)
    }
  }

  @Test func `one answer for each statement, in order`() async throws {
    try await withConnection { connection in
      for _ in 0..<3 {
        let answers = try connection.pipeline([
          ("DELETE FROM entry", []), ("INSERT INTO entry VALUES ($1, $2)", [.integer(1), .text("a")]),
          ("INSERT INTO entry VALUES ($1, $2)", [.integer(2), .null]), ("SET LOCAL lock_timeout = 5000", []),
          ("SELECT id, note FROM entry ORDER BY id", []),
        ])
        #expect(answers.map { $0.rows.count } == [0, 0, 0, 0, 2])
        #expect(answers[1].changed == 1)
        #expect(answers[4].rows == [[.integer(1), .text("a")], [.integer(2), .null]])
      }
      #expect(try connection.pipeline([]).isEmpty)
    }
  }

  @Test func `an error in the middle undoes all of it, and the connection goes on`() async throws {
    try await withConnection { connection in
      let insert = "INSERT INTO entry VALUES ($1)"
      // The second time, the statements are already prepared.
      for _ in 0..<2 {
        let error = try #require(throws: PostgreSQLError.self) {
          try connection.pipeline([
            (insert, [.integer(1)]), (insert, [.integer(1)]), ("SELECT * FROM nowhere", []),
            ("SELECT 7 + 1", []),
          ])
        }
        #expect(error.code == "23505")
        #expect(try connection.run("SELECT count(*) FROM entry").rows == [[.integer(0)]])
      }
      // Statements that failed to be prepared, or were not reached, no longer count as prepared.
      #expect(throws: PostgreSQLError.self) {
        try connection.pipeline([("SELECT * FROM later", []), ("SELECT 7 + 1", [])])
      }
      try connection.script("CREATE TABLE later (id bigint)")
      #expect(
        try connection.pipeline([("SELECT * FROM later", []), ("SELECT 7 + 1", [])])[1].rows == [
          [.integer(8)]
        ])
      #expect(throws: PostgreSQLError.self) { try connection.run("SELECT * FROM much_later") }
      try connection.script("CREATE TABLE much_later (id bigint)")
      #expect(try connection.run("SELECT * FROM much_later").rows.isEmpty)
    }
  }

  @Test func `within a transaction the error fails the transaction`() async throws {
    try await withConnection { connection in
      let error = try #require(throws: PostgreSQLError.self) {
        try connection.transaction("BEGIN ISOLATION LEVEL READ COMMITTED") { connection in
          _ = try connection.pipeline([("INSERT INTO entry VALUES (5)", [])])
          _ = try? connection.pipeline([("SELECT 1 / 0", []), ("INSERT INTO entry VALUES (6)", [])])
        }
      }
      #expect(error.code == "25P02")
      #expect(try connection.run("SELECT count(*) FROM entry").rows == [[.integer(0)]])
      struct Own: Error {}
      #expect(throws: Own.self) {
        try connection.transaction { connection in
          _ = try connection.run("INSERT INTO entry VALUES (7)")
          throw Own()
        }
      }
      #expect(try connection.transaction { try $0.run("SELECT count(*) FROM entry") }.rows == [[.integer(0)]])
    }
  }

  @Test func `more than the buffers of both sides hold does not block`() async throws {
    try await withConnection { connection in
      let large = [UInt8](repeating: 7, count: 100_000)
      let answers = try connection.pipeline((0..<300).map { _ in ("SELECT $1", [.bytes(large)]) })
      #expect(answers.count == 300 && answers.allSatisfy { $0.rows == [[.bytes(large)]] })
    }
  }

  @Test func `a statement is prepared once for its types, whatever is NULL, and the oldest is dropped`()
    async throws
  {
    try await withConnection { connection in
      func known(_ text: String) throws -> PostgreSQLValue {
        try connection.run("SELECT count(*) FROM pg_prepared_statements WHERE statement = $1", [.text(text)])
          .rows[0][0]
      }
      let insert = "INSERT INTO entry VALUES ($1, $2)"
      for index in 0..<4 {
        try _ = connection.run(insert, [.integer(Int64(index)), index == 0 ? .text("x") : .null])
      }
      #expect(try known(insert) == .integer(1))
      for index in 0..<PreparedStatements.limit + 20 { _ = try connection.run("SELECT \(index)") }
      #expect(try known(insert) == .integer(0))
      #expect(connection.prepared.count == PreparedStatements.limit)
      let all = try connection.pipeline((0..<PreparedStatements.limit + 100).map { ("SELECT \($0) + 0", []) })
      #expect(all.map { $0.rows } == (0..<PreparedStatements.limit + 100).map { [[.integer(Int64($0))]] })
      #expect(connection.prepared.count <= PreparedStatements.limit)
      #expect(try connection.run("SELECT count(*) FROM pg_prepared_statements").rows == [[.integer(500)]])
    }
  }

  @Test func `a table that was changed, and statements that the server forgot, are met by preparing anew`()
    async throws
  {
    try await withConnection { connection in
      let all = "SELECT * FROM entry"
      #expect(try connection.run(all).columns.count == 2)
      try connection.script("ALTER TABLE entry ADD COLUMN more bigint")
      #expect(try connection.run(all).columns.count == 3)
      try connection.script("ALTER TABLE entry DROP COLUMN more")
      #expect(try connection.pipeline([(all, [])])[0].columns.count == 2)
      try connection.script("DEALLOCATE ALL")
      #expect(try connection.run(all).columns.count == 2)
    }
  }
}
