import AlarmEngine
import ArgumentParser
import Formats
import Foundation
import Geometry

/// Says of every zone what it is, and of every file what is not as it should be.
struct ZonesCheck: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Lists the zones of files and whatever is wrong with them.",
    discussion: """
      Exit status: 0 all is well, 1 there are warnings or errors, 3 a file has no zone or cannot be read.

      --json prints one object a line: {"event":"zone","file","zone","zone_id","outline","places","depth_m",\
      "can_alarm"} for a zone (depth_m: how far its deepest point lies inside, inset applied), \
      {"event":"warning"|"error","file","line","zone","message"} for a finding.
      """)

  @OptionGroup var files: ZoneFileOptions

  @Flag(help: "Print one JSON object a line.")
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
    for issue in file.issues { try tell(issue, zone: nil, in: path, on: console) }
    var table = TextTable()
    var hasFindings = !file.issues.isEmpty
    for zone in file.zones {
      if Interruption.isRequested { throw CancellationError() }
      let check = ZoneCheck(zone, defaultRadius: files.reading.radius)
      if json {
        try console.print(jsonLine(check, zone, path).string)
      } else {
        table.add([displayName(zone.name), check.kind.words, check.depthWords])
      }
      for finding in check.findings {
        hasFindings = true
        try tell(ReadIssue(.warning, finding), zone: zone, in: path, on: console)
      }
    }
    if !json { for line in table.lines { try console.print(line) } }
    guard !file.zones.isEmpty else {
      try tell(ReadIssue(.error, "no zone found"), zone: nil, in: path, on: console)
      return .badData
    }
    return hasFindings ? .findings : .ok
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

  private func tell(_ issue: ReadIssue, zone: Zone?, in path: String, on console: Console) throws {
    if json {
      var line = JSONLine()
      switch issue.severity {
      case .warning: line.add("event", .string("warning"))
      case .error: line.add("event", .string("error"))
      }
      line.add("file", .string(path))
      line.add("line", issue.line.map { .integer($0) } ?? .null)
      line.add("zone", zone.map { .string($0.name.string) } ?? .null)
      line.add("message", .string(issue.message))
      try console.print(line.string)
      return
    }
    let message = zone.map { "zone \(displayName($0.name)): \(issue.message)" } ?? issue.message
    console.complain(line(for: ReadIssue(issue.severity, line: issue.line, message), in: path))
  }
}
