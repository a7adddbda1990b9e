import AlarmEngine
import Formats
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Notices")
struct NoticeDeliveryTests {
  private static func zone(cap: Double) -> [(String, JSONValue)] {
    JSONValue.zone("Bakery") + [
      (
        "notice",
        .object([
          ("title", .string("Fresh bread")), ("text", .string("Until noon.")),
          ("link", .string("https://bakery.example/")), ("cap_s", .number(cap)),
        ])
      )
    ]
  }

  /// Enters, delivers what is due, and leaves again.
  private static func visit(_ scene: IngestScene) async throws {
    _ = try await scene.phone.ownTracks()
    try await scene.server.parts.alarms.outbox.deliverDue()
    for _ in 0..<3 {
      scene.server.clock.pass(.seconds(60))
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      try await scene.server.parts.alarms.outbox.deliverDue()
    }
    scene.server.clock.pass(.seconds(600))
  }

  private static func kinds(_ hook: LocalServer) -> [String] {
    hook.requests.compactMap { (try? JSONValue.parse($0.body))?["kind"]?.string }
  }

  @Test func `is shown on entry, once in its cap, with the counts to it`() async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run(zones: [Self.zone(cap: 3600)]) { scene in
        _ = try await scene.webhook(hook.port)
        for _ in 0..<3 { try await Self.visit(scene) }
        #expect(Self.kinds(hook).filter { $0 == "ring" }.count == 3)
        #expect(Self.kinds(hook).filter { $0 == "notice" }.count == 1)
        scene.server.clock.pass(.hours(1))
        try await Self.visit(scene)
        #expect(Self.kinds(hook).filter { $0 == "notice" }.count == 2)
        let counts = try await scene.anna.get("/api/v1/notices").json["items"]?.list ?? []
        #expect(counts.map { $0["shown"]?.whole } == [2])
      }
    }
  }

  @Test func `goes to who is told first, and not to OwnTracks`() async throws {
    try await LocalServer.run { first in
      try await LocalServer.run { second in
        try await IngestScene.run(zones: [Self.zone(cap: 0)]) { scene in
          _ = try await scene.webhook(first.port)
          _ = try await scene.webhook(second.port, step: 1)
          _ = try await scene.anna.post(
            "/api/v1/channels",
            [("kind", .string("owntracks")), ("name", .string("")), ("configuration", .object([]))])
          _ = try await scene.phone.ownTracks()
          try await scene.server.parts.alarms.outbox.deliverDue()
          #expect(Self.kinds(first).sorted() == ["notice", "ring"])
          #expect(second.requests.isEmpty)
        }
      }
    }
  }

  @Test func `an entry of long ago shows nothing`() async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run(zones: [Self.zone(cap: 0)]) { scene in
        _ = try await scene.webhook(hook.port)
        scene.server.clock.pass(.hours(3))
        _ = try await scene.phone.ownTracks(at: scene.server.clock.now - .hours(2))
        // The next position may show that it is over.
        try await scene.server.parts.alarms.outbox.deliverDue()
        #expect(Self.kinds(hook).isEmpty)
        scene.server.clock.pass(.seconds(10))
        try await scene.server.parts.alarms.outbox.deliverDue()
        #expect(Self.kinds(hook) == ["ring"])
        #expect(try await scene.store.noticeCounts(of: scene.account).isEmpty)
      }
    }
  }

  @Test func `its link shows it to whoever has it, and counts when the button is pressed`() async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run(zones: [Self.zone(cap: 0)]) { scene in
        _ = try await scene.webhook(hook.port)
        scene.server.parts.alarms.outbox.listens(at: "https://alarm.example")
        _ = try await scene.phone.ownTracks()
        try await scene.server.parts.alarms.outbox.deliverDue()
        let bodies = hook.requests.compactMap { try? JSONValue.parse($0.body) }
        let body = try #require(bodies.first { $0["kind"]?.string == "notice" })
        let link = try #require(body["links"]?["open"]?.string)
        let path = link.replacing("https://alarm.example", with: "")
        var stranger = scene.anna
        (stranger.cookie, stranger.csrf) = (nil, nil)
        let page = try await stranger.get(path)
        #expect(page.status == .ok && page.text.contains("<h1>Fresh bread</h1>"))
        #expect(!page.text.contains("bakery.example"))
        #expect(try await scene.store.noticeCounts(of: scene.account).map(\.opened) == [0])
        let opened = try await stranger.send(.post, path)
        #expect(opened.text.contains("url=https://bakery.example/"))
        #expect(try await scene.store.noticeCounts(of: scene.account).map(\.opened) == [1])
        #expect(try await stranger.get("/n/nonsense").problem == "not-found")
        #expect(try await stranger.get("/l/" + path.dropFirst(3)).problem == "not-found")
        scene.server.clock.pass(.hours(49))
        #expect(try await stranger.get(path).problem == "gone")
      }
    }
  }

  @Test func `what stands in the outbox is read back as it was`() throws {
    let zone = Zone.valid(
      id: ZoneID(rawValue: 7), name: "Bäckerei",
      outline: .locations([TestPlaces.inside]),
      notice: Notice(title: "T", text: "x\ny", link: "l", image: "i", cap: .hours(1)))
    let device = Device(id: DeviceID(rawValue: 3), account: nil, name: "a", createdAt: TestServer.start)
    let now = TestServer.start + .seconds(5)
    let payload = OutboxPayload.showing(
      try #require(zone.notice), of: zone, on: device, since: TestServer.start, at: now)
    guard case .notice(let notice)? = OutboxMessage(payload) else {
      Issue.record("not read")
      return
    }
    #expect(notice.kind == .notice && notice.time == TestServer.start && notice.learnedAt == now)
    #expect(notice.alarm == AlarmID(noticeOf: zone.id, on: device.id))
    #expect(notice.content == .init(title: "T", text: "x\ny", link: "l", image: "i"))
    #expect(notice.zone?.name == "Bäckerei" && notice.device.name == "a")
  }
}
