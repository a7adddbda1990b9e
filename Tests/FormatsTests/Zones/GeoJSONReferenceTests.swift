import AlarmEngine
import Foundation
import Geometry
import Testing

@testable import Formats

@Suite("Reference systems and nesting in GeoJSON")
struct GeoJSONReferenceTests {
  private func read(_ text: String) throws -> ZoneFile {
    try ZoneFile.read(data: Data(text.utf8), format: .geojson)
  }
  private let point =
    #"{"type":"Feature","properties":{"name":"Silo"},"geometry":{"type":"Point","coordinates":[8,47]}}"#

  private static let foreign = [
    #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25832"}}"#,
    #"{"type":"name","properties":{"name":"EPSG:3857"}}"#,
    #""EPSG:2056""#, #"{"type":"EPSG","properties":{"code":31370}}"#,
    #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::43260"}}"#,
    #"{"type":"link","properties":{"href":"http://example.com/crs/42","type":"proj4"}}"#, #"{"type":"name"}"#,
    "{}", "7", "[]",
    #"{"type":"name","properties":{"name":"urn:ogc:def:crs:ESRI::4326"}}"#,
    #"{"type":"name","properties":{"name":"4326 feet"}}"#,
  ]

  @Test(arguments: foreign) func `a file in another reference system has no zone and one error`(crs: String)
    throws
  {
    for text in [
      #"{"type":"FeatureCollection","crs":\#(crs),"features":[\#(point),{"type":"Point","coordinates":[1,5e6]}]}"#,
      #"{"type":"FeatureCollection","features":[\#(point),7],"crs":\#(crs)}"#,
      #"{"type":"FeatureCollection","features":[{"type":"FeatureCollection","crs":\#(crs),"features":[\#(point)]}]}"#,
      #"{"type":"Feature","crs":\#(crs),"geometry":{"type":"Point","coordinates":[8,47]}}"#,
      #"{"type":"Feature","geometry":{"crs":\#(crs),"type":"Point","coordinates":[8,47]}}"#,
      #"{"type":"GeometryCollection","geometries":[{"crs":\#(crs),"type":"Point","coordinates":[8,47]}]}"#,
    ] {
      let file = try read(text)
      #expect(file.zones.isEmpty && file.lines.isEmpty, "\(text)")
      #expect(file.issues.map(\.severity) == [.error], "\(text): \(file.issues)")
    }
  }

  @Test func `the error names the system, and what was read before stays`() throws {
    let crs = Self.foreign[0]
    let file = try read(
      "\(point)\n{\"type\":\"FeatureCollection\",\"features\":[\(point)],\"crs\":\(crs)}\n\(point)\n")
    #expect(file.zones.count == 2)
    #expect(
      file.issues == [
        ReadIssue(
          .error, line: 2,
          "crs \"urn:ogc:def:crs:EPSG::25832\" found, longitude and latitude on WGS 84 (CRS84, EPSG:4326) allowed; "
            + "none of its zones is read")
      ])
  }

  @Test(arguments: [
    "null", #"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#,
    #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::4326"}}"#,
    #"{"type":"name","properties":{"name":"EPSG:4326"}}"#,
    #"{"type":"name","properties":{"name":"http://www.opengis.net/def/crs/OGC/1.3/CRS84"}}"#, #""epsg:4326""#,
    #"{"type":"name","properties":{"name":"http://www.opengis.net/gml/srs/epsg.xml#4326"}}"#, #""WGS 84""#,
    #""WGS84""#,
    #"{"type":"EPSG","properties":{"code":4326}}"#, #"{"type":"name","properties":{"name":"EPSG:4979"}}"#,
    #"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC::CRS84h"}}"#,
  ])
  func `longitude and latitude on WGS 84 may be named`(crs: String) throws {
    let file = try read(#"{"type":"FeatureCollection","crs":\#(crs),"features":[\#(point)]}"#)
    #expect(file.issues == [] && file.zones.count == 1)
  }

  @Test func `a file that breaks off is refused likewise where it has named its system`() throws {
    let cut = "\"features\":[\(point),{\"type\":\"Feature\",\"geom"
    let foreign = try read("{\"type\":\"FeatureCollection\",\"crs\":\(Self.foreign[0]),\(cut)")
    #expect(foreign.zones.isEmpty && foreign.issues.map(\.severity) == [.error])
    for head in ["\"crs\":\"EPSG:4326\",", "\"crs\":null, ,", ""] {
      let file = try read("{\"type\":\"FeatureCollection\",\(head)\(cut)")
      #expect(file.zones.count == 1 && file.issues.count == 1, "\(head)")
    }
  }

  @Test func `arrays of features, collections in collections and numbers as text are read`() throws {
    #expect(try read("[\(point),\n\(point)]").lines.values.sorted() == [1, 2])
    let collection = #"{"type":"FeatureCollection","features":[\#(point),\#(point)]}"#
    let nested = try read(#"{"type":"FeatureCollection","features":[\#(collection),\#(point)]}"#)
    #expect(nested.issues == [] && nested.zones.count == 3)
    let listed = try read("[\(collection)]")
    #expect(listed.issues == [] && listed.zones.count == 2)
    let geometries = try read(
      #"{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[{"type":"GeometryCollection","geometries":"#
        + #"[{"type":"Point","coordinates":[8,47]},{"type":"LineString","coordinates":[["8","47"],[" 8.5 ","47.5"]]}]}]}}"#
    )
    #expect(geometries.issues == [] && geometries.zones.count == 2)
  }

  @Test func `text that is no whole number is no coordinate, and nothing but features is told`() throws {
    for place in [
      #"["8 E","47"]"#, #"["8,5","47"]"#, #"["8 5","47"]"#, #"["","47"]"#, #"["nan","47"]"#, #"["8","91"]"#,
    ] {
      let file = try read(#"{"type":"Point","coordinates":\#(place)}"#)
      #expect(file.zones.isEmpty && file.issues.map(\.severity) == [.error], "\(place)")
    }
    for text in [
      "[]", "[7]", "[[]]", "[{}]", "7",
      #"{"type":"FeatureCollection","features":[{"type":"FeatureCollection"}]}"#,
    ] {
      let file = try read(text)
      #expect(file.zones.isEmpty && file.issues.map(\.severity) == [.error], "\(text): \(file.issues)")
    }
  }
}
