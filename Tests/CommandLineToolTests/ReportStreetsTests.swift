import Foundation
import Geometry
import StreetMap
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("Streets of reports")
struct ReportStreetsTests {
  /// A world of one tile: sea, a road through the walk's latitude, and a name for it.
  private static let archive = StreetFile.archive(
    [
      .init(
        number: 0,
        bytes: StreetFile.tile([
          ("sea", [.init(3, [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])]),
          ("road", [.init(2, [(0, 1353), (2196, 1353), (4096, 1353)], [("kind", "primary")])]),
          (
            "road_name",
            [
              .init(
                2, [(0, 1353), (2196, 1353), (4096, 1353)], [("kind", "primary"), ("name", "<i>Long Road")])
            ]
          ),
        ]))
    ], zooms: 0...0)

  private let folder: TestFolder
  private let track: String
  private let zones: String
  private let streets: String

  init() throws {
    folder = try TestFolder()
    track = try folder.file("walk.gpx", Sample.walk(steps: 60))
    zones = try folder.file("zones.pad", Sample.circle("North", 52, 13.006))
    streets = folder.path("streets.pmtiles")
    try Data(Self.archive).write(to: URL(fileURLWithPath: streets))
  }

  private func page(_ arguments: String...) -> (status: Int32, html: String, said: String) {
    let page = folder.path("page.html")
    let captured = CapturedConsole()
    let status = Proximity.run(arguments + ["--zones", zones, "--report", page], on: captured.console)
    return (status, (try? folder.text("page.html")) ?? "", captured.messages)
  }

  @Test func `a replay has streets below its zones where an archive has some, with their credit`() {
    let plain = page("replay", track).html
    #expect(!plain.contains("id=\"streets\"") && !plain.contains("class=\"credit\""))
    let drawn = page("replay", track, "--streets", streets).html
    #expect(drawn.contains("id=\"streets\"") && drawn.contains("<path class=\"sea\""))
    #expect(drawn.contains("<use href=\"#roads-avenue\"") && drawn.contains("class=\"credit\""))
    #expect(drawn.contains("&lt;i&gt;Long Road") && !drawn.contains("<i>Long Road"))
  }

  @Test func `a simulation has streets below each of its scenes`() throws {
    func scenes(_ more: [String]) throws -> [[String: Any]] {
      let html = page("simulate", track, "--policy", "every-300s", more.first ?? "--seed", more.last ?? "1")
        .html
      let data = try #require(
        html.firstMatch(of: /<script type="application\/json" id="scenes">(.*)<\/script>/))
      return try #require(
        try JSONSerialization.jsonObject(with: Data(String(data.1).utf8)) as? [[String: Any]])
    }
    let plain = try scenes([])
    #expect(!plain.isEmpty && plain.allSatisfy { $0["streets"] is NSNull })
    let drawn = try scenes(["--streets", streets])
    #expect(drawn.count == plain.count)
    for scene in drawn {
      let streets = try #require(scene["streets"] as? [String: [[Any]]])
      #expect(streets["paths"]?.compactMap { $0.first as? String } == ["sea", "avenue"])
      #expect(streets["names"]?.compactMap { $0.first as? String } == ["<i>Long Road"])
    }
  }

  @Test(arguments: ["replay", "simulate"])
  func `a folder without a map is said, a file without tiles is refused`(
    command: String
  ) {
    let more = command == "simulate" ? ["--policy", "every-300s"] : []
    func run(_ options: [String]) -> (status: Int32, html: String, said: String) {
      let captured = CapturedConsole()
      let page = folder.path("\(command).html")
      let status = Proximity.run(
        [command, track, "--zones", zones, "--report", page] + more + options, on: captured.console)
      return (status, (try? folder.text("\(command).html")) ?? "", captured.messages)
    }
    let without = run(["--data", folder.path("nothing")])
    #expect(without.status == 0 && without.said.contains("the report is drawn without"), "\(without.said)")
    #expect(!without.html.contains("id=\"streets\""))
    let refused = run(["--streets", track])
    #expect(refused.status == 3 && refused.said.contains("no archive of map tiles"), "\(refused.said)")
    let captured = CapturedConsole()
    let status = Proximity.run(
      [command, track, "--zones", zones] + more + ["--streets", streets], on: captured.console)
    #expect(status == 2 && captured.messages.contains("--report, which is missing"), "\(captured.messages)")
  }

  @Test func `where the paths of all zooms are too long, there are no streets`() throws {
    let archive = try TileArchive(Data(Self.archive))
    let projection = MapProjection(center: Coordinate(latitude: .degrees(52), longitude: .degrees(13)))
    let box = try #require(DrawnBox([DrawnPoint(x: -500, y: -500), DrawnPoint(x: 500, y: 500)]))
    let whole = try #require(ReportStreets(archive, box: box, on: projection, unit: { $0 }))
    #expect(whole.paths.map(\.style) == ["sea", "avenue"] && whole.names.map(\.text) == ["<i>Long Road"])
    let length = whole.paths.reduce(0) { $0 + $1.path.utf8.count }
    #expect(ReportStreets(archive, box: box, on: projection, limit: length, unit: { $0 }) != nil)
    #expect(ReportStreets(archive, box: box, on: projection, limit: length - 1, unit: { $0 }) == nil)
  }
}
