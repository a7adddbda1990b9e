import AlarmEngine
import Formats
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Server

/// A server that could not receive must not report phones as silent, and one that restarts must not delay a
/// silence.
@Suite("Silence and pauses")
struct SilenceTests {
  private static func named(_ name: String) -> ServerSettings {
    var settings = ServerSettings()
    settings.processName = name
    return settings
  }

  /// A phone that must report every minute, and did so a moment ago.
  private static func run(
    _ settings: ServerSettings = ServerSettings(),
    _ body: @escaping @Sendable (IngestScene) async throws -> Void
  ) async throws {
    let clock = TestServer.MovableClock(TestServer.start, countsPauses: true)
    try await IngestScene.run(store: try SQLStore.inMemory(), settings: settings, clock: clock) {
      scene in
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      let device = try await scene.theDevice().id
      let read = try await scene.anna.get("/api/v1/devices/\(device)")
      let saved = try await scene.anna.with(.ifMatch, read.tag).put(
        "/api/v1/devices/\(device)",
        [("name", .string("phone")), ("report_interval_s", .number(60))])
      #expect(saved.status == .ok)
      try await body(scene)
    }
  }

  /// Starts a process next to the scene's, or after it.
  private static func start(_ name: String? = nil, _ scene: IngestScene) async throws -> TestServer {
    try await TestServer(
      name.map { named($0) } ?? ServerSettings(), store: scene.store, clock: scene.server.clock)
  }

  /// Lets time pass while processes do their work of every five seconds.
  /// - Parameter only: processes that are running, but do no due work.
  private static func live(
    _ servers: [TestServer], there only: [TestServer] = [], _ seconds: Int, _ scene: IngestScene
  ) async throws {
    for _ in 0..<seconds / 5 {
      scene.server.clock.pass(.seconds(5))
      for server in only { _ = try await server.parts.alarms.ingest.submit(.lookAtClock) }
      for server in servers { _ = await server.parts.alarms.ingest.turn() }
    }
  }

  private static func silences(_ scene: IngestScene) async throws -> Int {
    try await scene.alarms().filter(\.isSilence).count
  }

  @Test func `a process that is started again puts no silence off while another receives`()
    async throws
  {
    try await Self.run(Self.named("first")) { scene in
      let second = try await Self.start("second", scene)
      try await Self.live([scene.server], there: [second], 50, scene)
      let again = try await Self.start("first", scene)
      // The silence was due ten seconds later; a process that knew of no other would wait for a minute.
      try await Self.live([again], there: [second], 40, scene)
      #expect(try await Self.silences(scene) == 1)
    }
  }

  @Test func `all processes are started again one after the other, and a silence comes in time`()
    async throws
  {
    try await Self.run(Self.named("first")) { scene in
      var second = try await Self.start("second", scene)
      try await Self.live([scene.server, second], 15, scene)
      let first = try await Self.start("first", scene)
      try await Self.live([first, second], 15, scene)
      second = try await Self.start("second", scene)
      try await Self.live([first, second], 40, scene)
      #expect(try await Self.silences(scene) == 1)
    }
  }

  @Test(arguments: [20, 3600])
  func `after a time in which nobody could receive, phones have time to report`(seconds: Int)
    async throws
  {
    try await Self.run(Self.named("first")) { scene in
      let second = try await Self.start("second", scene)
      try await Self.live([scene.server, second], 45, scene)
      scene.server.clock.pass(.seconds(Double(seconds)))
      let all = [try await Self.start("first", scene), try await Self.start("second", scene)]
      try await Self.live(all, 55, scene)
      #expect(try await Self.silences(scene) == 0)
      try await Self.live(all, 10, scene)
      #expect(try await Self.silences(scene) == 1)
    }
  }

  @Test func `a process that stood still, alone, gives phones time to report`() async throws {
    try await Self.run { scene in
      try await Self.live([scene.server], 30, scene)
      scene.server.clock.pass(.hours(1))
      try await Self.live([scene.server], 55, scene)
      #expect(try await Self.silences(scene) == 0)
      try await Self.live([scene.server], 15, scene)
      #expect(try await Self.silences(scene) == 1)
    }
  }

  @Test func `a process that stood still learns whether another received meanwhile`() async throws {
    try await Self.run(Self.named("first")) { scene in
      let second = try await Self.start("second", scene)
      try await Self.live([], there: [scene.server, second], 15, scene)
      // Only the second one is running.
      try await Self.live([], there: [second], 75, scene)
      // It goes on, without knowing yet whether the other is running.
      _ = await scene.server.parts.alarms.ingest.turn()
      #expect(try await Self.silences(scene) == 0)
      try await Self.live([scene.server], there: [second], 40, scene)
      #expect(try await Self.silences(scene) == 1)
    }
  }

  @Test func `a store that could not be reached for long counts as a pause`() async throws {
    let (gone, there) = (try SQLStore.inMemory(), try SQLStore.inMemory())
    try await gone.close()
    let start = TestServer.start
    var watch = AwakeWatch(process: "first", at: start, elapsed: .zero)
    try await watch.look(there, at: start, elapsed: .zero)
    for second in stride(from: 5.0, through: 25, by: 5) {
      let now = start + .seconds(second)
      do {
        try await watch.look(second == 5 ? there : gone, at: now, elapsed: .seconds(second))
      } catch {}
    }
    try await watch.look(there, at: start + .seconds(29), elapsed: .seconds(29))
    #expect(watch.awake == Awake(since: start))
    do { try await watch.look(gone, at: start + .seconds(40), elapsed: .seconds(40)) } catch {}
    do { try await watch.look(gone, at: start + .seconds(50), elapsed: .seconds(50)) } catch {}
    try await watch.look(there, at: start + .seconds(60), elapsed: .seconds(60))
    #expect(watch.awake == Awake(since: start + .seconds(60)))
  }
}
