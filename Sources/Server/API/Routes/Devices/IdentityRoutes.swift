import AlarmEngine
import AlarmService
import Delivery
import Formats
import HTTPTypes
import Hummingbird
import Store

/// The names of devices in the phones' protocols, and devices that report and belong to nobody.
enum IdentityRoutes {
  private static let name: [Schema.Member] = [
    .needed("scheme", .words(DeviceIdentity.Scheme.allCases.map(\.rawValue)), "Protocol of the name."),
    .needed("value", .text(1...500), "Name of the device in that protocol."),
  ]
  static let given = Schema.object(name)
  private static let identity = Schema.object(
    [
      .needed("id", .id, "Id for removing the name."),
      .needed(
        "needs_proof", .boolean,
        "True if reports under this name need a token; else they are accepted from anyone."),
    ] + name)
  private static let claimed = Schema.object(
    DeviceRoutes.members + [
      .needed(
        "token", .optional(.text(1...200)),
        "The device's own token for its app, returned only here. Null if it continues without a password."),
      .needed("token_id", .optional(.id), "Id for revoking the token."),
    ])

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/devices/{device}/identities", name: "listIdentities",
      summary: "Lists a device's names in the phones' protocols",
      handler: .account { call, signed in
        let device = try await call.store.device(try DeviceRoutes.id(call), of: signed.account)
        let identities = try await call.store.identities(of: device.id)
        return .items(identities.map(json))
      }, answers: [.json(.items(identity, upTo: 10_000), "All names.")]),
    Route(
      method: .post, path: "/api/v1/devices/{device}/identities", name: "addIdentity",
      summary: """
        Adds a name: reports under it with a token of the account are from this device. For the scheme mqtt, these are \
        messages under owntracks/USER/DEVICE, where USER is the account's login unless an administrator adds the name
        """,
      handler: .account { call, signed in
        let identity = try identity(call.json, of: signed)
        try await call.store.add(identity, to: try DeviceRoutes.id(call), of: signed.account)
        if let topic = MQTTIntake.topic(of: identity) { call.parts.operation.mqtt.forgetUnknown(topic) }
        try await call.parts.alarms.engines.deviceChanged(try DeviceRoutes.id(call))
        return .nothing
      }, body: .json(given), answers: [.nothing("Added.")]),
    Route(
      method: .delete, path: "/api/v1/devices/{device}/identities/{identity}", name: "removeIdentity",
      summary: "Removes a name: reports under it are no longer from this device",
      handler: .account { call, signed in
        let device = try await call.store.device(try DeviceRoutes.id(call), of: signed.account)
        let wanted = try call.id("identity")
        let found = try await call.store.identities(of: device.id).first { id(of: $0) == wanted }
        guard let found else { throw Problem.notFound }
        try await call.store.remove(found, of: signed.account)
        try await call.parts.alarms.engines.deviceChanged(device.id)
        return .nothing
      }, answers: [.nothing("Removed.")]),
    Route(
      method: .get, path: "/api/v1/unclaimed-devices", name: "listUnclaimedDevices",
      summary:
        "Lists the devices that report and belong to nobody, the last to report first; only administrators may",
      handler: .account { call, signed in
        guard signed.isAdministrator else { throw Problem(.forbidden, "only administrators may do this") }
        let devices = try await call.store.unclaimedDevices(limit: 200)
        return .items(devices.map(unclaimed))
      },
      answers: [
        .json(
          .items(
            .object([
              .needed("id", .id, ""), .needed("name", .text(0...1000), ""),
              .needed("created_at", .time, ""), .needed("last_received_at", .optional(.time), ""),
            ]), upTo: 200), "At most 200 devices, without positions.")
      ]),
    Route(
      method: .post, path: "/api/v1/unclaimed-devices/{device}/claim", name: "claimDevice",
      summary: """
        Claims an unclaimed device; only administrators may. It gets a token, which must be entered in its app: until \
        then its reports are refused, and its app keeps them
        """, handler: .account(claim),
      query: [
        .init(
          name: "without_password", schema: .boolean,
          meaning: """
            True to let anyone who knows the device's name continue to report as it. The answers to such reports reveal \
            nothing of the account. False if left out.
            """)
      ],
      answers: [.json(claimed, "The device, now of the account.", hasETag: true)]),
  ]

  private static func claim(_ call: Call, _ signed: Signed) async throws -> Response {
    guard signed.isAdministrator else { throw Problem(.forbidden, "only administrators may do this") }
    let id = try DeviceRoutes.id(call)
    var token: (secret: String, kept: DeviceToken)?
    if call.query["without_password"]?.flag != true {
      guard try await call.store.tokens(of: signed.account).count < TokenRoutes.maximumTokens else {
        throw StoreError.tooMany(allowed: TokenRoutes.maximumTokens)
      }
      let secret = Secrets.random()
      token = (
        secret,
        DeviceToken(
          account: signed.account, device: id, hash: Secrets.hash(secret), name: "claimed device",
          createdAt: call.now)
      )
    }
    let claimed = try await call.store.claim(id, for: signed.account, token: token?.kept, at: call.now)
    try await call.parts.alarms.engines.deviceChanged(claimed.id)
    try await call.zonesChanged([signed.account])
    return .json(
      .object(
        (DeviceRoutes.json(claimed).members ?? []) + [
          ("token", token.map { .string($0.secret) } ?? .null),
          ("token_id", token.map { .string($0.kept.id.description) } ?? .null),
        ]), revision: claimed.revision)
  }

  private static func unclaimed(_ device: Device) -> JSONValue {
    .object([
      ("id", .string(device.id.description)), ("name", .string(device.name)),
      ("created_at", device.createdAt.json), ("last_received_at", device.lastReceivedAt?.json ?? .null),
    ])
  }

  private static func json(_ identity: DeviceIdentity) -> JSONValue {
    .object([
      ("id", .string(DeviceID(rawValue: id(of: identity)).description)),
      // The MQTT broker itself decides who may publish.
      ("needs_proof", .bool(identity.account != nil || identity.scheme == .mqtt)),
      ("scheme", .string(identity.scheme.rawValue)),
      ("value", .string(identity.value)),
    ])
  }

  /// An id that follows from the name, since the store has no number for it.
  private static func id(of identity: DeviceIdentity) -> UInt64 {
    let words = [identity.scheme.rawValue, identity.value, identity.account?.description ?? ""]
    return Secrets.hash(words.joined(separator: "\0")).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func identity(_ value: JSONValue, of signed: Signed) throws -> DeviceIdentity {
    let identity = DeviceIdentity(
      value["scheme"]?.string.flatMap(DeviceIdentity.Scheme.init(rawValue:)) ?? .own,
      value["value"]?.string ?? "", of: signed.account)
    guard identity.scheme == .mqtt else { return identity }
    guard let topic = MQTTIntake.topic(of: identity) else {
      throw Problem(.invalidContent, "value: USER/DEVICE allowed, as in OwnTracks' topic, without + and #")
    }
    // Otherwise an account could obtain the positions that another account's phones publish.
    guard topic.user == signed.login || signed.isAdministrator else {
      throw Problem(.forbidden, "the user is not your login: only an administrator may add it")
    }
    return DeviceIdentity(.mqtt, identity.value, of: nil)
  }
}
