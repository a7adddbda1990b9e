import AlarmEngine
import Formats
import Foundation
import Geometry
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Ingest")
struct IngestTests {
  @Test func `a post inside a zone is an alarm, in one answer`() async throws {
    try await IngestScene.run { scene in
      let reply = try await scene.phone.ownTracks()
      #expect(reply.status == 200)
      #expect(reply.headers[.contentType] == "application/json")
      #expect(reply.text.contains(#""_type":"transition","event":"enter","desc":"Cliff edge""#))
      // The accuracy is that of the fix that rang it.
      #expect(reply.text.contains(#""acc":12,"#))
      #expect(reply.text.contains(#""action":"setWaypoints""#))
      let alarm = try #require(try await scene.alarms().first)
      #expect(alarm.state == .ringing)
      #expect(alarm.began == scene.server.clock.now)
      let device = try await scene.theDevice()
      #expect(device.lastFix?.position == TestPlaces.inside)
      let changes = try await scene.store.changes(of: scene.account, after: .start, limit: 100)
      #expect(changes.entries.contains { $0.kind == .alarm && $0.id == alarm.id.rawValue })
      // The fences are sent once.
      scene.server.clock.pass(.seconds(5))
      #expect(!(try await scene.phone.ownTracks().text.contains("setWaypoints")))
    }
  }

  @Test func `what is sent again changes nothing`() async throws {
    try await IngestScene.run { scene in
      let at = scene.server.clock.now
      for _ in 0..<3 {
        #expect(try await scene.phone.ownTracks(at: at).status == 200)
        scene.server.clock.pass(.seconds(1))
      }
      let alarms = try await scene.alarms()
      #expect(alarms.count == 1)
      #expect(alarms.first?.rings == 1)
      let device = try await scene.theDevice()
      let fixes = try await scene.store.fixes(
        of: device.id, account: scene.account, in: Instant.allowed, limit: 10)
      #expect(fixes.count == 1)
    }
  }

  @Test func `an unclaimed device is kept, and judged when somebody claims it`() async throws {
    try await IngestScene.run { scene in
      var stranger = scene.phone
      stranger.token = nil
      #expect(try await stranger.ownTracks().text == "[]")
      #expect(try await scene.alarms().isEmpty)
      let list = try await scene.anna.get("/api/v1/unclaimed-devices")
      let id = try #require(list.json["items"]?.list?.first?["id"]?.string)
      let claimed = try await scene.anna.post("/api/v1/unclaimed-devices/\(id)/claim")
      #expect(claimed.status == .ok)
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      scene.server.clock.pass(.seconds(3))
      // A phone without the token is turned away, and keeps its data.
      #expect(try await stranger.ownTracks().status == 503)
      stranger.token = claimed.json["token"]?.string
      #expect(try await stranger.ownTracks().text.contains("transition"))
      #expect(try await scene.alarms().count == 1)
    }
  }

  @Test func `wrong credentials put OwnTracks off, and are refused elsewhere`() async throws {
    try await IngestScene.run { scene in
      let body = TestPhone.location(TestPlaces.inside, at: scene.server.clock.now)
      let basic = "Basic YW5uYTp3cm9uZw=="
      let reply = try await scene.phone.post("/pub?u=anna&d=phone", body, authorization: basic)
      #expect(reply.status == 503)
      #expect(reply.headers[.retryAfter] != nil)
      #expect(try await scene.phone.post("/overland", "{}", authorization: "Bearer x").status == 401)
      #expect(try await scene.phone.post("/osmand/wrong/anna?lat=1&lon=2", authorization: "").status == 401)
      #expect(try await scene.store.devices(of: scene.account).isEmpty)
    }
  }

  @Test func `data that cannot be read is kept and acknowledged`() async throws {
    try await IngestScene.run { scene in
      for body in ["not json", #"{"_type":"location","lat":"#, #"{"_type":"riddle","x":1}"#, "[1,2,[]]"] {
        #expect(try await scene.phone.post("/pub?u=anna&d=phone", body).status == 200, "\(body)")
      }
      #expect(try await scene.phone.post("/pub?u=anna&d=phone").status == 200)
      let device = try await scene.theDevice()
      let kept = try await scene.store.rawBodies(of: device.id, limit: 10)
      #expect(kept.contains { $0.body == Array("not json".utf8) })
      #expect(kept.count >= 3)
    }
  }

  @Test func `a full disk acknowledges nothing, publishes nothing, and goes on when there is room`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ingest-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("store.sqlite").path
    try await SQLStore(sqlite: path).close()
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    var options = SQLiteOptions()
    options.maximumPages = size / 4096 + 40
    try await IngestScene.run(store: SQLStore(sqlite: path, options: options)) { scene in
      var acknowledged = 0
      var last = 200
      while last == 200, acknowledged < 5000 {
        scene.server.clock.pass(.seconds(10))
        last = try await scene.phone.ownTracks(TestPlaces.outside).status
        if last == 200 { acknowledged += 1 }
      }
      #expect(last == 503)
      #expect(acknowledged > 5)
      let inside = try await scene.phone.ownTracks()
      #expect(inside.status == 503)
      #expect(inside.headers[.retryAfter] != nil)
      #expect(try await scene.alarms().isEmpty)
      let device = try await scene.theDevice().id
      func count() async throws -> Int {
        try await scene.store.fixes(of: device, account: scene.account, in: Instant.allowed, limit: 10_000)
          .count
      }
      #expect(try await count() == acknowledged)
      let cursor = try await scene.store.cursor(of: scene.account)
      try await scene.store.close()

      let roomy = try SQLStore(sqlite: path)
      let again = try await TestServer(store: roomy, clock: scene.server.clock)
      // Enough time for the way.
      scene.server.clock.pass(.seconds(600))
      let now = scene.server.clock.now
      let fix = Fix(
        position: TestPlaces.inside, accuracy: .radius(.metres(12)), measuredAt: now, receivedAt: now)
      try await again.parts.alarms.ingest.submit(
        .report(DeviceReport(device: device, fixes: [StoredFix(fix)])))
      let rung = try await roomy.alarms(of: scene.account, device: nil, before: nil, limit: 10)
      #expect(rung.map(\.state) == [.ringing])
      #expect(try await roomy.cursor(of: scene.account) > cursor)
      try await roomy.close()
    }
  }

  @Test func `an edited zone is judged at once, for all devices`() async throws {
    try await IngestScene.run(zones: []) { scene in
      _ = try await scene.phone.ownTracks(device: "one")
      _ = try await scene.phone.ownTracks(device: "two")
      #expect(try await scene.alarms().isEmpty)
      scene.server.clock.pass(.seconds(30))
      let made = try await scene.anna.post("/api/v1/zones", JSONValue.zone("New"))
      let rung = try await scene.alarms()
      #expect(rung.map(\.state) == [.ringing, .ringing])
      #expect(Set(rung.map(\.device)).count == 2)
      scene.server.clock.pass(.seconds(1))
      #expect(try await scene.anna.delete("/api/v1/zones/\(made.id)").status == .noContent)
      #expect(try await scene.alarms().map(\.clearing) == [.zoneRemoved, .zoneRemoved])
    }
  }

  @Test func `arming and disarming act at once`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks()
      let id = try await scene.theDevice().id
      func save(_ isArmed: Bool) async throws {
        scene.server.clock.pass(.seconds(2))
        let device = try await scene.anna.get("/api/v1/devices/\(id)")
        let saved = try await scene.anna.with(.ifMatch, device.tag).put(
          "/api/v1/devices/\(id)", [("name", .string("phone")), ("is_armed", .bool(isArmed))])
        #expect(saved.status == .ok)
      }
      try await save(false)
      #expect(try await scene.alarms().map(\.clearing) == [.deactivated])
      scene.server.clock.pass(.seconds(2))
      _ = try await scene.phone.ownTracks()
      #expect(try await scene.alarms().count == 1)
      try await save(true)
      let alarms = try await scene.alarms()
      #expect(alarms.map(\.clearing) == [nil, .deactivated] && alarms.first?.state == .ringing)
    }
  }

  @Test func `answers do what they say, and again no harm`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks()
      let id = try #require(try await scene.alarms().first).id
      func answer(_ word: String) async throws -> String? {
        let answer = try await scene.anna.post("/api/v1/alarms/\(id)/\(word)")
        #expect(answer.status == .ok)
        return answer.json["state"]?.string
      }
      #expect(try await answer("close") == "closed")
      let version = try await scene.store.alarm(id).version
      #expect(try await answer("close") == "closed")
      #expect(try await scene.store.alarm(id).version == version)
      #expect(try await answer("sleep") == "sleeping")
      scene.server.clock.pass(.seconds(5))
      _ = try await scene.phone.ownTracks()
      #expect(try await scene.alarms().first?.rings == 1)
      scene.server.clock.pass(.seconds(20))
      _ = try await scene.phone.ownTracks()
      #expect(try await scene.store.alarm(id).state == .ringing)
      #expect(try await scene.store.alarm(id).rings == 2)
      #expect(try await answer("acknowledge") == "acknowledged")
      await scene.pass(.seconds(60))
      #expect(try await scene.store.alarm(id).rings == 2)
      #expect(try await scene.store.alarm(id).answeredBy == "account anna")
    }
  }

  @Test func `repeats come with the cycle, and go on after a restart`() async throws {
    let store = try SQLStore.inMemory()
    try await IngestScene.run(store: store) { scene in
      _ = try await scene.phone.ownTracks()
      for expected in 2...4 {
        await scene.pass(.seconds(10))
        #expect(try await scene.alarms().first?.rings == expected)
      }
      let again = try await TestServer(store: store, clock: scene.server.clock)
      scene.server.clock.pass(.seconds(10))
      await again.parts.alarms.ingest.letTimePass()
      #expect(try await scene.alarms().first?.rings == 5)
      scene.server.clock.pass(.seconds(10))
      await again.parts.alarms.ingest.letTimePass()
      #expect(try await scene.alarms().first?.rings == 6)
      #expect(try await scene.alarms().count == 1)
    }
  }

  @Test func `silence is an alarm, and ends when the device is heard of`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      let id = try await scene.theDevice().id
      let device = try await scene.anna.get("/api/v1/devices/\(id)")
      _ = try await scene.anna.with(.ifMatch, device.tag).put(
        "/api/v1/devices/\(id)", [("name", .string("phone")), ("report_interval_s", .number(300))])
      let heard = scene.server.clock.now
      await scene.pass(.seconds(299))
      #expect(try await scene.alarms().isEmpty)
      await scene.pass(.seconds(2))
      let alarm = try #require(try await scene.alarms().first)
      #expect(alarm.subject == .silence(since: heard))
      #expect(alarm.state == .ringing)
      await scene.pass(.seconds(10))
      #expect(try await scene.store.alarm(alarm.id).rings == 2)
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      #expect(try await scene.store.alarm(alarm.id).clearing == .reported)
      #expect(try await scene.alarms().count == 1)
    }
  }

  @Test func `a signal that is lost near a zone is an alarm of its own`() async throws {
    try await IngestScene.run { scene in
      let near = Coordinate(latitude: .degrees(46.0524), longitude: .degrees(14.505))
      _ = try await scene.phone.ownTracks(near)
      #expect(try await scene.alarms().isEmpty)
      await scene.pass(.seconds(121))
      guard case .missedSignal? = try await scene.alarms().first?.subject else {
        Issue.record("\(try await scene.alarms())")
        return
      }
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      #expect(try await scene.alarms().map(\.clearing) == [.reported])
    }
  }

  /// Batches in any order, engines that leave memory, restarts: the alarms equal those of one pass over
  /// everything.
  @Test(arguments: Seeds.few(6)) func `the same alarms as one timeline, whatever the order`(seed: Int)
    async throws
  {
    var random = SeededGenerator(seed: UInt64(seed) &+ 7_000)
    let journey = RandomJourney(seed: UInt64(seed))
    let store = try SQLStore.inMemory()
    // The zones are older than the journey.
    let first = try #require(journey.fixes.map(\.measuredAt).min())
    let account = Account(login: "anna", name: "", passwordHash: nil, createdAt: first - .hours(1))
    try await store.create(account)
    try await store.replace(journey.zones, of: account.id, in: nil, at: account.createdAt)
    let device = Device(account: account.id, name: "phone", createdAt: account.createdAt)
    try await store.create(device, identities: [])
    let last = try #require(journey.fixes.map(\.measuredAt).max())
    let clock = TestServer.MovableClock(last + .seconds(1))
    var server = try await TestServer(store: store, clock: clock)
    var batches: [[StoredFix]] = []
    var rest = journey.fixes.map { StoredFix($0) }[...]
    while !rest.isEmpty {
      let count = Int(random.next() % 12) + 1
      batches.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    if seed % 2 == 0 { batches.shuffle(using: &random) }
    for batch in batches {
      if random.next() % 5 == 0 { server = try await TestServer(store: store, clock: clock) }
      try await server.parts.alarms.ingest.submit(.report(DeviceReport(device: device.id, fixes: batch)))
      if random.next() % 4 == 0 {
        try await server.parts.alarms.ingest.submit(.report(DeviceReport(device: device.id, fixes: batch)))
      }
    }
    let zones = try await store.zoneSet(of: account.id).zones.compactMap(\.zone)
    var timeline = Timeline(device: device.id, settings: .phone, zones: zones)
    timeline.insert(journey.fixes.map { .fix($0) })
    timeline.advance(to: clock.now)
    var expected: Set<AlarmID> = []
    var ended: Set<AlarmID> = []
    for event in timeline.events {
      switch event.kind {
      case .alarm(let report): expected.insert(report.alarm)
      case .cleared(let report, _): ended.insert(report.alarm)
      case .repeat, .missedSignal, .ignored, .notice, .proposal, .perhaps: break
      }
    }
    let stored = try await store.alarms(of: account.id, device: nil, before: nil, limit: 10_000)
      .filter { $0.isOfZone && $0.state != .retracted }
    #expect(stored.count == expected.count, "seed \(seed)")
    #expect(Set(stored.map(\.engineID)) == expected, "seed \(seed)")
    #expect(Set(stored.filter { !$0.isOpen }.map(\.engineID)) == ended, "seed \(seed)")
    let fixes = try await store.fixes(of: device.id, account: account.id, in: Instant.allowed, limit: 10_000)
    #expect(Set(fixes.map(\.fix.measuredAt)) == Set(journey.fixes.map(\.measuredAt)), "seed \(seed)")
  }
}
