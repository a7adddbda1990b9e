import AlarmEngine
import AlarmService
import ArgumentParser
import Formats
import Foundation
import Geometry
import Server
import Store

/// Alarms about the distance between two devices, by those who run the server. They are set by the people whose they are.
struct CompanionAdministration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "companion",
    abstract: "Alarms about the distance between two phones: list, end.",
    subcommands: [List.self, End.self])

  struct List: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "The alarms that an account has set, and those of others about its phones.")
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("Whose.", valueName: "login")) var user: String
    @Flag(help: "Print one JSON object a line.") var json = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      let (own, about) = try await options.work { store in
        let account = try await store.account(login: user).id
        return (try await store.companions(of: account), try await store.companions(about: account))
      }
      var table = TextTable(widest: 40)
      for (companion, watcher) in own.map({ ($0, nil as String?) })
        + about.map({ ($0.companion, $0.watcherLogin) })
      {
        let when = companion.trigger == .within ? "within" : "apart"
        let state = companion.end.map { "\($0)" } ?? "watching"
        if json {
          var line = JSONLine()
          line.add("id", .string(companion.id.description))
          line.add("device_id", .string(companion.device.description))
          line.add("name", .string(companion.name))
          line.add("when", .string(when))
          line.add("distance_m", .number(companion.distance.metres))
          line.add("state", .string(state))
          line.add("watcher", watcher.map { .string($0) } ?? .null)
          try console.print(line.string)
        } else {
          table.add([
            companion.id.description, printable(companion.name), when,
            "\(Int(companion.distance.metres.rounded())) m", state,
            watcher.map { "set by \(printable($0))" } ?? "",
          ])
        }
      }
      for line in table.lines { try console.print(line) }
      return .ok
    }
  }

  struct End: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes an account's own alarm, or refuses somebody else's about one of its phones.")
    @OptionGroup var options: DataOptions
    @Argument(help: "Its id, as listed.") var companion: String
    @Option(help: ArgumentHelp("Whose.", valueName: "login")) var user: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      guard let id = CompanionID(companion) else {
        throw UsageError(
          "\(printable(companion)) found, the id that `proximity companion list` shows allowed")
      }
      try await options.work { store in
        let account = try await store.account(login: user).id
        let ended = try await store.end(id, by: account, at: ServerClock.system.now())
        for each in Set([account, ended.companion.account]).sorted() {
          try await store.note(
            byCommand: "endCompanion", each == account ? ended.companion.name : user, of: each)
        }
      }
      return .ok
    }
  }
}
