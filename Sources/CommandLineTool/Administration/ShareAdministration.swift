import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Server
import Store

/// Lists and ends shares of phones' positions, for operators of the server. A share is made by the person
/// whose phone it is.
struct ShareAdministration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share", abstract: "Lists and ends the shares by which others see an account's phones.",
    subcommands: [List.self, End.self])

  struct List: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the people and links that may see an account's phones.")
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String
    @Flag(help: "Print one JSON object per line.") var json = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      let (shares, names) = try await options.work { store in
        let account = try await store.account(login: user).id
        let devices = try await store.devices(of: account).map { ($0.id, $0.name) }
        return (
          try await store.shares(of: account, at: ServerClock.system.now()),
          Dictionary(uniqueKeysWithValues: devices)
        )
      }
      var table = TextTable(widest: 40)
      for share in shares {
        let ends = share.endsAt.map { rfc3339($0) }
        var login: String?
        if case .person(let person, _) = share.receiver { login = person }
        if json {
          var line = JSONLine()
          line.add("id", .string(share.id.description))
          line.add("device_id", .string(share.device.description))
          line.add("login", login.map { .string($0) } ?? .null)
          line.add("name", .string(share.name))
          line.add("precision", .string(String(describing: share.precision)))
          line.add("is_accepted", .bool(login == nil || share.viewer != nil))
          line.add("ends_at", ends.map { .string($0) } ?? .null)
          try console.print(line.string)
        } else {
          table.add([
            share.id.description, printable(names[share.device] ?? ""),
            printable(login ?? "link \(share.name)"),
            String(describing: share.precision),
            login != nil && share.viewer == nil ? "offered" : ends.map { "until \($0)" } ?? "until ended",
          ])
        }
      }
      for line in table.lines { try console.print(line) }
      return .ok
    }
  }

  struct End: WaitingCommand {
    static let configuration = CommandConfiguration(abstract: "Ends a share at once, for both sides.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The share's id, as listed.") var share: String
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      guard let id = ShareID(share) else {
        throw UsageError(
          "share \(printable(share)) is not an id; `proximity share list` shows the ids")
      }
      try await options.work { store in
        let account = try await store.account(login: user).id
        try await store.end(id, by: account, at: ServerClock.system.now())
        try await store.note(byCommand: "endShare", id.description, of: account)
      }
      return .ok
    }
  }
}
