import AlarmEngine
import Foundation
import Geometry
import Testing

@testable import Formats

@Suite("Sizes as other programs state them")
struct StatedSizeTests {
  private func read(_ properties: String) throws -> ZoneFile {
    try ZoneFile.read(
      data: Data(
        #"{"type":"Feature","properties":{"name":"Silo",\#(properties)},"geometry":{"type":"Point","coordinates":[8,47]}}"#
          .utf8), format: .geojson)
  }

  @Test func `a unit is obeyed wherever it is stated`() throws {
    let cases: [(String, Double)] = [
      (#""radius":40"#, 40), (#""radius":"40""#, 40), (#""radius":" 40 m ""#, 40),
      (#""radius":"2 km""#, 2000),
      (#""radius":"2km.""#, 2000), (#""radius":2,"radius_units":"km""#, 2000),
      (#""radius":2,"units":"KM""#, 2000),
      (#""radius":2,"radiusUnit":"kilometres""#, 2000), (#""unit":"ft","radius":1000"#, 304.8),
      (#""radius":2,"radius_uom":"nautical miles""#, 3704), (#""radius":2,"radius_units":"""#, 2),
      (#""radius":2,"units":12"#, 2), (#""radius":2,"units":null"#, 2),
      (#""size":3,"size_units":"mi""#, 4828.032),
      (#""Radius":40"#, 40), (#""RADIUS":"40 ft""#, 12.192), (#""radiusInKm":1.5"#, 1500),
      (#""radius_in_km":"1.5""#, 1500),
      (#""radius-km":1.5"#, 1500), (#""Radius (km)":1.5"#, 1500), (#""radius_ft":1000"#, 304.8),
      (#""radiusFeet":1000"#, 304.8),
      (#""radius_mi":2"#, 3218.688), (#""radius_nm":2"#, 3704), (#""radiusMeters":40"#, 40),
      (#""radius_yd":10"#, 9.144),
      (#""rad":"40 m""#, 40), (#""rad":2,"rad_unit":"km""#, 2000), (#""rad_m":40"#, 40),
      (#""buffer_m":40"#, 40),
      (#""bufferDistance":2,"units":"km""#, 2000), (#""buffer":"500 ft""#, 152.4),
      (#""buffer_distance_km":2"#, 2000),
      (#""size_km":2"#, 2000), (#""alarm_size_m":40,"radius":2,"radius_units":"km""#, 40),
      (#""radius_m":40,"units":"km""#, 40),
      (#""radius_m":"40 m""#, 40), (#""radius":null,"radius_km":2"#, 2000), (#""rad":5,"radius_km":2"#, 2000),
      (#""radius":1e3"#, 1000), (#""diameter":500"#, 250), (#""diameter_km":2"#, 1000),
      (#""Diameter":"1 km""#, 500),
      (#""diameter":2,"units":"km""#, 1000), (#""radius":40,"diameter":500"#, 40),
    ]
    for (properties, metres) in cases {
      let file = try read(properties)
      #expect(file.issues == [], "\(properties)")
      #expect(
        file.zones.count == 1 && abs((file.zones[0].size?.metres ?? 0) - metres) < 1e-9, "\(properties)")
    }
  }

  @Test func `a size that cannot be meant is an error, and the zone has none`() throws {
    for properties in [
      #""radius":"40 fathoms""#, #""radius":"4 0""#, #""radius":"40,5""#, #""radius":"40x9""#,
      #""radius":"far""#,
      #""radius":2,"radius_units":"furlong""#, #""radius":2,"units":"furlong""#,
      #""radius":2,"radius_units":7"#,
      #""radius":"2 km","units":"m""#, #""radius_km":"2 m""#, #""radius_m":"2 km""#,
      #""alarm_size_m":"2 km""#,
      #""radius":[2]"#, #""radius":{"value":2}"#, #""radius_km":"far""#, #""radius":0"#, #""radius":-5"#,
      #""radius_km":1e9"#,
      #""radius_km":1e308"#, #""radius":"1e400""#, #""diameter":"wide""#, #""diameter":2,"units":"furlong""#,
    ] {
      let file = try read(properties)
      #expect(file.zones.map(\.size) == [nil], "\(properties)")
      #expect(file.issues.map(\.severity) == [.error], "\(properties)")
    }
  }

  @Test func `a property that is called like a size and is not understood is told`() throws {
    for properties in [
      #""rad":250"#, #""buffer":250"#, #""bufferDistance":250"#, #""radiusInFurlongs":2"#, #""radius_in":2"#,
      #""radius2":2"#,
      #""rad_units":"km","rad":"far""#, #""radius_of_turn":40"#, #""diameter_of_mast":2"#,
    ] {
      let file = try read(properties)
      #expect(file.zones.map(\.size) == [nil], "\(properties)")
      #expect(file.issues.count == 1, "\(properties): \(file.issues)")
    }
    #expect(
      try read(#""rad":250"#).issues == [
        ReadIssue(
          .warning, line: 1,
          "zone \"Silo\": rad \"250\" found, which is not a known way to state a size "
            + "(a number of m, km, ft, yd, mi or nmi allowed, as in radius_m); the default is taken")
      ])
    for properties in [
      #""radio":118.5"#, #""radar":true"#, #""radiation":"low""#, #""radius":null"#, #""radius":"""#,
      #""radius":false"#,
      #""units":"km""#, #""SIZE":3"#, #""sizes":[1]"#, #""radius":5,"buffer":7"#,
    ] {
      #expect(try read(properties).issues == [], "\(properties)")
    }
  }

  @Test func `a number is read whole, a priority as a whole number`() throws {
    for properties in [
      #""alarm_priority":7.5"#, #""alarm_priority":"7 8""#, #""alarm_inset_m":"5 0""#,
      #""alarm_inset_m":"5 m""#,
      #""alarm_lead_s":"5x""#,
    ] {
      let file = try read(properties)
      #expect(
        file.issues.map(\.severity) == [.error] && file.zones.count == 1, "\(properties): \(file.issues)")
      #expect(file.zones[0].priority == 0 && file.zones[0].inset == .zero && file.zones[0].leadTime == nil)
    }
    #expect(try read(#""alarm_priority":" 7.0 ""#).zones.map(\.priority) == [7])
  }

  @Test func `a corridor has its half width so, and an area needs none`() throws {
    func read(_ geometry: String) throws -> ZoneFile {
      try ZoneFile.read(
        data: Data(#"{"type":"Feature","properties":{"buffer_km":2,"rad":1},"geometry":\#(geometry)}"#.utf8),
        format: .geojson)
    }
    let line = try read(#"{"type":"LineString","coordinates":[[8,47],[8,48]]}"#)
    #expect(line.issues == [] && line.zones.map(\.size) == [.metres(2000)])
    let area = try read(#"{"type":"Polygon","coordinates":[[[8,47],[8,48],[9,48],[8,47]]]}"#)
    #expect(area.issues == [] && area.zones.map(\.size) == [nil])
  }

  @Test func `a size with a unit is written in metres and read back equal, with what stood beside it`() throws
  {
    let file = try ZoneFile.read(
      data: Data(
        #"{"type":"Feature","properties":{"radius":2,"radius_units":"km"},"geometry":{"type":"Point","coordinates":[8,47]}}"#
          .utf8), format: .geojson, keepsForeign: true)
    for format in [ZoneFormat.geojson, .kml] {
      let (data, _) = try format.encode(file.zones, keeping: file.foreign)
      let again = try ZoneFile.read(data: data, format: format)
      #expect(again.issues == [] && again.zones == file.zones, "\(format)")
    }
  }

  @Test func `the data of a placemark state a size likewise`() throws {
    func read(_ name: String, _ value: String) throws -> ZoneFile {
      try ZoneFile.read(
        data: Data(
          """
          <kml><Placemark><name>Silo</name><ExtendedData><Data name="\(name)"><value>\(value)</value></Data></ExtendedData>
          <Point><coordinates>8,47</coordinates></Point></Placemark></kml>
          """.utf8), format: .kml)
    }
    let file = try read("Radius_km", " 2 ")
    #expect(file.issues == [] && file.zones.map(\.size) == [.metres(2000)])
    let told = try read("buffer", "2")
    #expect(told.issues.map(\.severity) == [.warning] && told.zones.map(\.size) == [nil])
  }
}
