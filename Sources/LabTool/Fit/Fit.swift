import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats
import PhoneSimulator

/// Estimates from phones' journals what the simulator assumes of phones.
struct Fit: ConsoleCommand {
  static let configuration = CommandConfiguration(
    abstract: "Estimates from the journals of phones the numbers that the simulator assumes.",
    discussion: """
      Reads journals that the app saved, or the reports of a phone. Prints for each factor of the simulator that a journal \
      can tell about: the assumed value, the fitted one with its 95 % interval, and the number of observations. Where these \
      are too few for an interval it prints the number needed, and no value.

      A second phone that was carried along and recorded its way each second or two (--truth) shows when fences were crossed \
      and when the phone stopped and started; without it the journal's own good positions have to. The errors of positions, \
      the stops and starts that the app was told, and the resumption of live updates can be told only with it. A journal \
      does not tell whether the phone was outdoors, nor whether there was a network: "all surroundings" means so.

      --json prints one object per line: group, factor, part, unit, assumed, fitted, low, high, n, needed (the number of \
      observations for an interval), problem. Values that are not known are null. Exit status: 0 done, 1 a part of a journal \
      is missing or damaged, 3 nothing could be read.
      """)

  @Argument(help: ArgumentHelp("Journals of phones' apps.", valueName: "journal"))
  var journals: [String]

  @Option(
    help: ArgumentHelp(
      "The way recorded by a second phone that was carried along. May be repeated.", valueName: "track"))
  var truth: [String] = []

  @Option(help: "The simulated phone to compare with: \(Self.phones.joined(separator: ", ")).")
  var phone = PhoneParameters.profiles[0].name

  @Option(help: "The energy profile to compare with: \(Self.profiles.joined(separator: ", ")).")
  var energy = EnergyProfile.profiles[0].name

  @Option(
    help: ArgumentHelp(
      "The phone's battery in watt hours, by which its per cent become joules. Default: that of the profile.",
      valueName: "Wh"))
  var battery: Double?

  @Flag(help: "Print one JSON object per line.")
  var json = false

  private static let phones = PhoneParameters.profiles.map(\.name)
  private static let profiles = EnergyProfile.profiles.map(\.name)

  func validate() throws {
    try InputFiles.checkStandardInput(journals + truth)
    guard Self.phones.contains(phone) else { throw Simulate.unknown("--phone", phone, Self.phones) }
    guard Self.profiles.contains(energy) else { throw Simulate.unknown("--energy", energy, Self.profiles) }
    if let battery, !(battery >= 0.1 && battery <= 1000) {
      throw ValidationError("--battery \(battery) found, 0.1 to 1000 allowed")
    }
  }

  func run(on console: Console) throws -> ExitStatus {
    var files = InputFiles(console: console)
    let stories = try journals.map { path in
      let file = try files.track(TrackOptions.parse(["--", path]))
      guard let record = file.phone else {
        throw ReadError("\(path): a track found, the journal of a phone's app expected")
      }
      return JournalStory(record)
    }
    let fixes = try truth.flatMap { path in
      try files.track(TrackOptions.parse(["--", path])).devices.flatMap { $0.points.map(\.fix) }
    }
    let report = FitReport(
      stories, truth: fixes.isEmpty ? nil : WayTrack(fixes), assumed: assumed, battery: battery)
    for line in json ? report.jsonLines : report.lines { try console.print(line) }
    return files.status
  }

  private var assumed: FitAssumptions {
    FitAssumptions(
      parameters: PhoneParameters.profiles.first { $0.name == phone }?.parameters ?? .measured2019,
      energy: EnergyProfile.profiles.first { $0.name == energy }?.profile ?? .iPhone6)
  }
}

/// The values of the simulator's factors, by their names.
struct FitAssumptions {
  var parameters: PhoneParameters
  var energy: EnergyProfile

  /// - Precondition: a factor of that name is in a catalogue, so that no name here can be a stale one.
  subscript(name: String) -> Double {
    if let row = PhoneParameters.catalogue.first(where: { $0.name == name }) { return row.value(parameters) }
    guard let row = EnergyProfile.catalogue.first(where: { $0.name == name }) else {
      preconditionFailure("there is no factor \(name)")
    }
    return row.value(energy)
  }
}
