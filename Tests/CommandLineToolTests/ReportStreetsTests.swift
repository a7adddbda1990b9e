import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Geometry
import StreetMap
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("Streets of reports")
struct ReportStreetsTests {
  private let scene: StreetScene

  init() throws { scene = try StreetScene(Proximity.self) }

  @Test func `a replay has streets below its zones where an archive has some, with their credit`() {
    let plain = scene.page(["replay", scene.track]).html
    #expect(!plain.contains("id=\"streets\"") && !plain.contains("class=\"credit\""))
    let drawn = scene.page(["replay", scene.track, "--streets", scene.streets]).html
    #expect(drawn.contains("id=\"streets\"") && drawn.contains("<path class=\"sea\""))
    #expect(drawn.contains("<use href=\"#roads-avenue\"") && drawn.contains("class=\"credit\""))
    #expect(drawn.contains("&lt;i&gt;Long Road") && !drawn.contains("<i>Long Road"))
  }

  @Test func `a folder without a map is said, a file without tiles is refused`() {
    let command = ["replay", scene.track]
    let without = scene.page(command + ["--data", scene.folder.path("nothing")])
    #expect(without.status == 0 && without.said.contains("the report is drawn without"), "\(without.said)")
    #expect(!without.html.contains("id=\"streets\""))
    let refused = scene.page(command + ["--streets", scene.track])
    #expect(refused.status == 3 && refused.said.contains("no archive of map tiles"), "\(refused.said)")
    let plain = scene.plain(command + ["--streets", scene.streets])
    #expect(plain.status == 2 && plain.said.contains("found without --report"), "\(plain.said)")
  }

  @Test func `where the paths of all zooms are too long, there are no streets`() throws {
    let archive = try TileArchive(Data(StreetScene.archive))
    let projection = MapProjection(center: Coordinate(latitude: .degrees(52), longitude: .degrees(13)))
    let box = try #require(DrawnBox([DrawnPoint(x: -500, y: -500), DrawnPoint(x: 500, y: 500)]))
    let whole = try #require(ReportStreets(archive, box: box, on: projection, unit: { $0 }))
    #expect(whole.paths.map(\.style) == ["sea", "avenue"] && whole.names.map(\.text) == ["<i>Long Road"])
    let length = whole.paths.reduce(0) { $0 + $1.path.utf8.count }
    #expect(ReportStreets(archive, box: box, on: projection, limit: length, unit: { $0 }) != nil)
    #expect(ReportStreets(archive, box: box, on: projection, limit: length - 1, unit: { $0 }) == nil)
  }
}
