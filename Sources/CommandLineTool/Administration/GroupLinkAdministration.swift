import AlarmEngine
import AlarmService
import ArgumentParser
import CommandLineSupport
import Formats
import Foundation
import Server
import Store

/// The end of a link for joining a group, as a number of days or as a date.
struct LinkEnd: ParsableArguments {
  @Option(help: "Days until the link ends, 1 to 90. Default: 7.") var days: Int?
  @Option(
    help: ArgumentHelp(
      "Last day of the link in UTC, as YYYY-MM-DD, or its end as a time such as 2026-12-24T18:00:00+01:00; at most 90 days ahead.",
      valueName: "date"))
  var until: String?

  func instant(after now: Instant) throws -> Instant {
    let most = Int(GroupLink.longest.seconds / 86_400)
    guard let until else {
      let days = days ?? 7
      guard (1...most).contains(days) else {
        throw UsageError("--days \(days) found, 1 to \(most) allowed")
      }
      return now + .hours(24 * Double(days))
    }
    guard days == nil else { throw UsageError("--days and --until found, one of them allowed") }
    let day = RFC3339.instant(from: until + "T00:00:00Z")
    guard let end = day.map({ $0 + .hours(24) - .milliseconds(1) }) ?? RFC3339.instant(from: until) else {
      throw UsageError(
        "--until \(printable(until)) found, YYYY-MM-DD or a time such as 2026-12-24T18:00:00Z allowed")
    }
    guard end > now, end <= now + GroupLink.longest else {
      throw UsageError(
        "--until \(printable(until)) found, later than now and at most \(most) days ahead allowed")
    }
    return end
  }
}

/// Links by which people join a group by themselves.
extension GroupAdministration {
  struct Invite: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes links by which people may join a group; they are shown only once.",
      discussion: """
        With --people, prints one link for a number of people. With --csv, makes a link for each person of a table with \
        the columns name and mail (and perhaps login, with --new-accounts), and mails it. A command that was stopped can \
        be repeated: nobody is mailed twice. The mail server is that of the server's own settings, in --config or in the \
        environment (PROXIMITY_SMTP_HOST and others).
        """)
    @OptionGroup var options: DataOptions
    @Argument(help: "The group's id, as listed.") var group: String
    @Option(help: ArgumentHelp("The manager's login.", valueName: "login")) var user: String
    @Option(help: "Number of people who may join, 1 to 1000.") var people: Int?
    @Option(help: ArgumentHelp("A table of the people to invite, as CSV.", valueName: "file")) var csv:
      String?
    @Flag(
      name: .customLong("print"),
      help: "With --csv, prints name, mail and link of each person as CSV instead of mailing.")
    var prints = false
    @OptionGroup var end: LinkEnd
    @Flag(help: "A person without an account may make one by the link.") var newAccounts = false
    @Option(help: ArgumentHelp("With --csv, the server's JSON file of settings.", valueName: "file"))
    var config: String?
    @Option(
      help: ArgumentHelp(
        "The server's public address. Default: that of the settings, or http://127.0.0.1:8080.",
        valueName: "url"))
    var publicUrl: String?

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let now = ServerClock.system.now()
      let id = try GroupAdministration.group(group)
      let ends = try end.instant(after: now)
      switch (people, csv) {
      case (let people?, nil):
        guard !prints, config == nil else {
          throw UsageError("--\(prints ? "print" : "config") found, allowed with --csv only")
        }
        try await inviteMany(people, to: id, now, until: ends, on: console)
        return .ok
      case (nil, let path?): return try await invite(all: path, to: id, now, until: ends, on: console)
      case (nil, nil), (_?, _?):
        throw UsageError(
          "\(people == nil ? "neither" : "both") of --people and --csv found, one of them allowed")
      }
    }

    /// Prints one link for several people.
    private nonisolated(nonsending) func inviteMany(
      _ people: Int, to id: GroupID, _ now: Instant, until end: Instant, on console: Console
    ) async throws {
      let user = user
      let link = GroupLink(
        group: id, people: people, createdAt: now, endsAt: end, makesAccounts: newAccounts)
      guard let link else {
        let allowed = GroupLink.allowedPeople
        throw UsageError("--people \(people) found, \(allowed.lowerBound) to \(allowed.upperBound) allowed")
      }
      let secret = Secrets.random()
      try await options.work { store in
        let account = try await store.account(login: user).id
        let name = try await store.group(id, of: account, at: now).name
        try await store.create(link, hash: Secrets.hash(secret), owner: account)
        let action = link.makesAccounts ? "makeAccountLink" : "makeGroupLink"
        try await store.note(byCommand: action, "\(name) · \(people)", of: account)
      }
      try console.print("\(base(or: nil) ?? Self.local)/#/join/\(secret)")
    }
  }

  private static func mail(of link: GroupLink) -> String {
    guard link.mail != nil else { return "" }
    return link.mailedAt.map { "mailed \(rfc3339($0))" } ?? "not known whether mailed"
  }

  /// The person who has used a link for one person. A link for several has its number of people instead, and
  /// `--json` the logins.
  private static func uses(of link: GroupLink) -> String {
    guard link.people == 1, let last = link.uses.last else { return "" }
    return "by \(printable(last.login)) \(rfc3339(last.at))"
  }

  struct Links: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Lists the links for joining a group that have not ended, and who has joined by each, without their secrets."
    )
    @OptionGroup var options: DataOptions
    @Argument(help: "The group's id, as listed.") var group: String
    @Option(help: ArgumentHelp("The manager's login.", valueName: "login")) var user: String
    @Flag(help: "Print one JSON object per line.") var json = false

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let user = user
      let id = try GroupAdministration.group(group)
      let links = try await options.work { store in
        try await store.links(
          of: id, owner: store.account(login: user).id, at: ServerClock.system.now())
      }
      var table = TextTable(widest: 40)
      for link in links {
        if json {
          var line = JSONLine()
          line.add("id", .string(link.id.description))
          line.add("people", .integer(link.people))
          line.add("joined", .integer(link.joined))
          line.add("created_at", .string(rfc3339(link.createdAt)))
          line.add("ends_at", .string(rfc3339(link.endsAt)))
          line.add("makes_accounts", .bool(link.makesAccounts))
          line.add("note", .string(link.note))
          line.add("mail", link.mail.map { .string($0) } ?? .null)
          line.add("mailed_at", link.mailedAt.map { .string(rfc3339($0)) } ?? .null)
          line.add("logins", .strings(link.uses.map(\.login)))
          line.add("joined_at", .strings(link.uses.map { rfc3339($0.at) }))
          try console.print(line.string)
        } else {
          table.add([
            link.id.description, printable(link.note), "\(link.joined) of \(link.people) joined",
            "until \(rfc3339(link.endsAt))", link.makesAccounts ? "makes accounts" : "",
            GroupAdministration.mail(of: link), GroupAdministration.uses(of: link),
          ])
        }
      }
      for line in table.lines { try console.print(line) }
      return .ok
    }
  }

  struct EndLink: WaitingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends a link for joining a group at once; members stay.")
    @OptionGroup var options: DataOptions
    @Argument(help: "The group's id, as listed.") var group: String
    @Argument(help: "The link's id, as `proximity group links` shows it.") var link: String
    @Option(help: ArgumentHelp("The manager's login.", valueName: "login")) var user: String

    nonisolated(nonsending) func run(on console: Console) async throws -> ExitStatus {
      let (user, now) = (user, ServerClock.system.now())
      let id = try GroupAdministration.group(group)
      guard let link = GroupLinkID(link) else {
        throw UsageError(
          "link \(printable(link)) is not an id; `proximity group links` shows the ids")
      }
      try await options.work { store in
        let account = try await store.account(login: user).id
        let name = try await store.group(id, of: account, at: now).name
        try await store.endLink(link, of: id, owner: account)
        try await store.note(byCommand: "endGroupLink", name, of: account)
      }
      return .ok
    }
  }
}
