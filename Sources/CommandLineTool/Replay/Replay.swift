import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation

/// Plays a recorded track through zones and prints the alarms.
struct Replay: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Replays recorded tracks against zones and prints the alarms with their times and reasons.",
    discussion: """
      Times are UTC unless --time-zone names another zone; --json always prints UTC. Repeats of an alarm are counted in \
      one line. The replay ends at the last fix.
      Each device of the tracks is one phone, named after its file if the file names no device; devices of the same name \
      are merged by time.

      The journal of a phone's app (.journal) needs no --zones: it is replayed with the phone's own zones, settings and \
      user actions, and compared with what the phone reported. With --zones its positions are replayed like any other \
      track. The exit status is 1 if phone and replay differ. Requests to the phone (positions, fences, wake-ups) and its \
      late or missing answers are listed without affecting the exit status: a phone indoors may have no position.

      For the report of a phone's first run (proximity-report.json) it prints the phone and which of the ten steps \
      happened; the exit status is 1 if one did not. Then it replays the journal in it, whose places are moved to the \
      Atlantic and whose zones are called Zone 1, Zone 2 and so on.

      --json prints one object per line for every alarm, repeat, cleared, missed_signal, perhaps and ignored event, in \
      the order of decision: event, time, zone, zone_id, alarm, cause, distance_m, latitude, longitude, decided_at, \
      learned_at. time is the time of the event itself, decided_at the time of its decision, learned_at the time at which \
      it became known; distance_m is negative inside; values that an event does not have are null. The reasons for \
      ignored fixes are then summarized on standard error.
      """)

  @OptionGroup var trackOptions: TrackOptions

  @OptionGroup var zoneOptions: TrackZoneOptions

  @OptionGroup var printedZone: PrintedZoneOptions

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @Option(help: ArgumentHelp("Write a web page with map, time line and reasons.", valueName: "file.html"))
  var report: String?

  @OptionGroup var streetOptions: StreetOptions

  func validate() throws {
    try InputFiles.checkStandardInput(trackOptions.tracks + zoneOptions.files)
    try zoneOptions.check(trackOptions)
    guard report != nil || streetOptions.streets == nil && streetOptions.folder == nil else {
      throw ValidationError("--streets and --data found without --report")
    }
  }

  func run(on console: Console) throws -> ExitStatus { try printedZone.telling { try tell(on: console) } }

  private func tell(on console: Console) throws -> ExitStatus {
    if !json, report == nil, zoneOptions.files.isEmpty, trackOptions.tracks.count == 1,
      let firstRun = FirstRunReport(path: trackOptions.tracks[0])
    {
      for line in firstRun.lines { try console.print(line) }
      let status: ExitStatus = firstRun.isComplete ? .ok : .findings
      guard firstRun.hasJournal else { return status }
      try console.print("")
      do {
        let found = try replay(on: console)
        return found == .ok ? status : found
      } catch let error as ReadError {
        // The table of steps is the report, also where the phone had no position yet.
        try console.print("\(printable(error.description)).")
        return .findings
      }
    }
    return try replay(on: console)
  }

  private func replay(on console: Console) throws -> ExitStatus {
    var files = InputFiles(console: console)
    let run = try files.replay(trackOptions, through: zoneOptions, named: trackName, on: console)
    files.tell(run.unwatched)
    if json { try printLines(of: run, on: console) }
    if json && report == nil {
      tellUnused(in: run, on: console)
      return status(of: run, files)
    }
    let tracks = try run.devices.map { device in
      try Interruption.check()
      return MeasuredTrack(device)
    }
    let summary = try ReplaySummary(run, tracks: tracks)
    if json {
      tellUnused(in: run, on: console)
    } else {
      let table = ReplayTable(run).lines
      for line in table { try console.print(line) }
      if !table.isEmpty { try console.print("") }
      for line in summary.lines { try console.print(line) }
      for line in PhoneAccount(run)?.lines ?? [] { try console.print(line) }
    }
    if let report {
      try write(
        Report(
          run, tracks: tracks, summary: summary, problems: files.zoneProblems, title: trackName,
          streets: try streetOptions.archive(on: console)),
        to: report)
    }
    return status(of: run, files)
  }

  private func status(of run: ReplayRun, _ files: InputFiles) -> ExitStatus {
    PhoneAccount(run)?.differences.isEmpty ?? true ? files.status : .findings
  }

  private var trackName: String { trackOptions.tracks.map(InputFiles.name).joined(separator: ", ") }

  private func printLines(of run: ReplayRun, on console: Console) throws {
    let names = run.zoneNames
    for entry in run.entries {
      guard let line = JSONLine(entry.event, zoneName: { names[$0] ?? .empty }) else { continue }
      try console.print(line.string)
    }
  }

  /// The lines of the contract have no place for the reason, nor for the phone's differences.
  private func tellUnused(in run: ReplayRun, on console: Console) {
    for line in UnusedFix.lines(for: UnusedFix.counts(in: run)) { console.complain(line) }
    for line in PhoneAccount(run)?.differenceLines ?? [] { console.complain(line) }
  }

  private func write(_ report: Report, to path: String) throws {
    do {
      try Data(report.html.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw OutputError.file(path, after: error)
    }
  }
}
