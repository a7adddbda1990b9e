import AlarmEngine
import AlarmService
import Delivery
import Formats
import Hummingbird
import Store

/// Codes that sign another device in: a computer shows one as a QR code, and a phone opens it.
///
/// A code is a link to the page with a secret after the `#`, so that no server or proxy on the way logs the
/// secret. It works once, for ten minutes, and stands for password and second factor, which the session that
/// made it had to give.
enum SignInCodeRoutes {
  /// The validity of a code.
  static let lifetime = TimeSpan.minutes(10)

  static let table: [Route] = [
    Route(
      method: .post, path: "/api/v1/account/sign-in-codes", name: "createSignInCode",
      summary: "Creates a code that signs another device in to the account, once, within ten minutes",
      handler: .account(create),
      body: .json(
        .object([
          .allowed(
            "password", .text(0...200),
            "The account's password; needed if the session began more than ten minutes ago.")
        ])),
      answers: [
        .json(
          .object([
            .needed("link", .text(1...2000), "Link to show as a QR code. It is not shown again."),
            .needed("valid_s", .integer(1...600), "Seconds until it ends."),
          ]), "The code. At most three are valid at a time; one more ends the oldest.", status: .created)
      ]),
    Route(
      method: .post, path: "/api/v1/login/device-code", name: "logInByCode",
      summary: "Begins a session by a code of another device, and sets its cookie",
      handler: .anyone(logIn),
      body: .json(.object([.needed("code", .text(1...200), "The part of the link after `#phone=`.")])),
      answers: [.json(AccountRoutes.session, "Signed in.")]),
  ]

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    guard let session = signed.session else {
      throw Problem(.forbidden, "a token found, a session allowed: the code ends with the session")
    }
    try checkConfidential(call)
    if try await !call.hasJustSignedIn(signed) {
      guard let password = call.json["password"]?.string else {
        throw Problem(.forbidden, "the session began more than ten minutes ago: give the password")
      }
      try await call.prove(password, signed)
    }
    let secret = Secrets.random()
    try await call.store.create(
      SignInCode(
        hash: Secrets.hash(secret), account: signed.account, session: session, createdAt: call.now,
        expiresAt: call.now + lifetime))
    let base = call.parts.core.baseURL ?? call.origin.text
    return .json(
      .object([("link", .string("\(base)/#phone=\(secret)")), ("valid_s", .integer(Int64(lifetime.seconds)))]
      ),
      status: .created)
  }

  private static func logIn(_ call: Call) async throws -> Response {
    let tries: [SharedLimits.Try] = [(.loginAddress, call.origin.address)]
    if let seconds = try await call.parts.accounts.limits.shared.take(tries, at: call.now) {
      throw Problem(.tooManyRequests, "too many tries to sign in", retryAfterSeconds: seconds)
    }
    try checkConfidential(call)
    let code = Secrets.hash(call.json["code"]?.string ?? "")
    guard let account = try await found({ try await call.store.redeem(code, at: call.now) }) else {
      throw Problem(.gone, "the code was used, is older than ten minutes, or was ended; show a new one")
    }
    try await call.parts.accounts.limits.shared.giveBack(tries, at: call.now)
    return try await AccountRoutes.begin(account, call, as: "logInByCode")
  }

  private static func checkConfidential(_ call: Call) throws(Problem) {
    guard call.origin.isConfidential else {
      throw Problem(
        .conflict,
        "codes need HTTPS, or a private network; this page is at \(call.origin.text.excerpt(100))")
    }
  }
}
