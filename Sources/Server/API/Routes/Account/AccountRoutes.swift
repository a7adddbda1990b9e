import AlarmEngine
import AlarmService
import Delivery
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Store

/// Set-up, sign-in and sign-out, and the account itself.
enum AccountRoutes {
  static let login = Schema.text(1...100)
  static let password = Schema.text(8...200)

  static let account = Schema.object([
    .needed("id", .id, ""), .needed("login", .text(1...100), ""), .needed("name", .text(0...200), ""),
    .needed("is_administrator", .boolean, ""), .needed("created_at", .time, ""),
    .needed("mail", .optional(.text(0...254)), "Address for links to a new password, or null."),
    .needed("is_mail_confirmed", .boolean, "True if the address is confirmed; no link is sent before."),
    .needed("is_private", .boolean, "True if the server accepts and stores no place of the account."),
  ])
  static let session = Schema.object([
    .needed("account", account, ""),
    .needed(
      "csrf_token", .optional(.text(1...100)),
      "Value of the header X-CSRF-Token for requests that change something; null with a token instead of a cookie."
    ),
  ])
  private static let credentials = Schema.object([
    .needed("login", login, ""), .needed("password", .text(0...200), ""),
    .allowed("code", .text(0...40), "Code of the app or recovery code, if the account has a second factor."),
  ])
  private static let sessionEntry = Schema.object([
    .needed("id", .id, ""), .needed("user_agent", .text(0...200), ""), .needed("created_at", .time, ""),
    .needed("last_seen_at", .time, ""), .needed("expires_at", .time, ""),
    .needed("is_current", .boolean, ""),
  ])

  static let table: [Route] = [
    Route(
      method: .post, path: "/api/v1/setup", name: "setUp",
      summary: "Creates an account by a set-up link, and signs in",
      handler: .anyone(setUp),
      body: .json(
        .object([
          .needed("token", .text(1...200), "Token of the link that the server printed."),
          .needed("login", login, ""),
          .allowed("name", .text(0...200), "Name of the person; the login if left out."),
          .needed("password", password, ""),
          .allowed(
            "is_private", .boolean, "True for an account that is private from the start; false if left out."),
        ])), answers: [.json(session, "The new account.", status: .created)]),
    Route(
      method: .post, path: "/api/v1/login", name: "logIn", summary: "Begins a session and sets its cookie",
      handler: .anyone { call in try await begin(try await checked(call), call, as: "logIn") },
      body: .json(credentials), answers: [.json(session, "Signed in.")]),
    Route(
      method: .post, path: AppOrigins.logIn, name: "logInInApp",
      summary: "Begins a session without a cookie, for the page inside the phone apps",
      handler: .anyone { call in
        let account = try await checked(call)
        let token = try await call.parts.accounts.sessions.openInApp(for: account, call.request, at: call.now)
        try await noteSignIn(account, call, as: "logIn")
        let mail = try await call.ownMail(of: account.id)
        return .json(.object([("account", json(account, mail: mail)), ("token", .string(token))]))
      }, body: .json(credentials),
      answers: [
        .json(
          .object([
            .needed("account", account, ""),
            .needed("token", .text(1...200), "Token for `Authorization: Bearer`, until the session ends."),
          ]), "Signed in.")
      ]),
    Route(
      method: .post, path: "/api/v1/login/proxy", name: "logInByProxy",
      summary: "Begins a session of the person signed in by a trusted proxy, and sets its cookie",
      handler: .anyone(logInByProxy), answers: [.json(session, "Signed in.")]),
    Route(
      method: .post, path: "/api/v1/logout", name: "logOut", summary: "Ends the session",
      handler: .account(logOut), answers: [.nothing("Signed out.")]),
    Route(
      method: .get, path: "/api/v1/session", name: "getSession",
      summary: "Returns the account that is signed in",
      handler: .account(getSession), answers: [.json(session, "The session's account.")]),
    Route(
      method: .get, path: "/api/v1/account/sessions", name: "listSessions",
      summary: "Lists the account's sessions",
      handler: .account(listSessions),
      answers: [
        .json(.items(sessionEntry, upTo: 100_000), "Sessions, latest first.")
      ]),
    Route(
      method: .delete, path: "/api/v1/account/sessions/{session}", name: "endSession",
      summary: "Ends a session",
      handler: .account { call, signed in
        try await call.store.end(SessionID(rawValue: try call.id("session")), of: signed.account)
        return .nothing
      }, answers: [.nothing("Ended.")]),
    Route(
      method: .get, path: "/api/v1/account/export", name: "exportAccount",
      summary: "Exports all data of the account but secrets, one JSON object per line",
      handler: .account(export),
      answers: [.media(["application/x-ndjson"], "Each line begins with its table's name.")]),
    Route(
      method: .delete, path: "/api/v1/account", name: "eraseAccount",
      summary: "Erases the account and all it owns",
      handler: .account(erase), body: .json(.object([.needed("password", .text(0...200), "")])),
      answers: [.nothing("Locked at once; its data is erased in the background.")]),
  ]

  static func json(_ account: Account, mail: MailRecord?) -> JSONValue {
    .object([
      ("id", .string(account.id.description)), ("login", .string(account.login)),
      ("name", .string(account.name)), ("is_administrator", .bool(account.isAdministrator)),
      ("created_at", account.createdAt.json), ("mail", mail.map { .string($0.address) } ?? .null),
      ("is_mail_confirmed", .bool(mail?.confirmedAt != nil)), ("is_private", .bool(account.isPrivate)),
    ])
  }

  private static func json(_ account: Account, _ signed: Signed, _ call: Call) async throws -> JSONValue {
    var token = JSONValue.null
    if case .session(_, let csrf) = signed.proof { token = .string(csrf) }
    let mail = try await call.ownMail(of: account.id)
    return .object([("account", json(account, mail: mail)), ("csrf_token", token)])
  }

  /// Begins a session, and logs it.
  /// - Returns: the person, and the cookie to set.
  static func open(
    _ account: Account, _ call: Call, as action: String, subject: String = ""
  ) async throws -> (signed: Signed, cookie: String) {
    let opened = try await call.parts.accounts.sessions.open(
      for: account, call.request, call.origin, at: call.now)
    try await noteSignIn(account, call, as: action, subject: subject)
    return opened
  }

  private static func noteSignIn(
    _ account: Account, _ call: Call, as action: String, subject: String = ""
  ) async throws {
    // From now on strangers' attempts do not count against this address.
    try await call.store.noteSignIn(
      of: account.id, from: call.parts.accounts.sessions.mark(of: call.origin.address, for: account.id),
      at: call.now)
    await call.auditSignIn(action, of: account.id, isRefused: false, subject: subject)
  }

  /// Begins a session and returns the answer common to all sign-ins.
  static func begin(
    _ account: Account, _ call: Call, as action: String, subject: String = "",
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let opened = try await open(account, call, as: action, subject: subject)
    return try await answer(account, opened, call, status: status)
  }

  /// The answer with a session that was opened.
  static func answer(
    _ account: Account, _ opened: (signed: Signed, cookie: String), _ call: Call, status: HTTPResponse.Status
  ) async throws -> Response {
    .json(
      try await json(account, opened.signed, call), status: status, headers: [.setCookie: opened.cookie])
  }

  /// The login that a request chooses for a new account.
  /// - Throws: if it has blanks at an end, or a colon, which programs write after the login.
  static func newLogin(_ call: Call) throws(Problem) -> String {
    let login = call.json["login"]?.string ?? ""
    guard login == login.trimmingCharacters(in: .whitespacesAndNewlines), !login.contains(":") else {
      throw Problem.invalid("/login", "a blank at either end or a colon found, neither allowed")
    }
    return login
  }

  private static func setUp(_ call: Call) async throws -> Response {
    if let seconds = try await call.parts.accounts.limits.shared.take(
      [(.setUp, call.origin.address)], at: call.now)
    {
      throw Problem(.tooManyRequests, "too many set-ups from this address", retryAfterSeconds: seconds)
    }
    let hash = Secrets.hash(call.json["token"]?.string ?? "")
    let gone = Problem(
      .gone, "the set-up link is unknown, used up or too old; starting the server prints a new one")
    guard let link = try await found({ try await call.store.setupLink(hash, at: call.now) }) else {
      throw gone
    }
    let login = try newLogin(call)
    let password = try await call.parts.accounts.passwords.hash(call.json["password"]?.string ?? "")
    let account = Account(
      login: login, name: call.json["name"]?.string ?? login, passwordHash: password,
      isAdministrator: link.isAdministrator, isPrivate: call.json["is_private"]?.flag ?? false,
      createdAt: call.now)
    do throws(StoreError) { try await call.store.create(account, by: hash) } catch {
      // Another request has used the link up meanwhile.
      throw error == .notFound ? gone : error
    }
    return try await begin(account, call, as: "setUp", status: .created)
  }

  /// The account whose login, password and, where it has one, code a request names.
  private static func checked(_ call: Call) async throws -> Account {
    let limits = call.parts.accounts.limits.shared
    let login = call.json["login"]?.string ?? ""
    let account = try await found { try await call.store.account(login: login) }
    let counted: [SharedLimits.Try] = [
      (.loginAddress, call.origin.address), try await limit(login, account, call),
    ]
    if let seconds = try await limits.take(counted, at: call.now) {
      throw Problem(.tooManyRequests, "too many tries to sign in", retryAfterSeconds: seconds)
    }
    let password = call.json["password"]?.string ?? ""
    let matches = try await call.parts.accounts.passwords.verify(password, against: account?.passwordHash)
    guard let account, matches, !account.isDisabled else {
      if let account { await call.auditSignIn("logIn", of: account.id, isRefused: true) }
      throw Problem(.wrongCredentials, "no account has this name and password")
    }
    do { try await SecondFactorRoutes.check(call.json["code"]?.string, of: account, call) } catch let problem
      as Problem
    {
      if problem.kind == .secondFactorNeeded {
        // The password was right: a missing code is not counted as an attempt.
        try await limits.giveBack(counted, at: call.now)
      } else {
        await call.auditSignIn("logIn", of: account.id, isRefused: true)
      }
      throw problem
    }
    try await limits.giveBack(counted, at: call.now)
    if let hash = account.passwordHash, call.parts.accounts.passwords.isOutdated(hash) {
      var renewed = account
      renewed.passwordHash = try await call.parts.accounts.passwords.hash(password)
      // A concurrent save does no harm: the next sign-in renews the hash.
      _ = try? await call.store.save(renewed, over: account.revision, at: call.now)
    }
    return account
  }

  /// Signs in the person whom the proxy names. The proxy has checked them, so neither a password nor a code
  /// is required.
  private static func logInByProxy(_ call: Call) async throws -> Response {
    guard let said = call.origin.login else {
      throw Problem(.notSignedIn, "no trusted proxy names the person")
    }
    guard login.findings(in: .string(said)).isEmpty, !said.contains(":"),
      said == said.trimmingCharacters(in: .whitespacesAndNewlines)
    else {
      throw Problem(
        .forbidden, "\(said.excerpt(60)) from the proxy found, 1 to 100 bytes without a colon allowed")
    }
    if let account = try await found({ try await call.store.account(login: said) }) {
      guard !account.isDisabled else { throw Problem(.forbidden, "the account of \(said) is disabled") }
      return try await begin(account, call, as: "logInByProxy")
    }
    guard call.parts.core.settings.makesProxyAccounts else {
      throw Problem(
        .forbidden,
        "\(said) has no account here; the server's operator can make one, by proxy_accounts or a link")
    }
    let account = Account(
      login: said, name: said, passwordHash: nil, isAdministrator: false, createdAt: call.now)
    do throws(StoreError) { try await call.store.create(account) } catch {
      // The same person's other tab was faster.
      guard error == .taken else { throw error }
      return try await begin(try await call.store.account(login: said), call, as: "logInByProxy")
    }
    return try await begin(account, call, as: "logInByProxy")
  }

  /// The limit that an attempt to sign in counts against: an address that has signed in to the account before
  /// has a limit of its own.
  static func limit(
    _ login: String, _ account: Account?, _ call: Call
  ) async throws -> SharedLimits.Try {
    let key = login.lowercased()
    guard let account else { return (.login, key) }
    let mark = call.parts.accounts.sessions.mark(of: call.origin.address, for: account.id)
    guard try await call.store.hasSignedIn(account.id, from: mark) else {
      return (.login, key)
    }
    return (.loginKnown, Base64URL.encode(mark.bytes))
  }

  private static func logOut(_ call: Call, _ signed: Signed) async throws -> Response {
    guard let session = signed.session else {
      throw Problem(.forbidden, "a token cannot sign out; it is revoked under /api/v1/tokens")
    }
    try await call.store.end(session, of: signed.account)
    return signedOut(call, signed)
  }

  /// The answer after which a browser has no cookie; an app has none anyway.
  private static func signedOut(_ call: Call, _ signed: Signed) -> Response {
    var response = Response.nothing
    if case .session = signed.proof { response.headers[.setCookie] = Sessions.noCookie(call.origin) }
    return response
  }

  private static func getSession(_ call: Call, _ signed: Signed) async throws -> Response {
    .json(try await json(try await call.store.account(signed.account), signed, call))
  }

  private static func listSessions(_ call: Call, _ signed: Signed) async throws -> Response {
    let sessions = try await call.store.sessions(of: signed.account, at: call.now)
    let items = sessions.map { session in
      JSONValue.object([
        ("id", .string(session.id.description)), ("user_agent", .string(session.userAgent)),
        ("created_at", session.createdAt.json), ("last_seen_at", session.lastSeenAt.json),
        ("expires_at", session.expiresAt.json), ("is_current", .bool(session.id == signed.session)),
      ])
    }
    return .items(items)
  }

  private static func erase(_ call: Call, _ signed: Signed) async throws -> Response {
    try await call.prove(call.json["password"]?.string ?? "", signed)
    // The first step locks the account; housekeeping does the rest, after a restart too.
    _ = try await call.store.erase(signed.account, limit: 1)
    call.parts.operation.housekeeping.wake()
    return signedOut(call, signed)
  }

  /// Exports to a file first, so that a slow client blocks neither the store nor memory.
  private static func export(_ call: Call, _ signed: Signed) async throws -> Response {
    let file = try TemporaryFile()
    try await call.store.export(signed.account) { try file.append($0.json.text + "\n") }
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/x-ndjson",
        .contentDisposition: "attachment; filename=\"proximity-export.ndjson\"",
      ], body: try file.body())
  }
}
