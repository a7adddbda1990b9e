import Cryptography
import Formats

/// A browser's subscription, as `PushSubscription.toJSON()` gives it. The endpoint is a capability and not shown.
public struct WebPushSubscription: Hashable, Sendable, CustomStringConvertible {
  public let endpoint: TargetURL
  /// The browser's public key: a point of P-256, uncompressed, 65 bytes.
  package let publicKey: [UInt8]
  /// The browser's authentication secret, 16 bytes.
  let authentication: [UInt8]

  init(_ fields: ConfigurationFields) throws(ConfigurationError) {
    endpoint = try fields.requiredURL("endpoint")
    fields.ignore("expirationTime")
    let keys = try fields.object("keys")
    publicKey = try Self.bytes("p256dh", in: keys, count: 65)
    authentication = try Self.bytes("auth", in: keys, count: 16)
    try keys.refuseUnknown()
    guard P256.isPoint(publicKey) else {
      throw ConfigurationError(
        field: "p256dh", given: "bytes that are no point of the curve",
        allowed: "an uncompressed point of P-256")
    }
  }

  private static func bytes(
    _ name: String, in keys: ConfigurationFields, count: Int
  ) throws(ConfigurationError) -> [UInt8] {
    let text = try keys.requiredText(name, limit: 200)
    guard let bytes = Base64URL.decode(text), bytes.count == count else {
      throw ConfigurationError(
        field: name, given: "\(text.utf8.count) characters that are something else",
        allowed: "\(count) bytes in base64url")
    }
    return bytes
  }

  public var description: String { "Web Push at \(endpoint.host)" }
}

extension WebPushSubscription: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint.origin]) }
}
