import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Groups of people to whom a manager gives collections, and the manager's view of their state.
enum GroupRoutes {
  private static let name = Schema.text(1...200)
  private static let collection = Schema.object([
    .needed("id", .id, ""), .needed("name", .text(0...200), ""),
  ])
  private static let group = Schema.object([
    .needed("id", .id, ""), .needed("name", name, ""), .needed("created_at", .time, ""),
    .needed("member_count", .integer(0...Int64.max), "Number of members who have agreed."),
    .needed(
      "collections", .list(collection, upTo: PeopleGroup.mostCollections),
      "Collections that its members may follow."),
    .needed(
      "link_ends_at", .optional(.time),
      "Expiry of the last link by which somebody can join; null if there is none."),
  ])
  private static let people = Schema.Member.needed(
    "people", .integer(1...Int64(GroupLink.allowedPeople.upperBound)), "Number of people who may join by it.")
  private static let link: [Schema.Member] = [
    .needed("id", .id, "Id of the link, not its secret."), people,
    .needed(
      "joined", .integer(0...Int64(PeopleGroup.mostMembers)), "Number of people who have joined by it."),
    .needed("created_at", .time, ""), .needed("ends_at", .time, ""),
    .needed(
      "makes_accounts", .boolean,
      "True if a person without an account may make one by it; the operator's command makes such links."),
    .needed(
      "note", .text(0...GroupLink.longestNote), "Person for whom it was made; empty for several."),
    .needed("mail", .optional(.text(1...254)), "Address to which it was mailed; null if it was not."),
    .needed(
      "mailed_at", .optional(.time), "Time at which the mail server accepted the mail; null if unknown."),
    .needed(
      "uses",
      .list(
        .object([.needed("login", .text(1...100), ""), .needed("joined_at", .time, "")]), upTo: 100_000),
      "People who have joined by it and are or were members lately, in the order of joining."),
  ]
  private static let phone = Schema.object([
    .needed("name", .text(0...1000), ""),
    .needed("heard_at", .optional(.time), "Time of the last report; null if there was none."),
    .needed("report_interval_s", .optional(.number(0...1e9)), "Longest allowed silence; null for no limit."),
    .needed("is_silent", .boolean, "True if it has been silent for longer than allowed."),
    .needed("is_armed", .boolean, "True if its alarms ring."),
    .needed(
      "is_unreadable", .boolean, "True if its reports cannot be read, so that nothing rings."),
  ])
  /// The part of a member's state that the manager sees; the member is shown the same.
  private static let report: [Schema.Member] = [
    .needed("phones", .list(phone, upTo: 100_000), "Phones, by name; empty before the member has agreed."),
    .needed(
      "follows",
      .list(
        .object([.needed("collection_id", .id, ""), .needed("since", .time, "")]),
        upTo: PeopleGroup.mostCollections), "Collections of the group that the member follows."),
    .needed(
      "trouble",
      .optional(
        .object([
          .needed("at", .time, ""),
          .needed("channel_kind", .optional(.text(1...100)), "Null if the channel was deleted."),
          .needed("is_over", .boolean, "True if a message has arrived by the channel since."),
        ])), "Last message in 30 days that did not arrive; null if there is none."),
    .needed(
      "other_groups", .list(.text(0...200), upTo: PeopleGroup.most),
      "Other groups of the same manager, by name."),
  ]
  private static let state: [Schema.Member] = [
    .needed("state", .words(["invited", "joined", "ended"]), ""),
    .needed("since", .time, "Time of the invitation, or of joining."),
    .needed("ended_at", .optional(.time), "End of the membership, which stays listed for 30 days."),
    .needed("ended_by", .optional(.words(["member", "manager"])), ""),
    .needed("manager_may_answer", .boolean, "True if the member lets the manager answer their alarms."),
  ]
  private static let member = Schema.object(
    [
      .needed("id", .id, "Id of the membership."), .needed("login", .text(1...100), ""),
      .needed("name", .text(0...200), "Empty before the member has agreed."),
    ] + state + report)
  static let offer: [Schema.Member] = [
    .needed("group_name", name, ""), .needed("manager_login", .text(1...100), ""),
    .needed("manager_name", .text(0...200), ""),
    .needed(
      "collections", .list(collection, upTo: PeopleGroup.mostCollections),
      "Collections that its members may follow."),
  ]
  private static let membership = Schema.object([.needed("id", .id, "")] + offer + state + report)

  static let table: [Route] = managers + members

  private static let managers: [Route] = [
    Route(
      method: .get, path: "/api/v1/groups", name: "listGroups",
      summary: "Lists the groups of people that the account manages, by name",
      handler: .account { call, signed in
        .items(try await call.store.groups(of: signed.account, at: call.now).map { json($0) })
      }, answers: [.json(.items(group, upTo: PeopleGroup.most), "All groups.")]),
    Route(
      method: .post, path: "/api/v1/groups", name: "createGroup", summary: "Creates a group of people",
      handler: .account { call, signed in
        let made = PeopleGroup(
          owner: signed.account, name: call.json["name"]?.string ?? "", createdAt: call.now)
        try await call.store.create(made)
        return .json(json(made), status: .created)
      }, body: .json(.object([.needed("name", name, "")])),
      answers: [.json(group, "The group.", status: .created)]),
    Route(
      method: .put, path: "/api/v1/groups/{group}", name: "putGroup", summary: "Renames a group",
      handler: .account { call, signed in
        let id = try id(call)
        try await call.store.rename(id, to: call.json["name"]?.string ?? "", of: signed.account)
        return .json(json(try await call.store.group(id, of: signed.account, at: call.now)))
      }, body: .json(.object([.needed("name", name, "")])), answers: [.json(group, "Saved.")]),
    Route(
      method: .delete, path: "/api/v1/groups/{group}", name: "deleteGroup",
      summary: "Deletes a group with all its memberships",
      handler: .account { call, signed in
        let id = try id(call)
        let group = try await call.store.group(id, of: signed.account, at: call.now)
        call.subject.isNamed(group.name)
        let members = try await call.store.deleteGroup(id, of: signed.account, at: call.now)
        for member in members {
          await call.note("endMembership", group.name, inLogOf: member, by: signed)
        }
        try await call.zonesChanged(members)
        return .nothing
      }, answers: [.nothing("Ended.")]),
    Route(
      method: .put, path: "/api/v1/groups/{group}/collections/{collection}", name: "giveCollection",
      summary: "Lets all members of a group, now and later, follow a collection",
      handler: .account { call, signed in
        let (group, collection) = try await both(call, signed)
        let members = try await call.store.give(
          collection, to: group.id, of: signed.account, at: call.now)
        try await call.zonesChanged(members)
        return .nothing
      }, answers: [.nothing("Given. Each member decides whether to follow it.")]),
    Route(
      method: .delete, path: "/api/v1/groups/{group}/collections/{collection}", name: "takeCollection",
      summary: "Takes a collection back: members without other access no longer follow it",
      handler: .account { call, signed in
        let (group, collection) = try await both(call, signed)
        let members = try await call.store.takeBack(
          collection, from: group.id, of: signed.account, at: call.now)
        try await call.zonesChanged(members)
        return .nothing
      }, answers: [.nothing("Taken back.")]),
    Route(
      method: .get, path: "/api/v1/groups/{group}/members", name: "listGroupMembers",
      summary: "Lists a group's members and whether each would be warned, without positions",
      handler: .account { call, signed in
        let members = try await call.store.members(of: try id(call), owner: signed.account, at: call.now)
        return .items(members.map { json($0, at: call.now) })
      },
      answers: [
        .json(
          .items(member, upTo: 100_000),
          "Members, by login, with invitations and memberships that ended lately.")
      ]),
    Route(
      method: .post, path: "/api/v1/groups/{group}/members", name: "inviteMember",
      summary: "Invites a person, by login, to a group", handler: .account(invite),
      body: .json(.object([.needed("login", AccountRoutes.login, "")])),
      answers: [.nothing("Invited. The answer is the same if there is no such account.")]),
    Route(
      method: .get, path: "/api/v1/groups/{group}/links", name: "listGroupLinks",
      summary: "Lists the links for joining a group that have not ended, the latest first",
      handler: .account { call, signed in
        let links = try await call.store.links(of: try id(call), owner: signed.account, at: call.now)
        return .items(links.map { .object(json($0)) })
      }, answers: [.json(.items(.object(link), upTo: GroupLink.most), "The links, without their secrets.")]),
    Route(
      method: .post, path: "/api/v1/groups/{group}/links", name: "makeGroupLink",
      summary: "Creates a link by which a number of people may join a group",
      handler: .account(makeLink),
      body: .json(
        .object([people, .needed("ends_at", .time, "Expiry of the link, at most 90 days ahead.")])),
      answers: [
        .json(
          .object(
            link + [
              .needed(
                "link", .text(43...43), "Part of the link's address after `#/join/`; returned only here.")
            ]), "The link.", status: .created)
      ]),
    Route(
      method: .delete, path: "/api/v1/groups/{group}/links/{link}", name: "endGroupLink",
      summary: "Ends a link for joining a group, by its id; members stay",
      handler: .account { call, signed in
        let (group, link) = (try id(call), GroupLinkID(rawValue: try call.id("link")))
        call.subject.isNamed(try await call.store.group(group, of: signed.account, at: call.now).name)
        try await call.store.endLink(link, of: group, owner: signed.account)
        return .nothing
      }, answers: [.nothing("Ended.")]),
  ]

  private static let members: [Route] = [
    Route(
      method: .get, path: "/api/v1/memberships", name: "listMemberships",
      summary:
        "Lists the groups that the account is in or invited to, with the state that their managers see",
      handler: .account { call, signed in
        let found = try await call.store.memberships(of: signed.account, at: call.now)
        return .items(
          found.map { each in
            .object(
              [("id", .string(each.member.id.description))] + json(each.group)
                + state(each.member) + json(each.member.report, at: call.now))
          })
      }, answers: [.json(.items(membership, upTo: 100_000), "Memberships, by the group's name.")]),
    Route(
      method: .put, path: "/api/v1/memberships/{membership}/accept", name: "acceptMembership",
      summary: "Accepts an invitation to a group, and that its manager sees the member's state",
      handler: .account { call, signed in
        let group = try await call.store.accept(try membership(call), by: signed.account, at: call.now)
        return try await joined(group, call, signed)
      }, answers: [.nothing("Joined.")]),
    Route(
      method: .delete, path: "/api/v1/memberships/{membership}", name: "endMembership",
      summary: "Ends a membership or an invitation at once, for both sides; either side may",
      handler: .account(end),
      answers: [.nothing("Ended.")]),
    Route(
      method: .get, path: "/api/v1/group-links/{link}", name: "seeGroupLink",
      summary: "Returns the group that a link invites to",
      handler: .account { call, signed in
        let group = try await offered(Secrets.hash(try call.text("link")), call, signed)
        return .json(.object(json(group)), headers: [.cacheControl: "no-store"])
      }, answers: [.json(.object(offer), "The group.")]),
    Route(
      method: .post, path: "/api/v1/group-links/{link}/join", name: "joinGroup",
      summary: "Joins the group of a link, and accepts that its manager sees the member's state",
      handler: .account { call, signed in
        let hash = Secrets.hash(try call.text("link"))
        guard try await offered(hash, call, signed).manager != signed.account else {
          throw Problem(.conflict, "your own group found, another person's allowed")
        }
        let (group, isNew) = try await call.store.join(hash, by: signed.account, at: call.now)
        guard isNew else {
          call.subject.isNamed("\(group.name) · \(group.managerLogin)")
          return .nothing
        }
        return try await joined(group, call, signed)
      }, answers: [.nothing("Joined. The answer is the same if the account was a member already.")]),
  ]

  private static func id(_ call: Call) throws(Problem) -> GroupID {
    GroupID(rawValue: try call.id("group"))
  }

  private static func membership(_ call: Call) throws(Problem) -> GroupMemberID {
    GroupMemberID(rawValue: try call.id("membership"))
  }

  /// The group and the collection of an address; names both in the audit log.
  private static func both(_ call: Call, _ signed: Signed) async throws -> (PeopleGroup, CollectionID) {
    let group = try await call.store.group(try id(call), of: signed.account, at: call.now)
    let id = CollectionID(rawValue: try call.id("collection"))
    let collection = try await call.store.collection(id, seenBy: signed.account).collection
    guard collection.owner == signed.account else { throw Problem.notFound }
    call.subject.isNamed("\(collection.name) · \(group.name)")
    return (group, id)
  }

  private static func invite(_ call: Call, _ signed: Signed) async throws -> Response {
    let login = call.json["login"]?.string ?? ""
    if login.lowercased() == signed.login.lowercased() {
      throw Problem.invalid("/login", "your own login found, another person's allowed")
    }
    let group = try id(call)
    do throws(StoreError) {
      try await call.store.invite(login, as: .random(), to: group, of: signed.account, at: call.now)
    } catch {
      guard error == .taken else { throw error }
      throw Problem(.conflict, "\(login.excerpt(100)) is a member of the group or invited already")
    }
    // The answer does not reveal which logins exist.
    if let person = try await found({ try await call.store.account(login: login) }) {
      call.parts.core.hub.publish(person.id)
    }
    return .nothing
  }

  private static func makeLink(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = try id(call)
    let name = try await call.store.group(id, of: signed.account, at: call.now).name
    let people = Int(call.json["people"]?.whole ?? 0)
    let end = call.json["ends_at"]?.string.flatMap(RFC3339.instant(from:))
    let made = end.flatMap { GroupLink(group: id, people: people, createdAt: call.now, endsAt: $0) }
    guard let made else {
      let found = end.map { RFC3339.string(from: $0) } ?? "none"
      let latest = RFC3339.string(from: call.now + GroupLink.longest)
      throw Problem.invalid("/ends_at", "\(found) found, a future time until \(latest) allowed")
    }
    call.subject.isNamed("\(name) · \(people)")
    let secret = Secrets.random()
    try await call.store.create(made, hash: Secrets.hash(secret), owner: signed.account)
    return .json(.object(json(made) + [("link", .string(secret))]), status: .created)
  }

  static let badLink = Problem(.notFound, "the link is unknown or has ended; ask for a new one")

  /// The group of a link. An unknown or ended link tells nothing of its group.
  private static func offered(
    _ link: TokenHash, _ call: Call, _ signed: Signed
  ) async throws -> OfferedGroup {
    let group = try await found({
      try await call.store.offeredGroup(link, to: signed.account, at: call.now)
    })
    guard let group else { throw badLink }
    return group
  }

  private static func joined(_ group: OfferedGroup, _ call: Call, _ signed: Signed) async throws -> Response {
    call.subject.isNamed("\(group.name) · \(group.managerLogin)")
    try await tell(ofMember: signed, group, call)
    return .nothing
  }

  /// Writes that a person has joined to the manager's log, and updates what watches and shows the group.
  static func tell(ofMember signed: Signed, _ group: OfferedGroup, _ call: Call) async throws {
    await call.note("joinGroup", "\(group.name) · \(signed.login)", inLogOf: group.manager, by: signed)
    try await call.zonesChanged([signed.account])
    call.parts.core.hub.publish(group.manager)
  }

  private static func end(_ call: Call, _ signed: Signed) async throws -> Response {
    let ended = try await call.store.end(try membership(call), by: signed.account, at: call.now)
    let group = ended.group
    let byManager = group.manager == signed.account
    call.subject.isNamed("\(group.name) · \(byManager ? ended.login : group.managerLogin)")
    guard let member = ended.account else {
      call.parts.core.hub.publish(group.manager)
      return .nothing
    }
    let other = byManager ? member : group.manager
    await call.note(
      "endMembership", "\(group.name) · \(byManager ? group.managerLogin : ended.login)", inLogOf: other,
      by: signed)
    try await call.zonesChanged([member])
    call.parts.core.hub.publish(group.manager)
    return .nothing
  }

  // MARK: Rendering

  private static func json(_ collections: [PeopleGroup.GivenCollection]) -> JSONValue {
    .array(
      collections.map { .object([("id", .string($0.id.description)), ("name", .string($0.name))]) })
  }

  private static func json(_ group: PeopleGroup) -> JSONValue {
    .object([
      ("id", .string(group.id.description)), ("name", .string(group.name)),
      ("created_at", group.createdAt.json), ("member_count", .integer(Int64(group.memberCount))),
      ("collections", json(group.collections)), ("link_ends_at", group.linkEndsAt?.json ?? .null),
    ])
  }

  private static func json(_ link: GroupLink) -> [(String, JSONValue)] {
    [
      ("id", .string(link.id.description)), ("people", .integer(Int64(link.people))),
      ("joined", .integer(Int64(link.joined))), ("created_at", link.createdAt.json),
      ("ends_at", link.endsAt.json), ("makes_accounts", .bool(link.makesAccounts)),
      ("note", .string(link.note)), ("mail", link.mail.map { .string($0) } ?? .null),
      ("mailed_at", link.mailedAt?.json ?? .null),
      (
        "uses",
        .array(
          link.uses.map { .object([("login", .string($0.login)), ("joined_at", $0.at.json)]) })
      ),
    ]
  }

  static func json(_ group: OfferedGroup) -> [(String, JSONValue)] {
    [
      ("group_name", .string(group.name)), ("manager_login", .string(group.managerLogin)),
      ("manager_name", .string(group.managerName)), ("collections", json(group.collections)),
    ]
  }

  private static func json(_ member: GroupMember, at now: Instant) -> JSONValue {
    .object(
      [
        ("id", .string(member.id.description)), ("login", .string(member.login)),
        ("name", .string(member.name)),
      ] + state(member) + json(member.report, at: now))
  }

  private static func state(_ member: GroupMember) -> [(String, JSONValue)] {
    let (word, since, ended, by): (String, Instant, Instant?, String?) =
      switch member.state {
      case .invited(let at): ("invited", at, nil, nil)
      case .joined(let at): ("joined", at, nil, nil)
      case .ended(let joined, let at, .member): ("ended", joined, at, "member")
      case .ended(let joined, let at, .manager): ("ended", joined, at, "manager")
      }
    return [
      ("state", .string(word)), ("since", since.json), ("ended_at", ended?.json ?? .null),
      ("ended_by", by.map { .string($0) } ?? .null), ("manager_may_answer", .bool(member.isManagerLet)),
    ]
  }

  private static func json(_ report: MemberReport, at now: Instant) -> [(String, JSONValue)] {
    [
      (
        "phones",
        .array(
          report.phones.map { phone in
            .object([
              ("name", .string(phone.name)), ("heard_at", phone.heardAt?.json ?? .null),
              ("report_interval_s", phone.reportInterval.map { .number($0.seconds) } ?? .null),
              ("is_silent", .bool(phone.isSilent(at: now))), ("is_armed", .bool(phone.isArmed)),
              ("is_unreadable", .bool(phone.isUnreadable)),
            ])
          })
      ),
      (
        "follows",
        .array(
          report.follows.map {
            .object([
              ("collection_id", .string($0.collection.description)), ("since", $0.since.json),
            ])
          })
      ),
      (
        "trouble",
        report.trouble.map { trouble in
          .object([
            ("at", trouble.at.json), ("channel_kind", trouble.channelKind.map { .string($0) } ?? .null),
            ("is_over", .bool(trouble.isOver)),
          ])
        } ?? .null
      ),
      ("other_groups", .array(report.otherGroups.map { .string($0) })),
    ]
  }
}
