import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Store

/// Commands for a server's data as a whole.
struct DatabaseAdministration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "database", abstract: "Copies a server's data from one database to another, and checks it.",
    subcommands: [Copy.self, Check.self])

  /// Copies all data to another folder or database.
  struct Copy: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Copies all data of a stopped server into an empty database, from a folder to PostgreSQL or back.",
      discussion: """
        All rows are compared at the end. Repeat the command to continue an interrupted copy. Places and maps are files in \
        the server's folder and are not copied.
        """)

    @Option(help: ArgumentHelp("The source: a server's folder or postgres://...", valueName: "place"))
    var from: String
    @Option(help: ArgumentHelp("The empty target: a folder or postgres://...", valueName: "place"))
    var to: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let (source, target) = (try DataPlace(from), try DataPlace(to))
      // A server that continued to write would write data that is not copied.
      let locks = [try source.lockIfThere(), try target.lock()]
      let old = try await source.open(making: false)
      let new = try await target.open(making: true)
      let console = console
      // From here on only the copy draws, one step after the other.
      nonisolated(unsafe) let bar = ProgressBar("copying", in: .shares, on: console)
      do {
        try await old.copy(to: new) { share, _ in bar.step(done: Int(share * 1000), total: 1000) }
        bar.finish()
      } catch {
        bar.finish()
        if error == .taken {
          throw UsageError(
            "\(printable(target.description)) already holds data; name an empty folder or database")
        }
        throw ReadError(error.words)
      }
      try await old.close()
      try await new.close()
      console.complain("all data is copied to \(printable(target.description)); all rows are equal")
      withExtendedLifetime(locks) {}
      return .ok
    }
  }

  /// Checks the data for damage.
  struct Check: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reads all data and reports damage. The server may keep running.")

    @OptionGroup var options: DataOptions

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let (issues, statistics) = try await options.work { store in
        (try await store.integrityIssues(), try await store.statistics())
      }
      for issue in issues { console.complain(printable(issue)) }
      guard issues.isEmpty else { throw ReadError("\(issues.count) faults") }
      console.complain(
        "no damage: \(statistics.accounts) accounts, \(statistics.devices) devices, \(statistics.zones) zones, "
          + "\(statistics.alarms) alarms")
      return .ok
    }
  }
}

extension DataPlace {
  /// Locks like `lock`, but creates nothing.
  fileprivate func lockIfThere() throws -> FolderLock? {
    guard case .folder(let folder) = self, FileManager.default.fileExists(atPath: folder.path) else {
      return nil
    }
    return try lock()
  }
}
