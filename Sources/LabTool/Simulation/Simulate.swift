import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import PhoneSimulator

/// Moves a simulated phone along tracks or scripted journeys, and measures the misses and the cost of each
/// watch policy.
struct Simulate: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures watch policies on a simulated phone: visits caught, lateness and energy.",
    discussion: """
      Tracks count as the true movement; stretches of more than 60 s without a fix are ignored, and rest is added to \
      fill whole days. Their surroundings (open sky, high houses, a roof) are drawn from the seed, since tracks do not \
      record them, or set by --surroundings. Without a track the scripted journeys are used. The same seed gives the same \
      numbers.

      Hosts: H0 runs only while visible, H1 at any time, H2 (iOS) is suspended between events. Without --host each \
      policy runs on those of H1 and H2 for which it is made.

      The first table shows the visits caught: recall of the visits that require an alarm with its 95 % interval, and of \
      stays below and above 60 s; precision; lateness (median, 95 %, mean with 300 s for a miss) and the phone's depth \
      inside the zone at the alarm, on foot and by vehicle; broken guarantees. The second table shows the cost, and the \
      third compares the certified policy with others on the same journeys.

      Policies: \(SimulatedPolicy.all.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ")).
      Scenarios: \(ScriptedScenario.allCases.map { "\($0.number) \($0.rawValue)" }.joined(separator: ", ")).

      --json prints one object per line for each policy, host, profile and scenario; missing values are null.
      """)

  @Argument(
    help:
      "Tracks to simulate: \(listed(TrackFormat.allCases.map(\.title))).")
  var tracks: [String] = []

  @Option(name: .customLong("zones"), help: "A zone file for the tracks. May be repeated.")
  var zones: [String] = []

  @Option(name: .customLong("policy"), parsing: .upToNextOption, help: "Policies to run. Default: all.")
  var policies: [String] = []

  @Option(
    name: .customLong("scenario"), parsing: .upToNextOption, help: "Scripted journeys to run. Default: all.")
  var scenarios: [String] = []

  @Option(name: .customLong("profile"), help: "Energy profile: \(Self.profileNames). May be repeated.")
  var profiles: [String] = []

  @Option(help: "Run only on this host: H0, H1 or H2.")
  var host: String?

  @OptionGroup(title: "Conditions")
  var factors: SimulationFactors

  @Option(help: "The first random seed.")
  var seed: UInt64 = 1

  @Option(help: "Number of consecutive seeds.")
  var seeds = 1

  @Option(
    help: "Use only the persons and tracks of this half: A for tuning policies, B for one final report.")
  var half: String?

  @Flag(help: "Also run other values of each policy's main parameter, shown as a curve on the page.")
  var curves = false

  @Flag(
    help: ArgumentHelp(
      "Instead, set every assumed or measured parameter of the phone and of energy to the ends of its range, one at "
        + "a time, and report which claims hold. Needs about 300 runs for each policy, host and journey."))
  var sensitivity = false

  @Flag(help: "Print this machine's computing time per day of each policy to standard error.")
  var timing = false

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @OptionGroup var streetOptions: StreetOptions

  @Option(
    help: ArgumentHelp(
      "Write a web page with energy plotted against lateness, and the worst cases on a map.",
      valueName: "file.html"))
  var report: String?

  @Option(
    help: ArgumentHelp(
      "Write the events and requests of each policy as log.txt, and its positions as track.gpx.",
      valueName: "folder"))
  var log: String?

  @OptionGroup var printedZone: PrintedZoneOptions

  static let profileNames = EnergyProfile.profiles.map(\.name).joined(separator: ", ")

  func validate() throws {
    try InputFiles.checkStandardInput(tracks + zones)
    guard (1...10_000).contains(seeds) else {
      throw ValidationError("--seeds \(seeds) found, 1 to 10000 allowed")
    }
    guard tracks.isEmpty == zones.isEmpty else {
      throw ValidationError("tracks need --zones, and --zones needs tracks")
    }
    guard tracks.isEmpty || scenarios.isEmpty else {
      throw ValidationError(
        "--scenario names scripted journeys, which have their own zones: no track allowed")
    }
    guard factors.surroundings == nil || !tracks.isEmpty else {
      throw ValidationError("--surroundings is for tracks: scripted journeys have their own")
    }
    guard !sensitivity || !json else {
      throw ValidationError("--sensitivity prints a table: no --json allowed")
    }
    guard report != nil || streetOptions.streets == nil && streetOptions.folder == nil else {
      throw ValidationError("--streets and --data found without --report")
    }
    guard log == nil || !sensitivity else {
      throw ValidationError("--sensitivity keeps no log: no --log allowed")
    }
    _ = try chosenPolicies()
    _ = try chosenScenarios()
    _ = try chosenProfiles()
    _ = try chosenHost()
    _ = try chosenHalf()
    try factors.check()
  }

  func run(on console: Console) throws -> ExitStatus { try printedZone.telling { try tell(on: console) } }

  private func tell(on console: Console) throws -> ExitStatus {
    var files = InputFiles(console: console)
    let setting = try setting(&files)
    guard !setting.courses.isEmpty else {
      throw UsageError("half \(half ?? "") is empty: name more seeds or tracks")
    }
    if sensitivity { return try tellSensitivity(setting, files.status, on: console) }
    let run = try watched("Simulating", on: console) { try SimulationRun(setting, step: $0) }
    if json {
      for line in run.lines { try console.print(simulationLine(line)) }
    } else {
      for line in SimulationTable(run).lines { try console.print(line) }
    }
    if timing { for line in SimulationTiming(run).lines { console.complain(line) } }
    if let log { try writeLogs(of: run, to: log) }
    if let report {
      let command = { self.command(for: $0, in: run) }
      let scenes = try SimulationScenes(
        run, streets: try streetOptions.archive(on: console), command: command)
      try write(SimulationReport(run, scenes: scenes, command: command).html, to: report)
    }
    return files.status
  }

  private func tellSensitivity(
    _ setting: SimulationRun.Setting, _ status: ExitStatus, on console: Console
  ) throws -> ExitStatus {
    var setting = setting
    if policies.isEmpty {
      setting.policies =
        [SimulatedPolicy.named("certified")].compactMap(\.self) + PolicyComparison.compared.map(\.policy)
    }
    let sensitivity = try watched("Sweeping", on: console) { try Sensitivity(setting, step: $0) }
    for line in SensitivityTable(sensitivity).lines { try console.print(line) }
    if let report { try write(SensitivityReport(sensitivity).html, to: report) }
    return status
  }

  /// Shows the progress, and lets Control-C stop the work.
  private func watched<Answer>(
    _ label: String, on console: Console, _ work: ((Int, Int) -> Bool) throws -> Answer
  ) rethrows -> Answer {
    let progress = ProgressBar(label, in: .runs, on: console)
    defer { progress.finish() }
    return try work { progress.step(done: $0, total: $1) }
  }

  private func writeLogs(of run: SimulationRun, to folder: String) throws {
    let entries = run.entries.filter { $0.subject.host != "-" }
    guard entries.count <= SimulationLog.most else {
      throw UsageError(
        "--log would write \(entries.count) logs, at most \(SimulationLog.most) allowed: name policies, scenarios or fewer seeds"
      )
    }
    for entry in entries {
      guard let trial = JournaledTrial(entry, in: run) else { continue }
      let log = SimulationLog(trial, of: entry)
      let place = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(log.name)
      do { try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true) } catch {
        throw OutputError.file(place.path, reason: error.localizedDescription)
      }
      try write(log.text, to: place.appendingPathComponent("log.txt").path)
      try write(log.gpx, to: place.appendingPathComponent("track.gpx").path)
    }
  }

  private func write(_ text: String, to path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw OutputError.file(path, after: error)
    }
  }

  private func setting(_ files: inout InputFiles) throws -> SimulationRun.Setting {
    let half = try chosenHalf()
    var courses = try tracks.isEmpty ? scripted() : recorded(&files)
    if let half { courses = courses.filter { half.holds($0.course.person) } }
    var policies = try chosenPolicies()
    if curves {
      let variants = policies.flatMap { SimulatedPolicy.variants(of: $0) }
      policies += variants.filter { variant in !policies.contains { $0.name == variant.name } }
    }
    return try SimulationRun.Setting(
      courses: courses, policies: policies, host: chosenHost(), profiles: chosenProfiles(),
      parameters: factors.parameters, version: factors.version)
  }

  /// The command that repeats one trial alone.
  private func command(for entry: SimulationRun.Entry, in run: SimulationRun) -> String {
    let course = run.courses[entry.course].course
    var words = ["proximity-lab", "simulate"]
    if tracks.isEmpty {
      words += ["--scenario", String(course.scenario.prefix { $0 != " " })]
    } else {
      words += [quoted(tracks.first { course.name.hasPrefix($0) } ?? course.name)]
      words += zones.flatMap { ["--zones", quoted($0)] }
    }
    words += ["--policy", entry.subject.policy, "--profile", entry.subject.profile]
    if entry.subject.host != "-" { words += ["--host", entry.subject.host] }
    return
      (words + factors.words(zones: factors.counts.isEmpty ? nil : course.zones.count)
      + ["--seed", String(entry.seed)]).joined(separator: " ")
  }

  /// Quotes a path for a shell.
  private func quoted(_ path: String) -> String {
    "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
