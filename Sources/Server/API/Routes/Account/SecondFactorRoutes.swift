import AlarmEngine
import AlarmService
import Formats
import HTTPTypes
import Hummingbird
import Store

/// The second factor: a code of an authenticator app in addition to the password.
enum SecondFactorRoutes {
  private static let path = "/api/v1/account/second-factor"
  private static let proof = Schema.object([.needed("password", .text(0...200), "The account's password.")])

  static let table: [Route] = [
    Route(
      method: .get, path: path, name: "getSecondFactor", summary: "Returns whether signing in needs a code",
      handler: .account { call, signed in
        let factor = try await found { try await call.store.secondFactor(of: signed.account) }
        return .json(
          .object([
            ("is_on", .bool(factor?.confirmedAt != nil)), ("since", factor?.confirmedAt?.json ?? .null),
            ("recovery_codes", .integer(Int64(factor?.recoveryCodes ?? 0))),
          ]))
      },
      answers: [
        .json(
          .object([
            .needed("is_on", .boolean, ""), .needed("since", .optional(.time), ""),
            .needed("recovery_codes", .integer(0...1000), "Number of recovery codes left."),
          ]), "The state.")
      ]),
    Route(
      method: .post, path: path, name: "beginSecondFactor",
      summary: "Creates a secret for an authenticator app, in force once a code of it is confirmed",
      handler: .account(begin), body: .json(proof),
      answers: [
        .json(
          .object([
            .needed("secret", .text(16...100), "Secret in base 32, to be typed in."),
            .needed("link", .text(1...1000), "Link (otpauth:) for a QR code."),
          ]), "The secret, returned only here.", status: .created)
      ]),
    Route(
      method: .put, path: path, name: "confirmSecondFactor",
      summary: "Turns the second factor on: signing in then needs a code", handler: .account(confirm),
      body: .json(.object([.needed("code", .text(0...20), "Code that the app shows now.")])),
      answers: [
        .json(
          .object([
            .needed(
              "recovery_codes", .list(.text(8...40), upTo: 100),
              "Recovery codes, each valid once in place of a code; returned only here.")
          ]), "The second factor is on.")
      ]),
    Route(
      method: .delete, path: path, name: "endSecondFactor", summary: "Turns the second factor off",
      handler: .account { call, signed in
        try await call.prove(call.json["password"]?.string ?? "", signed)
        try await call.store.removeSecondFactor(of: signed.account)
        return .nothing
      }, body: .json(proof), answers: [.nothing("The second factor is off.")]),
  ]

  private static func begin(_ call: Call, _ signed: Signed) async throws -> Response {
    try await call.prove(call.json["password"]?.string ?? "", signed)
    let factor = SecondFactor(account: signed.account, secret: TimeCode.newSecret())
    do throws(StoreError) { try await call.store.begin(factor) } catch {
      guard error == .taken else { throw error }
      throw Problem(.conflict, "the second factor is on already; turn it off first")
    }
    return .json(
      .object([
        ("secret", .string(TimeCode.base32(factor.secret))),
        ("link", .string(TimeCode.link(secret: factor.secret, login: signed.login))),
      ]), status: .created, headers: [.cacheControl: "no-store"])
  }

  private static func confirm(_ call: Call, _ signed: Signed) async throws -> Response {
    let factor = try await found { try await call.store.secondFactor(of: signed.account) }
    guard let factor, factor.confirmedAt == nil else {
      throw Problem(.conflict, "no second factor waits for confirmation; POST begins one")
    }
    let code = call.json["code"]?.string ?? ""
    guard let step = TimeCode.step(of: code, secret: factor.secret, at: call.now, after: factor.lastStep)
    else {
      throw Problem.invalid(
        "/code",
        "wrong code found, the one that the app shows now allowed; its clock and the server's must agree")
    }
    let codes = (0..<SecondFactor.recoveryCodesAtFirst).map { _ in Self.newRecoveryCode() }
    try await call.store.confirm(
      factor, step: step, recoveryCodes: codes.map { Secrets.hash(plain($0)) }, at: call.now)
    return .json(
      .object([("recovery_codes", .array(codes.map { .string($0) }))]), headers: [.cacheControl: "no-store"])
  }

  /// 80 bits, too many to try all, in groups that are easy to copy.
  private static func newRecoveryCode() -> String {
    let text = TimeCode.base32(Array(Secrets.randomBytes().prefix(10))).lowercased()
    return stride(from: 0, to: text.count, by: 4).map { String(text.dropFirst($0).prefix(4)) }
      .joined(separator: "-")
  }

  private static func plain(_ code: String) -> String {
    code.lowercased().filter { $0 != "-" && $0 != " " }
  }

  /// Uses up the code given at a sign-in, if the account needs one.
  /// - Throws: `secondFactorNeeded` without a code, `wrongCredentials` for a code that is wrong or used.
  static func check(_ code: String?, of account: Account, _ call: Call) async throws {
    let factor = try await found { try await call.store.secondFactor(of: account.id) }
    guard let factor, factor.confirmedAt != nil else { return }
    guard let code, !code.isEmpty else {
      throw Problem(
        .secondFactorNeeded, "a code of the authenticator app or a recovery code is needed as well")
    }
    let wrong = Problem(.wrongCredentials, "the code is wrong, too old or used up")
    if let step = TimeCode.step(of: code, secret: factor.secret, at: call.now, after: factor.lastStep) {
      guard try await found({ try await call.store.use(step: step, of: account.id) }) != nil else {
        throw wrong
      }
      return
    }
    let hash = Secrets.hash(plain(code))
    guard try await found({ try await call.store.use(recoveryCode: hash, of: account.id) }) != nil else {
      throw wrong
    }
  }
}
