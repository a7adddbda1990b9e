import AlarmEngine
import AlarmService
import Cryptography
import Formats
import Store

/// What a browser carries for us between two requests: nobody else can read it, make it or change it, and it ends by
/// itself. So any process can go on where another one began, and whoever only begins takes no room in the store.
struct SignInSeal: Sendable {
  enum Purpose: String, CaseIterable, Sendable {
    /// On the way to a provider and back.
    case oidc
    /// A provider has said who it is; the code of an authenticator app is still missing.
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

  /// Different each time, and unguessable.
  func sealed(_ value: JSONValue, for purpose: Purpose, at now: Instant) -> [UInt8] {
    let end = now + purpose.lifetime
    let content = JSONValue.object([("end", .integer(end.millisecondsSince1970)), ("value", value)])
    return ChaChaPoly.seal(content.bytes, key: key, authenticating: Array(purpose.rawValue.utf8))
  }

  /// Nil for what we have not sealed for this purpose, and for what has ended.
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
  /// Uses up what was sealed: whoever shows it again comes to nothing.
  /// - Throws: `gone` when it is used up already.
  func useUp(_ sealed: [UInt8], _ purpose: SignInSeal.Purpose) async throws {
    let hash = TokenHash(SHA256.hash(Array(purpose.rawValue.utf8) + sealed))
    do throws(StoreError) { try await store.useUp(hash, until: now + purpose.lifetime, at: now) } catch {
      guard error == .taken else { throw error }
      throw Problem(.gone, "this try to sign in was used already; begin a new one")
    }
  }
}
