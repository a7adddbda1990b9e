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
      _ = try await site.ben.post("/api/v1/groups", [("name", .string("Bens"))])
      for visitor in [site.ben, site.anna] {
        for answer in [
          try await visitor.get("\(path)/members"), try await visitor.delete(path),
          try await visitor.put(path, [("name", .string("mine"))]),
          try await visitor.post("\(path)/members", [("login", .string("carl"))]),
          try await visitor.post(
            "\(path)/link", [("ends_at", (site.scene.server.clock.now + .hours(1)).json)]),
          try await visitor.delete("\(path)/link"),
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

  @Test func `a link lets people join for a time, and what it may not be is said`() async throws {
    try await Site.run { site in
      let clock = site.scene.server.clock
      let path = "/api/v1/groups/\(site.group)/link"
      for end in [clock.now, clock.now + GroupRoutes.longestLink + .seconds(1)] {
        let answer = try await site.boss.post(path, [("ends_at", end.json)])
        #expect(answer.problem == "invalid-content" && answer.text.contains("/ends_at"), "\(answer.text)")
      }
      let made = try await site.boss.post(path, [("ends_at", (clock.now + .hours(2)).json)])
      let link = try #require(made.json["link"]?.string)
      #expect(try await site.boss.post("/api/v1/group-links/\(link)/join").problem == "conflict")
      let offer = try await site.ben.get("/api/v1/group-links/\(link)")
      #expect(offer.json["group_name"]?.string == "Crew" && offer.json["manager_login"]?.string == "boss")
      #expect(offer.json["collections"]?.list?.first?["name"]?.string == "Blasting")
      let stranger = Visitor(client: site.boss.client, table: site.boss.table)
      #expect(try await stranger.get("/api/v1/group-links/\(link)").status == .unauthorized)
      #expect(try await site.ben.get("/api/v1/group-links/\(link)x").status == .notFound)
      #expect(try await site.ben.post("/api/v1/group-links/\(link)/join").status == .noContent)
      #expect(try await site.members().map { $0["state"]?.string } == ["joined"])
      clock.pass(.hours(2))
      #expect(try await site.anna.post("/api/v1/group-links/\(link)/join").status == .notFound)
    }
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
