import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Hummingbird
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server
@testable import Store

/// A person with a check-in, and a webhook that is told.
private struct CheckInScene: Sendable {
  let scene: IngestScene
  let hook: LocalServer

  var clock: TestServer.MovableClock { scene.server.clock }

  static func run(
    store: SQLStore? = nil, _ body: @escaping @Sendable (CheckInScene) async throws -> Void
  ) async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run(store: store) { scene in
        _ = try await scene.webhook(hook.port)
        try await body(CheckInScene(scene: scene, hook: hook))
      }
    }
  }

  func set(_ minutes: Int64, note: String = "north face") async throws -> Visitor.Answer {
    let answer = try await scene.anna.put(
      "/api/v1/check-in", [("minutes", .integer(minutes)), ("note", .string(note))])
    try await deliver()
    return answer
  }

  func back() async throws -> Visitor.Answer {
    let answer = try await scene.anna.delete("/api/v1/check-in")
    try await deliver()
    return answer
  }

  func state() async throws -> String? { try await scene.anna.get("/api/v1/check-in").json["state"]?.string }

  func pass(_ span: TimeSpan) async throws {
    await scene.pass(span)
    try await deliver()
  }

  func deliver() async throws { try await scene.server.parts.alarms.outbox.deliverDue() }

  var told: [JSONValue] { hook.requests.compactMap { try? JSONValue.parse($0.body) } }
  var kinds: [String] { told.compactMap { $0["kind"]?.string } }
}

@Suite("Check-ins")
struct CheckInTests {
  @Test func `one that is not ended in time rings like SOS, with the note and the last place`() async throws {
    try await CheckInScene.run { at in
      #expect(try await at.state() == "none")
      _ = try await at.scene.phone.ownTracks(TestPlaces.outside)
      let seen = at.clock.now
      let set = try await at.set(60)
      #expect(set.status == .ok && set.json["state"]?.string == "running")
      let due = at.clock.now + .minutes(60)
      #expect(set.json["back_by"]?.string == RFC3339.string(from: due))
      try await at.pass(.minutes(60) - .milliseconds(1))
      #expect(try await at.state() == "running")
      #expect(at.kinds.isEmpty)
      try await at.pass(.milliseconds(1))
      let alarm = try #require(try await at.scene.alarms().first)
      #expect(alarm.subject == .missedCheckIn(note: "north face", seenAt: seen.wholeSeconds))
      #expect(alarm.began == due && alarm.learnedAt == due && alarm.position == TestPlaces.outside)
      #expect(at.kinds == ["check_in_missed"])
      #expect(at.told.first?["device"]?.string == "anna")
      #expect(at.told.first?["messages"]?.list?.first?.string == "north face")
      #expect(at.told.first?["latitude"]?.double == TestPlaces.outside.latitude.degrees)
      let read = try await at.scene.anna.get("/api/v1/check-in")
      #expect(read.json["state"]?.string == "missed" && read.json["alarm_id"]?.string == "\(alarm.id)")
      let shown = try await at.scene.anna.get("/api/v1/alarms/\(alarm.id)")
      #expect(
        shown.json["subject"]?.string == "check_in_missed" && shown.json["name"]?.string == "north face")
      // It rings again and again, also when a phone reports, and beyond the horizon of other alarms.
      try await at.pass(.seconds(15))
      #expect(try await at.scene.alarms()[0].rings == 2)
      _ = try await at.scene.phone.ownTracks(TestPlaces.outside)
      try await at.pass(.hours(30))
      #expect(try await at.scene.alarms().filter(\.isMissedCheckIn).map(\.state) == [.ringing])
      #expect(try await at.scene.alarms().filter(\.isMissedCheckIn).map(\.rings) == [3])
    }
  }

  @Test func `one that is ended or prolonged in time tells nobody`() async throws {
    try await CheckInScene.run { at in
      _ = try await at.set(10)
      try await at.pass(.minutes(9))
      let prolonged = try await at.scene.anna.post("/api/v1/check-in/prolong", [("minutes", .integer(30))])
      #expect(prolonged.json["back_by"]?.string == RFC3339.string(from: at.clock.now + .minutes(31)))
      #expect(prolonged.json["note"]?.string == "north face")
      try await at.pass(.minutes(30))
      #expect(try await at.state() == "running")
      #expect(try await at.back().json["state"]?.string == "none")
      // A second end, after a lost answer, is no error.
      #expect(try await at.back().status == .ok)
      try await at.pass(.hours(2))
      #expect(try await at.scene.alarms().isEmpty && at.kinds.isEmpty)
      let late = try await at.scene.anna.post("/api/v1/check-in/prolong", [("minutes", .integer(30))])
      #expect(late.status == .notFound)
      #expect(late.json["detail"]?.string == "no check-in runs that could be prolonged")
    }
  }

  @Test(arguments: ["ringing", "acknowledge", "sleep", "today", "close"])
  func `an end after it was missed reaches all who were told, whatever they answered`(
    _ answer: String
  ) async throws {
    try await CheckInScene.run { at in
      _ = try await at.set(5)
      try await at.pass(.minutes(5))
      let alarm = try #require(try await at.scene.alarms().first)
      if answer != "ringing" {
        #expect(try await at.scene.anna.post("/api/v1/alarms/\(alarm.id)/\(answer)").status == .ok)
        try await at.deliver()
      }
      #expect(try await at.state() == "missed")
      let before = at.kinds.count
      try await at.pass(.seconds(2))
      _ = try await at.back()
      #expect(at.kinds.count == before + 1 && at.kinds.last == "cleared")
      #expect(try await at.scene.alarms().map(\.clearing) == [.reported])
      let count = at.kinds.count
      try await at.pass(.hours(3))
      #expect(at.kinds.count == count)
    }
  }

  @Test(arguments: [true, false])
  func `a missed one that is set anew or prolonged is over, and the new one rings at its time`(
    _ prolongs: Bool
  ) async throws {
    try await CheckInScene.run { at in
      _ = try await at.set(5)
      try await at.pass(.minutes(6))
      if prolongs {
        let answer = try await at.scene.anna.post("/api/v1/check-in/prolong", [("minutes", .integer(30))])
        #expect(answer.json["back_by"]?.string == RFC3339.string(from: at.clock.now + .minutes(30)))
        try await at.deliver()
      } else {
        _ = try await at.set(30)
      }
      #expect(try await at.state() == "running")
      #expect(try await at.scene.alarms().map(\.clearing) == [.reported])
      #expect(at.kinds == ["check_in_missed", "cleared"])
      try await at.pass(.minutes(30))
      #expect(try await at.scene.alarms().map(\.isOpen) == [true, false])
      #expect(at.kinds.last == "check_in_missed")
    }
  }

  @Test func `people learn of the end by words, programs by cleared, and nobody who was not told`()
    async throws
  {
    try await CheckInScene.run { at in
      for (kind, step) in [(ChannelKind.gotify, 0), (.telegram, 1)] {
        try await at.scene.store.create(
          Channel(
            account: at.scene.account, kind: kind, name: kind.rawValue, address: "{}",
            escalationStep: EscalationStep(nearest: step),
            createdAt: at.clock.now))
      }
      _ = try await at.scene.anna.put("/api/v1/check-in", [("minutes", .integer(5))])
      await at.scene.pass(.minutes(5))
      // The webhook and the first channel are told; the second step has not begun.
      let first = try await at.scene.leased()
      #expect(Set(first.map(\.0)) == [.webhook, .gotify])
      #expect(first.allSatisfy { $0.1.kind == .checkInMissed })
      _ = try await at.scene.anna.delete("/api/v1/check-in")
      let second = try await at.scene.leased()
      #expect(
        second.map { "\($0.0.rawValue) \($0.1.kind.rawValue)" }.sorted() == [
          "gotify check_in_over", "webhook cleared",
        ])
      let words = try #require(second.first { $0.0 == .gotify }.map { NoticeWords($0.1) })
      #expect(words.title == "anna has answered")
    }
  }

  @Test func `a server that was down at the time raises it at the start, and says how late`() async throws {
    let store = try SQLStore.inMemory()
    try await CheckInScene.run(store: store) { at in
      _ = try await at.set(5)
      let due = at.clock.now + .minutes(5)
      at.clock.pass(.hours(20 * 24))
      let restarted = try await TestServer(store: store, clock: at.clock)
      await restarted.parts.alarms.ingest.letTimePass()
      let alarm = try #require(try await at.scene.alarms().first)
      #expect(alarm.began == due && alarm.learnedAt == at.clock.now && alarm.state == .ringing)
      try await at.deliver()
      #expect(at.kinds == ["check_in_missed"])
      #expect(at.told.first?["time"]?.string == RFC3339.string(from: due))
      #expect(at.told.first?["learned_at"]?.string == RFC3339.string(from: at.clock.now))
    }
  }

  @Test func `of two processes one raises it, and an end given to the other is not overlooked`() async throws
  {
    let store = try SQLStore.inMemory()
    try await CheckInScene.run(store: store) { at in
      let other = try await TestServer(store: store, clock: at.clock)
      _ = try await at.set(5)
      // Both have the device in memory.
      await at.scene.server.parts.alarms.ingest.letTimePass()
      await other.parts.alarms.ingest.letTimePass()
      at.clock.pass(.minutes(5))
      async let one: Void = at.scene.server.parts.alarms.ingest.letTimePass()
      async let two: Void = other.parts.alarms.ingest.letTimePass()
      _ = await (one, two)
      at.clock.pass(.seconds(5))
      await other.parts.alarms.ingest.letTimePass()
      #expect(try await at.scene.alarms().count == 1)
      try await at.deliver()
      #expect(at.kinds == ["check_in_missed"])
      _ = try await at.set(5)
      await other.parts.alarms.ingest.letTimePass()
      // Only the store is told of this end.
      _ = try await store.endCheckIn(of: at.scene.account, at: at.clock.now)
      at.clock.pass(.minutes(6))
      await other.parts.alarms.ingest.letTimePass()
      await at.scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await at.scene.alarms().allSatisfy { !$0.isOpen })
      #expect(try await at.scene.alarms().count == 1)
    }
  }

  @Test func `steps follow while nobody answers, and a rule by kind alone keeps a channel out`() async throws
  {
    try await LocalServer.run { second in
      try await CheckInScene.run { at in
        _ = try await at.scene.webhook(second.port, step: 1)
        let event = ChannelRule.Event(.checkInMissed, of: .random(), during: at.clock.now...at.clock.now)
        #expect(try ChannelRule(kinds: [.distress]).refusal(of: event) == .kind)
        #expect(try ChannelRule(kinds: [.checkInMissed], devices: [.random()]).refusal(of: event) == nil)
        _ = try await at.set(5)
        try await at.pass(.minutes(5))
        #expect(second.requests.isEmpty)
        try await at.pass(.seconds(60))
        #expect(second.requests.count == 1)
        _ = try await at.back()
        #expect(second.requests.count == 2)
      }
    }
  }

  @Test func `the person is reminded once on own devices, ten minutes before`() async throws {
    try await CheckInScene.run { at in
      let push = Channel(
        account: at.scene.account, kind: .webPush, name: "phone", address: "{}", createdAt: at.clock.now)
      try await at.scene.store.create(push)
      _ = try await at.scene.anna.put("/api/v1/check-in", [("minutes", .integer(30))])
      await at.scene.pass(.minutes(20) - .milliseconds(1))
      #expect(try await at.scene.leased().isEmpty)
      await at.scene.pass(.milliseconds(1))
      let told = try await at.scene.leased()
      #expect(told.map(\.0) == [.webPush] && told.map(\.1.kind) == [.checkInSoon])
      #expect(NoticeWords(try #require(told.first?.1)).title == "Are you back soon?")
      #expect(try await at.scene.store.checkIn(of: at.scene.account)?.isReminded == true)
      await at.scene.pass(.minutes(5))
      #expect(try await at.scene.leased().filter { $0.notice.kind == .checkInSoon }.isEmpty)
      await at.scene.pass(.minutes(5))
      #expect(try await at.scene.alarms().count == 1)
    }
  }

  @Test func `the chosen phone's place is told, and an open stream learns each change`() async throws {
    try await CheckInScene.run { at in
      _ = try await at.scene.phone.ownTracks(TestPlaces.outside, device: "old")
      at.clock.pass(.minutes(1))
      _ = try await at.scene.phone.ownTracks(TestPlaces.outside, device: "new")
      let phones = try await at.scene.store.devices(of: at.scene.account)
      let old = try #require(
        phones.min {
          ($0.lastFix?.measuredAt ?? .allowed.upperBound) < ($1.lastFix?.measuredAt ?? .allowed.upperBound)
        })
      let cursor = try await at.scene.store.cursor(of: at.scene.account)
      let set = try await at.scene.anna.put(
        "/api/v1/check-in", [("minutes", .integer(5)), ("phone_id", .string("\(old.id)"))])
      #expect(set.json["phone_id"]?.string == "\(old.id)")
      try await at.pass(.minutes(5))
      let alarm = try #require(try await at.scene.alarms().first { $0.isMissedCheckIn })
      #expect(alarm.subject == .missedCheckIn(note: "", seenAt: old.lastFix?.measuredAt))
      let entries = try await at.scene.store.changes(of: at.scene.account, after: cursor, limit: 99).entries
      #expect(entries.contains { $0.kind == .checkIn && !$0.isDeleted && $0.changedAt == at.clock.now })
    }
  }

  @Test func `wrong inputs are answered with what is allowed`() async throws {
    try await CheckInScene.run { at in
      func refusal(_ body: [(String, JSONValue)]) async throws -> String? {
        let answer = try await at.scene.anna.put("/api/v1/check-in", body)
        #expect(answer.problem == "invalid-content")
        return answer.json["detail"]?.string
      }
      func time(_ span: TimeSpan) -> String { RFC3339.string(from: at.clock.now + span) }
      let range = "\(time(.minutes(1))) to \(time(.hours(168))) allowed"
      for span in [TimeSpan.seconds(59), .minutes(-60), .hours(168) + .seconds(1)] {
        #expect(
          try await refusal([("back_by", .string(time(span)))]) == "/back_by: \(time(span)) found, \(range)")
      }
      let both = "one of back_by and minutes has to be given, both or neither found"
      #expect(try await refusal([]) == both)
      #expect(try await refusal([("back_by", .string(time(.hours(1)))), ("minutes", .integer(5))]) == both)
      for wrong in [JSONValue.integer(0), .integer(10_081), .number(1.5), .string("5")] {
        #expect(try await refusal([("minutes", wrong)])?.hasPrefix("/minutes: ") == true)
      }
      #expect(try await refusal([("back_by", .string("18:00"))])?.hasPrefix("/back_by: ") == true)
      let long = String(repeating: "x", count: 201)
      #expect(
        try await refusal([("minutes", .integer(5)), ("note", .string(long))])?.hasPrefix("/note: ") == true)
      let unknown = try await at.scene.anna.put(
        "/api/v1/check-in", [("minutes", .integer(5)), ("phone_id", .string("00000000000000ff"))])
      #expect(unknown.status == .notFound)
      #expect(try await at.state() == "none")
      for minutes in [Int64(1), 10_080] { #expect(try await at.set(minutes).status == .ok) }
      let wanted = time(.minutes(1))
      let set = try await at.scene.anna.put("/api/v1/check-in", [("back_by", .string(wanted))])
      #expect(set.json["back_by"]?.string == wanted)
      // Neither the device of the alarm nor the places of the account may go while it runs.
      let device = try await at.scene.theDevice()
      let deleted = try await at.scene.anna.delete("/api/v1/devices/\(device.id)")
      #expect(deleted.problem == "conflict")
      let hidden = try await at.scene.anna.put(
        "/api/v1/account/private", [("is_private", .bool(true)), ("erase", .bool(true))])
      #expect(hidden.problem == "conflict")
      _ = try await at.back()
      #expect(
        try await at.scene.anna.put(
          "/api/v1/account/private", [("is_private", .bool(true)), ("erase", .bool(true))]
        ).status == .ok)
      #expect(try await at.set(5).problem == "private-account")
      var stranger = at.scene.anna
      (stranger.cookie, stranger.csrf) = (nil, nil)
      #expect(try await stranger.get("/api/v1/check-in").status == .unauthorized)
    }
  }
}

extension Instant {
  /// OwnTracks states times in whole seconds.
  fileprivate var wholeSeconds: Instant {
    Instant(millisecondsSince1970: millisecondsSince1970 / 1000 * 1000)
  }
}
