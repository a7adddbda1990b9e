import PostgreSQLClient
import TestSupport
import Testing

@Suite("PostgreSQL connection")
struct PostgreSQLConnectionTests {
  /// The error that a statement throws; fails if it throws none.
  private func error(_ body: () throws -> Void) throws -> PostgreSQLError {
    try #require(throws: PostgreSQLError.self) { try body() }
  }

  private func withConnection(_ body: (PostgreSQLConnection) throws -> Void) async throws {
    try await PostgreSQLServer.withDatabase { url in
      try body(try PostgreSQLConnection(try PostgreSQLAddress(url)))
    }
  }

  @Test func `a statement answers its rows, its columns and how many it changed`() async throws {
    try await withConnection { connection in
      try connection.script("CREATE TABLE place (id bigint PRIMARY KEY, name text NOT NULL); SELECT 1;")
      let inserted = try connection.run(
        "INSERT INTO place SELECT * FROM unnest($1, $2)",
        [.integers([1, 2, 3]), .texts(["home", "it's \"work\" \\", "{NULL}"])])
      #expect(inserted.changed == 3 && inserted.rows.isEmpty)
      let found = try connection.run(
        "SELECT name, id FROM place WHERE id = ANY($1) ORDER BY id", [.integers([3, 2])])
      #expect(found.columns == ["name", "id"])
      #expect(found.rows == [[.text("it's \"work\" \\"), .integer(2)], [.text("{NULL}"), .integer(3)]])
      #expect(try connection.run("DELETE FROM place WHERE id > $1", [.integer(1)]).changed == 2)
      #expect(
        try connection.run("UPDATE place SET name = $1 WHERE $2::bigint IS NULL", [.text("x"), .null]).changed
          == 1)
    }
  }

  @Test func `errors name their SQLSTATE and the constraint, and the connection goes on`() async throws {
    try await withConnection { connection in
      try connection.script(
        """
        CREATE TABLE owner (id bigint PRIMARY KEY);
        CREATE TABLE place (id bigint, owner bigint CONSTRAINT place_owner REFERENCES owner, CONSTRAINT one_id UNIQUE (id));
        INSERT INTO owner VALUES (1); INSERT INTO place VALUES (1, 1);
        """)
      let insert = "INSERT INTO place VALUES ($1, $2)"
      let double = try error { _ = try connection.run(insert, [.integer(1), .integer(1)]) }
      #expect(double.code == "23505" && double.constraint == "one_id" && double.isDuplicate)
      let orphan = try error { _ = try connection.run(insert, [.integer(2), .integer(2)]) }
      #expect(orphan.code == "23503" && orphan.constraint == "place_owner" && orphan.isForeignKeyViolation)
      #expect(try error { _ = try connection.run("SELEC 1") }.code == "42601")
      #expect(try error { _ = try connection.run("SELECT * FROM nowhere") }.code == "42P01")
      #expect(try error { try connection.script("SELECT 1; SELECT 1/0") }.code == "22012")
      #expect(try error { _ = try connection.run("SELECT $1::bigint", [.text("one")]) }.code == "22P02")
      #expect(try connection.run(insert, [.integer(2), .integer(1)]).changed == 1)
      #expect(!connection.isLost && !double.isConnectionLost && !double.isRepeatable)
    }
  }
}
