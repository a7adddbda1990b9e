import AlarmEngine
import ArgumentParser
import Cryptography
import Formats
import Foundation

@main
struct Proximity: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "proximity", abstract: "An alarm clock whose trigger is a place.",
    discussion: """
      Exit status: 0 done, 1 done with findings, 2 bad usage, 3 nothing could be read.
      """,
    version: ProductVersion.text.string,
    subcommands: [
      Serve.self, Replay.self, Locate.self, Explain.self, Simulate.self, Zones.self, Places.self,
      PackFiles.self, StreetMaps.self,
      RegionImport.self, HistoryImport.self, HistoryReport.self,
      UserAdministration.self, DeviceAdministration.self, TokenAdministration.self, ShareAdministration.self,
      GroupAdministration.self, DeputyAdministration.self, CompanionAdministration.self,
      Backup.self,
      DatabaseAdministration.self,
    ])

  /// On the main thread, which commands that compute may keep busy.
  @MainActor static func main() async {
    Interruption.watch()
    let console = Console.standard
    let arguments = Array(CommandLine.arguments.dropFirst())
    Foundation.exit(await runWaiting(arguments, on: console))
  }

  /// Carries out one command line; not of a `WaitingCommand`.
  /// - Returns: the exit status; messages have been written to `console`.
  static func run(_ arguments: [String], on console: Console) -> Int32 {
    finish(Result { try carryOut(parse(arguments), on: console) }, on: console)
  }

  /// Carries out one command line, of a `WaitingCommand` too.
  nonisolated(nonsending) static func runWaiting(_ arguments: [String], on console: Console) async -> Int32 {
    await attempt(on: console) {
      let command = try parse(arguments)
      let missing = SystemOpenSSL.missing()
      guard missing.isEmpty else {
        throw ReadError(
          "this system's OpenSSL does not offer \(missing.joined(separator: ", ")), which is needed here: look at what "
            + "openssl.cnf allows")
      }
      guard let waiting = command as? any WaitingCommand else { return try carryOut(command, on: console) }
      return try await waiting.run(on: console)
    }
  }

  private nonisolated(nonsending) static func attempt(
    on console: Console, _ body: nonisolated(nonsending) () async throws -> ExitStatus
  ) async -> Int32 {
    let result: Result<ExitStatus, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    return finish(result, on: console)
  }

  private static func finish(_ result: Result<ExitStatus, any Error>, on console: Console) -> Int32 {
    do {
      let status = try result.get()
      try console.flush()
      return status.rawValue
    } catch {
      let status = report(error, on: console)
      // What was printed before the failure still counts; the failure is what the shell is told.
      try? console.flush()
      return status
    }
  }

  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    var command: any ParsableCommand.Type = Proximity.self
    for given in arguments {
      let below = command.configuration.subcommands
      guard !below.isEmpty, !given.hasPrefix("-"), given != "help" else { break }
      guard let next = below.first(where: { $0._commandName == given }) else {
        guard let meant = nearestName(to: given, among: below.map { $0._commandName }) else { break }
        throw ValidationError("\(printable(given)) is no command; did you mean \(meant)?")
      }
      command = next
    }
    return try parseAsRoot(Locate.withPlaceShielded(arguments))
  }

  private static func carryOut(_ command: any ParsableCommand, on console: Console) throws -> ExitStatus {
    if let command = command as? any ConsoleCommand { return try command.run(on: console) }
    var command = command
    try command.run()
    return .ok
  }
}

/// A command that waits for what goes on beside it: the store, the server. No thread stands still meanwhile.
protocol WaitingCommand: ParsableCommand {
  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus
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
