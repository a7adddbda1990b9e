import AlarmEngine
import AlarmService
import Cryptography
import Delivery
import Formats
import Foundation
import NIOHTTP1

/// The operator's OpenID Connect provider: sends people there and verifies its answers.
///
/// Implements the authorization code flow (OpenID Connect Core 1.0, section 3.1) with PKCE (RFC 7636). The
/// provider's metadata and keys are kept for an hour; the keys are also fetched again when a token names an
/// unknown key, at most once a minute.
actor OIDCProvider {
  /// The reason why nobody was signed in, for the person who tried.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// One sign-in at the provider and back.
  struct Flow: Equatable, Sendable {
    let state: String
    let nonce: String
    let verifier: String
    /// The address to which the provider returns people.
    let redirect: String

    /// - Parameter origin: the server's public origin.
    init(origin: String) {
      (state, nonce, verifier) = (Secrets.random(), Secrets.random(), Secrets.random())
      redirect = origin + Self.path
    }

    static let path = "/oidc/callback"

    init?(_ value: JSONValue?) {
      guard let value, let state = value["state"]?.string, let nonce = value["nonce"]?.string,
        let verifier = value["verifier"]?.string, let redirect = value["redirect"]?.string
      else { return nil }
      (self.state, self.nonce, self.verifier, self.redirect) = (state, nonce, verifier, redirect)
    }

    var members: [(String, JSONValue)] {
      [
        ("state", .string(state)), ("nonce", .string(nonce)), ("verifier", .string(verifier)),
        ("redirect", .string(redirect)),
      ]
    }
  }

  static let keptFor = TimeSpan.hours(1)
  static let pause = TimeSpan.minutes(1)
  /// The largest answer, in bytes.
  static let maximumAnswer = 256 << 10

  nonisolated let settings: OIDCSettings
  private let http: DeliveryHTTP
  private var document: (value: ProviderDocument, at: Instant)?
  private var keys: (value: SigningKeys, at: Instant)?
  private var asking: Task<SigningKeys, any Error>?

  init(_ settings: OIDCSettings, http: DeliveryHTTP) {
    self.settings = settings
    self.http = http
  }

  /// The operator names the host, so it may be a private one.
  static func client(trustRoots: String?) -> DeliveryHTTP {
    var limits = DeliveryHTTP.Limits()
    limits.exchange = .seconds(10)
    limits.answer = maximumAnswer
    return DeliveryHTTP(
      policy: TargetPolicy(allowsPrivateNetworks: true), limits: limits, trustRoots: trustRoots)
  }

  func shutdown() { http.shutdown() }

  // MARK: There

  /// The address at which a person signs in.
  func address(of flow: Flow, at now: Instant) async throws -> String {
    let document = try await document(at: now)
    let challenge = Base64URL.encode(SHA256.hash(flow.verifier.utf8))
    let query = Self.form([
      ("response_type", "code"), ("client_id", settings.client), ("redirect_uri", flow.redirect),
      ("scope", "openid profile email"), ("state", flow.state), ("nonce", flow.nonce),
      ("code_challenge", challenge),
      ("code_challenge_method", "S256"),
    ])
    let mark = document.authorization.contains("?") ? "&" : "?"
    return document.authorization + mark + query
  }

  // MARK: And back

  /// The verified claims about a person, obtained with the code that the provider returned.
  /// - Parameter issuer: the issuer named in the answer, if any (RFC 9207).
  func claims(
    code: String, issuer: String?, _ flow: Flow, at now: Instant
  ) async throws -> IdentityClaims {
    let document = try await document(at: now)
    if let issuer {
      guard issuer == settings.issuer else {
        throw Failure(description: "The answer is from another provider: \(issuer.excerpt(100)).")
      }
    } else if document.namesIssuerInAnswers {
      throw Failure(description: "The answer does not name its provider.")
    }
    let token = try await token(for: code, flow, document)
    guard try await isSigned(token, document, at: now) else {
      throw Failure(description: "\(settings.name) answered with an invalid signature.")
    }
    do {
      return try IdentityClaims(
        token, issuer: settings.issuer, client: settings.client, nonce: flow.nonce, at: now)
    } catch { throw Failure(description: "\(settings.name) answered with \(error).") }
  }

  private func token(
    for code: String, _ flow: Flow, _ document: ProviderDocument
  ) async throws -> SignedToken {
    var members = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", flow.redirect),
      ("code_verifier", flow.verifier),
    ]
    var headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")]
    if let secret = settings.secret {
      switch document.clientProof {
      case .basic:
        // Each is form-encoded before they are joined (RFC 6749, section 2.3.1).
        let pair = Self.escaped(settings.client) + ":" + Self.escaped(secret.revealed)
        headers.append(("Authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
      case .post: members += [("client_id", settings.client), ("client_secret", secret.revealed)]
      }
    } else {
      members.append(("client_id", settings.client))
    }
    let answer = try await send(.POST, document.token, headers, Array(Self.form(members).utf8))
    let value = try? JSONValue.parse(answer.body)
    guard answer.status == 200 else {
      let said = Self.words(value?["error"]?.string, value?["error_description"]?.string)
      throw Failure(description: "\(settings.name) refuses its own code: \(said).")
    }
    guard let text = value?["id_token"]?.string else {
      throw Failure(description: "\(settings.name) answered without an ID token.")
    }
    do { return try SignedToken(text) } catch {
      throw Failure(description: "\(settings.name) answered with \(error).")
    }
  }

  private func isSigned(
    _ token: SignedToken, _ document: ProviderDocument, at now: Instant
  ) async throws -> Bool {
    var known = keys.flatMap { isKept(since: $0.at, now) ? $0.value : nil }
    if known == nil || known?.keys(for: token).isEmpty == true && mayAskAgain(now) {
      known = try await fetchedKeys(document, at: now)
    }
    return known?.keys(for: token).contains { $0.hasSigned(token) } ?? false
  }

  /// A clock that was set back must not prolong the time for which a value is kept.
  private func isKept(since time: Instant, _ now: Instant) -> Bool {
    now >= time && now - time < Self.keptFor
  }

  private func mayAskAgain(_ now: Instant) -> Bool {
    // A request is already under way: waiting for it costs the provider nothing.
    if asking != nil { return true }
    return keys.map { now < $0.at || now - $0.at >= Self.pause } ?? true
  }

  private func fetchedKeys(_ document: ProviderDocument, at now: Instant) async throws -> SigningKeys {
    if let asking { return try await asking.value }
    let task = Task { try await askForKeys(document, at: now) }
    asking = task
    defer { asking = nil }
    return try await task.value
  }

  private func askForKeys(_ document: ProviderDocument, at now: Instant) async throws -> SigningKeys {
    do {
      let found = try SigningKeys(try await body(of: document.keys))
      keys = (found, now)
      return found
    } catch let refusal as SignInRefusal {
      throw Failure(description: "\(settings.name) gives \(refusal).")
    }
  }

  private func document(at now: Instant) async throws -> ProviderDocument {
    if let document, isKept(since: document.at, now) { return document.value }
    let base = settings.issuer.hasSuffix("/") ? String(settings.issuer.dropLast()) : settings.issuer
    let bytes = try await body(of: base + "/.well-known/openid-configuration")
    do {
      let found = try ProviderDocument(bytes, issuer: settings.issuer)
      document = (found, now)
      return found
    } catch { throw Failure(description: "\(settings.name) gives \(error).") }
  }

  private func body(of address: String) async throws -> [UInt8] {
    let answer = try await send(.GET, address, [("Accept", "application/json")], [])
    guard answer.status == 200 else {
      throw Failure(
        description: "\(settings.name) answers \(address.excerpt(100)) with status \(answer.status).")
    }
    return answer.body
  }

  private func send(
    _ method: HTTPMethod, _ address: String, _ headers: [(String, String)], _ body: [UInt8]
  ) async throws -> DeliveryHTTP.Answer {
    let answer: DeliveryHTTP.Answer
    do { answer = try await http.send(method, address, headers: headers, body: body) } catch {
      throw Failure(description: "\(settings.name) cannot be reached: \(error).")
    }
    guard answer.body.count < Self.maximumAnswer else {
      throw Failure(description: "\(settings.name) answers with \(Self.maximumAnswer) bytes or more.")
    }
    return answer
  }

  /// The provider's error (RFC 6749, section 4.1.2.1), as one line.
  static func words(_ error: String?, _ description: String?) -> String {
    let name = error.map { $0.excerpt(60) } ?? "no reason"
    guard let description, !description.isEmpty else { return name }
    return "\(name) (\(description.excerpt(200)))"
  }

  /// `application/x-www-form-urlencoded`.
  static func form(_ members: [(String, String)]) -> String {
    members.map { "\($0.0)=\(escaped($0.1))" }.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
