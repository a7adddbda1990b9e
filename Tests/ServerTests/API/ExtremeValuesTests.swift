import AlarmEngine
import Formats
import Foundation
import GRDB
import Geometry
import HTTPTypes
import TestSupport
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server
@testable import Store

/// Values at and beyond the ends of their ranges, by every way into the server. Then phones report, people
/// answer, time passes and the server restarts.
@Suite("Extreme values over HTTP")
struct ExtremeValuesTests {
  private static func zone(_ id: UInt64, _ name: Text, _ change: (inout ZoneDraft) -> Void = { _ in })
    -> ZoneDraft
  {
    var zone = ZoneDraft(
      id: ZoneID(rawValue: id), name: name, size: .metres(100), outline: .locations([TestPlaces.inside]),
      assurance: .safety)
    change(&zone)
    return zone
  }

  /// The zone as a phone sends it by `POST /api/v1/sync`.
  private static func record(_ zone: ZoneDraft, at time: Instant) -> JSONValue {
    record(zone.id.description, zone.fields, at: time)
  }
  private static func record(
    _ id: String, _ fields: [(field: UInt8, value: [UInt8])], at time: Instant
  ) -> JSONValue {
    .object([
      ("id", .string(id)),
      (
        "fields",
        .array(
          fields.map { field, value in
            .object([
              ("field", .integer(Int64(field))), ("value", .string(Base64URL.encode(value))),
              (
                "edited_at",
                .object([
                  ("time", time.json), ("counter", .integer(0)), ("node", .string("00000000000000ff")),
                ])
              ),
            ])
          })
      ), ("deleted_at", .null),
    ])
  }

  @Test func `a pushed zone that dwells for ever is refused with words, and the others are taken and ring`()
    async throws
  {
    try await IngestScene.run(zones: []) { scene in
      let now = scene.server.clock.now
      let nonsense = [
        Self.zone(1, "Dwells for ever") { $0.trigger = .dwell(.milliseconds(.max)) },
        Self.zone(2, "Sleeps for ever") { $0.sleepTime = .milliseconds(.max) },
        Self.zone(3, "Beyond the moon") { $0.alertDistance = .metres(1e300) },
      ]
      let all = nonsense + [Self.zone(4, "Cliff edge")]
      let bad = try Reminder(id: ReminderID(rawValue: 5), title: "Milk").fields.map { field, value in
        field == ReminderField.radius.rawValue
          ? (field, [UInt8](repeating: 0, count: 8)) : (field, value)
      }
      let answer = try await scene.anna.post(
        "/api/v1/sync",
        [
          ("zones", .array(all.map { Self.record($0, at: now) })),
          ("reminders", .array([Self.record("0000000000000005", bad, at: now)])),
        ])
      #expect(answer.status == .ok)
      #expect(answer.json["zones"]?.list?.map { $0["id"]?.string } == ["0000000000000004"])
      #expect(answer.json["reminders"]?.list?.isEmpty == true)
      let refused = answer.json["refused"]?.list ?? []
      #expect(
        refused.map { $0["reason"]?.string } == [
          "dwell_s 9.223372036854776e+15 found, 0.0 to 1000000000.0 allowed",
          "sleep_s 9.223372036854776e+15 found, 0.0 to 1000000000.0 allowed",
          "alert_distance_m 1e+300 found, 0.0 to 10000000.0 allowed",
          "radius_m 0.0 found, 50.0 to 5000.0 allowed",
        ])
      #expect(refused.map { $0["kind"]?.string } == ["zone", "zone", "zone", "reminder"])
      #expect(try await scene.phone.ownTracks().status == 200)
      #expect(try await scene.alarms().map(\.zone) == [ZoneID(rawValue: 4)])
    }
  }

  @Test func `a zone stored with nonsense is listed as refused, and the others ring, after a new start too`()
    async throws
  {
    let store = try SQLStore.inMemory()
    let bad = Self.zone(1, "Dwells for ever") {
      $0.trigger = .dwell(.milliseconds(.max))
      $0.sleepTime = .milliseconds(.max)
    }
    try await IngestScene.run(zones: [], store: store) { scene in
      for zone in [Self.zone(1, "Dwells for ever"), Self.zone(2, "Cliff edge")] {
        try await store.save(
          Zone(zone), of: scene.account, in: nil, over: nil, at: scene.server.clock.now)
      }
      // Stored as by an earlier version, which did not check numbers.
      var record = SyncRecord()
      record.edit(to: bad.fields, at: HybridTime(time: scene.server.clock.now, counter: 0, node: 1))
      let bytes = Data(record.bytes)
      try await store.write {
        _ = try $0.run("UPDATE zone SET record = ? WHERE id = ?", [bytes, bad.id.sql])
      }
      let listed = try await scene.anna.get("/api/v1/zones").json["items"]?.list ?? []
      #expect(
        listed.map { $0["refused"]?.string } == [
          "sleep_s 9.223372036854776e+15 found, 0.0 to 1000000000.0 allowed", nil,
        ])
      for whole in ["", "?zone=\(bad.id)"] {
        let file = try await scene.anna.get("/api/v1/zones/export/geojson\(whole)")
        #expect(String(decoding: file.bytes, as: UTF8.self).contains("Dwells for ever"))
      }
      #expect(try await scene.phone.ownTracks().status == 200)
      #expect(try await scene.alarms().map(\.zone) == [ZoneID(rawValue: 2)])
      let alarm = try #require(try await scene.alarms().first)
      #expect(try await scene.anna.post("/api/v1/alarms/\(alarm.id)/sleep").status == .ok)
      await scene.pass(.seconds(40))
      #expect(try await scene.phone.ownTracks().status == 200)

      // Saving the listed zone repairs it.
      let path = "/api/v1/zones/\(bad.id)"
      let shown = try await scene.anna.get(path)
      let own = ["id", "revision", "saved_at", "refused"]
      let members = (shown.json.members ?? []).filter { !own.contains($0.0) }
      let saved = try await scene.anna.with(.ifMatch, shown.tag).put(path, members)
      #expect(saved.status == .ok)
      #expect(saved.json["refused"]?.isNull == true)

      // The same store in a new process.
      let again = try await TestServer(store: store, clock: scene.server.clock)
      try await again.run { client in
        let phone = TestPhone(client: client.client, clock: again.clock, token: scene.phone.token)
        again.clock.pass(.seconds(30))
        let reported = try await phone.ownTracks()
        #expect(reported.status == 200)
        await again.parts.alarms.ingest.letTimePass()
        again.clock.pass(.hours(30))
        await again.parts.alarms.ingest.letTimePass()
        let left = try await phone.ownTracks(TestPlaces.outside)
        #expect(left.status == 200)
      }
    }
  }

  @Test(arguments: Seeds.few(6)) func `zones, settings, devices and reminders of any numbers stop nothing`(
    seed: Int
  ) async throws {
    let store = try SQLStore.inMemory()
    try await IngestScene.run(store: store) { scene in
      var random = SeededGenerator(seed: UInt64(seed))
      #expect(try await scene.phone.ownTracks().status == 200)
      let device = try await scene.theDevice().id
      for _ in 0..<25 {
        try await Self.change(scene, device, &random)
        let time = scene.server.clock.now
        _ = try await scene.phone.post("/pub?u=anna&d=phone", Self.location(time, &random))
        for alarm in try await scene.alarms().prefix(3) where alarm.state == .ringing {
          let answer = ["close", "sleep", "acknowledge", "today"][Int(random.next() % 4)]
          _ = try await scene.anna.post("/api/v1/alarms/\(alarm.id)/\(answer)")
        }
        await scene.pass([.seconds(1), .seconds(31), .minutes(20)][Int(random.next() % 3)])
      }
      let again = try await TestServer(store: store, clock: scene.server.clock)
      try await again.run { client in
        let phone = TestPhone(client: client.client, clock: again.clock, token: scene.phone.token)
        again.clock.pass(.seconds(30))
        let reported = try await phone.ownTracks()
        #expect(reported.status == 200)
        await again.parts.alarms.ingest.letTimePass()
      }
    }
  }

  /// Edits one zone with one of its numbers replaced; the edit must be accepted or refused with a problem,
  /// not fail.
  private static func change(
    _ scene: IngestScene, _ device: DeviceID, _ random: inout SeededGenerator
  ) async throws {
    let anna = scene.anna
    let number = JSONValue.number(random.extremeNumber())
    switch random.next() % 5 {
    case 0:
      let numbers = ["sleep_s", "size_m", "inset_m", "alert_distance_m", "lead_s", "priority"]
      var members = JSONValue.zone("Zone")
      let key = numbers[Int(random.next() % 6)]
      members.removeAll { $0.0 == key }
      members.append((key, number))
      members.append(("trigger", .object([("kind", .string("dwell")), ("dwell_s", number)])))
      members.append(("assurance", .string("safety")))
      _ = try await anna.post("/api/v1/zones", members)
    case 1:
      let settings = try await anna.get("/api/v1/settings")
      let names = DeviceSettings.members.map(\.name)
      _ = try await anna.with(.ifMatch, settings.tag).put(
        "/api/v1/settings",
        [
          (names[Int(random.next() % UInt64(names.count))], number),
          ("escalation_delays_s", .array([number])),
        ])
    case 2:
      let path = "/api/v1/devices/\(device)"
      let tag = try await anna.get(path).tag
      _ = try await anna.with(.ifMatch, tag).put(
        path,
        [
          ("name", .string("phone")), ("report_interval_s", number),
          ("settings", .object([("signal_timeout_s", number)])),
        ])
    case 3:
      _ = try await anna.post(
        "/api/v1/reminders",
        [
          ("title", .string("Milk")), ("radius_m", number),
          (
            "state",
            .object([("kind", .string("snoozed")), ("until", .string("9999-12-31T23:59:59.999Z"))])
          ),
        ])
    default:
      let time = TimeSpan.milliseconds(random.extremeInteger())
      let length = Distance.metres(random.extremeNumber())
      let zone = Self.zone(random.next() % 4 + 10, "Pushed") {
        switch random.next() % 5 {
        case 0: $0.trigger = .dwell(time)
        case 1: $0.sleepTime = time
        case 2: $0.size = length
        case 3: $0.alertDistance = length
        default: $0.leadTime = time
        }
      }
      let answer = try await anna.post(
        "/api/v1/sync", [("zones", .array([record(zone, at: scene.server.clock.now)]))])
      #expect(answer.status == .ok)
    }
  }

  private static func location(_ time: Instant, _ random: inout SeededGenerator) -> String {
    let place = random.next() % 2 == 0 ? TestPlaces.inside : TestPlaces.outside
    func number(_ usual: Double) -> String {
      random.next() % 4 == 0 ? "\(random.extremeNumber())" : "\(usual)"
    }
    return """
      {"_type":"location","lat":\(place.latitude.degrees),"lon":\(place.longitude.degrees),\
      "tst":\(random.next() % 6 == 0 ? "\(random.extremeInteger())" : "\(time.millisecondsSince1970 / 1000)"),\
      "acc":\(number(12)),"alt":\(number(298)),"vac":\(number(4)),"vel":\(number(0)),"cog":\(number(181)),\
      "batt":\(number(63)),"tid":"AN","topic":"owntracks/anna/phone"}
      """
  }
}
