import Foundation
import PostgreSQLClient
import TestSupport
import Testing

@Suite("PostgreSQL, opening a connection")
struct PostgreSQLOpeningTests {
  private func refusal(_ url: String) throws -> PostgreSQLError {
    let address = try PostgreSQLAddress(url)
    return try #require(throws: PostgreSQLError.self) { _ = try PostgreSQLConnection(address) }
  }

  @Test func `an unknown database, an unknown role and a port where nobody listens are told apart`()
    async throws
  {
    guard let url = try await PostgreSQLServer.running() else { return }
    #expect(try refusal(PostgreSQLServer.url(url, database: "nowhere")).code == "3D000")
    let refused = try refusal("postgres://ann:secret@127.0.0.1:1/x")
    #expect(refused.code == "08001" && refused.isConnectionLost)
    #expect(!refused.message.contains("secret"))
    #expect(try refusal("postgres://ann@host.invalid/x").code == "08001")
  }

  @Test func `a database that does not store UTF-8 is refused with words`() async throws {
    try await PostgreSQLServer.withDatabase { url in
      let name = "latin_" + UUID().uuidString.prefix(8).lowercased()
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
      try connection.script(
        "CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'")
      let error = try refusal(PostgreSQLServer.url(url, database: name))
      try connection.script("DROP DATABASE \(name) WITH (FORCE)")
      #expect(error.message.contains("LATIN1") && error.message.contains("UTF8"))
    }
  }

  @Test func `the session is as it is promised`() async throws {
    try await PostgreSQLServer.withDatabase { url in
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
      let row = try connection.run(
        """
        SELECT current_setting('application_name'), current_setting('idle_in_transaction_session_timeout'),
          current_setting('client_encoding')
        """
      ).rows[0]
      #expect(row == [.text("proximity"), .text("1min"), .text("UTF8")])
      connection.close()
      let error = try #require(throws: PostgreSQLError.self) { try connection.run("SELECT 1") }
      #expect(error.code == "08003")
    }
  }

  @Test func `TLS with the server's name checked, and passwords`() async throws {
    try await OwnPostgreSQLServer.with { server in
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(server.url))
      try connection.script(
        "SET password_encryption = 'scram-sha-256'; CREATE ROLE ann LOGIN PASSWORD 'p@ss/w:ö?'")
      connection.close()
      try server.stop()
      try run(
        """
        cd "\(server.folder.path)/data"
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=db.test \
          -addext subjectAltName=DNS:db.test,IP:127.0.0.1 -keyout server.key -out server.crt
        chmod 600 server.key
        chown --reference=postgresql.conf server.key server.crt
        echo "ssl = on" >> postgresql.conf
        echo "hostssl all all 127.0.0.1/32 scram-sha-256" > pg_hba.conf
        """)
      try server.start()
      let place = server.url.split(separator: "@")[1]
      let strict = "sslmode=verify-full&sslrootcert=\(server.folder.path)/data/server.crt"
      func url(_ password: String, _ query: String) -> String {
        "postgres://ann:\(password)@\(place)?\(query)"
      }
      let right = "p%40ss%2Fw:%C3%B6%3F"
      let secure = try PostgreSQLConnection(try PostgreSQLAddress(url(right, strict)))
      #expect(
        try secure.run("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").rows == [[.boolean(true)]])
      // More than a TLS record, in both directions.
      let large = [UInt8](repeating: 9, count: 300_000)
      #expect(
        try secure.pipeline([("SELECT $1", [.bytes(large)]), ("SELECT 1", [])])[0].rows == [[.bytes(large)]])
      try secure.listen("news")
      _ = try secure.run("SELECT pg_notify('news', 'told')")
      #expect(try secure.notifications(within: 10_000).map { $0.payload } == ["told"])

      let wrong = try refusal(url("guessed", strict))
      #expect(wrong.code == "28P01" && !wrong.isConnectionLost && !wrong.message.contains("guessed"))
      let otherName = strict + "&host=other.test&hostaddr=127.0.0.1"
      #expect(try refusal(url(right, otherName)).message.contains("other.test"))
      #expect(try refusal(url(right, "sslmode=disable")).code == "28000")
    }
  }

  /// Needs Debian's pgbouncer; prints a line if it is not installed.
  @Test func `a pooler that keeps no session is refused with words, one that does is not`() async throws {
    guard Pooler.program != nil else { return print("pgbouncer is not installed: no pooler is tried.") }
    try await OwnPostgreSQLServer.with { server in
      let port = try #require(URLComponents(string: server.url)?.port)
      for mode in ["transaction", "statement"] {
        let error = try #require(throws: PostgreSQLError.self) {
          try Pooler.with(mode, ignoring: "options", before: port) { try PostgreSQLConnection($0).close() }
        }
        #expect(error.message.contains("keeps no session"), "\(mode): \(error)")
      }
      try Pooler.with("session", ignoring: "options", before: port) { address in
        let rows = try PostgreSQLConnection(address).run("SELECT 1").rows
        #expect(rows == [[.integer(1)]])
      }
      let error = try #require(throws: PostgreSQLError.self) {
        try Pooler.with("session", ignoring: "search_path", before: port) {
          try PostgreSQLConnection($0).close()
        }
      }
      #expect(error.message.contains("ignore_startup_parameters"), "\(error)")
    }
  }

  private func run(_ script: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-e", "-c", script]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}
