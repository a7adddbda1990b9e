import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Store

/// A copy of a server's data, while it runs.
struct Backup: WaitingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes all data of a server, as it is at one moment, to a new file.",
    discussion:
      "The server goes on meanwhile. To go back, stop it and put the file in place of proximity.sqlite.")

  @OptionGroup var options: DataOptions
  @Argument(help: "The file to write; it must not be there yet.") var file: String

  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
    let file = file
    guard !FileManager.default.fileExists(atPath: file) else {
      throw UsageError("\(printable(file)) is there already; the name of a new file allowed")
    }
    try await options.work { try await $0.backUp(to: file, progress: { _ in }) }
    return .ok
  }
}
