import ArgumentParser
import CommandLineSupport

/// Packs of zones: signed files, which prove their publisher and that nobody has changed them since.
struct PackFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract:
      "Signs zones as packs that phones can follow, checks packs and publishes a server's collections.",
    subcommands: [
      PackKeyMaker.self, PackKeyChanger.self, PackMaker.self, PackCheck.self, PackPublisher.self,
    ])
}
