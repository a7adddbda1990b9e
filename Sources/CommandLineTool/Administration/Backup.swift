import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Store

/// A copy of a server's data, while it runs.
struct Backup: WaitingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a consistent copy of all of a server's data to a new file.",
    discussion:
      "The server may keep running. To restore, stop it and replace proximity.sqlite with the file.")

  @OptionGroup var options: DataOptions
  @Argument(help: "The file to write. It must not exist yet.") var file: String

  nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
    let file = file
    guard !FileManager.default.fileExists(atPath: file) else {
      throw UsageError("\(printable(file)) already exists; name a new file")
    }
    try await options.work { try await $0.backUp(to: file, progress: { _ in }) }
    return .ok
  }
}
