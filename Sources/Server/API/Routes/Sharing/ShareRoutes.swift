import AlarmEngine
import AlarmService
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Shares of a phone's position with other people.
enum ShareRoutes {
  private static let words: [(Share.Precision, String)] = [
    (.place, "place"), (.zones, "zones"), (.nothing, "nothing"),
  ]
  private static let precision = Schema.words(words.map(\.1))
  /// The longest validity of a link.
  static let longestLink = TimeSpan.hours(30 * 24)

  private static let fields: [Schema.Member] = [
    .needed(
      "precision", precision,
      "`place`: the position; `zones`: the names of the zones that the device is in; `nothing`: neither for now."
    ),
    .allowed(
      "ends_at", .optional(.time), "End of the share; null until either side ends it. Required for a link."),
    .allowed(
      "ends_in_zone_id", .optional(.id),
      "Zone of the account that ends the share early, when the device is in it."),
  ]
  private static let given = Schema.object([
    .needed("id", .id, ""), .needed("device_id", .id, ""),
    .needed("login", .optional(.text(1...100)), "Login of the recipient; null for a link."),
    .needed("name", .text(0...200), "Name in the list."),
    .needed("is_accepted", .boolean, "True if the recipient has agreed to see it; always true for a link."),
    .needed("precision", precision, ""), .needed("created_at", .time, ""),
    .needed("ends_at", .optional(.time), ""), .needed("ends_in_zone_id", .optional(.id), ""),
    .needed(
      "link", .optional(.text(43...43)),
      "Part of the link's address after `#/seen/`; returned only when the link is created, else null."),
  ])
  private static let sight: [Schema.Member] = [
    .needed("owner_name", .text(0...200), ""), .needed("device_name", .text(0...1000), ""),
    .needed("precision", precision, ""), .needed("ends_at", .optional(.time), ""),
    .needed(
      "heard_at", .optional(.time), "Time of the last report; null if there was none or it is not shared."),
    .needed("fix", .optional(.named(.fix)), "Position of the device; null if not shared or unknown."),
    .needed(
      "zones", .optional(.list(.text(0...100_000), upTo: 100_000)),
      "Names of the zones that the device is in; null if not shared or unknown."),
  ]
  private static let received = Schema.object(
    [
      .needed("id", .id, ""), .needed("login", .text(1...100), "Login of the owner."),
      .needed("is_accepted", .boolean, "True if the account has agreed; nothing is shown before."),
    ] + sight)

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/shares", name: "listShares",
      summary: "Lists the shares of the account's devices",
      handler: .account { call, signed in
        .items(try await call.store.shares(of: signed.account, at: call.now).map { json($0) })
      }, answers: [.json(.items(given, upTo: Share.most), "Shares, latest first.")]),
    Route(
      method: .post, path: "/api/v1/shares", name: "createShare",
      summary:
        "Offers a device's position to a person, by login; without a login, creates a link that shows it",
      handler: .account(create),
      body: .json(
        .object(
          [
            .needed("device_id", .id, ""),
            .allowed(
              "login", .optional(AccountRoutes.login),
              "Login of the recipient, who sees the offer. The answer does not reveal whether it exists."),
            .allowed("name", .text(0...200), "Name in the list."),
          ] + fields)),
      answers: [.json(given, "Created.", status: .created)]),
    Route(
      method: .put, path: "/api/v1/shares/{share}", name: "putShare",
      summary: "Changes the precision and the end of a share", handler: .account(put),
      body: .json(.object(fields)), answers: [.json(given, "Saved.")]),
    Route(
      method: .delete, path: "/api/v1/shares/{share}", name: "endShare",
      summary: "Ends a share at once, for both sides; either side may",
      handler: .account { call, signed in
        let id = try id(call)
        let own = try await call.store.shares(of: signed.account, at: call.now).first { $0.id == id }
        if let own {
          if case .person(let login, _) = own.receiver {
            call.subject.isNamed(login)
          } else {
            call.subject.isNamed(own.name)
          }
        }
        try await call.store.end(id, by: signed.account, at: call.now)
        // Tells the people who watch the phone by this share.
        call.parts.alarms.ingest.wakes.wakeTimers()
        return .nothing
      }, answers: [.nothing("Ended.")]),
    Route(
      method: .put, path: "/api/v1/shares/{share}/accept", name: "acceptShare",
      summary: "Accepts an offered share",
      handler: .account { call, signed in
        try await call.store.accept(try id(call), by: signed.account, at: call.now)
        return .nothing
      }, answers: [.nothing("Accepted.")]),
    Route(
      method: .get, path: "/api/v1/shared", name: "listShared",
      summary: "Lists the shares that others give or offer to the account", handler: .account(listShared),
      answers: [.json(.items(received, upTo: 100_000), "Shares, by the owner's login.")]),
    Route(
      method: .get, path: "/api/v1/shared-links/{link}", name: "seeSharedLink",
      summary: "Returns the position shown by a link", handler: .anyone(seeLink),
      answers: [.json(.object(sight), "The position of the device.")]),
  ]

  private static func id(_ call: Call) throws(Problem) -> ShareID {
    ShareID(rawValue: try call.id("share"))
  }

  private static func word(_ precision: Share.Precision) -> JSONValue {
    .string(words.first { $0.0 == precision }?.1 ?? "nothing")
  }

  private static func json(_ share: Share, link: String? = nil) -> JSONValue {
    let (login, isAccepted): (String?, Bool) =
      switch share.receiver {
      case .person(let login, _): (login, share.viewer != nil)
      case .link: (nil, true)
      }
    return .object([
      ("id", .string(share.id.description)), ("device_id", .string(share.device.description)),
      ("login", login.map { .string($0) } ?? .null), ("name", .string(share.name)),
      ("is_accepted", .bool(isAccepted)), ("precision", word(share.precision)),
      ("created_at", share.createdAt.json), ("ends_at", share.endsAt?.json ?? .null),
      ("ends_in_zone_id", share.endsIn.map { .string($0.description) } ?? .null),
      ("link", link.map { .string($0) } ?? .null),
    ])
  }

  private static func json(_ received: ReceivedShare, _ sight: SharedSights.Sight) -> [(String, JSONValue)] {
    [
      ("owner_name", .string(received.ownerName)), ("device_name", .string(received.deviceName)),
      ("precision", word(received.share.precision)), ("ends_at", received.share.endsAt?.json ?? .null),
      ("heard_at", sight.heardAt?.json ?? .null), ("fix", sight.fix.map { HistoryRoutes.json($0) } ?? .null),
      ("zones", sight.zones.map { .array($0.map { .string($0.string) }) } ?? .null),
    ]
  }

  /// Applies the fields that may be changed later to a share.
  private static func apply(_ call: Call, to share: inout Share) async throws {
    let given = call.json["precision"]?.string
    share.precision = words.first { $0.1 == given }?.0 ?? .nothing
    let end = call.json["ends_at"]?.string.flatMap(RFC3339.instant(from:))
    if let end, end <= call.now {
      throw Problem.invalid("/ends_at", "\(RFC3339.string(from: end)) found, a future time allowed")
    }
    switch share.receiver {
    case .person(let login, _): share.receiver = .person(login: login, until: end)
    case .link(let hash, _):
      guard let end, end <= call.now + longestLink else {
        let found = end.map { RFC3339.string(from: $0) } ?? "none"
        throw Problem.invalid(
          "/ends_at",
          "\(found) found, for a link a time until \(RFC3339.string(from: call.now + longestLink)) allowed")
      }
      share.receiver = .link(hash, until: end)
    }
    let zone = call.json["ends_in_zone_id"]?.string.flatMap { parsedID($0) }.map(ZoneID.init(rawValue:))
    let isOther = zone != share.endsIn
    share.endsIn = zone
    guard let zone, isOther else { return }
    let owner = share.owner
    guard try await found({ try await call.store.zone(zone, of: owner) }) != nil else {
      throw Problem.invalid("/ends_in_zone_id", "\(zone) found, a zone of the account allowed")
    }
    let device = try await call.store.device(share.device, of: share.owner)
    if try await call.parts.operation.sights.isIn(zone, device, of: share.owner) {
      throw Problem.invalid("/ends_in_zone_id", "the device is in that zone already; another zone allowed")
    }
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    guard let device = call.json["device_id"]?.string.flatMap({ parsedID($0) }).map(DeviceID.init(rawValue:))
    else { throw Problem.notFound }
    _ = try await call.store.device(device, of: signed.account)
    let login = call.json["login"]?.string
    if let login, login.lowercased() == signed.login.lowercased() {
      throw Problem.invalid("/login", "your own login found, another person's allowed")
    }
    let secret = Secrets.random()
    var share = Share(
      owner: signed.account, device: device,
      receiver: login.map { .person(login: $0, until: nil) } ?? .link(Secrets.hash(secret), until: call.now),
      name: call.json["name"]?.string ?? "", precision: .nothing, createdAt: call.now)
    try await apply(call, to: &share)
    try await call.store.create(share)
    return .json(json(share, link: login == nil ? secret : nil), status: .created)
  }

  private static func put(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = try id(call)
    let found = try await call.store.shares(of: signed.account, at: call.now).first { $0.id == id }
    guard var share = found else { throw Problem.notFound }
    try await apply(call, to: &share)
    try await call.store.save(share, at: call.now)
    call.parts.alarms.ingest.wakes.wakeTimers()
    return .json(json(share))
  }

  private static func listShared(_ call: Call, _ signed: Signed) async throws -> Response {
    var items: [JSONValue] = []
    for received in try await call.store.shares(with: signed.account, at: call.now) {
      let isAccepted = received.share.viewer != nil
      let sight =
        isAccepted
        ? try await found { try await call.parts.operation.sights.look(at: received.share, now: call.now) }
        : .nothing
      // The share has just ended.
      guard let sight else { continue }
      items.append(
        .object(
          [
            ("id", .string(received.share.id.description)), ("login", .string(received.ownerLogin)),
            ("is_accepted", .bool(isAccepted)),
          ] + json(received, sight)))
    }
    return .items(items)
  }

  private static func seeLink(_ call: Call) async throws -> Response {
    let received = try await call.store.share(Secrets.hash(try call.text("link")), at: call.now)
    let sight = try await call.parts.operation.sights.look(at: received.share, now: call.now)
    return .json(.object(json(received, sight)), headers: [.cacheControl: "no-store"])
  }
}
