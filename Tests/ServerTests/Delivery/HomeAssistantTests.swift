import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Home Assistant")
struct HomeAssistantTests {
  /// A server with a phone, and a Home Assistant next to it.
  private static func run(
    _ body: @escaping @Sendable (IngestScene, FakeHomeAssistant, _ address: String) async throws -> Void
  ) async throws {
    let fake = FakeHomeAssistant()
    let answer: @Sendable (ReceivedRequest, Int) -> CannedAnswer = { request, _ in fake.answer(request) }
    try await LocalServer.run(answering: answer) { endpoint in
      try await IngestScene.run { scene in try await body(scene, fake, "http://127.0.0.1:\(endpoint.port)") }
    }
  }

  private static func add(
    _ scene: IngestScene, _ address: String, token: String = "a-long-lived-token",
    more: [(String, JSONValue)] = []
  ) async throws -> Visitor.Answer {
    try await scene.anna.post(
      "/api/v1/channels",
      [
        ("kind", .string("home_assistant")), ("name", .string("home")),
        (
          "configuration",
          .object([("instance", .string(address)), ("access_token", .string(token))] + more)
        ),
      ])
  }

  @Test func `an address and a token are enough: it registers, tells alarms and where the phones are`()
    async throws
  {
    try await Self.run { scene, fake, address in
      let made = try await Self.add(scene, address)
      #expect(made.status == .created, "\(made.text)")
      #expect(fake.phones.map(\.name) == ["Proximity Alarm"])
      #expect(!made.text.contains("token") && !made.text.contains("hook"))
      #expect(
        try await scene.anna.post("/api/v1/channels/\(made.id)/test").json["outcome"]?.string == "delivered")
      #expect(fake.events.map { $0.data["state"]?.string } == ["test"])
      _ = try await scene.phone.ownTracks()
      try await scene.server.parts.alarms.outbox.deliverDue()
      let event = try #require(fake.events.last)
      #expect(event.type == "proximity_alarm" && event.phone.name == "Proximity Alarm")
      #expect(event.data["state"]?.string == "enter" && event.data["urgent"]?.flag == true)
      #expect(event.data["zone"]?.string == "Cliff edge" && event.data["latitude"]?.double != nil)
      let alarm = try #require(try await scene.alarms().first).id
      _ = try await scene.anna.post("/api/v1/alarms/\(alarm)/close")
      try await scene.server.parts.alarms.outbox.deliverDue()
      #expect(fake.events.last?.data["state"]?.string == "closed")
      // Each phone is a device of its own there, and reports a position if it is new.
      let positions = scene.server.parts.alarms.positions
      try await positions.tell()
      try await positions.tell()
      #expect(fake.phones.count == 2 && fake.places.count == 1)
      let place = try #require(fake.places.first)
      #expect(place.phone.deviceID != event.phone.deviceID)
      #expect(place.data["gps"]?.list?.compactMap(\.double) == [46.051, 14.505])
      #expect(place.data["gps_accuracy"]?.double == 12 && place.data["course"]?.double == 181)
      scene.server.clock.pass(.seconds(60))
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      try await positions.tell()
      #expect(fake.places.count == 2 && fake.phones.count == 2)
      #expect(fake.refused.isEmpty)
    }
  }

  @Test func `a wrong token, a wrong address and a Home Assistant without the integration are named`()
    async throws
  {
    try await Self.run { scene, fake, address in
      let wrong = try await Self.add(scene, address, token: "wrong")
      #expect(wrong.status == .unprocessableContent && wrong.text.contains("/configuration/access_token"))
      fake.set(isLoaded: false)
      let bare = try await Self.add(scene, address)
      #expect(bare.status == .unprocessableContent && bare.text.contains("mobile_app"))
      let nobody = try await Self.add(scene, "http://127.0.0.1:1")
      #expect(nobody.status == .unprocessableContent && nobody.text.contains("/configuration/instance"))
      #expect(try await scene.anna.get("/api/v1/channels").json["items"]?.list?.isEmpty == true)
    }
  }

  @Test func `a registration that is gone is made anew, and no alarm is lost by it`() async throws {
    try await Self.run { scene, fake, address in
      let id = try await Self.add(scene, address).id
      func test() async throws -> String {
        try await scene.anna.post("/api/v1/channels/\(id)/test").json["outcome"]?.string ?? ""
      }
      // A removed device is answered with 410.
      fake.remove(try #require(fake.phones.first))
      #expect(try await test() == "delivered")
      #expect(fake.phones.count == 1 && fake.events.count == 1)
      // A Home Assistant that was set up anew answers every webhook with an empty 200.
      fake.forgetAll()
      #expect(try await test() == "delivered")
      #expect(fake.phones.count == 1 && fake.events.count == 2)
      // The new registration is stored.
      #expect(try await test() == "delivered")
      #expect(fake.phones.count == 1 && fake.events.count == 3)
      // A Home Assistant that is starting: the delivery is retried and never given up.
      fake.set(isLoaded: false)
      #expect(try await test() == "failed")
      fake.set(isLoaded: true)
      #expect(try await test() == "delivered")
      // The same for a phone's position.
      _ = try await scene.phone.ownTracks()
      try await scene.server.parts.alarms.positions.tell()
      fake.forgetAll()
      scene.server.clock.pass(.seconds(30))
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      try await scene.server.parts.alarms.positions.tell()
      #expect(fake.places.count == 2)
    }
  }

  @Test func `a token that was revoked ends the channel, so that the next is told and its owner sees it`()
    async throws
  {
    try await Self.run { scene, fake, address in
      let id = try await Self.add(scene, address).id
      fake.set(token: "another")
      fake.forgetAll()
      _ = try await scene.phone.ownTracks()
      try await scene.server.parts.alarms.outbox.deliverDue()
      #expect(try await scene.anna.get("/api/v1/channels/\(id)").json["is_active"]?.flag == false)
    }
  }

  @Test func `positions are told by fewer and fewer tries while Home Assistant is away`() async throws {
    try await Self.run { scene, fake, address in
      _ = try await Self.add(scene, address)
      _ = try await scene.phone.ownTracks()
      fake.set(isLoaded: false)
      let positions = scene.server.parts.alarms.positions
      try await positions.tell()
      fake.set(isLoaded: true)
      try await positions.tell()
      #expect(fake.places.isEmpty)
      scene.server.clock.pass(.seconds(31))
      try await positions.tell()
      #expect(fake.places.count == 1)
    }
  }

  @Test func `a withheld position stands nowhere in what is sent`() async throws {
    let bodies = NIOLockedValueBox("")
    let fake = FakeHomeAssistant()
    let answer: @Sendable (ReceivedRequest, Int) -> CannedAnswer = { request, _ in
      bodies.withLockedValue { $0 += request.text + "\n" }
      return fake.answer(request)
    }
    try await LocalServer.run(answering: answer) { endpoint in
      try await IngestScene.run { scene in
        _ = try await Self.add(
          scene, "http://127.0.0.1:\(endpoint.port)", more: [("shares_position", .bool(false))])
        _ = try await scene.phone.ownTracks()
        try await scene.server.parts.alarms.outbox.deliverDue()
        try await scene.server.parts.alarms.positions.tell()
      }
    }
    #expect(fake.events.count == 1 && fake.places.isEmpty && fake.phones.count == 1)
    let sent = bodies.withLockedValue { $0 }
    #expect(!sent.contains("46.05") && !sent.contains("14.50") && !sent.contains("distance_m"), "\(sent)")
  }

  @Test func `the next address is tried where one cannot be reached`() async throws {
    let settings =
      #"{"cloudhook_url":"http://127.0.0.1:1/cloud","instance":"http://127.0.0.1:PORT","webhook_id":"a"}"#
    let requests = try await LocalServer.run(answers: [CannedAnswer(body: "{}")]) { endpoint in
      try await withHTTP { http in
        let text = settings.replacing("PORT", with: "\(endpoint.port)")
        let channel = try DeliveryServices(http: http).channel(configuration(.homeAssistant, text))
        #expect(await channel.deliver(notice()).isDelivered)
        return endpoint.requests
      }
    }
    #expect(requests.map(\.path) == ["/api/webhook/a"])
  }

  @Test(arguments: [(200, "", "retry"), (404, "", "retry"), (410, "", "gone"), (200, "{}", "delivered")])
  func `without a token a webhook that is not known is told from one that is`(
    status: Int, body: String, meaning: String
  ) async throws {
    let outcome = try await LocalServer.run(answers: [CannedAnswer(status: status, body: body)]) { endpoint in
      try await withHTTP { http in
        let text = #"{"instance":"http://127.0.0.1:\#(endpoint.port)","webhook_id":"a"}"#
        return await (try DeliveryServices(http: http).channel(configuration(.homeAssistant, text)))
          .deliver(notice())
      }
    }
    #expect(told(outcome) == meaning, "\(outcome)")
  }

  @Test func `what is kept of a registration is read back as it was`() throws {
    let text =
      #"{"instance":"https://ha.example.org","access_token":"SECRET","webhook_id":"a","cloudhook_url":"https://hooks.example/SECRET","phones":{"000000000000002a":{"webhook_id":"b"}},"shares_position":true}"#
    guard case .homeAssistant(let target) = try configuration(.homeAssistant, text) else {
      Issue.record("another kind")
      return
    }
    #expect(target.json.text == text)
    #expect(target.phones[DeviceID(rawValue: 42)]?.webhookID.revealed == "b")
    var dumped = ""
    dump(target, to: &dumped)
    #expect(!dumped.contains("SECRET"))
  }
}
