import AlarmEngine
import Cryptography
import Formats
import NIOConcurrencyHelpers

/// Identifies the server to push services (RFC 8292). One signature for each origin is used for half of its
/// lifetime.
public final class VAPIDSigner: Sendable {
  private struct Signed {
    let header: String
    let renewAt: Instant
  }

  private let key: P256.PrivateKey
  private let contact: String
  private let signed = NIOLockedValueBox<[String: Signed]>([:])
  /// RFC 8292 allows 24 h; clocks differ.
  private static let lifetime = TimeSpan.hours(12)
  /// The most origins. Browsers use a few push services; others must not fill the memory.
  private static let capacity = 64

  /// - Parameters:
  ///   - privateKey: 32 bytes, kept forever, since browsers subscribe to its public key.
  ///   - contact: "mailto:..." or "https://..." of the operator.
  public init(privateKey: [UInt8], contact: String) throws(ConfigurationError) {
    guard let key = P256.PrivateKey(privateKey) else {
      throw ConfigurationError(
        field: "vapid", given: "\(privateKey.count) bytes that are no key",
        allowed: "a private key of P-256, 32 bytes")
    }
    guard contact.hasPrefix("mailto:") || contact.hasPrefix("https://") else {
      throw ConfigurationError(
        field: "contact", given: contact.excerpt(40), allowed: "a mailto: or https: URL")
    }
    self.key = key
    self.contact = contact
  }

  /// Returns a key for a new server: its 32 bytes.
  public static func newPrivateKey() -> [UInt8] { P256.PrivateKey().bytes }

  /// For `PushManager.subscribe`: `applicationServerKey`, base64url.
  public var publicKey: String { Base64URL.encode(key.publicKey) }

  /// Returns the `Authorization` header for a push service.
  package func authorization(for origin: String, now: Instant) -> String {
    if let known = signed.withLockedValue({ $0[origin] }), now < known.renewAt { return known.header }
    let expires = (now + Self.lifetime).millisecondsSince1970 / 1000
    let claims = JSONValue.object([
      ("aud", .string(origin)), ("exp", .integer(expires)), ("sub", .string(contact)),
    ])
    let token = JSONWebToken.es256(claims: claims, key: key)
    let header = "vapid t=\(token),k=\(publicKey)"
    let renewAt = now + .milliseconds(Self.lifetime.milliseconds / 2)
    signed.withLockedValue { signed in
      if signed.count >= Self.capacity, signed[origin] == nil { signed.removeAll() }
      signed[origin] = Signed(header: header, renewAt: renewAt)
    }
    return header
  }

  /// Discards a signature that a push service refused, so that the next one is new.
  package func forget(_ origin: String) { signed.withLockedValue { $0[origin] = nil } }
}
