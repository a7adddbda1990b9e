import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Places
import Store

/// Towns, streets, shops and other places that people look for by name (S203).
struct Places: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Imports shops and other places from map data for the search, and searches them.",
    subcommands: [PlacesImport.self, PlacesSearch.self])

  /// The file in a server's folder.
  static func file(in folder: String) -> String { folder + "/" + PlaceLibrary.fileName }
}

extension PlaceFile.Format: ExpressibleByArgument {}
