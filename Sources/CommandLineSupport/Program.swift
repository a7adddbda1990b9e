import ArgumentParser
import Formats
import Foundation

/// A program with several commands, run on a given console, so that tests can read its output.
package protocol Program: ParsableCommand {
  /// The arguments in the form that the parser accepts; unchanged by default.
  static func prepared(_ arguments: [String]) -> [String]
  /// - Throws: if a requirement is missing on this system. By default nothing is checked.
  static func checkSystem() throws
}

extension Program {
  package static func prepared(_ arguments: [String]) -> [String] { arguments }
  package static func checkSystem() throws {}

  /// Runs the process's own arguments on the main thread, which computing commands may block, and ends the
  /// process.
  @MainActor package static func runProcess() async -> Never {
    Interruption.watch()
    let console = Console.standard
    let arguments = Array(CommandLine.arguments.dropFirst())
    Foundation.exit(await runWaiting(arguments, on: console))
  }

  /// Runs one command line, except one of a `WaitingCommand`.
  /// - Returns: the exit status; messages have been written to `console`.
  package static func run(_ arguments: [String], on console: Console) -> Int32 {
    finish(Result { try carryOut(parse(arguments), on: console) }, on: console)
  }

  /// Runs one command line, including one of a `WaitingCommand`.
  package nonisolated(nonsending) static func runWaiting(_ arguments: [String], on console: Console) async
    -> Int32
  {
    await attempt(on: console) {
      let command = try parse(arguments)
      try checkSystem()
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
      // Lines printed before the failure remain valid; the exit status reports the failure.
      try? console.flush()
      return status
    }
  }

  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    var command: any ParsableCommand.Type = Self.self
    for given in arguments {
      let below = command.configuration.subcommands
      guard !below.isEmpty, !given.hasPrefix("-"), given != "help" else { break }
      guard let next = below.first(where: { $0._commandName == given }) else {
        guard let meant = nearestName(to: given, among: below.map { $0._commandName }) else { break }
        throw ValidationError("\(printable(given)) is not a command; did you mean \(meant)?")
      }
      command = next
    }
    return try parseAsRoot(prepared(arguments))
  }

  private static func carryOut(_ command: any ParsableCommand, on console: Console) throws -> ExitStatus {
    if let command = command as? any ConsoleCommand { return try command.run(on: console) }
    var command = command
    try command.run()
    return .ok
  }
}

/// A command that waits for concurrent work: the store, the server. It blocks no thread meanwhile.
package protocol WaitingCommand: ParsableCommand {
  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus
}

/// A command that writes to a given console, so that tests can read its output.
package protocol ConsoleCommand: ParsableCommand {
  func run(on console: Console) throws -> ExitStatus
}

extension ConsoleCommand {
  package func run() throws {
    let console = Console.standard
    let status = try run(on: console)
    try console.flush()
    throw ExitCode(status.rawValue)
  }
}
