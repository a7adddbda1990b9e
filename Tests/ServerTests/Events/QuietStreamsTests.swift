import AlarmEngine
import Formats
import Geometry
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import AlarmService
@testable import Server
@testable import Store
@testable import StoreTestSupport

/// A change in one account causes no reading for the streams of others.
@Suite("Streams of others")
struct QuietStreamsTests {
  /// The number of readings of each account's feed.
  private final class Readings: Sendable {
    private let counts = NIOLockedValueBox<[SQLValue: Int]>([:])

    func hear(_ sql: String, _ arguments: [SQLArguments]) {
      guard sql.contains("FROM change WHERE account = ?") else { return }
      counts.withLockedValue { counts in
        for one in arguments {
          if let account = one.values.first { counts[account, default: 0] += 1 }
        }
      }
    }

    func of(_ account: AccountID) -> Int {
      counts.withLockedValue { $0[account.sql.sqlValue] ?? 0 }
    }
  }

  /// - Parameters:
  ///   - inner: the server's database.
  ///   - edit: makes a zone of an account, by itself or by the visitor who is signed in.
  private static func run(
    _ inner: any SQLDatabase,
    edit: @escaping @Sendable (Visitor, AccountID, _ number: UInt64) async throws -> Void
  ) async throws {
    let readings = Readings()
    let store = SQLStore(HeardDatabase(inner: inner) { readings.hear($0, $1) })
    // Heartbeats read the feed too, so they are an hour apart.
    let server = try await TestServer(store: store, hub: EventHub(heartbeat: .seconds(3600)))
    try await server.run(.live) { stranger in
      var visitors: [Visitor] = []
      for number in 0..<10 {
        visitors.append(try await server.visitor(stranger, "login \(number)"))
      }
      let accounts = try visitors.map { try #require(AccountID($0.account)) }
      var streams: [LiveAnswer] = []
      for visitor in visitors { streams.append(try await EventStreamTests.open(visitor)) }
      var reader = EventStreamTests.Reader(streams[0].body)
      // A change from before the server listened for others may concern any account.
      try await edit(visitors[0], accounts[0], 1)
      let first = try await reader.next()
      #expect(first != nil)
      while !server.parts.core.hub.isAtRest { await Task.yield() }
      let before = accounts.map { readings.of($0) }
      // Each stream has read its feed once at its beginning.
      #expect(before.allSatisfy { $0 > 0 })
      for number in 2...4 {
        try await edit(visitors[0], accounts[0], UInt64(number))
        let event = try await reader.next()
        #expect(event?["event"] == "zone")
      }
      while !server.parts.core.hub.isAtRest { await Task.yield() }
      let after = accounts.map { readings.of($0) }
      #expect(after[0] > before[0])
      #expect(after.dropFirst() == before.dropFirst())
      // No stream may be released before this point.
      withExtendedLifetime(streams) {}
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `an edit on the same server makes no query for nine other accounts`() async throws {
    let inner = try SQLStore.inMemory()
    try await Self.run(inner.database) { visitor, _, number in
      _ = try await visitor.post("/api/v1/zones", JSONValue.zone("zone \(number)"))
    }
    try await inner.close()
  }

  #if PostgreSQL
    @Test(.timeLimit(.minutes(5)))
    func `an edit on another process makes no query for nine other accounts`() async throws {
      try await PostgreSQLServer.withDatabase { url in
        let (ours, theirs) = try await (SQLStore(postgreSQL: url), SQLStore(postgreSQL: url))
        try await Self.run(ours.database) { _, account, number in
          let zone = Zone.valid(
            id: ZoneID(rawValue: number), name: "zone", size: .metres(100),
            outline: .locations([Coordinate(latitude: .degrees(46), longitude: .degrees(14))]))
          _ = try await theirs.save(zone, of: account, in: nil, over: nil, at: TestServer.start)
        }
        try await theirs.close()
        try await ours.close()
      }
    }
  #endif
}
