import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Server
import Store

/// Groups of people and whether their members would be warned, for operators of the server. The manager makes
/// a group, and each member joins it.
struct GroupAdministration: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group",
    abstract: "Lists an account's groups and their members, invites people, and ends memberships.",
    subcommands: [List.self, Members.self, End.self, Invite.self, Links.self, EndLink.self])

  static func group(_ text: String) throws -> GroupID {
    guard let id = GroupID(text) else {
      throw UsageError("group \(printable(text)) is not an id; `proximity group list` shows the ids")
    }
    return id
  }

  struct List: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists an account's groups and the collections that they may follow.")
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("The manager's login.", valueName: "login")) var user: String
    @Flag(help: "Print one JSON object per line.") var json = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      let groups = try await options.work { store in
        try await store.groups(of: store.account(login: user).id, at: ServerClock.system.now())
      }
      var table = TextTable(widest: 40)
      for group in groups {
        if json {
          var line = JSONLine()
          line.add("id", .string(group.id.description))
          line.add("name", .string(group.name))
          line.add("member_count", .integer(group.memberCount))
          line.add("collections", .strings(group.collections.map(\.name)))
          line.add("link_ends_at", group.linkEndsAt.map { .string(rfc3339($0)) } ?? .null)
          try console.print(line.string)
        } else {
          table.add([
            group.id.description, printable(group.name),
            group.memberCount == 1 ? "1 member" : "\(group.memberCount) members",
            group.collections.map { printable($0.name) }.joined(separator: ", "),
          ])
        }
      }
      for line in table.lines { try console.print(line) }
      return .ok
    }
  }

  struct Members: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists a group's members, and the reasons why a member would not be warned.",
      discussion:
        "Exit status 1 if a member would not be warned: no phone, or a silent, switched-off or unreadable one."
    )
    @OptionGroup var options: DataOptions
    @Argument(help: "The group's id, as listed.") var group: String
    @Option(help: ArgumentHelp("The manager's login.", valueName: "login")) var user: String
    @Flag(help: "Print one JSON object per line.") var json = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      let id = try GroupAdministration.group(group)
      let now = ServerClock.system.now()
      let members = try await options.work { store in
        try await store.members(of: id, owner: store.account(login: user).id, at: now)
      }
      var table = TextTable(widest: 60)
      var status = ExitStatus.ok
      for member in members {
        let (state, problems) = GroupAdministration.words(member, at: now)
        if !problems.isEmpty { status = .findings }
        if json {
          var line = JSONLine()
          line.add("id", .string(member.id.description))
          line.add("login", .string(member.login))
          line.add("state", .string(state))
          line.add("phones", .integer(member.report.phones.count))
          line.add("follows", .integer(member.report.follows.count))
          line.add("problems", .strings(problems))
          try console.print(line.string)
        } else {
          table.add([
            member.id.description, printable(member.login), state,
            problems.map { printable($0) }.joined(separator: "; "),
          ])
        }
      }
      for line in table.lines { try console.print(line) }
      return status
    }
  }

  /// The state of a member, and the problems that keep them from being warned.
  static func words(_ member: GroupMember, at now: Instant) -> (state: String, problems: [String]) {
    switch member.state {
    case .invited: return ("invited", [])
    case .ended: return ("ended", [])
    case .joined: break
    }
    var problems: [String] = []
    if member.report.follows.isEmpty { problems.append("follows none of the group's collections") }
    if member.report.phones.isEmpty { problems.append("no phone") }
    for phone in member.report.phones {
      if phone.isSilent(at: now) || phone.heardAt == nil {
        problems.append(
          "\(phone.name): " + (phone.heardAt.map { "silent since \(rfc3339($0))" } ?? "has never reported"))
      }
      if !phone.isArmed { problems.append("\(phone.name): alarms off") }
      if phone.isUnreadable { problems.append("\(phone.name): cannot be read") }
    }
    if let trouble = member.report.trouble, !trouble.isOver {
      problems.append("\(trouble.channelKind ?? "a channel"): delivery failed at \(rfc3339(trouble.at))")
    }
    return ("joined", problems)
  }

  struct End: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends a membership or an invitation at once, for both sides.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The membership's id, as `proximity group members` shows it.") var membership: String
    @Option(help: ArgumentHelp("The manager's or the member's login.", valueName: "login")) var user: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      guard let id = GroupMemberID(membership) else {
        throw UsageError(
          "membership \(printable(membership)) is not an id; `proximity group members` shows the ids"
        )
      }
      try await options.work { store in
        let account = try await store.account(login: user).id
        let ended = try await store.end(id, by: account, at: ServerClock.system.now())
        for each in Set([ended.group.manager, ended.account].compactMap { $0 }).sorted() {
          try await store.note(
            byCommand: "endMembership", "\(ended.group.name) · \(ended.login)", of: each)
        }
      }
      return .ok
    }
  }
}
