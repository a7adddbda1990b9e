import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Places
import Server
import Store

/// Makes the file for the search for places.
struct PlacesImport: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Imports the named places of map data into places.sqlite, replacing earlier ones.",
    discussion: """
      A running server uses the new file from its next search on; an incomplete import changes nothing. Repeat the \
      command with the same files to continue an import that was stopped or killed. Relations of .osm.pbf files are left \
      out; `osmium export -f geojsonseq` writes them as GeoJSON.

      Exit status: 0 done, 1 done, but part of the input was left out, 3 no place found.
      """)

  @Argument(
    help:
      "OpenStreetMap extracts (.osm.pbf) or GeoJSON, also compressed. The first file with a place counts.")
  var files: [String]

  @Option(help: ArgumentHelp("The server's data folder, created if missing.", valueName: "folder"))
  var data = DataFolder.standard

  @Option(
    help: ArgumentHelp(
      "The files' format, if it cannot be detected from their names and content.", valueName: "format"))
  var format: PlaceFile.Format?

  @Option(
    help: ArgumentHelp(
      "The attribution shown beside results, as the data's licence requires.", valueName: "text"))
  var attribution = "© OpenStreetMap contributors"

  @Flag(help: "Print one JSON object per line: places, unplaced, relations.") var json = false

  func run(on console: Console) throws -> ExitStatus {
    try DataFolder(data).make()
    var summaries: [(path: String, summary: PlaceFile.Summary)] = []
    let path = Places.file(in: data)
    let count: Int
    do {
      count = try PlaceBuilder.build(
        at: path, attribution: attribution, source: source, now: ServerClock.system.now(),
        resumed: { console.complain("continuing after \(counted($0, "place", "places"))") },
        fill: { add in
          for file in files {
            let summary = try read(file, on: console, add)
            summaries.append((file, summary))
            warn(of: summary, in: file, on: console)
          }
          guard summaries.contains(where: { $0.summary.places > 0 }) else {
            throw ReadError("\(files.joined(separator: ", ")): no place found")
          }
          try Interruption.check()
        })
    } catch StoreError.locked {
      throw ReadError("another import into \(data) is running")
    } catch let error as StoreError { throw ReadError("\(path): \(error.words)") }
    return try tell(count, summaries, on: console)
  }

  /// A fingerprint of the current files; a file that was changed since counts as another one.
  private var source: String {
    files.map { file in
      let attributes = (try? FileManager.default.attributesOfItem(atPath: file)) ?? [:]
      let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
      let path = URL(fileURLWithPath: file).standardizedFileURL.path
      return "\(path) \(size) \(changed) \(format?.rawValue ?? "")"
    }.joined(separator: "\n")
  }

  private func read(
    _ path: String, on console: Console, _ add: (Place) throws -> Void
  ) throws -> PlaceFile.Summary {
    let url = URL(fileURLWithPath: path)
    let progress = ProgressBar("Importing \(printable(url.lastPathComponent))", on: console)
    defer { progress.finish() }
    do {
      return try PlaceFile.read(contentsOf: url, format: format, progress: progress.step, add)
    } catch let error as ReadError {
      let isNamed = error.description.contains(path) || error.description.hasPrefix(url.lastPathComponent)
      throw isNamed ? error : ReadError("\(path): \(error.description)")
    }
  }

  /// Prints the faults of a file as soon as it is read, also if it holds no place.
  private func warn(of summary: PlaceFile.Summary, in path: String, on console: Console) {
    for issue in summary.issues { console.complain(line(for: issue, in: path)) }
    func complain(_ text: String) { console.complain("\(printable(path)): \(text)") }
    if summary.issueCount > summary.issues.count {
      complain("and \(counted(summary.issueCount - summary.issues.count, "more", "more"))")
    }
    if summary.unplaced > 0 {
      complain("warning: \(counted(summary.unplaced, "place", "places")) without a position left out")
    }
    if summary.relations > 0 {
      complain("warning: \(counted(summary.relations, "relation", "relations")) left out")
    }
  }

  private func tell(
    _ count: Int, _ summaries: [(path: String, summary: PlaceFile.Summary)], on console: Console
  ) throws -> ExitStatus {
    let unplaced = summaries.reduce(0) { $0 + $1.summary.unplaced }
    let relations = summaries.reduce(0) { $0 + $1.summary.relations }
    if json {
      var line = JSONLine()
      line.add("places", .integer(count))
      line.add("unplaced", .integer(unplaced))
      line.add("relations", .integer(relations))
      try console.print(line.string)
    } else {
      try console.print("\(counted(count, "place", "places")) in \(printable(Places.file(in: data)))")
    }
    let hasErrors = summaries.contains { $0.summary.issues.contains { $0.severity == .error } }
    return hasErrors ? .findings : .ok
  }
}
