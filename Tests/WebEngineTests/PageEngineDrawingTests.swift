import AlarmEngine
import Geometry
import TestSupport
import Testing

@testable import WebEngine

/// A place given in hundredths of a degree from 52° N, 13° E.
private func place(_ north: Double, _ east: Double) -> Coordinate {
  Coordinate(latitude: .degrees(52 + north / 100), longitude: .degrees(13 + east / 100))
}

extension PageValue {
  fileprivate func features() throws -> MapFeatures {
    try MapFeatures(try #require(self["features"]?.bytes))
  }
}

@Suite("Drawing a zone (S79-S86)")
struct PageEngineDrawingTests {
  private func draw(_ zone: ZoneDraft) throws -> PageValue {
    var page = try OpenedPage(zones: [])
    return try page.ask("draw", [.init("zone", ZoneForm.form(of: zone)), .init("tolerance_m", .number(0.5))])
  }

  @Test func `a circle shows its area and its lines; an inset changes its radius`() throws {
    var zone = OpenedPage.zone.draft
    zone.inset = .metres(30)
    let drawing = try draw(zone)
    #expect(abs(try #require(drawing["area_m2"]?.number) - 31_416) < 400)
    #expect(drawing["shape"] == .text("circle"))
    #expect(drawing["never"] == .bool(false))
    #expect(drawing["refused_zone"] == .bool(false))
    let features = try drawing.features()
    #expect(features.kinds == ["alert", "effective", "drawn"])
    for (kind, radius) in [("alert", 120.0), ("effective", 70), ("drawn", 100)] {
      let ring = try #require(features.rings(kind).first)
      for point in ring {
        let place = Coordinate(latitude: .degrees(point.latitude), longitude: .degrees(point.longitude))
        let distance = Geodesic(from: Coordinate(latitude: .degrees(52), longitude: .degrees(13)), to: place)
          .length.metres
        #expect(abs(distance - radius) < 0.02)
      }
      #expect(ring.first == ring.last)
    }
    let top = try #require(drawing["top"]?.list?.first?.number)
    #expect(abs((top - 52) * 111_267 - 120) < 0.5)
  }

  @Test func `an inset that leaves nothing is named, one that splits is counted`() throws {
    var zone = OpenedPage.zone.draft
    zone.inset = .metres(100.5)
    #expect(try draw(zone)["never"] == .bool(true))

    // Two squares joined by a neck of 100 m.
    zone.outline = .locations(
      [
        (0.0, 0.0), (0.0, 1.0), (0.45, 1.0), (0.45, 2.0), (0.0, 2.0), (0.0, 3.0), (1.0, 3.0), (1.0, 2.0),
        (0.55, 2.0),
        (0.55, 1.0), (1.0, 1.0), (1.0, 0.0),
      ].map { place($0.0, $0.1) })
    zone.inset = .metres(20)
    #expect(try draw(zone)["pieces"] == .integer(1))
    zone.inset = .metres(80)
    let split = try draw(zone)
    #expect(split["pieces"] == .integer(2))
    #expect(split["never"] == .bool(false))
    #expect(try split.features().rings("effective").count == 2)
    zone.inset = .metres(-80)
    #expect(try draw(zone)["pieces"] == .integer(1))
  }

  @Test func `crossing edges are named, drawn, and refuse the zone`() throws {
    var zone = OpenedPage.zone.draft
    zone.outline = .locations([place(0, 0), place(0.1, 0.1), place(0, 0.1), place(0.1, 0)])
    let drawing = try draw(zone)
    #expect(drawing["crossings"] == .list([.list([.integer(0), .integer(2)])]))
    #expect(drawing["refused_zone"] == .bool(true))
    #expect(try drawing.features().kinds.filter { $0 == "crossing" }.count == 2)
    #expect(drawing["middles"]?.list?.count == 4)

    zone.outline = .locations([])
    #expect(try draw(zone)["problem"] == .text("no_locations"))
  }

  @Test func `a hole stays a hole, and counts for the area`() throws {
    func square(_ size: Double) throws -> Ring {
      try Ring([place(-size, -size), place(-size, size), place(size, size), place(size, -size)])
    }
    var zone = OpenedPage.zone.draft
    zone.outline = .area(
      Polygon(parts: [.init(outer: try square(1), holes: [try square(0.5)])], edges: .geodesic))
    let drawing = try draw(zone)
    let features = try drawing.features()
    #expect(features.areas("effective").map { $0.count } == [2])
    let side = 2 * 1112.0
    let expected = side * side * 0.6157 * 0.75
    #expect(abs(try #require(drawing["area_m2"]?.number) / expected - 1) < 0.02)
    #expect(drawing["middles"] == .list([]))
  }

  @Test func `the area of a circle does not depend on how far away it is looked at`() throws {
    var page = try OpenedPage(zones: [])
    var zone = OpenedPage.zone.draft
    zone.size = .metres(50)
    for tolerance in [0.5, 75, 5000] {
      let drawing = try page.ask(
        "draw", [.init("zone", ZoneForm.form(of: zone)), .init("tolerance_m", .number(tolerance))])
      #expect(abs(try #require(drawing["area_m2"]?.number) - 7853.98) < 0.1)
    }
  }

  @Test func `the area of a country is right to a percent, of a path it is its length times its width`()
    throws
  {
    var zone = OpenedPage.zone.draft
    func corner(_ latitude: Double, _ longitude: Double) -> Coordinate {
      Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
    }
    // About the size of Canada. The expected area between parallels and meridians has a closed form on the
    // ellipsoid.
    let ring = try Ring([corner(40, -140), corner(40, -60), corner(70, -60), corner(70, -140)])
    zone.edges = .lonLat
    zone.outline = .area(Polygon(parts: [.init(outer: ring)], edges: .lonLat))
    #expect(abs(try #require(try draw(zone)["area_m2"]?.number) / 1.689458e13 - 1) < 0.001)

    zone.edges = .geodesic
    zone.size = .metres(25)
    zone.outline = .path([place(0, 0), place(1, 0), place(2, 0)])
    let length = Geodesic(from: place(0, 0), to: place(2, 0)).length.metres
    #expect(
      abs(try #require(try draw(zone)["area_m2"]?.number) / (length * 50 + Double.pi * 625) - 1) < 0.001)
  }

  @Test func `lines go on across the antimeridian`() throws {
    var zone = OpenedPage.zone.draft
    zone.size = .kilometres(50)
    zone.outline = .locations([Coordinate(latitude: .degrees(0), longitude: .degrees(179.9))])
    let drawing = try draw(zone)
    #expect(try #require(drawing["east"]?.number) > 180.3)
    #expect(try #require(drawing["west"]?.number) < 179.6)
    for ring in try drawing.features().rings("effective") {
      for (a, b) in zip(ring, ring.dropFirst()) { #expect(abs(a.longitude - b.longitude) < 1) }
    }
  }

  @Test func `a circle around the pole is led along the edge of the map`() throws {
    var zone = OpenedPage.zone.draft
    zone.size = .kilometres(500)
    zone.outline = .locations([Coordinate(latitude: .degrees(89), longitude: .degrees(0))])
    let ring = try #require(try draw(zone).features().rings("effective").first)
    #expect(ring.contains { $0.latitude == 89.9 })
    let longitudes = ring.map { $0.longitude }
    #expect(abs((longitudes.max()! - longitudes.min()!) - 360) < 1)
  }

  @Test(arguments: [(0.5, 0.0, 1), (1.0, 0.5, 2), (0.5, 1.0, 3), (0.0, 0.5, 4)])
  func `a point is put into the nearest edge`(north: Double, east: Double, index: Int64) throws {
    var page = try OpenedPage(zones: [])
    var zone = OpenedPage.zone.draft
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    zone.outline = .locations(corners.map { place($0.0, $0.1) })
    // Just outside of an edge's midpoint.
    let point = place(north + (north - 0.5) * 0.1, east + (east - 0.5) * 0.1)
    let answer = try page.ask(
      "insertion", [.init("zone", ZoneForm.form(of: zone)), .init("place", EventForm.place(point))])
    // The edge from the first corner to the second is the western one.
    #expect(answer["index"]?.integer == index)
  }

  @Test(arguments: [(0.5, 1.1, 3), (0.5, 2.9, 5), (0.5, 4.1, 7), (0.45, 3.5, 9), (0.5, 3.35, 12)])
  func `in an area it is put into the nearest edge of any ring`(north: Double, east: Double, index: Int64)
    throws
  {
    var page = try OpenedPage(zones: [])
    var zone = OpenedPage.zone.draft
    let ring = { (corners: [(Double, Double)]) throws in try Ring(corners.map { place($0.0, $0.1) }) }
    zone.outline = .area(
      Polygon(
        parts: [
          .init(outer: try ring([(0, 0), (1, 0), (1, 1), (0, 1)])),
          .init(
            outer: try ring([(0, 3), (1, 3), (1, 4), (0, 4)]),
            holes: [try ring([(0.4, 3.4), (0.4, 3.6), (0.6, 3.6), (0.6, 3.4)])]),
        ], edges: .geodesic))
    let answer = try page.ask(
      "insertion",
      [.init("zone", ZoneForm.form(of: zone)), .init("place", EventForm.place(place(north, east)))])
    #expect(answer["index"]?.integer == index)
  }
}
