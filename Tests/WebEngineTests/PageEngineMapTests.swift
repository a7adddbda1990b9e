import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import WebEngine

@Suite("Zones on a map (S45, S46)")
struct PageEngineMapTests {
  private static let now = PageValue.Entry("now_ms", .integer(OpenedPage.start + 2000))

  private static func zone(_ id: UInt64, _ latitude: Double, _ longitude: Double) -> Zone {
    Zone.valid(
      id: ZoneID(rawValue: id), name: "z", category: "A \"quoted\" \\ \n ü", size: .metres(100),
      outline: .locations([Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))]))
  }

  @Test func `pins come in batches until there are no more`() throws {
    var page = try OpenedPage(zones: (1...25).map { Self.zone($0, 50 + Double($0) / 10, 13) })
    var from: Int64? = 0
    var latitudes: [Double] = []
    var batches = 0
    while let start = from {
      let answer = try page.ask(
        "map_pins", [.init("from", .integer(start)), .init("count", .integer(10)), Self.now])
      let features = try MapFeatures(try #require(answer["features"]?.bytes))
      latitudes += features.points.map { $0.latitude }
      #expect(features.property("category").allSatisfy { $0 == "A \"quoted\" \\ \n ü" })
      from = answer["next"]?.integer
      batches += 1
    }
    #expect(batches == 3)
    #expect(latitudes.sorted() == (1...25).map { 50 + Double($0) / 10 })
  }

  @Test(arguments: [
    ([51.9, 12.9, 52.1, 13.1], 1), ([51.9, 13.01, 52.1, 13.1], 0), ([51.9, 13.001, 52.1, 13.1], 1),
    ([52.01, 12.9, 52.1, 13.1], 0), ([51.9, 372.9, 52.1, 373.1], 1), ([-90.0, -180.0, 90, 180], 1),
  ])
  func `lines are those of the zones in view`(view: [Double], count: Int) throws {
    var page = try OpenedPage()
    func lines(_ least: Double) throws -> [String] {
      let answer = try page.ask(
        "map_lines",
        [
          .init("view", .list(view.map { .number($0) })), .init("tolerance_m", .number(1)),
          .init("least_m", .number(least)), Self.now,
        ])
      return try MapFeatures(try #require(answer["features"]?.bytes)).kinds
    }
    #expect(try lines(10) == (count == 1 ? ["alert", "effective"] : []))
    #expect(try lines(1000) == [])
  }

  @Test func `what a zone is doing is said with it`() throws {
    var page = try OpenedPage(zones: [OpenedPage.zone, Self.zone(9, 52, 14)])
    func states() throws -> [String] {
      let answer = try page.ask("map_pins", [Self.now])
      return try MapFeatures(try #require(answer["features"]?.bytes)).property("state")
    }
    #expect(try states() == ["on", "on"])
    let report = try page.fix(east: 10, at: 1)
    #expect(try states() == ["ringing", "on"])
    let alarm = try #require(report["alarms"]?.list?.first?["alarm"])
    _ = try page.ask("command", [.init("command", .text("sleep")), .init("alarm", alarm), Self.now])
    #expect(try states() == ["asleep", "on"])
    var off = OpenedPage.zone
    off.change { $0.active = false }
    _ = try page.ask("replace_zones", [.init("zones", .list([ZoneForm.form(of: off)])), Self.now])
    #expect(try states() == ["off"])
  }

  @Test func `a view that is none is refused`() throws {
    var page = try OpenedPage()
    for view: [PageValue] in [
      [], [.number(1)], [.number(10), .number(0), .number(5), .number(1)],
      [.number(0), .number(5), .number(1), .number(5)], [.number(-91), .number(0), .number(0), .number(1)],
      [.number(0), .text("x"), .number(0), .number(1)],
    ] {
      let answer = try page.ask("map_lines", [.init("view", .list(view)), Self.now])
      #expect(answer["refused"]?["field"] == .text("view"))
    }
  }
}
