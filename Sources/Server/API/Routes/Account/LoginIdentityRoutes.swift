import AlarmEngine
import AlarmService
import Formats
import Hummingbird
import Store

/// The provider logins that are linked to an account.
enum LoginIdentityRoutes {
  private static let path = "/api/v1/account/login-identities"

  static let table: [Route] = [
    Route(
      method: .get, path: path, name: "listLoginIdentities",
      summary: "Lists the OpenID Connect logins that are linked to the account",
      handler: .account { call, signed in
        .items(
          try await call.store.loginIdentities(of: signed.account).map { identity in
            .object([
              ("id", .string(identity.id.description)), ("issuer", .string(identity.issuer)),
              ("name", .string(identity.name)), ("since", identity.boundAt.json),
              ("last_used_at", identity.lastUsedAt?.json ?? .null),
            ])
          })
      },
      answers: [
        .json(
          .items(
            .object([
              .needed("id", .id, ""), .needed("issuer", .text(1...2000), "The provider."),
              .needed("name", .text(0...200), "Name of the person at the provider."),
              .needed("since", .time, ""),
              .needed("last_used_at", .optional(.time), ""),
            ]), upTo: LoginIdentity.most), "Logins, in the order in which they were linked.")
      ]),
    Route(
      method: .post, path: path, name: "beginLoginIdentity",
      summary: "Returns the address at which a browser links the account to a login at the provider",
      handler: .account { call, signed in
        try await call.prove(call.json["password"]?.string ?? "", signed)
        guard let session = signed.session else {
          throw Problem(.forbidden, "a token found, the session of a signed-in browser allowed")
        }
        return try await OIDCRoutes.begin(
          call,
          [
            ("account", .string(signed.account.description)), ("session", .string(session.description)),
          ])
      },
      body: .json(
        .object([.needed("password", .text(0...200), "The account's password; empty if it has none.")])),
      answers: [.json(OIDCRoutes.address, "Address of the provider's page.")]),
    Route(
      method: .delete, path: path + "/{login}", name: "endLoginIdentity",
      summary: "Unlinks a login at a provider from the account",
      handler: .account(end), answers: [.nothing("Unlinked. Open sessions continue.")]),
  ]

  /// Links the account to the person whom the provider has signed in, if the browser still has the same
  /// session.
  static func bind(
    _ claims: IdentityClaims, to account: AccountID, _ session: String?, _ provider: OIDCProvider,
    _ call: Call
  ) async throws {
    let signed = try await call.parts.accounts.sessions.signed(call.request, call.origin, at: call.now)
    guard signed.account == account, signed.session?.description == session else {
      throw Problem(.forbidden, "another account has signed in in this browser since the linking began")
    }
    let identity = OIDCAccounts(provider: provider.settings, call: call).identity(of: claims, account)
    do throws(StoreError) { try await call.store.bind(identity) } catch {
      guard error == .taken else { throw error }
      let other = try await call.store.loginIdentity(issuer: claims.issuer, subject: claims.subject)
      guard other.account == account else {
        throw Problem(.conflict, "\(identity.name) is linked to another account here")
      }
      return
    }
    await call.auditSignIn("bindLoginIdentity", of: account, isRefused: false, subject: identity.name)
  }

  private static func end(_ call: Call, _ signed: Signed) async throws -> Response {
    let id = LoginIdentityID(rawValue: try call.id("login"))
    let all = try await call.store.loginIdentities(of: signed.account)
    if let name = all.first(where: { $0.id == id })?.name { call.subject.isNamed(name) }
    try await call.keepAWayIn(signed, withoutLogins: all.count { $0.id == id })
    try await call.store.unbind(id, of: signed.account)
    return .nothing
  }
}

extension Call {
  /// - Throws: if the account would be left without a password, a provider login and a passkey.
  func keepAWayIn(_ signed: Signed, withoutLogins logins: Int = 0, withoutPasskeys keys: Int = 0) async throws
  {
    guard try await store.account(signed.account).passwordHash == nil else { return }
    let left =
      try await store.loginIdentities(of: signed.account).count - logins
      + store.passkeys(of: signed.account).count - keys
    guard left < 1 else { return }
    throw Problem(
      .conflict, "this is the last way to sign in to the account; set a password or add another way first")
  }
}
