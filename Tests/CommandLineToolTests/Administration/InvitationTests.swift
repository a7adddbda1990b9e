import AlarmEngine
import AlarmService
import CommandLineSupport
import CommandLineTestSupport
import Delivery
import Formats
import Foundation
import NIOConcurrencyHelpers
import Store
import TestSupport
import Testing

@testable import CommandLineTool

@Suite("Invitations of a table of people")
struct InvitationTests {
  private static let now = Instant(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))

  private struct Place {
    let folder: TestFolder
    let boss = Account(login: "boss", name: "The Boss", passwordHash: nil, createdAt: now)
    let group: PeopleGroup
    var data: String { folder.url.path }

    init() async throws {
      folder = try TestFolder()
      group = PeopleGroup(owner: boss.id, name: "Crew", createdAt: now)
      let (boss, group) = (boss, group)
      try await work { store in
        try await store.create(boss)
        try await store.create(group)
      }
    }

    func work<Value: Sendable>(_ body: (SQLStore) async throws -> Value) async throws -> Value {
      let store = try SQLStore(sqlite: data + "/proximity.sqlite")
      let value = try await body(store)
      try await store.close()
      return value
    }

    func links() async throws -> [GroupLink] {
      let (boss, group) = (boss, group)
      return try await work { try await $0.links(of: group.id, owner: boss.id, at: now) }
    }

    func run(_ arguments: [String]) async -> (status: Int32, lines: [String], messages: String) {
      let captured = CapturedConsole()
      let status = await Proximity.runWaiting(
        ["group", "invite", "\(group.id)", "--user", "boss", "--data", data] + arguments, on: captured.console
      )
      return (status, captured.lines, captured.messages)
    }

    /// Mails the table's people; `answer` is the mail server's, by the number of the mail from 1.
    func mail(
      _ table: String,
      _ answer: @escaping @Sendable (Int) -> DeliveryOutcome = { _ in .delivered(receipt: "") },
      isStopped: @escaping @Sendable (_ sent: Int) -> Bool = { _ in false }
    ) async throws -> (status: CommandLineSupport.ExitStatus, sent: [MailMessage], messages: String) {
      let sent = NIOLockedValueBox<[MailMessage]>([])
      let mailer = InvitationMailer(
        group: group, manager: boss, base: "https://a.example", end: now + .hours(24), makesAccounts: true,
        send: { message in
          answer(
            sent.withLockedValue {
              $0.append(message)
              return $0.count
            })
        }, now: { now }, isStopped: { isStopped(sent.withLockedValue { $0.count }) })
      let (invitations, problems) = InvitationList.read(Array(table.utf8), makesAccounts: true)
      #expect(problems.isEmpty)
      let captured = CapturedConsole()
      let status = try await work { try await mailer.mail(invitations, $0, on: captured.console) }
      return (status, sent.withLockedValue { $0 }, captured.messages)
    }
  }

  private static let people = "name,mail\nAnna,anna@example.org\nBen,ben@example.org\nCarl,carl@example.org\n"

  @Test func `each person of a table gets a link of their own, printed as CSV`() async throws {
    let place = try await Place()
    let table = try place.folder.file(
      "people.csv",
      "\u{feff}login;Mail;NAME\r\n;anna@example.org;\"=Anna \"\"A\"\"\"\r\n"
        + "ben;ben@example.org;Ben, B\r\n")
    let made = await place.run(
      ["--csv", table, "--print", "--new-accounts", "--public-url", "https://a.example/"])
    #expect(made.status == 0 && made.messages.isEmpty, "\(made)")
    #expect(made.lines.first == "name,mail,link" && made.lines.count == 3)
    let start = "https://a.example/#/join/"
    #expect(made.lines[1].hasPrefix("\"'=Anna \"\"A\"\"\",anna@example.org,\(start)"), "\(made.lines)")
    #expect(made.lines[2].hasPrefix("\"Ben, B\",ben@example.org,\(start)"), "\(made.lines)")
    let links = try await place.links().sorted { $0.note < $1.note }
    #expect(links.map(\.note) == ["=Anna \"A\"", "Ben, B"] && links.map(\.login) == [nil, "ben"])
    #expect(links.allSatisfy { $0.people == 1 && $0.makesAccounts && $0.mail == nil })
    #expect(Set(made.lines.dropFirst().map { $0.suffix(43) }).count == 2)
    // The list tells who has joined by which link, and when.
    let secret = String(made.lines[2].suffix(43))
    let ben = Account(login: "ben", name: "", passwordHash: nil, createdAt: Self.now)
    try await place.work { _ = try await $0.create(ben, joiningBy: Secrets.hash(secret)) }
    let listed = CapturedConsole()
    let list = ["group", "links", "\(place.group.id)", "--user", "boss", "--data", place.data]
    #expect(await Proximity.runWaiting(list, on: listed.console) == 0)
    let line = try #require(listed.lines.first { $0.contains("Ben, B") })
    #expect(line.contains("1 of 1 joined") && line.contains("by ben \(rfc3339(Self.now))"), "\(line)")
    #expect(
      listed.lines.contains { $0.contains("=Anna") && $0.contains("0 of 1 joined") && !$0.contains("by ") })
    let json = CapturedConsole()
    #expect(await Proximity.runWaiting(list + ["--json"], on: json.console) == 0)
    #expect(
      json.lines.contains { $0.contains(#""note":"Ben, B","mail":null,"mailed_at":null,"logins":["ben"]"#) })
    #expect(!json.output.contains(secret) && !listed.output.contains(secret))
    // The printed lines are a table again.
    let again = HeaderTable(
      Array(made.lines.joined(separator: "\n").utf8), needed: ["name", "mail", "link"], most: 9)
    #expect(again.problems.isEmpty && again.rows.map { $0["name"] } == ["'=Anna \"A\"", "Ben, B"])
  }

  @Test(arguments: [
    ("", "line 1: no header row found"), ("name\nAnna\n", "line 1: no column mail found"),
    ("name,mail,phone\nAnna,a@x.org,1\n", "line 1: a column \"phone\" found; allowed: name, mail, login"),
    ("name,mail\nAnna,anna\n", "line 2: mail: \"anna\" found, one ASCII address such as"),
    ("name,mail\nAnna,\n", "line 2: mail: nothing found"),
    ("name,mail\nAnna\n", "line 2: mail: nothing found"),
    ("name,mail\nAnna,\"a@x.org, b@x.org\"\n", "line 2: mail: \"a@x.org, b@x.org\" found"),
    ("name,mail\n,a@x.org\n", "line 2: name: nothing found, 1 to 200 bytes allowed"),
    ("name,mail\n\"A\nB\",a@x.org\n", "line 2: name: \"A"),
    ("name,mail\n\(String(repeating: "x", count: 201)),a@x.org\n", "line 2: name: 201 bytes found"),
    (
      "name,mail\nAnna,a@x.org\nBen,b@x.org\nCarl,A@X.org\n",
      "line 4: mail: \"A@X.org\" found, which is in line 2 too"
    ),
    (
      "name,mail,login\nAnna,a@x.org,anna\n",
      "line 1: a column login found, allowed with --new-accounts only"
    ),
    (
      "name,mail\n" + (1...1001).map { "Anna,a\($0)@x.org\n" }.joined(),
      "line 1002: more than 1000 rows found"
    ),
  ])
  func `of a table with a line that cannot be used nothing is created`(table: String, message: String)
    async throws
  {
    let place = try await Place()
    let path = try place.folder.file("people.csv", table)
    let made = await place.run(["--csv", path, "--print"])
    #expect(made.status == 3 && made.lines.isEmpty, "\(made)")
    #expect(made.messages.contains("people.csv, \(message)"), "\(made.messages)")
    #expect(made.messages.contains("nothing was created"))
    #expect(try await place.links().isEmpty)
  }

  @Test func `all lines that cannot be used are told, and logins have to differ`() throws {
    let text = "name,mail,login\n,a@x.org,anna\nBen,b,b:n\nCarl,c@x.org,ANNA\nDora,d@x.org,\n"
    let (invitations, problems) = InvitationList.read(Array(text.utf8), makesAccounts: true)
    #expect(invitations.map(\.name) == ["Dora"])
    #expect(problems.map(\.line) == [2, 3, 3, 4], "\(problems)")
    #expect(problems.last?.message == "login: \"ANNA\" found, which is in line 2 too; each is allowed once")
    #expect(problems.contains { $0.message.contains("\"b:n\" found, a text without colon") })
  }

  @Test func `options that do not belong together are named`() async throws {
    let place = try await Place()
    let table = try place.folder.file("people.csv", Self.people)
    for (arguments, message) in [
      ([], "neither of --people and --csv found"),
      (["--people", "3", "--csv", table], "both of --people and --csv found"),
      (["--people", "3", "--print"], "--print found, allowed with --csv only"),
      (["--people", "3", "--config", table], "--config found, allowed with --csv only"),
      (["--csv", place.folder.path("nothing.csv"), "--print"], "nothing.csv cannot be read"),
      (["--csv", table], "no mail server found in the settings"),
      (["--csv", table, "--config", table], "people.csv, line 1"),
    ] {
      let wrong = await place.run(arguments)
      #expect(wrong.status == 2 && wrong.messages.contains(message), "\(arguments): \(wrong)")
    }
    let config = try place.folder.file(
      "server.json", #"{"smtp_host": "127.0.0.1", "smtp_sender": "alarm@example.org"}"#)
    let local = await place.run(["--csv", table, "--config", config])
    #expect(local.status == 2 && local.messages.contains("no public address found"), "\(local)")
    #expect(try await place.links().isEmpty)
  }

  @Test func `a command that is stopped goes on later, and mails nobody twice`() async throws {
    let place = try await Place()
    let first = try await place.mail(Self.people, isStopped: { $0 == 1 })
    #expect(first.status == .interrupted && first.messages.contains("1 of 3 mailed"), "\(first.messages)")
    #expect(first.sent.map { "\($0.recipient)" } == ["anna@example.org"])
    let text = try #require(first.sent.first?.text)
    #expect(first.sent.first?.subject == "Join the group Crew" && text.hasPrefix("Hello Anna,\n"))
    #expect(text.contains("The Boss invites you") && text.contains("https://a.example/#/join/"), "\(text)")
    let second = try await place.mail(Self.people)
    #expect(second.status == .ok && second.messages.contains("2 of 3 mailed, 1 mailed earlier"))
    #expect(second.sent.map { "\($0.recipient)" } == ["ben@example.org", "carl@example.org"])
    #expect(try await place.mail(Self.people).sent.isEmpty)
    let links = try await place.links()
    #expect(links.count == 3 && links.allSatisfy { $0.mailedAt != nil && $0.makesAccounts })
  }

  @Test func `a mail that was refused leaves no link, and one of unknown fate is not sent again`()
    async throws
  {
    let place = try await Place()
    let first = try await place.mail(Self.people) { number in
      switch number {
      case 1: .refused(reason: .reply(550, "no such user"))
      case 2: .retry(after: nil, reason: .timedOut(during: "acceptance"))
      default: .delivered(receipt: "")
      }
    }
    #expect(first.status == .findings && first.sent.count == 3)
    #expect(first.messages.contains("line 2: anna@example.org was not mailed: SMTP 550: no such user"))
    #expect(first.messages.contains("line 3: it is not known whether ben@example.org was mailed"))
    let ben = try #require(try await place.links().first { $0.note == "Ben" })
    let command = "group end-link \(place.group.id) \(ben.id) --user boss"
    #expect(ben.mailedAt == nil && first.messages.contains(command))
    #expect(try await place.links().count == 2)
    let second = try await place.mail(Self.people)
    #expect(second.sent.map { "\($0.recipient)" } == ["anna@example.org"])
    #expect(second.status == .findings && second.messages.contains("ben@example.org"))
  }

  @Test func `a mail server that cannot be reached is left alone after three mails`() async throws {
    let place = try await Place()
    let more = Self.people + "Dora,dora@example.org\n"
    let first = try await place.mail(more) { _ in .retry(after: nil, reason: .unreachable("refused")) }
    #expect(first.status == .tryAgain && first.sent.count == InvitationMailer.mostFailures)
    #expect(first.messages.contains("the mail server failed 3 times in a row"))
    #expect(try await place.links().isEmpty)
    let full = (1...GroupLink.most).compactMap {
      GroupLink(group: place.group.id, people: $0, createdAt: Self.now, endsAt: Self.now + .hours(1))
    }.map { ($0, TokenHash((0..<32).map { _ in UInt8.random(in: 0...255) })) }
    try await place.work { try await $0.create(full, owner: place.boss.id) }
    await #expect(throws: ReadError.self) { try await place.mail(more) }
  }
}
