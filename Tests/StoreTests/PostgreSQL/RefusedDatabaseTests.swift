#if PostgreSQL
  import AlarmEngine
  import Foundation
  import PostgreSQLClient
  import TestSupport
  import Testing

  @testable import Store

  /// Unsuitable databases: each is refused with the right reason, and is unchanged afterwards.
  @Suite("Databases that are refused")
  struct RefusedDatabaseTests {
    typealias S = StoreSamples

    /// The whole content of a database: tables with their columns, functions, and all rows.
    private static func contents(_ url: String) throws -> String {
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
      defer { connection.close() }
      let rows = try connection.run(
        """
        SELECT CAST(md5(string_agg(line, E'\\n' ORDER BY line)) AS text) FROM (
          SELECT concat_ws(' ', n.nspname, c.relname, c.relkind, a.attname, a.atttypid) AS line
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
          UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = to_regnamespace('public')
          UNION ALL SELECT c.relname || md5(CAST(query_to_xml(format('SELECT * FROM %I.%I', n.nspname, c.relname),
              true, false, '') AS text))
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
        ) AS lines
        """)
      guard case .text(let digest)? = rows.rows.first?.first else { return "" }
      return digest
    }

    /// - Parameter as: the URL of a user other than the superuser.
    private static func expectRefusal(
      _ url: String, as other: String? = nil, location: SourceLocation = #_sourceLocation,
      _ isExpected: (StoreError) -> Bool
    ) async throws {
      let before = try contents(url)
      do {
        let store = try await SQLStore(postgreSQL: other ?? url)
        // A database that opens must refuse the first write of a start.
        do {
          _ = try await store.serverValue("key", orElse: [1])
          Issue.record("It was not refused.", sourceLocation: location)
        } catch { #expect(isExpected(error), "\(error)", sourceLocation: location) }
        try await store.close()
      } catch {
        #expect(isExpected(error), "\(error)", sourceLocation: location)
      }
      #expect(try contents(url) == before, "It was changed.", sourceLocation: location)
    }

    private static func url(_ url: String, user: String) throws -> String {
      var parts = try #require(URLComponents(string: url))
      parts.user = user
      return try #require(parts.string)
    }

    @Test(arguments: [
      "CREATE TABLE customers (id int); INSERT INTO customers VALUES (1)",
      // Our names in other software.
      "CREATE TABLE account (id int, balance numeric); CREATE TABLE zone (name text)",
      "CREATE VIEW something AS SELECT 1 AS one",
      "CREATE TABLE proximity_schema (version text); INSERT INTO proximity_schema VALUES ('7')",
    ])
    func `one that other software uses`(statements: String) async throws {
      try await PostgreSQLServer.withDatabase { url in
        try PostgreSQLServer.administer(url, statements)
        try await Self.expectRefusal(url) { $0 == .foreignFile }
      }
    }

    @Test func `one of a later version, and one whose version is lost`() async throws {
      try await PostgreSQLServer.withDatabase { url in
        let store = try await SQLStore(postgreSQL: url)
        _ = try await store.makeAccount("anna")
        try await store.close()
        let known = PostgreSQLSchema.known
        try PostgreSQLServer.administer(url, "UPDATE proximity_schema SET version = \(known + 1)")
        try await Self.expectRefusal(url) { $0 == .newerSchema(found: known + 1, known: known) }
        try PostgreSQLServer.administer(url, "DELETE FROM proximity_schema")
        try await Self.expectRefusal(url) { if case .corrupted = $0 { true } else { false } }
      }
    }

    @Test(arguments: [1, 22, PostgreSQLSchema.first - 1])
    func `one from before the first release`(version: Int) async throws {
      try await PostgreSQLServer.withDatabase { url in
        let store = try await SQLStore(postgreSQL: url)
        try await store.close()
        try PostgreSQLServer.administer(url, "UPDATE proximity_schema SET version = \(version)")
        try await Self.expectRefusal(url) { $0 == .unreleasedSchema(found: version) }
      }
    }

    @Test func `a step that fails leaves the database as it was, and the steps before it done`() async throws
    {
      try await PostgreSQLServer.withDatabase { url in
        let next = "ALTER TABLE account ADD COLUMN colour text"
        let broken = "CREATE TABLE half (id int); INSERT INTO nothing VALUES (1)"
        await #expect(throws: StoreError.self) {
          _ = try await PostgreSQLDatabase(
            url, PostgreSQLOptions(), steps: PostgreSQLSchema.steps + [next, broken])
        }
        let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
        #expect(
          try PostgreSQLSchema.version(connection, known: PostgreSQLSchema.known + 1)
            == PostgreSQLSchema.known + 1)
        connection.close()
        let mended = try await PostgreSQLDatabase(
          url, PostgreSQLOptions(),
          steps: PostgreSQLSchema.steps + [next, "CREATE TABLE half (id int)"])
        try await mended.close()
      }
    }

    @Test func `one in which the user may make no tables, change none, or bring none up to date`()
      async throws
    {
      try await PostgreSQLServer.withDatabase { url in
        let guest = "guest_" + UUID().uuidString.prefix(8).lowercased()
        try PostgreSQLServer.administer(url, "CREATE ROLE \(guest) LOGIN")
        let asGuest = try Self.url(url, user: guest)
        let notAllowed: (StoreError) -> Bool = { if case .notAllowed = $0 { true } else { false } }
        try PostgreSQLServer.administer(url, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        try await Self.expectRefusal(url, as: asGuest, notAllowed)
        // A version older than the guest's program, which the guest may read and write, but not alter.
        let earlier = try await SQLStore(postgreSQL: url)
        _ = try await earlier.makeAccount("anna")
        try await earlier.close()
        let rows = "SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public"
        try PostgreSQLServer.administer(url, "GRANT \(rows) TO \(guest)")
        let before = try Self.contents(url)
        await #expect {
          _ = try await PostgreSQLDatabase(
            asGuest, PostgreSQLOptions(),
            steps: PostgreSQLSchema.steps + ["ALTER TABLE account ADD COLUMN colour text"])
        } throws: { ($0 as? StoreError).map(notAllowed) ?? false }
        #expect(try Self.contents(url) == before, "It was changed.")
        // The current version, which the guest may only read.
        let store = try await SQLStore(postgreSQL: url)
        try await store.close()
        try PostgreSQLServer.administer(
          url, "REVOKE \(rows) FROM \(guest); GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(guest)")
        try await Self.expectRefusal(url, as: asGuest, notAllowed)
        // A database that the guest may not even read.
        try PostgreSQLServer.administer(url, "REVOKE SELECT ON ALL TABLES IN SCHEMA public FROM \(guest)")
        try await Self.expectRefusal(url, as: asGuest, notAllowed)
        try PostgreSQLServer.administer(url, "DROP OWNED BY \(guest); DROP ROLE \(guest)")
      }
    }

    @Test func `one that takes no writes, new or with tables`() async throws {
      try await PostgreSQLServer.withDatabase { url in
        let name = try #require(URLComponents(string: url)?.path.dropFirst())
        let readOnly = "ALTER DATABASE \(name) SET default_transaction_read_only TO"
        try PostgreSQLServer.administer(url, "\(readOnly) on")
        try await Self.expectRefusal(url) { $0 == .readOnly }
        try PostgreSQLServer.administer(url, "BEGIN READ WRITE; \(readOnly) off; COMMIT")
        let store = try await SQLStore(postgreSQL: url)
        try await store.close()
        try PostgreSQLServer.administer(url, "\(readOnly) on")
        try await Self.expectRefusal(url) { $0 == .readOnly }
      }
    }

    @Test(arguments: [
      "mysql://anna:hush@127.0.0.1/alarm", "postgres://anna:hush@[/alarm", "postgres://127.0.0.1:port/alarm",
      "postgres://127.0.0.1/alarm?nonsense=1", "",
    ])
    func `an address that is none`(url: String) async throws {
      do {
        let store = try await SQLStore(postgreSQL: url)
        try await store.close()
        Issue.record("It was not refused.")
      } catch {
        guard case .badAddress(let words) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(!words.contains("hush") && !words.isEmpty)
      }
    }
  }
#endif
