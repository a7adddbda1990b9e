import Formats
import Foundation
import Testing

@testable import StreetMap

@Suite("Folder of the map of streets")
struct StreetMapFolderTests {
  private static let region = StreetRegion(
    name: "monaco", bounds: .init(west: 7.4, south: 43.7, east: 7.5, north: 43.8), source: "a b")
  private static let index = StreetMapIndex(
    version: "0123456789abcdef", size: 12, madeAt: "2026-11-23T10:00:00Z", regions: [region],
    attribution: "© us")

  @Test func `an index reads back, without where the regions came from`() throws {
    let again = try StreetMapIndex(json: Self.index.json.bytes)
    #expect(again.version == Self.index.version && again.size == 12 && again.attribution == "© us")
    #expect(again.regions.map(\.bounds) == [Self.region.bounds] && again.regions.map(\.source) == [""])
    #expect(try StreetRegion(json: Self.region.json(with: true)) == Self.region)
  }

  @Test func `what is no index is refused, whatever is cut off`() {
    let bytes = Self.index.json.bytes
    for end in 0..<bytes.count {
      #expect(throws: ReadError.self) { try StreetMapIndex(json: Array(bytes.prefix(end))) }
    }
    for (old, new) in [
      (#""0123456789abcdef""#, #""../../../secrets""#), (#""size_bytes":12"#, #""size_bytes":-1"#),
      ("7.4", "7.6"),
      ("43.8", "99"), (#""monaco""#, #""../x""#), ("43.8", "null"),
    ] {
      let text = Self.index.json.text.replacing(old, with: new)
      #expect(throws: ReadError.self, "\(new)") { try StreetMapIndex(json: Array(text.utf8)) }
    }
  }

  @Test func `what is written is drawn of each line, the sea at the end, and faults are counted`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("features-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let writer = try StreetFeatureWriter(url, bounds: .init(west: 0, south: 0, east: 1, north: 1))
    for line in [
      #"{"type":"Feature","id":"w1","geometry":{"type":"LineString","coordinates":[[0.5,-1],[0.5,2]]},"properties":{"natural":"coastline"}}"#,
      #"{"type":"Feature","id":"a4","geometry":{"type":"Polygon","coordinates":[[[0,0],[0.001,0],[0.001,0.001],[0,0]]]},"properties":{"building":"yes","addr:housenumber":"3"}}"#,
      "nonsense", "",
    ] { try writer.take(Array(line.utf8)) }
    #expect(try writer.finish() == 0)
    #expect(writer.read == 3 && writer.written == 4 && writer.faults == 1)
    #expect(writer.firstFault == "feature 3: no feature with a geometry found")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map {
      try JSONValue.parse(Array($0.utf8))
    }
    #expect(lines.map { $0["tippecanoe"]?["layer"]?.string } == ["building", "house", "land", "sea"])
    #expect(lines[0]["id"]?.double == 4 && lines[1]["geometry"]?["type"]?.string == "Point")
    let ring = lines[3]["geometry"]?["coordinates"]?.list?.first?.list?.first?.list?.compactMap {
      $0.list?.compactMap(\.double)
    }
    #expect(Set(ring ?? []) == [[0.5, 0], [0.5, 1], [1, 1], [1, 0]])
  }

  @Test func `a folder without a map has no index`() throws {
    #expect(try StreetMapFolder(data: "/nowhere").readIndex() == nil)
  }
}
