import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import WebEngine

@Suite("Editing a zone (S62-S63, S69-S78)")
struct PageEngineEditingTests {
  private func place(_ value: PageValue?) throws -> Coordinate {
    try ZoneForm.place(try #require(value), "place")
  }

  @Test func `a zone begins with the defaults of the product`() throws {
    var page = try OpenedPage(zones: [])
    let answer = try page.ask(
      "fresh", [.init("id", .text("00000000000000aa")), .init("place", .list([.integer(52), .integer(13)]))])
    let zone = try ZoneForm.zone(try #require(answer["zone"]), fresh: nil)
    #expect(zone.outline == .locations([Coordinate(latitude: .degrees(52), longitude: .degrees(13))]))
    #expect(zone.name.isEmpty, "names are the page's, in the reader's language")
    #expect(zone.active && zone.vibrate && zone.size == nil && zone.sleepTime == nil)
    #expect(answer["defaults"]?["size_m"] == .number(50))
    #expect(answer["defaults"]?["sleep_s"] == .number(10))
    // Values within the stated limits are accepted, values beyond them are refused.
    for key: Text in ["size_m", "inset_m", "alert_distance_m", "sleep_s", "lead_s", "priority"] {
      let limit = try #require(answer["limits"]?[key]?.list?.compactMap { $0.number })
      func takes(_ number: Double) -> Bool {
        (try? ZoneForm.draft(.map([.init(key, .number(number))]), fresh: ZoneID(rawValue: 1))) != nil
      }
      #expect(takes(limit[0]) && takes(limit[1]))
      #expect(!takes(limit[0] - 1) && !takes(limit[1] + 1))
    }
  }

  @Test(arguments: [(1.0, 0.0), (-10, 0), (0, 1), (0, -10), (30, -40)])
  func `a place is moved by metres, also across the antimeridian`(north: Double, east: Double) throws {
    var page = try OpenedPage(zones: [])
    for start in [(52.0, 13.0), (-10, 180), (0, -180)] {
      let from = Coordinate(latitude: .degrees(start.0), longitude: .degrees(start.1))
      let moved = try page.ask(
        "shift",
        [
          .init("place", EventForm.place(from)), .init("north_m", .number(north)),
          .init("east_m", .number(east)),
        ])
      let way = Geodesic(from: from, to: try place(moved["place"]))
      #expect(abs(way.length.metres - (north * north + east * east).squareRoot()) < 1e-3)
    }
  }

  @Test func `a circle becomes an area of its size, and a circle again`() throws {
    var page = try OpenedPage(zones: [])
    func reshape(_ zone: Zone, _ kind: Text) throws -> Zone {
      let answer = try page.ask(
        "reshape", [.init("zone", ZoneForm.form(of: zone)), .init("to", .text(kind))])
      return try ZoneForm.zone(try #require(answer["zone"]), fresh: nil)
    }
    let area = try reshape(OpenedPage.zone, "area")
    guard case .locations(let corners) = area.outline else { return #expect(Bool(false)) }
    #expect(corners.count == 6)
    for corner in corners {
      #expect(
        abs(corner.distance(to: Coordinate(latitude: .degrees(52), longitude: .degrees(13))).metres - 100)
          < 1e-6)
    }
    #expect(try reshape(area, "area") == area)
    let circle = try reshape(area, "circle")
    guard case .locations(let centers) = circle.outline else { return #expect(Bool(false)) }
    #expect(centers.count == 1)
    #expect(abs(try #require(circle.size).metres - 100) < 3)
    let path = try reshape(area, "path")
    #expect(path.outline == .path(corners))
    #expect(try reshape(path, "path") == path)
    #expect(try reshape(path, "area").outline == .locations(corners))
    guard case .path(let ends) = try reshape(OpenedPage.zone, "path").outline else {
      return #expect(Bool(false))
    }
    #expect(ends.count == 2)
  }

  @Test func `an area with parts and a hole stays as it is as an area`() throws {
    func square(_ size: Double, east: Double = 0) throws -> Ring {
      try Ring(
        [(-size, -size), (-size, size), (size, size), (size, -size)].map {
          Coordinate(latitude: .degrees(52 + $0), longitude: .degrees(13 + east + $1))
        })
    }
    var page = try OpenedPage(zones: [])
    var zone = OpenedPage.zone.draft
    let parts = [
      Polygon.Part(outer: try square(0.01), holes: [try square(0.005)]),
      Polygon.Part(outer: try square(0.02, east: 1)),
    ]
    zone.outline = .area(Polygon(parts: parts, edges: .geodesic))
    let form = ZoneForm.form(of: zone)
    #expect(try page.ask("reshape", [.init("zone", form), .init("to", .text("area"))])["zone"] == form)
  }

  @Test func `nothing can be made of a zone without a place`() throws {
    var page = try OpenedPage(zones: [])
    let empty = ZoneDraft(id: ZoneID(rawValue: 1), name: .empty, outline: .locations([]))
    let answer = try page.ask(
      "reshape", [.init("zone", ZoneForm.form(of: empty)), .init("to", .text("area"))])
    #expect(answer["refused"]?["field"] == .text("zone"))
    let odd = try page.ask(
      "reshape", [.init("zone", ZoneForm.form(of: OpenedPage.zone)), .init("to", .text("star"))])
    #expect(odd["refused"]?["field"] == .text("to"))
  }
}
