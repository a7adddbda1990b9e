#if PostgreSQL
  import AlarmEngine
  import Foundation
  import TestSupport
  import Testing

  @testable import Store

  @Suite("Figures about the connections")
  struct ConnectionFiguresTests {
    typealias S = StoreSamples

    /// Waits for a condition that another thread fulfils.
    private static func until(_ isSo: () async throws -> Bool) async throws {
      let deadline = ContinuousClock.now + .seconds(60)
      while try await !isSo() {
        guard ContinuousClock.now < deadline else {
          Issue.record("It was not so after a minute.")
          return
        }
        try await Task.sleep(for: .milliseconds(5))
      }
    }

    @Test func `a file has none`() async throws {
      let store = try SQLStore.inMemory()
      #expect(store.takeConnectionFigures() == nil)
      try await store.close()
    }

    @Test func `the time until others hear of a commit is measured once for each note`() async throws {
      try await PostgreSQLServer.withDatabase { url in
        let store = try await SQLStore(postgreSQL: url)
        let anna = try await store.makeAccount("anna")
        // The first notification may be sent before anybody listens, and then does not come back.
        var measured: [TimeSpan] = []
        var number: UInt64 = 0
        try await Self.until {
          number += 1
          _ = try await store.save(S.zone(number), of: anna.id, in: nil, over: nil, at: S.time())
          measured += store.takeConnectionFigures()?.heardAfter ?? []
          return measured.count >= 5
        }
        #expect(measured.allSatisfy { $0 >= .zero && $0 < .seconds(60) })
        // One notification covers many commits, so there are no more of them than commits.
        #expect(measured.count <= Int(number) + 1)
        try await store.close()
      }
    }

    @Test func `connections in use are not free, and are free again`() async throws {
      try await PostgreSQLServer.withDatabase { url in
        var options = PostgreSQLOptions()
        options.connections = 2
        let store = try await SQLStore(postgreSQL: url, options: options)
        try await Self.until { store.takeConnectionFigures()?.freeWriters == 2 }
        #expect(store.takeConnectionFigures()?.freeReaders == 2)
        let gate = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<2 {
            group.addTask {
              try await store.write(.note) { _ in gate.wait() }
            }
          }
          try await Self.until { store.takeConnectionFigures()?.freeWriters == 0 }
          #expect(store.takeConnectionFigures()?.freeReaders == 2)
          for _ in 0..<2 { gate.signal() }
          try await group.waitForAll()
        }
        try await Self.until { store.takeConnectionFigures()?.freeWriters == 2 }
        #expect(store.takeConnectionFigures()?.lost == 0)
        try await store.close()
      }
    }

    @Test(.timeLimit(.minutes(3)))
    func `connections that a server's end takes away are counted`() async throws {
      try await OwnPostgreSQLServer.with { server in
        let store = try await SQLStore(postgreSQL: server.url)
        let anna = try await store.makeAccount("anna")
        _ = try await store.account(anna.id)
        #expect(store.takeConnectionFigures()?.lost == 0)
        try server.stop(.immediate)
        try server.start()
        _ = try await store.account(anna.id)
        _ = try await store.makeAccount("ben")
        // A connection for reading, one for writing, and one for listening.
        try await Self.until { (store.takeConnectionFigures()?.lost ?? 0) >= 3 }
        try await store.close()
      }
    }
  }
#endif
