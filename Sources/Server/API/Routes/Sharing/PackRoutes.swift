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
    .needed("path", .text(1...200), "Path on this server, readable without signing in."),
    .needed(
      "public_key", .text(43...43),
      "In base64url. Subscribers with the address and this key accept no other publisher's pack."),
    .needed("key_id", .text(16...16), "The first eight bytes of the key's SHA-256, for people to compare."),
    .needed("version", .integer(PackVersion.allowed), "Version number, raised by each change."),
    .needed("made_at", .time, ""),
    .needed("renew_by", .time, "Time from which followers without a later version are warned."),
    .needed("zone_count", .integer(0...Int64(ZonePack.maximumZones)), ""),
    .needed(
      "left_out_count", .integer(0...Int64.max),
      "Number of zones left out because they cannot be read."),
  ])

  static let mediaType = "application/vnd.proximity-alarm.pack"

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/collections/{collection}/pack", name: "getCollectionPack",
      summary: "Returns the signed pack of a collection, if it is published as one; only the owner may",
      handler: .account(look),
      answers: [
        .json(
          .object([.needed("pack", .optional(pack), "Null if the collection is not published as a pack.")]),
          "The pack.")
      ]),
    Route(
      method: .put, path: "/api/v1/collections/{collection}/pack", name: "publishPack",
      summary: "Publishes a collection as a signed pack for anyone with its address; only the owner may",
      handler: .account { call, signed in
        let id = try id(call)
        let pack = try await call.store.publish(
          id, of: signed.account, at: Secrets.random(), now: call.now)
        return .json(try await json(pack, call, signed))
      }, answers: [.json(pack, "The pack; unchanged if it was published already.")]),
    Route(
      method: .delete, path: "/api/v1/collections/{collection}/pack", name: "endPack",
      summary:
        "Stops publishing a pack: its address is no longer valid. Followers are told, and keep the zones they have",
      handler: .account { call, signed in
        try await call.store.endPack(of: try id(call), owner: signed.account)
        return .nothing
      }, answers: [.nothing("Ended.")]),
    Route(
      method: .get, path: "/packs/{pack}", name: "getPack",
      summary: "Returns a signed pack of zones, for phones and pages without an account",
      handler: .anyone(get),
      query: [
        .init(
          name: "since", schema: .integer(PackVersion.allowed),
          meaning: "Version that the client has; only the changes since are returned, if they are smaller.")
      ],
      answers: [.media([mediaType], "The pack, in the format of docs/packs.md.", hasETag: true)]),
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
    let pack = try await call.parts.operation.packs.current(at: published.address, now: call.now)
    let key = try await call.parts.operation.packs.key(of: signed.account, now: call.now)
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
    let current = try await found { try await call.parts.operation.packs.current(at: address, now: call.now) }
    // Pages of other servers send such requests, and must also be able to read that the pack has ended.
    guard let current else { return open(Problem.notFound.response) }
    let tag = "\"\(PackCache.tag(current))\""
    if let known = call.request.headers[.ifNoneMatch], EntityTag.list(known, contains: tag) {
      return open(Response(status: .notModified, headers: [.eTag: tag]))
    }
    let issue: PackCache.Issue
    do {
      issue = try await call.parts.operation.packs.issue(
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
