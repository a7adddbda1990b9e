import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Streets and towns among places")
struct StreetMergerTests {
  private static let street: OSMFile.Tags = [("highway", "residential"), ("name", "Lindenweg")]

  /// Two villages 10 km apart, each with parts of a street of the same name, and a third street far from
  /// both.
  private static func villages() -> [UInt8] {
    var file = OSMFile()
    file.addHeader()
    file.addBlock(nodes: [
      .init(1, 47.00, 9.5, [("place", "village"), ("name", "Oberdorf")]),
      .init(2, 47.09, 9.5, [("place", "village"), ("name", "Unterdorf")]),
      .init(3, 47.045, 9.5, [("place", "locality"), ("name", "A field")]),
      .init(10, 47.001, 9.500), .init(11, 47.001, 9.502), .init(12, 47.001, 9.506), .init(13, 47.002, 9.512),
      .init(20, 47.091, 9.500), .init(21, 47.091, 9.504), .init(30, 47.5, 9.9), .init(31, 47.5, 9.902),
    ])
    file.addBlock(
      ways: [
        .init(100, [10, 11], street), .init(101, [11, 12], street), .init(102, [12, 13], street),
        .init(103, [20, 21], street + [("addr:city", "Unterdorf am See")]),
        .init(104, [30, 31], street),
        .init(105, [10, 11], [("highway", "residential")]),
        .init(106, [10, 11], [("highway", "motorway"), ("name", "A 13")]),
        .init(107, [98, 99], [("highway", "path"), ("name", "Outside the extract")]),
        .init(108, [20, 21], [("highway", "pedestrian"), ("tourism", "attraction"), ("name", "Arcade")]),
      ], relations: [])
    return file.bytes
  }

  @Test func `the ways of a street are one place in each village`() throws {
    var places: [Place] = []
    let summary = try PlaceFile.read(data: Data(Self.villages()), name: "a.osm.pbf") { places.append($0) }
    #expect(places.map(\.id) == ["node/1", "node/2", "way/108", "way/100", "way/103", "way/104"])
    #expect(summary == PlaceFile.Summary(places: 6, unplaced: 1))
    #expect(
      places.map { $0.categories[0].word } == ["village", "village", "attraction"]
        + Array(repeating: "street", count: 3))
    #expect(places.map(\.address.city) == ["", "", "", "Oberdorf", "Unterdorf am See", ""])
    #expect(places[3].categories[0].tag == "highway=residential")
    // At the street's node nearest to the middle of its points.
    let middle = places[3].coordinate
    #expect(abs(middle.latitude.degrees - 47.001) < 1e-9 && abs(middle.longitude.degrees - 9.506) < 1e-9)
  }

  @Test func `streets of GeoJSON lie in settlements that come after them`() throws {
    let line = { (id: Int, from: Double, to: Double) in
      """
      {"type":"Feature","id":"w\(id)","properties":{"highway":"footway","name":"Quai"},
       "geometry":{"type":"LineString","coordinates":[[\(from),43.73],[\(to),43.73]]}}
      """
    }
    let suburb = """
      {"type":"Feature","id":"n1","properties":{"place":"suburb","name":"Port"},
       "geometry":{"type":"Point","coordinates":[7.42,43.73]}}
      """
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[\([line(5, 7.419, 7.421), line(6, 7.421, 7.423), suburb].joined(separator: ","))]}"
    var places: [Place] = []
    let summary = try PlaceFile.read(data: Data(text.utf8), name: "a.geojson") { places.append($0) }
    #expect(places.map(\.id) == ["node/1", "way/5"])
    #expect(places.last?.address.city == "Port")
    #expect(summary.places == 2 && summary.unplaced == 0)
  }

  @Test func `a street across the antimeridian is one street of its town`() throws {
    var merger = StreetMerger()
    let town = PlaceDraft.with([("place", "town"), ("name", "Taveuni")])
    merger.addSettlement(
      try #require(town.place(id: "node/1", at: Coordinate(latitudeDegrees: -16.8, longitudeDegrees: 179.99)))
    )
    let road = PlaceDraft.with([("highway", "primary"), ("name", "Coast Road")])
    let parts: [[StreetMerger.Point]] = [
      [(-16.8, 179.98), (-16.8, 179.999)], [(-16.8, -179.999), (-16.8, -179.99)], [],
    ]
    var areAdded: [Bool] = []
    for (number, part) in parts.enumerated() {
      areAdded.append(merger.add(id: "way/\(number + 1)", road, part))
    }
    #expect(areAdded == [true, true, false])
    let places = merger.places()
    #expect(places.map(\.id) == ["way/1"])
    #expect(places.first?.address.city == "Taveuni")
    #expect(abs(places.first?.coordinate.longitude.degrees ?? 0) > 179.99)
  }

  /// In any order of settlements, a street belongs to the one nearest in relation to its reach.
  @Test func `a street lies in the settlement that a search of all of them gives`() throws {
    for seed in Seeds.few(30) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let latitude = Double.random(in: -62...62, using: &generator)
      func coordinate() throws -> Coordinate {
        try Coordinate(
          latitudeDegrees: latitude + .random(in: -0.3...0.3, using: &generator),
          longitudeDegrees: 179.9 + .random(in: -0.4...0.09, using: &generator))
      }
      var merger = StreetMerger()
      var towns: [(name: String, coordinate: Coordinate, reach: Double)] = []
      for number in 0..<30 {
        let (kind, reach) = try #require(
          StreetMerger.reaches.sorted { $0.key < $1.key }.randomElement(using: &generator))
        let town = (name: "T\(number)", coordinate: try coordinate(), reach: reach.metres)
        towns.append(town)
        let draft = PlaceDraft.with([("place", kind), ("name", town.name)])
        merger.addSettlement(try #require(draft.place(id: "node/\(number)", at: town.coordinate)))
      }
      for number in 0..<40 {
        let at = try coordinate()
        let road = PlaceDraft.with([("highway", "road"), ("name", "R\(number)")])
        _ = merger.add(id: "way/\(number)", road, [(at.latitude.degrees, at.longitude.degrees)])
        let share = { (town: (name: String, coordinate: Coordinate, reach: Double)) in
          town.coordinate.distance(to: at).metres / town.reach
        }
        let nearest = towns.filter { share($0) <= 1 }.min { share($0) < share($1) }
        #expect(merger.places().last?.address.city == nearest?.name ?? "")
      }
    }
  }
}

extension PlaceDraft {
  fileprivate static func with(_ tags: [(key: String, value: String)]) -> PlaceDraft {
    var draft = PlaceDraft()
    for (key, value) in tags {
      if let tag = PlaceTag(key: key) { draft.add(tag, value) }
    }
    return draft
  }
}
