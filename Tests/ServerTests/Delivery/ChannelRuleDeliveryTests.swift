import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// Stories of channels with rules: each is told of the alarms that its rule allows, from the ring to the end.
@Suite("Rules of channels, delivered")
struct ChannelRuleDeliveryTests {
  private static let cliff = JSONValue.zone("Cliff edge") + [("category", .string("Hazard"))]
  /// Two kilometres north of the cliff.
  private static let school = JSONValue.zone("School", 46.071) + [("category", .string("Children"))]

  private static func ids(_ words: [String]) -> JSONValue { .array(words.map { .string($0) }) }

  /// Hours that begin three minutes and twenty seconds after the test, in Kolkata.
  private static let soon = JSONValue.array([
    .object([
      ("weekdays", .array((1...7).map { .integer($0) })), ("opens_min", .integer(1000)),
      ("closes_min", .integer(1002)),
    ])
  ])

  private static func body(
    _ port: Int, _ rule: [(String, JSONValue)], step: Int = 0
  ) -> [(String, JSONValue)] {
    [
      ("name", .string("hook \(step)")), ("rule", .object(rule)),
      ("escalation_step", .integer(Int64(step))),
      (
        "configuration",
        .object([
          ("url", .string("http://127.0.0.1:\(port)/hook")),
          ("secret", .string("0123456789abcdef0123456789abcdef")),
        ])
      ),
    ]
  }

  private static func webhook(
    _ scene: IngestScene, _ hook: LocalServer, _ rule: [(String, JSONValue)], step: Int = 0
  ) async throws -> Visitor.Answer {
    let made = try await scene.anna.post(
      "/api/v1/channels", [("kind", .string("webhook"))] + body(hook.port, rule, step: step))
    #expect(made.status == .created, "\(made.text)")
    return made
  }

  /// The kinds of the messages that an endpoint received, in order.
  private static func kinds(_ hook: LocalServer) -> [String] {
    hook.requests.compactMap { (try? JSONValue.parse($0.body))?["kind"]?.string }
  }

  private static func deliver(_ scene: IngestScene) async throws {
    for _ in 0..<3 { try await scene.server.parts.alarms.outbox.deliverDue() }
  }

  private static func pass(_ span: TimeSpan, _ scene: IngestScene) async throws {
    await scene.pass(span)
    try await deliver(scene)
  }

  private static func enter(_ scene: IngestScene) async throws {
    _ = try await scene.phone.ownTracks()
    try await deliver(scene)
  }

  /// Leaves the zone eastwards, past no other one, with as many positions as that needs.
  private static func leave(_ scene: IngestScene) async throws {
    for _ in 0..<3 {
      scene.server.clock.pass(.seconds(60))
      _ = try await scene.phone.ownTracks(
        Coordinate(latitude: .degrees(46.051), longitude: .degrees(14.6)))
    }
    try await deliver(scene)
    #expect(try await scene.alarms().allSatisfy { !$0.isOpen })
  }

  private static func zone(_ name: String, _ scene: IngestScene) async throws -> String {
    let zones = try await scene.store.zoneSet(of: scene.account).zones
    return try #require(zones.first { $0.draft.name.string == name }).id.description
  }

  /// Runs a scene with two zones and two webhooks.
  private static func run(
    _ body: @escaping @Sendable (IngestScene, LocalServer, LocalServer) async throws -> Void
  ) async throws {
    try await LocalServer.run { first in
      try await LocalServer.run { second in
        try await IngestScene.run(zones: [cliff, school]) { scene in
          try await body(scene, first, second)
        }
      }
    }
  }

  @Test func `a zone's ring goes to the channel of that zone, and its end follows`() async throws {
    try await Self.run { scene, ofCliff, ofSchool in
      _ = try await Self.webhook(
        scene, ofCliff, [("zone_ids", Self.ids([try await Self.zone("Cliff edge", scene)]))])
      _ = try await Self.webhook(scene, ofSchool, [("categories", Self.ids(["children"]))])
      try await Self.enter(scene)
      #expect(Self.kinds(ofCliff) == ["ring"])
      try await Self.pass(.seconds(11), scene)
      #expect(Self.kinds(ofCliff) == ["ring", "repeat"])
      try await Self.leave(scene)
      #expect(Self.kinds(ofCliff).last == "cleared")
      #expect(ofSchool.requests.isEmpty)
      // Nobody has to answer for the other channel either.
      #expect(try await scene.alarms().map(\.escalationStep.number) == [0])
    }
  }

  @Test(arguments: ["other zone", "other phone", "zone deleted", "kinds"])
  func `whoever was told a ring is told its end, whatever changed meanwhile`(_ change: String) async throws {
    try await Self.run { scene, told, other in
      let cliff = try await Self.zone("Cliff edge", scene)
      let school = try await Self.zone("School", scene)
      let channel = try await Self.webhook(scene, told, [("zone_ids", Self.ids([cliff]))])
      _ = try await Self.webhook(scene, other, [("zone_ids", Self.ids([school]))])
      try await Self.enter(scene)
      #expect(Self.kinds(told) == ["ring"])
      if change == "zone deleted" {
        let zone = try await scene.anna.get("/api/v1/zones/\(cliff)")
        let deleted = try await scene.anna.with(.ifMatch, zone.tag).delete("/api/v1/zones/\(cliff)")
        #expect(deleted.status == .noContent, "\(deleted.text)")
        try await Self.pass(.seconds(1), scene)
        #expect(try await scene.alarms().allSatisfy { !$0.isOpen })
      } else {
        var rule: [(String, JSONValue)] = [("zone_ids", Self.ids([school]))]
        if change == "kinds" { rule = [("kinds", Self.ids(["sos"]))] }
        if change == "other phone" {
          let phone = try await scene.anna.post("/api/v1/devices", [("name", .string("other"))]).id
          rule = [("device_ids", Self.ids([phone]))]
        }
        let saved = try await scene.anna.with(.ifMatch, channel.tag).put(
          "/api/v1/channels/\(channel.id)", Self.body(told.port, rule))
        #expect(saved.status == .ok, "\(saved.text)")
        try await Self.leave(scene)
      }
      #expect(Self.kinds(told).last == "cleared")
      #expect(other.requests.isEmpty)
    }
  }

  @Test func `an answer is told to those who rang, and to nobody else`() async throws {
    try await Self.run { scene, told, other in
      _ = try await Self.webhook(scene, told, [("directions", Self.ids(["enter"]))])
      _ = try await Self.webhook(scene, other, [("directions", Self.ids(["leave", "dwell"]))])
      try await Self.enter(scene)
      let alarm = try #require(try await scene.alarms().first).id
      _ = try await scene.anna.post("/api/v1/alarms/\(alarm)/acknowledge")
      try await Self.deliver(scene)
      #expect(Self.kinds(told) == ["ring", "withdrawn"])
      #expect(other.requests.isEmpty)
    }
  }

  @Test func `an alarm that still rings when the hours begin is told then, as a ring`() async throws {
    try await Self.run { scene, inHours, _ in
      let settings = try await scene.anna.get("/api/v1/settings")
      _ = try await scene.anna.with(.ifMatch, settings.tag).put(
        "/api/v1/settings", [("time_zone", .string("Asia/Kolkata"))])
      // 16:36:40 in Kolkata; the hours are 16:40 to 16:42.
      _ = try await Self.webhook(scene, inHours, [("hours", Self.soon)], step: 2)
      try await Self.enter(scene)
      try await Self.pass(.seconds(190), scene)
      #expect(inHours.requests.isEmpty)
      try await Self.pass(.seconds(15), scene)
      #expect(Self.kinds(inHours) == ["ring"])
      #expect(try await scene.alarms().map(\.escalationStep.number) == [2])
      try await Self.pass(.seconds(10), scene)
      #expect(Self.kinds(inHours) == ["ring", "repeat"])
      // The hours are over. The alarm goes on, and its end is told.
      try await Self.pass(.seconds(300), scene)
      #expect(Self.kinds(inHours).last == "repeat")
      try await Self.leave(scene)
      #expect(Self.kinds(inHours).last == "cleared")
      let count = inHours.requests.count
      // The next alarm is after the hours.
      scene.server.clock.pass(.minutes(20))
      try await Self.enter(scene)
      try await Self.leave(scene)
      #expect(inHours.requests.count == count)
    }
  }

  @Test func `outside its hours a channel leaves its place to the next step`() async throws {
    try await Self.run { scene, inHours, always in
      _ = try await Self.webhook(scene, inHours, [("hours", Self.soon)])
      _ = try await Self.webhook(scene, always, [], step: 1)
      try await Self.enter(scene)
      #expect(inHours.requests.isEmpty && Self.kinds(always) == ["ring"])
    }
  }

  @Test func `an unanswered alarm goes to the later step whatever its zone, unless kinds are named`()
    async throws
  {
    try await LocalServer.run { strict in
      try await Self.run { scene, first, later in
        let school = ("zone_ids", Self.ids([try await Self.zone("School", scene)]))
        _ = try await Self.webhook(scene, first, [])
        _ = try await Self.webhook(scene, later, [school], step: 1)
        _ = try await Self.webhook(scene, strict, [school, ("kinds", Self.ids(["ring"]))], step: 1)
        try await Self.enter(scene)
        #expect(Self.kinds(first) == ["ring"] && later.requests.isEmpty)
        try await Self.pass(.seconds(61), scene)
        #expect(Self.kinds(later) == ["ring"])
        try await Self.leave(scene)
        #expect(Self.kinds(later).last == "cleared")
        #expect(strict.requests.isEmpty)
      }
    }
  }

  @Test func `a channel without repeats rings once`() async throws {
    try await Self.run { scene, once, again in
      _ = try await Self.webhook(scene, once, [("kinds", Self.ids(["ring"]))])
      _ = try await Self.webhook(scene, again, [("kinds", Self.ids(["ring", "repeat"]))])
      try await Self.enter(scene)
      for _ in 0..<3 { try await Self.pass(.seconds(11), scene) }
      #expect(Self.kinds(once) == ["ring"])
      #expect(Self.kinds(again) == ["ring", "repeat", "repeat", "repeat"])
      try await Self.leave(scene)
      #expect(Self.kinds(once) == ["ring", "cleared"])
    }
  }

  @Test func `notices of zones follow the rules too, to the lowest step that takes them`() async throws {
    let notice: (String, JSONValue) = (
      "notice", .object([("title", .string("Take care")), ("text", .string("")), ("cap_s", .number(0))])
    )
    try await LocalServer.run { alarms in
      try await LocalServer.run { notices in
        try await IngestScene.run(zones: [Self.cliff + [notice]]) { scene in
          _ = try await Self.webhook(scene, alarms, [("kinds", Self.ids(["ring"]))])
          _ = try await Self.webhook(scene, notices, [("kinds", Self.ids(["notice"]))], step: 1)
          try await Self.enter(scene)
          #expect(Self.kinds(alarms) == ["ring"])
          #expect(Self.kinds(notices) == ["notice"])
        }
      }
    }
  }

  @Test func `the preview says what is sent of the last alarms, and what keeps the others back`() async throws
  {
    try await Self.run { scene, hook, other in
      let (cliff, school) = (try await Self.zone("Cliff edge", scene), try await Self.zone("School", scene))
      func preview(_ rule: [(String, JSONValue)], step: Int = 0) async throws -> [JSONValue] {
        let made = try await Self.webhook(scene, hook, rule, step: step)
        let answer = try await scene.anna.get("/api/v1/channels/\(made.id)/preview")
        _ = try await scene.anna.delete("/api/v1/channels/\(made.id)")
        #expect(answer.status == .ok, "\(answer.text)")
        return answer.json["items"]?.list ?? []
      }
      #expect(try await preview([]).isEmpty)
      _ = try await Self.webhook(scene, other, [], step: 1)
      try await Self.enter(scene)
      try await Self.leave(scene)
      let sent = try await preview([("zone_ids", Self.ids([cliff]))])
      #expect(sent.map { $0["sent"]?.string } == ["at_once"])
      #expect(sent.map { $0["kept_back_by"]?.isNull } == [true])
      #expect(sent.map { $0["subject"]?.string } == ["zone"])
      #expect(sent.map { $0["title"]?.string } == ["Cliff edge"])
      #expect(sent.first?["text"]?.string?.contains("is inside") == true)
      for (member, values, step, when) in [
        ("zone_ids", [school], 0, "never"), ("directions", ["leave"], 0, "never"),
        ("kinds", ["sos"], 0, "never"), ("zone_ids", [school], 2, "if_unanswered"),
        ("kinds", ["sos"], 2, "never"),
      ] {
        let kept = try await preview([(member, Self.ids(values))], step: step)
        #expect(kept.map { $0["sent"]?.string } == [when], "\(member) \(step)")
        let by = ["zone_ids": "zone", "directions": "direction", "kinds": "kind"][member]
        #expect(kept.map { $0["kept_back_by"]?.string } == [by], "\(member) \(step)")
      }
      let later = try await preview([], step: 2)
      #expect(later.map { $0["sent"]?.string } == ["if_unanswered"])
      #expect(later.map { $0["kept_back_by"]?.isNull } == [true])
    }
  }
}
