import AlarmEngine
import Formats
import HTTPTypes
import Hummingbird
import Store
import Testing

@testable import AlarmService
@testable import Server

@Suite("Zones over HTTP")
struct ZoneRoutesTests {
  @Test func `a zone is made, read, edited over its revision and deleted`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let made = try await anna.post("/api/v1/zones", JSONValue.zone("cliff"))
      #expect(made.status == .created)
      let path = try #require(made.headers[.location])
      let read = try await anna.get(path)
      #expect(read.json.text == made.json.text)
      #expect(try await anna.with(.ifNoneMatch, read.tag).get(path).status == .notModified)
      #expect(try await anna.put(path, JSONValue.zone("edge")).problem == "precondition-required")
      let edited = try await anna.with(.ifMatch, read.tag).put(path, JSONValue.zone("edge"))
      #expect(edited.json["name"]?.string == "edge")
      #expect(try await anna.with(.ifMatch, read.tag).put(path, JSONValue.zone("late")).problem == "stale")
      #expect(try await anna.with(.ifMatch, "nonsense").put(path, JSONValue.zone("x")).problem == "stale")
      #expect(try await anna.with(.ifMatch, read.tag).delete(path).problem == "stale")
      #expect(try await anna.with(.ifMatch, edited.tag).delete(path).status == .noContent)
      #expect(try await anna.get(path).problem == "not-found")
    }
  }

  @Test func `a schedule gets the offsets of its time zone, and an unknown one is refused`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      func zone(_ name: String) -> [(String, JSONValue)] {
        let window = JSONValue.object([
          ("weekdays", .array([.integer(1)])), ("opens_min", .integer(135)), ("closes_min", .integer(165)),
        ])
        let schedule = JSONValue.object([("time_zone", .string(name)), ("windows", .array([window]))])
        return JSONValue.zone("Office") + [("schedule", schedule)]
      }
      let made = try await anna.post("/api/v1/zones", zone("Europe/Stockholm"))
      #expect(made.json["schedule"]?["offsets"]?.list?.count == 101)
      let refused = try await anna.post("/api/v1/zones", zone("Mars/Olympus"))
      #expect(refused.status.code == 422)
      #expect(refused.json.text.contains("Mars/Olympus"))
      let pad = try ZoneFormat.pad.encode([
        ZoneDraft(
          id: ZoneID(rawValue: 7), name: "Night", outline: .locations([TestPlaces.inside]),
          schedule: Schedule(
            windows: [.init(weekdays: .everyDay, opens: 135, closes: 165)], timeZone: "Europe/Stockholm",
            offsets: []))
      ]).data
      let imported = try await anna.send(
        .post, "/api/v1/zones/import?format=pad", bytes: Array(pad), type: "text/csv")
      #expect(imported.status == .ok)
      let stored = try await server.parts.core.store.zone(
        ZoneID(rawValue: 7), of: AccountID(rawValue: parsedID(anna.account) ?? 0))
      #expect(stored.draft.schedule?.offsets.count == 101)
    }
  }

  @Test func `the same Idempotency-Key makes one zone, another key another`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let first = try await anna.with(.idempotencyKey, "1").post("/api/v1/zones", JSONValue.zone("a"))
      let again = try await anna.with(.idempotencyKey, "1").post("/api/v1/zones", JSONValue.zone("a"))
      let other = try await anna.with(.idempotencyKey, "2").post("/api/v1/zones", JSONValue.zone("a"))
      #expect(first.status == .created && again.status == .ok && other.status == .created)
      #expect(first.id == again.id && first.id != other.id)
      let ben = try await server.visitor(stranger, "ben")
      let his = try await ben.with(.idempotencyKey, "1").post("/api/v1/zones", JSONValue.zone("a"))
      #expect(his.status == .created && his.id != first.id)
    }
  }

  @Test func `a phone makes a zone under an id of its own`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let path = "/api/v1/zones/0123456789abcdef"
      let made = try await anna.with(.ifNoneMatch, "*").put(path, JSONValue.zone("offline"))
      #expect(made.status == .created && made.id == "0123456789abcdef")
      #expect(try await anna.with(.ifNoneMatch, "*").put(path, JSONValue.zone("again")).problem == "conflict")
    }
  }

  @Test func `pages of the list hold each zone once`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      var made: Set<String> = []
      for index in 0..<7 {
        made.insert(try await anna.post("/api/v1/zones", JSONValue.zone("zone \(index)")).id)
      }
      var seen: [String] = []
      var query = "?limit=3"
      for _ in 0..<4 {
        let page = try await anna.get("/api/v1/zones" + query).json
        seen += (page["items"]?.list ?? []).compactMap { $0["id"]?.string }
        guard let next = page["next"]?.string else { break }
        query = "?limit=3&cursor=\(next)"
      }
      #expect(seen.count == 7 && Set(seen) == made)
    }
  }

  @Test func `what cannot be an area is refused with what is allowed`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      var zone = JSONValue.zone("x")
      zone[1] = ("size_m", .number(0))
      #expect(
        try await anna.post("/api/v1/zones", zone).json["findings"]?.list?.first?["place"]?.string
          == "/size_m")
      let line = JSONValue.array([.place(1, 1), .place(1, 1), .place(1, 1)])
      zone = [
        ("name", .string("flat")),
        (
          "outline",
          .object([
            ("kind", .string("area")), ("parts", .array([.object([("outer", line)])])),
          ])
        ),
      ]
      #expect(try await anna.post("/api/v1/zones", zone).problem == "invalid-content")
    }
  }

  static let formats = ["pad", "geojson", "kml", "owntracks"]

  @Test(arguments: formats) func `what is exported is imported again as it was`(_ format: String) async throws
  {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      _ = try await anna.post("/api/v1/zones", JSONValue.zone("one", 10.5, 123.25))
      _ = try await anna.post("/api/v1/zones", JSONValue.zone("two", -33.5, 18.5))
      let file = try await anna.get("/api/v1/zones/export/\(format)")
      #expect(file.headers[.contentDisposition]?.contains("zones.") == true)
      let ben = try await server.visitor(stranger, "ben")
      func send(_ query: String) async throws -> JSONValue {
        let answer = try await ben.send(
          .post, "/api/v1/zones/import?format=\(format)\(query)", bytes: file.bytes,
          type: "application/octet-stream")
        #expect(answer.status == .ok)
        return answer.json
      }
      let preview = try await send("&preview=true")
      #expect(preview["saved"]?.flag == false && preview["zone_count"]?.whole == 2)
      #expect(try await ben.get("/api/v1/zones").json["items"]?.list?.isEmpty == true)
      #expect(try await send("")["new_count"]?.whole == 2)
      #expect(try await send("")["new_count"]?.whole == 0)
      let zones = try await ben.get("/api/v1/zones").json["items"]?.list ?? []
      #expect(Set(zones.compactMap { $0["name"]?.string }) == ["one", "two"])
      let place = zones.first { $0["name"]?.string == "one" }?["outline"]?["places"]?.list?.first
      #expect(place?["latitude"]?.double == 10.5 && place?["longitude"]?.double == 123.25)
      #expect(zones.allSatisfy { $0["size_m"]?.double == 100 })
    }
  }

  @Test func `a file that is no zone file is refused, one with a bad zone yields the others`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let nonsense = try await anna.send(
        .post, "/api/v1/zones/import", bytes: Array("hello".utf8), type: "application/octet-stream")
      #expect(nonsense.problem == "invalid-content")
      let pad = """
        AlertZoneStart
        AlertZoneName,good
        Location,1,10.5,123.4
        AlertZoneEnd
        AlertZoneStart
        AlertZoneName,bad
        Location,1,91,0
        AlertZoneEnd
        """
      let answer = try await anna.send(
        .post, "/api/v1/zones/import?name=zones.pad", bytes: Array(pad.utf8), type: "text/csv")
      #expect(answer.json["zone_count"]?.whole == 1)
      #expect(answer.json["issues"]?.list?.isEmpty == false)
    }
  }
}
