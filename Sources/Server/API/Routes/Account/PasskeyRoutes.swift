import AlarmEngine
import AlarmService
import Cryptography
import Delivery
import Formats
import Hummingbird
import Logging
import Store

/// Passkeys: key pairs that replace password and code (Web Authentication Level 2).
///
/// The authenticator must verify the person, by a PIN, a finger or a face. Its manufacturer is not asked for.
enum PasskeyRoutes {
  private static let path = "/api/v1/account/passkeys"
  private static let bytes = Schema.base64URL(1...90_000)
  private static let name = Schema.text(1...100)
  private static let challenge = Schema.Member.needed(
    "challenge", bytes, "Valid once, for five minutes.")
  private static let timeout = Schema.Member.needed(
    "timeout_ms", .integer(0...3_600_000), "Time that the browser may take.")

  private static let passkey = Schema.object([
    .needed("id", .id, ""), .needed("name", name, ""),
    .needed("host", .text(1...255), "Host of the page that it is for."), .needed("created_at", .time, ""),
    .needed("last_used_at", .optional(.time), ""),
  ])

  static let table: [Route] = [
    Route(
      method: .get, path: path, name: "listPasskeys", summary: "Lists the account's passkeys",
      handler: .account { call, signed in
        .items(try await call.store.passkeys(of: signed.account).map { json($0) })
      },
      answers: [.json(.items(passkey, upTo: Passkey.most), "Passkeys, in the order in which they were made.")]
    ),
    Route(
      method: .post, path: path + "/begin", name: "beginPasskey",
      summary: "Returns the options with which a browser makes a passkey", handler: .account(begin),
      body: .json(
        .object([.needed("password", .text(0...200), "The account's password; empty if it has none.")])),
      answers: [
        .json(
          .object([
            challenge, timeout,
            .needed(
              "relying_party",
              .object([
                .needed("id", .text(1...255), "Host of the page."), .needed("name", .text(1...100), ""),
              ]), ""),
            .needed(
              "user",
              .object([
                .needed("id", bytes, "Handle of the account, for the authenticator."),
                .needed("name", .text(1...100), "The login."), .needed("display_name", .text(0...200), ""),
              ]), ""),
            .needed(
              "algorithms", .list(.integer(-65_536...65_536), upTo: 10), "COSE algorithm numbers, best first."
            ),
            .needed("exclude", .list(bytes, upTo: Passkey.most), "Credentials that exist already."),
          ]), "For `navigator.credentials.create`, with attestation \"none\".")
      ]),
    Route(
      method: .post, path: path, name: "createPasskey", summary: "Adds a passkey that a browser has made",
      handler: .account(create),
      body: .json(
        .object([
          .needed("name", name, "Name in the list."), .needed("client_data", bytes, "`clientDataJSON`."),
          .needed("attestation", bytes, "`attestationObject`."),
        ])), answers: [.json(passkey, "The passkey.", status: .created)]),
    Route(
      method: .put, path: path + "/{passkey}", name: "putPasskey", summary: "Renames a passkey",
      handler: .account { call, signed in
        let id = PasskeyID(rawValue: try call.id("passkey"))
        try await call.store.rename(id, to: call.json["name"]?.string ?? "", of: signed.account)
        return .nothing
      }, body: .json(.object([.needed("name", name, "")])), answers: [.nothing("Renamed.")]),
    Route(
      method: .delete, path: path + "/{passkey}", name: "deletePasskey", summary: "Deletes a passkey",
      handler: .account(delete), answers: [.nothing("Deleted. Open sessions continue.")]),
    Route(
      method: .post, path: "/api/v1/login/passkey/begin", name: "beginPasskeyLogIn",
      summary: "Returns the options with which a browser signs in with a passkey",
      handler: .anyone { call in
        let host = try call.passkeyHost()
        let sealed = call.parts.accounts.seal.sealed(.null, for: .passkeySigningIn, at: call.now)
        return .json(
          .object([
            ("challenge", .string(Base64URL.encode(sealed))), ("timeout_ms", timeoutValue),
            ("host", .string(host)),
          ]))
      },
      answers: [
        .json(
          .object([challenge, timeout, .needed("host", .text(1...255), "`rpId`.")]),
          "For `navigator.credentials.get`, with user verification.")
      ]),
    Route(
      method: .post, path: "/api/v1/login/passkey", name: "logInByPasskey",
      summary: "Begins a session by a passkey, in place of password and code, and sets its cookie",
      handler: .anyone(logIn),
      body: .json(
        .object([
          .needed("credential", bytes, "`rawId`."), .needed("client_data", bytes, "`clientDataJSON`."),
          .needed("authenticator_data", bytes, ""), .needed("signature", bytes, ""),
          .allowed("user", .optional(bytes), "`userHandle`."),
        ])), answers: [.json(AccountRoutes.session, "Signed in.")]),
  ]

  private static let timeoutValue = JSONValue.integer(
    SignInSeal.Purpose.passkeySigningIn.lifetime.milliseconds)

  private static func json(_ passkey: Passkey) -> JSONValue {
    .object([
      ("id", .string(passkey.id.description)), ("name", .string(passkey.name)),
      ("host", .string(passkey.relyingParty)), ("created_at", passkey.createdAt.json),
      ("last_used_at", passkey.lastUsedAt?.json ?? .null),
    ])
  }

  /// The account's handle on the authenticator. It contains no name, since the authenticator shows it to
  /// anybody who holds it.
  private static func handle(_ account: AccountID) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: account.rawValue >> UInt64($0 * 8)) }
  }

  // MARK: Making one

  private static func begin(_ call: Call, _ signed: Signed) async throws -> Response {
    let host = try call.passkeyHost()
    try await call.prove(call.json["password"]?.string ?? "", signed)
    let account = try await call.store.account(signed.account)
    let known = try await call.store.passkeys(of: account.id)
    guard known.count < Passkey.most else { throw StoreError.tooMany(allowed: Passkey.most) }
    let sealed = call.parts.accounts.seal.sealed(
      .string(account.id.description), for: .passkeyMaking, at: call.now)
    return .json(
      .object([
        ("challenge", .string(Base64URL.encode(sealed))), ("timeout_ms", timeoutValue),
        (
          "relying_party", .object([("id", .string(host)), ("name", .string("Proximity Alarm"))])
        ),
        (
          "user",
          .object([
            ("id", .string(Base64URL.encode(handle(account.id)))), ("name", .string(account.login)),
            ("display_name", .string(account.name)),
          ])
        ),
        ("algorithms", .array(PasskeyPublicKey.algorithms.map { .integer(Int64($0)) })),
        ("exclude", .array(known.map { .string(Base64URL.encode($0.credential)) })),
      ]))
  }

  private static func create(_ call: Call, _ signed: Signed) async throws -> Response {
    let host = try call.passkeyHost()
    let client = try read("/client_data") {
      try ClientData(call.decoded("client_data"), purpose: .making, origin: call.origin.text.lowercased())
    }
    let challenge = client.challenge
    guard
      case .string(let account)? = call.parts.accounts.seal.opened(
        challenge, for: .passkeyMaking, at: call.now),
      account == signed.account.description
    else { throw Problem(.gone, "this was begun more than five minutes ago, or elsewhere; begin it again") }
    let data = try read("/attestation") {
      try AuthenticatorData(attestationObject: call.decoded("attestation"))
    }
    try check(data, host: host)
    guard let credential = data.credential else {
      throw Problem.invalid("/attestation", "no passkey found, one allowed")
    }
    try await call.useUp(challenge, .passkeyMaking)
    let passkey = Passkey(
      account: signed.account, credential: credential.id, publicKey: credential.publicKey,
      relyingParty: host, signCount: data.signCount, name: call.json["name"]?.string ?? "",
      createdAt: call.now)
    try await call.store.add(passkey)
    return .json(json(passkey), status: .created)
  }

  private static func delete(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = PasskeyID(rawValue: try call.id("passkey"))
    let all = try await call.store.passkeys(of: signed.account)
    if let name = all.first(where: { $0.id == id })?.name { call.subject.isNamed(name) }
    try await call.keepAWayIn(signed, withoutPasskeys: all.count { $0.id == id })
    try await call.store.remove(id, of: signed.account)
    return .nothing
  }

  /// - Throws: a `Problem` for the member of the body that is wrong.
  private static func read<Value>(_ place: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let refusal as SignInRefusal {
      throw Problem.invalid(place, refusal.description)
    }
  }

  private static func check(_ data: AuthenticatorData, host: String) throws {
    guard constantTimeEqual(data.relyingPartyHash, SHA256.hash(host.utf8)) else {
      throw Problem(.wrongCredentials, "a passkey for another page found, one for \(host) allowed")
    }
    guard data.isUserPresent, data.isUserVerified else {
      throw Problem(
        .wrongCredentials, "the authenticator did not verify the person; a PIN, a finger or a face is needed")
    }
  }

  // MARK: Signing in

  private static func logIn(_ call: Call) async throws -> Response {
    let host = try call.passkeyHost()
    let limits = call.parts.accounts.limits.shared
    let tries: [SharedLimits.Try] = [(.loginAddress, call.origin.address)]
    if let seconds = try await limits.take(tries, at: call.now) {
      throw Problem(.tooManyRequests, "too many tries to sign in", retryAfterSeconds: seconds)
    }
    let client = call.decoded("client_data")
    let challenge = try read("/client_data") {
      try ClientData(client, purpose: .signingIn, origin: call.origin.text.lowercased()).challenge
    }
    guard call.parts.accounts.seal.opened(challenge, for: .passkeySigningIn, at: call.now) != nil else {
      throw Problem(.gone, "this was begun more than five minutes ago, or elsewhere; begin it again")
    }
    let signed = call.decoded("authenticator_data")
    let data = try read("/authenticator_data") { try AuthenticatorData(signed) }
    try check(data, host: host)
    let credential = call.decoded("credential")
    let wrong = Problem(.wrongCredentials, "no account has this passkey")
    guard let passkey = try await found({ try await call.store.passkey(credential: credential) }),
      let account = try await found({ try await call.store.account(passkey.account) })
    else { throw wrong }
    let user = call.decoded("user")
    guard user.isEmpty || user == handle(account.id),
      let key = try? PasskeyPublicKey(cose: passkey.publicKey),
      key.hasSigned(signed + SHA256.hash(client), signature: call.decoded("signature")),
      !account.isDisabled
    else {
      await call.auditSignIn("logInByPasskey", of: account.id, isRefused: true, subject: passkey.name)
      throw wrong
    }
    try await call.useUp(challenge, .passkeySigningIn)
    do throws(StoreError) {
      try await call.store.use(passkey.id, count: data.signCount, at: call.now)
    } catch {
      guard error == .taken else { throw error }
      // Two authenticators have the key, and one does not know of the other's signatures.
      await call.auditSignIn("copiedPasskey", of: account.id, isRefused: true, subject: passkey.name)
      call.logger.warning(
        "a passkey's count went back: it may have been copied", metadata: ["passkey": "\(passkey.id)"])
      throw Problem(
        .wrongCredentials,
        "the passkey has signed fewer times than before, so it may have been copied; sign in in another way and remove it"
      )
    }
    try await limits.giveBack(tries, at: call.now)
    return try await AccountRoutes.begin(account, call, as: "logInByPasskey", subject: passkey.name)
  }
}

extension Call {
  /// The host that passkeys of this page are bound to.
  /// - Throws: if browsers support none: without TLS, or with an IP address instead of a name.
  func passkeyHost() throws(Problem) -> String {
    guard let host = origin.passkeyHost else {
      throw Problem(
        .conflict,
        "passkeys need HTTPS and a host with a name, or localhost; this page is at \(origin.text.excerpt(100))"
      )
    }
    return host
  }

  /// A member of the body whose format has been checked; empty if it was left out.
  fileprivate func decoded(_ name: String) -> [UInt8] {
    json[name]?.string.flatMap { Base64URL.decode($0) } ?? []
  }
}

extension Origin {
  /// Nil if browsers support no passkeys there.
  var passkeyHost: String? {
    guard !authority.hasPrefix("["), let name = authority.split(separator: ":").first?.lowercased(),
      name.utf8.count <= 255, NetworkAddress(literal: name) == nil
    else { return nil }
    let isLocal = name == "localhost" || name.hasSuffix(".localhost")
    return isSecure || isLocal ? name : nil
  }
}
