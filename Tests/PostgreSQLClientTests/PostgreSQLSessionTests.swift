import Foundation
import PostgreSQLClient
import TestSupport
import Testing

@Suite("PostgreSQL sessions: notifications, cancelling, copying")
struct PostgreSQLSessionTests {
  @Test func `what is told on a channel arrives, in order and once`() async throws {
    try await PostgreSQLServer.withDatabase { url in
      let address = try PostgreSQLAddress(url)
      let (listener, speaker) = (try PostgreSQLConnection(address), try PostgreSQLConnection(address))
      let channel = "odd \"channel"
      try listener.listen(channel)
      #expect(try listener.notifications(within: 0).isEmpty)
      _ = try speaker.run("SELECT pg_notify($1, $2)", [.text(channel), .text("one")])
      _ = try speaker.run("SELECT pg_notify('other', 'unheard')")
      _ = try speaker.run("SELECT pg_notify($1, $2)", [.text(channel), .text("two 'ü'")])
      var heard: [(channel: String, payload: String)] = []
      while heard.count < 2 {
        let more = try listener.notifications(within: 10_000)
        try #require(!more.isEmpty)
        heard += more
      }
      #expect(heard.map { $0.payload } == ["one", "two 'ü'"] && heard.allSatisfy { $0.channel == channel })
      // Delivered within a statement's answer.
      _ = try listener.run("SELECT pg_notify($1, 'self')", [.text(channel)])
      #expect(try listener.notifications(within: 10_000).map { $0.payload } == ["self"])
      let began = ContinuousClock.now
      #expect(try listener.notifications(within: 30).isEmpty)
      #expect(ContinuousClock.now - began >= .milliseconds(30))
    }
  }

  @Test func `a listener whose connection is lost is told so`() async throws {
    try await PostgreSQLServer.withDatabase { url in
      let address = try PostgreSQLAddress(url)
      let (listener, other) = (try PostgreSQLConnection(address), try PostgreSQLConnection(address))
      try listener.listen("news")
      let process = try listener.run("SELECT pg_backend_pid()").rows[0][0]
      #expect(
        try other.run("SELECT pg_terminate_backend($1::int, 10000)", [process]).rows == [[.boolean(true)]])
      let error = try #require(throws: PostgreSQLError.self) {
        while try listener.notifications(within: 10_000).isEmpty {}
      }
      #expect(error.isConnectionLost && listener.isLost)
      let later = try #require(throws: PostgreSQLError.self) { try listener.run("SELECT 1") }
      #expect(later.isConnectionLost)
    }
  }

  @Test func `a statement is cancelled from another thread, and the connection goes on`() async throws {
    try await PostgreSQLServer.withDatabase { url in
      let address = try PostgreSQLAddress(url)
      let pool = PostgreSQLPool(address, connections: 1, label: "cancelled")
      let (cancellers, giver) = AsyncStream.makeStream(of: PostgreSQLCanceller.self)
      let asleep = Task {
        try await pool.run { connection in
          giver.yield(connection.canceller)
          return try connection.run("SELECT pg_sleep(60)").rows.count
        }
      }
      var iterator = cancellers.makeAsyncIterator()
      let canceller = try #require(await iterator.next())
      let other = try PostgreSQLConnection(address)
      let sleeping =
        "SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND wait_event = 'PgSleep'"
      while try other.run(sleeping).rows == [[.integer(0)]] {}
      canceller.cancel()
      let error = try await #require(throws: PostgreSQLError.self) { try await asleep.value }
      #expect(error.code == "57014" && error.isCancelled && !error.isConnectionLost)
      #expect(try await pool.run { try $0.run("SELECT 5").rows } == [[.integer(5)]])
      await pool.close()
    }
  }

  @Test func `rows are copied in bulk, all or none`() async throws {
    try await PostgreSQLServer.withDatabase { url in
      let connection = try PostgreSQLConnection(try PostgreSQLAddress(url))
      try connection.script("CREATE TABLE bulk (id bigint PRIMARY KEY, r float8, t text, b bytea, f boolean)")
      let texts = ["", "\\N", "\\", "a\tb", "a\nb\r\n", "\\.", "ü\"'", "\u{1}\u{7f}"]
      let reals: [Double] = [0.1, -0.0, .nan, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude]
      let rows: [[PostgreSQLValue]] = (0..<20_000).map { index in
        [
          .integer(Int64(index)), .real(reals[index % reals.count]), .text(texts[index % texts.count]),
          .bytes([UInt8(truncatingIfNeeded: index), 0, 255]),
          index % 3 == 0 ? .null : .boolean(index % 2 == 0),
        ]
      }
      let copy = "COPY bulk FROM STDIN"
      #expect(try connection.copyIn(copy, rows: rows.map { try PostgreSQLValue.copyRow($0) }) == rows.count)
      let found = try connection.run("SELECT * FROM bulk ORDER BY id").rows
      #expect(found.count == rows.count)
      #expect(zip(found, rows).allSatisfy { "\($0)" == "\($1)" })

      let double = [Array("90000\t1\ta\t\\\\x\tt\n".utf8), Array("1\t1\ta\t\\\\x\tt\n".utf8)]
      #expect(
        try #require(throws: PostgreSQLError.self) { try connection.copyIn(copy, rows: double) }.code
          == "23505")
      #expect(try connection.run("SELECT count(*) FROM bulk").rows == [[.integer(20_000)]])
      #expect(throws: PostgreSQLError.self) { try PostgreSQLValue.copyRow([.text("a\0")]) }
      #expect(throws: PostgreSQLError.self) { try PostgreSQLValue.copyRow([.integers([1])]) }
      // A copy without copy mode, and one begun by the wrong call.
      for _ in 0..<2 {
        #expect(throws: PostgreSQLError.self) { try connection.copyIn("SELECT 1", rows: double) }
        #expect(throws: PostgreSQLError.self) {
          try connection.copyIn("COPY nowhere FROM STDIN", rows: double)
        }
        #expect(throws: PostgreSQLError.self) { try connection.run(copy) }
        #expect(throws: PostgreSQLError.self) { try connection.run("COPY bulk TO STDOUT") }
        #expect(try connection.run("SELECT 6").rows == [[.integer(6)]])
      }
    }
  }
}
