import AlarmEngine
import ArgumentParser
import Foundation
import PhoneSimulator

/// Carries a simulated phone along tracks or scripted journeys, and measures what each watch policy misses and costs.
struct Simulate: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures watch policies on a simulated phone: what they catch, how late, for how much energy.",
    discussion: """
      A track is taken as the truth; stretches of more than 60 s without a fix do not count. Without a track the \
      scripted journeys are used. The same seed gives the same numbers.

      Hosts: H0 runs only while visible, H1 whenever it wants, H2 (iOS) is suspended between events. Without --host \
      each policy runs on those of H1 and H2 that it is made for.

      Columns: recall of the visits that owe an alarm with its 95 % interval; how late an alarm was (median, 95 %) \
      and how deep inside the phone was by then (95 %); energy beyond the phone's own a day and as a share of \
      a session at best accuracy all day; fixes a day and over the count of the safe period on the true track; \
      promises broken.

      Policies: \(SimulatedPolicy.all.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ")).
      Scenarios: \(ScriptedScenario.allCases.map { "\($0.number) \($0.rawValue)" }.joined(separator: ", ")).

      --json prints one object a line for each policy, host, profile and scenario; what has no value is null.
      """)

  @Argument(help: "Tracks to go along: GPX, GeoJSON, KML, CSV, PLT, TCX, IGC, OwnTracks .rec or NMEA.")
  var tracks: [String] = []

  @Option(name: .customLong("zones"), help: "A zone file for the tracks. May be repeated.")
  var zones: [String] = []

  @Option(name: .customLong("policy"), parsing: .upToNextOption, help: "Policies; all unless named.")
  var policies: [String] = []

  @Option(
    name: .customLong("scenario"), parsing: .upToNextOption, help: "Scripted journeys; all unless named.")
  var scenarios: [String] = []

  @Option(name: .customLong("profile"), help: "What things cost: \(Self.profileNames). May be repeated.")
  var profiles: [String] = []

  @Option(help: "How the phone behaves: \(Self.phoneNames).")
  var phone = PhoneParameters.profiles[0].name

  @Option(help: "Only on this host: H0, H1 or H2.")
  var host: String?

  @Option(help: "Chance starts from here.")
  var seed: UInt64 = 1

  @Option(help: "How many seeds, one after the other.")
  var seeds = 1

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @Option(
    help: ArgumentHelp("Write a page with the trade of energy against lateness.", valueName: "file.html"))
  var report: String?

  private static let profileNames = EnergyProfile.profiles.map(\.name).joined(separator: ", ")
  private static let phoneNames = PhoneParameters.profiles.map(\.name).joined(separator: ", ")

  func validate() throws {
    guard (1...10_000).contains(seeds) else {
      throw ValidationError("--seeds \(seeds) found, 1 to 10000 allowed")
    }
    guard tracks.isEmpty == zones.isEmpty else {
      throw ValidationError("tracks and --zones go together")
    }
    guard tracks.isEmpty || scenarios.isEmpty else {
      throw ValidationError(
        "--scenario names scripted journeys, which have their own zones: no track allowed")
    }
    _ = try chosenPolicies()
    _ = try chosenScenarios()
    _ = try chosenProfiles()
    _ = try chosenPhone()
    _ = try chosenHost()
  }

  func run(on console: Console) throws -> ExitStatus {
    var files = InputFiles(console: console)
    let courses = try tracks.isEmpty ? scripted() : recorded(&files)
    let progress = ProgressBar("Simulating", in: .runs, on: console)
    defer { progress.finish() }
    let run = try SimulationRun(
      courses: courses, policies: chosenPolicies(), host: chosenHost(), profiles: chosenProfiles(),
      parameters: chosenPhone(), step: { progress.step(done: $0, total: $1) })
    progress.finish()
    if json {
      for line in run.lines { try console.print(SimulationTable.json(line)) }
    } else {
      for line in SimulationTable(run).lines { try console.print(line) }
    }
    if let report { try write(SimulationReport(run, command: { command(for: $0, in: run) }), to: report) }
    return files.status
  }

  private func write(_ report: SimulationReport, to path: String) throws {
    do {
      try Data(report.html.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw OutputError.file(path, reason: error.localizedDescription)
    }
  }

  /// What repeats one trial alone.
  private func command(for entry: SimulationRun.Entry, in run: SimulationRun) -> String {
    let course = run.courses[entry.course].course
    var words = ["proximity", "simulate"]
    if tracks.isEmpty {
      words += ["--scenario", String(course.scenario.prefix { $0 != " " })]
    } else {
      words += [quoted(tracks.first { course.name.hasPrefix($0) } ?? course.name)]
      words += zones.flatMap { ["--zones", quoted($0)] }
    }
    words += ["--policy", entry.subject.policy, "--profile", entry.subject.profile]
    if entry.subject.host != "-" { words += ["--host", entry.subject.host] }
    words += ["--phone", phone, "--seed", String(entry.seed)]
    return words.joined(separator: " ")
  }

  /// As a shell reads it back.
  private func quoted(_ path: String) -> String {
    "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  // MARK: Cases

  private func scripted() throws -> [(seed: UInt64, course: Trial.Case)] {
    let chosen = try chosenScenarios()
    return (0..<UInt64(seeds)).flatMap { offset in
      chosen.map { (seed &+ offset, $0.course(seed: seed &+ offset)) }
    }
  }

  private func recorded(_ files: inout InputFiles) throws -> [(seed: UInt64, course: Trial.Case)] {
    let placed = try files.zones(ZoneOptions.parse(zones.flatMap { ["--zones", $0] }))
    var cases: [Trial.Case] = []
    for path in tracks {
      let track = try files.track(TrackOptions.parse(["--", path]))
      for device in track.devices where !device.points.isEmpty {
        try Interruption.check()
        let fixes = device.points.map(\.fix)
        guard let journey = try? Journey(track: fixes) else { continue }
        cases.append(
          Trial.Case(
            name: path + (device.name.isEmpty ? "" : " \(device.name)"), scenario: "tracks",
            journey: journey, zones: placed.map(\.zone), gaps: GroundTruth.gaps(in: fixes)))
      }
    }
    return (0..<UInt64(seeds)).flatMap { offset in cases.map { (seed &+ offset, $0) } }
  }

  // MARK: Names

  private func chosenPolicies() throws -> [SimulatedPolicy] {
    guard !policies.isEmpty else { return SimulatedPolicy.all }
    return try policies.map { name in
      guard let policy = SimulatedPolicy.named(name) else {
        throw Self.unknown("--policy", name, SimulatedPolicy.all.map(\.name))
      }
      return policy
    }
  }

  private func chosenScenarios() throws -> [ScriptedScenario] {
    guard !scenarios.isEmpty else { return ScriptedScenario.allCases }
    return try scenarios.map { name in
      guard let found = ScriptedScenario.allCases.first(where: { $0.number == name || $0.rawValue == name })
      else {
        throw Self.unknown("--scenario", name, ScriptedScenario.allCases.map(\.number))
      }
      return found
    }
  }

  private func chosenProfiles() throws -> [(name: String, profile: EnergyProfile)] {
    guard !profiles.isEmpty else { return [EnergyProfile.profiles[0]] }
    return try profiles.map { name in
      guard let found = EnergyProfile.profiles.first(where: { $0.name == name }) else {
        throw Self.unknown("--profile", name, EnergyProfile.profiles.map(\.name))
      }
      return found
    }
  }

  private func chosenPhone() throws -> PhoneParameters {
    guard let found = PhoneParameters.profiles.first(where: { $0.name == phone }) else {
      throw Self.unknown("--phone", phone, PhoneParameters.profiles.map(\.name))
    }
    return found.parameters
  }

  private func chosenHost() throws -> Capabilities.Host? {
    guard let host else { return nil }
    guard let found = Capabilities.Host(symbol: host) else {
      throw Self.unknown("--host", host, ["H0", "H1", "H2"])
    }
    return found
  }

  private static func unknown(_ option: String, _ given: String, _ allowed: [String]) -> ValidationError {
    ValidationError("\(option) \(printable(given)) found, \(allowed.joined(separator: ", ")) allowed")
  }
}
