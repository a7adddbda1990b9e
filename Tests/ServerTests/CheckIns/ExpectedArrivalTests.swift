import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Hummingbird
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server
@testable import Store

@Suite("Expected arrivals")
struct ExpectedArrivalTests {
  @Test func `a silent phone rings at the time, with its last place and its age, until a person answers`()
    async throws
  {
    try await ArrivalScene.run { at in
      let made = try await at.expect()
      #expect(made.status == .created)
      #expect(made.json["next_due"]?.string == RFC3339.string(from: ArrivalScene.due))
      let seen = at.clock.now
      try await at.wait(until: ArrivalScene.due - .milliseconds(1))
      #expect(try await at.missing().isEmpty && at.told.isEmpty)
      try await at.wait(until: ArrivalScene.due)
      let alarm = try #require(try await at.missing().first)
      #expect(alarm.began == ArrivalScene.due && alarm.learnedAt == ArrivalScene.due)
      #expect(alarm.position == TestPlaces.outside && alarm.missing?.seenAt == seen)
      #expect(at.kinds == ["not_arrived"])
      let told = try #require(at.told.first)
      #expect(told["local_time"]?.string == "13:00" && told["device"]?.string == "phone")
      #expect(
        told["messages"]?.list?.first?.string
          == "Last position at \(RFC3339.string(from: seen)), 53 min before that time.")
      let shown = try await at.scene.anna.get("/api/v1/alarms/\(alarm.id)").json
      #expect(shown["subject"]?.string == "not_arrived" && shown["name"]?.string == "School")
      #expect(shown["expected_by"]?.string == "13:00" && shown["expected_arrival_id"]?.string == made.id)
      #expect(shown["seen_at"]?.string == RFC3339.string(from: seen))
      // It repeats, also beyond the horizon of other alarms, until a person stops it.
      try await at.wait(until: ArrivalScene.due + .seconds(15))
      #expect(try await at.missing().map(\.rings) == [2])
      try await at.report(TestPlaces.outside)
      #expect(try await at.missing().map(\.state) == [.ringing])
      #expect(try await at.scene.anna.post("/api/v1/alarms/\(alarm.id)/acknowledge").status == .ok)
      let rings = try await at.missing().map(\.rings)
      try await at.wait(until: ArrivalScene.due + .hours(3))
      #expect(try await at.missing().map(\.rings) == rings)
      let next = try await at.scene.anna.get("/api/v1/expected-arrivals/\(made.id)").json["next_due"]?.string
      #expect(next == RFC3339.string(from: ArrivalScene.due + .hours(24)))
    }
  }

  @Test func `a phone that is there in time rings nothing`() async throws {
    try await ArrivalScene.run { at in
      _ = try await at.expect()
      try await at.wait(until: ArrivalScene.due - .minutes(20))
      try await at.report(TestPlaces.inside)
      // It has left again: it was there in the window.
      try await at.wait(until: ArrivalScene.due - .minutes(10))
      try await at.report(TestPlaces.outside)
      try await at.wait(until: ArrivalScene.due + .minutes(5))
      #expect(try await at.missing().isEmpty)
      // On the next day nothing was heard of it.
      try await at.wait(until: ArrivalScene.due + .hours(24))
      #expect(try await at.missing().map(\.began) == [ArrivalScene.due + .hours(24)])
    }
  }

  @Test func `a later arrival ends the alarm, and says when`() async throws {
    try await ArrivalScene.run { at in
      _ = try await at.expect()
      try await at.wait(until: ArrivalScene.due)
      let alarm = try #require(try await at.missing().first)
      try await at.wait(until: ArrivalScene.due + .minutes(12))
      try await at.report(TestPlaces.inside)
      let ended = try #require(try await at.missing().first)
      #expect(ended.id == alarm.id && ended.state == .cleared(.reported, at: at.clock.now))
      #expect(at.kinds.contains("cleared"))
      let shown = try await at.scene.anna.get("/api/v1/alarms/\(alarm.id)").json
      #expect(shown["clearing"]?.string == "arrived" && shown["state"]?.string == "cleared")
      let count = at.told.count
      try await at.wait(until: ArrivalScene.due + .hours(2))
      #expect(at.told.filter { $0["kind"]?.string == "not_arrived" }.count < count)
      #expect(try await at.missing().count == 1)
    }
  }

  @Test func `people are told of the arrival in words, and only those who were told before`() async throws {
    try await ArrivalScene.run { at in
      try await at.scene.store.create(
        Channel(
          account: at.scene.account, kind: .gotify, name: "gotify", address: "{}", createdAt: at.clock.now))
      _ = try await at.expect()
      await at.scene.pass(ArrivalScene.due - at.clock.now)
      var words = try await at.wordsLeased(.gotify)
      #expect(words.map(\.title) == ["phone has not arrived at School by 13:00"])
      await at.scene.pass(.minutes(12))
      _ = try await at.wordsLeased(.gotify)
      _ = try await at.scene.phone.ownTracks(TestPlaces.inside)
      words = try await at.wordsLeased(.gotify)
      #expect(words.map(\.title).contains("phone arrived at School at 13:12"))
    }
  }

  @Test func `a position that comes late from the phone's queue ends the alarm if it shows the arrival`()
    async throws
  {
    try await ArrivalScene.run { at in
      _ = try await at.expect()
      try await at.wait(until: ArrivalScene.due + .minutes(30))
      #expect(try await at.missing().map(\.state) == [.ringing])
      // Taken before the window: the newest position then, since nothing later is known.
      try await at.report(TestPlaces.outside, at: ArrivalScene.due - .minutes(40))
      #expect(try await at.missing().map(\.state) == [.ringing])
      try await at.report(TestPlaces.inside, at: ArrivalScene.due - .minutes(8))
      let ended = try #require(try await at.missing().first)
      #expect(ended.state == .cleared(.reported, at: ArrivalScene.due))
      #expect(try await at.missing().count == 1)
    }
  }

  @Test func `a server that was down judges once at its start, and no time of long ago`() async throws {
    let store = try SQLStore.inMemory()
    try await ArrivalScene.run(store: store) { at in
      _ = try await at.expect()
      at.clock.pass(.hours(20) + .minutes(54))
      let restarted = try await TestServer(store: store, clock: at.clock)
      await restarted.parts.alarms.ingest.letTimePass()
      var alarm = try #require(try await at.missing().first)
      #expect(alarm.began == ArrivalScene.due && alarm.learnedAt == at.clock.now)
      try await at.deliver()
      #expect(at.told.first?["learned_at"]?.string == RFC3339.string(from: at.clock.now))
      // Down from Wednesday to Sunday noon: the time of Friday is over.
      at.clock.pass(.hours(4 * 24 - 21))
      let again = try await TestServer(store: store, clock: at.clock)
      await again.parts.alarms.ingest.letTimePass()
      #expect(try await at.missing().map(\.id) == [alarm.id])
      // On Monday it rings anew, in place of Wednesday's.
      at.clock.pass(ArrivalScene.due + .hours(5 * 24) - at.clock.now)
      await again.parts.alarms.ingest.letTimePass()
      #expect(try await at.missing().map(\.isOpen) == [true, false])
      alarm = try #require(try await at.missing().first)
      #expect(alarm.began == ArrivalScene.due + .hours(5 * 24))
    }
  }

  @Test func `a phone that arrived while the server was down rings nothing`() async throws {
    let store = try SQLStore.inMemory()
    try await ArrivalScene.run(store: store) { at in
      _ = try await at.expect()
      at.clock.pass(.hours(2))
      // Only the position is stored, as by a process that was killed before it judged the time.
      let device = try await at.scene.theDevice()
      var batch = IngestBatch(at: at.clock.now)
      let fix = Fix(
        position: TestPlaces.inside, accuracy: .radius(.metres(8)),
        measuredAt: ArrivalScene.due + .minutes(9))
      batch.fixes = [DeviceFixes(device: device.id, fixes: [StoredFix(fix)])]
      try await store.record(batch)
      let restarted = try await TestServer(store: store, clock: at.clock)
      await restarted.parts.alarms.ingest.letTimePass()
      #expect(try await at.missing().isEmpty)
      #expect(
        try await store.expectedArrivals(of: at.scene.account).map(\.nextDue) == [
          ArrivalScene.due + .hours(24)
        ])
    }
  }

  @Test func `of two processes one rings, and an end given to the other is not overlooked`() async throws {
    let store = try SQLStore.inMemory()
    try await ArrivalScene.run(store: store) { at in
      let other = try await TestServer(store: store, clock: at.clock)
      let made = try await at.expect()
      await at.scene.server.parts.alarms.ingest.letTimePass()
      await other.parts.alarms.ingest.letTimePass()
      at.clock.pass(ArrivalScene.due - at.clock.now)
      async let one: Void = at.scene.server.parts.alarms.ingest.letTimePass()
      async let two: Void = other.parts.alarms.ingest.letTimePass()
      _ = await (one, two)
      at.clock.pass(.seconds(5))
      await other.parts.alarms.ingest.letTimePass()
      #expect(try await at.missing().count == 1)
      try await at.deliver()
      #expect(at.kinds == ["not_arrived"])
      // Only the store is told of this end.
      let id = try #require(ExpectedArrivalID(made.id))
      try await store.deleteExpectedArrival(id, of: at.scene.account, at: at.clock.now)
      at.clock.pass(.hours(25))
      await other.parts.alarms.ingest.letTimePass()
      await at.scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await at.missing().map(\.isOpen) == [false])
    }
  }

  @Test(arguments: ["delete", "disable", "zone", "phone", "other zone"])
  func `its alarm ends with it, with the zone and with the phone`(_ how: String) async throws {
    try await ArrivalScene.run { at in
      let made = try await at.expect()
      try await at.wait(until: ArrivalScene.due)
      #expect(try await at.missing().map(\.isOpen) == [true])
      let zone = try await at.zone()
      switch how {
      case "delete":
        #expect(try await at.scene.anna.delete("/api/v1/expected-arrivals/\(made.id)").status == .noContent)
      case "disable":
        let off = try await at.edit(made.id, [("is_enabled", .bool(false))])
        #expect(off.json["next_due"]?.isNull == true)
      case "zone":
        #expect(
          try await at.scene.anna.with(.ifMatch, "\"1\"").delete("/api/v1/zones/\(zone)").status
            == .noContent)
      case "phone":
        let device = try await at.scene.theDevice()
        #expect(try await at.scene.anna.delete("/api/v1/devices/\(device.id)").status == .noContent)
      default:
        let home = try await at.scene.anna.post("/api/v1/zones", JSONValue.zone("Home", 47, 15))
        _ = try await at.edit(made.id, [("zone_id", .string(home.id))])
      }
      try await at.deliver()
      let open = try await at.missing().filter(\.isOpen)
      // The alarms of a deleted phone are deleted with its history, in small steps; they ring no more.
      if how != "phone" { #expect(open.isEmpty) }
      if how == "zone" { #expect(try await at.missing().map(\.clearing) == [.zoneRemoved]) }
      let left = try await at.scene.anna.get("/api/v1/expected-arrivals").json["items"]?.list?.count
      #expect(left == (["disable", "other zone"].contains(how) ? 1 : 0))
      let count = at.told.count
      try await at.wait(until: ArrivalScene.due + .hours(2))
      #expect(at.told.count == count)
    }
  }

  @Test func `an edit moves the time, and a clock that is set back comes to it again but rings once`()
    async throws
  {
    try await ArrivalScene.run { at in
      let made = try await at.expect()
      let later = try await at.edit(made.id, [("time", .string("13:30"))])
      #expect(later.json["next_due"]?.string == RFC3339.string(from: ArrivalScene.due + .minutes(30)))
      #expect(later.json["time_zone"]?.string == "Europe/Berlin" && later.json["window_min"]?.whole == 60)
      try await at.wait(until: ArrivalScene.due + .minutes(29))
      #expect(try await at.missing().isEmpty)
      // The clock is an hour ahead for a while.
      at.clock.set(by: .hours(1))
      try await at.wait(until: at.clock.now + .seconds(1))
      #expect(try await at.missing().map(\.began) == [ArrivalScene.due + .minutes(30)])
      at.clock.set(by: .hours(-1))
      _ = await at.scene.server.parts.alarms.ingest.turn()
      #expect(
        try await at.scene.store.expectedArrivals(of: at.scene.account).map(\.nextDue) == [
          ArrivalScene.due + .minutes(30)
        ])
      try await at.wait(until: ArrivalScene.due + .minutes(31))
      #expect(try await at.missing().count == 1)
      #expect(
        try await at.scene.store.expectedArrivals(of: at.scene.account).map(\.nextDue) == [
          ArrivalScene.due + .minutes(30) + .hours(24)
        ])
    }
  }

  @Test func `an edit just after the time does not lose the alarm`() async throws {
    try await ArrivalScene.run { at in
      let made = try await at.expect()
      at.clock.pass(ArrivalScene.due + .seconds(2) - at.clock.now)
      _ = try await at.edit(made.id, [("window_min", .integer(30))])
      await at.scene.server.parts.alarms.ingest.letTimePass()
      #expect(try await at.missing().map(\.began) == [ArrivalScene.due])
    }
  }

  @Test func `times are computed again at a start, by the rules of that time`() async throws {
    let store = try SQLStore.inMemory()
    try await ArrivalScene.run(store: store) { at in
      _ = try await at.expect()
      let stored = try #require(try await store.expectedArrivals(of: at.scene.account).first)
      // As if the rules of the time zone had been others.
      try await store.save(stored.due(at: ArrivalScene.due + .hours(1)), at: at.clock.now)
      let restarted = try await TestServer(store: store, clock: at.clock)
      await restarted.parts.alarms.ingest.letTimePass()
      #expect(try await store.expectedArrivals(of: at.scene.account) == [stored])
    }
  }

  @Test func `a rule by zones, phones or kinds holds it back, and no hours`() throws {
    let (phone, zone) = (DeviceID.random(), ZoneID(rawValue: 4))
    let now = TestServer.start
    let event = ChannelRule.Event(
      .notArrived, of: phone, zone: .init(id: zone, category: nil), during: now...now)
    #expect(try ChannelRule(kinds: [.distress]).refusal(of: event) == .kind)
    #expect(try ChannelRule(kinds: [.notArrived]).refusal(of: event) == nil)
    #expect(try ChannelRule(devices: [.random()]).refusal(of: event) == .phone)
    #expect(try ChannelRule(zones: [ZoneID(rawValue: 5)]).refusal(of: event) == .zone)
    // The hours of a Sunday: it is Wednesday.
    let sunday = Schedule.Window(weekdays: .init(rawValue: 1 << 6), opens: 0, closes: 60)
    #expect(try ChannelRule(hours: [sunday]).refusal(of: event) == nil)
  }

  @Test func `an open stream learns each change, and a repeated creation makes one`() async throws {
    try await ArrivalScene.run { at in
      let cursor = try await at.scene.store.cursor(of: at.scene.account)
      let body: [(String, JSONValue)] = [
        ("zone_id", .string(try await at.zone())), ("time", .string("13:00")),
        ("weekdays", .array([.integer(3)])), ("time_zone", .string("Europe/Berlin")),
      ]
      let keyed = at.scene.anna.with(.idempotencyKey, "a-key-of-this-request")
      let first = try await keyed.post("/api/v1/expected-arrivals", body)
      let second = try await keyed.post("/api/v1/expected-arrivals", body)
      #expect(first.status == .created && second.status == .ok && first.id == second.id)
      try await at.wait(until: ArrivalScene.due)
      let entries = try await at.scene.store.changes(of: at.scene.account, after: cursor, limit: 99).entries
      #expect(entries.contains { $0.kind == .expectedArrival && $0.changedAt == at.clock.now })
    }
  }

  @Test func `wrong inputs are answered with what is allowed`() async throws {
    try await ArrivalScene.run { at in
      func refusal(_ wrong: [(String, JSONValue)]) async throws -> String {
        let answer = try await at.expect(wrong)
        #expect(answer.problem == "invalid-content", "\(answer.text)")
        return answer.json["detail"]?.string ?? ""
      }
      for time in ["25:00", "8:00", "24:00", "08:60", "", "08:00:00"] {
        let detail = try await refusal([("time", .string(time))])
        #expect(detail.hasPrefix("/time: ") && detail.hasSuffix(" allowed"), "\(detail)")
      }
      #expect(try await refusal([("time", .integer(800))]).hasPrefix("/time: "))
      let days: [[JSONValue]] = [
        [], [.integer(0)], [.integer(8)], [.string("Monday")], (1...8).map { .integer($0 % 7 + 1) },
      ]
      for list in days {
        #expect(try await refusal([("weekdays", .array(list))]).hasPrefix("/weekdays"))
      }
      #expect(
        try await refusal([("time_zone", .string("Mars/Base"))])
          == "/time_zone: Mars/Base found, a name of the IANA database such as Europe/Berlin allowed")
      for zone in ["", "Europe/Berlin\u{0}", String(repeating: "x", count: 101)] {
        #expect(try await refusal([("time_zone", .string(zone))]).hasPrefix("/time_zone: "))
      }
      for window in [JSONValue.integer(-1), .integer(721), .number(0.5), .string("60")] {
        #expect(try await refusal([("window_min", window)]).hasPrefix("/window_min: "))
      }
      #expect(try await refusal([("zone_id", .string("zone"))]).hasPrefix("/zone_id: "))
      let foreign = try await at.expect([("zone_id", .string("00000000000000ff"))])
      #expect(foreign.status == .notFound)
      #expect(
        foreign.json["detail"]?.string
          == "/zone_id: 00000000000000ff found, one of the account's own zones allowed")
      let stranger = try await at.expect([("device_id", .string("00000000000000ff"))])
      #expect(stranger.status == .notFound)
      #expect(
        stranger.json["detail"]?.string
          == "/device_id: 00000000000000ff found, one of the account's own devices allowed")
      // With two devices one has to be named.
      _ = try await at.scene.phone.ownTracks(TestPlaces.outside, device: "tablet")
      #expect(
        try await refusal([])
          == "/device_id: nothing found, the id of one of the account's devices allowed: it has 2 of them")
      let device = try await at.scene.theDevice()
      let made = try await at.expect([("device_id", .string("\(device.id)"))])
      #expect(made.status == .created)
      for wrong: (String, JSONValue) in [
        ("time", .string("25:00")), ("weekdays", .array([])), ("time_zone", .string("Mars/Base")),
        ("window_min", .integer(721)), ("is_enabled", .string("yes")),
      ] { #expect(try await at.edit(made.id, [wrong]).problem == "invalid-content") }
      #expect(try await at.edit(made.id, [("device_id", .string("00000000000000ff"))]).status == .notFound)
      #expect(try await at.edit("00000000000000ff", []).status == .notFound)
      let unchanged = try await at.scene.anna.get("/api/v1/expected-arrivals/\(made.id)")
      #expect(unchanged.text == made.text)
      let hidden = try await at.scene.anna.put(
        "/api/v1/account/private", [("is_private", .bool(true)), ("erase", .bool(true))])
      #expect(hidden.status == .ok)
      let hiding = try await at.expect([("zone_id", .string("00000000000000ff"))])
      #expect(hiding.problem == "private-account")
    }
  }

  /// Positions come at once, late, twice and in any order, the server is started anew, the clock is set, and edits
  /// come in between. In the end an alarm is open if no position shows an arrival, closed if one does, and there is one at
  /// most.
  @Test(arguments: 0..<12 as Range<UInt64>)
  func `whatever happens around the time, the end is what the positions show`(seed: UInt64) async throws {
    let store = try SQLStore.inMemory()
    try await ArrivalScene.run(store: store) { at in
      var random = SeededGenerator(seed: seed)
      let made = try await at.expect([("window_min", .integer(30))])
      let device = try await at.scene.theDevice()
      let expected = try await store.expectedArrivals(of: at.scene.account)[0]
      // Some days stay without any position inside.
      let isThere = Bool.random(using: &random)
      var queue: [(Instant, Coordinate)] = (0..<8).map { _ in
        let time = at.clock.now + .minutes(Double(Int.random(in: 2...110, using: &random)))
        let inside = isThere && Bool.random(using: &random)
        return (time, inside ? TestPlaces.inside : TestPlaces.outside)
      }
      var process = at.scene.server
      while at.clock.now < ArrivalScene.due + .hours(2) {
        at.clock.pass(.minutes(Double(Int.random(in: 1...15, using: &random))))
        switch Int.random(in: 0...5, using: &random) {
        case 0: process = try await TestServer(store: store, clock: at.clock)
        case 1:
          _ = try await at.edit(made.id, [("is_enabled", .bool(true))])
        case 2:
          at.clock.set(by: .milliseconds(-300))
        default: break
        }
        await process.parts.alarms.ingest.letTimePass()
        queue.shuffle(using: &random)
        let ready = queue.filter { $0.0 <= at.clock.now }
        for (time, place) in ready where Int.random(in: 0...2, using: &random) == 0 {
          _ = try await at.scene.phone.ownTracks(place, at: time)
          if Bool.random(using: &random) { queue.removeAll { $0.0 == time && $0.1 == place } }
        }
      }
      for (time, place) in queue { _ = try await at.scene.phone.ownTracks(place, at: time) }
      at.clock.pass(.minutes(1))
      await at.scene.server.parts.alarms.ingest.letTimePass()
      let alarms = try await at.missing()
      #expect(alarms.count <= 1 && alarms.allSatisfy { $0.began == ArrivalScene.due })
      let stored = try await store.fixes(
        of: device.id, account: at.scene.account, in: Instant.allowed, limit: 1000)
      let zone = try #require(try await store.zone(expected.zone, of: at.scene.account).zone)
      let proof = ArrivalProof(expected, due: ArrivalScene.due, at: zone, .phone)
      let arrival = proof.arrival(stored.map(\.fix))
      if arrival != nil { #expect(alarms.allSatisfy { !$0.isOpen }) }
      // The newest position of an earlier hour may have shown the arrival until a later one came.
      let earlier = stored.contains {
        $0.fix.position == TestPlaces.inside && $0.fix.measuredAt < ArrivalScene.due - expected.window
      }
      if arrival == nil, !earlier { #expect(alarms.map(\.isOpen) == [true]) }
      if !isThere { #expect(alarms.count == 1 && arrival == nil) }
    }
  }
}
