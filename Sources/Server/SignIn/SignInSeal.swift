import AlarmEngine
import AlarmService
import Cryptography
import Formats
import Store

/// Encrypted state that a browser carries between two requests: nobody else can read, create or change it,
/// and it expires. Any process can continue a sign-in that another began, and one that is never finished
/// takes no space in the store.
struct SignInSeal: Sendable {
  enum Purpose: String, CaseIterable, Sendable {
    /// During the sign-in at a provider.
    case oidc
    /// After a provider has identified the person; the code of an authenticator app is still missing.
    case oidcCode = "oidc-code"
    case passkeyMaking = "passkey-making"
    case passkeySigningIn = "passkey-signing-in"

    var lifetime: TimeSpan {
      switch self {
      case .oidc: .minutes(10)
      case .oidcCode, .passkeyMaking, .passkeySigningIn: .minutes(5)
      }
    }
  }

  private let key: [UInt8]

  init(store: SQLStore) async throws(StoreError) {
    key = try await store.serverValue("sign-in-key", orElse: Secrets.randomBytes())
  }

  /// Each result is different and cannot be guessed.
  func sealed(_ value: JSONValue, for purpose: Purpose, at now: Instant) -> [UInt8] {
    let end = now + purpose.lifetime
    let content = JSONValue.object([("end", .integer(end.millisecondsSince1970)), ("value", value)])
    return ChaChaPoly.seal(content.bytes, key: key, authenticating: Array(purpose.rawValue.utf8))
  }

  /// Nil for bytes that we have not sealed for this purpose, or that have expired.
  func opened(_ bytes: [UInt8], for purpose: Purpose, at now: Instant) -> JSONValue? {
    guard
      let content = ChaChaPoly.open(bytes, key: key, authenticating: Array(purpose.rawValue.utf8)),
      let value = try? JSONValue.parse(content), case .integer(let end)? = value["end"],
      now < Instant(millisecondsSince1970: end)
    else { return nil }
    return value["value"]
  }
}

extension Call {
  /// Marks sealed bytes as used, so that they cannot be used again.
  /// - Throws: `gone` if they have been used already.
  func useUp(_ sealed: [UInt8], _ purpose: SignInSeal.Purpose) async throws {
    let hash = TokenHash(SHA256.hash(Array(purpose.rawValue.utf8) + sealed))
    do throws(StoreError) { try await store.useUp(hash, until: now + purpose.lifetime, at: now) } catch {
      guard error == .taken else { throw error }
      throw Problem(.gone, "this sign-in was used already; begin a new one")
    }
  }
}
