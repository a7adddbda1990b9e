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

  /// Asks, and lets the host do what was asked.
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
    #expect(host.timeline.zones == [zone])
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

    // Slept on the notification: the page hears of it, and only of what is new.
    let alarm = try #require(host.kept.ringing.first).alarm
    _ = host.handle(.command(.sleep(alarm)), at: PhoneTime(now: start + .seconds(61), uptime: nil))
    let after = PageValue.Entry("after_ms", .integer((start + .seconds(60)).millisecondsSince1970))
    let later = try ask(&host, "phone_state", after: 62, [after])
    #expect(later["rows"]?.bytes?.isEmpty == true)
    let acts = try #require(later["acts"]?.list)
    #expect(acts.count == 1)
    #expect(acts[0]["command"]?.text == "sleep")
    #expect(acts[0]["zone"]?.text == "0000000000000007")

    // And the other way round.
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
}
