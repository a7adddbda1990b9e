import AlarmEngine
import Formats
import HTTPTypes
import NIOConcurrencyHelpers
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("Readiness")
struct StoreHealthTests {
  /// A store that answers when the test lets it.
  private final class SlowStore: Sendable {
    private let book = NIOLockedValueBox<(probes: Int, held: [CheckedContinuation<StoreError?, Never>])>(
      (0, []))
    var probes: Int { book.withLockedValue { $0.probes } }

    func probe() async throws(StoreError) {
      let error = await withCheckedContinuation { continuation in
        book.withLockedValue {
          $0.probes += 1
          $0.held.append(continuation)
        }
      }
      if let error { throw error }
    }

    func answer(_ error: StoreError? = nil) {
      let held = book.withLockedValue { book in
        defer { book.held = [] }
        return book.held
      }
      for continuation in held { continuation.resume(returning: error) }
    }
  }

  private static func outcome(_ health: StoreHealth) async -> StoreHealth.NotReady? {
    do throws(StoreHealth.NotReady) {
      try await health.checkWritable()
      return nil
    } catch { return error }
  }

  @Test func `while a store hangs, one probe runs and everybody is answered`() async throws {
    let slow = SlowStore()
    let clock = TestServer.MovableClock(TestServer.start)
    let health = StoreHealth(
      store: try SQLStore.inMemory(), clock: clock.server, metrics: Metrics(), logger: TestServer.silent
    ) { () async throws(StoreError) in try await slow.probe() }
    let all = await withTaskGroup(of: StoreHealth.NotReady?.self) { group in
      for _ in 0..<50 { group.addTask { await Self.outcome(health) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all == Array(repeating: .noAnswer, count: 50))
    // A later call does not wait again, and starts no second probe.
    clock.pass(.seconds(60))
    #expect(await Self.outcome(health) == .noAnswer)
    #expect(slow.probes == 1)
    slow.answer(.readOnly)
    var last = await Self.outcome(health)
    // The answer is noted a moment after it arrives.
    while last == .noAnswer {
      await Task.yield()
      last = await Self.outcome(health)
    }
    #expect(last == .refused(.readOnly))
    #expect(slow.probes == 1)
    // A result is valid for a second.
    clock.pass(.seconds(2))
    async let ready = Self.outcome(health)
    while slow.probes < 2 { await Task.yield() }
    slow.answer()
    #expect(await ready == nil)
    #expect(await Self.outcome(health) == nil)
    #expect(slow.probes == 2)
  }

  #if PostgreSQL
    @Test
    func `a database that stands still, and one that is gone, are told of before anybody gives up`()
      async throws
    {
      try await OwnPostgreSQLServer.with { database in
        let store = try await SQLStore(postgreSQL: database.url)
        let server = try await TestServer(store: store, readinessPatience: StoreHealth.usualPatience)
        let isPaused = NIOLockedValueBox(false)
        try await server.run { stranger in
          /// - Returns: the status, and the detail of the answer.
          func ask() async throws -> (status: Int, detail: String) {
            server.clock.pass(.seconds(2))
            let answer = try await stranger.get("/readyz")
            return (answer.status.code, answer.json["detail"]?.string ?? "")
          }
          while try await ask().status != 200 { try await Task.sleep(for: .milliseconds(10)) }
          try database.pause()
          isPaused.withLockedValue { $0 = true }
          defer { if isPaused.withLockedValue({ $0 }) { try? database.resume() } }
          // This text shows that the probe gave up first: a call that waited for the database to the end has
          // another one.
          for _ in 0..<3 {
            let hung = try await ask()
            #expect(hung.status == 503 && hung.detail == "the store does not answer")
          }
          try database.resume()
          isPaused.withLockedValue { $0 = false }
          while try await ask().status != 200 { try await Task.sleep(for: .milliseconds(10)) }
          try database.stop(.immediate)
          // On a busy machine it may take several tries until the failure is known.
          var gone = try await ask()
          while gone.detail == "the store does not answer" {
            #expect(gone.status == 503)
            gone = try await ask()
          }
          #expect(gone.status == 503 && gone.detail == "the database cannot be reached")
          try database.start()
          while try await ask().status != 200 { try await Task.sleep(for: .milliseconds(10)) }
        }
        try await store.close()
      }
    }
  #endif
}
