import AlarmEngine
import AlarmService
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Tokens: credentials of reporting devices, and of programs that use the API.
enum TokenRoutes {
  private static let words: [(TokenScope, String)] = [
    (.report, "report"), (.read, "read"), (.write, "write"),
  ]
  private static let scope = Schema.words(words.map(\.1))
  private static let token: [Schema.Member] = [
    .needed("id", .id, "Id of the token, not the token itself."),
    .needed(
      "device_id", .optional(.id), "Device that may report with it; null for all devices and for the API."),
    .needed("scope", scope, ""), .needed("name", .text(0...200), ""), .needed("created_at", .time, ""),
    .needed("expires_at", .optional(.time), ""), .needed("last_used_at", .optional(.time), ""),
  ]
  static let maximumTokens = 1000

  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/tokens", name: "listTokens", summary: "Lists the account's tokens",
      handler: .account { call, signed in
        let tokens = try await call.store.tokens(of: signed.account)
        return .items(tokens.map { .object(members($0)) })
      },
      answers: [.json(.items(.object(token), upTo: 100_000), "All tokens.")]),
    Route(
      method: .post, path: "/api/v1/tokens", name: "createToken",
      summary: "Creates a token, which is returned only here",
      handler: .account(create),
      body: .json(
        .object([
          .allowed(
            "device_id", .optional(.id),
            "Device that may report with it; null for all devices and for the API."),
          .allowed(
            "scope", scope,
            "`report`: send positions; `read`: read from the API; `write`: everything. For one device: `report`."
          ),
          .allowed("name", .text(0...200), "Name in the list."),
          .allowed("expires_at", .optional(.time), "Expiry; null for a token that is valid until revoked."),
        ])),
      answers: [
        .json(
          .object(
            token + [
              .needed(
                "token", .text(1...200), "The token, for Authorization: Bearer, or as the password of Basic.")
            ]), "The token.", status: .created)
      ]),
    Route(
      method: .delete, path: "/api/v1/tokens/{token}", name: "revokeToken", summary: "Revokes a token",
      handler: .account { call, signed in
        let id = DeviceTokenID(rawValue: try call.id("token"))
        let token = try await call.store.tokens(of: signed.account).first { $0.id == id }
        if let name = token?.name, !name.isEmpty { call.subject.isNamed(name) }
        try await call.store.revoke(id, of: signed.account)
        return .nothing
      }, answers: [.nothing("Revoked.")]),
  ]

  private static func members(_ token: DeviceToken) -> [(String, JSONValue)] {
    [
      ("id", .string(token.id.description)),
      ("device_id", token.device.map { .string($0.description) } ?? .null),
      ("scope", .string(words.first { $0.0 == token.scope }?.1 ?? "report")), ("name", .string(token.name)),
      ("created_at", token.createdAt.json), ("expires_at", token.expiresAt?.json ?? .null),
      ("last_used_at", token.lastUsedAt?.json ?? .null),
    ]
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    let count = try await call.store.tokens(of: signed.account).count
    guard count < maximumTokens else { throw StoreError.tooMany(allowed: maximumTokens) }
    let device = call.json["device_id"]?.string.flatMap { parsedID($0) }.map(DeviceID.init(rawValue:))
    if let device { _ = try await call.store.device(device, of: signed.account) }
    let given = call.json["scope"]?.string
    if device != nil, let given, given != "report" {
      throw Problem.invalid("/scope", "\(given) found, for one device report allowed")
    }
    let scope = words.first { $0.1 == given }?.0 ?? .write
    let expires = call.json["expires_at"]?.string.flatMap(RFC3339.instant(from:))
    if let expires, expires <= call.now {
      throw Problem.invalid("/expires_at", "\(RFC3339.string(from: expires)) found, a future time allowed")
    }
    let secret = Secrets.random()
    let token = DeviceToken(
      account: signed.account, device: device, hash: Secrets.hash(secret),
      name: call.json["name"]?.string ?? "", scope: scope, createdAt: call.now, expiresAt: expires)
    try await call.store.create(token)
    return .json(.object(members(token) + [("token", .string(secret))]), status: .created)
  }
}
