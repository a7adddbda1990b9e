import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Hummingbird
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Reminders that the server tells")
struct ReminderTellingTests {
  private static let outside = TestPlaces.outside

  @Test func `S207 S220: near a place it is told once a visit, with the list, and withdrawn on leaving`()
    async throws
  {
    try await ReminderScene.run { shop in
      try await shop.report(Self.outside)
      #expect(shop.kinds.isEmpty)
      for _ in 0..<3 { try await shop.report() }
      #expect(shop.kinds == ["reminder"])
      let body = try #require(shop.bodies.first)
      #expect(body["reminder"]?.string == shop.groceries && body["alarm"] == nil)
      #expect(body["title"]?.string == "Groceries")
      #expect(body["text"]?.string == "Corner shop, 0 m away\nmilk\nbread")
      #expect(body["messages"]?.list?.compactMap(\.string) == ["milk", "bread"])
      let told = try #require(try await shop.stored()["told"]?.list)
      #expect(told.count == 1 && told[0]["place"]?.string == "Corner shop")
      #expect(told[0]["device_id"]?.string == "\(try await shop.scene.theDevice().id)")
      for _ in 0..<2 { try await shop.report(Self.outside) }
      #expect(shop.kinds == ["reminder", "withdrawn"])
      #expect(shop.bodies[1]["reason"]?.string == "cleared")
      #expect(shop.bodies[1]["reminder"]?.string == shop.groceries)
      try await shop.report()
      #expect(shop.kinds == ["reminder", "withdrawn", "reminder"])
      // It is no alarm.
      #expect(try await shop.scene.alarms().isEmpty)
    }
  }

  @Test func `S212 S213: a snooze withdraws it; afterwards it is told again, without a new position`()
    async throws
  {
    try await ReminderScene.run { shop in
      try await shop.report()
      let answer = try await shop.answer("snooze", [("for", .string("30m"))])
      #expect(answer.status == .ok && answer.json["state"]?["kind"]?.string == "snoozed")
      #expect(shop.kinds == ["reminder", "withdrawn"])
      #expect(shop.bodies[1]["reason"]?.string == "slept")
      try await shop.report()
      try await shop.pass(.minutes(28))
      #expect(shop.kinds.count == 2)
      try await shop.pass(.minutes(2))
      #expect(shop.kinds == ["reminder", "withdrawn", "reminder"])
      try await shop.pass(.minutes(30))
      #expect(shop.kinds.count == 3)
    }
  }

  @Test func `S211: done ends it for this visit and the next`() async throws {
    try await ReminderScene.run { shop in
      try await shop.report()
      for _ in 0..<2 {
        let answer = try await shop.answer("done")
        #expect(answer.json["state"]?["kind"]?.string == "completed")
      }
      #expect(shop.kinds == ["reminder", "withdrawn"])
      try await shop.report()
      try await shop.report(Self.outside)
      try await shop.report()
      #expect(shop.kinds.count == 2)
      // S215
      _ = try await shop.answer("restart")
      #expect(shop.kinds == ["reminder", "withdrawn", "reminder"])
    }
  }

  @Test func `W19: one that repeats begins anew when the phone that met it has left, not by another`()
    async throws
  {
    try await ReminderScene.run(repeats: true) { shop in
      try await shop.report()
      var done = ReminderScene.reminder(repeats: true)
      done[1] = ("items", .array([.object([("text", .string("milk")), ("done", .bool(true))])]))
      done.append(("state", .object([("kind", .string("completed"))])))
      let tag = try await shop.scene.anna.get("/api/v1/reminders/\(shop.groceries)").tag
      #expect(
        try await shop.scene.anna.with(.ifMatch, tag).put("/api/v1/reminders/\(shop.groceries)", done).status
          == .ok)
      try await shop.deliver()
      shop.clock.pass(.minutes(1))
      _ = try await shop.scene.phone.ownTracks(Self.outside, device: "tablet")
      try await shop.report()
      #expect(try await shop.stored()["state"]?["kind"]?.string == "completed")
      #expect(shop.kinds == ["reminder", "withdrawn"])
      for _ in 0..<2 { try await shop.report(Self.outside) }
      let anew = try await shop.stored()
      #expect(anew["state"]?["kind"]?.string == "active")
      #expect(anew["items"]?.list?.map { $0["done"]?.flag } == [false])
      try await shop.report()
      #expect(shop.kinds == ["reminder", "withdrawn", "reminder"])
    }
  }

  // MARK: Order

  @Test func `a past visit is not told, and does not keep the present one from being told`() async throws {
    try await ReminderScene.run { shop in
      try await shop.report(measured: .hours(2))
      try await shop.pass(.minutes(1))
      #expect(shop.kinds.isEmpty)
      try await shop.report()
      #expect(shop.kinds == ["reminder"])
      // Older than the last one.
      try await shop.report(Self.outside, measured: .minutes(30))
      try await shop.report(measured: .minutes(20))
      try await shop.report()
      #expect(shop.kinds == ["reminder"])
    }
  }

  @Test func `a queue that comes one by one tells no visit that it shows to be over`() async throws {
    try await ReminderScene.run { shop in
      try await shop.report(measured: .minutes(10))
      #expect(shop.kinds.isEmpty)
      for _ in 0..<2 { try await shop.report(Self.outside, measured: .minutes(5)) }
      try await shop.pass(.minutes(1))
      #expect(!shop.kinds.contains("reminder"))
      // One that stays is told after a short wait.
      try await shop.report(measured: .minutes(3))
      #expect(!shop.kinds.contains("reminder"))
      try await shop.pass(.seconds(10))
      #expect(shop.kinds.last == "reminder")
    }
  }

  @Test(arguments: [true, false])
  func `a visit that is over within one report is not told, in whichever order it comes`(isInOrder: Bool)
    async throws
  {
    try await ReminderScene.run { shop in
      try await shop.report(Self.outside)
      shop.clock.pass(.minutes(10))
      let device = try await shop.scene.theDevice().id
      let way = [(5, TestPlaces.inside), (3, Self.outside), (1, Self.outside)]
      let fixes = (isInOrder ? way : way.reversed()).map { minutes, place in
        StoredFix(
          Fix(
            position: place, accuracy: .radius(.metres(10)),
            measuredAt: shop.clock.now - .minutes(Double(minutes)), receivedAt: shop.clock.now))
      }
      try await shop.scene.server.parts.alarms.ingest.submit(
        .report(DeviceReport(device: device, fixes: fixes)))
      try await shop.pass(.minutes(1))
      #expect(shop.kinds.isEmpty)
    }
  }

  // MARK: Edits while inside

  @Test func `an edit counts at once: moved away, moved here, deleted`() async throws {
    try await ReminderScene.run { shop in
      try await shop.report()
      func put(_ place: Coordinate) async throws {
        let path = "/api/v1/reminders/\(shop.groceries)"
        let tag = try await shop.scene.anna.get(path).tag
        _ = try await shop.scene.anna.with(.ifMatch, tag).put(path, ReminderScene.reminder(at: place))
        try await shop.deliver()
      }
      try await put(Self.outside)
      #expect(shop.kinds == ["reminder", "withdrawn"])
      try await put(TestPlaces.inside)
      #expect(shop.kinds == ["reminder", "withdrawn", "reminder"])
      #expect(try await shop.scene.anna.delete("/api/v1/reminders/\(shop.groceries)").status == .noContent)
      try await shop.deliver()
      #expect(shop.kinds == ["reminder", "withdrawn", "reminder", "withdrawn"])
      try await shop.report()
      #expect(shop.kinds.count == 4)
      #expect(try await shop.scene.store.reminderTellings(of: shop.scene.account).count == 1)
    }
  }

  @Test func `one that is made where the phone stands is told at once`() async throws {
    try await ReminderScene.run { shop in
      try await shop.report()
      _ = try await shop.scene.anna.post("/api/v1/reminders", ReminderScene.reminder())
      try await shop.deliver()
      #expect(shop.kinds == ["reminder", "reminder"])
    }
  }

  @Test func `a page that syncs an edit withdraws it as well`() async throws {
    try await ReminderScene.run { shop in
      try await shop.report()
      let id = ReminderID(rawValue: try #require(parsedID(shop.groceries)))
      let stored = try await shop.scene.store.reminderRecord(id, of: shop.scene.account)
      var record = stored.record
      let latest = try #require(record.latest)
      record.delete(
        at: HybridTime(time: latest.time + .milliseconds(1), counter: 0, node: latest.node))
      try await shop.scene.store.merge(
        [ReminderRecord(id: id, record: record)], of: shop.scene.account, at: shop.clock.now)
      // As another process would see it.
      try await shop.pass(.seconds(5))
      #expect(shop.kinds == ["reminder", "withdrawn"])
    }
  }

  // MARK: Rules of alarms

  @Test func `a phone whose alarms are off tells nothing, and once they are on the next position decides`()
    async throws
  {
    try await ReminderScene.run { shop in
      try await shop.report(Self.outside)
      let device = try await shop.scene.theDevice()
      func arm(_ isArmed: Bool) async throws {
        let path = "/api/v1/devices/\(device.id)"
        let tag = try await shop.scene.anna.get(path).tag
        let answer = try await shop.scene.anna.with(.ifMatch, tag).put(
          path, [("name", .string(device.name)), ("is_armed", .bool(isArmed))])
        #expect(answer.status == .ok)
      }
      try await arm(false)
      try await shop.report()
      #expect(shop.kinds.isEmpty)
      _ = try await shop.answer("snooze", [("for", .string("30m"))])
      try await shop.pass(.minutes(31))
      try await arm(true)
      try await shop.report()
      #expect(shop.kinds == ["reminder"])
    }
  }

  @Test func `only channels of the first step that take the phone are told, and not OwnTracks`() async throws
  {
    try await LocalServer.run { second in
      try await ReminderScene.run { shop in
        _ = try await shop.scene.webhook(second.port, step: 1)
        _ = try await shop.scene.anna.post(
          "/api/v1/channels",
          [("kind", .string("owntracks")), ("name", .string("")), ("configuration", .object([]))])
        try await shop.report()
        #expect(shop.kinds == ["reminder"] && second.requests.isEmpty)
      }
    }
  }

  @Test func `without a channel nothing is told, and nothing says that it was`() async throws {
    try await IngestScene.run(zones: []) { scene in
      let made = try await scene.anna.post("/api/v1/reminders", ReminderScene.reminder())
      _ = try await scene.phone.ownTracks()
      #expect(try await scene.anna.get("/api/v1/reminders/\(made.id)").json["told"]?.list?.isEmpty == true)
    }
  }

  // MARK: Restarts and other processes

  /// Calls with a phone that reports to another server on the same store.
  private static func other(
    _ shop: ReminderScene, _ body: @escaping @Sendable (TestServer, TestPhone) async throws -> Void
  ) async throws {
    let other = try await TestServer(store: shop.scene.store, clock: shop.clock)
    try await Application(router: ProximityServer.router(other.parts), logger: TestServer.silent).test(
      .router
    ) { client in
      try await body(other, TestPhone(client: client, clock: shop.clock, token: shop.scene.phone.token))
    }
  }

  @Test func `another process, or one that was started anew, knows what was told`() async throws {
    try await ReminderScene.run(store: SQLStore.inMemory()) { shop in
      try await shop.report()
      try await Self.other(shop) { _, phone in
        for _ in 0..<3 {
          shop.clock.pass(.minutes(1))
          #expect(try await phone.ownTracks().status == 200)
          try await shop.report()
        }
        #expect(shop.kinds == ["reminder"])
        shop.clock.pass(.minutes(1))
        _ = try await phone.ownTracks(Self.outside)
        try await shop.report(Self.outside)
        #expect(shop.kinds == ["reminder", "withdrawn"])
      }
    }
  }

  @Test func `what one process is answered, the other tells no more`() async throws {
    try await ReminderScene.run(store: SQLStore.inMemory()) { shop in
      try await shop.report(Self.outside)
      try await Self.other(shop) { other, phone in
        shop.clock.pass(.minutes(1))
        _ = try await phone.ownTracks(Self.outside)
        // The other has the device in memory, with the reminder as it was.
        _ = try await shop.answer("done")
        shop.clock.pass(.minutes(1))
        _ = try await phone.ownTracks()
        try await other.parts.alarms.outbox.deliverDue()
        #expect(shop.kinds.isEmpty)
      }
    }
  }
}
