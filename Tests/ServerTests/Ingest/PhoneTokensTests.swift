import AlarmEngine
import Formats
import Foundation
import Geometry
import HTTPTypes
import Store
import Testing

@testable import Delivery
@testable import Server

/// Assigns reports to phones: tokens in every place where an app can put them, and names, which prove
/// nothing.
@Suite("Phones and their tokens")
struct PhoneTokensTests {
  private static func device(_ scene: IngestScene, _ name: String = "phone") async throws -> String {
    let made = try await scene.anna.post("/api/v1/devices", [("name", .string(name))])
    #expect(made.status == .created)
    return made.id
  }

  /// The client's identifier and its server's path, from the set-up link.
  private static func traccar(_ scene: IngestScene, _ device: String) async throws -> (
    path: String, id: String
  ) {
    let setup = try await scene.anna.post("/api/v1/devices/\(device)/setup/traccar")
    let link = try #require(URLComponents(string: setup.json["link"]?.string ?? ""))
    return (link.path, try #require(link.queryItems?.first { $0.name == "id" }?.value))
  }

  /// The client's forms: the old one a query, 9.x JSON with a query of its own, 10.1 a form.
  private static func reports(_ id: String, at time: Instant) -> [(path: String, body: String, type: String)]
  {
    let seconds = time.millisecondsSince1970 / 1000
    let query =
      "id=\(id)&timestamp=\(seconds)&lat=46.051&lon=14.505&speed=0.0&bearing=181.0&altitude=298.0&accuracy=12.0&batt=63.0"
    let json = """
      {"location":{"timestamp":"\(RFC3339.string(from: time + .seconds(1)))","coords":{"latitude":46.051,\
      "longitude":14.505,"accuracy":12,"speed":0,"heading":181,"altitude":298},"is_moving":true,"odometer":1200,\
      "event":"motionchange","battery":{"level":0.63,"is_charging":false},"activity":{"type":"still"},"extras":{},\
      "_":"&id=\(id)&lat=46.051&lon=14.505&timestamp=\(seconds)"},"device_id":"\(id)"}
      """
    let form = query.replacing("timestamp=\(seconds)", with: "timestamp=\(seconds + 2)")
    return [
      ("?\(query)", "", "text/plain"), ("", json, "application/json"),
      ("", form, "application/x-www-form-urlencoded"),
    ]
  }

  @Test func `Traccar's client, set up by our link, reaches its device in each of its forms`() async throws {
    try await IngestScene.run { scene in
      let device = try await Self.device(scene)
      let (path, id) = try await Self.traccar(scene, device)
      for report in Self.reports(id, at: scene.server.clock.now) {
        let before = try await scene.store.device(try #require(DeviceID(device))).lastFix
        let reply = try await scene.phone.post(
          path + report.path, report.body, authorization: "", headers: ["Content-Type": report.type])
        #expect(reply.status == 200 && reply.text.isEmpty, "\(report): \(reply.text)")
        let last = try await scene.store.device(try #require(DeviceID(device))).lastFix
        #expect(last?.position == TestPlaces.inside && last != before, "\(report)")
        scene.server.clock.pass(.seconds(5))
      }
      #expect(try await scene.alarms().map { $0.device.description } == [device])
      #expect(try await scene.store.unclaimedDevices(limit: 5).isEmpty)
      #expect(try await scene.store.devices(of: scene.account).count == 1)
    }
  }

  @Test func `a token is in no fix, name, identity, body or export`() async throws {
    try await IngestScene.run { scene in
      let device = try await Self.device(scene)
      let (path, id) = try await Self.traccar(scene, device)
      for report in Self.reports(id, at: scene.server.clock.now) {
        _ = try await scene.phone.post(path + report.path, report.body, authorization: "")
      }
      // Unreadable posts are kept, and so is anything that a template puts next to a position.
      let broken = "{\"device_id\":\"\(id)\",\"location\":[5]}"
      #expect(try await scene.phone.post(path, broken, authorization: "").status == 200)
      let attribute = "/?id=\(id)&lat=46.051&lon=14.505&timestamp=1795000100&note=\(id)&other=kept"
      #expect(try await scene.phone.post(attribute, authorization: "").status == 200)
      let export = try await scene.anna.get("/api/v1/account/export")
      #expect(export.text.contains("\"other\\\":\\\"kept") && export.text.contains("raw_body"))
      #expect(!export.text.contains(id))
      let bodies = try await scene.store.rawBodies(of: DeviceID(device), limit: 9)
      #expect(
        bodies.map { String(decoding: $0.body, as: UTF8.self) } == [broken.replacing(id, with: "(secret)")])
    }
  }

  @Test func `an identifier of the form of a token that is none makes no device`() async throws {
    try await IngestScene.run { scene in
      let device = try await Self.device(scene)
      let setup = try await scene.anna.post("/api/v1/devices/\(device)/setup/traccar")
      let link = try #require(setup.json["link"]?.string)
      let id = try #require(link.split(separator: "id=").last?.split(separator: "&").first.map(String.init))
      let token = try #require(setup.json["token_id"]?.string)
      #expect(try await scene.anna.delete("/api/v1/tokens/\(token)").status == .noContent)
      let reply = try await scene.phone.post("/traccar?id=\(id)&lat=46.051&lon=14.505", authorization: "")
      #expect(reply.status == 401)
      #expect(try await scene.store.unclaimedDevices(limit: 5).isEmpty)
    }
  }

  @Test func `a claimed device reports by its token, and its name alone tells and moves nothing`()
    async throws
  {
    try await IngestScene.run(zones: []) { scene in
      // Another phone of the account, whose position must not be disclosed.
      _ = try await scene.phone.ownTracks(device: "other")
      var eve = scene.phone
      eve.token = nil
      _ = try await eve.ownTracks(device: "tablet")
      let id = try #require(try await scene.store.unclaimedDevices(limit: 1).first?.id)
      let claimed = try await scene.anna.post("/api/v1/unclaimed-devices/\(id)/claim")
      scene.server.clock.pass(.seconds(20))
      #expect(try await eve.ownTracks(TestPlaces.outside, device: "tablet").status == 503)
      #expect(try await eve.post("/pub?u=anna&d=tablet", #"{"_type":"lwt","tst":1}"#).status == 503)
      #expect(try await scene.store.device(id).lastFix?.position == TestPlaces.inside)
      #expect(try await scene.store.unclaimedDevices(limit: 5).isEmpty)
      var tablet = eve
      tablet.token = claimed.json["token"]?.string
      let reply = try await tablet.ownTracks(TestPlaces.outside, device: "tablet")
      #expect(reply.status == 200 && reply.text.contains(#""_type":"card""#))
      #expect(try await scene.store.device(id).lastFix?.position == TestPlaces.outside)
      // The account's token reaches it by its name.
      _ = try await scene.phone.ownTracks(device: "tablet")
      #expect(try await scene.store.device(id).lastFix?.position == TestPlaces.inside)
      #expect(try await scene.store.devices(of: scene.account).count == 2)
    }
  }

  @Test func `a device that is claimed without a password goes on, and learns nothing`() async throws {
    try await IngestScene.run { scene in
      _ = try await scene.phone.ownTracks(TestPlaces.outside, device: "other")
      var eve = scene.phone
      eve.token = nil
      _ = try await eve.ownTracks(TestPlaces.outside, device: "tablet")
      let id = try #require(try await scene.store.unclaimedDevices(limit: 1).first?.id)
      let claimed = try await scene.anna.post("/api/v1/unclaimed-devices/\(id)/claim?without_password=true")
      #expect(claimed.json["token"]?.text == "null")
      scene.server.clock.pass(.seconds(1200))
      let reply = try await eve.ownTracks(device: "tablet")
      #expect(reply.status == 200 && reply.text == "[]")
      #expect(try await scene.alarms().map(\.device) == [id])
      let overland = """
        {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[14.505,46.051]},"properties":{\
        "timestamp":"\(RFC3339.string(from: scene.server.clock.now))","horizontal_accuracy":5,"device_id":"o"}}]}
        """
      #expect(try await eve.post("/overland", overland).text == #"{"result":"ok"}"#)
      // Its name is listed, and can be removed.
      let listed = try await scene.anna.get("/api/v1/devices/\(id)/identities")
      let identity = try #require(listed.json["items"]?.list?.first)
      #expect(identity["needs_proof"]?.text == "false" && identity["value"]?.string == "anna/tablet")
      let path = "/api/v1/devices/\(id)/identities/\(identity["id"]?.string ?? "")"
      // First the same name with proof, so that the phone is turned away instead of reporting to nobody.
      let name: [(String, JSONValue)] = [("scheme", .string("owntracks")), ("value", .string("anna/tablet"))]
      #expect(try await scene.anna.post("/api/v1/devices/\(id)/identities", name).status == .noContent)
      #expect(try await scene.anna.delete(path).status == .noContent)
      #expect(try await scene.anna.delete(path).status == .notFound)
      let left = try await scene.anna.get("/api/v1/devices/\(id)/identities").json["items"]?.list
      #expect(left?.compactMap { $0["needs_proof"]?.text } == ["true"])
      scene.server.clock.pass(.seconds(20))
      let known = try await scene.store.unclaimedDevices(limit: 9).count
      #expect(try await eve.ownTracks(TestPlaces.outside, device: "tablet").status == 503)
      #expect(try await scene.store.unclaimedDevices(limit: 9).count == known)
      #expect(try await scene.store.device(id).lastFix?.position == TestPlaces.inside)
    }
  }

  @Test func `a token makes as many devices as an account may have, in every protocol`() async throws {
    try await IngestScene.run { scene in
      let made = try await scene.anna.post(
        "/api/v1/tokens", [("name", .string("phones")), ("scope", .string("report"))])
      let token = try #require(made.json["token"]?.string)
      let phone = TestPhone(client: scene.anna.client, clock: scene.server.clock, token: token)
      let first = TestPhone.location(TestPlaces.inside, at: scene.server.clock.now)
      #expect(try await phone.post("/pub?u=anna&d=first", first).status == 200)
      for number in 1..<Device.mostOfAccount {
        try await scene.store.create(
          Device(account: scene.account, name: "phone \(number)", createdAt: scene.server.clock.now),
          identities: [])
      }
      let position = TestPhone.location(TestPlaces.inside, at: scene.server.clock.now)
      let overland =
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[14,46]},"#
        + #""properties":{"timestamp":"2026-11-18T00:00:00Z","device_id":"new"}}]}"#
      let query = "lat=46&lon=14&timestamp=1795000000"
      for (path, body, status) in [
        ("/pub?u=anna&d=new", position, 503), ("/overland?token=\(token)", overland, 429),
        ("/log/gpslogger/\(token)/new?\(query)", "", 429),
        ("/gpslogger/\(token)?device=new&\(query)", "", 429),
        ("/osmand/\(token)?id=new&\(query)", "", 429), ("/?id=new&\(query)", "", 429),
        ("/api/v1/fixes?name=new", "{}", 409),
      ] {
        let answer = try await phone.post(path, body)
        #expect(answer.status == status, "\(path)")
      }
      #expect(try await scene.store.devices(of: scene.account).count == Device.mostOfAccount)
      #expect(try await scene.anna.post("/api/v1/devices", [("name", .string("new"))]).status == .conflict)
      // An existing phone still reports.
      #expect(try await phone.post("/pub?u=anna&d=first", position).status == 200)
      // The owner is told once an hour.
      func refused() async throws -> [JSONValue] {
        let log = try await scene.anna.get("/api/v1/account/audit").json["items"]?.list ?? []
        return log.filter { $0["action"]?.string == "createDevice" && $0["is_refused"]?.flag == true }
      }
      #expect(try await refused().map { $0["by_name"]?.string } == ["phones"])
      scene.server.clock.pass(.hours(1))
      #expect(try await phone.post("/pub?u=anna&d=new", position).status == 503)
      #expect(try await refused().count == 2)
      // There is room again.
      let gone = try #require(try await scene.store.devices(of: scene.account).first { $0.name == "phone 7" })
      #expect(try await scene.anna.delete("/api/v1/devices/\(gone.id)").status == .noContent)
      #expect(try await phone.post("/pub?u=anna&d=new", position).status == 200)
    }
  }
}
