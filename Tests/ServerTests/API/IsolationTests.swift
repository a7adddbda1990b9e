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

@Suite("Isolation of accounts")
struct IsolationTests {
  /// Makes everything that Anna can own through the API, with a word in it that must never reach anybody
  /// else.
  static func furnish(_ anna: Visitor, _ server: TestServer) async throws -> [String: String] {
    let secret = JSONValue.string("annas-secret")
    var ids: [String: String] = [:]
    let device = try await anna.post("/api/v1/devices", [("name", secret)])
    ids["device"] = device.id
    ids["import"] = try await anna.send(
      .post, "/api/v1/devices/\(device.id)/imports?name=annas-secret",
      bytes: Array("lat,lon,time\n46.051,14.505,1\n".utf8), type: "text/csv"
    ).id
    await server.parts.operation.backgroundTasks.finished()
    ids["zone"] = try await anna.post(
      "/api/v1/zones",
      JSONValue.zone("annas-secret") + [
        ("notice", .object([("title", secret), ("text", secret), ("cap_s", .number(0))]))
      ]
    ).id
    ids["collection"] = try await anna.post("/api/v1/collections", [("name", secret)]).id
    #expect(try await anna.send(.put, "/api/v1/collections/\(ids["collection"] ?? "")/pack").status == .ok)
    ids["message"] = try await anna.post(
      "/api/v1/messages",
      [("your_moniker", secret), ("to_moniker", secret), ("contact_number", secret), ("supplement", secret)]
    ).id
    ids["reminder"] = try await anna.post("/api/v1/reminders", [("title", secret)]).id
    ids["channel"] = try await anna.post(
      "/api/v1/channels",
      [
        ("kind", .string("ntfy")), ("name", secret),
        (
          "configuration",
          .object([("server", .string("http://127.0.0.1:9/")), ("topic", .string("annas-secret"))])
        ),
      ]
    ).id
    ids["token"] = try await anna.post("/api/v1/tokens", [("name", secret)]).id
    ids["share"] = try await anna.post(
      "/api/v1/shares",
      [
        ("device_id", .string(device.id)), ("login", .string("somebody")), ("name", secret),
        ("precision", .string("place")),
      ]
    ).id
    let watch = try await anna.post("/api/v1/devices", [("name", secret)])
    ids["companion"] = try await anna.post(
      "/api/v1/companions",
      [
        ("device_id", .string(device.id)), ("target_device_id", .string(watch.id)), ("name", secret),
        ("when", .string("within")), ("distance_m", .number(500)),
      ]
    ).id
    ids["expected"] = try await anna.post(
      "/api/v1/expected-arrivals",
      [
        ("device_id", .string(device.id)), ("zone_id", .string(ids["zone"] ?? "")),
        ("time", .string("08:00")),
        ("weekdays", .array([.integer(1)])), ("time_zone", .string("Europe/Berlin")),
      ]
    ).id
    ids["key"] = try await anna.post(
      "/api/v1/sealed-keys",
      [("public_key", .string(String(repeating: "A", count: 43))), ("name", secret)]
    ).id
    ids["contact"] = try await anna.post("/api/v1/sealed-contacts", [("login", .string("somebody"))]).id
    let group = try await anna.post("/api/v1/groups", [("name", secret)])
    ids["group"] = group.id
    let invited = try await anna.post(
      "/api/v1/groups/\(group.id)/members", [("login", .string("annas-secret"))])
    #expect(invited.status == .noContent)
    ids["membership"] = try await anna.get("/api/v1/groups/\(group.id)/members").json["items"]?.list?
      .first?["id"]?.string
    let link = try await anna.post(
      "/api/v1/groups/\(group.id)/links",
      [("people", .integer(3)), ("ends_at", (server.clock.now + .hours(24)).json)])
    #expect(link.status == .created)
    ids["link"] = link.id
    ids["link_secret"] = link.json["link"]?.string
    ids["deputy"] = try await anna.post("/api/v1/deputies", [("login", .string("annas-secret"))]).id
    let sound = try await anna.send(
      .put, "/api/v1/sounds/annas-secret", bytes: [1, 2, 3], type: "audio/mpeg")
    #expect(sound.status == .ok)
    ids["sound"] = "annas-secret"
    let account = try #require(AccountID(anna.account))
    let deviceID = try #require(DeviceID(device.id))
    let zoneID = try #require(ZoneID(ids["zone"] ?? ""))
    let alarm = AlarmRecord(
      id: AlarmID(device: deviceID, zone: zoneID, began: server.clock.now), account: account,
      device: deviceID,
      subject: .zone(zoneID, name: "annas-secret", .inside), began: server.clock.now,
      decidedAt: server.clock.now, learnedAt: server.clock.now, distance: .metres(-3),
      position: Coordinate(latitude: .degrees(46.051), longitude: .degrees(14.505)),
      lastRangAt: server.clock.now)
    var batch = IngestBatch(at: server.clock.now)
    batch.alarms = [alarm]
    batch.fixes = [
      DeviceFixes(
        device: deviceID,
        fixes: [
          StoredFix(
            Fix(
              position: Coordinate(latitude: .degrees(46.051), longitude: .degrees(14.505)),
              accuracy: .radius(.metres(5)), measuredAt: server.clock.now))
        ])
    ]
    try await server.parts.core.store.record(batch)
    ids["alarm"] = alarm.id.description
    let login = LoginIdentity(
      account: account, issuer: "https://annas-secret.example", subject: "annas-secret", name: "annas-secret",
      boundAt: server.clock.now)
    try await server.parts.core.store.bind(login)
    ids["login"] = login.id.description
    let passkey = Passkey(
      account: account, credential: [1], publicKey: [2], relyingParty: "alarm.example", signCount: 0,
      name: "annas-secret", createdAt: server.clock.now)
    try await server.parts.core.store.add(passkey)
    ids["passkey"] = passkey.id.description
    ids["session"] = try await anna.get("/api/v1/account/sessions").json["items"]?.list?.first?["id"]?.string
    ids["member"] = anna.account
    for (name, id) in ids { #expect(!id.isEmpty, "\(name)") }
    return ids
  }

  /// A body that the route would accept if the item were the caller's.
  static func goodBody(_ route: Route, _ ids: [String: String]) -> JSONValue? {
    switch route.name {
    case "putZone": .object(JSONValue.zone("bens"))
    case "putCollection": .object([("name", .string("bens"))])
    case "addMember": .object([("login", .string("ben"))])
    case "putPasskey": .object([("name", .string("bens"))])
    case "putGroup": .object([("name", .string("bens"))])
    case "inviteMember": .object([("login", .string("carl"))])
    case "makeGroupLink":
      .object([("people", .integer(3)), ("ends_at", .string("2026-01-02T00:00:00Z"))])
    case "putShare": .object([("precision", .string("place"))])
    case "putDevice": .object([("name", .string("bens"))])
    case "addIdentity": .object([("scheme", .string("traccar")), ("value", .string("1"))])
    case "putMessage":
      .object([
        ("your_moniker", .string("")), ("to_moniker", .string("")), ("contact_number", .string("")),
        ("supplement", .string("")),
      ])
    case "putReminder": .object([("title", .string("bens"))])
    case "snoozeReminder": .object([("for", .string("1h"))])
    case "putChannel": .object([("name", .string("bens"))])
    case "putCompanion": .object([("when", .string("within")), ("distance_m", .number(500))])
    case "mailZone": .object([("to", .string("ben@example.org"))])
    case "noticeShown", "noticeOpened": .object([("device_id", .string(ids["device"] ?? ""))])
    default: nil
    }
  }

  @Test func `another account sees and changes nothing, whatever the route`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      let ids = try await Self.furnish(anna, server)
      let ben = try await server.visitor(stranger, "ben")
      var tried = 0
      for route in ben.table where RouteTableTests.needsAccount(route) {
        guard !["streamEvents", "eraseAccount", "logOut", "setPassword", "putSound"].contains(route.name)
        else { continue }
        let path = route.path.split(separator: "/").map { part -> String in
          guard part.hasPrefix("{") else { return String(part) }
          return ids[String(part.dropFirst().dropLast())] ?? (part == "{app}" ? "overland" : "pad")
        }.reduce("") { $0 + "/" + $1 }
        var visitor = ben
        if route.headers.contains(where: { $0.name == "If-Match" }) { visitor = ben.with(.ifMatch, "\"1\"") }
        let query = route.name == "explain" ? "?zone=\(ids["zone"] ?? "")" : ""
        let body = Self.goodBody(route, ids) ?? (RouteTableTests.body(route) != nil ? .object([]) : nil)
        let answer: Visitor.Answer
        if case .bytes(let types, _) = route.body {
          answer = try await visitor.send(route.method, path + query, bytes: [1, 2], type: types[0])
        } else {
          answer = try await visitor.send(route.method, path + query, body)
        }
        tried += 1
        let place = "\(route.method) \(path) -> \(answer.status.code)"
        #expect(!answer.text.contains("annas-secret"), "\(place)")
        if !route.pathParameters.isEmpty, route.name != "exportZones" {
          #expect([.notFound, .forbidden].contains(answer.status), "\(place) \(answer.text)")
        }
        for (name, id) in ids where name != "sound" && !answer.text.isEmpty {
          #expect(!answer.text.contains(id) || answer.status.code >= 400, "\(place): \(name)")
        }
      }
      #expect(tried > 60)
      // Everything is as Anna left it.
      for (name, path) in [
        ("zone", "zones"), ("device", "devices"), ("collection", "collections"), ("message", "messages"),
        ("reminder", "reminders"), ("channel", "channels"), ("alarm", "alarms"), ("sound", "sounds"),
        ("expected", "expected-arrivals"),
      ] { #expect(try await anna.get("/api/v1/\(path)/\(ids[name] ?? "")").status == .ok, "\(name)") }
      #expect(try await anna.get("/api/v1/alarms/\(ids["alarm"] ?? "")").json["state"]?.string == "ringing")
      #expect(try await anna.get("/api/v1/session").status == .ok)
      let links = try await anna.get("/api/v1/groups/\(ids["group"] ?? "")/links").json["items"]?.list
      #expect(links?.map { $0["joined"]?.whole } == [0])
    }
  }

  @Test func `an edit of another's zone under its id makes a zone of one's own at most`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      let ben = try await server.visitor(stranger, "ben")
      let zone = try await anna.post("/api/v1/zones", JSONValue.zone("hers"))
      let answer = try await ben.with(.ifNoneMatch, "*").put(
        "/api/v1/zones/\(zone.id)", JSONValue.zone("his"))
      #expect([.created, .conflict].contains(answer.status))
      #expect(try await anna.get("/api/v1/zones/\(zone.id)").json["name"]?.string == "hers")
    }
  }

  @Test
  func `a published collection is seen and followed by its members only, and changed by its owner only`()
    async throws
  {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      let ben = try await server.visitor(stranger, "ben")
      let carl = try await server.visitor(stranger, "carl")
      let id = try await anna.post("/api/v1/collections", [("name", .string("site"))]).id
      let zone = try await anna.post(
        "/api/v1/zones", JSONValue.zone("crane") + [("collection_id", .string(id))])
      #expect(zone.json["collection_id"]?.string == id)
      #expect(
        try await anna.post("/api/v1/collections/\(id)/members", [("login", .string("ben"))]).status
          == .noContent)
      #expect(
        try await anna.post("/api/v1/collections/\(id)/members", [("login", .string("nobody"))]).status
          == .noContent)
      #expect(try await carl.put("/api/v1/collections/\(id)/follow", []).status == .notFound)
      #expect(try await ben.send(.put, "/api/v1/collections/\(id)/follow").status == .noContent)
      let seen = try await ben.get("/api/v1/collections/\(id)/zones").json["items"]?.list ?? []
      #expect(seen.compactMap { $0["name"]?.string } == ["crane"])
      #expect(try await ben.get("/api/v1/collections/\(id)").json["is_own"]?.flag == false)
      #expect(
        try await ben.with(.ifMatch, "\"1\"").put("/api/v1/collections/\(id)", [("name", .string("mine"))])
          .status == .forbidden)
      #expect(try await ben.delete("/api/v1/collections/\(id)").status == .forbidden)
      #expect(try await ben.get("/api/v1/collections/\(id)/members").status == .notFound)
      #expect(try await ben.get("/api/v1/zones/\(zone.id)").status == .notFound)
      #expect(
        try await ben.with(.ifMatch, zone.tag).put("/api/v1/zones/\(zone.id)", JSONValue.zone("his"))
          .status == .notFound)
      let members = try await anna.get("/api/v1/collections/\(id)/members").json["items"]?.list ?? []
      let member = try #require(members.first { $0["login"]?.string == "ben" }?["id"]?.string)
      #expect(try await anna.delete("/api/v1/collections/\(id)/members/\(member)").status == .noContent)
      #expect(try await ben.get("/api/v1/collections/\(id)").status == .notFound)
    }
  }
}
