import AlarmEngine
import Formats
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Server

@Suite("Rules of channels in the API")
struct ChannelRuleRoutesTests {
  private static func body(_ rule: JSONValue?) -> [(String, JSONValue)] {
    [
      ("name", .string("n")),
      (
        "configuration",
        .object([("server", .string("http://127.0.0.1:9/")), ("topic", .string("secret-topic"))])
      ),
    ] + (rule.map { [("rule", $0)] } ?? [])
  }

  private static func make(_ anna: Visitor, _ rule: JSONValue?) async throws -> Visitor.Answer {
    try await anna.post("/api/v1/channels", [("kind", .string("ntfy"))] + body(rule))
  }

  private static func hours(_ days: String, _ opens: String = "480", _ closes: String = "1200") -> String {
    #"{"hours":[{"weekdays":\#(days),"opens_min":\#(opens),"closes_min":\#(closes)}]}"#
  }

  @Test func `a rule is kept, and what is left out allows everything`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let zone = try await anna.post("/api/v1/zones", JSONValue.zone("Cliff")).id
      let phone = try await anna.post("/api/v1/devices", [("name", .string("phone"))]).id
      let rule = try JSONValue.parse(
        Array(
          """
          {"zone_ids":["\(zone)"],"categories":["Children","Work"],"directions":["dwell","enter"],
          "kinds":["repeat","ring","sos"],"device_ids":["\(phone)"],
          "hours":[{"weekdays":[1,5],"opens_min":1320,"closes_min":360}]}
          """.utf8))
      let made = try await Self.make(anna, rule)
      #expect(made.json["rule"]?.text == rule.text)
      #expect(made.json["missing_zone_ids"]?.list?.isEmpty == true)
      #expect(try await anna.get("/api/v1/channels/\(made.id)").json["rule"]?.text == rule.text)
      let everything =
        #"{"zone_ids":[],"categories":[],"directions":[],"kinds":[],"device_ids":[],"hours":[]}"#
      for empty in [JSONValue?.none, .null, .object([]), try JSONValue.parse(Array(everything.utf8))] {
        #expect(try await Self.make(anna, empty).json["rule"]?.text == everything)
      }
      // A zone that is deleted stays in the rule, which neither mutes nor widens the channel.
      let stored = try await anna.get("/api/v1/zones/\(zone)")
      _ = try await anna.with(.ifMatch, stored.tag).delete("/api/v1/zones/\(zone)")
      let channels = try await anna.get("/api/v1/channels").json["items"]?.list ?? []
      let listed = try #require(channels.first { $0["id"]?.string == made.id })
      #expect(listed["rule"]?.text == rule.text)
      #expect(listed["missing_zone_ids"]?.list?.compactMap(\.string) == [zone])
      // An edit of something else keeps it; a new channel cannot name it.
      let saved = try await anna.with(.ifMatch, made.tag).put("/api/v1/channels/\(made.id)", Self.body(rule))
      #expect(saved.status == .ok && saved.json["rule"]?.text == rule.text, "\(saved.text)")
      let late = try await Self.make(anna, .object([("zone_ids", .array([.string(zone)]))]))
      #expect(late.problem == "invalid-content" && late.text.contains("/rule/zone_ids/0"))
      let widened = try await anna.with(.ifMatch, saved.tag).put(
        "/api/v1/channels/\(made.id)", Self.body(nil))
      #expect(widened.json["rule"]?.text == everything)
    }
  }

  /// Malformed rules, the place of the problem, and words that its message has.
  @Test(arguments: [
    (#"[]"#, "/rule", "an object"),
    (#"{"zones":[]}"#, "/rule/zones", ""),
    (#"{"zone_ids":["0123456789abcdef"]}"#, "/rule/zone_ids/0", "0123456789abcdef found, zones"),
    (#"{"zone_ids":["cliff"]}"#, "/rule/zone_ids/0", "cliff"),
    (#"{"zone_ids":"all"}"#, "/rule/zone_ids", "an array"),
    (#"{"categories":[""]}"#, "/rule/categories/0", "1 to 200"),
    (#"{"categories":["Work","   "]}"#, "/rule/categories/1", "1 to 200"),
    (#"{"categories":["two\nlines"]}"#, "/rule/categories/0", "one line"),
    (#"{"directions":["in"]}"#, "/rule/directions/0", "enter, leave, dwell"),
    (#"{"kinds":["cleared"]}"#, "/rule/kinds/0", "cleared found, ring, repeat"),
    (#"{"kinds":["test"]}"#, "/rule/kinds/0", "ring, repeat"),
    (#"{"kinds":["repeat"]}"#, "/rule/kinds", "repeat found without a kind of alarm"),
    (#"{"kinds":["repeat","reminder","notice"]}"#, "/rule/kinds", "repeat found without"),
    (#"{"device_ids":["0123456789abcdef"]}"#, "/rule/device_ids/0", "the account's devices"),
    (hours("[]"), "/rule/hours/0/weekdays", "no weekday found"),
    (hours("[0]"), "/rule/hours/0/weekdays/0", "1 to 7"),
    (hours("[1]", "1440"), "/rule/hours/0/opens_min", "0 to 1439"),
    (hours("[1]", "480.5"), "/rule/hours/0/opens_min", "whole number"),
    (hours("[1]", "0", "1441"), "/rule/hours/0/closes_min", "0 to 1440"),
    (#"{"hours":[{"weekdays":[1]}]}"#, "/rule/hours/0/opens_min", ""),
  ])
  func `a rule that cannot be is refused with its place`(
    _ rule: String, _ place: String, _ words: String
  ) async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let bad = try await Self.make(anna, try JSONValue.parse(Array(rule.utf8)))
      #expect(bad.problem == "invalid-content", "\(bad.text)")
      #expect(bad.text.contains(place) && bad.text.contains(words), "\(bad.text)")
      #expect(try await anna.get("/api/v1/channels").json["items"]?.list?.isEmpty == true)
    }
  }

  @Test func `another account's zones and phones cannot be named, and its previews are not seen`()
    async throws
  {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      let ben = try await server.visitor(stranger, "ben")
      let zone = try await anna.post("/api/v1/zones", JSONValue.zone("hers")).id
      let phone = try await anna.post("/api/v1/devices", [("name", .string("hers"))]).id
      for (member, id) in [("zone_ids", zone), ("device_ids", phone)] {
        let bad = try await Self.make(ben, .object([(member, .array([.string(id)]))]))
        #expect(bad.problem == "invalid-content" && bad.text.contains("/rule/\(member)/0"))
      }
      let channel = try await Self.make(anna, nil).id
      #expect(try await ben.get("/api/v1/channels/\(channel)/preview").status == .notFound)
      #expect(try await stranger.get("/api/v1/channels/\(channel)/preview").status == .unauthorized)
      #expect(try await anna.get("/api/v1/channels/\(channel)/preview").status == .ok)
    }
  }
}
