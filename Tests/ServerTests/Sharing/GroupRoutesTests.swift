import AlarmEngine
import Formats
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("Groups of people over HTTP")
struct GroupRoutesTests {
  /// Anna has a phone; the boss has a collection and a group that uses it.
  private struct Site {
    let scene: IngestScene
    let boss: Visitor
    let ben: Visitor
    let collection: String
    let group: String
    var anna: Visitor { scene.anna }

    static func run(_ body: @escaping @Sendable (Site) async throws -> Void) async throws {
      try await IngestScene.run(zones: []) { scene in
        let stranger = Visitor(client: scene.anna.client, table: scene.anna.table)
        let boss = try await scene.server.visitor(stranger, "boss")
        let ben = try await scene.server.visitor(stranger, "ben")
        let collection = try await boss.post("/api/v1/collections", [("name", .string("Blasting"))]).id
        _ = try await boss.post(
          "/api/v1/zones", JSONValue.zone("Quarry") + [("collection_id", .string(collection))])
        let group = try await boss.post("/api/v1/groups", [("name", .string("Crew"))])
        #expect(group.status == .created)
        #expect(
          try await boss.send(.put, "/api/v1/groups/\(group.id)/collections/\(collection)").status
            == .noContent)
        try await body(Site(scene: scene, boss: boss, ben: ben, collection: collection, group: group.id))
      }
    }

    func invite(_ login: String) async throws -> Visitor.Answer {
      try await boss.post("/api/v1/groups/\(group)/members", [("login", .string(login))])
    }

    func members(_ visitor: Visitor? = nil) async throws -> [JSONValue] {
      try await (visitor ?? boss).get("/api/v1/groups/\(group)/members").json["items"]?.list ?? []
    }

    func memberships(_ visitor: Visitor) async throws -> [JSONValue] {
      try await visitor.get("/api/v1/memberships").json["items"]?.list ?? []
    }

    @discardableResult
    func join(_ visitor: Visitor, _ login: String) async throws -> String {
      #expect(try await invite(login).status == .noContent)
      let id = try #require(
        try await memberships(visitor).first { $0["state"]?.string == "invited" }?["id"]?.string)
      #expect(try await visitor.send(.put, "/api/v1/memberships/\(id)/accept").status == .noContent)
      return id
    }

    func link(for people: Int64, _ span: TimeSpan) async throws -> Visitor.Answer {
      try await boss.post(
        "/api/v1/groups/\(group)/links",
        [("people", .integer(people)), ("ends_at", (scene.server.clock.now + span).json)])
    }

    /// The address of a link that makes accounts, as the operator's command creates it.
    func accountLink(
      for people: Int, _ span: TimeSpan = .hours(1), named note: String = "", login: String? = nil
    ) async throws -> String {
      let now = scene.server.clock.now
      let id = try #require(GroupID(group))
      var link = try #require(
        GroupLink(group: id, people: people, createdAt: now, endsAt: now + span, makesAccounts: true))
      (link.note, link.login) = (note, login)
      let secret = Secrets.random()
      let store = scene.server.parts.core.store
      try await store.create(
        link, hash: Secrets.hash(secret), owner: store.account(login: "boss").id)
      return "/api/v1/group-links/\(secret)/account"
    }

    func links() async throws -> [JSONValue] {
      try await boss.get("/api/v1/groups/\(group)/links").json["items"]?.list ?? []
    }

    func log(_ visitor: Visitor) async throws -> [String] {
      try await (visitor.get("/api/v1/account/audit").json["items"]?.list ?? []).map { entry in
        ["by", "by_name", "action", "subject"].map { entry[$0]?.string ?? "" }.joined(separator: " ")
      }
    }
  }

  @Test func `a manager sees whether those who agreed would be warned, and they see what is seen`()
    async throws
  {
    try await Site.run { site in
      let id = try await site.join(site.anna, "ANNA")
      #expect(
        try await site.scene.phone.post(
          "/pub?u=anna&d=phone",
          TestPhone.location(
            TestPlaces.inside, at: site.scene.server.clock.now)
        ).status == 200)
      #expect(
        try await site.anna.send(.put, "/api/v1/collections/\(site.collection)/follow").status == .noContent)
      let member = try #require(try await site.members().first)
      #expect(member["login"]?.string == "anna" && member["state"]?.string == "joined")
      #expect(member["follows"]?.list?.first?["collection_id"]?.string == site.collection)
      #expect(member["phones"]?.list?.first?["name"]?.string == "phone")
      #expect(member["phones"]?.list?.first?["is_armed"]?.flag == true)
      #expect(member["phones"]?.list?.first?["heard_at"]?.string != nil)
      // The position is not disclosed.
      let text = try await site.boss.get("/api/v1/groups/\(site.group)/members").text
      for word in ["latitude", "longitude", "fix", "46.05", "14.50"] {
        #expect(!text.contains(word), "\(text)")
      }
      let own = try #require(try await site.memberships(site.anna).first)
      #expect(own["id"]?.string == id && own["manager_login"]?.string == "boss")
      for key in ["phones", "follows", "trouble", "other_groups", "since"] {
        #expect(own[key]?.text == member[key]?.text, "\(key)")
      }
      // The phone is silent, and switched off.
      let device = try #require(try await site.anna.get("/api/v1/devices").json["items"]?.list?.first)
      #expect(
        try await site.anna.with(.ifMatch, "\"\(device["revision"]?.whole ?? 0)\"").put(
          "/api/v1/devices/\(device["id"]?.string ?? "")",
          [("name", .string("phone")), ("is_armed", .bool(false)), ("report_interval_s", .number(600))]
        ).status == .ok)
      site.scene.server.clock.pass(.seconds(601))
      let phone = try #require(try await site.members().first?["phones"]?.list?.first)
      #expect(phone["is_silent"]?.flag == true && phone["is_armed"]?.flag == false)
    }
  }

  @Test func `strangers, members, former members and programs with less see nothing and end nothing`()
    async throws
  {
    try await Site.run { site in
      let id = try await site.join(site.anna, "anna")
      let path = "/api/v1/groups/\(site.group)"
      // Ben manages a group of his own, and is in none of the boss's; Anna is a member.
      let bens = try await site.ben.post("/api/v1/groups", [("name", .string("Bens"))]).id
      let link = try await site.link(for: 9, .hours(1))
      #expect(try await site.ben.delete("/api/v1/groups/\(bens)/links/\(link.id)").status == .notFound)
      for visitor in [site.ben, site.anna] {
        for answer in [
          try await visitor.get("\(path)/members"), try await visitor.delete(path),
          try await visitor.put(path, [("name", .string("mine"))]),
          try await visitor.post("\(path)/members", [("login", .string("carl"))]),
          try await visitor.get("\(path)/links"), try await visitor.delete("\(path)/links/\(link.id)"),
          try await visitor.post(
            "\(path)/links",
            [("people", .integer(9)), ("ends_at", (site.scene.server.clock.now + .hours(1)).json)]),
          try await visitor.send(.put, "\(path)/collections/\(site.collection)"),
          try await visitor.delete("\(path)/collections/\(site.collection)"),
        ] { #expect(answer.status == .notFound, "\(answer.text)") }
      }
      #expect(try await site.ben.delete("/api/v1/memberships/\(id)").status == .notFound)
      #expect(try await site.ben.send(.put, "/api/v1/memberships/\(id)/accept").status == .notFound)
      #expect(try await site.ben.get("/api/v1/collections/\(site.collection)").status == .notFound)
      // A token for reports reads nothing; a token for reading changes nothing.
      for (scope, reads) in [("report", false), ("read", true)] {
        let token = try await site.boss.post("/api/v1/tokens", [("scope", .string(scope))])
        let program = Visitor(client: site.boss.client, table: site.boss.table)
          .with(.authorization, "Bearer \(token.json["token"]?.string ?? "")")
        #expect(try await program.get("\(path)/members").status == (reads ? .ok : .forbidden))
        #expect(try await program.delete("/api/v1/memberships/\(id)").status == .forbidden)
      }
      #expect(try await site.anna.delete("/api/v1/memberships/\(id)").status == .noContent)
      #expect(try await site.anna.get("/api/v1/collections/\(site.collection)").status == .notFound)
      #expect(try await site.anna.delete("/api/v1/memberships/\(id)").status == .notFound)
      let ended = try #require(try await site.members().first)
      #expect(ended["state"]?.string == "ended" && ended["ended_by"]?.string == "member")
      #expect(ended["phones"]?.list?.isEmpty == true && ended["follows"]?.list?.isEmpty == true)
      #expect(try await site.memberships(site.anna).first?["ended_by"]?.string == "member")
    }
  }

  @Test func `an invitation does not tell whether a login exists, and both logs tell who ended what`()
    async throws
  {
    try await Site.run { site in
      let known = try await site.invite("ben")
      let unknown = try await site.invite("nobody")
      #expect(known.status == .noContent && unknown.status == known.status && known.text == unknown.text)
      for login in ["BEN", "Nobody"] {
        let again = try await site.invite(login)
        #expect(again.problem == "conflict" && again.text.contains("already"), "\(again.text)")
      }
      let own = try await site.invite("Boss")
      #expect(own.problem == "invalid-content" && own.text.contains("/login"))
      let listed = try await site.members()
      #expect(listed.map { $0["login"]?.string } == ["ben", "nobody"])
      #expect(listed.allSatisfy { $0["name"]?.string == "" && $0["phones"]?.list?.isEmpty == true })
      let id = try #require(try await site.memberships(site.ben).first?["id"]?.string)
      #expect(try await site.ben.send(.put, "/api/v1/memberships/\(id)/accept").status == .noContent)
      site.scene.server.clock.pass(.seconds(1))
      #expect(try await site.boss.delete("/api/v1/memberships/\(id)").status == .noContent)
      #expect(try await site.memberships(site.ben).first?["ended_by"]?.string == "manager")
      #expect(try await site.log(site.ben).first == "person boss endMembership Crew · boss")
      let done = try await site.log(site.boss)
      #expect(done.first?.hasSuffix("endMembership Crew · ben") == true, "\(done)")
      #expect(done.contains("person ben joinGroup Crew · ben"))
    }
  }

  @Test func `a link lets as many people join as it is for, each counted once, until its end`() async throws {
    try await Site.run { site in
      let clock = site.scene.server.clock
      let made = try await site.link(for: 1, .hours(2))
      #expect(made.status == .created && made.json["joined"]?.whole == 0 && made.json["people"]?.whole == 1)
      let link = try #require(made.json["link"]?.string)
      let path = "/api/v1/group-links/\(link)"
      #expect(try await site.boss.post("\(path)/join").problem == "conflict")
      let offer = try await site.ben.get(path)
      #expect(offer.json["group_name"]?.string == "Crew" && offer.json["manager_login"]?.string == "boss")
      #expect(offer.json["collections"]?.list?.first?["name"]?.string == "Blasting")
      let stranger = Visitor(client: site.boss.client, table: site.boss.table)
      #expect(try await stranger.get(path).status == .unauthorized)
      #expect(try await stranger.post("\(path)/join").status == .unauthorized)
      for _ in 0..<2 { #expect(try await site.ben.post("\(path)/join").status == .noContent) }
      #expect(try await site.members().map { $0["state"]?.string } == ["joined"])
      #expect(try await site.links().map { $0["joined"]?.whole } == [1])
      #expect(try await site.ben.get("/api/v1/collections/\(site.collection)").status == .ok)
      // The list has no secrets. A link that is used up tells nothing of the group.
      let listed = try await site.boss.get("/api/v1/groups/\(site.group)/links").text
      #expect(!listed.contains(link), "\(listed)")
      for answer in [try await site.anna.get(path), try await site.anna.post("\(path)/join")] {
        #expect(answer.problem == "gone" && answer.text.contains("1 person"), "\(answer.text)")
        #expect(!answer.text.contains("Crew") && !answer.text.contains("boss"), "\(answer.text)")
      }
      // Unknown, ended and revoked links are the same.
      clock.pass(.hours(2))
      let ended = [try await site.anna.get(path), try await site.anna.post("\(path)/join")]
      let short = try await site.link(for: 9, .hours(2))
      let revoked = "/api/v1/group-links/\(short.json["link"]?.string ?? "")"
      #expect(try await site.links().map { $0["id"]?.string } == [short.id])
      #expect(
        try await site.boss.delete("/api/v1/groups/\(site.group)/links/\(short.id)").status == .noContent)
      let unknown = try await site.anna.get("\(path)x")
      #expect(unknown.problem == "not-found" && unknown.text.contains("ask for a new one"))
      for answer in ended + [try await site.anna.get(revoked), try await site.anna.post("\(revoked)/join")] {
        #expect(answer.status == .notFound && answer.text == unknown.text, "\(answer.text)")
      }
      #expect(try await site.links().isEmpty)
      #expect(try await site.members().count == 1)
      let log = try await site.log(site.boss)
      for entry in ["makeGroupLink Crew · 1", "person ben joinGroup Crew · ben", "endGroupLink Crew"] {
        #expect(log.contains { $0.hasSuffix(entry) }, "\(entry): \(log)")
      }
      #expect(log.count { $0.contains("joinGroup") } == 1, "\(log)")
      #expect(try await site.log(site.ben).contains { $0.hasSuffix("joinGroup Crew · boss") })
    }
  }

  @Test func `two people who take the last place of a link at once get one place`() async throws {
    try await Site.run { site in
      let link = try await site.link(for: 1, .hours(2)).json["link"]?.string ?? ""
      async let ben = site.ben.post("/api/v1/group-links/\(link)/join").status
      async let anna = site.anna.post("/api/v1/group-links/\(link)/join").status
      #expect(try await Set([ben, anna]) == [.noContent, .gone])
      #expect(try await site.members().count == 1)
      #expect(try await site.links().map { $0["joined"]?.whole } == [1])
    }
  }

  @Test func `what a link may not be is said, and a link goes with its group`() async throws {
    try await Site.run { site in
      let now = site.scene.server.clock.now
      for end in [now, now + GroupLink.longest + .seconds(1)] {
        let answer = try await site.link(for: 300, end - now)
        #expect(answer.problem == "invalid-content" && answer.text.contains("/ends_at"), "\(answer.text)")
      }
      for people in [.integer(0), .integer(1001), .integer(-1), .string("many"), .number(1.5)] as [JSONValue]
      {
        let answer = try await site.boss.post(
          "/api/v1/groups/\(site.group)/links", [("people", people), ("ends_at", (now + .hours(1)).json)])
        #expect(answer.problem == "invalid-content" && answer.text.contains("/people"), "\(answer.text)")
      }
      let link = try await site.link(for: 1000, GroupLink.longest).json["link"]?.string ?? ""
      #expect(try await site.boss.delete("/api/v1/groups/\(site.group)/links/nothing").status == .notFound)
      #expect(try await site.boss.delete("/api/v1/groups/\(site.group)").status == .noContent)
      #expect(try await site.ben.post("/api/v1/group-links/\(link)/join").status == .notFound)
    }
  }

  @Test func `a link of the operator's command makes accounts, which are signed in and in the group`()
    async throws
  {
    try await Site.run { site in
      let path = try await site.accountLink(for: 2)
      let stranger = Visitor(client: site.boss.client, table: site.boss.table)
      let offer = try await stranger.get(path)
      #expect(offer.json["group_name"]?.string == "Crew" && offer.json["manager_login"]?.string == "boss")
      // Each mistake is named, and takes no place.
      for (login, password, name) in [
        ("", "correct horse", "/login"), (String(repeating: "x", count: 101), "correct horse", "/login"),
        (" dora", "correct horse", "/login"), ("do:ra", "correct horse", "/login"),
        ("dora", "1234567", "/password"), ("dora", String(repeating: "x", count: 201), "/password"),
      ] {
        let wrong = try await stranger.post(path, Self.entry(login, password))
        #expect(wrong.problem == "invalid-content" && wrong.text.contains(name), "\(login): \(wrong.text)")
      }
      #expect(try await stranger.post(path, [("login", .string("dora"))]).text.contains("/password"))
      #expect(
        try await stranger.post(path, Self.entry("dora") + [("is_administrator", .bool(true))]).problem
          == "invalid-content")
      let half = try await stranger.send(.post, path, bytes: Array("{".utf8), type: "application/json")
      #expect(half.problem == "malformed")
      let taken = try await stranger.post(path, Self.entry("BEN"))
      #expect(taken.problem == "conflict" && taken.text.contains("BEN is taken"), "\(taken.text)")
      #expect(try await site.links().map { $0["joined"]?.whole } == [0])

      let made = try await stranger.post(path, Self.entry("dora"))
      #expect(made.status == .created && made.json["account"]?["is_administrator"]?.flag == false)
      let dora = try stranger.signed(by: made)
      #expect(try await dora.get("/api/v1/session").json["account"]?["login"]?.string == "dora")
      #expect(try await site.memberships(dora).map { $0["state"]?.string } == ["joined"])
      #expect(try await site.members().map { $0["login"]?.string } == ["dora"])
      #expect(try await dora.get("/api/v1/collections/\(site.collection)").status == .ok)
      #expect(try await stranger.post("/api/v1/login", Self.entry("dora")).status == .ok)
      #expect(try await site.log(site.boss).contains("person dora joinGroup Crew · dora"))
      #expect(try await site.log(dora).contains { $0.hasSuffix("setUp Crew · boss") })
      // The link's first form is for those who have an account.
      let join = String(path.dropLast("/account".count))
      #expect(try await site.ben.post("\(join)/join").status == .noContent)
      for answer in [try await stranger.get(path), try await stranger.post(path, Self.entry("emil"))] {
        #expect(answer.problem == "gone" && !answer.text.contains("Crew"), "\(answer.text)")
      }
      #expect(try await stranger.post("/api/v1/login", Self.entry("emil")).problem == "wrong-credentials")
    }
  }

  @Test func `no other link makes an account, and no manager can have one that does`() async throws {
    try await Site.run { site in
      let stranger = Visitor(client: site.boss.client, table: site.boss.table)
      let asked = try await site.boss.post(
        "/api/v1/groups/\(site.group)/links",
        [
          ("people", .integer(3)), ("ends_at", (site.scene.server.clock.now + .hours(1)).json),
          ("makes_accounts", .bool(true)),
        ])
      #expect(asked.problem == "invalid-content" && asked.text.contains("makes_accounts"), "\(asked.text)")
      let plain = try await site.link(for: 3, .hours(1))
      #expect(plain.json["makes_accounts"]?.flag == false)
      let revoked = try await site.accountLink(for: 3)
      let listed = try await site.links().first { $0["makes_accounts"]?.flag == true }
      let id = try #require(listed?["id"]?.string)
      #expect(try await site.boss.delete("/api/v1/groups/\(site.group)/links/\(id)").status == .noContent)
      let ended = try await site.accountLink(for: 3, .seconds(1))
      site.scene.server.clock.pass(.seconds(1))
      for path in [
        "/api/v1/group-links/\(plain.json["link"]?.string ?? "")/account",
        "/api/v1/group-links/nothing/account", ended, revoked,
      ] {
        for answer in [try await stranger.get(path), try await stranger.post(path, Self.entry("dora"))] {
          #expect(answer.problem == "not-found" && answer.text.contains("ask for a new one"), "\(path)")
          #expect(!answer.text.contains("Crew") && !answer.text.contains("boss"), "\(answer.text)")
        }
      }
      #expect(try await stranger.post("/api/v1/login", Self.entry("dora")).problem == "wrong-credentials")
      #expect(try await site.members().isEmpty)
    }
  }

  @Test func `a link for one person proposes a login, and gives the account the person's name`() async throws
  {
    try await Site.run { site in
      let stranger = Visitor(client: site.boss.client, table: site.boss.table)
      let path = try await site.accountLink(for: 1, named: "Dora Öz", login: "dora")
      let offer = try await stranger.get(path)
      #expect(offer.json["name"]?.string == "Dora Öz" && offer.json["login"]?.string == "dora")
      let made = try await stranger.post(path, Self.entry("dora2"))
      #expect(made.json["account"]?["name"]?.string == "Dora Öz", "\(made.text)")
      let link = try #require(try await site.links().first)
      #expect(link["note"]?.string == "Dora Öz" && link["mail"]?.text == "null")
      let use = try #require(link["uses"]?.list?.first)
      #expect(use["login"]?.string == "dora2")
      #expect(use["joined_at"]?.string == site.scene.server.clock.now.json.string)
      let plain = try await site.accountLink(for: 2)
      let other = try await stranger.get(plain)
      #expect(other.json["name"]?.string == "" && other.json["login"]?.text == "null")
      let named = try await stranger.post(plain, Self.entry("emil") + [("name", .string("Emil E."))])
      #expect(named.json["account"]?["name"]?.string == "Emil E.")
    }
  }

  @Test func `two people who make an account by the last place of a link at once get one`() async throws {
    try await Site.run { site in
      let stranger = Visitor(client: site.boss.client, table: site.boss.table)
      let path = try await site.accountLink(for: 1)
      async let dora = stranger.post(path, Self.entry("dora")).status
      async let emil = stranger.post(path, Self.entry("emil")).status
      #expect(try await Set([dora, emil]) == [.created, .gone])
      #expect(try await site.members().count == 1)
      let signIns = [
        try await stranger.post("/api/v1/login", Self.entry("dora")).status,
        try await stranger.post("/api/v1/login", Self.entry("emil")).status,
      ]
      #expect(Set(signIns) == [.ok, .unauthorized])
    }
  }

  @Test func `failures to make an account count as those to sign in, and accounts that are made do not`()
    async throws
  {
    try await Site.run { site in
      let stranger = Visitor(client: site.boss.client, table: site.boss.table)
      let path = try await site.accountLink(for: 30)
      for number in 1...25 {
        #expect(try await stranger.post(path, Self.entry("person \(number)")).status == .created)
      }
      for _ in 1...RateLimit.loginPerAddress.burst {
        #expect(try await stranger.post(path, Self.entry("ben")).problem == "conflict")
      }
      let refused = try await stranger.post(path, Self.entry("dora"))
      #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "15")
      #expect(try await stranger.post("/api/v1/login", Self.entry("ben")).status == .tooManyRequests)
      site.scene.server.clock.pass(.seconds(15))
      #expect(try await stranger.post(path, Self.entry("dora")).status == .created)
    }
  }

  private static func entry(_ login: String, _ password: String = "correct horse") -> [(String, JSONValue)] {
    [("login", .string(login)), ("password", .string(password))]
  }

  @Test func `a member of a group is not let go of by the collection alone`() async throws {
    try await Site.run { site in
      try await site.join(site.ben, "ben")
      let path = "/api/v1/collections/\(site.collection)/members"
      let listed = try #require(try await site.boss.get(path).json["items"]?.list?.first)
      #expect(listed["is_direct"]?.flag == false)
      let refused = try await site.boss.delete("\(path)/\(listed["id"]?.string ?? "")")
      #expect(refused.problem == "conflict" && refused.text.contains("group"), "\(refused.text)")
      #expect(
        try await site.boss.delete("/api/v1/groups/\(site.group)/collections/\(site.collection)").status
          == .noContent)
      #expect(try await site.boss.get(path).json["items"]?.list?.isEmpty == true)
      #expect(try await site.ben.get("/api/v1/collections/\(site.collection)").status == .notFound)
    }
  }
}
