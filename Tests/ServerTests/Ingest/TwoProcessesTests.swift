import AlarmEngine
import Formats
import GRDB
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import Testing

@testable import AlarmService
@testable import Server
@testable import Store

/// Two servers on one store, like two processes.
@Suite("Two processes")
struct TwoProcessesTests {
  private static func conflicts(_ server: TestServer) -> Int {
    let line = server.parts.core.metrics.text.split(separator: "\n").first {
      $0.hasPrefix("proximity_engine_conflicts_total ")
    }
    return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
  }

  /// - Parameter body: called with the scene, the second server, and a phone that posts to it.
  private static func run(
    _ body: @escaping @Sendable (IngestScene, TestServer, TestPhone) async throws -> Void
  ) async throws {
    let store = try SQLStore.inMemory()
    try await IngestScene.run(store: store) { scene in
      let other = try await TestServer(store: store, clock: scene.server.clock)
      // Without its services: tests let time pass and deliver themselves.
      try await Application(router: ProximityServer.router(other.parts), logger: TestServer.silent).test(
        .router
      ) { client in
        let phone = TestPhone(client: client, clock: scene.phone.clock, token: scene.phone.token)
        try await body(scene, other, phone)
      }
    }
  }

  @Test func `a phone that reports to one and to the other has one alarm, and every fix`() async throws {
    try await Self.run { scene, other, phone in
      let hook = try await scene.webhook(9)
      for round in 0..<5 {
        scene.server.clock.pass(.seconds(1))
        #expect(try await scene.phone.ownTracks().status == 200, "\(round)")
        scene.server.clock.pass(.seconds(1))
        #expect(try await phone.ownTracks().status == 200, "\(round)")
      }
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      let device = try await scene.theDevice().id
      let fixes = try await scene.store.fixes(
        of: device, account: scene.account, in: Instant.allowed, limit: 99)
      #expect(fixes.count == 10)
      let leased = try await scene.store.lease(
        now: scene.server.clock.now, limit: 99, for: .seconds(9), owner: "test")
      #expect(leased.map { "\($0.item.channel)" } == [hook])
      // Each post but the first of each server met the other's changes.
      #expect(Self.conflicts(scene.server) + Self.conflicts(other) >= 8)
    }
  }

  @Test func `an answer given to one ends the alarm in the other`() async throws {
    try await Self.run { scene, other, phone in
      _ = try await scene.phone.ownTracks()
      scene.server.clock.pass(.seconds(1))
      _ = try await phone.ownTracks()
      let alarm = try #require(try await scene.alarms().first)
      let answered = try await scene.server.parts.alarms.ingest.answer(
        .acknowledge, to: alarm, until: alarm.began, by: "anna", at: scene.server.clock.now)
      #expect(answered.state == .acknowledgedInside)
      scene.server.clock.pass(.seconds(60))
      await other.parts.alarms.ingest.letTimePass()
      await scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await scene.alarms().map(\.state) == [.acknowledgedInside])
      #expect(try await scene.alarms().map(\.rings) == [1])
    }
  }

  @Test func `a device that was switched off by one rings in neither`() async throws {
    try await Self.run { scene, _, phone in
      _ = try await phone.ownTracks(TestPlaces.outside)
      let device = try await scene.theDevice().id
      let read = try await scene.anna.get("/api/v1/devices/\(device)")
      let saved = try await scene.anna.with(.ifMatch, read.tag).put(
        "/api/v1/devices/\(device)", [("name", .string("phone")), ("is_armed", .bool(false))])
      #expect(saved.status == .ok)
      let commands = try await scene.store.commands(
        of: device, account: scene.account, in: Instant.allowed, limit: 9)
      #expect(commands.map(\.kind).last == .deactivate && commands.last?.by.hasSuffix("anna") ?? false)
      scene.server.clock.pass(.seconds(30))
      #expect(try await phone.ownTracks().status == 200)
      #expect(try await scene.alarms().isEmpty)
    }
  }

  @Test func `repeats are neither doubled nor lost though both look at what is due`() async throws {
    try await Self.run { scene, other, phone in
      _ = try await scene.phone.ownTracks()
      scene.server.clock.pass(.seconds(1))
      _ = try await phone.ownTracks()
      // Both have the device in memory, and both wake at the same time.
      var expected = 1
      for _ in 0..<20 {
        let due = try #require(try await scene.store.nextDeviceDue())
        if due > scene.server.clock.now { scene.server.clock.pass(due - scene.server.clock.now) }
        async let first = scene.server.parts.alarms.ingest.turn()
        async let second = other.parts.alarms.ingest.turn()
        _ = await (first, second)
        // A process that leaves the device to the other looks again within its patience.
        scene.server.clock.pass(.seconds(0.7))
        async let third = scene.server.parts.alarms.ingest.turn()
        async let fourth = other.parts.alarms.ingest.turn()
        _ = await (third, fourth)
        expected += 1
        #expect(try await scene.alarms().map(\.rings) == [expected])
      }
    }
  }

  @Test func `who had a conflict leaves what it has not in memory to the other for a moment`() async throws {
    try await Self.run { scene, other, phone in
      _ = try await scene.phone.ownTracks()
      scene.server.clock.pass(.seconds(1))
      _ = try await phone.ownTracks()
      scene.server.clock.pass(.seconds(1))
      // A conflict: the process now knows that it is not alone.
      _ = try await scene.phone.ownTracks()
      #expect(Self.conflicts(scene.server) == 1)
      _ = try await scene.server.parts.alarms.ingest.submit(.dropEngines)
      let due = try #require(try await scene.store.nextDeviceDue())
      scene.server.clock.pass(due - scene.server.clock.now)
      let wait = await scene.server.parts.alarms.ingest.turn()
      #expect(try await scene.alarms().map(\.rings) == [1])
      #expect(wait >= .milliseconds(300) && wait <= .milliseconds(700))
      // No other process came.
      scene.server.clock.pass(wait)
      _ = await scene.server.parts.alarms.ingest.turn()
      #expect(try await scene.alarms().map(\.rings) == [2])
      #expect(Self.conflicts(other) <= 1)
    }
  }

  @Test func `a post that is overtaken each time is put off, and nothing comes of it`() async throws {
    let store = try SQLStore.inMemory()
    let pauses = NIOLockedValueBox<[Int]>([])
    let neighbours = Neighbours { conflicts in pauses.withLockedValue { $0.append(conflicts) } }
    try await IngestScene.run(store: store, neighbours: neighbours) { scene in
      #expect(try await scene.phone.ownTracks(TestPlaces.outside).status == 200)
      // Another process always wins.
      _ = try await store.write { database in
        try database.run(
          "CREATE TRIGGER overtaken BEFORE UPDATE ON engine_version BEGIN SELECT RAISE(IGNORE); END")
      }
      scene.server.clock.pass(.seconds(300))
      let reply = try await scene.phone.ownTracks()
      #expect(reply.status == 503 && reply.headers[.retryAfter] == "1")
      #expect(pauses.withLockedValue { $0 } == Array(1..<GroupCommit.decidedAtMost))
      #expect(Self.conflicts(scene.server) == GroupCommit.decidedAtMost)
      #expect(try await scene.alarms().isEmpty)
      _ = try await store.write { try $0.run("DROP TRIGGER overtaken") }
      #expect(try await scene.phone.ownTracks().status == 200)
      #expect(try await scene.alarms().map(\.rings) == [1])
    }
  }
}
