import CommandLineSupport
import CommandLineTestSupport
import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("proximity places")
struct PlacesCommandTests {
  private static let geojson = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":"node/1","geometry":{"type":"Point","coordinates":[14.5,46.05]},
     "properties":{"shop":"bakery","name":"Pekarna Zora","addr:street":"Cesta","addr:housenumber":"1","addr:city":"Kranj"}},
    {"type":"Feature","id":"node/2","geometry":{"type":"Point","coordinates":[151.2093,-33.8688]},
     "properties":{"amenity":"fuel","brand":"Bento"}}
    ]}
    """

  @Test func `imports and finds again`() throws {
    let folder = try TestFolder()
    let data = folder.path("data")
    let file = try folder.file("a.geojson", Self.geojson)
    let importing = CapturedConsole()
    #expect(importing.run("places", "import", file, "--data", data) == 0, "\(importing.messages)")
    #expect(importing.output == "2 places in \(data)/places.sqlite\n")
    let words = CapturedConsole()
    #expect(words.run("places", "search", "zora", "pek", "--data", data) == 0)
    #expect(words.lines == ["  Pekarna Zora  bakery  Cesta 1, Kranj"])
    let near = CapturedConsole()
    #expect(
      near.run("places", "search", "--near", "-33.8688,151.2093", "--radius", "100", "--data", data, "--json")
        == 0)
    #expect(near.lines.count == 1)
    #expect(near.output.contains(#""id":"node/2","name":"","brand":"Bento","category":"amenity=fuel""#))
    #expect(near.output.contains(#""distance_m":0.000"#))
    let grouped = CapturedConsole()
    #expect(grouped.run("places", "search", "--near", "0,0", "--grouped", "--data", data) == 0)
    #expect(grouped.lines[0] == "Pekarna Zora (1)")
    let nothing = CapturedConsole()
    #expect(nothing.run("places", "search", "nowhere", "--data", data) == 1)
    #expect(nothing.output.isEmpty)
  }

  @Test func `reads .osm.pbf, and says what it left out`() throws {
    var map = OSMFile()
    map.addHeader()
    map.addBlock(
      nodes: [.init(1, 46, 14, [("shop", "kiosk"), ("name", "Trafika")])],
      ways: [.init(2, [8, 9], [("shop", "mall"), ("name", "Outside")])],
      relations: [(3, [("amenity", "university"), ("name", "Campus")])])
    let folder = try TestFolder()
    let file = folder.path("a.osm.pbf")
    try Data(map.bytes).write(to: URL(fileURLWithPath: file))
    let console = CapturedConsole()
    #expect(console.run("places", "import", file, file, "--data", folder.path("data"), "--json") == 0)
    #expect(console.lines == [#"{"places":1,"unplaced":2,"relations":2}"#])
    #expect(console.messages.contains("1 place without a position left out"))
    #expect(console.messages.contains("1 relation left out"))
  }

  @Test func `a file without any place tells its faults before it is refused`() throws {
    let folder = try TestFolder()
    let file = try folder.file(
      "a.geojson",
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[[200,95],["x",1]]},
       "properties":{"highway":"residential","name":"Lindenweg"}}
      ]}
      """)
    let console = CapturedConsole()
    #expect(console.run("places", "import", file, "--data", folder.path("data")) == 3)
    #expect(console.messages.contains("no place found"))
    #expect(console.messages.contains("a.geojson:2: "), "\(console.messages)")
    #expect(console.messages.contains("1 place without a position left out"))
  }

  @Test func `what cannot be read or asked has its exit status, and the old file stays`() throws {
    let folder = try TestFolder()
    let data = folder.path("data")
    let good = try folder.file("a.geojson", Self.geojson)
    let half = try folder.file("b.geojson", Self.geojson.replacing("46.05", with: "946.05"))
    let empty = try folder.file("c.geojson", #"{"type":"FeatureCollection","features":[]}"#)
    let noise = try folder.file("d.osm.pbf", "noise")
    func status(_ arguments: String...) -> (Int32, String) {
      let console = CapturedConsole()
      return (
        Proximity.run(["places"] + arguments + ["--data", data], on: console.console), console.messages
      )
    }
    #expect(status("search", "zora").0 == 3)
    #expect(status("search", "zora").1.contains("`proximity places import` creates it"))
    #expect(status("import", good).0 == 0)
    #expect(status("import", half).0 == 1)
    #expect(status("import", good).0 == 0)
    for file in [empty, noise, folder.path("missing.geojson")] {
      let (code, messages) = status("import", file)
      #expect(code == 3 && messages.contains("error: "), "\(file): \(messages)")
    }
    #expect(status("search", "zora").0 == 0)
    for arguments in [
      ["search"], ["search", "z"], ["search", "--near", "91,0"], ["search", "zora", "--radius", "5"],
      ["search", "zora", "--limit", "0"], ["search", "zora", "--offset", "-1"], ["import"],
      ["search", "--near", "0,0", "--radius", "nan"],
    ] {
      let console = CapturedConsole()
      #expect(
        Proximity.run(["places"] + arguments + ["--data", data], on: console.console) == 2, "\(arguments)")
    }
  }
}
