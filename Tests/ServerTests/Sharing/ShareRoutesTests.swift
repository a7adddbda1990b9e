import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("Sharing where a phone is")
struct ShareRoutesTests {
  /// Reports a position `metres` north of the zones' centre.
  private static func report(
    _ scene: IngestScene, metres: Double, accuracy: Double = 10, after seconds: Double = 60
  ) async throws {
    scene.server.clock.pass(.seconds(seconds))
    let north = TestPlaces.inside.latitude.degrees + metres / 111_200
    let place = Coordinate(latitude: .degrees(north), longitude: TestPlaces.inside.longitude)
    let body = TestPhone.location(place, at: scene.server.clock.now)
      .replacing("\"acc\":12", with: "\"acc\":\(accuracy)")
    #expect(try await scene.phone.post("/pub?u=anna&d=phone", body).status == 200)
  }

  private static func run(_ body: @escaping @Sendable (IngestScene, Visitor) async throws -> Void)
    async throws
  {
    try await IngestScene.run(zones: []) { scene in
      try await report(scene, metres: 20_000)
      try await body(scene, Visitor(client: scene.anna.client, table: scene.anna.table))
    }
  }

  private static func share(
    _ scene: IngestScene, _ more: [(String, JSONValue)], precision: String = "place",
    by giver: Visitor? = nil
  ) async throws -> Visitor.Answer {
    let devices = try await scene.anna.get("/api/v1/devices").json["items"]?.list
    let device = try #require(devices?.first?["id"]?.string)
    return try await (giver ?? scene.anna).post(
      "/api/v1/shares", [("device_id", .string(device)), ("precision", .string(precision))] + more)
  }

  private static func isNull(_ value: JSONValue?) -> Bool {
    if case .null? = value { true } else { false }
  }

  private static func seen(_ visitor: Visitor) async throws -> [JSONValue] {
    try await visitor.get("/api/v1/shared").json["items"]?.list ?? []
  }

  @Test func `somebody sees a phone after agreeing to, as exactly as its owner says, until either ends it`()
    async throws
  {
    try await Self.run { scene, stranger in
      let anna = scene.anna
      let ben = try await scene.server.visitor(stranger, "ben")
      _ = try await anna.post("/api/v1/zones", JSONValue.zone("School"))
      try await Self.report(scene, metres: 0, after: 1800)
      let share = try await Self.share(scene, [("login", .string("ben"))])
      #expect(share.status == .created && Self.isNull(share.json["link"]))
      #expect(share.json["is_accepted"]?.flag == false)
      var seen = try await Self.seen(ben)
      #expect(seen.count == 1 && Self.isNull(seen[0]["fix"]) && Self.isNull(seen[0]["heard_at"]))
      #expect(seen[0]["login"]?.string == "anna" && seen[0]["device_name"]?.string == "phone")
      #expect(try await ben.send(.put, "/api/v1/shares/\(share.id)/accept").status == .noContent)
      seen = try await Self.seen(ben)
      #expect(seen[0]["fix"]?["latitude"]?.double == 46.051 && Self.isNull(seen[0]["zones"]))
      #expect(seen[0]["heard_at"]?.string != nil)
      func put(_ precision: String) async throws -> JSONValue {
        let saved = try await anna.put("/api/v1/shares/\(share.id)", [("precision", .string(precision))])
        #expect(saved.status == .ok && saved.json["is_accepted"]?.flag == true)
        return try await Self.seen(ben)[0]
      }
      let zones = try await put("zones")
      #expect(Self.isNull(zones["fix"]) && zones["zones"]?.list?.map(\.string) == ["School"])
      // A zone that is made later is shown; a position outside of both is in none, and a coarse one shows
      // nothing.
      _ = try await anna.post("/api/v1/zones", JSONValue.zone("Around"))
      #expect(try await Self.seen(ben)[0]["zones"]?.list?.map(\.string) == ["Around", "School"])
      try await Self.report(scene, metres: 5000, after: 600)
      #expect(try await Self.seen(ben)[0]["zones"]?.list?.isEmpty == true)
      try await Self.report(scene, metres: 5000, accuracy: 3000)
      #expect(Self.isNull(try await Self.seen(ben)[0]["zones"]))
      let nothing = try await put("nothing")
      #expect(
        Self.isNull(nothing["fix"]) && Self.isNull(nothing["zones"]) && Self.isNull(nothing["heard_at"]))
      #expect(try await anna.get("/api/v1/shares").json["items"]?.list?.count == 1)
      #expect(try await ben.delete("/api/v1/shares/\(share.id)").status == .noContent)
      #expect(try await anna.get("/api/v1/shares").json["items"]?.list?.isEmpty == true)
      #expect(try await Self.seen(ben).isEmpty)
      #expect(try await anna.delete("/api/v1/shares/\(share.id)").status == .notFound)
    }
  }

  @Test func `a link shows the phone to whoever has it, and ends by time`() async throws {
    try await Self.run { scene, stranger in
      let anna = scene.anna
      let end = scene.server.clock.now + .hours(2)
      let share = try await Self.share(scene, [("ends_at", end.json)])
      let link = try #require(share.json["link"]?.string)
      #expect(Self.isNull(try await anna.get("/api/v1/shares").json["items"]?.list?.first?["link"]))
      let path = "/api/v1/shared-links/\(link)"
      try await Self.report(scene, metres: 0, after: 1800)
      let answer = try await stranger.get(path)
      #expect(answer.json["fix"]?["latitude"]?.double == 46.051)
      #expect(answer.headers[.cacheControl] == "no-store")
      #expect(answer.json["owner_name"]?.string != nil)
      scene.server.clock.pass(.hours(2))
      #expect(try await stranger.get(path).status == .notFound)
      for other in ["x", String(repeating: "a", count: 43), link + "a"] {
        #expect(try await stranger.get("/api/v1/shared-links/\(other)").status == .notFound)
      }
    }
  }

  @Test func `a link ends where the phone arrives, though nobody looked then`() async throws {
    try await Self.run { scene, stranger in
      let anna = scene.anna
      let home = try await anna.post("/api/v1/zones", JSONValue.zone("Home"))
      func link(_ zone: String) async throws -> Visitor.Answer {
        try await Self.share(
          scene,
          [("ends_at", (scene.server.clock.now + .hours(20)).json), ("ends_in_zone_id", .string(zone))])
      }
      try await Self.report(scene, metres: 0, after: 1800)
      // It is there already, so the link would end at once.
      #expect(try await link(home.id).problem == "invalid-content")
      #expect(try await link("00000000000000ff").problem == "invalid-content")
      try await Self.report(scene, metres: 9000, after: 1800)
      let made = try await link(home.id)
      let path = "/api/v1/shared-links/\(made.json["link"]?.string ?? "")"
      #expect(try await stranger.get(path).status == .ok)
      // Too coarse to count as an arrival.
      try await Self.report(scene, metres: 0, accuracy: 4000, after: 1800)
      #expect(try await stranger.get(path).status == .ok)
      try await Self.report(scene, metres: 4000, after: 900)
      try await Self.report(scene, metres: 0, after: 900)
      try await Self.report(scene, metres: 4000, after: 900)
      #expect(try await stranger.get(path).status == .notFound)
      #expect(try await anna.get("/api/v1/shares").json["items"]?.list?.isEmpty == true)
    }
  }

  @Test func `what cannot be shared is refused with words`() async throws {
    try await Self.run { scene, stranger in
      let ben = try await scene.server.visitor(stranger, "ben")
      let past = (scene.server.clock.now - .hours(1)).json
      let far = (scene.server.clock.now + ShareRoutes.longestLink + .seconds(1)).json
      for (more, place) in [
        ([("login", JSONValue.string("anna"))], "/login"), ([("login", .string("ANNA"))], "/login"),
        ([("login", .string("ben")), ("ends_at", past)], "/ends_at"), ([], "/ends_at"),
        ([("ends_at", far)], "/ends_at"), ([("ends_at", .null)], "/ends_at"),
      ] {
        let answer = try await Self.share(scene, more)
        #expect(answer.problem == "invalid-content", "\(answer.text)")
        #expect(answer.text.contains(place), "\(answer.text)")
      }
      #expect(
        try await Self.share(scene, [("login", .string("ben"))], precision: "exactly").problem
          == "invalid-content")
      // The answer does not disclose whether the person exists.
      #expect(try await Self.share(scene, [("login", .string("nobody"))]).status == .created)
      #expect(
        try await Self.share(scene, [("login", .string("anna"))], by: ben).status == .notFound)
      #expect(try await stranger.get("/api/v1/shared").problem == "not-signed-in")
    }
  }
}
