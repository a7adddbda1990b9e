import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Former zones")
struct FormerZonesTests {
  /// An account with zones and devices made directly in the store, and a server on it.
  private struct Scene {
    let store: SQLStore
    let account: Account
    let device: Device
    let clock = TestServer.MovableClock(TestServer.start)
    var server: TestServer

    init() async throws {
      store = try SQLStore.inMemory()
      let before = TestServer.start - .hours(10)
      account = Account(login: "anna", name: "", passwordHash: nil, createdAt: before)
      try await store.create(account)
      device = Device(account: account.id, name: "phone", createdAt: before)
      try await store.create(device, identities: [])
      server = try await TestServer(store: store, clock: clock)
    }

    mutating func restart() async throws { server = try await TestServer(store: store, clock: clock) }

    static func zone(_ name: Text, id: UInt64 = 7, at place: Coordinate = TestPlaces.inside) -> Zone {
      Zone.valid(id: ZoneID(rawValue: id), name: name, size: .metres(100), outline: .locations([place]))
    }

    /// Replaces the account's zones and notifies the engines.
    func draw(_ zone: Zone) async throws {
      try await store.replace([zone], of: account.id, in: nil, at: clock.now)
      try await server.parts.alarms.ingest.zonesChanged(of: [account.id], at: clock.now)
    }

    func report(_ place: Coordinate, at time: Instant) async throws {
      let fix = Fix(
        position: place, accuracy: .radius(.metres(5)), measuredAt: time, receivedAt: clock.now)
      try await server.parts.alarms.ingest.submit(
        .report(DeviceReport(device: device.id, fixes: [StoredFix(fix)])))
    }

    func alarms() async throws -> [AlarmRecord] {
      try await store.alarms(of: account.id, device: nil, before: nil, limit: 100)
        .filter { $0.state != .retracted }.sorted { $0.began < $1.began }
    }

    func names() async throws -> [String] {
      try await alarms().map { alarm in
        guard case .zone(_, let name, _) = alarm.subject else { return "?" }
        return name.string
      }
    }
  }

  @Test(arguments: [false, true])
  func `a late fix is judged by the zones of its own time`(restarts: Bool) async throws {
    var scene = try await Scene()
    try await scene.draw(Scene.zone("Cliff"))
    let start = scene.clock.now
    try await scene.report(TestPlaces.outside, at: start)
    scene.clock.pass(.minutes(10))
    // Redrawn elsewhere: the late fix is not in any zone now.
    try await scene.draw(Scene.zone("Moved", at: Coordinate(latitude: .degrees(47), longitude: .degrees(15))))
    scene.clock.pass(.minutes(10))
    try await scene.report(TestPlaces.outside, at: scene.clock.now)
    #expect(try await scene.alarms().isEmpty)
    if restarts { try await scene.restart() }
    try await scene.report(TestPlaces.inside, at: start + .minutes(5))
    let alarm = try #require(try await scene.alarms().first)
    // The alarm began on the way there.
    #expect(alarm.began > start && alarm.began <= start + .minutes(5))
    #expect(try await scene.names() == ["Cliff"])
    #expect(!alarm.isOpen)
    // The same fix sent again changes nothing.
    try await scene.report(TestPlaces.inside, at: start + .minutes(5))
    #expect(try await scene.alarms().count == 1)
  }

  @Test func `a zone drawn later says nothing of where the phone was before`() async throws {
    let scene = try await Scene()
    let start = scene.clock.now
    try await scene.report(TestPlaces.outside, at: start)
    scene.clock.pass(.minutes(10))
    try await scene.draw(Scene.zone("New"))
    scene.clock.pass(.minutes(1))
    try await scene.report(TestPlaces.inside, at: start + .minutes(5))
    try await scene.report(TestPlaces.outside, at: start + .minutes(9))
    #expect(try await scene.alarms().isEmpty)
    try await scene.report(TestPlaces.inside, at: scene.clock.now)
    #expect(try await scene.names() == ["New"])
  }

  @Test func `a phone that was away for hours is judged by each zone in its turn`() async throws {
    let scene = try await Scene()
    let start = scene.clock.now - .hours(3)
    // Three sets one after the other, before the phone's first report.
    let places = (0..<3).map {
      Coordinate(latitude: .degrees(46.0 + Double($0) * 0.05), longitude: .degrees(14.5))
    }
    for (hour, place) in places.enumerated() {
      let time = start + .hours(Double(hour))
      let zone = Scene.zone(Text("Hour \(hour)"), id: UInt64(hour), at: place)
      try await scene.store.replace([zone], of: scene.account.id, in: nil, at: time)
      guard hour > 0 else { continue }
      let gone = ZoneID(rawValue: UInt64(hour) - 1)
      try await scene.store.deleteZone(gone, of: scene.account.id, over: nil, at: time)
    }
    // The phone was in the first place for the first hour, in the second for the second hour, and so on.
    for minute in stride(from: 10, to: 180, by: 10) {
      try await scene.report(places[minute / 60], at: start + .minutes(Double(minute)))
    }
    let names = try await scene.names()
    #expect(names == ["Hour 0", "Hour 1", "Hour 2"])
  }

  @Test func `the last alarm of a zone that is gone is explained by the zone that was`() async throws {
    try await IngestScene.run { scene in
      let zone = try await scene.anna.get("/api/v1/zones").json["items"]?.list?.first?["id"]?.string ?? ""
      scene.server.clock.pass(.minutes(5))
      let then = scene.server.clock.now
      _ = try await scene.phone.ownTracks()
      let device = try await scene.theDevice().id
      scene.server.clock.pass(.minutes(5))
      #expect(try await scene.anna.delete("/api/v1/zones/\(zone)").status == .noContent)
      scene.server.clock.pass(.minutes(5))
      let path = "/api/v1/devices/\(device)/explain?zone=\(zone)"
      let why = try await scene.anna.get("\(path)&at=\(RFC3339.string(from: then))").json
      #expect(why["rings"]?.flag == true)
      #expect(why["zone"]?.string == "Cliff edge")
      let before = try await scene.anna.get(
        "\(path)&at=\(RFC3339.string(from: then - .hours(24)))")
      #expect(before.status == .notFound)
    }
  }

  /// An alarm between two positions lies before the position that decided it; asked with its time, the answer
  /// names that position.
  @Test func `an alarm is explained by what decided it, asked with the time at which it rang`() async throws {
    try await IngestScene.run { scene in
      let zone = try await scene.anna.get("/api/v1/zones").json["items"]?.list?.first?["id"]?.string ?? ""
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      scene.server.clock.pass(.minutes(2))
      let second = scene.server.clock.now
      _ = try await scene.phone.ownTracks()
      let device = try await scene.theDevice().id
      scene.server.clock.pass(.minutes(5))
      let alarm = try await scene.anna.get("/api/v1/alarms").json["items"]?.list?.first
      let began = try #require(alarm?["began_at"]?.string)
      #expect(try #require(RFC3339.instant(from: began)) < second, "it rang on the way")
      let path = "/api/v1/devices/\(device)/explain?zone=\(zone)"
      let why = try await scene.anna.get("\(path)&at=\(began)").json
      #expect(why["rings"]?.flag == true, "\(why.text)")
      #expect(why["sentence"]?.string?.hasPrefix("It rang because ") == true, "\(why.text)")
      // Between two positions nothing rings: the state at that time is explained.
      let between = RFC3339.string(from: second - .minutes(1) - .seconds(37))
      let silent = try await scene.anna.get("\(path)&at=\(between)").json
      #expect(silent["rings"]?.flag == false, "\(silent.text)")
    }
  }

  @Test func `a zone drawn since is said not to have watched`() async throws {
    try await IngestScene.run(zones: []) { scene in
      _ = try await scene.phone.ownTracks()
      let then = scene.server.clock.now
      scene.server.clock.pass(.minutes(5))
      let zone = try await scene.anna.post("/api/v1/zones", JSONValue.zone("New")).id
      let device = try await scene.theDevice().id
      let why = try await scene.anna.get(
        "/api/v1/devices/\(device)/explain?zone=\(zone)&at=\(RFC3339.string(from: then))"
      ).json
      #expect(why["verdict"]?.isNull == true)
      #expect(why["words"]?.string == "the zone did not watch over the device then")
    }
  }

  /// Zones edited on the way, batches in any order: the alarms equal those of one pass over fixes and edits.
  @Test(arguments: Seeds.few(4)) func `edits and late fixes end as one fold`(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 4_000)
    let journey = RandomJourney(seed: UInt64(seed))
    let first = try #require(journey.fixes.map(\.measuredAt).min())
    let last = try #require(journey.fixes.map(\.measuredAt).max())
    let store = try SQLStore.inMemory()
    let account = Account(login: "anna", name: "", passwordHash: nil, createdAt: first - .hours(2))
    try await store.create(account)
    let device = Device(account: account.id, name: "phone", createdAt: first - .hours(2))
    try await store.create(device, identities: [])
    // All edits are before the first fix arrives: half of the zones, then all, then the other half.
    let half = journey.zones.count / 2
    let sets = [Array(journey.zones.prefix(half)), journey.zones, Array(journey.zones.dropFirst(half))]
    let times = [first - .hours(1)] + [0.3, 0.6].map { first + .seconds((last - first).seconds * $0) }
    var stored: Set<ZoneID> = []
    for (set, time) in zip(sets, times) {
      for gone in stored.subtracting(set.map(\.id)).sorted() {
        try await store.deleteZone(gone, of: account.id, over: nil, at: time)
      }
      try await store.replace(set, of: account.id, in: nil, at: time)
      stored = Set(set.map(\.id))
    }
    let clock = TestServer.MovableClock(last + .seconds(1))
    var server = try await TestServer(store: store, clock: clock)
    var batches = stride(from: 0, to: journey.fixes.count, by: 7).map {
      Array(journey.fixes[$0..<min($0 + 7, journey.fixes.count)])
    }
    if seed % 2 == 0 { batches.shuffle(using: &random) }
    for batch in batches {
      if random.next() % 5 == 0 { server = try await TestServer(store: store, clock: clock) }
      try await server.parts.alarms.ingest.submit(
        .report(DeviceReport(device: device.id, fixes: batch.map { StoredFix($0) })))
    }
    let watched = sets.map { WatchedZones($0, defaultRadius: Settings.phone.defaultRadius) }
    var timeline = Timeline(device: device.id, settings: .phone, watched: watched[0])
    timeline.insert(
      journey.fixes.map { .fix($0) }
        + zip(watched, times).dropFirst().map { .command(.replaceZones($0), at: $1) })
    timeline.advance(to: clock.now)
    var expected: Set<AlarmID> = []
    for event in timeline.events { if case .alarm(let report) = event.kind { expected.insert(report.alarm) } }
    let alarms = try await store.alarms(of: account.id, device: nil, before: nil, limit: 10_000)
      .filter { $0.isOfZone && $0.state != .retracted }
    #expect(Set(alarms.map(\.engineID)) == expected, "seed \(seed)")
  }
}
