import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import WebEngine

@Suite("Settings of a page")
struct PageSettingTests {
  /// S158-S165 and `design.md`, 8.
  @Test func `every setting has its documented default, within what is allowed`() throws {
    var engine = PageEngine()
    let answer = try PageValue(cbor: engine.answer(PageValue.map([.init("ask", .text("settings"))]).cbor))
    let expected: [Text: Double] = [
      "alarm_cycle_s": 10, "default_sleep_s": 10, "default_radius_m": 50, "maximum_speed_m_s": 45,
      "danger_margin_m": 50, "distance_filter_m": 50, "close_region_timeout_s": 900,
      "map_selector_range_km": 500,
      "zone_map_range_km": 50, "reminder_radius_m": 150,
    ]
    let list = try #require(answer["settings"]?.list)
    #expect(list.count == expected.count)
    for setting in list {
      let name = try #require(setting["name"]?.text)
      let byDefault = try #require(setting["default"]?.number)
      #expect(byDefault == expected[name], "\(name)")
      #expect(try #require(setting["least"]?.number) <= byDefault && byDefault <= (setting["most"]?.number)!)
    }
  }

  @Test func `the cycle time that is set is the time between two rings`() throws {
    var page = try OpenedPage(settings: [.init("alarm_cycle_s", .integer(45))])
    let report = try page.fix(east: 10, at: 1)
    #expect(report["next_due_ms"]?.integer == OpenedPage.start + 1000 + 45_000)
  }

  @Test(arguments: PageSetting.allCases) func `what is out of range is refused by name`(
    setting: PageSetting
  ) throws {
    for (value, why) in [
      (setting.allowed.lowerBound.nextDown, "out_of_range"),
      (setting.allowed.upperBound.nextUp, "out_of_range"),
      (.infinity, "wrong_kind"), (.nan, "wrong_kind"),
    ] as [(Double, Text)] {
      var engine = PageEngine()
      let request: [PageValue.Entry] = [
        .init("ask", .text("open")), .init("device", .text("00000000000000d1")), .init("now_ms", .integer(0)),
        .init("settings", .map([.init(setting.name, .number(value))])),
      ]
      let answer = try PageValue(cbor: engine.answer(PageValue.map(request).cbor))
      #expect(answer["refused"]?["field"]?.text == setting.name)
      #expect(answer["refused"]?["why"]?.text == why)
    }
  }

  @Test func `what is about to be kept is checked without being opened`() throws {
    var engine = PageEngine()
    func check(_ values: [PageValue.Entry]) throws -> PageValue {
      try PageValue(cbor: engine.answer(PageValue.map([.init("ask", .text("check"))] + values).cbor))
    }
    let good = try check([.init("zones", .list([ZoneForm.form(of: OpenedPage.zone)]))])
    #expect(good == .map([.init("zones", .integer(1)), .init("reminders", .integer(0))]))
    let bad = try check([.init("reminders", .list([.map([.init("id", .text("e1"))])]))])
    #expect(bad["refused"]?["field"]?.text == "id")
    let unset = try check([.init("settings", .map([.init("alarm_cycle_s", .text("ten"))]))])
    #expect(unset["refused"]?["field"]?.text == "alarm_cycle_s")
  }
}
