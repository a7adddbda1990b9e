import CommandLineSupport
import Foundation
import TestSupport

/// A walk, a zone beside it, and an archive of map tiles with a road, for reports with streets.
package struct StreetScene {
  /// A world of one tile: sea, a road along the walk's latitude, and the road's name.
  package static let archive = StreetFile.archive(
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

  package let folder: TestFolder
  package let track: String
  package let zones: String
  package let streets: String
  private let program: any Program.Type

  package init(_ program: any Program.Type) throws {
    self.program = program
    folder = try TestFolder()
    track = try folder.file("walk.gpx", Sample.walk(steps: 60))
    zones = try folder.file("zones.pad", Sample.circle("North", 52, 13.006))
    streets = folder.path("streets.pmtiles")
    try Data(Self.archive).write(to: URL(fileURLWithPath: streets))
  }

  /// Runs a command of the program with the zone, and returns the report that it writes.
  package func page(_ arguments: [String]) -> (status: Int32, html: String, said: String) {
    let page = folder.path("page.html")
    let captured = CapturedConsole()
    let status = captured.run(program, arguments + ["--zones", zones, "--report", page])
    return (status, (try? folder.text("page.html")) ?? "", captured.messages)
  }

  /// The same without a report.
  package func plain(_ arguments: [String]) -> (status: Int32, said: String) {
    let captured = CapturedConsole()
    return (captured.run(program, arguments + ["--zones", zones]), captured.messages)
  }
}
