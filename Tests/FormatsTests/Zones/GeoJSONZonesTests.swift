import AlarmEngine
import Foundation
import Geometry
import Testing

@testable import Formats
@testable import ZoneFormats

@Suite("Zones from GeoJSON")
struct GeoJSONZonesTests {
  private func read(_ text: String) throws -> ZoneFile {
    try ZoneFile.read(data: Data(text.utf8), format: .geojson)
  }
  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: .degrees(latitude), longitude: .degrees(longitude))
  }

  @Test func `points, lines and polygons become circles, corridors and areas`() throws {
    let file = try read(
      """
      {"features": [
        {"type": "Feature", "properties": {"name": "a", "radius": 30},
         "geometry": {"type": "Point", "coordinates": [14.5, 46.05, 300]}},
        {"type": "Feature", "properties": {"title": "b"},
         "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}},
        {"type": "Feature", "properties": {"core_details": {"name": "c"}}, "id": 7,
         "geometry": {"type": "Polygon", "coordinates": [[[0,0],[9,0],[9,9],[0,0]], [[4,1],[5,1],[5,2],[4,1]]]}}
      ], "type": "FeatureCollection"}
      """)
    #expect(file.issues == [])
    #expect(file.zones.map { $0.name } == ["a", "b", "c"])
    #expect(file.zones[0].outline == .locations([place(46.05, 14.5)]) && file.zones[0].size == .metres(30))
    #expect(file.zones[1].outline == .path([place(2, 1), place(4, 3)]))
    guard case .area(let polygon) = file.zones[2].outline else {
      Issue.record("no area")
      return
    }
    #expect(polygon.edges == .lonLat && file.zones[2].edges == .lonLat)
    #expect(polygon.parts[0].outer.vertices == [place(0, 0), place(0, 9), place(9, 9)])
    #expect(polygon.parts[0].holes.count == 1)
  }

  @Test func `a feature of several points becomes as many zones with ids of their own`() throws {
    let file = try read(#"{"type":"MultiPoint","coordinates":[[1,2],[1,2],[3,4]]}"#)
    #expect(file.zones.count == 3 && Set(file.zones.map { $0.id }).count == 3)
  }

  @Test func `a mistyped property of ours is an error that names the right one, and the zone is read`() throws
  {
    let file = try read(
      """
      {"type":"Feature","properties":{"name":"Cliff","alarm_inset":-5,"alarm_alert_distance":120,"alarm_lead_time":30,
       "alarm_whatever_else":1,"alarm_priority":7,"foo":"bar"},
       "geometry":{"type":"Point","coordinates":[1,2]}}
      """)
    #expect(file.zones.count == 1 && file.zones[0].priority == 7)
    let errors = file.issues.filter { $0.severity == .error }.map(\.message)
    #expect(errors.count == 4, "\(errors)")
    for (given, meant) in [
      ("alarm_inset ", "alarm_inset_m?"), ("alarm_alert_distance ", "alarm_alert_distance_m?"),
      ("alarm_lead_time ", "alarm_lead_s?"),
    ] {
      let isNamed = errors.contains { $0.contains(given) && $0.hasSuffix("did you mean \(meant)") }
      #expect(isNamed, "\(given): \(errors)")
    }
  }

  @Test func `a bad feature leaves the others`() throws {
    let file = try read(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":null,"properties":{"name":"nowhere"}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[1,91]}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":["1 E",2]}},
      {"type":"Feature","geometry":{"type":"Point" "coordinates":[1,2]}},
      7,
      {"type":"Feature","geometry":{"type":"Point","coordinates":[true,2]}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}]}
      """)
    #expect(file.zones.count == 1)
    #expect(file.issues.allSatisfy { $0.severity == .error })
    #expect(file.issues.map { $0.line } == [2, 3, 4, 5, 6, 7])
    #expect(file.issues[1].message.contains("latitude 91.0 found, -90 to 90 allowed"))
  }

  @Test func `a file that ends too early keeps what was whole`() throws {
    let file = try read(
      #"{"type":"FeatureCollection","features":[{"type":"Point","coordinates":[1,2]},{"type":"Point","coo"#)
    #expect(file.zones.count == 1 && file.issues.count == 1)
  }

  @Test func `UTF-16 is read`() throws {
    let text =
      #"{"type":"Feature","properties":{"name":"é😀"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
      let file = try ZoneFile.read(data: try #require(text.data(using: encoding)), name: "a.geojson")
      #expect(file.zones.map { $0.name } == ["é😀"] && file.issues == [], "\(encoding)")
    }
  }

  @Test func `blanks part numbers, and a comma too many is no feature`() throws {
    let file = try read(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Point","coordinates":[1 2,3]},
      {"type":"Point",
        "coordinates":[1
        4,3]},
      ,{"type":"Point","coordinates":[ 1 , 2 ]},
      ]}
      """)
    #expect(file.zones.map { $0.outline } == [.locations([place(2, 1)])])
    let lines = file.issues.map { "\($0.severity) \($0.line ?? 0)" }
    #expect(lines == ["error 2", "error 5", "warning 6", "warning 7"])
    #expect(file.issues[1].message.contains(#"coordinates":[1   4,3]}" (a comma or ] expected)"#))
    #expect(file.issues.last?.message == "an extra comma found; it is passed over")
  }

  @Test func `brackets without end are refused, not followed`() throws {
    let deep = String(repeating: "[", count: 100_000)
    for text in [
      deep, #"{"type":"Polygon","coordinates":"# + deep, deep + String(repeating: "]", count: 100_000),
    ] {
      let file = try read(text)
      #expect(file.zones.isEmpty && file.issues.count == 1)
    }
    let nested = try read(
      #"{"type":"FeatureCollection","features":["# + String(repeating: "[", count: 70)
        + String(repeating: "]", count: 70) + #",{"type":"Point","coordinates":[1,2]}]}"#)
    #expect(nested.zones.count == 1 && nested.issues.count == 1)
  }

  @Test func `documents may follow one another, and chunks end anywhere`() throws {
    let text =
      "{\"type\":\"Point\",\"coordinates\":[1,2]}\n\u{1e}{\"type\":\"FeatureCollection\","
      + "\"features\":[{\"type\":\"Point\",\"coordinates\":[3,4]} , {\"type\":\"Point\",\"coordinates\":[5,6]}]}"
    #expect(try read(text).zones.count == 3)
    for size in 1...7 {
      var features = JSONSlicer(keys: ["features"])
      var found: [String] = []
      func note(_ item: JSONSlicer.Item) {
        switch item {
        case .element(let bytes, _), .document(let bytes, _, _):
          found.append(String(decoding: bytes, as: UTF8.self))
        case .nothing, .tooDeep, .tooLong, .cutOff: found.append("bad")
        }
      }
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        features.feed(Array(rest.prefix(size)), to: note)
        rest = rest.dropFirst(size)
      }
      features.finish(note)
      #expect(found.count == 4 && !found.contains("bad"), "\(size) at a time")
    }
  }
}

@Suite("JSON values")
struct ZoneJSONTests {
  @Test(arguments: [
    "", "{", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "[1 2]", "tru", "nul", "+1", ".5", "5.", "1e", "--1",
    "\"a", "\"\\x\"",
    "\"\\u12\"", "1e999", "[1]]", "NaN", "Infinity", "'a'",
  ])
  func `what is no JSON is refused`(text: String) {
    #expect(throws: JSONError.self) { try JSONValue.parse(Array(text.utf8)) }
  }

  @Test func `strings and numbers are what was written`() throws {
    let text =
      #" {"a":"\u00e9\ud83d\ude00\n\"\/","b":[-0.0,1e-3,9007199254740993,true,false,null],"a":"last"} "#
    let value = try JSONValue.parse(Array(text.utf8))
    #expect(value.members?.first?.1.string == "é😀\n\"/" && value["a"]?.string == "last")
    #expect(value["b"]?.list?[0].double?.sign == .minus && value["b"]?.list?[1].double == 0.001)
    #expect(value["b"]?.text == "[-0.0,0.001,9007199254740993,true,false,null]")
    #expect(try JSONValue.parse(Array(#""\ud83d""#.utf8)).string == "\u{fffd}")
  }

  @Test func `strings may hold line ends, and be Windows-1252`() throws {
    #expect(try JSONValue.parse([34, 97, 10, 9, 98, 34]).string == "a\n\tb")
    #expect(try JSONValue.parse([34, 97, 0x80, 34]).string == "a\u{20ac}")
  }

  @Test func `an error names its line and what was expected`() {
    #expect(throws: JSONError(message: "a comma or } expected", offset: 8, line: 8)) {
      try JSONValue.parse(Array("\n{\"a\":1\n:".utf8), line: 6)
    }
  }
}
