import AlarmEngine
import ArgumentParser
import Formats
import Foundation
import Geometry

/// Writes the zones of files as one file of another format.
struct ZonesConvert: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Converts zone files into one file of another format.",
    discussion: """
      Exit status: 0 done, 1 done, but something was left out or cannot be said in that format, 3 nothing to convert.
      """)

  @OptionGroup var files: ZoneFileOptions

  @Option(name: .customLong("to"), help: "The format to write: pad, geojson, kml, kmz or owntracks.")
  var target: ZoneFormat

  @Option(name: .shortAndLong, help: "The file to write; standard output where it is missing.")
  var output: String?

  func run(on console: Console) throws -> ExitStatus {
    if target == .kmz, output == nil { throw UsageError("kmz is no text: name the file to write with -o") }
    if target == .openair {
      throw UsageError("--to openair found; allowed: pad, geojson, kml, kmz, owntracks")
    }
    var zones: [Zone] = []
    var hasFindings = false
    for path in files.files {
      let file = try files.read(path, on: console)
      for issue in file.issues { console.complain(line(for: issue, in: path)) }
      if file.issues.contains(where: { $0.severity == .error }) { hasFindings = true }
      zones += file.zones
    }
    guard !zones.isEmpty else { throw ReadError("\(files.files.joined(separator: ", ")): no zone found") }
    let (data, issues) = try target.encode(zones)
    for issue in issues {
      hasFindings = true
      console.complain(line(for: issue, in: output ?? target.rawValue))
    }
    if let output {
      do { try data.write(to: URL(fileURLWithPath: output), options: .atomic) } catch {
        throw OutputError.file(output, reason: error.localizedDescription)
      }
    } else {
      var text = String(decoding: data, as: UTF8.self)
      if text.hasSuffix("\n") { text.removeLast() }
      try console.print(text)
    }
    return hasFindings ? .findings : .ok
  }
}
