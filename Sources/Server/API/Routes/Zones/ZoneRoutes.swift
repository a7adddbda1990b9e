import AlarmEngine
import AlarmService
import Delivery
import Formats
import Foundation
import Geometry
import HTTPTypes
import Hummingbird
import Store

/// Zones: listed, edited, read from files and written to files.
enum ZoneRoutes {
  private static let own: [Schema.Member] = [
    .needed("id", .id, ""), .needed("revision", .integer(1...Int64.max), "The same as in the ETag."),
    .needed("saved_at", .time, ""),
    .needed("collection_id", .optional(.id), "Collection that publishes it, or null."),
    .needed(
      "refused", .optional(.text(1...4000)), "Reason why it is not watched; null if it is valid."),
  ]
  static let stored = Schema.object(own + ZoneJSON.storedMembers)
  private static let edited = Schema.object(
    ZoneJSON.members + [.allowed("collection_id", .optional(.id), "One of the account's own collections.")])
  private static let issue = Schema.object([
    .needed("severity", .words(["warning", "error"]), "`error`: the zone is left out."),
    .needed("line", .optional(.integer(0...Int64.max)), "Line of the file, if known."),
    .needed("message", .text(0...4000), ""),
  ])
  /// The most zones of one account.
  static let maximumZones = 100_000
  /// The most zones in one imported file.
  static let maximumImport = 20_000

  static let ifMatch = Route.Query(
    name: "If-Match", schema: .text(1...100), meaning: "ETag of the revision that was edited.")
  static let ifNoneMatch = Route.Query(
    name: "If-None-Match", schema: .text(1...100), meaning: "`*` to create a new one under this id.")

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/zones", name: "listZones", summary: "Lists the account's own zones, by id",
      handler: .account(list), query: Paging.query,
      answers: [.json(Paging.schema(.named(.zone)), "A page.")]),
    Route(
      method: .post, path: "/api/v1/zones", name: "createZone", summary: "Creates a zone",
      handler: .account(create), body: .json(edited),
      answers: [
        .json(.named(.zone), "The zone.", status: .created, hasETag: true),
        .json(.named(.zone), "The zone created earlier with the same Idempotency-Key.", hasETag: true),
      ], isIdempotentByKey: true),
    Route(
      method: .get, path: "/api/v1/zones/{zone}", name: "getZone", summary: "Returns one zone",
      handler: .account { call, signed in
        let id = ZoneID(rawValue: try call.id("zone"))
        return answer(try await call.store.zone(id, of: signed.account))
      }, answers: [.json(.named(.zone), "The zone.", hasETag: true)]),
    Route(
      method: .put, path: "/api/v1/zones/{zone}", name: "putZone",
      summary: "Saves an edited zone, or creates one under an id chosen by a phone",
      handler: .account(put), headers: [ifMatch, ifNoneMatch], body: .json(edited),
      answers: [
        .json(.named(.zone), "Saved.", hasETag: true),
        .json(.named(.zone), "Created.", status: .created, hasETag: true),
      ]),
    Route(
      method: .delete, path: "/api/v1/zones/{zone}", name: "deleteZone", summary: "Deletes a zone",
      handler: .account(delete), headers: [ifMatch], answers: [.nothing("Deleted.")]),
    Route(
      method: .post, path: "/api/v1/zones/import", name: "importZones",
      summary: "Imports zones from a file; known ids are replaced",
      handler: .account(importFile),
      query: [
        .init(
          name: "name", schema: .text(0...255),
          meaning: "Name of the file; its extension determines the format, else its content does."
        ),
        .init(
          name: "format", schema: .words(ZoneFormat.allCases.map(\.rawValue)),
          meaning: "Format of the file; detected if left out."
        ),
        .init(
          name: "preview", schema: .boolean, meaning: "True to return what would be saved, without saving it."
        ),
        .init(name: "collection_id", schema: .id, meaning: "Collection in which to publish the zones."),
      ],
      body: .bytes(
        ["application/octet-stream", "*/*"], maximum: ServerSettings.maximumImportBytes),
      answers: [
        .json(
          .object([
            .needed("saved", .boolean, "False for a preview."),
            .needed("zone_count", .integer(0...Int64(maximumImport)), ""),
            .needed(
              "new_count", .integer(0...Int64(maximumImport)),
              "Number of new zones; the others replace existing ones."),
            .needed(
              "zones",
              .list(
                .object([.needed("id", .id, ""), .needed("name", .text(0...100_000), "")]),
                upTo: maximumImport), ""),
            .needed("issues", .list(issue, upTo: 2002), "Errors and warnings found in the file."),
          ]), "The zones of the file.")
      ]),
    Route(
      method: .get, path: "/api/v1/zones/export/{format}", name: "exportZones",
      summary: "Exports all own zones as a file: pad, geojson, kml or owntracks",
      handler: .account(exportFile),
      query: [.init(name: "zone", schema: .id, meaning: "Id of the only zone to export.")],
      answers: [
        .media(
          ["text/csv", "application/geo+json", "application/vnd.google-earth.kml+xml", "application/json"],
          "The file.")
      ]),
  ]

  static func json(_ stored: StoredZone) -> JSONValue {
    .object(
      [
        ("id", .string(stored.id.description)), ("revision", .integer(stored.revision.rawValue)),
        ("saved_at", stored.savedAt.json),
        ("collection_id", stored.collection.map { .string($0.description) } ?? .null),
        ("refused", fault(of: stored).map { .string($0.message) } ?? .null),
      ] + ZoneJSON.members(of: stored.draft))
  }

  private static func fault(of stored: StoredZone) -> ZoneError? {
    guard let zone = stored.zone else { return stored.fault }
    do { _ = try zone.shape(defaultRadius: Settings.phone.defaultRadius) } catch {
      return error
    }
    return nil
  }

  private static func answer(_ stored: StoredZone, status: HTTPResponse.Status = .ok) -> Response {
    .json(
      json(stored), revision: stored.revision, status: status,
      location: status == .created ? "/api/v1/zones/\(stored.id)" : nil)
  }

  private static func list(_ call: Call, _ signed: Signed) async throws -> Response {
    let limit = Paging.limit(call)
    let zones = try await call.store.zones(
      of: signed.account, after: try Paging.after(call, ZoneID.self), limit: limit + 1)
    return .json(Paging.page(zones, limit: limit, id: \.id, json: json))
  }

  private static func collection(_ call: Call) -> CollectionID? {
    call.json["collection_id"]?.string.flatMap { parsedID($0) }.map(CollectionID.init(rawValue:))
  }

  /// The accounts to notify of a change to a zone of these collections.
  private static func audience(
    _ call: Call, _ signed: Signed, _ collections: [CollectionID?]
  ) async throws -> [AccountID] {
    var all: Set<AccountID> = [signed.account]
    for case let id? in collections { all.formUnion(try await call.store.audience(of: id)) }
    return all.sorted()
  }

  /// The zone of a request, with the offsets of its time zone filled in.
  private static func zone(_ call: Call, _ id: ZoneID) throws -> Zone {
    let zone = try ZoneJSON.zone(call.json, id: id, defaultRadius: Settings.phone.defaultRadius)
    var filler = ScheduleFiller(at: call.now)
    do throws(TimeZoneError) { return try filler.fill(zone) } catch {
      throw Problem.invalid("/schedule/time_zone", error.message)
    }
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = call.newID(ZoneID.self, for: signed, "zones")
    return try await create(call, signed, id: id)
  }

  private static func create(_ call: Call, _ signed: Signed, id: ZoneID) async throws -> Response {
    let zone = try zone(call, id)
    guard try await call.store.zoneCount(of: signed.account) < maximumZones else {
      throw StoreError.tooMany(allowed: maximumZones)
    }
    let collection = collection(call)
    let (stored, isNew) = try await call.once {
      try await call.store.save(zone, of: signed.account, in: collection, over: nil, at: call.now)
    } find: {
      try await call.store.zone(id, of: signed.account)
    }
    if isNew { try await call.zonesChanged(try await audience(call, signed, [collection])) }
    return answer(stored, status: isNew ? .created : .ok)
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = ZoneID(rawValue: try call.id("zone"))
    if call.isCreation { return try await create(call, signed, id: id) }
    let revision = try call.expectedRevision()
    let before = try await call.store.zone(id, of: signed.account)
    let zone = try zone(call, id)
    let collection = call.json["collection_id"] == nil ? before.collection : collection(call)
    let stored = try await call.store.save(
      zone, of: signed.account, in: collection, over: revision, at: call.now)
    try await call.zonesChanged(try await audience(call, signed, [before.collection, collection]))
    return answer(stored)
  }

  private static func delete(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = ZoneID(rawValue: try call.id("zone"))
    let before = try await call.store.zone(id, of: signed.account)
    let audience = try await audience(call, signed, [before.collection])
    try await call.store.deleteZone(
      id, of: signed.account, over: try call.statedRevision(), at: call.now)
    try await call.zonesChanged(audience)
    return .nothing
  }

  private static func importFile(_ call: Call, _ signed: Signed) async throws -> Response {
    let format = call.query["format"]?.string.flatMap(ZoneFormat.init(rawValue:))
    var file: ZoneFile
    do {
      file = try ZoneFile.read(
        data: Data(call.bytes), name: call.query["name"]?.string ?? "", format: format,
        defaultRadius: Settings.phone.defaultRadius)
    } catch let error as ReadError { throw Problem.invalid("", error.description) }
    file.fillTimeZones(keepsStated: false, at: call.now)
    guard file.zones.count <= maximumImport else {
      throw Problem(.tooLarge, "\(file.zones.count) zones found, \(maximumImport) allowed in one file")
    }
    var newCount = 0
    for zone in file.zones {
      if try await found({ try await call.store.zone(zone.id, of: signed.account) }) == nil { newCount += 1 }
    }
    guard try await call.store.zoneCount(of: signed.account) + newCount <= maximumZones else {
      throw StoreError.tooMany(allowed: maximumZones)
    }
    let isPreview = call.query["preview"]?.flag ?? false
    if !isPreview, !file.zones.isEmpty {
      let collection = call.query["collection_id"]?.string.flatMap { parsedID($0) }.map(
        CollectionID.init(rawValue:))
      try await call.store.replace(file.zones, of: signed.account, in: collection, at: call.now)
      try await call.zonesChanged(try await audience(call, signed, [collection]))
    }
    return .json(
      .object([
        ("saved", .bool(!isPreview)), ("zone_count", .integer(Int64(file.zones.count))),
        ("new_count", .integer(Int64(newCount))),
        (
          "zones",
          .array(
            file.zones.map { zone in
              .object([("id", .string(zone.id.description)), ("name", .string(zone.name.string))])
            })
        ), ("issues", .array(file.issues.map(json))),
      ]))
  }

  private static func json(_ issue: ReadIssue) -> JSONValue {
    .object([
      ("severity", .string(issue.severity == .error ? "error" : "warning")),
      ("line", issue.line.map { .integer(Int64($0)) } ?? .null),
      ("message", .string(String(issue.message.unicodeScalars.prefix(4000)))),
    ])
  }

  private static func exportFile(_ call: Call, _ signed: Signed) async throws -> Response {
    let format = try call.word("format", ZoneFormat.self)
    let type: String
    switch format {
    case .pad: type = "text/csv"
    case .geojson: type = "application/geo+json"
    case .kml: type = "application/vnd.google-earth.kml+xml"
    case .owntracks: type = "application/json"
    case .kmz, .openair, .gpx, .csv, .traccar, .homeassistant: throw Problem.notFound
    }
    // A zone that cannot be watched is exported unchanged as well, so that it can be kept or repaired
    // elsewhere.
    var zones: [ZoneDraft] = []
    if let id = call.query["zone"]?.string.flatMap({ parsedID($0) }) {
      zones = [try await call.store.zone(ZoneID(rawValue: id), of: signed.account).draft]
    } else {
      var last: ZoneID?
      repeat {
        let page = try await call.store.zones(of: signed.account, after: last, limit: 1000)
        zones += page.map(\.draft)
        last = page.count == 1000 ? page.last?.id : nil
      } while last != nil
    }
    let suffix = format == .owntracks ? "otrw" : format.rawValue
    return .bytes(Array(try format.encode(zones).data), type: type, fileName: "zones.\(suffix)")
  }
}
