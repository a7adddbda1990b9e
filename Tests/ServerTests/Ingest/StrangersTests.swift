import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// Limits on the work and storage that phones without a valid token can cause.
@Suite("Strangers' reports")
struct StrangersTests {
  private static func stranger(_ scene: IngestScene) -> TestPhone {
    var phone = scene.phone
    phone.token = nil
    return phone
  }

  @Test func `wrong tokens and reports without one are slowed down by address, good ones are not`()
    async throws
  {
    try await IngestScene.run { scene in
      let stranger = Self.stranger(scene)
      var statuses: [Int] = []
      for _ in 0..<130 {
        statuses.append(try await stranger.post("/overland", "{}", authorization: "Bearer wrong").status)
      }
      #expect(statuses.prefix(120).allSatisfy { $0 == 401 })
      #expect(statuses.suffix(10).allSatisfy { $0 == 429 })
      // OwnTracks would discard data that is answered with 429.
      let reply = try await stranger.ownTracks()
      #expect(reply.status == 503 && reply.headers[.retryAfter] != nil)
      #expect(try await stranger.post("/traccar?id=1&lat=1&lon=2").status == 429)
      #expect(
        try await stranger.post("/api/v1/fixes?name=a", "[]", authorization: "Bearer wrong").status == 429)
      #expect(try await scene.phone.ownTracks().status == 200)
      let device = try await scene.theDevice()
      let setup = try await scene.anna.post("/api/v1/devices/\(device.id)/setup/traccar")
      let link = try #require(setup.json["link"]?.string)
      let id = try #require(link.split(separator: "id=").last?.split(separator: "&").first.map(String.init))
      #expect(try await stranger.post("/traccar?id=\(id)&lat=1&lon=2").status == 200)
      scene.server.clock.pass(.minutes(10))
      #expect(try await stranger.ownTracks(device: "later").status == 200)
    }
  }

  @Test(arguments: [
    ("203.0.113.7", "203.0.113.8", false), ("2001:db8:1:2::7", "2001:db8:1:2:ffff::8", true),
    ("2001:db8:1:2::7", "2001:db8:1:3::7", false), ("::ffff:203.0.113.7", "::ffff:203.0.113.8", false),
  ])
  func `a household is an address, of IPv6 all that it can make`(first: String, second: String, isOne: Bool) {
    #expect((AddressBlock.household(of: first) == AddressBlock.household(of: second)) == isOne)
  }

  @Test func `of a device that belongs to nobody the last fix and a few bodies are kept`() async throws {
    try await IngestScene.run { scene in
      let stranger = Self.stranger(scene)
      let now = scene.server.clock.now
      let features = (0..<300).map { second in
        #"{"geometry":{"coordinates":[14.505,46.051]},"properties":{"timestamp":"\#(RFC3339.string(from: now - .seconds(Double(second))))","device_id":"x"}}"#
      }
      let body = #"{"locations":["# + features.joined(separator: ",") + "]}"
      #expect(try await stranger.post("/overland", body).status == 200)
      for _ in 0..<10 {
        _ = try await stranger.post("/overland", #"{"locations":[{"properties":{"device_id":"x"}}]}"#)
      }
      let device = try #require(try await scene.store.unclaimedDevices(limit: 5).first)
      #expect(device.lastFix?.measuredAt == now)
      #expect(try await scene.store.rawBodies(of: device.id, limit: 100).count == RawBody.keptForUnclaimed)
      _ = try await scene.anna.post("/api/v1/unclaimed-devices/\(device.id)/claim")
      let always = Instant.allowed.lowerBound...Instant.allowed.upperBound
      let fixes = try await scene.store.fixes(of: device.id, account: scene.account, in: always, limit: 999)
      #expect(fixes.map(\.fix.measuredAt) == [now])
    }
  }

  @Test func `asking makes no device, and posting makes some from one address and no more`() async throws {
    try await IngestScene.run { scene in
      let stranger = Self.stranger(scene)
      for number in 0..<30 {
        #expect(try await stranger.post("/pub?u=a&d=\(number)", method: .get).status == 503)
      }
      #expect(try await scene.store.unclaimedDevices(limit: 50).isEmpty)
      var made = 0
      for number in 0..<30 where try await stranger.ownTracks(device: "\(number)").status == 200 { made += 1 }
      #expect(made == 20)
      #expect(try await scene.store.unclaimedDevices(limit: 50).count == 20)
      // An existing one goes on.
      #expect(try await stranger.ownTracks(device: "3").status == 200)
    }
  }

  @Test func `a body without a token may be a megabyte, one with a good one eight`() async throws {
    try await IngestScene.run { scene in
      let body = #"{"locations":[], "x":"\#(String(repeating: "a", count: 2 << 20))"}"#
      #expect(try await Self.stranger(scene).post("/overland", body).status == 413)
      let token = try #require(scene.phone.token)
      #expect(
        try await scene.phone.post("/overland", body, authorization: "Bearer \(token)").status == 200)
    }
  }

  @Test func `where unclaimed phones are refused nothing of them is kept, and they keep it themselves`()
    async throws
  {
    var settings = ServerSettings()
    settings.unclaimed = .refuse
    let server = try await TestServer(settings)
    try await server.run { visitor in
      let phone = TestPhone(client: visitor.client, clock: server.clock, token: nil)
      let ownTracks = try await phone.ownTracks()
      #expect(ownTracks.status == 503)
      let traccar = try await phone.post("/traccar?id=77&lat=1&lon=2")
      #expect(traccar.status == 401)
      let devices = try await server.parts.core.store.unclaimedDevices(limit: 5)
      #expect(devices.isEmpty)
      let bodies = try await server.parts.core.store.rawBodies(of: nil, limit: 5)
      #expect(bodies.isEmpty)
    }
  }

  @Test(arguments: [
    ("127.0.0.1", nil, nil, true), ("::1", nil, nil, true), ("localhost", nil, nil, true),
    ("0.0.0.0", nil, nil, false), ("192.168.1.5", nil, nil, false), ("::", nil, nil, false),
    ("127.0.0.1", "https://alarm.example.org", nil, false), ("127.0.0.1", "http://localhost:8080", nil, true),
    ("0.0.0.0", nil, "allow", true), ("127.0.0.1", nil, "refuse", false),
  ])
  func `unclaimed phones are taken where only this machine reaches the server, or where it is said`(
    host: String, url: String?, word: String?, takes: Bool
  ) throws {
    var values = ServerSettings.Values()
    var flags: [ServerSettings.Key: String] = [.listen: host.contains(":") ? "[\(host)]:1" : "\(host):1"]
    flags[.publicURL] = url
    flags[.unclaimed] = word
    values.add(flags: flags)
    #expect(try ServerSettings(values).takesUnclaimedPhones == takes)
    values = ServerSettings.Values()
    values.add(flags: [.unclaimed: "perhaps"])
    #expect(throws: ServerSettings.Refusal.self) { try ServerSettings(values) }
  }
}
