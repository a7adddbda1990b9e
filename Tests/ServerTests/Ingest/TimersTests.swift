import AlarmEngine
import Formats
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Server

@Suite("Timers and edits")
struct TimersTests {
  private static func edit(
    _ scene: IngestScene, _ device: DeviceID, _ members: [(String, JSONValue)]
  ) async throws {
    let read = try await scene.anna.get("/api/v1/devices/\(device)")
    let saved = try await scene.anna.with(.ifMatch, read.tag).put(
      "/api/v1/devices/\(device)", [("name", .string("phone"))] + members)
    #expect(saved.status == .ok)
  }

  /// Runs the timers as the service does, at the times that they ask for, until `span` has passed.
  private static func wait(_ scene: IngestScene, _ span: TimeSpan) async {
    let (clock, ingest) = (scene.server.clock, scene.server.parts.alarms.ingest)
    let end = clock.now + span
    while true {
      let wait = await ingest.turn()
      guard clock.now + wait <= end else { break }
      clock.pass(wait)
    }
    clock.pass(end - clock.now)
  }

  @Test func `an edit of a device wakes the timers, and its alarm repeats`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      let device = try await scene.theDevice().id
      let before = scene.server.parts.alarms.ingest.wakes.calls.timers
      try await Self.edit(scene, device, [])
      #expect(scene.server.parts.alarms.ingest.wakes.calls.timers > before)
      await Self.wait(scene, .seconds(100))
      _ = try await scene.phone.ownTracks()
      await Self.wait(scene, .seconds(35))
      #expect(try await scene.alarms().map(\.rings) == [4])
      // The due time in the store is never left in the past.
      let due = try #require(try await scene.store.nextDeviceDue())
      #expect(due > scene.server.clock.now)
    }
  }

  @Test func `a phone that must report and falls silent after an edit is told of`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      try await Self.edit(scene, try await scene.theDevice().id, [("report_interval_s", .number(60))])
      await Self.wait(scene, .seconds(50))
      #expect(try await scene.alarms().isEmpty)
      // After a start a phone has ten minutes to send its queue, or its interval if that is shorter.
      await Self.wait(scene, .seconds(11))
      #expect(try await scene.alarms().map(\.isSilence) == [true])
    }
  }

  @Test func `a silent phone that is switched off and on again is told of again`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      let device = try await scene.theDevice().id
      let interval = ("report_interval_s", JSONValue.number(60))
      try await Self.edit(scene, device, [interval])
      await Self.wait(scene, .seconds(61))
      try await Self.edit(scene, device, [interval, ("is_armed", .bool(false))])
      #expect(try await scene.alarms().map(\.clearing) == [.deactivated])
      try await Self.edit(scene, device, [interval, ("is_armed", .bool(true))])
      await Self.wait(scene, .seconds(1))
      #expect(try await scene.alarms().map(\.state) == [.ringing])
    }
  }

  @Test func `a server that was down does not take that for the phone's silence`() async throws {
    let store = try SQLStore.inMemory()
    try await IngestScene.run(store: store) { scene in
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      try await Self.edit(scene, try await scene.theDevice().id, [("report_interval_s", .number(60))])
      scene.server.clock.pass(.seconds(62))
      let again = try await TestServer(store: store, clock: scene.server.clock)
      await again.parts.alarms.ingest.letTimePass()
      #expect(try await scene.alarms().isEmpty)
      scene.server.clock.pass(.seconds(60))
      await again.parts.alarms.ingest.letTimePass()
      #expect(try await scene.alarms().map(\.isSilence) == [true])
    }
  }

  @Test func `a zone drawn over a phone whose engine is not in memory is one alarm`() async throws {
    let store = try SQLStore.inMemory()
    try await IngestScene.run(zones: [], store: store) { scene in
      let hook = try await scene.webhook(9)
      _ = try await scene.phone.ownTracks()
      for life in 1...3 {
        try await scene.server.parts.alarms.ingest.storeChanged()
        _ = try await scene.anna.post("/api/v1/zones", JSONValue.zone("Home \(life)"))
        await Self.wait(scene, .seconds(9))
        #expect(try await scene.alarms().count == life)
      }
      #expect(try await scene.phone.ownTracks().status == 200)
      #expect(try await scene.alarms().count == 3)
      let leased = try await store.lease(
        now: scene.server.clock.now, limit: 100, for: .seconds(9), owner: "test")
      #expect(leased.count == 3 && Set(leased.map { "\($0.item.channel)" }) == [hook])
    }
  }

  @Test func `what rings repeats though the clock is set back`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks()
      _ = await scene.server.parts.alarms.ingest.turn()
      #expect(try await scene.store.latestTime() == scene.server.clock.now)
      scene.server.clock.set(by: .hours(-1))
      await Self.wait(scene, .seconds(31))
      let alarms = try await scene.alarms()
      #expect(alarms.count == 1)
      #expect(alarms.first?.rings == 4)
    }
  }

  /// A clock change is noticed at the next look, up to five seconds later. Repeats in between fall due by the
  /// old clock.
  @Test func `a repeat that falls due before a clock set back is noticed is followed by others`() async throws
  {
    try await IngestScene.run { scene in
      let clock = scene.server.clock
      _ = try await scene.phone.ownTracks()
      _ = await scene.server.parts.alarms.ingest.turn()
      clock.pass(.seconds(10))
      clock.set(by: .hours(-1))
      await Self.wait(scene, .seconds(31))
      let alarms = try await scene.alarms()
      #expect(alarms.map(\.rings) == [5])
      #expect(try #require(alarms.first).lastRangAt <= clock.now)
    }
  }

  @Test func `a job that fails leaves nothing behind`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      let ingest = scene.server.parts.alarms.ingest
      let before = try await scene.store.cursor(of: scene.account)
      let gone = DeviceID(rawValue: 99)
      await #expect(throws: DeviceGone(device: gone)) {
        try await ingest.submit(.report(DeviceReport(device: gone, fixes: [])))
      }
      #expect(try await scene.store.cursor(of: scene.account) == before)
      #expect(try await scene.phone.ownTracks().status == 200)
      #expect(try await scene.alarms().count == 1)
    }
  }
}

@Suite("Alarm breaker")
struct AlarmBreakerTests {
  @Test func `counts a zone's alarms on one device, for a minute`() {
    var breaker = AlarmBreaker()
    let (device, zone, start) = (DeviceID(rawValue: 1), ZoneID(rawValue: 2), TestServer.start)
    for second in 0..<30 { breaker.note(device, zone, at: start + .seconds(Double(second))) }
    #expect(breaker.count(device, zone, at: start + .seconds(30)) > AlarmBreaker.most)
    #expect(breaker.count(device, ZoneID(rawValue: 3), at: start + .seconds(30)) == 0)
    #expect(breaker.count(device, zone, at: start + .seconds(89)) == 0)
    let news = [0.0, 59, 60].map { breaker.isNews(device, zone, at: start + .seconds($0)) }
    #expect(news == [true, false, true])
    // The clock was set back: times that seem to be in the future do not count.
    #expect(breaker.count(device, zone, at: start - .hours(1)) == 0)
  }
}
