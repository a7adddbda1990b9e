import AlarmEngine
import Formats
import Foundation
import Geometry
import HTTPTypes
import PayloadCrypto
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// OwnTracks' encryption: a key for each device, set by its owner, and the handling of a missing key.
@Suite("Encrypted phones")
struct PhoneEncryptionTests {
  private static let key = "0123456789abcdef0123456789abcdef"

  private static func sealed(_ body: String, _ passphrase: String) throws -> String {
    let box = Data(try PayloadKey(passphrase: passphrase).seal(Array(body.utf8))).base64EncodedString()
    return #"{"_type":"encrypted","data":"\#(box)"}"#
  }

  /// A device with its own token, and its configuration for OwnTracks.
  private static func setUp(
    _ scene: IngestScene, _ passphrase: JSONValue
  ) async throws -> (device: DeviceID, configuration: JSONValue) {
    let made = try await scene.anna.post(
      "/api/v1/devices", [("name", .string("phone")), ("passphrase", passphrase)])
    #expect(made.status == .created && !made.text.contains(key))
    let setup = try await scene.anna.post("/api/v1/devices/\(made.id)/setup/owntracks")
    let file = try #require(setup.json["file"]?.string)
    let link = try #require(setup.json["link"]?.string?.split(separator: "inline=").last)
    let decoded = try #require(String(link).removingPercentEncoding)
    let inline = try #require(Data(base64Encoded: decoded))
    #expect(String(decoding: inline, as: UTF8.self) + "\n" == file)
    return (try #require(DeviceID(made.id)), try JSONValue.parse(Array(inline)))
  }

  private static func post(_ scene: IngestScene, _ configuration: JSONValue, _ body: String) async throws
    -> TestPhone.Reply
  {
    let user = configuration["username"]?.string ?? ""
    let password = configuration["password"]?.string ?? ""
    return try await scene.phone.post(
      "/pub", body, authorization: "Basic " + Data("\(user):\(password)".utf8).base64EncodedString(),
      headers: ["X-Limit-U": user, "X-Limit-D": configuration["deviceId"]?.string ?? ""])
  }

  @Test func `the key stands in the set-up, and what is sealed with it rings and is answered sealed`()
    async throws
  {
    try await IngestScene.run { scene in
      let (device, configuration) = try await Self.setUp(scene, .string(Self.key))
      #expect(configuration["encryptionKey"]?.string == Self.key)
      let body = TestPhone.location(TestPlaces.inside, at: scene.server.clock.now)
      let reply = try await Self.post(scene, configuration, try Self.sealed(body, Self.key))
      #expect(reply.status == 200)
      #expect(try await scene.alarms().map(\.state) == [.ringing])
      let answer = try JSONValue.parse(Array(reply.text.utf8))
      let box = try #require(Data(base64Encoded: answer["data"]?.string ?? ""))
      let opened = try #require(try PayloadKey(passphrase: Self.key).open(Array(box)))
      #expect(String(decoding: opened, as: UTF8.self).contains("Cliff edge"))
      // The passphrase can be written, but never read back.
      let shown = try await scene.anna.get("/api/v1/devices/\(device)")
      #expect(shown.json["has_passphrase"]?.text == "true")
      let export = try await scene.anna.get("/api/v1/account/export")
      #expect(!(shown.text + export.text).contains(Self.key))
    }
  }

  @Test func `an edit that says nothing of the key keeps it, null takes it away, and its length has a limit`()
    async throws
  {
    try await IngestScene.run { scene in
      let (device, _) = try await Self.setUp(scene, .string("s3cret"))
      func put(_ more: [(String, JSONValue)]) async throws -> Visitor.Answer {
        let tag = try await scene.anna.get("/api/v1/devices/\(device)").tag
        return try await scene.anna.with(.ifMatch, tag).put(
          "/api/v1/devices/\(device)", [("name", .string("phone"))] + more)
      }
      #expect(try await put([]).json["has_passphrase"]?.text == "true")
      for bad in ["", String(repeating: "x", count: 33), String(repeating: "é", count: 17)] {
        let refused = try await put([("passphrase", .string(bad))])
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("\(bad.utf8.count) bytes of UTF-8 found, 1 to 32 allowed"))
      }
      #expect(try await put([("passphrase", .null)]).json["has_passphrase"]?.text == "false")
    }
  }

  @Test(arguments: [nil, "another"])
  func `a phone that encrypts without a key here is an alarm, and its messages are read once the key is set`(
    passphrase: String?
  ) async throws {
    try await IngestScene.run { scene in
      let (device, configuration) = try await Self.setUp(scene, passphrase.map { .string($0) } ?? .null)
      let body = TestPhone.location(TestPlaces.inside, at: scene.server.clock.now)
      #expect(try await Self.post(scene, configuration, try Self.sealed(body, Self.key)).status == 200)
      let word = passphrase == nil ? "no_key" : "wrong_key"
      let status = try await scene.anna.get("/api/v1/devices/\(device)").json["status"]
      #expect(status?["unread"]?.string == word && status?["unread_since"]?.string != nil)
      let alarms = try await scene.anna.get("/api/v1/alarms").json["items"]?.list
      #expect(alarms?.map { $0["subject"]?.string } == ["unreadable"])
      // One alarm, for any number of posts.
      scene.server.clock.pass(.seconds(30))
      let later = TestPhone.location(TestPlaces.inside, at: scene.server.clock.now)
      _ = try await Self.post(scene, configuration, try Self.sealed(later, Self.key))
      #expect(try await scene.alarms().count == 1)
      let kept = try await scene.anna.get("/api/v1/devices/\(device)/raw-bodies").json["items"]?.list
      #expect(kept?.first?["reason"]?.string?.hasPrefix("the message is encrypted") == true)

      let tag = try await scene.anna.get("/api/v1/devices/\(device)").tag
      let saved = try await scene.anna.with(.ifMatch, tag).put(
        "/api/v1/devices/\(device)", [("name", .string("phone")), ("passphrase", .string(Self.key))])
      #expect(saved.json["status"]?["unread"]?.text == "null")
      let states = try await scene.alarms().map { alarm in "\(alarm.isOfZone) \(alarm.isOpen)" }
      #expect(Set(states) == ["true true", "false false"])
      let always = Instant.allowed.lowerBound...Instant.allowed.upperBound
      #expect(
        try await scene.store.fixes(of: device, account: scene.account, in: always, limit: 9).count == 2)
    }
  }

  @Test func `several sealed messages in one post are all read`() async throws {
    try await IngestScene.run { scene in
      let (device, configuration) = try await Self.setUp(scene, .string(Self.key))
      let now = scene.server.clock.now
      let boxes = try [now - .seconds(5), now].map {
        try Self.sealed(TestPhone.location(TestPlaces.inside, at: $0), Self.key)
      }
      let body = "[" + boxes.joined(separator: ",") + "]"
      #expect(try await Self.post(scene, configuration, body).status == 200)
      let always = Instant.allowed.lowerBound...Instant.allowed.upperBound
      #expect(
        try await scene.store.fixes(of: device, account: scene.account, in: always, limit: 9).count == 2)
      // One part cannot be opened: none is used, and all are kept.
      let other = try Self.sealed(TestPhone.location(TestPlaces.outside, at: now), "other")
      #expect(try await Self.post(scene, configuration, "[\(boxes[0]),\(other)]").status == 200)
      #expect(try await scene.store.device(device).status.unread == .wrongKey)
      #expect(try await scene.store.rawBodies(of: device, limit: 9).count == 1)
    }
  }

  @Test func `under an open name only what is sealed with the key is taken from a device that has one`()
    async throws
  {
    try await IngestScene.run { scene in
      var eve = scene.phone
      eve.token = nil
      _ = try await eve.ownTracks(TestPlaces.outside)
      let id = try #require(try await scene.store.unclaimedDevices(limit: 1).first?.id)
      let claimed = try await scene.anna.post("/api/v1/unclaimed-devices/\(id)/claim?without_password=true")
      _ = try await scene.anna.with(.ifMatch, claimed.tag).put(
        "/api/v1/devices/\(id)", [("name", .string("phone")), ("passphrase", .string(Self.key))])
      scene.server.clock.pass(.minutes(20))
      #expect(try await eve.ownTracks().status == 503)
      #expect(try await scene.alarms().isEmpty)
      let body = TestPhone.location(TestPlaces.inside, at: scene.server.clock.now)
      let reply = try await eve.post("/pub?u=anna&d=phone", try Self.sealed(body, Self.key))
      #expect(reply.status == 200 && reply.text.contains("encrypted"))
      #expect(try await scene.alarms().map(\.state) == [.ringing])
    }
  }
}
