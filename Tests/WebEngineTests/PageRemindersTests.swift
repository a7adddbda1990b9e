import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import WebEngine

@Suite("Reminders of a page")
struct PageRemindersTests {
  private static let reminder = PageValue.map([
    .init("id", .text("00000000000000e1")), .init("title", .text("Bread")),
    .init(
      "places",
      .list([
        .map([.init("name", .text("Bakery")), .init("place", .list([.number(52), .number(13)]))])
      ])),
  ])

  private func added() throws -> OpenedPage {
    var page = try OpenedPage(armed: false, zones: [])
    let report = try page.ask(
      "remind",
      [
        .init("command", .text("add")), .init("reminder", Self.reminder),
        .init("now_ms", .integer(OpenedPage.start)),
      ])
    #expect(report["listens"] == .bool(true))
    return page
  }

  @Test func `positions are of use only while zones are armed or a reminder waits`() throws {
    var page = try added()
    let done = try page.ask(
      "remind",
      [
        .init("command", .text("complete")), .init("id", .text("00000000000000e1")),
        .init("now_ms", .integer(OpenedPage.start + 1)),
      ])
    #expect(done["listens"] == .bool(false))
    let armed = try page.ask(
      "command",
      [.init("command", .text("activate")), .init("now_ms", .integer(OpenedPage.start + 2))])
    #expect(armed["listens"] == .bool(true))
  }

  /// A page that is reloaded, or whose settings change, does not repeat its announcements.
  @Test func `what is near stays near when the engine is opened anew`() throws {
    var page = try added()
    let near = try page.fix(east: 60, at: 5)
    #expect(near["effects"]?.list?.compactMap { $0["effect"]?.text } == ["notify"])
    func opened(_ more: [PageValue.Entry]) throws -> OpenedPage {
      var again = try OpenedPage(armed: false, zones: [])
      let report = try again.ask(
        "open",
        [
          .init("device", .text("00000000000000d1")), .init("reminders", .list([Self.reminder])),
          .init("now_ms", .integer(OpenedPage.start + 6000)),
        ] + more)
      #expect(report["refused"] == nil)
      return again
    }
    var with = try opened([.init("nearby", near["nearby"]!)])
    #expect(try with.fix(east: 50, at: 7)["effects"] == .list([]))
    var without = try opened([])
    #expect(
      try without.fix(east: 50, at: 7)["effects"]?.list?.compactMap { $0["effect"]?.text } == ["notify"])
  }
}
