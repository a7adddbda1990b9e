import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("Alarms about two phones")
struct CompanionRoutesTests {
  /// Anna watches Ben, who shares his phone's position with her.
  private struct Pair: Sendable {
    let scene: IngestScene
    let ben: Visitor
    let bens: TestPhone
    let share: String
    var anna: Visitor { scene.anna }

    /// A place `metres` north of the zones' centre.
    static func place(_ metres: Double) -> Coordinate {
      Coordinate(
        latitude: .degrees(TestPlaces.inside.latitude.degrees + metres / 111_200),
        longitude: TestPlaces.inside.longitude)
    }

    func annaIs(at metres: Double, after seconds: Double = 0) async throws {
      scene.server.clock.pass(.seconds(seconds))
      #expect(try await scene.phone.ownTracks(Self.place(metres)).status == 200)
      await scene.server.parts.alarms.ingest.letTimePass()
    }

    func benIs(at metres: Double, after seconds: Double = 0) async throws {
      scene.server.clock.pass(.seconds(seconds))
      #expect(try await bens.ownTracks(Self.place(metres), device: "bens").status == 200)
      await scene.server.parts.alarms.ingest.letTimePass()
    }

    func set(_ more: [(String, JSONValue)] = [], by visitor: Visitor? = nil) async throws -> Visitor.Answer {
      let devices = try await (visitor ?? anna).get("/api/v1/devices").json["items"]?.list
      let device = try #require(devices?.first?["id"]?.string)
      let given: [(String, JSONValue)] = [
        ("device_id", .string(device)), ("target_share_id", .string(share)), ("when", .string("within")),
        ("distance_m", .number(500)),
      ]
      return try await (visitor ?? anna).post(
        "/api/v1/companions", given.filter { member in !more.contains { $0.0 == member.0 } } + more)
    }

    var subjects: [String] {
      get async throws {
        try await anna.get("/api/v1/alarms").json["items"]?.list?.compactMap {
          "\($0["subject"]?.string ?? "") \($0["state"]?.string ?? "")"
        } ?? []
      }
    }

    var states: [String] {
      get async throws {
        try await anna.get("/api/v1/companions").json["items"]?.list?.compactMap { $0["state"]?.string } ?? []
      }
    }
  }

  private static func run(
    store: SQLStore? = nil, _ body: @escaping @Sendable (Pair) async throws -> Void
  ) async throws {
    try await IngestScene.run(zones: [], store: store) { scene in
      let stranger = Visitor(client: scene.anna.client, table: scene.anna.table)
      let ben = try await scene.server.visitor(stranger, "ben")
      let token = try await ben.post("/api/v1/tokens", [("name", .string("phones"))])
      let bens = TestPhone(
        client: scene.anna.client, clock: scene.server.clock, token: token.json["token"]?.string)
      #expect(try await scene.phone.ownTracks(Pair.place(0)).status == 200)
      #expect(try await bens.ownTracks(Pair.place(9000), device: "bens").status == 200)
      let device = try #require(
        try await ben.get("/api/v1/devices").json["items"]?.list?.first?["id"]?.string)
      let share = try await ben.post(
        "/api/v1/shares",
        [("device_id", .string(device)), ("precision", .string("place")), ("login", .string("anna"))])
      #expect(try await scene.anna.send(.put, "/api/v1/shares/\(share.id)/accept").status == .noContent)
      try await body(Pair(scene: scene, ben: ben, bens: bens, share: share.id))
    }
  }

  @Test func `who comes near rings, whichever of the two moved, and clears when they part`() async throws {
    try await Self.run { pair in
      let made = try await pair.set()
      #expect(made.status == .created && made.json["name"]?.string == "ben")
      #expect(made.json["state"]?.string == "watching")
      try await pair.benIs(at: 8000, after: 60)
      try await pair.annaIs(at: 0, after: 10)
      #expect(try await pair.subjects == [])
      // Ben passes in a car, and only his phone reports.
      for (round, metres) in [6000.0, 4000, 2000, 300].enumerated() {
        try await pair.benIs(at: metres, after: 90)
        if round % 2 == 0 { try await pair.annaIs(at: 0, after: 1) }
      }
      #expect(try await pair.subjects == ["companion_near ringing"])
      let alarm = try #require(try await pair.scene.alarms().first)
      #expect(AlarmRoutes.name(of: alarm) == "ben")
      #expect(abs((alarm.distance?.metres ?? 0) - 300) < 30)
      // The alarm is Anna's, of her phone; Ben has none.
      #expect(try await pair.ben.get("/api/v1/alarms").json["items"]?.list?.isEmpty == true)
      // It repeats, is put to sleep and rings again.
      await pair.scene.pass(.seconds(10))
      #expect(try await pair.scene.alarms().map(\.rings) == [2])
      #expect(try await pair.anna.post("/api/v1/alarms/\(alarm.id)/sleep").status == .ok)
      #expect(try await pair.subjects == ["companion_near sleeping"])
      await pair.scene.pass(.seconds(11))
      #expect(try await pair.subjects == ["companion_near ringing"])
      // Anna leaves.
      for metres in [-2000.0, -4000, -6000, -6500] {
        try await pair.annaIs(at: metres, after: 90)
        try await pair.benIs(at: 300, after: 15)
      }
      #expect(try await pair.subjects == ["companion_near cleared"])
    }
  }

  @Test func `it is changed: what is near enough by now rings, and Ben sees it`() async throws {
    try await Self.run { pair in
      let id = try await pair.set().id
      try await pair.benIs(at: 2000, after: 300)
      try await pair.annaIs(at: 0, after: 2)
      #expect(try await pair.subjects == [])
      let path = "/api/v1/companions/\(id)"
      func put(_ members: [(String, JSONValue)], by visitor: Visitor? = nil) async throws -> Visitor.Answer {
        try await (visitor ?? pair.anna).send(.put, path, .object(members))
      }
      let wider: [(String, JSONValue)] = [
        ("name", .string("Ben")), ("when", .string("within")), ("distance_m", .number(3000)),
      ]
      #expect(try await put(wider, by: pair.ben).problem == "not-found")
      for (member, wrong) in [
        ("distance_m", JSONValue.number(9)), ("distance_m", .number(1e9)), ("when", .string("beside")),
        ("name", .string("")), ("assurance", .string("sure")), ("lost_after_s", .integer(1)),
      ] {
        let answer = try await put(wider.filter { $0.0 != member } + [(member, wrong)])
        #expect(answer.problem == "invalid-content", "\(member): \(answer.text)")
      }
      let changed = try await put(wider + [("assurance", .string("safety"))])
      #expect(changed.status == .ok && changed.json["distance_m"]?.double == 3000)
      #expect(changed.json["assurance"]?.string == "safety" && changed.json["name"]?.string == "Ben")
      await pair.scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await pair.subjects == ["companion_near ringing"])
      let about = try await pair.ben.get("/api/v1/companions-about").json["items"]?.list?.first
      #expect(about?["distance_m"]?.double == 3000)
      #expect(try await pair.ben.get("/api/v1/account/audit").text.contains("putCompanion"))

      // A smaller distance ends the alarm that rang by the former one. Members that are left out keep their
      // values.
      #expect(
        try await put([("when", .string("within")), ("distance_m", .number(100))]).json["name"]?.string
          == "Ben")
      await pair.scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await pair.subjects == ["companion_near cleared"])
      // A change of the name alone does not end it.
      let renamed = try await put(
        [("name", .string("B.")), ("when", .string("within")), ("distance_m", .number(100))])
      #expect(renamed.json["assurance"]?.string == "safety" && renamed.json["state"]?.string == "watching")

      #expect(try await pair.ben.delete(path).status == .noContent)
      await pair.scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await put(wider).problem == "conflict")
    }
  }

  @Test func `why it rang, and why it did not, is told as long as the place is shown`() async throws {
    try await Self.run { pair in
      let id = try await pair.set().id
      let path = "/api/v1/companions/\(id)/explain"
      try await pair.benIs(at: 8000, after: 60)
      try await pair.annaIs(at: 0, after: 10)
      let far = try await pair.anna.get(path).json
      #expect(far["verdict"]?.string == "outside" && far["rings"]?.flag == false)
      #expect(abs((far["distance_m"]?.double ?? 0) - 8000) < 200, "\(far)")
      #expect(far["sentence"]?.string?.hasPrefix("It did not ring: you and ben were 8") == true, "\(far)")
      for metres in [6000.0, 4000, 2000, 300] { try await pair.benIs(at: metres, after: 90) }
      let alarm = try #require(try await pair.anna.get("/api/v1/alarms").json["items"]?.list?.first)
      #expect(alarm["companion_id"]?.string == id)
      let began = try #require(alarm["began_at"]?.string)
      let rang = try await pair.anna.get("\(path)?at=\(began)").json
      #expect(rang["rings"]?.flag == true && rang["level_m"]?.double == 500, "\(rang)")
      #expect(rang["sentence"]?.string?.hasPrefix("It rang because") == true, "\(rang)")
      // Neither phone has reported for an hour.
      pair.scene.server.clock.pass(.hours(1))
      let silent = try await pair.anna.get(path).json
      #expect(silent["unknown"]?.string == "own" || silent["unknown"]?.string == "other", "\(silent)")
      #expect(
        silent["verdict"]?.isNull == true && silent["sentence"]?.string?.contains("not been heard of") == true
      )
      let early = try await pair.anna.get("\(path)?at=2001-01-01T00:00:00Z").json
      #expect(early["is_watching"]?.flag == false && early["verdict"]?.isNull == true)

      #expect(try await pair.ben.get(path).problem == "not-found", "it is Anna's")
      #expect(try await pair.anna.get(path + "?at=noon").problem == "invalid-parameter")
      #expect(try await pair.ben.delete("/api/v1/shares/\(pair.share)").status == .noContent)
      for at in ["", "?at=\(began)"] {
        #expect(try await pair.anna.get(path + at).problem == "gone", "nothing is shown any more, of no time")
      }
    }
  }

  @Test func `who parts rings, and a meeting again clears`() async throws {
    try await Self.run { pair in
      try await pair.benIs(at: 100, after: 600)
      #expect(try await pair.set([("when", .string("apart"))]).status == .created)
      try await pair.annaIs(at: 0, after: 10)
      for metres in [1500.0, 3000, 4500] {
        try await pair.benIs(at: metres, after: 60)
        try await pair.annaIs(at: 0, after: 15)
      }
      #expect(try await pair.subjects == ["companion_apart ringing"])
      for metres in [2000.0, 50] {
        try await pair.benIs(at: metres, after: 90)
        try await pair.annaIs(at: 0, after: 15)
      }
      #expect(try await pair.subjects == ["companion_apart cleared"])
    }
  }

  @Test func `late positions of either phone retract what they refute and find what they show`() async throws
  {
    try await Self.run { pair in
      #expect(try await pair.set().status == .created)
      let start = pair.scene.server.clock.now
      try await pair.annaIs(at: 0, after: 30)
      // No report of Ben for ten minutes, then all at once: he had passed by.
      try await pair.annaIs(at: 0, after: 570)
      var metres = 9000.0
      for step in 1..<20 {
        metres = abs(9000 - Double(step) * 900)
        let body = TestPhone.location(Pair.place(metres), at: start + .seconds(Double(step) * 30))
        #expect(try await pair.bens.post("/pub?u=anna&d=bens", body).status == 200)
      }
      await pair.scene.server.parts.alarms.ingest.letTimePass()
      try await pair.annaIs(at: 0, after: 30)
      let alarms = try await pair.scene.alarms()
      #expect(alarms.count == 1 && alarms.first?.isOpen == false)
      let began = try #require(alarms.first?.began)
      #expect(began > start + .seconds(240) && began < start + .seconds(330))
    }
  }

  @Test func `a phone that is not heard of is told once, and a report ends that`() async throws {
    try await Self.run { pair in
      #expect(try await pair.set([("lost_after_s", .integer(600))]).status == .created)
      try await pair.benIs(at: 9000, after: 10)
      for _ in 0..<10 { try await pair.annaIs(at: 0, after: 59) }
      #expect(try await pair.subjects == [])
      try await pair.annaIs(at: 0, after: 60)
      #expect(try await pair.subjects == ["companion_lost ringing"])
      for _ in 0..<5 { try await pair.annaIs(at: 0, after: 60) }
      #expect(try await pair.scene.alarms().map(\.rings) == [1])
      try await pair.benIs(at: 9000, after: 5)
      #expect(try await pair.subjects == ["companion_lost cleared"])
    }
  }

  @Test func `the end of a share ends the alarm at once, and that is told`() async throws {
    try await Self.run { pair in
      #expect(try await pair.set().status == .created)
      try await pair.benIs(at: 200, after: 600)
      try await pair.annaIs(at: 0, after: 5)
      #expect(try await pair.subjects == ["companion_near ringing"])
      let less = try await pair.ben.put(
        "/api/v1/shares/\(pair.share)", [("precision", .string("zones"))])
      #expect(less.status == .ok)
      await pair.scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await pair.subjects.sorted() == ["companion_ended ringing", "companion_near cleared"])
      #expect(try await pair.states == ["not_shared"])
      try await pair.benIs(at: 100, after: 60)
      try await pair.annaIs(at: 0, after: 15)
      #expect(try await pair.subjects.count == 2)
      // Once acknowledged, it is over.
      let ended = try #require(try await pair.scene.alarms().first { $0.isOpen })
      #expect(try await pair.anna.post("/api/v1/alarms/\(ended.id)/acknowledge").status == .ok)
      #expect(try await pair.subjects.sorted() == ["companion_ended cleared", "companion_near cleared"])
    }
  }

  @Test func `the watched person sees who is told, and refuses it`() async throws {
    try await Self.run { pair in
      let made = try await pair.set()
      let about = try await pair.ben.get("/api/v1/companions-about").json["items"]?.list ?? []
      #expect(about.map { $0["watcher_login"]?.string } == ["anna"])
      #expect(about.map { $0["distance_m"]?.double } == [500])
      let log = try await pair.ben.get("/api/v1/account/audit").json["items"]?.list ?? []
      #expect(log.contains { $0["action"]?.string == "createCompanion" && $0["by_name"]?.string == "anna" })
      #expect(try await pair.ben.delete("/api/v1/companions/\(made.id)").status == .noContent)
      await pair.scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await pair.states == ["refused"])
      #expect(try await pair.subjects == ["companion_ended ringing"])
      #expect(try await pair.ben.get("/api/v1/companions-about").json["items"]?.list?.isEmpty == true)
      #expect(try await pair.ben.delete("/api/v1/companions/\(made.id)").status == .notFound)
      #expect(try await pair.anna.delete("/api/v1/companions/\(made.id)").status == .noContent)
      #expect(try await pair.states == [])
    }
  }

  @Test func `a deleted alarm rings no more, and a disarmed phone neither`() async throws {
    try await Self.run { pair in
      let made = try await pair.set()
      try await pair.benIs(at: 200, after: 600)
      try await pair.annaIs(at: 0, after: 5)
      #expect(try await pair.subjects == ["companion_near ringing"])
      let device = try await pair.anna.get("/api/v1/devices").json["items"]?.list?.first
      let id = try #require(device?["id"]?.string)
      func arm(_ isArmed: Bool) async throws {
        let tag = try await pair.anna.get("/api/v1/devices/\(id)").tag
        let saved = try await pair.anna.with(.ifMatch, tag).put(
          "/api/v1/devices/\(id)", [("name", .string("phone")), ("is_armed", .bool(isArmed))])
        #expect(saved.status == .ok)
        await pair.scene.server.parts.alarms.ingest.letTimePass()
      }
      try await arm(false)
      #expect(try await pair.subjects == ["companion_near cleared"])
      #expect(try await pair.states == ["paused"])
      try await pair.annaIs(at: 0, after: 30)
      #expect(try await pair.subjects == ["companion_near cleared"])
      // Armed again while they are near: that rings.
      pair.scene.server.clock.pass(.seconds(30))
      try await arm(true)
      #expect(try await pair.states == ["watching"])
      #expect(try await pair.subjects.sorted() == ["companion_near cleared", "companion_near ringing"])
      #expect(try await pair.anna.delete("/api/v1/companions/\(made.id)").status == .noContent)
      await pair.scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await pair.subjects == ["companion_near cleared", "companion_near cleared"])
    }
  }

  @Test func `what cannot be watched is refused`() async throws {
    try await Self.run { pair in
      let own = try await pair.anna.get("/api/v1/devices").json["items"]?.list?.first?["id"]?.string ?? ""
      let cases: [([(String, JSONValue)], HTTPResponse.Status)] = [
        ([("distance_m", .number(9.9))], .unprocessableContent),
        ([("distance_m", .number(1_000_001))], .unprocessableContent),
        ([("when", .string("near"))], .unprocessableContent),
        ([("lost_after_s", .integer(119))], .unprocessableContent),
        ([("assurance", .string("sure"))], .unprocessableContent),
        ([("target_device_id", .string(own))], .unprocessableContent),
        ([("target_share_id", .null)], .unprocessableContent),
        ([("target_share_id", .null), ("target_device_id", .string(own))], .unprocessableContent),
        ([("target_share_id", .string("0000000000000001"))], .notFound),
        ([("device_id", .string("0000000000000001"))], .notFound),
      ]
      for (more, status) in cases {
        #expect(try await pair.set(more).status == status, "\(more)")
      }
      // A share that ends on arrival does not allow watching.
      #expect(try await pair.set(by: pair.ben).status == .notFound)
    }
  }

  @Test func `two processes that take the reports of one phone each ring once`() async throws {
    let store = try SQLStore.inMemory()
    try await Self.run(store: store) { pair in
      let other = try await TestServer(store: store, clock: pair.scene.server.clock)
      #expect(try await pair.set().status == .created)
      try await pair.benIs(at: 9000, after: 60)
      try await pair.annaIs(at: 0, after: 5)
      // Neither server has processed the other's reports.
      await other.parts.alarms.ingest.letTimePass()
      try await pair.benIs(at: 300, after: 600)
      await other.parts.alarms.ingest.letTimePass()
      try await pair.annaIs(at: 0, after: 5)
      await other.parts.alarms.ingest.letTimePass()
      #expect(try await pair.subjects == ["companion_near ringing"])
    }
  }

  @Test func `a report of a phone that nobody watches makes no other due`() async throws {
    try await Self.run { pair in
      let store = pair.scene.store
      func dues() async throws -> [DueDevice] {
        try await store.devicesDue(of: nil, through: pair.scene.server.clock.now + .hours(1), limit: 99)
      }
      await pair.scene.server.parts.alarms.ingest.letTimePass()
      let before = try await dues()
      #expect(try await pair.bens.ownTracks(Pair.place(8000), device: "bens").status == 200)
      #expect(try await dues() == before)
      #expect(try await pair.set().status == .created)
      await pair.scene.server.parts.alarms.ingest.letTimePass()
      pair.scene.server.clock.pass(.seconds(5))
      let marks = try await dues().map(\.mark)
      #expect(try await pair.bens.ownTracks(Pair.place(7000), device: "bens").status == 200)
      #expect(try await dues().map(\.mark) != marks)
    }
  }
}
