import Foundation
import TestSupport
import Testing

@testable import PostgreSQLClient

@Suite("PostgreSQL address")
struct PostgreSQLAddressTests {
  @Test func `a URL is taken apart, and shown without its password`() throws {
    let address = try PostgreSQLAddress(
      "postgresql://ann:p%40ss%2Fw%3Ard@db.example:6432,[::1]:5433/alarms?sslmode=verify-full&sslrootcert=/etc/ca.pem"
    )
    #expect(address.description == "postgresql://ann@db.example:6432,[::1]:5433/alarms?sslmode=verify-full")
    #expect(address.parameters["password"] == "p@ss/w:rd")
    #expect(address.parameters["sslrootcert"] == "/etc/ca.pem")
    #expect(address.parameters["connect_timeout"] == "5")
    #expect(address.parameters["tcp_user_timeout"] == "10000")
    #expect(address.parameters["application_name"] == "proximity")
    #expect(address.parameters["options"] == "-c idle_in_transaction_session_timeout=60s")
    #expect(
      try PostgreSQLAddress("postgres:///alarms?host=/run/postgresql").description
        == "postgresql:///run/postgresql/alarms")
  }

  @Test func `what the URL says goes before what is usual`() throws {
    let address = try PostgreSQLAddress(
      "postgres://db/x?connect_timeout=2&application_name=mine&options=-c%20geqo%3Doff&keepalives_idle=99")
    #expect(address.parameters["connect_timeout"] == "2" && address.parameters["application_name"] == "mine")
    #expect(address.parameters["keepalives_idle"] == "99")
    #expect(address.parameters["options"] == "-c idle_in_transaction_session_timeout=60s -c geqo=off")
  }

  @Test(arguments: [
    ("", "postgres://"), ("mysql://ann:secret@db/x", "begins with postgres://"),
    ("host=db password=secret", "begins with"),
    ("postgres://ann:secret@db:port/x", "port"), ("postgres://ann:secret@db:0/x", "port"),
    ("postgres://ann:secret@db:70000/x", "port"), ("postgres://ann:secret@[::1/x", "bracket"),
    ("postgres://ann:sec%ret@db/x", "percent"), ("postgres://ann:secret%@db/x", "percent"),
    ("postgres://ann:secret%00@db/x", "percent"), ("postgres://ann:sec@ret@db/x", "host"),
    ("postgres://ann:sec/ret@db/x", "port"), ("postgres://ann:12/secret@db/x", "database name"),
    ("postgres://ann:secret@db/x?sslmod=require", "parameter"),
    ("postgres://ann:secret@db/x?password=secret=secret", "parameter"),
    ("postgres://ann:secret@db/x?sslmode", "parameter"), ("postgres://ann:secret@d b/x", "host"),
    ("postgres://ann:secret@db\0/x", "zero byte"),
  ])
  func `a wrong URL is refused with words that show no password`(url: String, word: String) throws {
    let problem = try #require(throws: PostgreSQLAddress.Problem.self) { try PostgreSQLAddress(url) }
    #expect(problem.description.contains(word), "\(problem)")
    for secret in ["secret", "sec", "ret"] where url.contains(secret) {
      // Compares whole words, since a secret may occur within one.
      #expect(!problem.description.split { !$0.isLetter }.contains(Substring(secret)), "\(problem)")
    }
  }

  @Test(arguments: Seeds.few(3))
  func `whatever a URL contains, its password is not shown`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = [
      "@", ":", "/", "?", "#", "[", "]", "%", "%40", "%zz", "=", "&", ",", " ", "db", "5432", "host",
      "sslmode=require",
      "password", "\\", "'", "ü",
    ]
    for _ in 0..<2000 {
      var url = "postgres://ann:"
      // Letters that occur nowhere else.
      for _ in 0..<random.next() % 4 { url += "QXZ" + pieces[Int(random.next() % UInt64(pieces.count))] }
      url += "QXZ@"
      for _ in 0..<random.next() % 6 { url += pieces[Int(random.next() % UInt64(pieces.count))] }
      do {
        let shown = try PostgreSQLAddress(url).description
        #expect(!shown.contains("QXZ"), "\(url) is shown as \(shown)")
      } catch {
        #expect(!"\(error)".contains("QXZ"), "\(url): \(error)")
      }
    }
  }

  @Test func `the SQLSTATE of a refused connection is found in any language`() {
    let message = """
      connection to server at "127.0.0.1", port 5432 failed: FATALE:  28P01: autenticazione con password fallita
      POSIZIONE: auth_failed, auth.c:331
      """
    #expect(PostgreSQLConnection.sqlState(in: message) == "28P01")
    #expect(
      PostgreSQLConnection.sqlState(
        in: "could not connect: Connection refused\n\tIs the FATAL: server running?") == nil)
  }
}
