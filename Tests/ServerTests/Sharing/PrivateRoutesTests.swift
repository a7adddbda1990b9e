import AlarmEngine
import Formats
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Private mode and sealed messages")
struct PrivateRoutesTests {
  private static func isPrivate(_ on: Bool, erase: Bool? = nil) -> [(String, JSONValue)] {
    [("is_private", .bool(on))] + (erase.map { [("erase", .bool($0))] } ?? [])
  }

  @Test func `turning it on asks before it erases, tells how much, and from then on no place is taken`()
    async throws
  {
    try await IngestScene.run { scene in
      let (anna, phone) = (scene.anna, scene.phone)
      #expect(try await phone.ownTracks().status == 200)
      #expect(try await scene.alarms().count == 1)
      let before = try await anna.get("/api/v1/account/private").json
      #expect(before["is_private"]?.flag == false && before["stored"]?["zones"]?.whole == 1)
      let asked = try await anna.put("/api/v1/account/private", Self.isPrivate(true))
      #expect(asked.status == .conflict && asked.problem == "places-stored")
      #expect(asked.text.contains("1 zone, 1 alarm"), "\(asked.text)")
      // Asking has changed nothing.
      #expect(try await anna.get("/api/v1/session").json["account"]?["is_private"]?.flag == false)
      let on = try await anna.put("/api/v1/account/private", Self.isPrivate(true, erase: true))
      #expect(on.status == .ok && on.json["is_private"]?.flag == true)
      #expect(on.json["erased"]?["positions"]?.whole == 2 && on.json["erased"]?["alarms"]?.whole == 1)
      for name in ["positions", "zones", "alarms", "others"] {
        #expect(on.json["stored"]?[name]?.whole == 0, "\(name)")
      }
      #expect(try await anna.get("/api/v1/session").json["account"]?["is_private"]?.flag == true)
      // Every way in is refused.
      let zone = try await anna.post("/api/v1/zones", JSONValue.zone("Cliff edge"))
      #expect(zone.status == .forbidden && zone.problem == "private-account")
      let place = "{\"latitude\":46.051,\"longitude\":14.505,\"measured_at\":\"2026-11-18T10:00:00Z\"}"
      let fixes = try await anna.send(
        .post, "/api/v1/fixes?name=page", bytes: Array(place.utf8), type: "application/json")
      #expect(fixes.status == .forbidden && fixes.problem == "private-account")
      for device in ["phone", "another"] {
        let reply = try await phone.ownTracks(device: device)
        #expect(reply.status == 403 && reply.text.contains("private mode"), "\(reply)")
      }
      // A phone that lost its token is not treated as a stranger's: it keeps its data until it proves itself.
      let stray = try await TestPhone(client: phone.client, clock: phone.clock, token: nil)
        .post("/pub?u=anna&d=phone", TestPhone.location(TestPlaces.inside, at: phone.clock.now))
      #expect(stray.status == 503, "\(stray)")
      let near = try await anna.get("/api/v1/places?q=bakery&near=46.051,14.505")
      #expect(near.status == .forbidden)
      #expect(try await scene.store.storedPlaces(of: scene.account).total == 0)
      let off = try await anna.put("/api/v1/account/private", Self.isPrivate(false))
      #expect(off.json["is_private"]?.flag == false)
      #expect(try await anna.post("/api/v1/zones", JSONValue.zone("Cliff edge")).status == .created)
      #expect(try await phone.ownTracks().status == 200)
      #expect(try await scene.alarms().count == 1)
      let log = try await anna.get("/api/v1/account/audit").json["items"]?.list ?? []
      #expect(log.contains { $0["action"]?.string == "putPrivate" })
    }
  }

  @Test func `an account can be private from the start`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let answer = try await stranger.post(
        "/api/v1/setup",
        [
          ("token", .string(try await server.setUpToken())), ("login", .string("anna")),
          ("password", .string("correct horse")), ("is_private", .bool(true)),
        ])
      #expect(answer.json["account"]?["is_private"]?.flag == true)
      let anna = try stranger.signed(by: answer)
      #expect(try await anna.post("/api/v1/zones", JSONValue.zone("Cliff edge")).problem == "private-account")
    }
  }

  private static let publicKey = String(repeating: "A", count: 42) + "E"

  @Test func `a sealed message passes from one to another as it was given, once`() async throws {
    // Without the delivery service, which would take the messages that the test checks.
    try await IngestScene.run(zones: []) { scene in
      let (server, anna) = (scene.server, scene.anna)
      let stranger = Visitor(client: scene.phone.client, table: RouteTable.all(server.parts))
      let ben = try await server.visitor(stranger, "ben")
      let key = try await ben.post(
        "/api/v1/sealed-keys", [("public_key", .string(Self.publicKey)), ("name", .string("Ben's browser"))])
      #expect(key.status == .created && key.json["public_key"]?.string == Self.publicKey)
      let channel = try await ben.post(
        "/api/v1/channels",
        [
          ("kind", .string("ntfy")), ("name", .string("phone")),
          (
            "configuration",
            .object([("server", .string("http://127.0.0.1:9/")), ("topic", .string("bens-topic"))])
          ),
        ])
      #expect(channel.status == .created, "\(channel.text)")
      let sealed = Base64URL.encode((0..<255).map { UInt8($0) })
      let body: [(String, JSONValue)] = [("key_id", .string(key.id)), ("message", .string(sealed))]
      // Without an agreement the key cannot be found.
      #expect(try await anna.post("/api/v1/sealed", body).status == .notFound)
      let asked = try await anna.post("/api/v1/sealed-contacts", [("login", .string("ben"))])
      #expect(asked.status == .created && asked.json["is_agreed"]?.flag == false)
      #expect(asked.json["keys"]?.list?.isEmpty == true)
      let seen = try await ben.get("/api/v1/sealed-contacts").json["items"]?.list ?? []
      #expect(seen.map { $0["login"]?.string } == ["anna"] && seen[0]["is_asked_by_me"]?.flag == false)
      #expect(try await ben.send(.put, "/api/v1/sealed-contacts/\(asked.id)/agree").status == .noContent)
      let agreed = try await anna.get("/api/v1/sealed-contacts").json["items"]?.list?.first
      #expect(agreed?["is_agreed"]?.flag == true)
      #expect(agreed?["keys"]?.list?.first?["id"]?.string == key.id)
      let once = anna.with(.idempotencyKey, "ring 1")
      for _ in 0..<2 { #expect(try await once.post("/api/v1/sealed", body).status == .noContent) }
      let waiting = try await ben.get("/api/v1/sealed-keys/\(key.id)/messages").json["items"]?.list ?? []
      #expect(waiting.count == 1)
      #expect(waiting.first?["message"]?.string == sealed && waiting.first?["login"]?.string == "anna")
      // The outgoing message says only that there is something.
      let items = try await server.parts.core.store.lease(
        now: server.clock.now, limit: 10, for: .seconds(60), owner: "test")
      let told = items.map { String(decoding: $0.item.payload, as: UTF8.self) }
      #expect(told.count == 1)
      #expect(
        told.allSatisfy { $0.contains("sealed message") && !$0.contains("anna") && !$0.contains(sealed) })
      let id = try #require(waiting.first?["id"]?.string)
      #expect(
        try await ben.post("/api/v1/sealed/drop", [("ids", .array([.string(id)]))]).status == .noContent)
      let left = try await ben.get("/api/v1/sealed-keys/\(key.id)/messages").json["items"]?.list
      #expect(left?.isEmpty == true)
      #expect(try await anna.delete("/api/v1/sealed-contacts/\(asked.id)").status == .noContent)
      #expect(try await anna.post("/api/v1/sealed", body).status == .notFound)
    }
  }

  @Test func `what is no key, no message or too long is refused in words`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      let key = try await anna.post("/api/v1/sealed-keys", [("public_key", .string(Self.publicKey))])
      for bad in ["", "AAAA", String(repeating: "A", count: 44), String(repeating: "=", count: 43)] {
        let answer = try await anna.post("/api/v1/sealed-keys", [("public_key", .string(bad))])
        #expect(answer.problem == "invalid-content", "\(bad)")
      }
      for bytes in [0, SealedMessage.mostBytes + 1] {
        let text = Base64URL.encode([UInt8](repeating: 7, count: bytes))
        let answer = try await anna.post(
          "/api/v1/sealed", [("key_id", .string(key.id)), ("message", .string(text))])
        #expect(answer.problem == "invalid-content", "\(bytes) bytes")
      }
      let most = Base64URL.encode([UInt8](repeating: 7, count: SealedMessage.mostBytes))
      let sent = try await anna.post(
        "/api/v1/sealed", [("key_id", .string(key.id)), ("message", .string(most))])
      #expect(sent.status == .noContent)
      #expect(
        try await anna.post("/api/v1/sealed-contacts", [("login", .string("ANNA"))]).problem
          == "invalid-content")
    }
  }
}
