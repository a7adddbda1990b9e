import AlarmEngine
import Formats
import Foundation
import Geometry
import HTTPTypes
import Hummingbird
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("The other resources over HTTP")
struct ResourceRoutesTests {
  @Test func `an alarm is listed, closed, slept and acknowledged, each with a record`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let ids = try await IsolationTests.furnish(anna, server)
      let path = "/api/v1/alarms/\(ids["alarm"] ?? "")"
      #expect(try await anna.get("/api/v1/alarms").json["items"]?.list?.count == 1)
      #expect(
        try await anna.get("/api/v1/alarms?device=\(ids["device"] ?? "")").json["items"]?.list?.count == 1)
      #expect(try await anna.post("\(path)/close").json["state"]?.string == "closed")
      let slept = try await anna.post("\(path)/sleep").json
      #expect(slept["state"]?.string == "sleeping")
      #expect(slept["until"]?.string == RFC3339.string(from: server.clock.now + .seconds(10)))
      #expect(try await anna.post("\(path)/acknowledge").json["state"]?.string == "acknowledged")
      let today = try await anna.post("\(path)/today").json
      #expect(today["state"]?.string == "acknowledged_for_today")
      #expect(today["until"]?.string == "2026-11-19T00:00:00.000Z")
      #expect(today["answered_by"]?.string == "account anna")
      let device = try #require(DeviceID(ids["device"] ?? ""))
      let account = try #require(AccountID(anna.account))
      let range = server.clock.now - .hours(1)...server.clock.now + .hours(1)
      let commands = try await server.parts.core.store.commands(
        of: device, account: account, in: range, limit: 10)
      let answers = commands.filter { if case .replaceZones = $0.kind { false } else { true } }
      #expect(answers.count == 4)
    }
  }

  @Test func `today ends at midnight of the account's time zone`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let ids = try await IsolationTests.furnish(anna, server)
      let settings = try await anna.get("/api/v1/settings")
      #expect(
        try await anna.with(.ifMatch, settings.tag).put("/api/v1/settings", [("time_zone", .string("Mars"))])
          .problem == "invalid-content")
      #expect(
        try await anna.with(.ifMatch, settings.tag).put(
          "/api/v1/settings", [("time_zone", .string("Europe/Ljubljana")), ("alarm_cycle_s", .number(20))]
        ).status == .ok)
      let today = try await anna.post("/api/v1/alarms/\(ids["alarm"] ?? "")/today").json
      #expect(today["until"]?.string == "2026-11-18T23:00:00.000Z")
    }
  }

  @Test func `a link of a message asks on GET and acts on POST, without signing in, until it is too old`()
    async throws
  {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let ids = try await IsolationTests.furnish(anna, server)
      let alarm = try #require(AlarmID(ids["alarm"] ?? ""))
      let account = try #require(AccountID(anna.account))
      func link(_ purpose: AlarmLink.Purpose, account: AccountID) -> String {
        "/l/"
          + server.parts.alarms.links.token(
            for: AlarmLink(
              purpose: purpose, alarm: alarm, account: account.rawValue, channel: 7,
              expires: server.clock.now + .hours(24)))
      }
      let path = link(.sleep, account: account)
      let page = try await stranger.get(path)
      #expect(page.text.contains("<form method=\"post\">") && page.text.contains("annas-secret"))
      #expect(try await anna.get("/api/v1/alarms/\(alarm)").json["state"]?.string == "ringing")
      #expect(try await stranger.with(.origin, "null").post(path).text.contains("Sleep: done."))
      #expect(try await anna.get("/api/v1/alarms/\(alarm)").json["state"]?.string == "sleeping")
      let stop = link(.acknowledge, account: account)
      let asked = try await stranger.get(stop).text
      #expect(asked.contains(">Stop</button>") && asked.contains("quiet until this visit is over"))
      #expect(try await stranger.with(.origin, "null").post(stop).text.contains("Stop: done."))
      #expect(try await anna.get("/api/v1/alarms/\(alarm)").json["state"]?.string == "acknowledged")
      #expect(try await stranger.post(link(.sleep, account: .random())).status == .notFound)
      let forged = String(path.dropLast()) + (path.hasSuffix("A") ? "B" : "A")
      #expect(try await stranger.post(forged).status == .notFound)
      server.clock.pass(.hours(25))
      #expect(try await stranger.post(path).problem == "gone")
    }
  }

  @Test func `arming is a command to the device's engine`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let made = try await anna.post("/api/v1/devices", [("name", .string("phone"))])
      let path = "/api/v1/devices/\(made.id)"
      let off = try await anna.with(.ifMatch, made.tag).put(
        path, [("name", .string("phone")), ("is_armed", .bool(false))])
      #expect(off.json["is_armed"]?.flag == false)
      let device = try #require(DeviceID(made.id))
      let account = try #require(AccountID(anna.account))
      let range = server.clock.now - .hours(1)...server.clock.now + .hours(1)
      let commands = try await server.parts.core.store.commands(
        of: device, account: account, in: range, limit: 10)
      #expect(commands.map(\.kind) == [.deactivate])
    }
  }

  @Test func `an unclaimed device is an administrator's to claim`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna", isAdministrator: true)
      let ben = try await server.visitor(stranger, "ben")
      let lost = Device(account: nil, name: "owntracks/x", createdAt: server.clock.now)
      try await server.parts.core.store.create(lost, identities: [])
      #expect(try await ben.get("/api/v1/unclaimed-devices").problem == "forbidden")
      #expect(try await ben.post("/api/v1/unclaimed-devices/\(lost.id)/claim").problem == "forbidden")
      #expect(try await anna.get("/api/v1/unclaimed-devices").json["items"]?.list?.count == 1)
      #expect(try await anna.post("/api/v1/unclaimed-devices/\(lost.id)/claim").status == .ok)
      #expect(try await anna.get("/api/v1/devices/\(lost.id)").status == .ok)
      #expect(try await anna.post("/api/v1/unclaimed-devices/\(lost.id)/claim").status == .notFound)
    }
  }

  @Test func `history is listed, written as GPX and explained in words`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let ids = try await IsolationTests.furnish(anna, server)
      let path = "/api/v1/devices/\(ids["device"] ?? "")"
      let fixes = try await anna.get("\(path)/fixes").json["items"]?.list ?? []
      #expect(fixes.count == 1 && fixes[0]["latitude"]?.double == 46.051)
      #expect(
        try await anna.get("\(path)/fixes?from=2026-11-18T14:00:00Z&to=2026-11-18T13:00:00Z").problem
          == "invalid-parameter")
      let track = try await anna.get("\(path)/fixes.gpx")
      #expect(track.text.contains("lat=\"46.051\" lon=\"14.505\""))
      let why = try await anna.get("\(path)/explain?zone=\(ids["zone"] ?? "")").json
      #expect(why["rings"]?.flag == true)
      #expect(why["verdict"]?.string == "position_inside")
      #expect(why["words"]?.string?.hasPrefix("rings: the position is inside") == true)
      let before = try await anna.get(
        "\(path)/explain?zone=\(ids["zone"] ?? "")&at=2026-01-01T00:00:00Z"
      ).json
      #expect(before["verdict"]?.isNull == true)
    }
  }

  @Test func `edits of two phones come together field by field, however often they are sent`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let id = try await anna.post("/api/v1/zones", JSONValue.zone("start")).id
      func record() async throws -> JSONValue {
        let changes = try await anna.get("/api/v1/sync").json["changes"]?.list ?? []
        return try #require(changes.last { $0["kind"]?.string == "zone" }?["record"])
      }
      let first = try await record()
      let again = try await anna.post("/api/v1/sync", [("zones", .array([first]))])
      #expect(again.status == .ok)
      #expect(again.json["zones"]?.list?.first?.text == first.text)
      // The zone's name is edited on another phone a second later.
      let fields = first["fields"]?.list ?? []
      let other = try await anna.post("/api/v1/zones", JSONValue.zone("renamed")).id
      let donor = try await anna.get("/api/v1/sync").json["changes"]?.list?.first {
        $0["id"]?.string == other
      }
      let names = donor?["record"]?["fields"]?.list ?? []
      let index = try #require(
        zip(fields, names).enumerated().first { $1.0["value"]?.string != $1.1["value"]?.string }?.offset)
      let edit = JSONValue.object([
        ("field", fields[index]["field"] ?? .null), ("value", names[index]["value"] ?? .null),
        (
          "edited_at",
          .object([
            ("time", (server.clock.now + .seconds(1)).json), ("counter", .integer(0)),
            ("node", .string("00000000000000ff")),
          ])
        ),
      ])
      func push() async throws -> Visitor.Answer {
        try await anna.post(
          "/api/v1/sync",
          [
            (
              "zones",
              .array([
                .object([("id", .string(id)), ("fields", .array([edit])), ("deleted_at", .null)])
              ])
            )
          ])
      }
      #expect(try await push().status == .ok)
      #expect(try await push().status == .ok)
      let zone = try await anna.get("/api/v1/zones/\(id)").json
      #expect(zone["name"]?.string == "renamed")
      #expect(zone["size_m"]?.double == 100)
    }
  }

  @Test(
    arguments: [
      ("Europe/Stockholm", [], true), ("Mars/Olympus", [], false), ("Mars/Olympus", [3600], true),
      ("", [], true),
    ] as [(String, [Int32], Bool)])
  func `an edited schedule needs offsets or a time zone that is known`(
    name: String, seconds: [Int32], isTaken: Bool
  ) async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let zone = ZoneDraft(
        id: ZoneID(rawValue: 7), name: "Night", outline: .locations([TestPlaces.inside]),
        schedule: Schedule(
          windows: [.init(weekdays: .everyDay, opens: 135, closes: 165)], timeZone: Text(name),
          offsets: seconds.map { .init(from: TestServer.start, seconds: $0) }))
      let edited = JSONValue.object([
        ("time", server.clock.now.json), ("counter", .integer(0)), ("node", .string("00000000000000ff")),
      ])
      let fields = zone.fields.map { field, value in
        JSONValue.object([
          ("field", .integer(Int64(field))), ("value", .string(Base64URL.encode(value))),
          ("edited_at", edited),
        ])
      }
      let record = JSONValue.object([
        ("id", .string("0000000000000007")), ("fields", .array(fields)), ("deleted_at", .null),
      ])
      let answer = try await anna.post("/api/v1/sync", [("zones", .array([record]))])
      #expect(answer.status == .ok)
      #expect(answer.json["zones"]?.list?.count == (isTaken ? 1 : 0))
      let reasons = (answer.json["refused"]?.list ?? []).map { $0["reason"]?.string ?? "" }
      #expect(reasons.count == (isTaken ? 0 : 1))
      #expect(reasons.allSatisfy { $0.contains("Mars/Olympus") && $0.contains("Europe/Berlin") })
    }
  }

  @Test func `a channel's secrets are never shown again, and a test says what came of it`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let configuration = JSONValue.object([
        ("server", .string("http://127.0.0.1:9/")), ("topic", .string("very-secret-topic")),
      ])
      let made = try await anna.post(
        "/api/v1/channels",
        [("kind", .string("ntfy")), ("name", .string("n")), ("configuration", configuration)])
      #expect(made.status == .created && !made.text.contains("very-secret-topic"))
      #expect(!(try await anna.get("/api/v1/channels")).text.contains("very-secret-topic"))
      let test = try await anna.post("/api/v1/channels/\(made.id)/test").json
      #expect(test["outcome"]?.string == "failed")
      #expect(test["detail"]?.string?.contains("very-secret-topic") == false)
      let bad = try await anna.post(
        "/api/v1/channels",
        [("kind", .string("webhook")), ("name", .string("n")), ("configuration", .object([]))])
      #expect(bad.problem == "invalid-content" && bad.text.contains("/configuration/"))
    }
  }

  @Test(arguments: OnboardingRoutes.App.allCases.map(\.rawValue))
  func `an app is set up with a token of its device that lets nothing else in`(_ app: String) async throws {
    var settings = ServerSettings()
    settings.publicURL = .init(string: "https://alarm.example")
    let server = try await TestServer(settings)
    try await server.run { stranger in
      let anna = try await server.visitor(stranger.with(.origin, "https://alarm.example"))
      let device = try await anna.post("/api/v1/devices", [("name", .string("phone"))]).id
      let answer = try await anna.post("/api/v1/devices/\(device)/setup/\(app)")
      let link = try #require(answer.json["link"]?.string)
      #expect(link.contains("alarm.example") || link.hasPrefix("owntracks:///config?inline="))
      let tokens = try await anna.get("/api/v1/tokens").json["items"]?.list ?? []
      #expect(tokens.first?["device_id"]?.string == device)
      #expect(tokens.first?["id"]?.string == answer.json["token_id"]?.string)
      #expect(try await anna.post("/api/v1/devices/\(device)/setup/nonsense").problem == "not-found")
    }
  }

  @Test func `what our own application sends with its link is taken, and counted once`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let device = try await anna.post("/api/v1/devices", [("name", .string("phone"))]).id
      let link = try #require(
        try await anna.post("/api/v1/devices/\(device)/setup/proximity").json["link"]?.string)
      let token = try #require(link.components(separatedBy: "/#report=").last)
      let phone = stranger.with(.authorization, "Bearer \(token)")
      // Lines as PhoneHost's ReportLine writes them (ReportingTests); the last one was cut off when the app
      // was killed.
      let time = 1_750_050_000_000
      let lines = (0..<3).map {
        #"{"latitude":50.7412345,"longitude":-0.0400001,"measured_at":\#(time + $0 * 1000),"accuracy_m":8.26,"speed_m_s":1.50}"#
          + "\n"
      }
      let body = Array((lines.joined() + #"{"latitude":50.74"#).utf8)
      for _ in 0..<2 {
        let answer = try await phone.send(
          .post, "/api/v1/fixes", bytes: body, type: "application/x-ndjson")
        #expect(answer.json["taken"]?.whole == 3)
        #expect(answer.json["refused"]?.whole == 1)
      }
      let fixes = try await anna.get(
        "/api/v1/devices/\(device)/fixes?from=2025-06-16T00:00:00Z&to=2025-06-17T00:00:00Z"
      ).json["items"]?.list
      #expect(fixes?.count == 3)
      #expect(fixes?.first?["accuracy_m"]?.double == 8.26)
    }
  }

  @Test func `a sound is saved as bytes under its name and comes back the same`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let bytes = (0..<2000).map { UInt8(truncatingIfNeeded: $0) }
      #expect(
        try await anna.send(.put, "/api/v1/sounds/Fog%20horn?about=loud", bytes: bytes, type: "audio/ogg")
          .json["size_bytes"]?.whole == 2000)
      let sound = try await anna.get("/api/v1/sounds/Fog%20horn")
      #expect(sound.bytes == bytes && sound.headers[.contentType] == "audio/ogg")
      #expect(try await anna.get("/api/v1/sounds/fog%20horn").status == .notFound)
      #expect(
        try await anna.send(.put, "/api/v1/sounds/x", bytes: bytes, type: "text/html").problem
          == "unsupported-media-type")
      #expect(try await anna.delete("/api/v1/sounds/Fog%20horn").status == .noContent)
    }
  }

  @Test func `reminders and messages are kept, edited and deleted`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let list: [(String, JSONValue)] = [
        ("title", .string("Shop")),
        ("items", .array([.object([("text", .string("milk")), ("done", .bool(true))])])),
        (
          "places",
          .array([
            .object([
              ("name", .string("Branch")), ("latitude", .number(46)), ("longitude", .number(14)),
            ])
          ])
        ),
        ("state", .object([("kind", .string("snoozed")), ("until", .string("2026-11-19T09:00:00.000Z"))])),
      ]
      let made = try await anna.post("/api/v1/reminders", list)
      #expect(made.json["state"]?["until"]?.string == "2026-11-19T09:00:00.000Z")
      let path = "/api/v1/reminders/\(made.id)"
      let done = try await anna.with(.ifMatch, made.tag).put(
        path, Array(list.prefix(3)) + [("state", .object([("kind", .string("completed"))]))])
      #expect(done.json["state"]?["kind"]?.string == "completed")
      #expect(try await anna.delete(path).status == .noContent)
      #expect(try await anna.get("/api/v1/reminders").json["items"]?.list?.isEmpty == true)
      let message: [(String, JSONValue)] = [
        ("your_moniker", .string("A")), ("to_moniker", .string("B")), ("contact_number", .string("1")),
        ("supplement", .string("s")),
      ]
      let kept = try await anna.with(.idempotencyKey, "k").post("/api/v1/messages", message)
      #expect(try await anna.with(.idempotencyKey, "k").post("/api/v1/messages", message).id == kept.id)
      #expect(
        try await anna.with(.ifMatch, kept.tag).put("/api/v1/messages/\(kept.id)", message).status == .ok)
      #expect(try await anna.delete("/api/v1/messages/\(kept.id)").status == .noContent)
    }
  }

  @Test func `a notice is shown no more often than its cap, and counted`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let device = try await anna.post("/api/v1/devices", [("name", .string("phone"))]).id
      let notice = JSONValue.object([
        ("title", .string("Hello")), ("text", .string("")), ("cap_s", .number(3600)),
      ])
      let zone = try await anna.post("/api/v1/zones", JSONValue.zone("z") + [("notice", notice)]).id
      let body: [(String, JSONValue)] = [("device_id", .string(device))]
      let path = "/api/v1/zones/\(zone)/notice"
      #expect(try await anna.post("\(path)/shown", body).json["show"]?.flag == true)
      #expect(try await anna.post("\(path)/shown", body).json["show"]?.flag == false)
      #expect(try await anna.post("\(path)/opened", body).status == .noContent)
      let count = try await anna.get("/api/v1/notices").json["items"]?.list?.first
      #expect(count?["shown"]?.whole == 1 && count?["opened"]?.whole == 1)
    }
  }
}
