import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import MQTTClient
import NIOConcurrencyHelpers
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// Takes the place of a connection to a broker, and keeps the published messages.
private final class KeptOutlet: MQTTOutlet {
  struct Message: Sendable {
    let topic: String
    let json: JSONValue
    var event: String { json["event_type"]?.string ?? "" }
    var key: String { json["key"]?.string ?? "" }
  }
  private struct Book {
    var isOpen = true
    var failures = 0
    var messages: [Message] = []
  }
  private let book = NIOLockedValueBox(Book())

  var messages: [Message] { book.withLockedValue { $0.messages } }
  var isOpen: Bool {
    get { book.withLockedValue { $0.isOpen } }
    set { book.withLockedValue { $0.isOpen = newValue } }
  }
  /// Lets the next `count` messages arrive without an acknowledgement.
  func loseAnswers(_ count: Int) { book.withLockedValue { $0.failures = count } }

  func publish(_ levels: [String], _ payload: [UInt8]) async throws(DeliveryFailure) -> String {
    let topic = levels.joined(separator: "/")
    guard let json = try? JSONValue.parse(payload) else { throw .garbled("no JSON") }
    let isLost = book.withLockedValue { book in
      book.messages.append(Message(topic: topic, json: json))
      book.failures -= 1
      return book.failures >= 0
    }
    if isLost { throw .connectionLost }
    return topic
  }
}

/// Messages published for alarms, phones and zones, by the functions that the connection calls.
@Suite("Alarms and states on the MQTT broker")
struct MQTTPublishingTests {
  private static let settings = {
    var settings = ServerSettings()
    settings.broker = MQTTAddress("mqtt://broker.example.org").map { ServerSettings.Broker(address: $0) }
    return settings
  }()

  private static func run(
    _ body: @escaping @Sendable (IngestScene, KeptOutlet) async throws -> Void
  ) async throws {
    let outlet = KeptOutlet()
    try await IngestScene.run(settings: settings, mqtt: outlet) { try await body($0, outlet) }
  }

  private static func publish(
    _ scene: IngestScene, _ configuration: [(String, JSONValue)] = [], more: [(String, JSONValue)] = []
  ) async throws -> String {
    let made = try await scene.anna.post(
      "/api/v1/channels",
      [("kind", .string("mqtt")), ("name", .string("MQTT")), ("configuration", .object(configuration))] + more
    )
    #expect(made.status == .created, "\(made.text)")
    return made.id
  }

  private static func deliver(_ scene: IngestScene) async throws {
    try await scene.server.parts.alarms.outbox.deliverDue()
  }

  private static func wanted(_ scene: IngestScene) async throws -> [String: JSONValue] {
    try await scene.server.mirror.wanted().mapValues { try JSONValue.parse($0) }
  }

  @Test
  func `an alarm that rings, repeats and sleeps is three events of one phone, each with its key`()
    async throws
  {
    try await Self.run { scene, outlet in
      _ = try await Self.publish(scene)
      _ = try await scene.phone.ownTracks()
      try await Self.deliver(scene)
      let device = try await scene.theDevice()
      let alarm = try #require(try await scene.alarms().first)
      let ring = try #require(outlet.messages.first)
      #expect(ring.topic == "anna/\(device.id)/alarm" && ring.event == "ring")
      #expect(ring.key == "\(alarm.id)-0" && ring.json["zone"]?.string == "Cliff edge")
      // Neither its position, nor links to answer it.
      for name in ["latitude", "longitude", "accuracy_m", "distance_m", "links"] {
        #expect(ring.json[name] == nil, "\(name)")
      }
      await scene.pass(.seconds(11))
      try await Self.deliver(scene)
      _ = try await scene.anna.post("/api/v1/alarms/\(alarm.id)/sleep", [])
      try await Self.deliver(scene)
      #expect(outlet.messages.map(\.event) == ["ring", "repeat", "slept"])
      #expect(outlet.messages.allSatisfy { $0.topic == ring.topic })
      #expect(outlet.messages.allSatisfy { MQTTChannel.eventTypes.contains($0.event) })
      #expect(Set(outlet.messages.map(\.key)).count == 3)
      #expect(outlet.messages.last?.json["zone"]?.string == "Cliff edge")
      #expect(try await scene.store.nextDue() == nil)
    }
  }

  @Test func `positions are among it where the person says so`() async throws {
    try await Self.run { scene, outlet in
      _ = try await Self.publish(scene, [("shares_position", .bool(true))])
      _ = try await scene.phone.ownTracks()
      try await Self.deliver(scene)
      let ring = try #require(outlet.messages.first)
      #expect(ring.json["latitude"]?.double == 46.051 && ring.json["distance_m"]?.double != nil)
      #expect(ring.json["links"] == nil)
    }
  }

  @Test func `without the connection an alarm waits without an attempt, and goes out once it is there`()
    async throws
  {
    try await Self.run { scene, outlet in
      _ = try await Self.publish(scene)
      outlet.isOpen = false
      _ = try await scene.phone.ownTracks()
      for _ in 0..<3 {
        try await Self.deliver(scene)
        await scene.pass(.minutes(1))
      }
      #expect(outlet.messages.isEmpty)
      let alarm = try #require(try await scene.alarms().first).id
      #expect(try await scene.store.attempts(of: alarm, account: scene.account).isEmpty)
      outlet.isOpen = true
      try await Self.deliver(scene)
      #expect(outlet.messages.map(\.json).compactMap { $0["alarm"]?.string } == ["\(alarm)"])
      #expect(
        try await scene.store.attempts(of: alarm, account: scene.account).map(\.outcome) == [.delivered])
    }
  }

  @Test func `what the broker did not acknowledge is published again under the same key`() async throws {
    try await Self.run { scene, outlet in
      _ = try await Self.publish(scene)
      outlet.loseAnswers(2)
      _ = try await scene.phone.ownTracks()
      for _ in 0..<3 {
        try await Self.deliver(scene)
        scene.server.clock.pass(.seconds(9))
      }
      #expect(outlet.messages.count == 3 && Set(outlet.messages.map(\.key)).count == 1)
      let alarm = try #require(try await scene.alarms().first).id
      let attempts = try await scene.store.attempts(of: alarm, account: scene.account)
      #expect(attempts.map(\.outcome).filter { $0 == .delivered }.count == 1 && attempts.count == 3)
    }
  }

  @Test func `a test is told apart, and without a broker it says why it cannot go out`() async throws {
    try await Self.run { scene, outlet in
      let channel = try await Self.publish(scene)
      let told = try await scene.anna.post("/api/v1/channels/\(channel)/test")
      #expect(told.json["outcome"]?.string == "delivered")
      #expect(outlet.messages.map(\.topic) == ["anna/test"])
    }
    try await IngestScene.run { scene in
      let channel = try await Self.publish(scene)
      let told = try await scene.anna.post("/api/v1/channels/\(channel)/test")
      #expect(told.json["detail"]?.string?.contains("no MQTT broker") == true, "\(told.text)")
      #expect(try await scene.anna.get("/api/v1/mqtt").json["topic"]?.string == nil)
    }
  }

  @Test func `nothing is published of an account that does not ask for it, and the API says what is`()
    async throws
  {
    try await Self.run { scene, _ in
      _ = try await scene.phone.ownTracks()
      #expect(try await Self.wanted(scene).isEmpty)
      var told = try await scene.anna.get("/api/v1/mqtt")
      #expect(told.json["topic"]?.string == "proximity/anna")
      #expect(told.json["published"]?.isObject == false)
      let channel = try await Self.publish(scene, [("discovery", .bool(false))])
      told = try await scene.anna.get("/api/v1/mqtt")
      #expect(told.json["published"]?["channel_id"]?.string == channel)
      #expect(told.json["published"]?["shares_position"]?.flag == false)
      #expect(told.json["published"]?["discovery"]?.flag == false)
    }
  }

  @Test func `states say in which zones a phone is, and where only where that is shared`() async throws {
    try await Self.run { scene, _ in
      let channel = try await Self.publish(scene, [("discovery", .bool(false))])
      _ = try await scene.phone.ownTracks()
      let device = try await scene.theDevice().id
      let zone = try #require(try await scene.store.zoneSet(of: scene.account).zones.first).id
      let base = "proximity/anna/\(device)"
      var states = try await Self.wanted(scene)
      #expect(Set(states.keys) == ["\(base)/state", "\(base)/zone/\(zone)"])
      let state = try #require(states["\(base)/state"])
      #expect(state["in_zones"]?.list?.map(\.string) == ["Cliff edge"])
      #expect(state["zone_ids"]?.list?.map(\.string) == ["\(zone)"])
      #expect(state["battery_level"]?.double == 63 && state["gps_accuracy"]?.double == 12)
      #expect(state["latitude"] == nil && state["longitude"] == nil)
      #expect(state["measured_at"]?.string != nil && state["last_seen"]?.string != nil)
      #expect(states["\(base)/zone/\(zone)"]?["state"]?.string == "inside")
      scene.server.clock.pass(.minutes(5))
      _ = try await scene.phone.ownTracks(TestPlaces.outside)
      states = try await Self.wanted(scene)
      #expect(states["\(base)/state"]?["in_zones"]?.list?.isEmpty == true)
      #expect(states["\(base)/zone/\(zone)"]?["state"]?.string == "outside")
      _ = try await scene.anna.delete("/api/v1/channels/\(channel)")
      _ = try await Self.publish(scene, [("shares_position", .bool(true))])
      let shared = try #require(try await Self.wanted(scene)["\(base)/state"])
      #expect(shared["latitude"]?.double == 46.071 && shared["longitude"]?.double == 14.505)
    }
  }

  @Test
  func
    `a phone that has not reported is in no zone that is known, and a channel of some phones is of those alone`()
    async throws
  {
    try await Self.run { scene, _ in
      let silent = try await scene.anna.post("/api/v1/devices", [("name", .string("silent"))]).id
      _ = try await scene.phone.ownTracks()
      _ = try await Self.publish(
        scene, [("shares_position", .bool(true))],
        more: [("rule", .object([("device_ids", .array([.string(silent)]))]))])
      let states = try await Self.wanted(scene)
      let zone = try #require(try await scene.store.zoneSet(of: scene.account).zones.first).id
      #expect(states["proximity/anna/\(silent)/zone/\(zone)"]?["state"]?.string == "unknown")
      #expect(states["proximity/anna/\(silent)/state"]?["latitude"] == nil)
      #expect(states.keys.allSatisfy { $0.contains(silent) })
    }
  }

  @Test func `Home Assistant is told of the phone, each zone and its alarms, and of nothing that is gone`()
    async throws
  {
    try await Self.run { scene, _ in
      _ = try await Self.publish(scene)
      _ = try await scene.phone.ownTracks()
      let device = try await scene.theDevice().id
      let zone = try #require(try await scene.store.zoneSet(of: scene.account).zones.first).id
      let node = "proximity_\(device)"
      let there = try await scene.server.mirror.wanted()
      let states = try await Self.wanted(scene)
      #expect(
        Set(states.keys.filter { $0.hasPrefix("homeassistant/") }) == [
          "homeassistant/device_tracker/\(node)/location/config",
          "homeassistant/binary_sensor/\(node)/zone_\(zone)/config",
          "homeassistant/event/\(node)/alarm/config",
        ])
      let event = try #require(states["homeassistant/event/\(node)/alarm/config"])
      #expect(event["state_topic"]?.string == "proximity/anna/\(device)/alarm")
      #expect(event["event_types"]?.list?.compactMap(\.string) == MQTTChannel.eventTypes)
      let sensor = try #require(states["homeassistant/binary_sensor/\(node)/zone_\(zone)/config"])
      #expect(sensor["name"]?.string == "Cliff edge" && sensor["payload_on"]?.string == "inside")
      #expect(states.values.filter { $0["unique_id"] != nil }.count == 3)
      for (topic, payload) in there where topic.hasPrefix("homeassistant/") {
        #expect(HomeAssistantDiscovery.isOurs(topic, payload, root: "proximity"), "\(topic)")
        #expect(!HomeAssistantDiscovery.isOurs(topic, payload, root: "other"))
      }
      _ = try await scene.anna.delete("/api/v1/zones/\(zone)")
      let without = try await scene.server.mirror.wanted()
      let changes = MQTTMirror.changes(from: there, to: without)
      #expect(
        Set(changes.filter(\.payload.isEmpty).map(\.topic)) == [
          "homeassistant/binary_sensor/\(node)/zone_\(zone)/config",
          "proximity/anna/\(device)/zone/\(zone)",
        ])
      _ = try await scene.anna.delete("/api/v1/devices/\(device)")
      #expect(try await scene.server.mirror.wanted().isEmpty)
    }
  }

  @Test
  func `what the broker has is left, what is missing or different is published, what is gone is removed`() {
    let there: [String: [UInt8]] = ["same": [1], "other": [2], "gone": [3]]
    let changes = MQTTMirror.changes(from: there, to: ["same": [1], "other": [4], "new": [5]])
    #expect(changes.map(\.topic) == ["gone", "new", "other"])
    #expect(changes.map(\.payload) == [[], [5], [4]])
    #expect(MQTTMirror.changes(from: there, to: there).isEmpty)
  }

  @Test(arguments: [
    // Metres to the edge, accuracy, state before, state after.
    (-50, 10, MQTTPresence.State.unknown, MQTTPresence.State.inside),
    (0, 100, .outside, .inside), (0, 101, .outside, .outside), (-50, 151, .unknown, .unknown),
    (-50, 150, .unknown, .inside), (5, 10, .inside, .inside), (10, 10, .inside, .inside),
    (11, 10, .inside, .outside), (5, 10, .unknown, .unknown), (1000, 2000, .inside, .inside),
  ])
  func `inside and outside need a position that tells, else it is as before`(
    metres: Double, accuracy: Double, before: MQTTPresence.State, after: MQTTPresence.State
  ) {
    #expect(MQTTPresence.state(.metres(metres), accuracy: .metres(accuracy), before: before) == after)
    #expect(MQTTPresence.state(.metres(metres), accuracy: nil, before: before) == before)
  }

  @Test func `a login with what topics give a meaning is one level of them`() async throws {
    let base = MQTTPhoneStates.base("proximity", "a/b+#", DeviceID(rawValue: 1))
    #expect(base.split(separator: "/").count == 3 && !base.contains("+") && !base.contains("#"))
    #expect(MQTTPhoneStates.isState("\(base)/state") && MQTTPhoneStates.isState("\(base)/zone/1"))
    #expect(!MQTTPhoneStates.isState("\(base)/alarm") && !MQTTPhoneStates.isState("proximity/status"))
  }
}
