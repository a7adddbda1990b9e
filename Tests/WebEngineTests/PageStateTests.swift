import AlarmEngine
import Geometry
import Testing

@testable import WebEngine

@Suite("Page state")
struct PageStateTests {
  private func kind(_ report: PageValue) -> [Text?] {
    [report["state"]?["kind"]?.text, report["state"]?["why"]?.text]
  }
  private func now(_ seconds: Int64) -> PageValue.Entry {
    .init("now_ms", .integer(OpenedPage.start + seconds * 1000))
  }

  @Test func `what the page says of the device decides, and no row says otherwise`() throws {
    var page = try OpenedPage()
    var report = try page.ask("advance", [now(0), .init("positioning", .text("asking"))])
    #expect(kind(report) == ["cannot_watch", "no_position"])
    report = try page.fix(east: 1000, at: 1)
    #expect(kind(report) == ["watching", nil])
    #expect(report["state"]?["guarantee"]?["why"]?.text == "only_while_visible")
    report = try page.ask("advance", [now(2), .init("positioning", .text("denied"))])
    #expect(kind(report) == ["cannot_watch", "not_authorized"])
    let promise = try #require(report["nearest"]?.list?.first?["guarantee"])
    #expect(promise["kind"]?.text == "not_watched" && promise["why"]?.text == "not_authorized")
    report = try page.ask("advance", [now(3), .init("positioning", .text("granted"))])
    #expect(kind(report) == ["watching", nil])
    #expect(report["nearest"]?.list?.first?["guarantee"]?["kind"]?.text == "best_effort")
    let refused = try page.ask("advance", [now(3), .init("positioning", .text("maybe"))])["refused"]
    #expect(refused?["field"]?.text == "positioning" && refused?["why"]?.text == "unknown_word")
  }

  @Test func `without zones, or with all of them off, nothing is said to be watched`() throws {
    var page = try OpenedPage(zones: [])
    #expect(kind(try page.fix(east: 0, at: 1)) == ["cannot_watch", "no_zones"])
    var zone = OpenedPage.zone
    zone.change { $0.active = false }
    page = try OpenedPage(zones: [zone])
    #expect(kind(try page.fix(east: 0, at: 1)) == ["cannot_watch", "zones_off"])
    page = try OpenedPage(armed: false)
    #expect(kind(try page.fix(east: 0, at: 1)) == ["off", nil])
  }

  @Test func `a position is asked for after a minute, and after two without one nothing is watched`() throws {
    var page = try OpenedPage()
    var report = try page.fix(east: 1000, at: 1)
    #expect(report["next_due_ms"]?.integer == OpenedPage.start + 61_000)
    #expect(report["wants_fix"] == .bool(false))
    report = try page.ask("advance", [now(61)])
    #expect(report["wants_fix"] == .bool(true))
    #expect(kind(report) == ["watching", nil])
    #expect(report["next_due_ms"]?.integer == OpenedPage.start + 91_000)
    // Asked for only once, even if queried again.
    #expect(try page.ask("advance", [now(62)])["wants_fix"] == .bool(false))
    #expect(try page.ask("advance", [now(91)])["wants_fix"] == .bool(true))
    report = try page.ask("advance", [now(121)])
    #expect(kind(report) == ["cannot_watch", "position_too_old"])
    #expect(report["state"]?["age_s"]?.number == 120)
    report = try page.fix(east: 990, at: 130)
    #expect(kind(report) == ["watching", nil])
  }

  @Test func `a position is asked for at the end of a stay that a position has to decide`() throws {
    var zone = OpenedPage.zone
    zone.change { $0.trigger = .dwell(.seconds(80)) }
    var page = try OpenedPage(zones: [zone])
    _ = try page.fix(east: 0, at: 1)
    var report = try page.fix(east: 0, at: 31)
    #expect(report["next_due_ms"]?.integer == OpenedPage.start + 81_000)
    report = try page.ask("advance", [now(81)])
    #expect(report["wants_fix"] == .bool(true))
    report = try page.fix(east: 0, at: 82)
    #expect(kind(report) == ["ringing", nil])
  }

  @Test func `a page that was out of view waits for a position, after a moment away it need not`() throws {
    var page = try OpenedPage()
    _ = try page.fix(east: 1000, at: 1)
    func look(_ visible: Bool, at seconds: Int64) throws -> [Text?] {
      kind(try page.ask("visibility", [now(seconds), .init("visible", .bool(visible))]))
    }
    #expect(try look(false, at: 2) == ["cannot_watch", "hidden"])
    #expect(try look(true, at: 5) == ["watching", nil])
    #expect(try look(false, at: 6) == ["cannot_watch", "hidden"])
    #expect(try look(true, at: 30) == ["cannot_watch", "awaiting_position"])
    #expect(kind(try page.fix(east: 1000, at: 31)) == ["watching", nil])
  }

  @Test func `a clock that was set back is told until it has caught up`() throws {
    var page = try OpenedPage()
    _ = try page.fix(east: 1000, at: 100)
    #expect(kind(try page.ask("advance", [now(97)])) == ["watching", nil])
    #expect(kind(try page.ask("advance", [now(10)])) == ["cannot_watch", "clock_set_back"])
  }

  @Test func `it rings as long as an alarm sounds again, and for phones whatever this device does`() throws {
    var page = try OpenedPage()
    var report = try page.fix(east: 140, at: 60)
    #expect(kind(report) == ["ringing", nil])
    let alarm = try #require(report["alarms"]?.list?.first?["alarm"])
    report = try page.ask("command", [.init("command", .text("close")), .init("alarm", alarm), now(61)])
    #expect(kind(report) == ["ringing", nil], "closed it goes on sounding")
    report = try page.ask("command", [.init("command", .text("sleep")), .init("alarm", alarm), now(62)])
    #expect(kind(report) == ["watching", nil])
    report = try page.ask("command", [.init("command", .text("deactivate")), now(63)])
    #expect(kind(report) == ["off", nil])
    report = try page.ask("advance", [now(64), .init("phones_ringing", .integer(2))])
    #expect(kind(report) == ["ringing", nil])
    #expect(report["state"]?["own"] == .integer(0) && report["state"]?["phones"] == .integer(2))
  }

  @Test func `who walks away from a zone that rings is not said to come nearer`() throws {
    var page = try OpenedPage()
    func nearing(_ metres: Double, _ seconds: Int64) throws -> PageValue? {
      try page.fix(east: metres, at: seconds)["alarms"]?.list?.first?["nearing"]
    }
    #expect(try nearing(145, 60) == .bool(true))
    #expect(try nearing(120, 70) == .bool(true))
    // A fix with jitter does not count as a turn.
    #expect(try nearing(126, 75) == .bool(true))
    #expect(try nearing(140, 80) == .bool(false))
    #expect(try nearing(136, 85) == .bool(false))
    #expect(try nearing(115, 90) == .bool(true))
  }

  @Test func `the engine tells its version`() throws {
    var page = try OpenedPage()
    #expect(try page.ask("version")["version"]?.text == ProductVersion.text)
  }
}
