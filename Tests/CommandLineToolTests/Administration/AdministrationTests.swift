import AlarmEngine
import AlarmService
import CommandLineSupport
import CommandLineTestSupport
import Foundation
import Store
import TestSupport
import Testing

@testable import CommandLineTool

/// Commands on a server's folder, with the folder's contents before and after.
@Suite("Groups, deputies and sign-ins by command")
struct AdministrationTests {
  private static let now = Instant(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))

  private struct Place {
    let data: String
    let anna: Account
    let ben: Account

    init() async throws {
      data = try TestFolder().url.path
      anna = Account(login: "anna", name: "Anna", passwordHash: nil, createdAt: now)
      ben = Account(login: "ben", name: "Ben", passwordHash: nil, createdAt: now)
      let (anna, ben) = (anna, ben)
      try await work { store in
        try await store.create(anna)
        try await store.create(ben)
      }
    }

    func work<Value: Sendable>(_ body: (SQLStore) async throws -> Value) async throws -> Value {
      let store = try SQLStore(sqlite: data + "/proximity.sqlite")
      let value = try await body(store)
      try await store.close()
      return value
    }

    func run(_ arguments: String...) async -> (status: Int32, lines: [String], messages: String) {
      await run(arguments)
    }

    func run(_ arguments: [String]) async -> (status: Int32, lines: [String], messages: String) {
      let captured = CapturedConsole()
      let status = await Proximity.runWaiting(arguments + ["--data", data], on: captured.console)
      return (status, captured.lines, captured.messages)
    }

    /// The actions that commands took, from the account's log, latest first.
    func log(_ login: String) async -> [String] { await run("user", "log", login).lines }
  }

  @Test func `a group's members are listed with what keeps them from being warned, and a membership ends`()
    async throws
  {
    let place = try await Place()
    let group = PeopleGroup(owner: place.anna.id, name: "Crew", createdAt: Self.now)
    let member = GroupMemberID(rawValue: 77)
    try await place.work { store in
      try await store.create(group)
      try await store.invite("ben", as: member, to: group.id, of: place.anna.id, at: Self.now)
    }
    let groups = await place.run("group", "list", "--user", "anna")
    #expect(groups.status == 0 && groups.lines.count == 1)
    #expect(
      groups.lines.first?.contains("\(group.id)") == true && groups.lines.first?.contains("Crew") == true)
    #expect(await place.run("group", "list", "--user", "ben").lines.isEmpty)
    #expect(await place.run("group", "list", "--user", "nobody").status == 3)

    let invited = await place.run("group", "members", "\(group.id)", "--user", "anna", "--json")
    #expect(invited.status == 0, "whoever is only invited is not missed")
    #expect(invited.lines.first?.contains(#""state":"invited""#) == true, "\(invited)")
    try await place.work { _ = try await $0.accept(member, by: place.ben.id, at: Self.now) }
    let joined = await place.run("group", "members", "\(group.id)", "--user", "anna")
    #expect(joined.status == 1, "no phone: he would not be warned")
    #expect(joined.lines.first?.contains("no phone") == true, "\(joined)")
    #expect(await place.run("group", "members", "\(group.id)", "--user", "ben").status == 3, "it is Anna's")
    let wrong = await place.run("group", "members", "crew", "--user", "anna")
    #expect(wrong.status == 2 && wrong.messages.contains("`proximity group list` shows the ids"))

    #expect(await place.run("group", "end", "\(member)", "--user", "ben").status == 0)
    #expect(await place.run("group", "end", "\(member)", "--user", "ben").status == 3, "it has ended")
    #expect(await place.run("group", "end", "ben", "--user", "anna").status == 2)
    for login in ["anna", "ben"] {
      #expect(await place.log(login).first?.contains("endMembership") == true)
    }
  }

  @Test func `a link to join a group is printed once, listed without its secret, and ended`() async throws {
    let place = try await Place()
    let group = PeopleGroup(owner: place.anna.id, name: "Crew", createdAt: Self.now)
    try await place.work { try await $0.create(group) }
    let made = await place.run(
      "group", "invite", "\(group.id)", "--user", "anna", "--people", "300", "--public-url",
      "https://a.example")
    let link = try #require(made.lines.first)
    #expect(made.status == 0 && link.hasPrefix("https://a.example/#/join/"), "\(made)")
    let secret = String(link.suffix(43))
    let listed = await place.run("group", "links", "\(group.id)", "--user", "anna")
    #expect(listed.lines.count == 1 && listed.lines.first?.contains("0 of 300 joined") == true, "\(listed)")
    let json = await place.run("group", "links", "\(group.id)", "--user", "anna", "--json").lines.first ?? ""
    #expect(json.contains(#""people":300,"joined":0"#) && !json.contains(secret), "\(json)")
    let id = String(listed.lines.first?.prefix(16) ?? "")
    for (option, value) in [
      ("--people", "0"), ("--people", "1001"), ("--days", "0"), ("--days", "91"), ("--until", "soon"),
      ("--until", "2020-01-01"), ("--until", "2020-02-30"), ("--until", "9999-12-31T00:00:00Z"),
    ] {
      let people = option == "--people" ? [] : ["--people", "3"]
      let wrong = await place.run(
        ["group", "invite", "\(group.id)", "--user", "anna", option, value] + people)
      #expect(wrong.status == 2 && wrong.messages.contains("\(option) \(value) found"), "\(wrong)")
    }
    #expect(
      await place.run("group", "invite", "\(group.id)", "--user", "ben", "--people", "3").status == 3,
      "it is Anna's")
    #expect(await place.run("group", "end-link", "\(group.id)", id, "--user", "ben").status == 3)
    #expect(await place.run("group", "end-link", "\(group.id)", "first", "--user", "anna").status == 2)
    #expect(await place.run("group", "end-link", "\(group.id)", id, "--user", "anna").status == 0)
    #expect(await place.run("group", "end-link", "\(group.id)", id, "--user", "anna").status == 3)
    let log = await place.log("anna")
    #expect(log.first?.contains("endGroupLink") == true)
    #expect(log.contains { $0.contains("makeGroupLink") && $0.contains("Crew · 300") }, "\(log)")
  }

  @Test func `a link that makes accounts is made by a flag, until a date`() async throws {
    let place = try await Place()
    let group = PeopleGroup(owner: place.anna.id, name: "Crew", createdAt: Self.now)
    try await place.work { try await $0.create(group) }
    let tomorrow = String(rfc3339(Self.now + .hours(24)).prefix(10))
    let invite = ["group", "invite", "\(group.id)", "--user", "anna", "--people", "3"]
    #expect(await place.run(invite + ["--until", tomorrow]).status == 0)
    let made = await place.run(invite + ["--new-accounts", "--until", "\(tomorrow)T00:00:00+00:00"])
    let secret = String(try #require(made.lines.first).suffix(43))
    let lines = await place.run("group", "links", "\(group.id)", "--user", "anna").lines
    #expect(lines.contains { $0.contains("makes accounts") && $0.contains("until \(tomorrow)T00:00:00") })
    #expect(lines.contains { !$0.contains("makes accounts") && $0.contains("until \(tomorrow)T23:59:59") })
    let json = await place.run("group", "links", "\(group.id)", "--user", "anna", "--json").lines
    #expect(json.map { $0.contains(#""makes_accounts":true"#) }.count { $0 } == 1, "\(json)")
    #expect(await place.log("anna").contains { $0.contains("makeAccountLink") && $0.contains("Crew · 3") })
    let both = await place.run(invite + ["--until", tomorrow, "--days", "3"])
    #expect(both.status == 2 && both.messages.contains("--days and --until found"), "\(both)")
    let carl = Account(login: "carl", name: "Carl", passwordHash: nil, createdAt: Self.now)
    try await place.work { _ = try await $0.create(carl, joiningBy: Secrets.hash(secret)) }
    #expect(await place.run("group", "members", "\(group.id)", "--user", "anna").lines.count == 1)
  }

  @Test func `deputies are listed as offered, accepted and by a group, and each right ends`() async throws {
    let place = try await Place()
    let deputy = Deputy(owner: place.anna.id, login: "ben", createdAt: Self.now)
    let group = PeopleGroup(owner: place.ben.id, name: "Crew", createdAt: Self.now)
    let member = GroupMemberID(rawValue: 78)
    try await place.work { store in
      try await store.create(deputy)
      try await store.create(group)
      try await store.invite("anna", as: member, to: group.id, of: place.ben.id, at: Self.now)
      _ = try await store.accept(member, by: place.anna.id, at: Self.now)
    }
    let offered = await place.run("deputy", "list", "--user", "anna")
    #expect(
      offered.status == 0 && offered.lines.count == 1 && offered.lines[0].contains("offered"), "\(offered)")
    try await place.work { store in
      _ = try await store.accept(deputy.id, by: place.ben.id, at: Self.now)
      _ = try await store.letManagerAnswer(member, by: place.anna.id)
    }
    let both = await place.run("deputy", "list", "--user", "anna", "--json")
    #expect(both.lines.count == 2 && both.lines.allSatisfy { $0.contains(#""is_accepted":true"#) }, "\(both)")
    #expect(both.lines.contains { $0.contains(#""group":"Crew""#) })

    let wrong = await place.run("deputy", "end", "ben", "--user", "anna")
    #expect(wrong.status == 2 && wrong.messages.contains("`proximity deputy list` shows the ids"))
    #expect(await place.run("deputy", "end", "\(member)", "--user", "anna").status == 0)
    #expect(await place.run("deputy", "list", "--user", "anna").lines.count == 1)
    #expect(await place.run("deputy", "end", "\(deputy.id)", "--user", "anna").status == 0)
    #expect(await place.run("deputy", "end", "\(deputy.id)", "--user", "anna").status == 3, "it has ended")
    #expect(await place.run("deputy", "list", "--user", "anna").lines.isEmpty)
    #expect(await place.log("ben").count == 2)
    #expect(await place.log("anna").count == 2)
  }

  @Test func `the ways to sign in are listed, and each ends by its id`() async throws {
    let place = try await Place()
    let stick = Passkey(
      account: place.anna.id, credential: [1], publicKey: [2], relyingParty: "alarm.example", signCount: 0,
      name: "Stick", createdAt: Self.now)
    let phone = Passkey(
      account: place.anna.id, credential: [3], publicKey: [4], relyingParty: "alarm.example", signCount: 0,
      name: "Phone", createdAt: Self.now)
    let identity = LoginIdentity(
      account: place.anna.id, issuer: "https://login.example", subject: "7", name: "anna@work",
      boundAt: Self.now)
    let factor = SecondFactor(account: place.anna.id, secret: [9])
    try await place.work { store in
      try await store.add(stick)
      try await store.add(phone)
      try await store.bind(identity)
      try await store.begin(factor)
    }
    let listed = await place.run("user", "sign-ins", "anna")
    #expect(listed.status == 0 && listed.lines.count == 3, "codes that are not confirmed are none: \(listed)")
    for word in ["Stick", "Phone", "anna@work", "https://login.example", "\(stick.id)", "\(identity.id)"] {
      #expect(listed.lines.contains { $0.contains(word) }, "\(word)")
    }
    try await place.work { try await $0.confirm(factor, step: 1, recoveryCodes: [], at: Self.now) }
    let json = await place.run("user", "sign-ins", "anna", "--json")
    #expect(json.lines.count == 4 && json.lines[0].contains(#""kind":"codes""#), "\(json)")
    #expect(await place.run("user", "sign-ins", "ben").lines.isEmpty)

    let wrong = await place.run("user", "sign-ins", "ben", "--end", "\(stick.id)")
    #expect(
      wrong.status == 2 && wrong.messages.contains("codes, passkeys or an id"), "it is Anna's: \(wrong)")
    for what in ["\(stick.id)", "\(identity.id)", "codes"] {
      #expect(await place.run("user", "sign-ins", "anna", "--end", what).status == 0, "\(what)")
    }
    #expect(await place.run("user", "sign-ins", "anna").lines.count == 1)
    #expect(await place.run("user", "sign-ins", "anna", "--end", "passkeys").status == 0)
    for what in ["codes", "passkeys"] {
      #expect(await place.run("user", "sign-ins", "anna", "--end", what).status == 3, "\(what) are gone")
    }
    let log = await place.log("anna").joined(separator: "\n")
    for action in ["deletePasskey", "endLoginIdentity", "endSecondFactor", "endPasskeys"] {
      #expect(log.contains(action))
    }
  }
}
