import AlarmEngine
import Formats
import Foundation
import Geometry
import HTTPTypes
import MQTTClient
import PayloadCrypto
import Store
import Testing

@testable import AlarmService
@testable import Server

/// Handling of messages on the broker, by the functions that the connection calls.
@Suite("OwnTracks over MQTT")
struct MQTTIntakeTests {
  private static func publish(
    _ scene: IngestScene, _ body: String, _ topic: String = "owntracks/anna/phone", isRetained: Bool = false
  ) async throws -> MQTTIntake.Answer? {
    let message = MQTTMessage(topic: topic, payload: Array(body.utf8), isRetained: isRetained, id: 1)
    return try await scene.server.intake.store(message, of: #require(OwnTracksTopic(topic)))
  }

  private static func device(_ scene: IngestScene, _ name: String = "phone") async throws -> DeviceID {
    let made = try await scene.anna.post("/api/v1/devices", [("name", .string(name))])
    return try #require(DeviceID(made.id))
  }

  private static func location(_ scene: IngestScene, _ place: Coordinate = TestPlaces.inside) -> String {
    TestPhone.location(place, at: scene.server.clock.now)
  }

  @Test func `a phone of that login and that name rings, and is sent its fences once`()
    async throws
  {
    try await IngestScene.run { scene in
      let device = try await Self.device(scene)
      let answer = try #require(try await Self.publish(scene, Self.location(scene)))
      #expect(answer.device == device)
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      let command = try JSONValue.parse(try #require(answer.command))
      #expect(command["_type"]?.string == "cmd" && command["action"]?.string == "setWaypoints")
      #expect(command.text.contains("Cliff edge"))
      scene.server.clock.pass(.seconds(30))
      #expect(try await Self.publish(scene, Self.location(scene))?.command == nil)
      // A command that did not arrive is sent again.
      scene.server.parts.alarms.answers.forgetFences(of: device)
      scene.server.clock.pass(.seconds(30))
      #expect(try await Self.publish(scene, Self.location(scene))?.command != nil)
      #expect(scene.server.parts.operation.mqtt.received == 3)
    }
  }

  @Test func `what comes twice is one position`() async throws {
    try await IngestScene.run { scene in
      let device = try await Self.device(scene)
      let body = Self.location(scene)
      for _ in 0..<3 { _ = try await Self.publish(scene, body) }
      let fixes = try await scene.anna.get("/api/v1/devices/\(device)/fixes")
      #expect(fixes.json["items"]?.list?.count == 1)
      #expect(try await scene.alarms().count == 1)
    }
  }

  @Test func `phones that nobody has set up are counted, and no device is made for them`() async throws {
    try await IngestScene.run { scene in
      _ = try await Self.device(scene)
      for topic in ["owntracks/eve/phone", "owntracks/anna/tablet", "owntracks/eve/phone"] {
        #expect(try await Self.publish(scene, Self.location(scene), topic) == nil)
      }
      let unknown = scene.server.parts.operation.mqtt.unknown
      #expect(unknown.map { "\($0.user)/\($0.device) \($0.count)" } == ["eve/phone 2", "anna/tablet 1"])
      #expect(try await scene.store.devices(of: scene.account).count == 1)
      #expect(try await scene.store.unclaimedDevices(limit: 9).isEmpty)
      let figures = scene.server.parts.core.metrics.text
      #expect(figures.contains(#"proximity_mqtt_refused_total{reason="unknown"} 3"#))
      let told = try await scene.anna.get("/api/v1/mqtt")
      #expect(told.json["state"]?.string == "off")
      #expect(told.json["unknown"]?.list?.first?["user"]?.string == "eve")
    }
  }

  @Test func `of two devices with one name none is taken, until one has the name of the topic`() async throws
  {
    try await IngestScene.run { scene in
      let first = try await Self.device(scene)
      _ = try await Self.device(scene)
      #expect(try await Self.publish(scene, Self.location(scene)) == nil)
      let name: [(String, JSONValue)] = [("scheme", .string("mqtt")), ("value", .string("anna/phone"))]
      let path = "/api/v1/devices/\(first)/identities"
      #expect(try await scene.anna.post(path, name).status == .noContent)
      #expect(scene.server.parts.operation.mqtt.unknown.isEmpty)
      #expect(try await Self.publish(scene, Self.location(scene))?.device == first)
      let listed = try await scene.anna.get(path).json["items"]?.list
      #expect(listed?.map { $0["needs_proof"]?.text ?? "" } == ["true"])
      #expect(try await scene.anna.post(path, name).status == .conflict)
      let identity = try #require(listed?.first?["id"]?.string)
      #expect(try await scene.anna.delete("\(path)/\(identity)").status == .noContent)
      #expect(try await Self.publish(scene, Self.location(scene)) == nil)
    }
  }

  @Test func `only an administrator takes a name whose user is not the own login`() async throws {
    try await IngestScene.run { scene in
      var stranger = scene.anna
      (stranger.cookie, stranger.csrf) = (nil, nil)
      let bojan = try await scene.server.visitor(stranger, "bojan")
      let made = try await bojan.post("/api/v1/devices", [("name", .string("phone"))])
      func add(_ value: String, _ visitor: Visitor, _ device: String) async throws -> Int {
        let name: [(String, JSONValue)] = [("scheme", .string("mqtt")), ("value", .string(value))]
        return try await visitor.post("/api/v1/devices/\(device)/identities", name).status.code
      }
      #expect(try await add("anna/phone", bojan, made.id) == 403)
      #expect(try await add("bojan/other", bojan, made.id) == 204)
      for wrong in ["bojan", "bojan/", "/phone", "bojan/a/b", "bojan/+", "#/x"] {
        #expect(try await add(wrong, bojan, made.id) == 422, "\(wrong)")
      }
      let device = try await Self.device(scene)
      #expect(try await add("household/car", scene.anna, "\(device)") == 204)
      #expect(
        try await Self.publish(scene, Self.location(scene), "owntracks/household/car")?.device == device)
      let told = try await bojan.get("/api/v1/mqtt")
      #expect(told.json["reason"]?.text == "null" && told.json["unknown"]?.list?.isEmpty == true)
    }
  }

  @Test func `a phone with a key is believed only what is sealed with it, and its last will`() async throws {
    try await IngestScene.run { scene in
      let key = "0123456789abcdef"
      let made = try await scene.anna.post(
        "/api/v1/devices", [("name", .string("phone")), ("passphrase", .string(key))])
      #expect(try await Self.publish(scene, Self.location(scene)) == nil)
      #expect(scene.server.parts.core.metrics.text.contains(#"refused_total{reason="unencrypted"} 1"#))
      let box = try PayloadKey(passphrase: key).seal(Array(Self.location(scene).utf8))
      let sealed = #"{"_type":"encrypted","data":"\#(Data(box).base64EncodedString())"}"#
      let answer = try #require(try await Self.publish(scene, sealed))
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      // The command is encrypted too.
      let command = try JSONValue.parse(try #require(answer.command))
      let inside = try #require(Data(base64Encoded: command["data"]?.string ?? ""))
      let opened = try #require(try PayloadKey(passphrase: key).open(Array(inside)))
      #expect(String(decoding: opened, as: UTF8.self).contains("setWaypoints"))
      let will = #"{"_type":"lwt","tst":1790000000}"#
      #expect(try await Self.publish(scene, will)?.device == DeviceID(made.id))
    }
  }

  @Test func `a last will is no sign of life, what is retained no second position`() async throws {
    try await IngestScene.run { scene in
      let device = try await Self.device(scene)
      let old = Self.location(scene, TestPlaces.outside)
      _ = try await Self.publish(scene, old)
      let heard = try await scene.store.device(device).lastReceivedAt
      scene.server.clock.pass(.seconds(600))
      #expect(try await Self.publish(scene, #"{"_type":"lwt","tst":1790000000}"#) != nil)
      #expect(try await scene.store.device(device).lastReceivedAt == heard)
      for body in [old, #"{"_type":"status"}"#] {
        #expect(try await Self.publish(scene, body, isRetained: true) != nil)
        #expect(try await scene.store.device(device).lastReceivedAt == heard)
      }
      #expect(try await scene.anna.get("/api/v1/devices/\(device)/fixes").json["items"]?.list?.count == 1)
    }
  }

  @Test func `a new position that is retained was heard when it was measured`() async throws {
    try await IngestScene.run { scene in
      let device = try await Self.device(scene)
      let position = Self.location(scene, TestPlaces.outside)
      let measured = scene.server.clock.now
      scene.server.clock.pass(.seconds(600))
      #expect(try await Self.publish(scene, position, isRetained: true)?.device == device)
      let stored = try await scene.store.device(device)
      let heard = try #require(stored.lastReceivedAt)
      #expect(stored.lastFix != nil && heard <= measured && measured - heard < .seconds(1))
    }
  }

  @Test func `who takes the login of a broker's user gets nothing of theirs`() async throws {
    try await IngestScene.run { scene in
      var stranger = scene.anna
      (stranger.cookie, stranger.csrf) = (nil, nil)
      let carla = try await scene.server.visitor(stranger, "carla")
      let plain = try await carla.post("/api/v1/devices", [("name", .string("phone"))])
      let key = "0123456789abcdef"
      let sealing = try await carla.post(
        "/api/v1/devices", [("name", .string("watch")), ("passphrase", .string(key))])
      let named = try await carla.post("/api/v1/devices", [("name", .string("third"))])
      let identity: [(String, JSONValue)] = [("scheme", .string("mqtt")), ("value", .string("carla/tablet"))]
      #expect(
        try await carla.post("/api/v1/devices/\(named.id)/identities", identity).status == .noContent)
      func sealed(with key: String) throws -> String {
        let box = try PayloadKey(passphrase: key).seal(Array(Self.location(scene).utf8))
        return #"{"_type":"encrypted","data":"\#(Data(box).base64EncodedString())"}"#
      }
      let will = #"{"_type":"lwt","tst":1790000000}"#
      for user in ["carla", "CARLA", "Carla"] {
        for name in ["phone", "watch", "tablet"] {
          for body in [
            Self.location(scene), will, try sealed(with: "the user's own"), "{", #"{"_type":"status"}"#,
          ] {
            let answer = try await Self.publish(scene, body, "owntracks/\(user)/\(name)")
            #expect(answer == nil, "\(user) \(name) \(body)")
          }
        }
      }
      for id in [plain.id, sealing.id, named.id] {
        let device = try await carla.get("/api/v1/devices/\(id)").json
        #expect(device["last_received_at"]?.text == "null" && device["last_fix"]?.text == "null")
        #expect(try await carla.get("/api/v1/devices/\(id)/fixes").json["items"]?.list?.isEmpty == true)
      }
      #expect(try await carla.get("/api/v1/alarms").json["items"]?.list?.isEmpty == true)
      // Her own phone proves by its key that it is hers.
      let own = try await Self.publish(scene, try sealed(with: key), "owntracks/carla/watch")
      #expect(own?.device == DeviceID(sealing.id))
      // A user of the broker other than the administrator's.
      _ = try await Self.device(scene)
      #expect(try await Self.publish(scene, Self.location(scene), "owntracks/ANNA/phone") == nil)
    }
  }

  @Test(arguments: ["{", "[]", "7", "{\"_type\":\"location\"}", "\u{0}\u{1}", "{\"_type\":\"new\",\"x\":1}"])
  func `what cannot be read is taken, and rings nothing`(body: String)
    async throws
  {
    try await IngestScene.run { scene in
      let device = try await Self.device(scene)
      #expect(try await Self.publish(scene, body)?.device == device)
      #expect(try await scene.alarms().isEmpty)
      #expect(try await scene.store.device(device).lastFix == nil)
    }
  }
}
