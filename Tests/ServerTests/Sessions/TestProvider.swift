import AlarmEngine
import Cryptography
import Delivery
import Formats
import Foundation
import NIOConcurrencyHelpers

@testable import Server

/// An OpenID Connect provider on loopback that can be told to misbehave in many ways.
final class TestProvider: Sendable {
  struct State {
    var issuer = ""
    /// The query of each request, by the code that was issued for it.
    var codes: [String: [String: String]] = [:]
    /// Changes the claims of the next tokens.
    var claims: @Sendable ([(String, JSONValue)]) -> [(String, JSONValue)] = { $0 }
    /// The algorithm in the header, and the key's name there.
    var algorithm = "ES256"
    var keyID = "one"
    /// The key that signs the token, whatever its header says.
    var key = P256.PrivateKey()
    /// The keys that it publishes.
    var published: [(id: String, key: P256.PrivateKey)] = []
    var documentIssuer: String?
    var namesIssuer = false
    var tokenAnswer: CannedAnswer?
    var authorization: [String?] = []
  }

  static let rsa = RSAKey()
  let state = NIOLockedValueBox(State())

  init() { state.withLockedValue { $0.published = [("one", $0.key)] } }

  func change(_ body: (inout State) -> Void) { state.withLockedValue { body(&$0) } }

  func settings(makesAccounts: Bool = false, loginClaim: String? = nil, secret: String? = "hush")
    -> OIDCSettings
  {
    OIDCSettings(
      issuer: state.withLockedValue { $0.issuer }, client: "alarm & more",
      secret: secret.map { .init($0) }, name: "The club", makesAccounts: makesAccounts, loginClaim: loginClaim
    )
  }

  /// Agrees as a person would who was sent to the provider.
  /// - Returns: the query with which the person is sent back.
  func agree(_ address: String) -> [String: String] {
    let asked = Self.members(String(address.split(separator: "?", maxSplits: 1).last ?? ""))
    let code = "code & \(UInt64.random(in: 0 ... .max))"
    return state.withLockedValue { state in
      state.codes[code] = asked
      return ["code": code, "state": asked["state"] ?? ""]
    }
  }

  @Sendable func answer(_ request: ReceivedRequest, _ count: Int) -> CannedAnswer {
    state.withLockedValue { state in
      switch request.path {
      case "/.well-known/openid-configuration":
        return json([
          ("issuer", .string(state.documentIssuer ?? state.issuer)),
          ("authorization_endpoint", .string(state.issuer + "/authorize")),
          ("token_endpoint", .string(state.issuer + "/token")), ("jwks_uri", .string(state.issuer + "/keys")),
          ("authorization_response_iss_parameter_supported", .bool(state.namesIssuer)),
        ])
      case "/keys":
        return json([("keys", .array(state.published.map { Self.key($0.id, $0.key) } + [Self.rsaKey]))])
      case "/token": return token(request, &state)
      default: return CannedAnswer(status: 404)
      }
    }
  }

  private func json(_ members: [(String, JSONValue)], status: Int = 200) -> CannedAnswer {
    CannedAnswer(
      status: status, headers: [("Content-Type", "application/json")], body: JSONValue.object(members).text)
  }

  private static func key(_ id: String, _ key: P256.PrivateKey) -> JSONValue {
    let point = key.publicKey
    return .object([
      ("kty", .string("EC")), ("crv", .string("P-256")), ("kid", .string(id)),
      ("x", .string(Base64URL.encode(point[1...32]))), ("y", .string(Base64URL.encode(point.suffix(32)))),
    ])
  }

  private static let rsaKey =
    JSONValue.object([
      ("kty", .string("RSA")), ("kid", .string("rsa")), ("n", .string(Base64URL.encode(rsa.modulus))),
      ("e", .string(Base64URL.encode(rsa.exponent))),
    ])

  /// The token endpoint of RFC 6749 and RFC 7636: a code is valid once, for the client that began, with its
  /// verifier.
  private func token(_ request: ReceivedRequest, _ state: inout State) -> CannedAnswer {
    state.authorization.append(request["Authorization"])
    if let answer = state.tokenAnswer { return answer }
    let form = Self.members(request.text)
    guard let asked = state.codes.removeValue(forKey: form["code"] ?? "") else {
      return json([("error", .string("invalid_grant"))], status: 400)
    }
    let challenge = Base64URL.encode(SHA256.hash((form["code_verifier"] ?? "").utf8))
    guard asked["code_challenge_method"] == "S256", asked["code_challenge"] == challenge,
      asked["redirect_uri"] == form["redirect_uri"], form["grant_type"] == "authorization_code"
    else { return json([("error", .string("invalid_request"))], status: 400) }
    let now = TestServer.start.millisecondsSince1970 / 1000
    let claims = state.claims([
      ("iss", .string(state.issuer)), ("sub", .string("7")), ("aud", .string("alarm & more")),
      ("exp", .integer(now + 300)), ("iat", .integer(now)), ("nonce", .string(asked["nonce"] ?? "")),
      ("preferred_username", .string("anna")), ("email", .string("anna@example.org")),
    ])
    return json([
      ("access_token", .string("a")), ("token_type", .string("Bearer")),
      ("id_token", .string(Self.signed(claims, state))),
    ])
  }

  private static func signed(_ claims: [(String, JSONValue)], _ state: State) -> String {
    let header = JSONValue.object([("alg", .string(state.algorithm)), ("kid", .string(state.keyID))])
    let content = Base64URL.encode(header.bytes) + "." + Base64URL.encode(JSONValue.object(claims).bytes)
    let bytes = Array(content.utf8)
    let signature: [UInt8] =
      switch state.algorithm {
      case "none": []
      case "HS256":
        HMAC.sha256(bytes, key: Array("hush".utf8))
      case "RS256": rsa.signature(of: bytes)
      default: state.key.signature(of: bytes)
      }
    return content + "." + Base64URL.encode(signature)
  }

  static func members(_ form: String) -> [String: String] {
    var members: [String: String] = [:]
    for pair in form.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      members[String(parts[0])] = parts.count > 1 ? String(parts[1]).removingPercentEncoding : ""
    }
    return members
  }
}
