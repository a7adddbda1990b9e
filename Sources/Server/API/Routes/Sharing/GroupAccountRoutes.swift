import AlarmEngine
import AlarmService
import Formats
import HTTPTypes
import Hummingbird
import Store

/// Accounts that people make by a link for joining a group, if the server's operator has made it for that.
enum GroupAccountRoutes {
  static let table: [Route] = [
    Route(
      method: .get, path: "/api/v1/group-links/{link}/account", name: "seeAccountLink",
      summary: "Returns the group of a link by which a person without an account may make one",
      handler: .anyone { call in
        let link = Secrets.hash(try call.text("link"))
        guard let offer = try await offer(link, call) else { throw GroupRoutes.badLink }
        let account: [(String, JSONValue)] = [
          ("name", .string(offer.name)), ("login", offer.login.map { .string($0) } ?? .null),
        ]
        return .json(
          .object(GroupRoutes.json(offer.group) + account), headers: [.cacheControl: "no-store"])
      },
      answers: [
        .json(
          .object(
            GroupRoutes.offer + [
              .needed("name", .text(0...200), "Name of the person for whom the link was made, or empty."),
              .needed("login", .optional(.text(1...100)), "Login that the link proposes, or null."),
            ]), "The group.")
      ]),
    Route(
      method: .post, path: "/api/v1/group-links/{link}/account", name: "makeMemberAccount",
      summary: "Creates an account that joins the group of a link, and signs in",
      handler: .anyone(make),
      body: .json(
        .object([
          .needed("login", AccountRoutes.login, ""),
          .allowed("name", .text(0...200), "Name of the person; the link's or else the login if left out."),
          .needed("password", AccountRoutes.password, ""),
        ])),
      answers: [
        .json(
          AccountRoutes.session,
          "The new account, a member of the group: its manager sees the member's state.", status: .created)
      ]),
  ]

  /// Nil if the link is not valid or makes no accounts.
  private static func offer(
    _ link: TokenHash, _ call: Call
  ) async throws -> (group: OfferedGroup, name: String, login: String?)? {
    try await found { try await call.store.accountOffer(by: link, at: call.now) }
  }

  private static func make(_ call: Call) async throws -> Response {
    // As for signing in, only failures count, so that a hall full of people can join from one address.
    let tries: [SharedLimits.Try] = [(.loginAddress, call.origin.address)]
    if let seconds = try await call.parts.accounts.limits.shared.take(tries, at: call.now) {
      throw Problem(
        .tooManyRequests, "too many tries to make an account from this address", retryAfterSeconds: seconds)
    }
    let link = Secrets.hash(try call.text("link"))
    // A link that is not valid costs no hash of a password.
    guard let offer = try await offer(link, call) else { throw GroupRoutes.badLink }
    let login = try AccountRoutes.newLogin(call)
    let password = try await call.parts.accounts.passwords.hash(call.json["password"]?.string ?? "")
    let named = offer.name.isEmpty ? login : offer.name
    let account = Account(
      login: login, name: call.json["name"]?.string ?? named, passwordHash: password, isAdministrator: false,
      createdAt: call.now)
    let group: OfferedGroup
    do throws(StoreError) { group = try await call.store.create(account, joiningBy: link) } catch {
      switch error {
      case .taken: throw Problem(.conflict, "the login \(login) is taken; choose another one")
      // The link has ended meanwhile.
      case .notFound: throw GroupRoutes.badLink
      case .tooMany(let allowed):
        throw Problem(.gone, "the group has \(allowed) members, as many as it may have; ask its manager")
      default: throw error
      }
    }
    try await call.parts.accounts.limits.shared.giveBack(tries, at: call.now)
    let opened = try await AccountRoutes.open(
      account, call, as: "setUp", subject: "\(group.name) · \(group.managerLogin)")
    try await GroupRoutes.tell(ofMember: opened.signed, group, call)
    return try await AccountRoutes.answer(account, opened, call, status: .created)
  }
}
