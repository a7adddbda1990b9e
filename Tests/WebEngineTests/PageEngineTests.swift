import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import WebEngine

/// A page's engine with one circle of 100 m at 52° N, 13° E, its edge 11 km east of longitude 12.83°.
struct OpenedPage {
  var engine = PageEngine()
  static let zone = Zone.valid(
    id: ZoneID(rawValue: 0xab), name: "Market hall", category: "Shopping", size: .metres(100),
    alertDistance: .metres(50),
    outline: .locations([Coordinate(latitude: .degrees(52), longitude: .degrees(13))]))
  static let start: Int64 = 1_790_000_000_000

  init(armed: Bool = true, zones: [Zone] = [zone], settings: [PageValue.Entry] = []) throws {
    let report = try ask(
      "open",
      [
        .init("device", .text("00000000000000d1")), .init("armed", .bool(armed)),
        .init("zones", .list(zones.map { ZoneForm.form(of: $0) })), .init("now_ms", .integer(Self.start)),
        .init("settings", .map(settings)),
      ])
    try #require(report["refused"] == nil)
  }

  mutating func ask(_ name: Text, _ values: [PageValue.Entry] = []) throws -> PageValue {
    try PageValue(cbor: engine.answer(PageValue.map([.init("ask", .text(name))] + values).cbor))
  }

  /// A fix `metres` east of the circle's centre, `seconds` after the start.
  mutating func fix(east metres: Double, at seconds: Int64, accuracy: Double = 5) throws -> PageValue {
    let place = Geodesic.destination(
      from: Coordinate(latitude: .degrees(52), longitude: .degrees(13)), azimuth: .degrees(90),
      distance: .metres(metres))
    let now = Self.start + seconds * 1000
    var bytes: [UInt8] = []
    for number in [
      place.latitude.degrees, place.longitude.degrees, accuracy, Double(now), Double(now), .nan, .nan,
      .nan, .nan, .nan,
    ] {
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * place))) }
    }
    return try ask("fixes", [.init("rows", .bytes(bytes)), .init("now_ms", .integer(now))])
  }
}

extension PageValue {
  fileprivate func events() -> [Text] { (self["events"]?.list ?? []).compactMap { $0["event"]?.text } }
  fileprivate var firstAlarm: PageValue? { self["alarms"]?.list?.first }
}

@Suite("Page engine")
struct PageEngineTests {
  @Test func `coming near rings, sleep is quiet for its time, leaving clears`() throws {
    var page = try OpenedPage()
    var report = try page.fix(east: 1000, at: 1)
    #expect(report.events() == [])
    let nearest = try #require(report["nearest"]?.list?.first)
    #expect(nearest["name"]?.text == "Market hall")
    #expect(abs(try #require(nearest["distance_m"]?.number) - 900) < 0.1)
    #expect(abs(try #require(nearest["closeness"]?.number) - 0.15) < 0.001)
    #expect(abs(try #require(nearest["bearing_deg"]?.number) - 270) < 0.1)

    report = try page.fix(east: 140, at: 60)
    #expect(report.events() == ["alarm"])
    let alarm = try #require(report.firstAlarm?["alarm"]?.text)
    #expect(report.firstAlarm?["cause"]?.text == "near")
    #expect(report["next_due_ms"]?.integer == OpenedPage.start + 70_000)

    report = try page.ask("advance", [.init("now_ms", .integer(OpenedPage.start + 70_000))])
    #expect(report.events() == ["repeat"])
    report = try page.ask(
      "command",
      [
        .init("command", .text("sleep")), .init("alarm", .text(alarm)),
        .init("now_ms", .integer(OpenedPage.start + 71_000)),
      ])
    #expect(report.firstAlarm?["zone"]?["state"]?.text == "asleep")
    report = try page.fix(east: 120, at: 75)
    #expect(report.events() == [])
    report = try page.fix(east: 110, at: 82)
    #expect(report.events() == ["alarm"])
    _ = try page.fix(east: 400, at: 100)
    report = try page.fix(east: 600, at: 115)
    #expect(report.events().last == "cleared")
    #expect(report["alarms"] == .list([]))
  }

  @Test func `the time to a zone is told while the phone moves, not at rest nor within the alert distance`()
    throws
  {
    var zone = OpenedPage.zone
    zone.change { $0.trigger = .dwell(.minutes(10)) }
    var page = try OpenedPage(zones: [zone])
    func entry(_ report: PageValue) -> Double? { report["nearest"]?.list?.first?["entry_s"]?.number }
    func later(_ seconds: Int64) throws -> PageValue {
      try page.ask("advance", [.init("now_ms", .integer(OpenedPage.start + seconds * 1000))])
    }
    _ = try page.fix(east: 1000, at: 0, accuracy: 10)
    // Three metres nearer, by the receiver's error alone.
    #expect(try entry(page.fix(east: 997, at: 30, accuracy: 10)) == nil)
    // 197 m in 100 s, and 650 m to go.
    let walking = try #require(entry(page.fix(east: 800, at: 130, accuracy: 10)))
    #expect(abs(walking - 330) < 1)
    #expect(try abs((entry(later(190)) ?? 0) - 270) < 1)
    #expect(try entry(later(251)) == nil)
    // Within the alert distance of 50 m, where it waits for the stay to last.
    let near = try page.fix(east: 130, at: 400, accuracy: 5)
    #expect(near["nearest"]?.list?.first?["distance_m"] != nil && entry(near) == nil)
  }

  @Test func `an alarm says when it began, that it was closed, and sleeps as long as is asked (S34, S37)`()
    throws
  {
    var page = try OpenedPage()
    var report = try page.fix(east: 140, at: 60)
    let alarm = try #require(report.firstAlarm?["alarm"]?.text)
    #expect(report.firstAlarm?["closed"] == .bool(false) && report.firstAlarm?["sleep_s"]?.number == 10)
    let began = try #require(report.firstAlarm?["began_ms"]?.integer)
    #expect((OpenedPage.start...OpenedPage.start + 60_000).contains(began))
    func command(_ word: Text, at seconds: Int64, until: Int64? = nil) throws {
      var values: [PageValue.Entry] = [
        .init("command", .text(word)), .init("alarm", .text(alarm)),
        .init("now_ms", .integer(OpenedPage.start + seconds * 1000)),
      ]
      if let until { values.append(.init("until_ms", .integer(OpenedPage.start + until * 1000))) }
      report = try page.ask("command", values)
    }
    try command("close", at: 62)
    #expect(report.firstAlarm?["closed"] == .bool(true))
    try command("sleep", at: 65, until: 665)
    #expect(report.firstAlarm?["zone"]?["until_ms"]?.integer == OpenedPage.start + 665_000)
    #expect(try page.fix(east: 120, at: 600).events() == [])
    #expect(try page.fix(east: 110, at: 670).events() == ["alarm"])
  }

  @Test func `switched off it says nothing, switched on inside it rings at once`() throws {
    var page = try OpenedPage(armed: false)
    var report = try page.fix(east: 10, at: 1)
    #expect(report.events() == [])
    #expect(report["watching"] == .integer(0))
    report = try page.ask(
      "command", [.init("command", .text("activate")), .init("now_ms", .integer(OpenedPage.start + 5000))])
    #expect(report.events() == ["alarm"])
    #expect(report["armed"] == .bool(true))
    #expect(report["watching"] == .integer(1))
  }

  @Test func `a saved engine goes on with its alarm`() throws {
    var page = try OpenedPage()
    let alarm = try page.fix(east: 10, at: 1).firstAlarm?["alarm"]
    let saved = try #require(try page.ask("snapshot")["snapshot"])
    var engine = PageEngine()
    let request: [PageValue.Entry] = [
      .init("ask", .text("open")), .init("device", .text("00000000000000d1")), .init("snapshot", saved),
      .init("zones", .list([ZoneForm.form(of: OpenedPage.zone)])),
      .init("now_ms", .integer(OpenedPage.start + 3000)),
    ]
    let report = try PageValue(cbor: engine.answer(PageValue.map(request).cbor))
    #expect(report.firstAlarm?["alarm"] == alarm)
    #expect(report["armed"] == .bool(true))
  }

  @Test func `why it did not ring can be asked`() throws {
    var page = try OpenedPage()
    _ = try page.fix(east: 400, at: 1)
    _ = try page.fix(east: 300, at: 20)
    let records = try page.ask(
      "explain",
      [
        .init("zone", .text("00000000000000ab")), .init("from_ms", .integer(OpenedPage.start)),
        .init("to_ms", .integer(OpenedPage.start + 60_000)),
      ])["records"]?.list
    #expect(records?.map { $0["verdict"] } == [.text("outside"), .text("outside")])
    #expect(records?.allSatisfy { $0["agrees"] == .bool(true) } == true)
  }

  @Test func `a replay leaves what is open alone`() throws {
    var page = try OpenedPage()
    let before = try page.fix(east: 900, at: 1)
    var bytes: [UInt8] = []
    for second in 0..<10 {
      for number in [
        52.0, 12.99 + Double(second) * 0.002, 5, Double(second) * 10_000, Double(second) * 10_000, .nan, .nan,
        .nan, .nan, .nan,
      ] {
        for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * place))) }
      }
    }
    let replay = try page.ask(
      "replay",
      [.init("rows", .bytes(bytes)), .init("zones", .list([ZoneForm.form(of: OpenedPage.zone)]))])
    #expect(replay.events().contains("alarm"))
    #expect(replay.events().last == "cleared")
    let after = try page.ask("advance", [.init("now_ms", .integer(OpenedPage.start + 1000))])
    #expect(after["position"] == before["position"])
    #expect(after["alarms"] == .list([]))
  }

  @Test func `a PAD file is read as forms and written again`() throws {
    var page = try OpenedPage(zones: [])
    let written = try page.ask("write_pad", [.init("zones", .list([ZoneForm.form(of: OpenedPage.zone)]))])
    let bytes = try #require(written["bytes"])
    let read = try page.ask("read_pad", [.init("bytes", bytes)])
    #expect(read["zones"] == .list([ZoneForm.form(of: OpenedPage.zone)]))
    #expect(read["issues"] == .list([]))
    let odd = try page.ask(
      "read_pad", [.init("bytes", .bytes(Array("AlertZoneStart\nAlertZoneSize,x\n".utf8)))])
    #expect(odd["issues"]?.list?.map { $0["why"] }.contains(.text("not_a_number")) == true)
  }

  @Test func `a reminder is announced near its place and put off`() throws {
    var page = try OpenedPage(zones: [])
    let reminder = PageValue.map([
      .init("id", .text("0000000000000001")), .init("title", .text("Bread")),
      .init(
        "places",
        .list([.map([.init("name", .text("Bakery")), .init("place", .list([.integer(52), .integer(13)]))])])),
      .init("items", .list([.map([.init("text", .text("rye"))])])),
    ])
    _ = try page.ask(
      "remind",
      [
        .init("command", .text("add")), .init("reminder", reminder),
        .init("now_ms", .integer(OpenedPage.start)),
      ])
    let near = try page.fix(east: 100, at: 10)
    #expect(near["effects"]?.list?.first?["effect"]?.text == "notify")
    #expect(near["nearby"]?.list?.first?["name"]?.text == "Bakery")
    let until = try page.ask(
      "snooze_until", [.init("choice", .text("30m")), .init("now_ms", .integer(OpenedPage.start + 11_000))])
    let off = try page.ask(
      "remind",
      [
        .init("command", .text("snooze")), .init("id", .text("0000000000000001")),
        .init("until_ms", try #require(until["until_ms"])),
        .init("now_ms", .integer(OpenedPage.start + 12_000)),
      ])
    #expect(off["effects"]?.list?.first?["effect"]?.text == "withdraw")
    #expect(off["snoozed"]?.list?.count == 1)
    #expect(off["next_due_ms"] == until["until_ms"])
  }

  @Test func `the clock set back two hours before a zone: it rings on entering, repeats, and is answered`()
    throws
  {
    var page = try OpenedPage()
    _ = try page.fix(east: 1000, at: 7200)
    _ = try page.fix(east: 400, at: 7230)
    func jump(_ seconds: Int64, to second: Int64) throws -> PageValue {
      try page.ask(
        "clock_jumped",
        [
          .init("by_ms", .integer(seconds * 1000)),
          .init("now_ms", .integer(OpenedPage.start + second * 1000)),
        ])
    }
    var report = try jump(-7200, to: 31)
    #expect(report.events() == [])
    #expect(report["position"]?["measured_ms"]?.integer == OpenedPage.start + 30_000)
    report = try page.fix(east: 140, at: 60)
    #expect(report.events() == ["alarm"])
    let alarm = try #require(report.firstAlarm?["alarm"]?.text)
    report = try jump(-7200, to: -7139)
    #expect(report.firstAlarm?["alarm"]?.text == alarm)
    #expect(report["next_due_ms"]?.integer == OpenedPage.start - 7_130_000)
    // Kept, and reopened by a clock that was set back again.
    let kept = try #require(try page.ask("snapshot")["snapshot"])
    let reopened = try page.ask(
      "open",
      [
        .init("device", .text("00000000000000d1")), .init("armed", .bool(true)), .init("settings", .map([])),
        .init("zones", .list([ZoneForm.form(of: OpenedPage.zone)])), .init("snapshot", kept),
        .init("now_ms", .integer(OpenedPage.start - 20_000_000)),
      ])
    #expect(reopened.firstAlarm?["alarm"]?.text == alarm)
    report = try page.ask("advance", [.init("now_ms", .integer(OpenedPage.start - 19_980_000))])
    #expect(report.events() == ["repeat", "repeat"])
  }

  @Test func `a jump without a length, or longer than clocks go, is refused by name`() throws {
    var page = try OpenedPage()
    func refusal(_ values: [PageValue.Entry]) throws -> PageValue? {
      try page.ask("clock_jumped", values + [.init("now_ms", .integer(OpenedPage.start))])["refused"]
    }
    func form(_ why: Text) -> PageValue { .map([.init("why", .text(why)), .init("field", .text("by_ms"))]) }
    #expect(try refusal([]) == form("missing"))
    #expect(try refusal([.init("by_ms", .text("an hour"))]) == form("wrong_kind"))
    let long = try refusal([.init("by_ms", .number(1e18))])
    #expect(long?["why"]?.text == "out_of_range" && long?["field"]?.text == "by_ms")
    #expect(try refusal([.init("by_ms", .integer(-15_000))]) == nil)
  }

  @Test func `a request that cannot be met says why and changes nothing`() throws {
    var engine = PageEngine()
    func why(_ bytes: [UInt8]) throws -> PageValue? { try PageValue(cbor: engine.answer(bytes))["refused"] }
    #expect(try why([0xff])?["why"]?.text == "not_understood")
    #expect(try why(PageValue.map([.init("ask", .text("sing"))]).cbor)?["why"]?.text == "unknown_ask")
    let advance = PageValue.map([.init("ask", .text("advance")), .init("now_ms", .integer(0))])
    #expect(try why(advance.cbor)?["why"]?.text == "not_open")
    let late = PageValue.map([.init("ask", .text("advance")), .init("now_ms", .text("noon"))])
    #expect(try why(late.cbor) == .map([.init("why", .text("wrong_kind")), .init("field", .text("now_ms"))]))
  }

  @Test(arguments: Seeds.few(10)) func `no bytes bring it down`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var page = try OpenedPage()
    // Not a sample from all over the earth: its edges are long, and a debug build is slow.
    var zone = OpenedPage.zone
    zone.change { $0.messages = ZoneSamples.zone(&random).messages }
    zone.change { $0.schedule = ZoneSamples.zone(&random).schedule }
    for ask in Ask.all {
      var bytes = PageValue.map([
        .init("ask", .text(ask.name)), .init("now_ms", .integer(OpenedPage.start)),
        .init("zone", ZoneForm.form(of: zone)), .init("place", .list([.integer(52), .integer(13)])),
        .init("zones", .list([ZoneForm.form(of: zone)])), .init("rows", .bytes([])),
      ]).cbor
      for _ in 0..<30 {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let former = bytes[place]
        bytes[place] = UInt8.random(in: 0...255, using: &random)
        _ = try PageValue(cbor: page.engine.answer(bytes))
        bytes[place] = former
      }
    }
  }
}
