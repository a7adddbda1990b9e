import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import PAD
import Packs
import Store

/// Collections as signed packs, for phones without an account (S130, F10).
enum PackRoutes {
  private static let pack = Schema.object([
    .needed("path", .text(1...200), "Where it is had from this server, without signing in."),
    .needed(
      "public_key", .text(43...43),
      "Base64url. Whoever subscribes by the address and this key takes no other publisher's pack for it."),
    .needed("key_id", .text(16...16), "The first eight bytes of the key's SHA-256, for people to compare."),
    .needed("version", .integer(PackVersion.allowed), "Goes up with each change."),
    .needed("made_at", .time, ""),
    .needed("renew_by", .time, "Followers are told when they have none later."),
    .needed("zone_count", .integer(0...Int64(ZonePack.maximumZones)), ""),
    .needed(
      "left_out_count", .integer(0...Int64.max),
      "Zones of the collection that cannot be read, and are not in it."),
  ])

  static let mediaType = "application/vnd.proximity-alarm.pack"

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/collections/{collection}/pack", name: "getCollectionPack",
      summary: "Whether and how a collection is given out as a signed pack; the owner's to see",
      handler: .account(look),
      answers: [
        .json(.object([.needed("pack", .optional(pack), "Null where it is not given out.")]), "The pack.")
      ]),
    Route(
      method: .put, path: "/api/v1/collections/{collection}/pack", name: "publishPack",
      summary: "Gives a collection out as a signed pack, to whoever has its address; the owner's right",
      handler: .account { call, signed in
        let id = try id(call)
        let pack = try await call.store.publish(
          id, of: signed.account, at: Secrets.random(), now: call.now)
        return .json(try await json(pack, call, signed))
      }, answers: [.json(pack, "The pack. Where it was given out already, nothing has changed.")]),
    Route(
      method: .delete, path: "/api/v1/collections/{collection}/pack", name: "endPack",
      summary:
        "Ends that: the address leads nowhere any more. Followers are told, and keep the zones they have",
      handler: .account { call, signed in
        try await call.store.endPack(of: try id(call), owner: signed.account)
        return .nothing
      }, answers: [.nothing("Ended.")]),
    Route(
      method: .get, path: "/packs/{pack}", name: "getPack",
      summary: "A signed pack of zones, for phones and pages without an account",
      handler: .anyone(get),
      query: [
        .init(
          name: "since", schema: .integer(PackVersion.allowed),
          meaning: "A version that is held: only what has changed since is answered, where that is less.")
      ],
      answers: [.media([mediaType], "The pack, as docs/packs.md writes it.", hasETag: true)]),
  ]

  private static func id(_ call: Call) throws(Problem) -> CollectionID {
    CollectionID(rawValue: try call.id("collection"))
  }

  private static func look(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = try id(call)
    let collection = try await call.store.collection(id, seenBy: signed.account).collection
    guard collection.owner == signed.account else { throw Problem.notFound }
    let published = try await found { try await call.store.pack(of: id, owner: signed.account) }
    var value = JSONValue.null
    if let published { value = try await json(published, call, signed) }
    return .json(.object([("pack", value)]))
  }

  private static func json(
    _ published: PublishedPack, _ call: Call, _ signed: Signed
  ) async throws -> JSONValue {
    let pack = try await call.parts.packs.current(at: published.address, now: call.now)
    let key = try await call.parts.packs.key(of: signed.account, now: call.now)
    let zones = try await call.store.zones(in: pack.collection.id, seenBy: signed.account)
    return .object([
      ("path", .string("/packs/\(pack.address)")),
      ("public_key", .string(Base64URL.encode(key.publicKey))),
      ("key_id", .string(PackKeyRoutes.hexadecimal(PackDigest.keyID(of: key.publicKey)))),
      ("version", .integer(pack.version.number)), ("made_at", pack.madeAt.json),
      ("renew_by", (pack.madeAt + PackCache.lasts).json), ("zone_count", .integer(Int64(pack.zoneCount))),
      ("left_out_count", .integer(Int64(zones.count { $0.fault != nil }))),
    ])
  }

  private static func get(_ call: Call) async throws -> Response {
    let address = try call.text("pack")
    let current = try await found { try await call.parts.packs.current(at: address, now: call.now) }
    // Pages of other servers send such requests, and must also be able to read that the pack has ended.
    guard let current else { return open(Problem.notFound.response) }
    let tag = "\"\(PackCache.tag(current))\""
    if let known = call.request.headers[.ifNoneMatch], EntityTag.list(known, contains: tag) {
      return open(Response(status: .notModified, headers: [.eTag: tag]))
    }
    let issue: PackCache.Issue
    do {
      issue = try await call.parts.packs.issue(
        current, since: call.query["since"]?.whole.flatMap { PackVersion($0) }, now: call.now)
    } catch let error as PackError { throw Problem(.failure, error.message) }
    var response = open(.bytes(issue.bytes, type: mediaType, fileName: "zones.zonepack"))
    response.headers[.eTag] = "\"\(issue.tag)\""
    return response
  }

  /// Makes an answer readable for any page: the address is the only permission, and no cookie is used. The
  /// answer may be cached, and must be revalidated each time.
  private static func open(_ response: Response) -> Response {
    var response = response
    response.headers[.accessControlAllowOrigin] = "*"
    response.headers[HTTPField.Name("Access-Control-Expose-Headers")!] = "ETag"
    response.headers[.cacheControl] = "no-cache"
    return response
  }
}
