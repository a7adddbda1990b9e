import AlarmEngine
import Geometry
import PhoneHost
import TestSupport
import Testing

@testable import WebEngine

@Suite("What page and app say to each other")
struct PhoneBridgeTests {
  private let start = AlarmStory.start
  private func host() -> PhoneHost<CertifiedWatch> {
    var host = PhoneHost(
      beginning: Timeline(device: DeviceID(rawValue: 1), settings: .phone, zones: [], armed: false),
      policy: CertifiedWatch())
    _ = host.handle(.started(.person, .timed, lastKnown: nil), at: PhoneTime(now: start, uptime: nil))
    return host
  }

  /// Makes a request, and lets the host carry it out.
  private func ask(
    _ host: inout PhoneHost<CertifiedWatch>, _ name: Text, after seconds: Double = 0,
    _ fields: [PageValue.Entry] = []
  ) throws -> PageValue {
    let now = start + .seconds(seconds)
    let request = PageValue.map(
      [.init("ask", .text(name)), .init("now_ms", .integer(now.millisecondsSince1970))] + fields)
    let (answer, told) = PhoneBridge.answer(request.cbor, of: host)
    if let told { _ = host.handle(told.input, at: told.time) }
    return try PageValue(cbor: answer)
  }

  private var zone: Zone {
    Zone.valid(
      id: ZoneID(rawValue: 7), name: "Cliff", size: .metres(50), outline: .locations([AlarmStory.origin]))
  }

  private func walkIn(_ host: inout PhoneHost<CertifiedWatch>, after seconds: Double) {
    for step in 0..<5 {
      let time = start + .seconds(seconds + Double(step) * 10)
      let fix = Fix(
        position: AlarmStory.place(east: 400 - 100 * Double(step)), accuracy: .radius(.metres(5)),
        measuredAt: time)
      _ = host.handle(.positions([fix], ofRequest: true), at: PhoneTime(now: time, uptime: nil))
    }
  }

  @Test func `zones and arming come from the page, positions and what was done from the phone`() throws {
    var host = host()
    let watched = try ask(
      &host, "phone_watch",
      [
        .init("zones", .list([ZoneForm.form(of: zone), .map([.init("id", .text("00000000000000ff"))])])),
        .init("settings", .map([.init("maximum_speed_m_s", .number(20))])),
      ])
    #expect(watched["zones"]?.integer == 1)
    #expect(watched["refused_zones"]?.list?.count == 1)
    #expect(Array(host.timeline.zones) == [zone])
    #expect(host.kept.settings.maximumSpeed == .metresPerSecond(20))
    #expect(
      try ask(&host, "phone_act", after: 1, [.init("command", .text("activate"))])["done"]?.bool == true)
    #expect(host.timeline.armed)

    walkIn(&host, after: 10)
    let state = try ask(&host, "phone_state", after: 60)
    #expect(state["ringing"]?.list?.compactMap { $0.text } == ["0000000000000007"])
    #expect(state["rows"]?.bytes?.count == 5 * FixRow.width * 8)
    #expect(state["state"]?["kind"]?.text == "watching")
    #expect(state["state"]?["guarantee"]?["kind"]?.text != nil)

    #expect(state["promises"]?.list?.compactMap { $0["zone"]?.text } == ["0000000000000007"])

    // Put to sleep on the notification: the page gets that event, and only new ones.
    let alarm = try #require(host.kept.ringing.first).alarm
    _ = host.handle(.command(.sleep(alarm)), at: PhoneTime(now: start + .seconds(61), uptime: nil))
    let after = PageValue.Entry("after_ms", .integer((start + .seconds(60)).millisecondsSince1970))
    let later = try ask(&host, "phone_state", after: 62, [after])
    #expect(later["rows"]?.bytes?.isEmpty == true)
    let acts = try #require(later["acts"]?.list)
    #expect(acts.count == 1)
    #expect(acts[0]["command"]?.text == "sleep")
    #expect(acts[0]["zone"]?.text == "0000000000000007")

    // The other direction.
    let inside: [PageValue.Entry] = [
      .init("command", .text("inside")), .init("zone", .text("0000000000000007")),
    ]
    #expect(try ask(&host, "phone_act", after: 63, inside)["done"]?.bool == true)
    #expect(host.kept.ringing.isEmpty)
    let unknown: [PageValue.Entry] = [
      .init("command", .text("close")), .init("zone", .text("0000000000000008")),
    ]
    #expect(try ask(&host, "phone_act", after: 64, unknown)["done"]?.bool == false)
  }

  @Test func `what cannot be understood is refused and changes nothing`() throws {
    var host = host()
    let before = host.kept.lastEntry
    for (name, fields, field) in [
      ("phone_fly", [], nil), ("phone_act", [], "command"),
      ("phone_act", [.init("command", .text("close"))], "zone"),
      ("phone_watch", [.init("zones", .text("none"))], "zones"),
      (
        "phone_watch", [.init("settings", .map([.init("maximum_speed_m_s", .number(-1))]))],
        "maximum_speed_m_s"
      ),
      ("phone_state", [.init("after_ms", .text("yesterday"))], "after_ms"),
    ] as [(Text, [PageValue.Entry], Text?)] {
      let answer = try ask(&host, name, fields)
      #expect(answer["refused"] != nil, "\(name)")
      #expect(answer["refused"]?["field"]?.text == field, "\(name)")
    }
    #expect(try PageValue(cbor: PhoneBridge.answer([1, 2, 3], of: host).answer)["refused"] != nil)
    #expect(host.kept.lastEntry == before)
  }

  @Test func `reminders come with the zones, are told, and are none of the page's promises and answers`()
    throws
  {
    var host = host()
    let reminder = try Reminder(
      id: ReminderID(rawValue: 5), title: "Shopping", items: [.init("milk")],
      places: [.init(name: "Market hall", coordinate: AlarmStory.origin)])
    let branch = ReminderZone.zones(of: [reminder], near: nil)[0]
    var other = reminder
    other.title = "Other"
    var draft = ReminderZone.zones(of: [other], near: nil)[0].draft
    draft.id = ZoneID(rawValue: 8)
    let forged = Zone.valid(draft)
    let watched = try ask(
      &host, "phone_watch",
      [
        .init("zones", .list([ZoneForm.form(of: zone), ZoneForm.form(of: forged)])),
        .init("reminders", .list([ReminderForm.form(of: reminder), .map([.init("id", .text("nothing"))])])),
      ])
    #expect(watched["zones"]?.integer == 2)
    #expect(watched["reminder_places"]?.integer == 1)
    // A zone of the page that claims to be a reminder's is watched as an ordinary one, and rings.
    #expect(host.timeline.zones.filter { ReminderZone.isOne($0) }.map { $0.id } == [branch.id])
    #expect(host.timeline.zones.count == 3)
    let again = try ask(
      &host, "phone_watch", after: 0.5,
      [
        .init("zones", .list([ZoneForm.form(of: zone)])),
        .init("reminders", .list([ReminderForm.form(of: reminder)])),
      ])
    #expect(again["reminder_places"]?.integer == 1, "\(again)")
    #expect(host.timeline.zones.count { ReminderZone.isOne($0) } == 1)
    _ = try ask(&host, "phone_act", after: 1, [.init("command", .text("activate"))])
    walkIn(&host, after: 2)
    #expect(
      host.kept.untold.contains { told in
        if case .notice = told.event.kind { told.event.zone == branch.id } else { false }
      })
    let state = try ask(&host, "phone_state", after: 60)
    #expect(state["promises"]?.list?.count == 1)
    #expect(state["ringing"]?.list?.count == 1)
    #expect(state["acts"]?.list?.allSatisfy { $0["command"]?.text == "activate" } == true)
  }

  @Test func `what the watch holds no more is found in the journal, the latest first to stay`() throws {
    var journal = WrittenJournal(at: start, zones: [zone])
    for day in 1...9 { journal.measure(WrittenJournal.walk(from: start + .hours(24 * Double(day)))) }
    var host = host()
    let from = start + .hours(24 * 8)
    func past(_ fields: [PageValue.Entry]) throws -> [Fix] {
      let answer = try ask(&host, "phone_past", fields)
      let bytes = try #require(answer["rows"]?.bytes)
      let numbers = stride(from: 0, to: bytes.count, by: 8).map { at in
        Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) })
      }
      return try stride(from: 0, to: numbers.count, by: FixRow.width).map {
        try FixRow.fix(numbers[$0..<($0 + FixRow.width)])
      }
    }
    let all = try past([.init("journal", .bytes(journal.export))])
    #expect(all.count == 81 * 9)
    let late = try past([
      .init("journal", .bytes(journal.export)), .init("after_ms", .integer(from.millisecondsSince1970 - 1)),
    ])
    #expect(late.count == 81 * 2 && late.allSatisfy { $0.measuredAt >= from })
    #expect(try past([.init("journal", .bytes(Array(journal.export.dropLast(20))))]).count == 81 * 9 - 1)
    for refused in [[], [.init("journal", .bytes([1, 2, 3]))], [.init("journal", .text("x"))]]
      as [[PageValue.Entry]]
    {
      #expect(try ask(&host, "phone_past", refused)["refused"] != nil)
    }
    #expect(try ask(&host, "phone_state")["kept_from_ms"] == .null)
    var kept = journal.host
    #expect(try ask(&kept, "phone_state")["kept_from_ms"]?.integer ?? 0 > start.millisecondsSince1970)
  }

  @Test func `a page that lost its storage gets back what it had given to watch`() throws {
    var host = host()
    let forms = PageValue.Entry("zones", .list([ZoneForm.form(of: zone)]))
    let settings: PageValue = .map([
      .init("default_radius_m", .number(120)), .init("maximum_speed_m_s", .number(20)),
    ])
    _ = try ask(&host, "phone_watch", [forms, .init("settings", settings)])
    let kept = try ask(&host, "phone_kept", after: 1)
    #expect(kept["zones"]?.list == [ZoneForm.form(of: zone)])
    #expect(kept["settings"]?["default_radius_m"]?.number == 120)
    #expect(kept["settings"]?["maximum_speed_m_s"]?.number == 20)
    #expect(kept["settings"]?["alarm_cycle_s"] == nil)

    // Given to another watch unchanged, they are the same.
    var other = self.host()
    _ = try ask(
      &other, "phone_watch",
      [.init("zones", kept["zones"] ?? .null), .init("settings", kept["settings"] ?? .null)])
    #expect(Array(other.timeline.zones) == [zone])
    #expect(other.kept.settings == host.kept.settings)
  }

  @Test func `the watch keeps the edition of the page's data, and refuses others`() throws {
    var host = host()
    #expect(try ask(&host, "phone_state")["edition"]?.integer == 0)
    for edition: Int64 in [3, 4, 9_007_199_254_740_991, 2] {
      let answer = try ask(&host, "phone_edition", [.init("edition", .integer(edition))])
      #expect(answer["done"]?.bool == true)
      #expect(try ask(&host, "phone_state")["edition"]?.integer == edition)
    }
    for wrong: PageValue in [.integer(-1), .integer(9_007_199_254_740_992), .number(1.5), .text("4"), .null] {
      #expect(try ask(&host, "phone_edition", [.init("edition", wrong)])["refused"] != nil)
    }
    #expect(try ask(&host, "phone_edition")["refused"] != nil)
    #expect(host.kept.edition == 2)
  }
}
