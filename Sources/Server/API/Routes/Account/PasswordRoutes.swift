import AlarmEngine
import AlarmService
import Delivery
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Store

/// Changes of the password: with the present one, or by a link sent to the account's confirmed mail address.
enum PasswordRoutes {
  private static let revoking = Schema.Member.allowed(
    "revoke_tokens", .boolean,
    """
    True to revoke also the tokens that are not for a single device. A phone that reports with one can then \
    no longer report.
    """
  )

  static let table: [Route] = [
    Route(
      method: .put, path: "/api/v1/account/password", name: "setPassword",
      summary: "Changes the password and ends all other sessions",
      handler: .account(change),
      body: .json(
        .object([
          .needed("current", .text(0...200), ""), .needed("new", AccountRoutes.password, ""), revoking,
        ])),
      answers: [.nothing("Changed.")]),
    Route(
      method: .post, path: "/api/v1/password-resets", name: "askForPasswordReset",
      summary: "Mails a link for a new password to the confirmed address of an account",
      handler: .anyone(ask), body: .json(.object([.needed("login", AccountRoutes.login, "")])),
      answers: [.nothing("The answer is the same whether or not the account and its address exist.")]),
    Route(
      method: .post, path: "/api/v1/password-resets/use", name: "usePasswordReset",
      summary: "Sets a new password by a mailed link, which works once, and ends all sessions",
      handler: .anyone(use),
      body: .json(
        .object([
          .needed("token", .text(1...200), "Token of the link."),
          .needed("password", AccountRoutes.password, ""),
          revoking,
        ])),
      answers: [.nothing("Set; sign in with it.")]),
  ]

  private static func change(_ call: Call, _ signed: Signed) async throws -> Response {
    try await call.prove(call.json["current"]?.string ?? "", signed)
    let hash = try await call.parts.accounts.passwords.hash(call.json["new"]?.string ?? "")
    try await call.store.setPassword(
      hash: hash, of: signed.account, keeping: signed.session,
      revokingTokens: call.json["revoke_tokens"]?.flag ?? false, at: call.now)
    return .nothing
  }

  private static func ask(_ call: Call) async throws -> Response {
    guard let client = call.parts.alarms.services.mail else {
      throw Problem(
        .conflict,
        "this server sends no mail; its operator sets a new password with `proximity user password`")
    }
    guard let base = call.parts.alarms.linkBase else {
      throw Problem(.unavailable, "the server does not know its own address yet", retryAfterSeconds: 5)
    }
    if let seconds = try await call.parts.accounts.limits.shared.take(
      [(.resetOrigin, call.origin.address)], at: call.now)
    {
      throw Problem(
        .tooManyRequests, "too many links requested from this address", retryAfterSeconds: seconds)
    }
    let login = call.json["login"]?.string ?? ""
    // Runs after the answer, so that the response time does not reveal whether the account exists.
    call.parts.operation.backgroundTasks.run {
      [store = call.store, limits = call.parts.accounts.limits, now = call.now, logger = call.logger] in
      do { try await mail(login, base, client, store, limits, now) } catch {
        logger.error("no link for a new password was mailed", metadata: ["error": "\(error)"])
      }
    }
    return .nothing
  }

  private static func mail(
    _ login: String, _ base: String, _ client: SMTPClient, _ store: SQLStore, _ limits: RateLimits,
    _ now: Instant
  ) async throws {
    guard let account = try await found({ try await store.account(login: login) }), !account.isDisabled,
      let own = try await store.mailAddresses(of: account.id).first(where: \.isOwn),
      own.confirmedAt != nil, let recipient = try? MailAddress(own.address),
      try await limits.shared.take([(.resetAccount, account.id.description)], at: now) == nil
    else { return }
    let secret = try await ProximityServer.newResetSecret(store, of: account.id, at: now)
    let words = [
      "Somebody asked for a new password of the account \(account.login.excerpt(100)) at \(base).", "",
      "Set one here, within an hour: \(base)/#reset=\(secret)", "",
      "If it was not you, do nothing: the password stays as it is.",
    ]
    let message = MailMessage(
      sharing: [], to: recipient, subject: "Set a new password", text: words.joined(separator: "\n"),
      date: now, identifier: "reset-\(MessageID.random())")
    switch await client.send(message) {
    case .delivered: break
    case .retry(_, let reason), .gone(let reason), .refused(let reason): throw reason
    }
  }

  private static func use(_ call: Call) async throws -> Response {
    if let seconds = try await call.parts.accounts.limits.shared.take(
      [(.setUp, call.origin.address)], at: call.now)
    {
      throw Problem(.tooManyRequests, "too many tries from this address", retryAfterSeconds: seconds)
    }
    let link = Secrets.hash(call.json["token"]?.string ?? "")
    // Before the password is hashed, which is expensive.
    try await checkLink(link, call)
    let hash = try await call.parts.accounts.passwords.hash(call.json["password"]?.string ?? "")
    try await setPassword(hash, by: link, call)
    return .nothing
  }

  private static func checkLink(_ link: TokenHash, _ call: Call) async throws {
    do { _ = try await call.store.passwordReset(link, at: call.now) } catch {
      throw error == .notFound ? gone : error as any Error
    }
  }

  private static func setPassword(_ hash: String, by link: TokenHash, _ call: Call) async throws {
    let revokes = call.json["revoke_tokens"]?.flag ?? false
    do {
      let account = try await call.store.setPassword(
        hash: hash, by: link, revokingTokens: revokes, at: call.now)
      await call.auditSignIn("usePasswordReset", of: account, isRefused: false)
    } catch {
      throw error == .notFound ? gone : error as any Error
    }
  }

  private static let gone = Problem(
    .gone, "the link is unknown, used up or older than an hour; ask for a new one")
}

extension Call {
  /// A sign-in counts as proof for this long, where a sign-in is proof enough.
  private static let provedFor = TimeSpan.minutes(10)

  /// True if the person's session began at most ten minutes ago; false for a token.
  func hasJustSignedIn(_ signed: Signed) async throws(StoreError) -> Bool {
    let sessions = try await store.sessions(of: signed.account, at: now)
    guard let session = sessions.first(where: { $0.id == signed.session }) else { return false }
    return now - session.createdAt <= Self.provedFor
  }

  /// Checks the password against the account's.
  /// - Throws: if the password is wrong; if the account has none, unless `password` is empty and the session
  ///   has just begun. Wrong attempts are counted apart from those to sign in, so that a stranger's do not
  ///   keep the owner from changing the password.
  func prove(_ password: String, _ signed: Signed) async throws {
    let key = signed.account.description
    if let seconds = try await parts.accounts.limits.shared.take([(.proof, key)], at: now) {
      throw Problem(.tooManyRequests, "too many wrong passwords", retryAfterSeconds: seconds)
    }
    let account = try await store.account(signed.account)
    if account.passwordHash == nil, password.isEmpty {
      // A person who has just signed in has given another proof.
      guard try await hasJustSignedIn(signed) else {
        throw Problem(
          .forbidden, "the account has no password: sign out and in again, and do it within ten minutes")
      }
      try await parts.accounts.limits.shared.giveBack([(.proof, key)], at: now)
      return
    }
    guard try await parts.accounts.passwords.verify(password, against: account.passwordHash) else {
      throw Problem(.forbidden, "the password is wrong")
    }
    try await parts.accounts.limits.shared.giveBack([(.proof, key)], at: now)
  }
}

extension ProximityServer {
  /// The validity of a link for a new password.
  public static let resetLifetime = TimeSpan.hours(1)

  /// Stores a new link for a new password; an earlier one of the account becomes invalid.
  /// - Returns: the `token` for `POST /api/v1/password-resets/use`.
  public static func newResetSecret(
    _ store: SQLStore, of account: AccountID, at now: Instant
  ) async throws(StoreError) -> String {
    let secret = Secrets.random()
    try await store.save(
      PasswordReset(hash: Secrets.hash(secret), account: account, expiresAt: now + resetLifetime))
    return secret
  }
}
