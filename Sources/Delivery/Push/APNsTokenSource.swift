import AlarmEngine
import Cryptography
import Formats
import NIOConcurrencyHelpers

/// Apple's provider token: the sender's identity, signed with the operator's key.
///
/// APNs refuses tokens older than an hour, and tokens that change more often than every 20 minutes.
public final class APNsTokenSource: Sendable {
  private struct Signed {
    let token: String
    let issuedAt: Instant
  }
  private let key: P256.PrivateKey
  private let keyID: String
  private let teamID: String
  private let signed = NIOLockedValueBox<Signed?>(nil)
  private static let lifetime = TimeSpan.minutes(40)
  private static let shortest = TimeSpan.minutes(20)

  /// - Parameter pem: content of the .p8 file.
  public init(pem: Secret, keyID: String, teamID: String) throws(ConfigurationError) {
    guard let key = P256.PrivateKey(pem: pem.revealed) else {
      throw ConfigurationError(field: "key", given: "something else", allowed: "the PEM text of a .p8 file")
    }
    for (field, id) in [("key_id", keyID), ("team_id", teamID)] {
      guard id.utf8.count == 10, id.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) })
      else {
        throw ConfigurationError(field: field, given: id.excerpt(20), allowed: "10 of A-Z and 0-9")
      }
    }
    self.key = key
    self.keyID = keyID
    self.teamID = teamID
  }

  package func token(now: Instant) -> String {
    if let known = signed.withLockedValue({ $0 }), known.issuedAt <= now, now - known.issuedAt < Self.lifetime
    {
      return known.token
    }
    let claims = JSONValue.object([
      ("iss", .string(teamID)), ("iat", .integer(now.millisecondsSince1970 / 1000)),
    ])
    let token = JSONWebToken.es256(claims: claims, keyID: keyID, key: key)
    signed.withLockedValue { $0 = Signed(token: token, issuedAt: now) }
    return token
  }

  /// Discards a token that Apple reported as expired, but no sooner than a new one is allowed.
  package func renew(now: Instant) {
    signed.withLockedValue { if let known = $0, now - known.issuedAt >= Self.shortest { $0 = nil } }
  }
}
