import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("Operation")
struct OperationTests {
  @Test func `health, readiness and figures are there`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let health = try await stranger.get("/healthz")
      #expect(health.status == .ok)
      #expect(health.text.contains(#""version":"\#(ProductVersion.text.string)""#))
      #expect(try await stranger.get("/readyz").status == .ok)
      _ = try await server.visitor(stranger)
      let text = try await stranger.get("/metrics").text
      #expect(text.contains("proximity_accounts 1\n"))
      #expect(
        text.contains(
          #"proximity_requests_total{route="/api/v1/setup",method="POST",status="201"} 1"#))
      #expect(text.contains(#"proximity_request_seconds_bucket{route="/healthz",le="+Inf"} 1"#))
    }
  }

  @Test func `figures are for those who may see them`() async throws {
    for (access, token, status) in [
      (ServerSettings.MetricsAccess.nobody, "", HTTPResponse.Status.notFound),
      (.everybody, "", .ok), (.token("0123456789abcdef"), "", .unauthorized),
      (.token("0123456789abcdef"), "0123456789abcdef", .ok), (.token("0123456789abcdef"), "0", .unauthorized),
    ] {
      var settings = ServerSettings()
      settings.metrics = access
      try await TestServer(settings).run { stranger in
        let visitor = token.isEmpty ? stranger : stranger.with(.authorization, "Bearer \(token)")
        let answer = try await visitor.get("/metrics")
        #expect(answer.status == status)
      }
    }
  }

  @Test func `the format of figures escapes labels and sums buckets up`() {
    let metrics = Metrics()
    metrics.describe("a_total", "what it is")
    metrics.count("a_total", ["l": "x\"\\\n"])
    metrics.count("a_total", ["l": "x\"\\\n"], by: 2)
    metrics.set("g", to: 1.5)
    metrics.observe("h", seconds: 0.002)
    metrics.observe("h", seconds: 99)
    let lines = metrics.text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "# HELP a_total what it is" && lines[1] == "# TYPE a_total counter")
    #expect(lines[2] == #"a_total{l="x\"\\\n"} 3"#)
    #expect(lines.contains("g 1.5"))
    #expect(lines.contains(#"h_bucket{le="0.001"} 0"#) && lines.contains(#"h_bucket{le="0.0025"} 1"#))
    #expect(lines.contains(#"h_bucket{le="+Inf"} 2"#) && lines.contains("h_count 2"))
    #expect(lines.contains("h_sum 99.002"))
  }

  @Test func `the log is JSON, names routes, and knows neither coordinates nor secrets`() async throws {
    let written = NIOLockedValueBox<[UInt8]>([])
    let sink = JSONLogHandler.Sink { bytes in written.withLockedValue { $0 += bytes } }
    let logger = Logger(label: "test") { JSONLogHandler(label: $0, level: .info, sink: sink) }
    let server = try await TestServer(logger: logger)
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let made = try await anna.post("/api/v1/zones", JSONValue.zone("cliff", 46.0511, 14.5051))
      _ = try await anna.get("/api/v1/zones/\(made.id)?nonsense=46.0511")
      let token = try await anna.post("/api/v1/tokens", []).json["token"]?.string ?? "?"
      _ = try await stranger.with(.authorization, "Bearer \(token)").get("/api/v1/zones")
      let log = String(decoding: written.withLockedValue { $0 }, as: UTF8.self)
      for line in log.split(separator: "\n") {
        let value = try JSONValue.parse(Array(line.utf8))
        #expect(
          value["time"]?.string != nil && value["level"]?.string != nil && value["message"]?.string != nil)
      }
      #expect(
        log.contains(#""route":"/api/v1/zones/{zone}","#) || log.contains(#""route":"/api/v1/zones/{zone}""#))
      for secret in ["46.05", "14.50", "correct horse", token, anna.cookie ?? "?", anna.csrf ?? "?", made.id]
      {
        #expect(!log.contains(secret), "\(secret)")
      }
    }
  }

  @Test func `what is older than the retention is forgotten`() async throws {
    var settings = ServerSettings()
    settings.retentionDays = 10
    let server = try await TestServer(settings)
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let ids = try await IsolationTests.furnish(anna, server)
      let path = "/api/v1/devices/\(ids["device"] ?? "")/fixes?from=2026-01-01T00:00:00Z"
      try await server.parts.operation.housekeeping.tidy()
      #expect(try await anna.get(path).json["items"]?.list?.count == 1)
      server.clock.pass(.hours(24 * 11))
      try await server.parts.operation.housekeeping.tidy()
      #expect(try await anna.get(path).json["items"]?.list?.isEmpty == true)
    }
  }

  @Test func `figures are there while the store is not, and say that it is not`() async throws {
    let store = try SQLStore.inMemory()
    let server = try await TestServer(store: store)
    try await server.run { stranger in
      let before = try await stranger.get("/metrics").text
      #expect(before.contains("\nproximity_ready 1\n") && before.contains("\nproximity_accounts 0\n"))
      // Zero, but on a busy machine.
      #expect(before.contains("\nproximity_timer_lag_seconds "))
      try await store.close()
      server.clock.pass(.seconds(5))
      let answer = try await stranger.get("/metrics")
      #expect(answer.status == .ok)
      #expect(answer.text.contains("\nproximity_ready 0\n"))
      #expect(
        !answer.text.contains("proximity_accounts") && answer.text.contains("proximity_event_streams 0"))
    }
  }

  #if PostgreSQL
    @Test func `figures of the database's connections, clock and notes are there`() async throws {
      try await PostgreSQLServer.withDatabase { url in
        let store = try await SQLStore(postgreSQL: url)
        let server = try await TestServer(store: store)
        let shared = try #require(
          try await SharedClock(store: store, logger: TestServer.silent) {
            ServerClock.system.now() + .hours(1)
          })
        shared.tell(server.parts.core.metrics)
        try await server.run { stranger in
          func value(_ line: String) async throws -> Double? {
            let lines = try await stranger.get("/metrics").text.split(separator: "\n")
            return lines.first { $0.hasPrefix(line + " ") }?.split(separator: " ").last.flatMap { Double($0) }
          }
          let difference = try #require(try await value("proximity_clock_difference_seconds"))
          #expect(abs(difference - 3600) < 60)
          try await shared.follow()
          #expect(try await value(#"proximity_database_connections_free{for="writing"}"#) ?? 0 >= 1)
          #expect(try await value("proximity_database_connections_lost_total") == 0)
          // Edits, until a note of one has come back.
          var rounds = 0
          while try await value("proximity_news_seconds_count") ?? 0 == 0, rounds < 3000 {
            rounds += 1
            _ = try await store.setServerValue("test", to: [UInt8(rounds % 256)])
            try await Task.sleep(for: .milliseconds(10))
          }
          #expect(try await value("proximity_news_seconds_count") ?? 0 > 0)
        }
        try await store.close()
      }
    }
  #endif

  @Test func `every figure says what it means, and probes are answered however often they come`() async throws
  {
    let server = try await TestServer()
    try await LocalServer.run { hook in
      try await IngestScene.run { scene in
        _ = try await scene.webhook(hook.port)
        _ = try await scene.phone.ownTracks()
        try await scene.server.parts.alarms.outbox.deliverDue()
        try await scene.server.parts.core.health.check()
        let lines = try await scene.anna.get("/metrics").text.split(separator: "\n").map(String.init)
        #expect(lines.contains(#"proximity_delivery_seconds_count{channel="webhook"} 1"#), "\(lines)")
        #expect(lines.contains("proximity_store_damaged 0"))
        for (index, line) in lines.enumerated() where line.hasPrefix("# TYPE ") {
          let name = line.split(separator: " ")[2]
          #expect(index > 0 && lines[index - 1].hasPrefix("# HELP \(name) "), "\(line)")
        }
      }
    }
    try await server.run { stranger in
      for path in ["/healthz", "/readyz"] {
        for _ in 0..<400 {
          let answer = try await stranger.get(path)
          #expect(answer.status == .ok)
        }
      }
    }
  }

  @Test func `damage in the middle of the file is found at night, and readiness says so`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "damaged-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path + "/proximity.sqlite"
    let store = try SQLStore(sqlite: path)
    let account = Account(login: "anna", name: "", passwordHash: nil, createdAt: TestServer.start)
    try await store.create(account)
    let size = 4 << 20
    try await store.save(
      Sound(account: account.id, name: "horn", mediaType: "audio/ogg", size: size, savedAt: TestServer.start),
      bytes: [UInt8](repeating: 1, count: size))
    try await store.close()
    // The sound's pages, which nothing reads at the start.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let end = try file.seekToEnd()
    for page in stride(from: end - (2 << 20), to: end, by: 4096) {
      try file.seek(toOffset: page / 4096 * 4096)
      try file.write(contentsOf: Data(repeating: 0x5a, count: 64))
    }
    try file.close()
    let damaged = try SQLStore(sqlite: path)
    let clock = TestServer.MovableClock(TestServer.start)
    let health = StoreHealth(
      store: damaged, clock: ServerClock { clock.now }, metrics: Metrics(), logger: TestServer.silent)
    // At most two days pass without a night: then it is done in any case.
    for _ in 0..<(49 * 6) where health.damage.isEmpty {
      try await health.checkByNight()
      clock.pass(.minutes(10))
    }
    #expect(!health.damage.isEmpty)
    let server = try await TestServer(store: damaged)
    try await server.run { stranger in
      #expect(try await stranger.get("/readyz").status == .ok)
      try await server.parts.core.health.check()
      let answer = try await stranger.get("/readyz")
      #expect(answer.status == .serviceUnavailable && answer.text.contains("the data is damaged"))
    }
    try await damaged.close()
  }
}
