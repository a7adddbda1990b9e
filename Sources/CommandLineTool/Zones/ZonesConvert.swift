import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Geometry

/// Writes the zones of files as one file of another format.
struct ZonesConvert: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Converts zone files into one file of another format.",
    discussion: """
      Ids and properties of other programs are kept between GeoJSON and KML; other formats cannot store them, and what \
      is left out is reported.

      Exit status: 0 done, 1 done, but something was left out or cannot be stored in that format, 3 nothing to convert.
      """)

  @OptionGroup var files: ZoneFileOptions

  @Option(
    name: .customLong("to"),
    help: "The format to write: \(WrittenFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .list(WrittenFormat.allCases.map(\.rawValue)), transform: format(named:))
  var target: WrittenFormat

  @Option(name: .shortAndLong, help: "The file to write. Default: standard output.")
  var output: String?

  func run(on console: Console) throws -> ExitStatus {
    if target == .kmz, output == nil {
      throw UsageError("kmz is a binary format: name the file to write with -o")
    }
    var zones: [Zone] = []
    var foreign: [ZoneID: ForeignMembers] = [:]
    var hasFindings = false
    for path in files.files {
      let file = try files.read(path, keepsForeign: true, on: console)
      for issue in file.issues { console.complain(line(for: issue, in: path)) }
      if file.issues.contains(where: { $0.severity == .error }) { hasFindings = true }
      zones += file.zones
      foreign.merge(file.foreign) { _, last in last }
    }
    guard !zones.isEmpty else { throw ReadError("\(files.files.joined(separator: ", ")): no zone found") }
    let (data, issues) = try target.format.encode(zones, keeping: foreign)
    for issue in issues {
      hasFindings = true
      console.complain(line(for: issue, in: output ?? target.rawValue))
    }
    if let output {
      do { try data.write(to: URL(fileURLWithPath: output), options: .atomic) } catch {
        throw OutputError.file(output, after: error)
      }
    } else {
      var text = String(decoding: data, as: UTF8.self)
      if text.hasSuffix("\n") { text.removeLast() }
      try console.print(text)
    }
    return hasFindings ? .findings : .ok
  }
}

/// A format that zones can be written in.
enum WrittenFormat: String, CaseIterable {
  case pad, geojson, kml, kmz, owntracks

  var format: ZoneFormat {
    switch self {
    case .pad: .pad
    case .geojson: .geojson
    case .kml: .kml
    case .kmz: .kmz
    case .owntracks: .owntracks
    }
  }
}
