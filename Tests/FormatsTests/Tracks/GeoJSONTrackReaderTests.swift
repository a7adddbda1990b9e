import Testing

@testable import Formats

@Suite("GeoJSON tracks")
struct GeoJSONTrackReaderTests {
  private let two = "2026-11-21T11:32:05.000Z 47.5,8.25\n2026-11-21T11:32:06.000Z 47.75,8.25"

  @Test(arguments: [
    """
    {"type":"Feature","geometry":{"type":"LineString","coordinates":[[8.25,47.5],[8.25,47.75,400]]},
     "properties":{"coordTimes":["2026-11-21T11:32:05Z",1795260726]}}
    """,
    """
    \u{feff}{"type":"FeatureCollection","features":[{"type":"Feature","geometry":
     {"type":"MultiLineString","coordinates":[[[8.25,47.5]],[[8.25,47.75]]]},
     "properties":{"coordinateProperties":{"times":[["2026-11-21T11:32:05Z"],["2026-11-21T11:32:06Z"]]}}}]}
    """,
    """
    {"type":"LineString","coordinates":[[8.25,47.5,400,1795260725],[8.25,47.75,400,1795260726000]]}
    """,
    """
    {"type":"FeatureCollection","features":[
     {"type":"Feature","geometry":{"type":"Point","coordinates":[8.25,47.5]},"properties":{"timestamp":1795260725}},
     {"type":"Feature","geometry":{"type":"Point","coordinates":["8.25","47.75"]},
      "properties":{"time":"2026-11-21T11:32:06Z"}}]}
    """,
    """
    [{"_type":"location","lat":47.5,"lon":8.25,"tst":1795260725},{"_type":"lwt","tst":1},
     {"_type":"location","lat":47.75,"lon":8.25,"tst":"1795260726"}]
    """,
  ])
  func `times stand beside the positions in many ways`(text: String) {
    #expect(story(text, as: .geojson) == two)
  }

  @Test func `a batch as Overland sends it keeps accuracy, speed, course and device`() {
    #expect(
      story(
        """
        {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[8.25,47.5]},"properties":{
          "timestamp":"2026-11-21T11:32:05Z","horizontal_accuracy":5,"vertical_accuracy":-1,"speed":1.5,"course":90,
          "device_id":"phone","motion":["walking"]}},
         {"type":"Feature","geometry":{"type":"Point","coordinates":[8.25,47.5]},"properties":{
          "timestamp":"2026-11-21T11:32:06Z","horizontal_accuracy":-1,"speed":-1,"course":-1,"device_id":"phone"}}]}
        """, as: .geojson) == """
          [phone]
          2026-11-21T11:32:05.000Z 47.5,8.25 ±5.0 1.5m/s 90.0°
          2026-11-21T11:32:06.000Z 47.5,8.25 ±-1.0
          """)
  }

  @Test func `what has no place or time is left out with the line of its feature`() {
    #expect(
      story(
        """
        {"features":[
        {"geometry":{"type":"Point","coordinates":[8,91]},"properties":{"time":1}},
        {"geometry":{"type":"Point","coordinates":[true,1]},"properties":{"time":1}},
        {"geometry":{"type":"Point","coordinates":[]},"properties":{"time":1}},
        {"geometry":{"type":"Point","coordinates":[8,47]},"properties":{"time":null}},
        {"geometry":{"type":"Point","coordinates":[8,47]}},
        {"geometry":{"type":"LineString","coordinates":[[8,47],[8,48]]},"properties":{"times":[1,null]}},
        {"geometry":{"type":"LineString","coordinates":[[8,47],[8,48]]}},
        {"geometry":{"type":"Polygon","coordinates":[[[8,47],[8,48],[9,48],[8,47]]]}},
        {"geometry":null}, 7, null]}
        """, as: .geojson) == """
          1970-01-01T00:00:01.000Z 47.0,8.0
          error 2: latitude 91.0 found, -90 to 90 allowed; the point is left out
          error 3: longitude "true" found, a number of degrees expected; the point is left out
          error 4: a point without a position found, latitude and longitude expected; it is left out
          error 5: a point without a time found; it is left out
          error 6: a point without a time found; it is left out
          error 7: a point without a time found; it is left out
          error 8: a line without times found, one time per position in "coordTimes" expected; it is left out
          """)
  }

  @Test(arguments: [
    "", "{", "[1,2", "{\"a\":}", "{\"a\" 1}", "[1 2]", "[1,]", "{,}", "nul", "\"\\x\"", "\"\\ud83", "\"open",
    "1 2",
    "01a", "-", "[1e999]", String(repeating: "[", count: 1000),
  ])
  func `broken JSON is refused with its line`(text: String) {
    #expect(story(text, as: .geojson).hasPrefix("the file is not JSON (line "))
  }

  @Test func `what is broken is left out with its line, the fixes before and behind it are kept`() {
    #expect(
      story(
        """
        {"type":"FeatureCollection","features":[
        {"geometry":{"type":"Point","coordinates":[8.25,47.5]},"properties":{"time":1795260725}},
        {"geometry":{"type":"Point","coordinates":[8.25,
        47.5 1]},"properties":{"time":1}},
        {"geometry":{"type":"Point","coordinates":[8.25,47.75]},"properties":{"time":1795260726}},
        {"geometry":{"type":"Poi
        """, as: .geojson) == two + """

          error 4: not JSON: a comma or ] expected
          error 6: not JSON: the text ends early
          """)
  }

  @Test func `documents may follow one another`() {
    #expect(
      story(
        """
        \u{1e}{"type":"LineString","coordinates":[[8.25,47.5,400,1795260725]]}
        \u{1e}{"type":"LineString","coordinates":[[8.25,47.75,400,1795260726]]}

        """, as: .geojson) == two)
  }

  @Test func `strings are unescaped`() throws {
    let value = try JSONValue.parse(Array(#""\u00e9\ud83d\ude00\n\"\/é\ud800""#.utf8))
    #expect(value.string == "é😀\n\"/é\u{fffd}")
  }

  @Test(arguments: [1, 3])
  func `a line whose times are more or fewer than its positions is left out, with both numbers`(
    times: Int
  ) {
    let told = story(
      """
      {"features":[
      {"geometry":{"type":"Point","coordinates":[8.25,47.5]},"properties":{"time":1795260725}},
      {"geometry":{"type":"LineString","coordinates":[[8,47],[8,48]]},
       "properties":{"times":\((0..<times).map { 1_795_260_725 + $0 })}}]}
      """, as: .geojson)
    #expect(told.contains("2 positions and \(times) times found"), "\(told)")
    #expect(told.contains("47.5,8.25") && !told.contains("47.0,8.0"), "\(told)")
  }
}
