import ArgumentParser
import Formats
import Foundation
import StreetMap

/// The source of the streets in a report.
package struct StreetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw the streets of this archive, made by `proximity map import`, in the report; adds at most 1.5 MB.",
      valueName: "file.pmtiles"))
  package var streets: String?

  @Option(
    name: .customLong("data"),
    help: ArgumentHelp("Draw the streets of this server's data folder in the report.", valueName: "folder"))
  package var folder: String?

  package func validate() throws {
    guard streets == nil || folder == nil else {
      throw ValidationError("--streets and --data found, one of them allowed")
    }
  }

  /// - Returns: nil if none was requested, or if the folder has none, which is reported.
  package func archive(on console: Console) throws -> TileArchive? {
    var path = streets
    if let folder {
      let map = StreetMapFolder(data: folder)
      guard let index = try map.readIndex() else {
        console.complain("no street map in \(printable(folder)): the report is drawn without it")
        return nil
      }
      path = map.archive(index.version).path
    }
    guard let path else { return nil }
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) } catch {
      throw ReadError("\(printable(path)): \(error.localizedDescription)")
    }
    do { return try TileArchive(data) } catch {
      throw ReadError("\(printable(path)): \(Self.words(for: error))")
    }
  }

  private static func words(for failure: TileArchive.Failure) -> String {
    switch failure {
    case .noArchive: "no archive of map tiles (PMTiles) found"
    case .version(let version): "version \(version) of PMTiles found, 3 allowed"
    case .kind: "the archive is of another kind; vector tiles, gzip-compressed or plain, allowed"
    case .outOfBounds, .compression, .directory: "the archive is damaged"
    }
  }

  package init() {}
}
