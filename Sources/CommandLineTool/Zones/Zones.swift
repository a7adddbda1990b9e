import AlarmEngine
import ArgumentParser
import Formats
import Foundation
import Geometry

/// Looks at zone files and turns them into other formats.
struct Zones: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks zone files, converts them into another format, or takes them out of mails.",
    subcommands: [ZonesCheck.self, ZonesConvert.self, ZonesReceive.self])
}

/// Which files, and how they are read.
struct ZoneFileOptions: ParsableArguments {
  @Argument(help: "Zone files: PAD, GeoJSON, KML, KMZ, OwnTracks waypoints or OpenAir; .gz is unzipped.")
  var files: [String]

  @OptionGroup var reading: ZoneReadingOptions

  /// - Throws: `ReadError` that names the file, `CancellationError` after Control-C.
  func read(_ path: String, on console: Console) throws -> ZoneFile {
    let url = URL(fileURLWithPath: path)
    let progress = ProgressBar("Reading \(printable(url.lastPathComponent))", on: console)
    defer { progress.finish() }
    do {
      return try ZoneFile.read(
        contentsOf: url, format: reading.format, defaultRadius: reading.radius, progress: progress.step)
    } catch let error as ReadError {
      let isNamed = error.description.contains(path) || error.description.hasPrefix(url.lastPathComponent)
      throw isNamed ? error : ReadError("\(path): \(error.description)")
    }
  }
}
