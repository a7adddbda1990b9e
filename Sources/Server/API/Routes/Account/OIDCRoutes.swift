import AlarmEngine
import AlarmService
import Cryptography
import Delivery
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Store

/// Sign-in by the operator's OpenID Connect provider: the way there, the way back, and a code if the account
/// requires one.
enum OIDCRoutes {
  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/login", name: "getSignInWays",
      summary: "Lists the ways to sign in other than with a password",
      handler: .anyone { call in
        .json(
          .object([
            (
              "oidc", call.parts.accounts.oidc.map { .object([("name", .string($0.settings.name))]) } ?? .null
            ),
            ("passkeys", .bool(call.origin.passkeyHost != nil)),
          ]))
      },
      answers: [
        .json(
          .object([
            .needed(
              "oidc", .optional(.object([.needed("name", .text(1...60), "")])),
              "The OpenID Connect provider; null if there is none."),
            .needed("passkeys", .boolean, "True if browsers allow passkeys at this address."),
          ]), "The ways to sign in.")
      ]),
    Route(
      method: .post, path: "/api/v1/login/oidc", name: "beginOIDC",
      summary:
        "Returns the address at which a browser signs in at the provider, and sets a cookie for the return",
      handler: .anyone { call in try await begin(call, []) },
      answers: [
        .json(address, "Address of the provider's page; the cookie ties the sign-in to this browser.")
      ]),
    Route(
      method: .post, path: "/api/v1/login/oidc/code", name: "finishOIDC",
      summary:
        "Begins a session after signing in at the provider, with the code that the account also requires",
      handler: .anyone(finish),
      body: .json(.object([.needed("code", .text(0...40), "Code of the app, or a recovery code.")])),
      answers: [.json(AccountRoutes.session, "Signed in.")]),
    Route(
      method: .get, path: OIDCProvider.Flow.path, name: "returnFromOIDC",
      summary: "Receives people whom the provider sends back", handler: .anyone(comeBack),
      query: ["code", "state", "iss", "error", "error_description"].map {
        Route.Query(name: $0, schema: .text(0...4096), meaning: "As sent by the provider.")
      },
      answers: [
        Route.Answer(status: .seeOther, meaning: "Signed in.", content: .nothing)
      ]
        + [.forbidden, .gone, .conflict, .tooManyRequests].map {
          Route.Answer(
            status: $0, meaning: "A page with the reason for the refusal.", content: .media(["text/html"]))
        }, isDocumented: false, takesFurtherParameters: true),
  ]

  static let address = Schema.object([.needed("url", .text(1...8000), "Address to open.")])

  // MARK: There

  /// - Parameter more: further values needed on the way back.
  static func begin(_ call: Call, _ more: [(String, JSONValue)]) async throws -> Response {
    guard let provider = call.parts.accounts.oidc else { throw noProvider }
    let flow = OIDCProvider.Flow(origin: call.origin.text)
    let url: String
    do { url = try await provider.address(of: flow, at: call.now) } catch let failure
      as OIDCProvider.Failure
    {
      call.logger.error("the OpenID Connect provider", metadata: ["error": "\(failure)"])
      throw Problem(.unavailable, failure.description, retryAfterSeconds: 10)
    }
    let sealed = call.parts.accounts.seal.sealed(.object(flow.members + more), for: .oidc, at: call.now)
    return .json(
      .object([("url", .string(url))]), headers: [.setCookie: cookie(sealed, for: .oidc, call.origin)])
  }

  private static let noProvider = Problem(
    .conflict, "this server has no OpenID Connect provider; its operator sets one with oidc_issuer")

  // MARK: And back

  private static func comeBack(_ call: Call) async throws -> Response {
    do {
      return try await arrive(call)
    } catch let failure as OIDCProvider.Failure {
      call.logger.notice("nobody was signed in by the provider", metadata: ["reason": "\(failure)"])
      return page(failure.description, .forbidden, call)
    } catch let problem as Problem {
      return page(
        problem.detail.prefix(1).uppercased() + problem.detail.dropFirst() + ".", problem.kind.status, call)
    }
  }

  private static func page(_ words: String, _ status: HTTPResponse.Status, _ call: Call) -> Response {
    let lines = [
      PlainPage.heading("Not signed in"), PlainPage.status(words),
      PlainPage.anchor("/#/account", "Try again"),
    ]
    var response = Response.page(PlainPage.markup(title: "Not signed in", lines: lines), status: status)
    response.headers[.setCookie] = cookie(nil, for: .oidc, call.origin)
    return response
  }

  private static func formValue(_ name: String, in query: String) -> String? {
    let pair = query.split(separator: "&").first { $0.hasPrefix(name + "=") }
    guard let pair else { return nil }
    let value = pair.dropFirst(name.utf8.count + 1).replacing("+", with: " ")
    return value.isEmpty ? nil : value.removingPercentEncoding
  }

  private static func arrive(_ call: Call) async throws -> Response {
    guard let provider = call.parts.accounts.oidc else { throw noProvider }
    let tries: [SharedLimits.Try] = [(.loginAddress, call.origin.address)]
    if let seconds = try await call.parts.accounts.limits.shared.take(tries, at: call.now) {
      throw Problem(
        .tooManyRequests, "too many tries to sign in; the next is allowed in \(seconds) seconds")
    }
    func text(_ name: String) -> String? { call.query[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    guard let sealed = sealed(for: .oidc, call),
      let known = call.parts.accounts.seal.opened(sealed, for: .oidc, at: call.now),
      let flow = OIDCProvider.Flow(known),
      constantTimeEqual(Array((text("state") ?? "").utf8), Array(flow.state.utf8))
    else {
      throw Problem(
        .gone, "this sign-in was begun in another browser, or more than ten minutes ago; begin it again")
    }
    if let error = text("error") {
      // The answer is form-encoded: a plus sign stands for a space (RFC 6749, 4.1.2.1).
      let description = call.request.uri.query.flatMap { Self.formValue("error_description", in: $0) }
      let said = OIDCProvider.words(error, description)
      throw OIDCProvider.Failure(description: "\(provider.settings.name) says: \(said).")
    }
    guard let code = text("code") else {
      throw OIDCProvider.Failure(description: "\(provider.settings.name) answered without a code.")
    }
    try await call.useUp(sealed, .oidc)
    let claims = try await provider.claims(code: code, issuer: text("iss"), flow, at: call.now)
    try await call.parts.accounts.limits.shared.giveBack(tries, at: call.now)
    if let account = known["account"]?.string.flatMap({ AccountID($0) }) {
      try await LoginIdentityRoutes.bind(claims, to: account, known["session"]?.string, provider, call)
      return onward("/#/account", [cookie(nil, for: .oidc, call.origin)])
    }
    let account = try await OIDCAccounts(provider: provider.settings, call: call).account(of: claims)
    return try await signIn(account, claims, call)
  }

  /// An account with a second factor requires its code here as well: the provider replaces only the password.
  private static func signIn(
    _ account: Account, _ claims: IdentityClaims, _ call: Call
  ) async throws -> Response {
    guard !account.isDisabled else {
      throw Problem(.forbidden, "the account of \(account.login) is disabled")
    }
    let factor = try await found { try await call.store.secondFactor(of: account.id) }
    guard factor?.confirmedAt == nil else {
      let sealed = call.parts.accounts.seal.sealed(
        .object([("account", .string(account.id.description))]), for: .oidcCode, at: call.now)
      return onward(
        "/#/account?code=oidc",
        [cookie(nil, for: .oidc, call.origin), cookie(sealed, for: .oidcCode, call.origin)])
    }
    let (_, session) = try await AccountRoutes.open(account, call, as: "logInByOIDC")
    return onward("/#/account", [cookie(nil, for: .oidc, call.origin), session])
  }

  private static func finish(_ call: Call) async throws -> Response {
    guard let sealed = sealed(for: .oidcCode, call),
      let known = call.parts.accounts.seal.opened(sealed, for: .oidcCode, at: call.now),
      let id = known["account"]?.string.flatMap({ AccountID($0) }),
      let account = try await found({ try await call.store.account(id) }), !account.isDisabled
    else {
      throw Problem(.gone, "the sign-in at the provider is older than five minutes; sign in there again")
    }
    let limits = call.parts.accounts.limits.shared
    let counted: [SharedLimits.Try] = [
      (.loginAddress, call.origin.address), try await AccountRoutes.limit(account.login, account, call),
    ]
    if let seconds = try await limits.take(counted, at: call.now) {
      throw Problem(.tooManyRequests, "too many tries to sign in", retryAfterSeconds: seconds)
    }
    do { try await SecondFactorRoutes.check(call.json["code"]?.string, of: account, call) } catch let problem
      as Problem
    {
      if problem.kind != .secondFactorNeeded {
        await call.auditSignIn("logInByOIDC", of: account.id, isRefused: true)
      }
      throw problem
    }
    try await call.useUp(sealed, .oidcCode)
    try await limits.giveBack(counted, at: call.now)
    var response = try await AccountRoutes.begin(account, call, as: "logInByOIDC")
    response.headers.append(HTTPField(name: .setCookie, value: cookie(nil, for: .oidcCode, call.origin)))
    return response
  }

  private static func onward(_ place: String, _ cookies: [String]) -> Response {
    var headers: HTTPFields = [.location: place]
    for cookie in cookies { headers.append(HTTPField(name: .setCookie, value: cookie)) }
    return Response(status: .seeOther, headers: headers)
  }

  // MARK: The cookies of the way

  private static func name(_ purpose: SignInSeal.Purpose) -> String { "proximity_\(purpose.rawValue)" }

  /// - Parameter sealed: nil removes the cookie.
  private static func cookie(_ sealed: [UInt8]?, for purpose: SignInSeal.Purpose, _ origin: Origin) -> String
  {
    let seconds = sealed == nil ? 0 : Int(purpose.lifetime.seconds)
    return Sessions.cookie(name(purpose), Base64URL.encode(sealed ?? []), seconds: seconds, origin)
  }

  private static func sealed(for purpose: SignInSeal.Purpose, _ call: Call) -> [UInt8]? {
    Sessions.cookie(name(purpose), in: call.request).flatMap { Base64URL.decode($0) }
  }
}

/// Finds the account of a person whom the provider has signed in.
struct OIDCAccounts {
  let provider: OIDCSettings
  let call: Call

  /// - Throws: `Problem` with a message for the person, if they have no account and may not get one.
  func account(of claims: IdentityClaims) async throws -> Account {
    if let account = try await known(claims) { return account }
    guard let claim = provider.loginClaim else {
      guard provider.makesAccounts else {
        throw Problem(
          .forbidden,
          """
          no account here is linked to this login at \(provider.name) yet: sign in to yours in another way and \
          link it on its screen, or ask the server's operator
          """)
      }
      return try await made(login: shownName(of: claims), claims)
    }
    guard let login = claims.text(claim), Self.isLogin(login) else {
      throw Problem(
        .forbidden,
        "\(provider.name) sends no \(claim) for you that can be a login: 1 to 100 bytes without a colon are needed"
      )
    }
    guard let account = try await found({ try await call.store.account(login: login) }) else {
      guard provider.makesAccounts else {
        throw Problem(
          .forbidden, "\(login.excerpt(60)) has no account here; the server's operator can make one")
      }
      return try await made(login: login, claims)
    }
    return try await linked(account, claims)
  }

  private func known(_ claims: IdentityClaims) async throws -> Account? {
    let identity = try await found {
      try await call.store.loginIdentity(issuer: claims.issuer, subject: claims.subject)
    }
    guard let identity else { return nil }
    try await call.store.touch(identity.id, at: call.now)
    return try await call.store.account(identity.account)
  }

  /// Links the account to the first person who signs in with its login, since a provider may later give the
  /// login to another person.
  private func linked(_ account: Account, _ claims: IdentityClaims) async throws -> Account {
    let others = try await call.store.loginIdentities(of: account.id)
    guard !others.contains(where: { $0.issuer == claims.issuer }) else {
      throw Problem(
        .forbidden, "the account \(account.login.excerpt(60)) is linked to another person at \(provider.name)"
      )
    }
    do throws(StoreError) { try await call.store.bind(identity(of: claims, account.id)) } catch {
      guard error == .taken else { throw error }
      // The same person's other tab was faster.
      guard let account = try await known(claims) else { throw error }
      return account
    }
    await call.auditSignIn(
      "bindLoginIdentity", of: account.id, isRefused: false, subject: shownName(of: claims))
    return account
  }

  private func made(login: String, _ claims: IdentityClaims) async throws -> Account {
    guard Self.isLogin(login) else {
      throw Problem(
        .forbidden,
        "\(provider.name) calls you \(login.excerpt(60)); 1 to 100 bytes without a colon are needed for an account"
      )
    }
    let account = Account(login: login, name: login, passwordHash: nil, createdAt: call.now)
    do throws(StoreError) {
      try await call.store.create(account, with: identity(of: claims, account.id))
    } catch {
      guard error == .taken else { throw error }
      if let account = try await known(claims) { return account }
      throw Problem(
        .forbidden,
        """
        there is an account \(login.excerpt(60)) already: if it is yours, sign in to it in another way and link it on its \
        screen
        """)
    }
    return account
  }

  func identity(of claims: IdentityClaims, _ account: AccountID) -> LoginIdentity {
    LoginIdentity(
      account: account, issuer: claims.issuer, subject: claims.subject, name: shownName(of: claims),
      boundAt: call.now, lastUsedAt: call.now)
  }

  private func shownName(of claims: IdentityClaims) -> String {
    let names = ["preferred_username", "email", "name"].lazy.compactMap { claims.text($0) }
    return (names.first ?? claims.subject).excerpt(100)
  }

  private static func isLogin(_ text: String) -> Bool {
    AccountRoutes.login.findings(in: .string(text)).isEmpty && !text.contains(":")
      && text == text.excerpt(100)
  }
}
