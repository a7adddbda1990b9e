import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import StreetMap

/// The map of streets under people's zones.
struct StreetMaps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Builds the page's street map from OpenStreetMap extracts.",
    subcommands: [StreetMapImport.self, StreetMapList.self, StreetMapRemove.self])
}

struct StreetMapList: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the map's regions.",
    discussion: "Exit status: 0 done, 1 there is no map.")

  @Option(help: ArgumentHelp("The server's data folder.", valueName: "folder")) var data = DataFolder.standard
  @Flag(help: "Print the map's index as JSON, as pages receive it.") var json = false

  func run(on console: Console) throws -> ExitStatus {
    guard let index = try StreetMapFolder(data: data).readIndex() else {
      console.complain("no map in \(printable(data))")
      return .findings
    }
    if json {
      try console.print(index.json.text)
      return .ok
    }
    for region in index.regions {
      let bounds = region.bounds
      let edges = [bounds.west, bounds.south, bounds.east, bounds.north].map { fixedPoint($0, decimals: 3) }
      try console.print("\(region.name)  \(edges.joined(separator: " "))")
    }
    try console.print("\(fixedPoint(Double(index.size) / 1e6, decimals: 1)) MB, made \(index.madeAt)")
    return .ok
  }
}

struct StreetMapRemove: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes regions from the map and rebuilds it from the others.",
    discussion: "Exit status: 0 done, 3 no such region.")

  @Argument(help: "Names of regions, as `proximity map list` prints them.") var names: [String]
  @OptionGroup var options: StreetMapOptions

  func run(on console: Console) throws -> ExitStatus {
    let builder = try StreetMapBuilder(options, on: console)
    let known = try builder.regions().map(\.name)
    for name in names where !known.contains(name) {
      throw ReadError(
        "region \(printable(name)) not found; regions: \(known.isEmpty ? "none" : known.joined(separator: ", "))"
      )
    }
    for name in names { try builder.remove(name) }
    try builder.makeMap()
    return .ok
  }
}

struct StreetMapOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The server's data folder, created if missing.", valueName: "folder"))
  var data = DataFolder.standard

  @Option(
    help: ArgumentHelp(
      "The folder with osmium and tippecanoe, if they are not on the PATH.", valueName: "folder"))
  var tools: String?

  @Option(
    help: ArgumentHelp("The attribution shown on the map, as the data's licence requires.", valueName: "text")
  )
  var attribution = "© OpenStreetMap contributors"
}

struct StreetMapImport: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Adds OpenStreetMap extracts to the street map, or updates them.",
    discussion: """
      Each file becomes a region named after it, and replaces an existing region of that name; others stay. A running \
      server serves the old map until the new one is complete. Repeat the command to continue a stopped import; regions \
      already read are skipped. Needs osmium (Debian: osmium-tool) and tippecanoe.

      Exit status: 0 done, 1 done, but part of the input was left out, 3 nothing could be read.
      """)

  @Argument(help: "OpenStreetMap extracts: .osm.pbf, .osm.bz2 or .osm.") var files: [String]
  @OptionGroup var options: StreetMapOptions

  func run(on console: Console) throws -> ExitStatus {
    let builder = try StreetMapBuilder(options, on: console)
    var status = ExitStatus.ok
    var failures: [ReadError] = []
    for file in files {
      do { if try builder.read(file) == .findings { status = .findings } } catch let error as ReadError {
        failures.append(error)
      }
    }
    if let first = failures.first, failures.count == files.count { throw first }
    for failure in failures { console.complain("error: \(failure)") }
    try builder.makeMap()
    return failures.isEmpty ? status : .findings
  }
}

/// Imports a region for both the search for places and the map.
struct RegionImport: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-region",
    abstract:
      "Imports OpenStreetMap extracts for the search and the map: `places import` and `map import` in one.",
    discussion: """
      The places of these files replace all places imported earlier; the map's other regions stay.

      Exit status: 0 done, 1 done, but part of the input was left out, 3 nothing could be read.
      """)

  @Argument(help: "OpenStreetMap extracts (.osm.pbf).") var files: [String]
  @OptionGroup var options: StreetMapOptions

  func run(on console: Console) throws -> ExitStatus {
    let places = try PlacesImport.parse(
      files + ["--data", options.data, "--attribution", options.attribution])
    let found = try places.run(on: console)
    var map = StreetMapImport()
    map.files = files
    map.options = options
    return try map.run(on: console) == .ok ? found : .findings
  }
}
