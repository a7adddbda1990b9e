import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Server
import Store

/// Lists and ends the right to answer another person's alarms, for operators of the server. That person
/// grants the right.
struct DeputyAdministration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deputy",
    abstract: "Lists the people who may answer an account's alarms, and ends their permission.",
    subcommands: [List.self, End.self])

  struct List: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the people who may answer an account's alarms.")
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String
    @Flag(help: "Print one JSON object per line.") var json = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      let now = ServerClock.system.now()
      let (deputies, memberships) = try await options.work { store in
        let account = try await store.account(login: user).id
        return (
          try await store.deputies(of: account, at: now), try await store.memberships(of: account, at: now)
        )
      }
      var lines = deputies.map {
        ($0.id.description, $0.login, $0.account == nil ? "offered" : "accepted", "")
      }
      for each in memberships where each.member.isManagerLet {
        lines.append((each.member.id.description, each.group.managerLogin, "accepted", each.group.name))
      }
      var table = TextTable(widest: 40)
      for (id, login, state, group) in lines {
        if json {
          var line = JSONLine()
          line.add("id", .string(id))
          line.add("login", .string(login))
          line.add("is_accepted", .bool(state == "accepted"))
          line.add("group", group.isEmpty ? .null : .string(group))
          try console.print(line.string)
        } else {
          table.add([
            id, printable(login), state, group.isEmpty ? "" : "as the manager of \(printable(group))",
          ])
        }
      }
      for line in table.lines { try console.print(line) }
      return .ok
    }
  }

  struct End: WaitingCommand {
    static let configuration = CommandConfiguration(abstract: "Ends a permission at once, for both sides.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The permission's id, as listed.") var deputy: String
    @Option(help: ArgumentHelp("The account's login.", valueName: "login")) var user: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      guard let id = DeputyID(deputy) else {
        throw UsageError(
          "\(printable(deputy)) is not a permission's id; `proximity deputy list` shows the ids")
      }
      try await options.work { store in
        let account = try await store.account(login: user).id
        let isManagers = try await store.memberships(of: account, at: ServerClock.system.now())
          .contains { $0.member.id.rawValue == id.rawValue && $0.member.isManagerLet }
        let ended =
          if isManagers {
            try await store.endManagerAnswering(GroupMemberID(rawValue: id.rawValue), by: account)
          } else {
            try await store.end(id, by: account)
          }
        for each in Set([ended.owner, ended.answerer].compactMap { $0 }).sorted() {
          try await store.note(
            byCommand: "endDeputy", each == ended.owner ? ended.answererLogin : ended.ownerLogin, of: each)
        }
      }
      return .ok
    }
  }
}
