import AlarmService
import Delivery
import Formats
import Hummingbird
import Packs
import Store

/// The key with which an account signs its packs, and its change (S130).
enum PackKeyRoutes {
  private static let path = "/api/v1/account/pack-key"
  private static let keyID = Schema.text(16...16)

  private static let key = Schema.object([
    .needed("public_key", .text(43...43), "The key in base64url."),
    .needed("key_id", keyID, "The first eight bytes of the key's SHA-256, for people to compare."),
    .needed(
      "changes",
      .list(
        .object([
          .needed("key_id", keyID, "Id of the earlier key."),
          .needed("changed_at", .time, "Time at which it was replaced."),
        ]), upTo: ZonePack.maximumKeyChanges),
      "Earlier keys, earliest first. Followers of any of them continue with this one."),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: path, name: "getPackKey",
      summary: "Returns the key with which the account signs its packs",
      handler: .account { call, signed in
        let key = try await found { try await call.parts.operation.packs.key(of: signed.account) }
        return .json(.object([("pack_key", key.map { json($0) } ?? .null)]))
      },
      answers: [
        .json(
          .object([.needed("pack_key", .optional(key), "Null before the first pack is published.")]),
          "The key.")
      ]),
    Route(
      method: .post, path: path + "/change", name: "changePackKey",
      summary:
        "Replaces the key of the account's packs by a new one, signed by the present one, so that followers continue",
      handler: .account(change),
      body: .json(
        .object([
          .needed("key_id", keyID, "Id of the present key; with it a repeated request changes nothing.")
        ])),
      answers: [.json(key, "The new key.")]),
  ]

  private static func change(_ call: Call, _ signed: Signed) async throws -> Response {
    let given = call.json["key_id"]?.string ?? ""
    guard let id = bytes(given) else {
      throw Problem(.invalidContent, "key_id \(given.excerpt(60)) found, 16 hexadecimal digits allowed")
    }
    let (key, isSuccessor) = try await call.parts.operation.packs.changeKey(
      of: signed.account, from: id, now: call.now)
    let present = hexadecimal(PackDigest.keyID(of: key.publicKey))
    guard isSuccessor else {
      throw Problem(
        .conflict, "key_id \(given) found, that of the account's present key, \(present), allowed")
    }
    return .json(json(key))
  }

  private static func json(_ key: PackKey) -> JSONValue {
    .object([
      ("public_key", .string(Base64URL.encode(key.publicKey))),
      ("key_id", .string(hexadecimal(PackDigest.keyID(of: key.publicKey)))),
      (
        "changes",
        .array(
          key.changes.map { change in
            .object([
              ("key_id", .string(hexadecimal(PackDigest.keyID(of: change.old)))),
              ("changed_at", change.changedAt.json),
            ])
          })
      ),
    ])
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Eight bytes of lower or upper case digits.
  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 16, let values = digits as? [Int] else { return nil }
    return stride(from: 0, to: 16, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
