import Foundation
import Geometry
import TestSupport
import Testing

@testable import Formats

@Suite("Places of GeoJSON")
struct GeoJSONPlaceReaderTests {
  private func read(_ text: String, name: String = "a.geojson") throws -> ([Place], PlaceFile.Summary) {
    var places: [Place] = []
    let summary = try PlaceFile.read(data: Data(text.utf8), name: name) { places.append($0) }
    return (places, summary)
  }

  private static let collection = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":"n17","geometry":{"type":"Point","coordinates":[14.5,46.05]},
     "properties":{"shop":"bakery","name":"Pekarna Zora","addr:housenumber":12}},
    {"type":"Feature","id":"a8","geometry":{"type":"MultiPolygon","coordinates":[[[[1,1],[3,1],[3,3],[1,3],[1,1]]]]},
     "properties":{"amenity":"school","name":"Šola"}},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"NAME":"Lager","Category":"depot"}},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"shop":"yes"}},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[2,91]},"properties":{"name":"Nowhere"}},
    {"type":"Feature","geometry":null,"properties":{"name":"No place"}},
    {"type":"Point","coordinates":[2,1]}
    ]}
    """

  @Test func `features are places where they are or where their middle is`() throws {
    let (places, summary) = try read(Self.collection)
    #expect(places.map(\.id) == ["node/17", "way/4", "feature/3"])
    #expect(places.map(\.title) == ["Pekarna Zora", "Šola", "Lager"])
    #expect(places.map { $0.categories[0].tag } == ["shop=bakery", "amenity=school", "category=depot"])
    #expect(places[0].address.houseNumber == "12")
    #expect(places[1].coordinate.latitude.degrees == 2 && places[1].coordinate.longitude.degrees == 2)
    #expect(summary.places == 3 && summary.unplaced == 2)
    #expect(summary.issues.map(\.line) == [8, 10])
    #expect(summary.issues[0].message.contains("latitude 91"))
  }

  @Test func `a sequence of features is read a line at a time, and on after a bad one`() throws {
    let feature =
      #"{"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    for separator in ["\n", "\n\u{1e}"] {
      let (places, summary) = try read(
        [feature, "{\"type\":\"Feature\",", feature].joined(separator: separator))
      #expect(places.count >= 1 && summary.issueCount >= 1)
    }
    let (places, summary) = try read([feature, feature, feature].joined(separator: "\n"), name: "a.geojsonl")
    #expect(places.map(\.id) == ["feature/1", "feature/2", "feature/3"] && summary.issueCount == 0)
  }

  @Test func `a file damaged at any byte gives places, issues or an error`() {
    let sample = Array(Self.collection.utf8)
    for index in sample.indices {
      for byte in [0, 0xff, UInt8(ascii: "\""), UInt8(ascii: "]")] {
        var damaged = sample
        damaged[index] = byte
        _ = try? PlaceFile.read(data: Data(damaged), name: "a.geojson") { _ in }
      }
    }
  }

  @Test func `control characters and endless names are cut`() throws {
    let long = String(repeating: "a", count: 1000)
    let (places, _) = try read(
      #"{"type":"Feature","properties":{"name":"  A\u0000\nB  ","brand":"\#(long)"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    )
    #expect(places[0].name == "A B")
    #expect(places[0].brand.count == 255)
  }
}
