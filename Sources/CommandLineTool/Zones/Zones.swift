import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Geometry

/// Checks zone files and converts them into other formats.
struct Zones: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks zone files, converts them to other formats, or extracts them from e-mails.",
    subcommands: [ZonesCheck.self, ZonesConvert.self, ZonesReceive.self])
}

/// The zone files of a command, and options for reading them.
struct ZoneFileOptions: ParsableArguments {
  @Argument(
    help:
      "Zone files: \(listed(ZoneFormat.allCases.map(\.title))); .gz is decompressed, - is standard input."
  )
  var files: [String]

  @OptionGroup var reading: ZoneReadingOptions

  func validate() throws { try InputFiles.checkStandardInput(files) }

  /// - Throws: `ReadError` that names the file, `CancellationError` after Control-C.
  func read(_ path: String, keepsForeign: Bool = false, on console: Console) throws -> ZoneFile {
    try InputFiles.zones(path, reading, keepsForeign: keepsForeign, on: console)
  }
}
