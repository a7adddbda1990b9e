import AlarmEngine
import Formats
import Hummingbird
import Store
import Testing

@testable import AlarmService
@testable import Server

@Suite("Limits of all processes together")
struct SharedLimitsTests {
  private let start = TestServer.start

  @Test func `processes on one store count together, kinds and keys apart`() async throws {
    let store = try SQLStore.inMemory()
    let limits = [try await SharedLimits(store: store), try await SharedLimits(store: store)]
    for number in 0..<10 {
      #expect(try await limits[number % 2].take([(.login, "anna")], at: start) == nil, "\(number)")
    }
    for limit in limits { #expect(try await limit.take([(.login, "anna")], at: start) == 30) }
    #expect(try await limits[0].take([(.login, "ben"), (.proof, "anna")], at: start) == nil)
    // A try given back by one process is available to the other after the refusal that it was told.
    try await limits[0].giveBack([(.login, "anna")], at: start)
    #expect(try await limits[0].take([(.login, "anna")], at: start) == nil)
    #expect(try await limits[1].take([(.login, "anna")], at: start + .seconds(29)) == 1)
    #expect(try await limits[1].take([(.login, "anna")], at: start + .seconds(30)) == nil)
    // A restarted process does not forget.
    let restarted = try await SharedLimits(store: store)
    #expect(try await restarted.take([(.login, "anna")], at: start + .seconds(30)) == 30)
  }

  @Test func `whoever goes on trying costs the store nothing`() async throws {
    let store = try SQLStore.inMemory()
    let limits = try await SharedLimits(store: store)
    var refused = 0
    for _ in 0..<500 {
      refused += try await limits.take([(.loginAddress, "1"), (.login, "a")], at: start) == nil ? 0 : 1
    }
    #expect(refused == 490)
    try await store.close()
    // With the store closed, a refusal can still be given; a new try fails.
    #expect(try await limits.take([(.loginAddress, "2"), (.login, "a")], at: start + .seconds(20)) == 10)
    await #expect(throws: StoreError.closed) {
      _ = try await limits.take([(.login, "a")], at: start + .seconds(30))
    }
    // After a clock was set back, nobody is refused for longer than a try takes to come back.
    await #expect(throws: StoreError.closed) {
      _ = try await limits.take([(.login, "a")], at: start - .hours(1))
    }
  }

  @Test func `remembers no more refusals than it may`() async throws {
    let limits = try await SharedLimits(store: SQLStore.inMemory(), capacity: 2)
    for name in ["a", "b", "c"] {
      for _ in 0..<3 { #expect(try await limits.take([(.confirmation, name)], at: start) == nil) }
      for _ in 0..<3 { #expect(try await limits.take([(.confirmation, name)], at: start) == 1200) }
    }
    #expect(limits.refusals <= 2)
  }

  @Test func `guesses at one server count at the other`() async throws {
    let store = try SQLStore.inMemory()
    let server = try await TestServer(store: store)
    try await server.run { stranger in
      _ = try await server.visitor(stranger)
      let other = try await TestServer(store: store, clock: server.clock)
      try await Application(router: ProximityServer.router(other.parts), logger: TestServer.silent).test(
        .router
      ) { client in
        let there = Visitor(client: client, table: RouteTable.all(other.parts))
        func statuses(_ visitor: Visitor, _ password: String) async throws -> Int {
          Int(
            try await visitor.post(
              "/api/v1/login", [("login", .string("anna")), ("password", .string(password))]
            ).status.code)
        }
        var found: [Int] = []
        for number in 0..<12 { found.append(try await statuses(number % 2 == 0 ? stranger : there, "guess")) }
        #expect(found == Array(repeating: 401, count: 10) + [429, 429])
        #expect(try await statuses(there, "correct horse") == 429)
      }
    }
  }
}
