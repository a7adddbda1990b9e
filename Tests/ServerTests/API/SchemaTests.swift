import AlarmEngine
import Formats
import Geometry
import Testing

@testable import AlarmService
@testable import Server

@Suite("Schema")
struct SchemaTests {
  private func findings(_ schema: Schema, _ text: String) throws -> [String] {
    schema.findings(in: try JSONValue.parse(Array(text.utf8))).map { "\($0.place): \($0.message)" }
  }

  @Test func `names what is wrong, where, and what is allowed`() throws {
    let schema = Schema.object([
      .needed("name", .text(1...3), ""), .allowed("at", .time, ""), .allowed("n", .integer(0...9), ""),
    ])
    #expect(try findings(schema, #"{"name":"abc","at":"2026-03-29T17:52:03Z","n":9.0}"#).isEmpty)
    #expect(try findings(schema, #"{"name":"abcd"}"#) == ["/name: abcd found, 1 to 3 characters allowed"])
    #expect(try findings(schema, "{}") == ["/name: nothing found, but it is needed"])
    #expect(
      try findings(schema, #"{"name":"a","n":9.5}"#)
        == ["/n: 9.5 found, a whole number from 0 to 9 allowed"])
    #expect(
      try findings(schema, #"{"name":"a","at":"yesterday, at about noon"}"#)
        == ["/at: yesterday, at about noon found, a time such as 2026-03-29T17:52:03Z allowed"])
    #expect(
      try findings(schema, #"{"name":"a","a/b":1}"#)
        == ["/a~1b: unknown member found; allowed: name, at, n"])
    #expect(try findings(schema, #"{"name":"a","name":"b"}"#) == ["/name: found twice, once allowed"])
    #expect(try findings(schema, #"{"name":"\u0000"}"#) == ["/name: \"\" found, no character U+0000 allowed"])
  }

  @Test func `a variant has the members of its word only`() throws {
    let schema = Schema.variants(
      tag: "kind",
      [
        .init(word: "leave", members: []),
        .init(word: "dwell", members: [.needed("dwell_s", .number(0...10), "")]),
      ])
    #expect(try findings(schema, #"{"kind":"leave"}"#).isEmpty)
    #expect(try findings(schema, #"{"kind":"dwell","dwell_s":3}"#).isEmpty)
    #expect(try findings(schema, #"{"kind":"leave","dwell_s":3}"#).count == 1)
    #expect(try findings(schema, #"{"kind":"dwell"}"#) == ["/dwell_s: nothing found, but it is needed"])
    #expect(try findings(schema, #"{"kind":"stay"}"#) == ["/kind: stay found, leave, dwell allowed"])
    #expect(try findings(schema, "[]") == [": [] found, an object allowed"])
  }

  @Test func `stops after so many findings`() throws {
    let many = "[" + Array(repeating: "1", count: 100).joined(separator: ",") + "]"
    #expect(try findings(.list(.boolean, upTo: 100), many).count == Schema.maximumFindings)
  }

  @Test func `every zone that the schema lets through is written as it was read`() throws {
    for text in [
      #"{"name":"a","outline":{"kind":"locations","places":[{"latitude":1,"longitude":2}]}}"#,
      #"{"name":"b","size_m":12.5,"outline":{"kind":"path","places":[{"latitude":1,"longitude":2},{"latitude":1.1,"longitude":2}]},"trigger":{"kind":"dwell","dwell_s":60},"assurance":"safety","notice":{"title":"t","text":"x","cap_s":3600}}"#,
      #"{"name":"d","outline":{"kind":"locations","places":[{"latitude":1,"longitude":2}]},"trigger":{"kind":"leave","dwell_s":300}}"#,
      #"{"name":"c","edges":"lonlat","outline":{"kind":"area","parts":[{"outer":[{"latitude":0,"longitude":0},{"latitude":0,"longitude":1},{"latitude":1,"longitude":1}],"holes":[]}]},"schedule":{"time_zone":"Europe/Berlin","windows":[{"weekdays":[1,7],"opens_min":60,"closes_min":120}],"offsets":[{"from":"2026-03-29T01:00:00.000Z","utc_offset_s":7200}]},"messages":[{"your_moniker":"A","to_moniker":"B","contact_number":"1","supplement":"s"}]}"#,
    ] {
      let value = try JSONValue.parse(Array(text.utf8))
      #expect(ZoneJSON.schema.findings(in: value).isEmpty)
      let zone = try ZoneJSON.zone(value, id: ZoneID(rawValue: 7), defaultRadius: .metres(50))
      let written = ZoneJSON.json(zone.draft)
      #expect(ZoneJSON.schema.findings(in: written).isEmpty)
      #expect(try ZoneJSON.zone(written, id: ZoneID(rawValue: 7), defaultRadius: .metres(50)) == zone)
    }
    #expect(ZoneJSON.schema.findings(in: ZoneJSON.example).isEmpty)
  }
}
