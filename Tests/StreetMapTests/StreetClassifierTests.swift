import Formats
import Testing

@testable import StreetMap

@Suite("What is drawn of an extract")
struct StreetClassifierTests {
  private static let line = Array(#"{"type":"LineString","coordinates":[[14,46],[14.1,46]]}"#.utf8)
  /// 0.1 degrees wide and high: 77 square kilometres.
  private static let square = Array(
    #"{"type":"Polygon","coordinates":[[[14,46],[14.1,46],[14.1,46.1],[14,46.1],[14,46]]]}"#.utf8)

  private func drawn(_ shape: ExtractFeature.Shape, _ tags: [String: String]) -> [String] {
    let geometry = shape == .line ? Self.line : Self.square
    let feature = ExtractFeature(id: 7, shape: shape, geometry: geometry, tags: tags)
    return StreetClassifier.features(of: feature).map {
      "\($0.layer) \($0.zoom) \(JSONValue.object($0.attributes).text)"
    }
  }

  @Test func `a road is drawn, and its name apart`() {
    #expect(
      drawn(.line, ["highway": "primary", "name": "Cesta", "ref": "R1", "bridge": "yes", "tunnel": "no"]) == [
        #"road 8 {"kind":"primary","bridge":1}"#,
        #"road_name 10 {"kind":"primary","name":"Cesta","ref":"R1"}"#,
      ])
    #expect(drawn(.line, ["highway": "steps"]) == [#"road 13 {"kind":"steps"}"#])
    #expect(drawn(.line, ["highway": "proposed"]).isEmpty)
    // Such a way is drawn as an area instead.
    #expect(drawn(.line, ["highway": "pedestrian", "area": "yes"]).isEmpty)
    #expect(drawn(.area, ["highway": "pedestrian", "area": "yes"]) == [#"ground 14 {"kind":"square"}"#])
  }

  @Test func `rails, water, boundaries and piers`() {
    #expect(drawn(.line, ["railway": "rail", "service": "yard"]) == [#"rail 13 {"kind":"rail","siding":1}"#])
    #expect(
      drawn(.line, ["waterway": "stream", "name": "Bela"]) == [
        #"waterway 13 {"kind":"stream","name":"Bela"}"#
      ])
    #expect(drawn(.line, ["boundary": "administrative", "admin_level": "2"]) == [#"boundary 4 {"level":2}"#])
    #expect(drawn(.line, ["boundary": "administrative", "admin_level": "2", "natural": "coastline"]).isEmpty)
    for level in ["", "0", "9", "99999999999999999999", "two"] {
      #expect(drawn(.line, ["boundary": "administrative", "admin_level": level]).isEmpty)
    }
    #expect(drawn(.line, ["man_made": "pier"]) == ["pier 13 {}"])
  }

  @Test func `areas come at the zoom at which they are to be seen`() {
    #expect(
      drawn(.area, ["natural": "water", "name": "Jezero"]) == [
        #"water 7 {"kind":"lake","name":"Jezero"}"#, #"water_name 9 {"name":"Jezero"}"#,
      ])
    #expect(drawn(.area, ["landuse": "forest"]) == [#"ground 7 {"kind":"wood"}"#])
    #expect(drawn(.area, ["landuse": "residential"]) == [#"ground 8 {"kind":"town"}"#])
    // Water takes precedence over its use.
    #expect(drawn(.area, ["natural": "water", "leisure": "park"]).first == #"water 7 {"kind":"lake"}"#)
  }

  @Test func `a house has its building, its number and what is in it`() {
    #expect(
      drawn(
        .area,
        [
          "building": "yes", "addr:housenumber": "12a", "addr:street": "Cesta", "shop": "bakery",
          "name": "Zora",
        ]) == [
          #"building 13 {"name":"Zora"}"#, #"house 14 {"number":"12a","street":"Cesta"}"#,
          #"point 14 {"kind":"shop","name":"Zora","rank":8}"#,
        ])
    #expect(drawn(.area, ["building": "no"]).isEmpty)
    #expect(drawn(.area, ["shop": "vacant", "name": "Empty"]).isEmpty)
  }

  @Test func `places and points have names, peaks their height`() {
    #expect(
      drawn(.point, ["place": "town", "name": "Μετσοβο"]) == [
        #"place 8 {"kind":"town","name":"Μετσοβο","rank":2}"#
      ])
    #expect(drawn(.point, ["place": "town"]).isEmpty)
    #expect(drawn(.point, ["shop": "bakery"]).isEmpty)
    #expect(
      drawn(.point, ["natural": "peak", "ele": "2864.0 m"]) == [
        #"point 11 {"kind":"peak","rank":3,"height":2864}"#
      ])
    for nonsense in ["", "high", "9e99", "-99999", "1.2.3"] {
      #expect(drawn(.point, ["natural": "peak", "ele": nonsense]) == [#"point 11 {"kind":"peak","rank":3}"#])
    }
    #expect(
      drawn(.point, ["railway": "station", "station": "subway", "name": "U"])
        == [#"point 13 {"kind":"subway","name":"U","rank":2}"#])
  }

  @Test func `lines of an extract are read, and what is none is refused`() throws {
    let text =
      #"{"type":"Feature","id":"w12","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"name":"a \"geometry\":{ b","lanes":2}}"#
    let read = try #require(try ExtractFeature(line: Array(text.utf8)))
    #expect(read.id == 12 && read.shape == .line && read.tags == ["name": #"a "geometry":{ b"#])
    #expect(
      String(decoding: read.geometry, as: UTF8.self) == #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#)
    let other = text.replacing("LineString", with: "MultiLineString")
    #expect(try ExtractFeature(line: Array(other.utf8)) == nil)
    for end in 0..<text.utf8.count {
      #expect(throws: (any Error).self) { try ExtractFeature(line: Array(text.utf8.prefix(end))) }
    }
  }

  @Test func `the middle of an area is within it`() throws {
    // A horseshoe, whose centre of mass is outside.
    let shoe = try ExtractGeometry(
      Array(
        #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[7,9],[7,2],[2,2],[2,9],[0,9],[0,0]]]}"#.utf8))
    #expect(shoe.middle == .init(1, 4.5))
    // A hole in the middle.
    let ring = try ExtractGeometry(
      Array(
        #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[7,1],[7,8],[1,8],[1,1]]]}"#
          .utf8))
    #expect(ring.middle == .init(8, 4.5))
    for broken in [
      "{}", #"{"type":"Polygon"}"#, #"{"type":"Point","coordinates":[200,0]}"#,
      #"{"type":"Point","coordinates":["x",0]}"#, #"{"type":"Circle","coordinates":[0,0]}"#,
    ] {
      #expect(throws: (any Error).self) { try ExtractGeometry(Array(broken.utf8)) }
    }
    #expect(try ExtractGeometry(Array(#"{"type":"Polygon","coordinates":[[]]}"#.utf8)).middle == nil)
  }
}
