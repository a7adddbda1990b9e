import AlarmEngine
import ArgumentParser
import Formats
import Foundation

/// Plays a recorded track through zones and tells what rings.
struct Replay: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays a recorded track through zones and tells what rings, when and why.",
    discussion: """
      Times are UTC unless --time-zone names another zone; --json has UTC. Repeats of an alarm are counted in one line. Nothing is invented after the last fix.
      Of several tracks each device is one phone, named as its file where the file names none; devices of one name are \
      taken together, by time.

      --json prints one object a line for every alarm, repeat, cleared, missed_signal, perhaps and ignored event, in \
      the order of decision: event, time, zone, zone_id, alarm, cause, distance_m, latitude, longitude, decided_at, \
      learned_at. time is when it truly happened, decided_at when that was decided, learned_at when it was known; \
      distance_m is negative inside; what an event does not have is null. The reasons for ignored \
      fixes are then summed up on standard error.
      """)

  @OptionGroup var trackOptions: TrackOptions

  @OptionGroup var zoneOptions: ZoneOptions

  @OptionGroup var printedZone: PrintedZoneOptions

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @Option(help: ArgumentHelp("Write a page with map, time line and reasons.", valueName: "file.html"))
  var report: String?

  @OptionGroup var streetOptions: StreetOptions

  func validate() throws {
    try InputFiles.checkStandardInput(trackOptions.tracks + zoneOptions.files)
    guard report != nil || streetOptions.streets == nil && streetOptions.folder == nil else {
      throw ValidationError("--streets and --data are for --report, which is missing")
    }
  }

  func run(on console: Console) throws -> ExitStatus { try printedZone.telling { try tell(on: console) } }

  private func tell(on console: Console) throws -> ExitStatus {
    var files = InputFiles(console: console)
    let zones = try files.zones(zoneOptions)
    let track = try files.track(trackOptions)
    let run = try replay(track, through: zones, on: console)
    files.tell(run.unwatched)
    if json { try printLines(of: run, on: console) }
    if json && report == nil {
      tellUnused(in: run, on: console)
      return files.status
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
    }
    if let report {
      try write(
        Report(
          run, tracks: tracks, summary: summary, problems: files.zoneProblems, title: trackName,
          streets: try streetOptions.archive(on: console)),
        to: report)
    }
    return files.status
  }

  private func replay(_ track: TrackFile, through zones: [PlacedZone], on console: Console) throws
    -> ReplayRun
  {
    let progress = ProgressBar("Replaying \(printable(trackName))", in: .fixes, on: console)
    defer { progress.finish() }
    return try ReplayRun(
      track: track, zones: zones,
      settings: trackOptions.settings(defaultRadius: zoneOptions.reading.defaultRadius),
      hdopMetres: trackOptions.hdopMetres, progress: progress.step)
  }

  private var trackName: String { trackOptions.tracks.map(InputFiles.name).joined(separator: ", ") }

  private func printLines(of run: ReplayRun, on console: Console) throws {
    let names = run.zoneNames
    for entry in run.entries {
      guard let line = JSONLine(entry.event, zoneName: { names[$0] ?? .empty }) else { continue }
      try console.print(line.string)
    }
  }

  /// The contract's lines have no place for the reason.
  private func tellUnused(in run: ReplayRun, on console: Console) {
    for line in UnusedFix.lines(for: UnusedFix.counts(in: run)) { console.complain(line) }
  }

  private func write(_ report: Report, to path: String) throws {
    do {
      try Data(report.html.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw OutputError.file(path, after: error)
    }
  }
}
