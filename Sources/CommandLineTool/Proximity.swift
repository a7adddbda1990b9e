import ArgumentParser
import Foundation

@main
struct Proximity: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proximity", abstract: "An alarm clock whose trigger is a place.",
    discussion: """
      Exit status: 0 done, 1 done with findings, 2 bad usage, 3 nothing could be read.
      """,
    subcommands: [
      Serve.self, Replay.self, Locate.self, Explain.self, Simulate.self, Zones.self, Places.self,
      UserAdministration.self, DeviceAdministration.self, TokenAdministration.self, Backup.self,
    ])

  static func main() {
    Interruption.watch()
    let console = Console.standard
    let status = run(Array(CommandLine.arguments.dropFirst()), on: console)
    Foundation.exit(status)
  }

  /// Carries out one command line.
  /// - Returns: the exit status; messages have been written to `console`.
  static func run(_ arguments: [String], on console: Console) -> Int32 {
    do {
      let status = try carryOut(arguments, on: console)
      try console.flush()
      return status.rawValue
    } catch {
      let status = report(error, on: console)
      // What was printed before the failure still counts; the failure is what the shell is told.
      try? console.flush()
      return status
    }
  }

  private static func carryOut(_ arguments: [String], on console: Console) throws -> ExitStatus {
    var command = try parseAsRoot(Locate.withNegativeLatitudeShielded(arguments))
    if let command = command as? any ConsoleCommand { return try command.run(on: console) }
    try command.run()
    return .ok
  }
}

/// A command that writes to a console it is given, so that tests can read along.
protocol ConsoleCommand: ParsableCommand {
  func run(on console: Console) throws -> ExitStatus
}

extension ConsoleCommand {
  func run() throws {
    let console = Console.standard
    let status = try run(on: console)
    try console.flush()
    throw ExitCode(status.rawValue)
  }
}
