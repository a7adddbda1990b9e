import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats
import Geometry

/// Explains why a zone rang, or did not, at a given time.
struct Explain: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explains what the engine knew about a zone at a time, and which rule decided.",
    discussion: """
      At a time printed by replay, it shows the evaluation behind that line; at any other time, the last evaluation up \
      to then. The evaluation is repeated from its record alone and must reach the same verdict. If the zone had not \
      rung by then, the nearest miss is printed too.

      --json prints one record per line, for every device of the track.
      """)

  @OptionGroup var trackOptions: TrackOptions

  @OptionGroup var zoneOptions: TrackZoneOptions

  @OptionGroup var printedZone: PrintedZoneOptions

  @Option(help: "The zone's name or id.")
  var zone: String

  @Option(
    help: ArgumentHelp(
      "The time: RFC 3339 (without an offset in --time-zone, or else UTC) or Unix seconds.",
      valueName: "time"))
  var at: String

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func validate() throws {
    try InputFiles.checkStandardInput(trackOptions.tracks + zoneOptions.files)
    try zoneOptions.check(trackOptions)
  }

  func run(on console: Console) throws -> ExitStatus { try printedZone.telling { try tell(on: console) } }

  private func tell(on console: Console) throws -> ExitStatus {
    guard let time = instant(typed: at, in: PrintedZone.current) else {
      throw UsageError(
        "--at \(printable(at)) found, a time such as 2026-03-29T17:52:03Z or Unix seconds allowed")
    }
    var files = InputFiles(console: console)
    let names = trackOptions.tracks.map(InputFiles.name).joined(separator: ", ")
    let run = try files.replay(trackOptions, through: zoneOptions, named: names, on: console) { zones in
      _ = try Self.zones(named: zone, among: zones)
    }
    let chosen = try Self.zones(named: zone, among: run.zones)
    files.tell(run.unwatched)
    let account = PhoneAccount(run)
    var agrees = account?.differences.isEmpty ?? true
    for (index, device) in run.devices.enumerated() {
      for placed in chosen {
        let answer = Self.answer(for: placed, device: device, at: time)
        agrees = agrees && answer?.agrees ?? true
        if json {
          if let answer { try console.print(answer.jsonLine.string) }
        } else {
          if run.devices.count > 1 { try console.print("device \(printable(device.name))") }
          try tell(answer, placed, run, index, time, on: console)
          for line in account?.lines(about: placed.zone.id, at: time) ?? [] { try console.print(line) }
        }
      }
    }
    return agrees ? files.status : .findings
  }

  /// The evaluation that decided the event that `replay` prints at `time`; without such an event, the last
  /// one decided up to then.
  private static func answer(for placed: PlacedZone, device: ReplayRun.Device, at time: Instant)
    -> ExplanationAnswer?
  {
    let name = Text(ZonePlace(placed.zone).name)
    let stretches = [device.timeline] + device.earlier.reversed()
    for timeline in stretches {
      guard let decided = timeline.decision(of: placed.zone.id, toldAt: time) else { continue }
      return ExplanationAnswer(explanation: decided, zoneName: name)
    }
    // In most cases the last fixes decide; a long silence requires the whole past.
    for start in [time - .minutes(10), time - .hours(24), Instant.allowed.lowerBound] {
      for timeline in stretches {
        if let last = timeline.explanations(of: placed.zone.id, in: min(start, time)...time).last {
          return ExplanationAnswer(explanation: last, zoneName: name)
        }
      }
    }
    return nil
  }

  private func tell(
    _ answer: ExplanationAnswer?, _ placed: PlacedZone, _ run: ReplayRun, _ device: Int, _ time: Instant,
    on console: Console
  ) throws {
    guard let answer else {
      try console.print(
        "\(ZonePlace(placed.zone).name): no fix had been received by \(timeWords(time))")
      return
    }
    try console.print(answer.explanation.sentence(about: displayName(answer.zoneName)))
    for line in answer.lines { try console.print(line) }
    let decidedAt = max(time, answer.explanation.decidedAt)
    if let first = Self.firstRing(of: placed.zone.id, device: device, in: run, by: decidedAt) {
      try console.print("It first rang at \(timeWords(first)).")
    } else if let nearest = Self.nearestMiss(placed, run.devices[device], by: time) {
      try console.print(
        "It had not rung by then. Nearest miss: \(distanceWords(nearest.distance)) at \(timeWords(nearest.at))."
      )
    }
  }

  private static func firstRing(of zone: ZoneID, device: Int, in run: ReplayRun, by time: Instant) -> Instant?
  {
    for entry in run.entries where entry.device == device && entry.event.decidedAt <= time {
      if case .alarm(let report) = entry.event.kind, report.zone == zone { return entry.event.time }
    }
    return nil
  }

  private static func nearestMiss(_ placed: PlacedZone, _ device: ReplayRun.Device, by time: Instant)
    -> NearestApproach?
  {
    MeasuredTrack(device.believed.filter { $0.measuredAt <= time }).nearestApproach(to: placed)
  }

  /// All zones of that name; else the one with that id.
  /// - Throws: `UsageError` with the names most similar to the given one.
  static func zones(named name: String, among zones: [PlacedZone]) throws(UsageError) -> [PlacedZone] {
    let typed = Text(name)
    let named = zones.filter { $0.zone.name == typed }
    if !named.isEmpty { return named }
    let identified = zones.filter { $0.zone.id.description == name.lowercased() }
    if !identified.isEmpty { return identified }
    let near = nearestNames(to: name, among: zones.map { displayName($0.zone.name) })
    throw UsageError(
      "no zone is named \(printable(name)); the nearest names are \(near.joined(separator: ", "))")
  }
}

/// The most similar names, at most five, each once.
///
/// Measured by the number of letters changed, added or left out, without regard to case; a name that contains
/// the typed text comes first.
func nearestNames(to typed: String, among names: [String]) -> [String] {
  let wanted = Array(typed.lowercased().utf8.prefix(60))
  var seen: Set<String> = []
  var rated: [(cost: Int, name: String)] = []
  for name in names where seen.insert(name).inserted {
    let letters = Array(name.lowercased().utf8.prefix(60))
    let contains = !typed.isEmpty && name.lowercased().contains(typed.lowercased())
    rated.append((contains ? 0 : lettersChanged(wanted, letters), name))
  }
  return rated.sorted { ($0.cost, $0.name) < ($1.cost, $1.name) }.prefix(5).map(\.name)
}
