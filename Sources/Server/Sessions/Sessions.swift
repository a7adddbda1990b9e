import AlarmEngine
import AlarmService
import Cryptography
import Delivery
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Store

/// Sessions and tokens: identifies the sender of a request.
public struct Sessions: Sendable {
  static let cookieName = "proximity_session"
  /// The beginning of the secret of an app's session; no cookie and no token begins with it (base64url has no
  /// dot). The secret counts in `Authorization` alone, that of a browser's session as the cookie alone.
  static let appPrefix = "app."
  /// Counted from the last use.
  static let lifetime = TimeSpan.hours(24 * 30)
  /// A session's use is stored at most this often.
  private static let touchInterval = TimeSpan.hours(1)

  let store: SQLStore
  private let key: [UInt8]
  private let limits: RateLimits

  init(store: SQLStore, limits: RateLimits) async throws(StoreError) {
    self.store = store
    self.limits = limits
    key = try await store.serverValue("session-key", orElse: Secrets.randomBytes())
  }

  /// The person behind a request, identified by a program's token, else by the cookie.
  /// - Throws: "not signed in" if there is neither, or an unknown one.
  func signed(_ request: Request, _ origin: Origin, at now: Instant) async throws -> Signed {
    if request.headers[.authorization] != nil {
      if let secret = Self.presentedToken(request), secret.hasPrefix(Self.appPrefix) {
        return try await signedInApp(secret, origin, at: now)
      }
      return try await signedByToken(request, origin, at: now)
    }
    guard let cookie = Self.cookie(Self.cookieName, in: request), !cookie.hasPrefix(Self.appPrefix) else {
      guard origin.login == nil else {
        throw Problem(
          .vouchedFor, "signed in by the proxy, but no session found; POST /api/v1/login/proxy begins one")
      }
      throw Problem(.notSignedIn, "no session cookie and no Authorization found")
    }
    let hash = Secrets.hash(cookie)
    guard let (session, account) = try await found({ try await store.session(hash, at: now) }) else {
      throw Problem(origin.login == nil ? .notSignedIn : .vouchedFor, "the session has ended")
    }
    // Another person uses the browser now, and its cookie belongs to the previous one.
    if let login = origin.login, login.lowercased() != account.login.lowercased() {
      throw Problem(.vouchedFor, "the session belongs to another login than the proxy names")
    }
    try await touch(session, at: now)
    return Signed(
      account: account.id, login: account.login, isAdministrator: account.isAdministrator,
      proof: .session(session.id, csrfToken: csrfToken(for: hash)))
  }

  private func signedInApp(_ secret: String, _ origin: Origin, at now: Instant) async throws -> Signed {
    let found = try await found { try await store.session(Secrets.hash(secret), at: now) }
    guard let (session, account) = found else {
      try limitWrong(origin, at: now)
      throw Problem(.notSignedIn, "the session is over")
    }
    try await touch(session, at: now)
    return Signed(
      account: account.id, login: account.login, isAdministrator: account.isAdministrator,
      proof: .appSession(session.id))
  }

  private func touch(_ session: Store.Session, at now: Instant) async throws(StoreError) {
    guard now - session.lastSeenAt >= Self.touchInterval else { return }
    try await store.touch(session.id, at: now, expiresAt: now + Self.lifetime)
  }

  private func signedByToken(_ request: Request, _ origin: Origin, at now: Instant) async throws -> Signed {
    guard let token = try await token(of: request, origin, at: now) else {
      throw Problem(.wrongCredentials, "the token in Authorization is not valid")
    }
    guard token.device == nil else {
      throw Problem(.forbidden, "this token is only for the reports of one device")
    }
    guard token.scope == .write || token.scope == .read && [.get, .head].contains(request.method) else {
      let allowed = token.scope == .read ? "reading" : "reporting"
      throw Problem(.forbidden, "this token is for \(allowed) only")
    }
    let account = try await store.account(token.account)
    return Signed(
      account: account.id, login: account.login, isAdministrator: account.isAdministrator,
      proof: .token(token.id, name: token.name))
  }

  /// The device token of a request, given as Bearer or as the password of Basic; nil if there is no valid
  /// one. Checked by its hash alone, since phones send it with every fix.
  func token(of request: Request, _ origin: Origin, at now: Instant) async throws -> DeviceToken? {
    guard let secret = Self.presentedToken(request) else { return nil }
    guard let token = try await found({ try await store.token(Secrets.hash(secret), at: now) }) else {
      try limitWrong(origin, at: now)
      return nil
    }
    if token.lastUsedAt.map({ now - $0 >= Self.touchInterval }) ?? true {
      try await store.touch(token.id, at: now)
    }
    return token
  }

  /// Only wrong tokens are limited: a phone at the same address as an attacker continues to report.
  private func limitWrong(_ origin: Origin, at now: Instant) throws(Problem) {
    guard let seconds = limits.wrongTokens.take(origin.address, at: now) else { return }
    throw Problem(.tooManyRequests, "too many wrong tokens from this address", retryAfterSeconds: seconds)
  }

  /// - Returns: nil without a Bearer token or a Basic password.
  static func presentedToken(_ request: Request) -> String? {
    guard let header = request.headers[.authorization] else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0].lowercased() {
    case "bearer": return String(parts[1])
    case "basic":
      guard let data = Data(base64Encoded: String(parts[1])),
        let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
      else { return nil }
      return String(text[text.index(after: colon)...])
    default: return nil
    }
  }

  /// Begins a session.
  /// - Returns: the person, and the cookie to set.
  func open(
    for account: Account, _ request: Request, _ origin: Origin, at now: Instant
  ) async throws(StoreError) -> (signed: Signed, cookie: String) {
    let secret = Secrets.random()
    let session = try await create(secret, for: account, request, at: now)
    let signed = Signed(
      account: account.id, login: account.login, isAdministrator: account.isAdministrator,
      proof: .session(session.id, csrfToken: csrfToken(for: session.hash)))
    return (signed, Self.cookie(Self.cookieName, secret, seconds: Int(Self.lifetime.seconds), origin))
  }

  /// Begins a session of a phone app.
  /// - Returns: its secret, for `Authorization: Bearer`.
  func openInApp(for account: Account, _ request: Request, at now: Instant) async throws(StoreError) -> String
  {
    let secret = Self.appPrefix + Secrets.random()
    _ = try await create(secret, for: account, request, at: now)
    return secret
  }

  private func create(
    _ secret: String, for account: Account, _ request: Request, at now: Instant
  ) async throws(StoreError) -> Store.Session {
    let session = Session(
      account: account.id, hash: Secrets.hash(secret),
      userAgent: (request.headers[.userAgent] ?? "").excerpt(200), createdAt: now,
      expiresAt: now + Self.lifetime)
    try await store.create(session)
    return session
  }

  /// The header value that removes the cookie from the browser.
  static func noCookie(_ origin: Origin) -> String { cookie(cookieName, "", seconds: 0, origin) }

  static func cookie(_ name: String, _ value: String, seconds: Int, _ origin: Origin) -> String {
    "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
      + (origin.isSecure ? "; Secure" : "")
  }

  static func cookie(_ name: String, in request: Request) -> String? {
    for header in request.headers[values: .cookie] {
      for pair in header.split(separator: ";") {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name else { continue }
        return String(parts[1]).trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }

  /// The hash that represents an IP address used for a sign-in in the store. Without the server's key it
  /// reveals nothing.
  func mark(of address: String, for account: AccountID) -> TokenHash {
    let household = NetworkAddress(literal: address)?.household ?? Array(address.utf8)
    let text = Array("address \(account) ".utf8)
    return TokenHash(HMAC.sha256(text + household, key: key))
  }

  private func csrfToken(for hash: TokenHash) -> String {
    Base64URL.encode(HMAC.sha256(Array("csrf".utf8) + hash.bytes, key: key))
  }
}
