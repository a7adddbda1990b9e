import AlarmEngine
import ArgumentParser
import CommandLineSupport
import Formats

@main
struct ProximityLab: Program {
  static let configuration = CommandConfiguration(
    commandName: "proximity-lab",
    abstract: "Experiments with Proximity Alarm: missed visits, energy use and broken promises of a phone.",
    discussion: """
      Exit status: 0 done, 1 done with findings, 2 bad usage, 3 nothing could be read.
      """,
    version: ProductVersion.text.string,
    subcommands: [Simulate.self, Adversary.self, Fit.self])

  @MainActor static func main() async { await runProcess() }
}
