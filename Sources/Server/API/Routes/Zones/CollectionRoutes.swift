import AlarmEngine
import AlarmService
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Collections of zones, published read-only (S130).
enum CollectionRoutes {
  private static let fields: [Schema.Member] = [
    .needed("name", .text(1...200), ""), .allowed("about", .text(0...4000), ""),
    .allowed("is_public", .boolean, "True if every account may follow it; otherwise only its members may."),
  ]
  private static let collection = Schema.object([
    .needed("id", .id, ""), .needed("revision", .integer(1...Int64.max), ""),
    .needed("name", .text(1...200), ""), .needed("about", .text(0...4000), ""),
    .needed("is_public", .boolean, ""), .needed("created_at", .time, ""),
    .needed("is_own", .boolean, "True if the account owns it and may edit it."),
    .needed("owner_name", .text(0...200), ""), .needed("zone_count", .integer(0...Int64.max), ""),
    .needed("is_followed", .boolean, ""),
  ])
  private static let member = Schema.object([
    .needed("id", .id, "Id of the membership."),
    .needed(
      "login", .text(1...100), "Login as entered until the member follows; it may belong to no account."),
    .needed("name", .text(0...200), "Name of the member; empty until the member follows."),
    .needed("since", .time, ""),
    .needed("is_accepted", .boolean, "True if the member has followed it, or is in a group that may."),
    .needed("is_direct", .boolean, "True if the owner added the member; false if a group gives access."),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/collections", name: "listCollections",
      summary:
        "Lists the collections that the account may see: its own, those it is a member of, public ones",
      handler: .account { call, signed in
        let limit = Paging.limit(call)
        let found = try await call.store.collections(
          seenBy: signed.account, after: try Paging.after(call, CollectionID.self), limit: limit + 1)
        return .json(
          Paging.page(found, limit: limit, id: \.collection.id) { json($0, signed) })
      }, query: Paging.query, answers: [.json(Paging.schema(collection), "A page.")]),
    Route(
      method: .post, path: "/api/v1/collections", name: "createCollection", summary: "Creates a collection",
      handler: .account(create), body: .json(.object(fields)),
      answers: [
        .json(collection, "The collection.", status: .created, hasETag: true),
        .json(collection, "The collection created earlier with the same Idempotency-Key.", hasETag: true),
      ], isIdempotentByKey: true),
    Route(
      method: .get, path: "/api/v1/collections/{collection}", name: "getCollection",
      summary: "Returns one collection",
      handler: .account { call, signed in
        answer(try await call.store.collection(try id(call), seenBy: signed.account), signed)
      }, answers: [.json(collection, "The collection.", hasETag: true)]),
    Route(
      method: .put, path: "/api/v1/collections/{collection}", name: "putCollection",
      summary: "Saves an edited collection; only the owner may",
      handler: .account(put), headers: [ZoneRoutes.ifMatch], body: .json(.object(fields)),
      answers: [.json(collection, "Saved.", hasETag: true)]),
    Route(
      method: .delete, path: "/api/v1/collections/{collection}", name: "deleteCollection",
      summary: "Deletes a collection; its zones stay with the owner",
      handler: .account { call, signed in
        let id = try id(call)
        let visible = try await call.store.collection(id, seenBy: signed.account)
        guard visible.collection.owner == signed.account else { throw readOnly }
        call.subject.isNamed(visible.collection.name)
        let audience = try await call.store.audience(of: id)
        try await call.store.deleteCollection(id, of: signed.account, at: call.now)
        try await call.zonesChanged(audience)
        return .nothing
      }, answers: [.nothing("Deleted.")]),
    Route(
      method: .get, path: "/api/v1/collections/{collection}/zones", name: "listCollectionZones",
      summary: "Lists the zones of a collection",
      handler: .account { call, signed in
        let zones = try await call.store.zones(in: try id(call), seenBy: signed.account)
        return .items(zones.map(ZoneRoutes.json))
      },
      answers: [
        .json(
          .items(.named(.zone), upTo: ZoneRoutes.maximumZones),
          "All zones of the collection.")
      ]),
    Route(
      method: .get, path: "/api/v1/collections/{collection}/members", name: "listMembers",
      summary: "Lists the members, who may follow a collection that is not public",
      handler: .account { call, signed in
        let members = try await call.store.members(of: try id(call), owner: signed.account)
        return .items(members.map(json))
      }, answers: [.json(.items(member, upTo: 1_000_000), "Members, by login.")]),
    Route(
      method: .post, path: "/api/v1/collections/{collection}/members", name: "addMember",
      summary: "Adds a member by login, who may then follow the collection",
      handler: .account(addMember), body: .json(.object([.needed("login", AccountRoutes.login, "")])),
      answers: [.nothing("Added. The answer is the same if there is no such account.")]),
    Route(
      method: .delete, path: "/api/v1/collections/{collection}/members/{member}", name: "removeMember",
      summary: "Removes a member; one who also has access by a group may still follow",
      handler: .account { call, signed in
        let member = MembershipID(rawValue: try call.id("member"))
        let listed = try await call.store.members(of: try id(call), owner: signed.account)
          .first { $0.id == member }
        if let listed {
          call.subject.isNamed(listed.login)
          guard listed.isDirect else {
            throw Problem(
              .conflict,
              "\(listed.login) has access by a group; end that membership, or take the collection back")
          }
        }
        let account = try await call.store.removeMember(
          member, from: try id(call), of: signed.account, at: call.now)
        if let account { try await call.zonesChanged([account]) }
        return .nothing
      }, answers: [.nothing("Removed.")]),
    Route(
      method: .put, path: "/api/v1/collections/{collection}/follow", name: "followCollection",
      summary: "Follows a collection: its zones then watch the account's devices",
      handler: .account { call, signed in
        let owner = try await call.store.follow(try id(call), by: signed.account, at: call.now)
        if let owner { call.parts.core.hub.publish(owner) }
        try await call.zonesChanged([signed.account])
        return .nothing
      }, answers: [.nothing("Followed.")]),
    Route(
      method: .delete, path: "/api/v1/collections/{collection}/follow", name: "unfollowCollection",
      summary: "Stops following a collection",
      handler: .account { call, signed in
        try await call.store.unfollow(try id(call), by: signed.account, at: call.now)
        try await call.zonesChanged([signed.account])
        return .nothing
      }, answers: [.nothing("No longer followed.")]),
  ]

  static let readOnly = Problem(.forbidden, "only its owner may change a collection")

  private static func id(_ call: Call) throws(Problem) -> CollectionID {
    CollectionID(rawValue: try call.id("collection"))
  }

  private static func json(_ visible: VisibleCollection, _ signed: Signed) -> JSONValue {
    let collection = visible.collection
    return .object([
      ("id", .string(collection.id.description)), ("revision", .integer(collection.revision.rawValue)),
      ("name", .string(collection.name)), ("about", .string(collection.about)),
      ("is_public", .bool(collection.isPublic)), ("created_at", collection.createdAt.json),
      ("is_own", .bool(collection.owner == signed.account)), ("owner_name", .string(visible.ownerName)),
      ("zone_count", .integer(Int64(visible.zoneCount))), ("is_followed", .bool(visible.isFollowed)),
    ])
  }

  private static func json(_ member: Membership) -> JSONValue {
    .object([
      ("id", .string(member.id.description)), ("login", .string(member.login)),
      ("name", .string(member.name)), ("since", member.since.json),
      ("is_accepted", .bool(member.account != nil)), ("is_direct", .bool(member.isDirect)),
    ])
  }

  private static func answer(
    _ visible: VisibleCollection, _ signed: Signed, status: HTTPResponse.Status = .ok
  ) -> Response {
    .json(
      json(visible, signed), revision: visible.collection.revision, status: status,
      location: status == .created ? "/api/v1/collections/\(visible.collection.id)" : nil)
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = call.newID(CollectionID.self, for: signed, "collections")
    let made = ZoneCollection(
      id: id, owner: signed.account, name: call.json["name"]?.string ?? "",
      about: call.json["about"]?.string ?? "", isPublic: call.json["is_public"]?.flag ?? false,
      createdAt: call.now)
    let (visible, isNew) = try await call.once {
      try await call.store.create(made)
      return try await call.store.collection(id, seenBy: signed.account)
    } find: {
      try await call.store.collection(id, seenBy: signed.account)
    }
    call.parts.core.hub.publish(signed.account)
    return answer(visible, signed, status: isNew ? .created : .ok)
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = try id(call)
    let revision = try call.expectedRevision()
    var collection = try await call.store.collection(id, seenBy: signed.account).collection
    guard collection.owner == signed.account else { throw readOnly }
    let before = try await call.store.audience(of: id)
    collection.name = call.json["name"]?.string ?? ""
    collection.about = call.json["about"]?.string ?? ""
    collection.isPublic = call.json["is_public"]?.flag ?? false
    try await call.store.save(collection, over: revision, at: call.now)
    let after = try await call.store.audience(of: id)
    try await call.zonesChanged(Set(before + after).sorted())
    return answer(try await call.store.collection(id, seenBy: signed.account), signed)
  }

  private static func addMember(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = try id(call)
    guard try await call.store.collection(id, seenBy: signed.account).collection.owner == signed.account
    else { throw readOnly }
    // The answer and the list do not reveal which logins exist.
    let login = call.json["login"]?.string ?? ""
    try await call.store.addMember(login, to: id, of: signed.account, at: call.now)
    if let member = try await found({ try await call.store.account(login: login) }) {
      call.parts.core.hub.publish(member.id)
    }
    call.parts.core.hub.publish(signed.account)
    return .nothing
  }
}
