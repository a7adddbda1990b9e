import ArgumentParser
import CommandLineSupport
import Formats
import Testing

@testable import CommandLineTool

@Suite("Help")
struct HelpTests {
  @Test func `the program's help names its commands and exit statuses`() {
    let help = Proximity.helpMessage(columns: 80)
    #expect(
      help.hasPrefix(
        """
        OVERVIEW: An alarm clock whose trigger is a place.

        Exit status: 0 done, 1 done with findings, 2 bad usage, 3 nothing could be read.

        USAGE: proximity <subcommand>
        """), "\(help)")
    for command in ["replay", "locate", "explain"] { #expect(help.contains("\n  \(command) ")) }
  }

  @Test(arguments: [
    (
      "replay",
      "USAGE: proximity replay [<options>] <track> ..."
    ),
    (
      "locate",
      "USAGE: proximity locate <place> --zones <zones> ... [--zone-format <zone-format>] [--default-radius <default-radius>] [--json]"
    ),
    (
      "explain",
      "USAGE: proximity explain <track> ... [--track-format <track-format>] [--hdop-metres <hdop-metres>] [--maximum-speed <maximum-speed>] [--assumed-date <assumed-date>] [--zones <zones> ...] [--zone-format <zone-format>] [--default-radius <default-radius>] [--time-zone <time-zone>] --zone <zone> --at <time> [--json]"
    ),
  ])
  func `a command's usage is as documented`(command: String, usage: String) {
    let type = Proximity.configuration.subcommands.first { $0._commandName == command }!
    let help = Proximity.helpMessage(for: type, columns: 1000)
    #expect(help.contains(usage), "\(help)")
  }

  @Test func `the commands for zone files name every format`() {
    for type in [ZonesCheck.self, ZonesConvert.self] as [any ParsableCommand.Type] {
      let help = Proximity.helpMessage(for: type, columns: 1000)
      for format in ZoneFormat.allCases { #expect(help.contains(format.title), "\(format) in \(help)") }
    }
  }
}
