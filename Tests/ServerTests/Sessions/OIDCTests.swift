import AlarmEngine
import Cryptography
import Delivery
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("Signing in by OpenID Connect")
struct OIDCTests {
  typealias Story = @Sendable (TestServer, TestProvider, LocalServer, Visitor) async throws -> Void

  private static func run(
    makesAccounts: Bool = false, loginClaim: String? = nil, secret: String? = "hush", _ story: @escaping Story
  ) async throws {
    let provider = TestProvider()
    try await LocalServer.run(answering: provider.answer) { local in
      provider.change { $0.issuer = "http://127.0.0.1:\(local.port)" }
      let server = try await TestServer(
        settings(provider, makesAccounts: makesAccounts, loginClaim: loginClaim, secret: secret))
      try await server.run { try await story(server, provider, local, $0) }
    }
  }

  private static func settings(
    _ provider: TestProvider, makesAccounts: Bool = false, loginClaim: String? = nil, secret: String? = "hush"
  ) -> ServerSettings {
    var settings = ServerSettings()
    settings.publicURL = .init(string: "https://alarm.example")
    settings.oidc = provider.settings(makesAccounts: makesAccounts, loginClaim: loginClaim, secret: secret)
    return settings
  }

  /// A browser on its way to the provider: the address that it was sent to, and its cookie.
  struct Way {
    let address: String
    let browser: Visitor
  }

  private static func begin(_ browser: Visitor, linkingWith password: String? = nil) async throws -> Way {
    let answer =
      if let password {
        try await browser.post("/api/v1/account/login-identities", [("password", .string(password))])
      } else { try await browser.post("/api/v1/login/oidc") }
    #expect(answer.status == .ok, "\(answer.text)")
    var browser = browser
    browser.add(cookiesOf: answer)
    return Way(address: answer.json["url"]?.string ?? "", browser: browser)
  }

  private static func back(_ way: Way, _ query: [String: String]) async throws -> Visitor.Answer {
    try await way.browser.get("/oidc/callback?" + OIDCProvider.form(query.sorted { $0.key < $1.key }))
  }

  /// Signs in, there and back, as people do.
  private static func signIn(_ provider: TestProvider, _ browser: Visitor) async throws -> Visitor.Answer {
    let way = try await begin(browser)
    return try await back(way, provider.agree(way.address))
  }

  /// The login of the session that an answer has set.
  private static func login(_ answer: Visitor.Answer, _ stranger: Visitor) async throws -> String? {
    var browser = stranger
    browser.add(cookiesOf: answer)
    return try await browser.get("/api/v1/session").json["account"]?["login"]?.string
  }

  @Test func `without a provider nothing of it is there`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let ways = try await stranger.get("/api/v1/login")
      #expect(ways.text.contains(#""oidc":null"#))
      #expect(try await stranger.post("/api/v1/login/oidc").problem == "conflict")
      #expect(try await stranger.get("/oidc/callback?code=1&state=2").status == .conflict)
    }
  }

  @Test func `an owner links the account, and is signed in to it from then on`() async throws {
    try await Self.run { server, provider, local, stranger in
      #expect(try await stranger.get("/api/v1/login").json["oidc"]?["name"]?.string == "The club")
      let unknown = try await Self.signIn(provider, stranger)
      #expect(unknown.status == .forbidden && unknown.text.contains("No account here is linked"))
      let anna = try await server.visitor(stranger)
      let path = "/api/v1/account/login-identities"
      #expect(try await anna.post(path, [("password", .string("wrong"))]).status == .forbidden)
      let way = try await Self.begin(anna, linkingWith: "correct horse")
      let asked = TestProvider.members(String(way.address.split(separator: "?").last ?? ""))
      #expect(asked["response_type"] == "code" && asked["code_challenge_method"] == "S256")
      #expect(asked["redirect_uri"] == "https://alarm.example/oidc/callback")
      #expect(asked["client_id"] == "alarm & more" && asked["scope"]?.contains("openid") == true)
      // Fails in a browser in which somebody else has signed in meanwhile.
      let ben = try await server.visitor(stranger, "ben")
      var other = ben
      other.cookie = "\(ben.cookie ?? ""); \(way.browser.cookie?.split(separator: " ").last ?? "")"
      let taken = try await Self.back(Way(address: way.address, browser: other), provider.agree(way.address))
      #expect(taken.status == .forbidden && taken.text.contains("Another account has signed in"))
      let again = try await Self.begin(anna, linkingWith: "correct horse")
      let linked = try await Self.back(again, provider.agree(again.address))
      #expect(linked.status == .seeOther && linked.headers[.location] == "/#/account")
      let listed = try await anna.get(path).json["items"]?.list ?? []
      #expect(listed.count == 1 && listed.first?["name"]?.string == "anna")

      let answer = try await Self.signIn(provider, stranger)
      #expect(answer.status == .seeOther && answer.headers[.location] == "/#/account")
      #expect(try await Self.login(answer, stranger) == "anna")
      let cookies = answer.headers[values: .setCookie]
      #expect(cookies.allSatisfy { $0.contains("HttpOnly; SameSite=Lax; Secure") }, "\(cookies)")
      #expect(
        provider.state.withLockedValue { $0.authorization }.allSatisfy { $0?.hasPrefix("Basic ") == true })
      let log = try await anna.get("/api/v1/account/audit").json["items"]?.list ?? []
      #expect(log.contains { $0["action"]?.string == "logInByOIDC" })
      #expect(log.contains { $0["action"]?.string == "bindLoginIdentity" && $0["subject"]?.string == "anna" })

      // Ben cannot link the same login until Anna gives it up.
      let bens = try await Self.begin(ben, linkingWith: "correct horse")
      let refused = try await Self.back(bens, provider.agree(bens.address))
      #expect(refused.status == .conflict && refused.text.contains("another account"))
      #expect(try await ben.delete("\(path)/\(listed[0]["id"]?.string ?? "")").status == .notFound)
      #expect(try await anna.delete("\(path)/\(listed[0]["id"]?.string ?? "")").status == .noContent)
      #expect(try await Self.signIn(provider, stranger).status == .forbidden)
      // The keys and the provider's document were each read only once.
      #expect(local.requests.count { $0.path == "/keys" } == 1)
      #expect(local.requests.count { $0.path.hasPrefix("/.well-known") } == 1)
    }
  }

  @Test func `where it is wished, who has no account gets one, once`() async throws {
    try await Self.run(makesAccounts: true) { server, provider, _, stranger in
      let (first, second) = (try await Self.begin(stranger), try await Self.begin(stranger))
      async let one = Self.back(first, provider.agree(first.address))
      async let other = Self.back(second, provider.agree(second.address))
      for answer in try await [one, other] {
        #expect(answer.status == .seeOther, "\(answer.text)")
        #expect(try await Self.login(answer, stranger) == "anna")
      }
      #expect(try await server.parts.core.store.accountCount() == 1)
      let account = try await server.parts.core.store.account(login: "anna")
      #expect(!account.isAdministrator && account.passwordHash == nil)
      // Another person with the same name does not get into that account.
      provider.change { $0.claims = { $0.map { $0.0 == "sub" ? ("sub", .string("8")) : $0 } } }
      let refused = try await Self.signIn(provider, stranger)
      #expect(refused.status == .forbidden && refused.text.contains("There is an account anna already"))
    }
  }

  @Test func `an account without a password is changed by who has just signed in, and keeps a way in`()
    async throws
  {
    try await Self.run(makesAccounts: true) { server, provider, _, stranger in
      let answer = try await Self.signIn(provider, stranger)
      var anna = stranger
      anna.add(cookiesOf: answer)
      anna.csrf = try await anna.get("/api/v1/session").json["csrf_token"]?.string
      let id = try await anna.get("/api/v1/account/login-identities").json["items"]?.list?.first?["id"]?
        .string
      let path = "/api/v1/account/login-identities/\(id ?? "")"
      #expect(try await anna.delete(path).problem == "conflict")
      let password: [(String, JSONValue)] = [("current", .string("")), ("new", .string("correct horse"))]
      server.clock.pass(.minutes(11))
      let late = try await anna.put("/api/v1/account/password", password)
      #expect(late.problem == "forbidden" && late.text.contains("sign out and in again"))
      let now = server.clock.now.millisecondsSince1970 / 1000
      provider.change { $0.claims = { $0.filter { $0.0 != "exp" } + [("exp", .integer(now + 300))] } }
      anna = stranger
      anna.add(cookiesOf: try await Self.signIn(provider, stranger))
      anna.csrf = try await anna.get("/api/v1/session").json["csrf_token"]?.string
      #expect(try await anna.put("/api/v1/account/password", password).status == .noContent)
      // From now on the password is required.
      #expect(try await anna.put("/api/v1/account/password", password).problem == "forbidden")
      #expect(try await anna.delete(path).status == .noContent)
    }
  }

  @Test func `the claim that the operator chose is the login, for the first who comes with it`() async throws
  {
    try await Self.run(loginClaim: "email") { server, provider, _, stranger in
      let login = "anna@example.org"
      _ = try await server.visitor(stranger, login)
      let unverified = try await Self.signIn(provider, stranger)
      #expect(unverified.status == .forbidden && unverified.text.contains("sends no email"))
      provider.change { $0.claims = { $0 + [("email_verified", .bool(true))] } }
      #expect(try await Self.login(try await Self.signIn(provider, stranger), stranger) == login)
      provider.change {
        $0.claims = {
          $0.map { $0.0 == "sub" ? ("sub", .string("8")) : $0 } + [("email_verified", .bool(true))]
        }
      }
      let other = try await Self.signIn(provider, stranger)
      #expect(other.status == .forbidden && other.text.contains("linked to another person"))
      provider.change {
        $0.claims = {
          $0.map { $0.0 == "email" ? ("email", .string("ben@example.org")) : $0 } + [
            ("email_verified", .bool(true))
          ]
        }
      }
      // An account known by its number is kept, even if the mail address changes.
      #expect(try await Self.login(try await Self.signIn(provider, stranger), stranger) == login)
    }
  }

  @Test func `a disabled account stays shut`() async throws {
    try await Self.run(makesAccounts: true) { server, provider, _, stranger in
      #expect(try await Self.signIn(provider, stranger).status == .seeOther)
      var account = try await server.parts.core.store.account(login: "anna")
      account.isDisabled = true
      try await server.parts.core.store.save(account, over: account.revision, at: server.clock.now)
      let answer = try await Self.signIn(provider, stranger)
      #expect(answer.status == .forbidden && answer.text.contains("disabled"))
    }
  }

  @Test func `an account with codes asks for one here, too`() async throws {
    try await Self.run(makesAccounts: true) { server, provider, _, stranger in
      #expect(try await Self.signIn(provider, stranger).status == .seeOther)
      let store = server.parts.core.store
      let account = try await store.account(login: "anna").id
      let factor = SecondFactor(account: account, secret: TimeCode.newSecret())
      try await store.begin(factor)
      try await store.confirm(factor, step: 1, recoveryCodes: [], at: server.clock.now)
      let answer = try await Self.signIn(provider, stranger)
      #expect(answer.headers[.location] == "/#/account?code=oidc")
      #expect(try await Self.login(answer, stranger) == nil)
      var browser = stranger
      browser.add(cookiesOf: answer)
      let path = "/api/v1/login/oidc/code"
      #expect(try await stranger.post(path, [("code", .string("000000"))]).problem == "gone")
      #expect(try await browser.post(path, [("code", .string("000000"))]).problem == "wrong-credentials")
      #expect(try await browser.post(path, [("code", .string(""))]).problem == "second-factor-needed")
      func code() -> String {
        TimeCode.code(secret: factor.secret, step: TimeCode.step(at: server.clock.now))
      }
      let signed = try await browser.post(path, [("code", .string(code()))])
      #expect(signed.status == .ok && signed.json["account"]?["login"]?.string == "anna")
      // The provider's confirmation is valid once, and for five minutes.
      server.clock.pass(.seconds(30))
      #expect(try await browser.post(path, [("code", .string(code()))]).problem == "gone")
      let late = try await Self.signIn(provider, stranger)
      browser.add(cookiesOf: late)
      server.clock.pass(.minutes(5))
      #expect(try await browser.post(path, [("code", .string(code()))]).problem == "gone")
      let log = try await store.auditLog(of: account, before: nil, limit: 9)
      #expect(log.contains { $0.action == "logInByOIDC" && $0.isRefused })
    }
  }

  @Test func `an answer is good once, in the browser that asked, for ten minutes`() async throws {
    try await Self.run(makesAccounts: true) { server, provider, _, stranger in
      let way = try await Self.begin(stranger)
      let query = provider.agree(way.address)
      let elsewhere = try await Self.back(Way(address: "", browser: stranger), query)
      #expect(elsewhere.status == .gone && elsewhere.text.contains("another browser"))
      #expect(try await Self.back(way, ["code": query["code"] ?? "", "state": "x"]).status == .gone)
      #expect(try await Self.back(way, ["code": query["code"] ?? ""]).status == .gone)
      #expect(try await Self.back(way, query).status == .seeOther)
      let replayed = try await Self.back(way, provider.agree(way.address))
      #expect(replayed.status == .gone && replayed.text.contains("used already"))
      let late = try await Self.begin(stranger)
      server.clock.pass(.minutes(10))
      #expect(try await Self.back(late, provider.agree(late.address)).status == .gone)
      // A cookie that was changed, or made for another purpose, is invalid.
      let changed = try await Self.begin(stranger)
      for cookie in [
        "proximity_oidc=AAAA", "proximity_oidc=", "proximity_oidc=%", "\(changed.browser.cookie ?? "")A",
      ] {
        var browser = stranger
        browser.cookie = cookie
        let answer = try await Self.back(Way(address: "", browser: browser), provider.agree(changed.address))
        #expect(answer.status == .gone, "\(cookie)")
      }
    }
  }

  @Test func `what a provider says went wrong is told`() async throws {
    try await Self.run(makesAccounts: true) { _, provider, _, stranger in
      let way = try await Self.begin(stranger)
      let state = provider.agree(way.address)["state"] ?? ""
      let denied = try await Self.back(
        way, ["error": "access_denied", "error_description": "<b>Not</b> today", "state": state, "hd": "x"])
      #expect(denied.status == .forbidden)
      #expect(denied.text.contains("The club says: access_denied (&lt;b&gt;Not&lt;/b&gt; today)."))
      let formed = try await way.browser.get(
        "/oidc/callback?error=access_denied&error_description=Not+today%2B+%2Bx&state=\(state)")
      #expect(formed.text.contains("The club says: access_denied (Not today+ +x)."), "\(formed.text)")
      #expect(try await Self.back(way, ["state": state]).text.contains("without a code"))
      provider.change {
        $0.tokenAnswer = CannedAnswer(
          status: 400, body: #"{"error":"invalid_client","error_description":"who?"}"#)
      }
      #expect(try await Self.signIn(provider, stranger).text.contains("invalid_client (who?)"))
      for (status, body) in [
        (200, ""), (200, "{}"), (200, #"{"id_token":7}"#), (200, #"{"id_token":"a.b.c"}"#), (500, "oops"),
        (200, String(repeating: " ", count: 300_000)),
      ] {
        provider.change { $0.tokenAnswer = CannedAnswer(status: status, body: body) }
        #expect(
          try await Self.signIn(provider, stranger).status == .forbidden, "\(status) \(body.prefix(30))")
      }
    }
  }

  @Test(arguments: [
    ("iss", JSONValue.string("http://127.0.0.1:1")), ("aud", .string("other")),
    ("aud", .array([.string("alarm & more"), .string("other")])), ("nonce", .string("n")),
    ("exp", .integer(1_794_999_000)), ("iat", .integer(1_795_000_900)), ("nbf", .integer(1_795_000_900)),
    ("azp", .string("other")), ("sub", .string("")),
  ])
  func `a token with a wrong claim signs nobody in`(name: String, value: JSONValue) async throws {
    try await Self.run(makesAccounts: true) { server, provider, _, stranger in
      provider.change { $0.claims = { $0.filter { $0.0 != name } + [(name, value)] } }
      let answer = try await Self.signIn(provider, stranger)
      #expect(answer.status == .forbidden)
      #expect(try await server.parts.core.store.accountCount() == 0)
    }
  }

  @Test func `a token that is not signed by the provider signs nobody in`() async throws {
    try await Self.run(makesAccounts: true) { server, provider, local, stranger in
      for algorithm in ["none", "HS256", "ES384"] {
        provider.change { $0.algorithm = algorithm }
        let answer = try await Self.signIn(provider, stranger)
        #expect(answer.status == .forbidden && answer.text.contains("RS256, ES256 allowed"), "\(algorithm)")
      }
      provider.change {
        $0.algorithm = "ES256"
        $0.key = .init()
      }
      #expect(try await Self.signIn(provider, stranger).text.contains("an invalid signature"))
      // The same with the name of a key of another kind.
      provider.change { $0.keyID = "rsa" }
      #expect(try await Self.signIn(provider, stranger).text.contains("an invalid signature"))
      #expect(try await server.parts.core.store.accountCount() == 0)
      provider.change { $0.algorithm = "RS256" }
      #expect(try await Self.signIn(provider, stranger).status == .seeOther)
    }
  }

  @Test func `new keys are fetched when a token names one, at most once a minute`() async throws {
    try await Self.run(makesAccounts: true) { server, provider, local, stranger in
      func looks() -> Int { local.requests.count { $0.path == "/keys" } }
      let first = try await Self.signIn(provider, stranger)
      #expect(first.status == .seeOther && looks() == 1)
      provider.change {
        $0.key = .init()
        $0.keyID = "two"
      }
      // The key is not published yet, and the keys were read a moment ago.
      #expect(try await Self.signIn(provider, stranger).status == .forbidden && looks() == 1)
      server.clock.pass(.seconds(61))
      #expect(try await Self.signIn(provider, stranger).status == .forbidden && looks() == 2)
      provider.change { $0.published = [("two", $0.key)] }
      #expect(try await Self.signIn(provider, stranger).status == .forbidden && looks() == 2)
      server.clock.pass(.seconds(61))
      let now = server.clock.now.millisecondsSince1970 / 1000
      provider.change {
        $0.claims = { $0.filter { $0.0 != "exp" } + [("exp", .integer(now + 300))] }
      }
      #expect(try await Self.signIn(provider, stranger).status == .seeOther && looks() == 3)
    }
  }

  @Test func `a document of another issuer, and answers of another, are refused`() async throws {
    try await Self.run(makesAccounts: true) { server, provider, _, stranger in
      provider.change { $0.documentIssuer = "https://login.example" }
      let begun = try await stranger.post("/api/v1/login/oidc")
      #expect(begun.problem == "unavailable" && begun.text.contains("of the issuer https://login.example"))
      provider.change {
        $0.documentIssuer = nil
        $0.namesIssuer = true
      }
      #expect(try await Self.signIn(provider, stranger).text.contains("does not name its provider"))
      let issuer = provider.state.withLockedValue { $0.issuer }
      for (named, status) in [("https://evil.example", HTTPResponse.Status.forbidden), (issuer, .seeOther)] {
        let way = try await Self.begin(stranger)
        var query = provider.agree(way.address)
        query["iss"] = named
        #expect(try await Self.back(way, query).status == status)
      }
    }
  }

  @Test func `a provider that is not there is named`() async throws {
    let provider = TestProvider()
    provider.change { $0.issuer = "http://127.0.0.1:1" }
    let server = try await TestServer(Self.settings(provider))
    try await server.run { stranger in
      let answer = try await stranger.post("/api/v1/login/oidc")
      #expect(answer.problem == "unavailable" && answer.text.contains("The club cannot be reached"))
    }
  }

  @Test func `a client without a secret names itself`() async throws {
    try await Self.run(makesAccounts: true, secret: nil) { _, provider, local, stranger in
      let answer = try await Self.signIn(provider, stranger)
      #expect(answer.status == .seeOther)
      let asked = local.requests.first { $0.path == "/token" }
      #expect(asked?["Authorization"] == nil)
      #expect(TestProvider.members(asked?.text ?? "")["client_id"] == "alarm & more")
    }
  }

  @Test func `of two processes one begins and the other ends it, and no answer counts in both`() async throws
  {
    let provider = TestProvider()
    try await LocalServer.run(answering: provider.answer) { local in
      provider.change { $0.issuer = "http://127.0.0.1:\(local.port)" }
      let first = try await TestServer(Self.settings(provider, makesAccounts: true))
      let second = try await TestServer(
        Self.settings(provider, makesAccounts: true), store: first.parts.core.store)
      try await first.run { one in
        let way = try await Self.begin(one)
        try await second.run { other in
          var browser = other
          browser.cookie = way.browser.cookie
          let there = Way(address: way.address, browser: browser)
          let answer = try await Self.back(there, provider.agree(way.address))
          #expect(answer.status == .seeOther)
        }
        #expect(try await Self.back(way, provider.agree(way.address)).status == .gone)
      }
    }
  }
}

extension Visitor {
  /// Adds cookies as a browser does; an expired one is removed.
  mutating func add(cookiesOf answer: Answer) {
    var kept = (cookie ?? "").split(separator: ";").map { $0.trimmingPrefix(" ") }
    for set in answer.headers[values: .setCookie] {
      let pair = set.prefix { $0 != ";" }
      let name = pair.prefix { $0 != "=" }
      kept.removeAll { $0.hasPrefix(name + "=") }
      if !set.contains("Max-Age=0") { kept.append(pair) }
    }
    cookie = kept.isEmpty ? nil : kept.joined(separator: "; ")
  }
}
