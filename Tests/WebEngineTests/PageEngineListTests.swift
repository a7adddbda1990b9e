import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import WebEngine

@Suite("The list of zones (S55-S57)")
struct PageEngineListTests {
  private static let now = PageValue.Entry("now_ms", .integer(OpenedPage.start + 2000))

  private static func zone(
    _ id: UInt64, _ name: Text, _ category: Text, _ priority: Int32, east: Double
  ) -> Zone {
    var zone = Zone.valid(
      id: ZoneID(rawValue: id), name: name, category: category, priority: priority, size: .metres(50),
      outline: .locations([
        Geodesic.destination(
          from: Coordinate(latitude: .degrees(52), longitude: .degrees(13)), azimuth: .degrees(90),
          distance: .metres(east))
      ]))
    zone.change { $0.active = id != 3 }
    return zone
  }

  private func opened() throws -> OpenedPage {
    var page = try OpenedPage(zones: [
      Self.zone(1, "b", "x", 0, east: 3000), Self.zone(2, "a", "y", 5, east: 9000),
      Self.zone(3, "c", "x", 9, east: 1000), Self.zone(4, "Über", "", 2, east: 5000),
      Zone.valid(
        id: ZoneID(rawValue: 5), name: "nowhere",
        outline: .locations(.init(repeating: AlarmStory.place(east: 0), count: 3))),
    ])
    _ = try page.fix(east: 0, at: 1)
    return page
  }

  /// The list, each group as `group: names`.
  private func list(_ page: inout OpenedPage, _ values: [PageValue.Entry]) throws -> [String] {
    let answer = try page.ask("list", values + [Self.now])
    return try (answer["groups"]?.list ?? []).map { group in
      let rows =
        try page.ask("rows", [.init("ids", try #require(group["ids"])), Self.now])["rows"]?.list ?? []
      let names = rows.map { $0["name"]?.text?.string ?? $0["why"]?.text?.string ?? "?" }
      return "\(group["name"]?.text?.string ?? "?"): \(names.joined(separator: " "))"
    }
  }

  @Test(arguments: [
    ("active", "distance", ["on: b Über a", "off: c"]), ("active", "name", ["on: a b Über", "off: c"]),
    ("active", "priority", ["on: a Über b", "off: c"]), ("active", "category", ["on: Über b a", "off: c"]),
    ("category", "distance", ["x: b", "y: a", ": Über", "off: c"]),
    ("category", "name", ["x: b", "y: a", ": Über", "off: c"]),
    ("category", "category", ["x: b", "y: a", ": Über", "off: c"]),
    ("priority", "distance", ["critical: c a", "high: Über", "low: b"]),
  ])
  func `is grouped and ordered as asked for`(group: String, order: String, expected: [String]) throws {
    var page = try opened()
    let list = try list(&page, [.init("group", .text(Text(group))), .init("order", .text(Text(order)))])
    #expect(list == expected + ["refused: too_few_places"])
  }

  /// Sorted character by character, 10 came before 2, and every capital letter before every small one.
  @Test(arguments: ["name", "priority", "category", "distance"])
  func `numbers in names are in order as numbers`(order: String) throws {
    let names: [Text] = [
      "Danger 100", "danger 2", "Danger 10", "Danger 1", "Danger 002 b", "Danger", "Danger 0", "Danger 1 b",
      "Ärger 10", "Ärger 9",
    ]
    // All at one place, so that distance does not order them.
    var page = try OpenedPage(
      zones: names.enumerated().map { Self.zone(UInt64($0.offset + 10), $0.element, "x", 1, east: 3000) })
    _ = try page.fix(east: 0, at: 1)
    #expect(
      try list(&page, [.init("order", .text(Text(order)))]) == [
        "on: Danger Danger 0 Danger 1 Danger 1 b danger 2 Danger 002 b Danger 10 Danger 100 Ärger 9 Ärger 10"
      ])
  }

  @Test(arguments: [
    ("B", ["on: b Über"]), ("über", ["on: Über"]), ("ÜBER", ["on: Über"]), ("x c", ["off: c"]),
    ("nothing", []),
  ])
  func `a search finds names and categories, whatever the size of letters`(
    words: String, expected: [String]
  ) throws {
    var page = try opened()
    #expect(try list(&page, [.init("search", .text(Text(words)))]) == expected)
  }

  @Test func `a zone that sleeps has a group of its own`() throws {
    var page = try opened()
    let alarm = try #require(try page.fix(east: 3000, at: 3600)["alarms"]?.list?.first?["alarm"])
    _ = try page.ask(
      "command",
      [
        .init("command", .text("inside")), .init("alarm", alarm),
        .init("now_ms", .integer(OpenedPage.start + 3_601_000)),
      ])
    #expect(try list(&page, []).prefix(2) == ["on: Über a", "asleep: b"])
  }

  @Test func `by category, what is off comes last, whatever a category is called (S55-S57)`() throws {
    var page = try OpenedPage(zones: [
      Self.zone(1, "b", "off", 0, east: 3000), Self.zone(2, "a", "off", 5, east: 9000),
      Self.zone(3, "c", "off", 9, east: 1000),
    ])
    #expect(
      try list(&page, [.init("group", .text("category")), .init("order", .text("category"))]) == [
        "off: a b", "off: c",
      ])
    let groups = try page.ask("list", [.init("group", .text("category")), Self.now])["groups"]?.list
    #expect(groups?.map { $0["off"] } == [nil, .bool(true)])
  }

  @Test func `unknown words are refused`() throws {
    var page = try opened()
    for key: Text in ["order", "group"] {
      #expect(try page.ask("list", [.init(key, .text("size")), Self.now])["refused"]?["field"] == .text(key))
    }
    #expect(try page.ask("rows", [.init("ids", .list([.text("zz")])), Self.now])["refused"] != nil)
    #expect(
      try page.ask("rows", [.init("ids", .list([.text("00000000000000ff")])), Self.now])["rows"] == .list([]))
  }

  @Test func `near a place are also the zones that do not watch`() throws {
    var page = try opened()
    let rows = try page.ask(
      "locate", [.init("place", .list([.integer(52), .integer(13)])), .init("count", .integer(2)), Self.now])[
        "rows"]
    #expect(rows?.list?.map { $0["name"]?.text?.string } == ["c", "b"])
  }
}
