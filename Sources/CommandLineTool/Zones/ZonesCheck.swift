import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Geometry

/// Describes every zone, and reports the errors of every file.
struct ZonesCheck: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Lists the zones of files and reports their errors.",
    discussion: """
      A misspelt property (alarm_inset for alarm_inset_m) is an error, since it has no effect. Advice on valid zones that \
      are too small for a phone's accuracy does not affect the exit status.

      Exit status: 0 no findings, 1 there are warnings or errors, 3 a file has no zone or cannot be read.

      --json prints one object per line: {"event":"zone","file","zone","zone_id","outline","places","depth_m",\
      "can_alarm"} for a zone (depth_m: how far its deepest point lies inside, inset applied), \
      {"event":"warning"|"error"|"advice","file","line","zone","message"} for a finding, and at the end of a file \
      {"event":"file","file","zones","errors","warnings","advices"}.
      """)

  @OptionGroup var files: ZoneFileOptions

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func run(on console: Console) throws -> ExitStatus {
    var status = ExitStatus.ok
    for path in files.files {
      let worse = try check(path, on: console)
      if worse.rawValue > status.rawValue { status = worse }
    }
    return status
  }

  private func check(_ path: String, on console: Console) throws -> ExitStatus {
    let file: ZoneFile
    do {
      file = try files.read(path, on: console)
    } catch let error as ReadError {
      try tell(ReadIssue(.error, error.description), zone: nil, in: path, on: console)
      return .badData
    }
    var count = Count()
    for issue in file.issues {
      count.add(issue)
      try tell(issue, zone: nil, in: path, on: console)
    }
    var table = TextTable()
    for zone in file.zones {
      if Interruption.isRequested { throw CancellationError() }
      let check = ZoneCheck(zone, defaultRadius: files.reading.radius)
      let place = ZonePlace(zone, line: file.lines[zone.id])
      if json {
        try console.print(jsonLine(check, zone, path).string)
      } else {
        table.add([place.name, check.kind.words, check.depthWords])
      }
      for finding in check.findings {
        count.warnings += 1
        try tell(ReadIssue(.warning, line: place.line, finding), zone: place, in: path, on: console)
      }
      if let advice = check.advice {
        count.advices += 1
        try tell(ReadIssue(.warning, line: place.line, advice), "advice", zone: place, in: path, on: console)
      }
    }
    for line in table.lines { try console.print(line) }
    guard !file.zones.isEmpty else {
      try tell(ReadIssue(.error, "no zone found"), zone: nil, in: path, on: console)
      return .badData
    }
    try console.print(
      json ? count.jsonLine(of: path, file.zones.count).string : count.words(of: path, file.zones.count))
    return count.errors + count.warnings > 0 ? .findings : .ok
  }

  /// The number of findings in one file.
  private struct Count {
    var errors = 0
    var warnings = 0
    var advices = 0

    mutating func add(_ issue: ReadIssue) {
      switch issue.severity {
      case .error: errors += 1
      case .warning: warnings += 1
      }
    }

    /// "zones.pad: 12 zones, 1 error, no warning, 2 advices"
    func words(of path: String, _ zones: Int) -> String {
      func some(_ number: Int, _ one: String, _ many: String) -> String {
        number == 0 ? "no \(one)" : counted(number, one, many)
      }
      var parts = [counted(zones, "zone", "zones"), some(errors, "error", "errors")]
      parts.append(some(warnings, "warning", "warnings"))
      if advices > 0 { parts.append("\(advices) with advice") }
      return "\(InputFiles.name(path)): \(parts.joined(separator: ", "))"
    }

    func jsonLine(of path: String, _ zones: Int) -> JSONLine {
      var line = JSONLine()
      line.add("event", .string("file"))
      line.add("file", .string(path))
      line.add("zones", .integer(zones))
      line.add("errors", .integer(errors))
      line.add("warnings", .integer(warnings))
      line.add("advices", .integer(advices))
      return line
    }
  }

  private func jsonLine(_ check: ZoneCheck, _ zone: Zone, _ path: String) -> JSONLine {
    var line = JSONLine()
    line.add("event", .string("zone"))
    line.add("file", .string(path))
    line.add("zone", .string(zone.name.string))
    line.add("zone_id", .string(zone.id.description))
    line.add("outline", .string(check.kind.rawValue))
    line.add("places", .integer(check.places))
    line.add("depth_m", check.depth.map { .metres($0.metres) } ?? .null)
    line.add("can_alarm", .bool(check.canAlarm))
    return line
  }

  private func tell(
    _ issue: ReadIssue, _ word: String? = nil, zone: ZonePlace?, in path: String, on console: Console
  ) throws {
    if json {
      var line = JSONLine()
      switch issue.severity {
      case .warning: line.add("event", .string(word ?? "warning"))
      case .error: line.add("event", .string("error"))
      }
      line.add("file", .string(path))
      line.add("line", issue.line.map { .integer($0) } ?? .null)
      line.add("zone", zone.map { .string($0.zone.name.string) } ?? .null)
      line.add("message", .string(issue.message))
      try console.print(line.string)
      return
    }
    let message = zone.map { "zone \($0.name): \(issue.message)" } ?? issue.message
    let said = line(for: ReadIssue(issue.severity, line: issue.line, message), in: path)
    console.complain(
      word.map { said.replacing(": warning: ", with: ": \($0): ", maxReplacements: 1) } ?? said)
  }
}
