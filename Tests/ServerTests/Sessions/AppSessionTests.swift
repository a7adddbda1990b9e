import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import AlarmService
@testable import Server

@Suite("Sessions of the phone apps")
struct AppSessionTests {
  private static let origin = "https://proximity.invalid"
  private static let agent = "Mozilla/5.0 (Linux; Android 16; wv) Chrome/140"

  /// The page in the app: another origin, no cookie.
  private static func app(_ stranger: Visitor, from origin: String = Self.origin) -> Visitor {
    stranger.with(.origin, origin).with(.secFetchSite, "cross-site").with(.userAgent, agent)
  }

  private static func signIn(
    _ app: Visitor, _ password: String = "correct horse", code: String? = nil
  ) async throws -> Visitor.Answer {
    try await app.post(
      AppOrigins.logIn,
      [("login", .string("anna")), ("password", .string(password))]
        + (code.map { [("code", .string($0))] } ?? []))
  }

  private static func secret(_ answer: Visitor.Answer) throws -> String {
    try #require(answer.json["token"]?.string, "\(answer.text)")
  }

  private static func signed(_ app: Visitor) async throws -> Visitor {
    app.with(.authorization, "Bearer \(try secret(try await signIn(app)))")
  }

  @Test(arguments: AppOrigins.all.sorted())
  func `the right password gives a token of full rights, readable in the app, and no cookie`(
    _ origin: String
  ) async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let app = Self.app(stranger, from: origin)
      let ways = try await app.get("/api/v1/login")
      let answer = try await Self.signIn(app)
      #expect(answer.status == .ok && answer.json["account"]?["login"]?.string == "anna")
      let signed = app.with(.authorization, "Bearer \(try Self.secret(answer))")
      let session = try await signed.get("/api/v1/session")
      #expect(session.json["account"]?["id"]?.string == anna.account)
      #expect(session.text.contains(#""csrf_token":null"#))
      let made = try await signed.post("/api/v1/zones", JSONValue.zone("Home"))
      #expect(made.status == .created)
      #expect(try await anna.get("/api/v1/zones").text.contains("Home"))
      for each in [ways, answer, session, made] {
        #expect(each.headers[.accessControlAllowOrigin] == origin)
        #expect(each.headers[.accessControlAllowCredentials] == nil)
        #expect(each.headers[values: .vary].contains("Origin"))
        #expect(each.headers[.setCookie] == nil)
      }
    }
  }

  @Test func `a preflight for signing in is answered`() async throws {
    try await TestServer().run { stranger in
      let asked = Self.app(stranger).with(.accessControlRequestMethod, "POST")
        .with(.accessControlRequestHeaders, "content-type")
      let answer = try await asked.send(.options, AppOrigins.logIn)
      #expect(answer.status == .noContent)
      #expect(answer.headers[.accessControlAllowMethods] == "POST")
      #expect(answer.headers[.accessControlAllowHeaders]?.contains("Content-Type") == true)
    }
  }

  @Test func `every operation without a token is in the table, open to anyone`() async throws {
    let table = RouteTable.all(try await TestServer().parts)
    for operation in AppOrigins.withoutToken {
      let route = try #require(table.first { "\($0.method.rawValue) \($0.path)" == operation })
      #expect(!RouteTableTests.needsAccount(route), "\(operation)")
    }
  }

  @Test func `another origin neither signs in nor reads, nor does an app by another way in`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      _ = try await server.visitor(stranger)
      for origin in ["https://evil.example", "null", "https://a.proximity.invalid", "proximity://other"] {
        let answer = try await Self.signIn(Self.app(stranger, from: origin))
        #expect(answer.problem == "cross-site", "\(origin)")
        let ways = try await Self.app(stranger, from: origin).get("/api/v1/login")
        for each in [answer, ways] { #expect(each.headers[.accessControlAllowOrigin] == nil, "\(origin)") }
      }
      let credentials: [(String, JSONValue)] = [
        ("login", .string("anna")), ("password", .string("correct horse")),
      ]
      for path in ["/api/v1/login", "/api/v1/login/proxy", "/api/v1/login/passkey/begin"] {
        let body = path == "/api/v1/login" ? JSONValue.object(credentials) : nil
        let answer = try await Self.app(stranger).send(.post, path, body)
        #expect(answer.problem == "cross-site" && answer.headers[.setCookie] == nil, "\(path)")
        #expect(answer.headers[.accessControlAllowOrigin] == nil, "\(path)")
      }
    }
  }

  @Test func `a cookie opens nothing there, and a session's secret counts in its own place alone`()
    async throws
  {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      var withCookie = Self.app(stranger)
      withCookie.cookie = anna.cookie
      withCookie.csrf = anna.csrf
      #expect(try await Self.signIn(withCookie, "wrong horse").problem == "wrong-credentials")
      #expect(try await withCookie.get("/api/v1/session").headers[.accessControlAllowOrigin] == nil)
      let cookie = String((anna.cookie ?? "").split(separator: "=", maxSplits: 1)[1])
      let asToken = stranger.with(.authorization, "Bearer \(cookie)")
      #expect(try await asToken.get("/api/v1/session").problem == "wrong-credentials")
      let prefixed = stranger.with(.authorization, "Bearer \(Sessions.appPrefix)\(cookie)")
      #expect(try await prefixed.get("/api/v1/session").problem == "not-signed-in")
      var asCookie = stranger
      asCookie.cookie = "\(Sessions.cookieName)=\(try Self.secret(try await Self.signIn(Self.app(stranger))))"
      #expect(try await asCookie.get("/api/v1/session").problem == "not-signed-in")
    }
  }

  @Test func `guessing is slowed down together with the browser's sign-in, and is in the log`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let app = Self.app(stranger)
      server.clock.pass(.seconds(1))
      #expect(try await Self.signIn(app, "wrong horse").problem == "wrong-credentials")
      let log = try await anna.get("/api/v1/account/audit")
      #expect(log.json["items"]?.list?.first?["action"]?.string == "logIn", "\(log.text)")
      #expect(log.json["items"]?.list?.first?["is_refused"]?.flag == true, "\(log.text)")
      for _ in 1..<RateLimit.loginPerAccount.burst {
        #expect(try await Self.signIn(app, "wrong horse").problem == "wrong-credentials")
      }
      let refused = try await Self.signIn(app)
      #expect(refused.problem == "too-many-requests" && refused.headers[.retryAfter] != nil)
      #expect(refused.headers[.accessControlAllowOrigin] == Self.origin)
      #expect(
        try await stranger.post(
          "/api/v1/login", [("login", .string("anna")), ("password", .string("correct horse"))]
        ).problem == "too-many-requests")
    }
  }

  @Test func `wrong secrets of sessions are counted by address`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let guess = stranger.with(.authorization, "Bearer \(Sessions.appPrefix)guess")
      for _ in 0..<RateLimit.loginPerAddress.burst {
        let answer = try await guess.get("/api/v1/session")
        #expect(answer.problem == "not-signed-in")
      }
      let refused = try await guess.get("/api/v1/session")
      #expect(refused.problem == "too-many-requests")
    }
  }

  @Test func `a second factor is asked for, and each code is good once`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let paper = try await SecondFactorRoutesTests.switchOn(server, anna)
      let app = Self.app(stranger)
      let needed = try await Self.signIn(app)
      #expect(needed.problem == "second-factor-needed")
      #expect(needed.headers[.accessControlAllowOrigin] == Self.origin)
      #expect(try await Self.signIn(app, code: "000000").problem == "wrong-credentials")
      #expect(try await Self.signIn(app, code: paper[0]).status == .ok)
      #expect(try await Self.signIn(app, code: paper[0]).problem == "wrong-credentials")
    }
  }

  @Test func `it is among the account's sessions, and ends at sign-out, there or elsewhere`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let first = try await Self.signed(Self.app(stranger))
      let second = try await Self.signed(Self.app(stranger))
      func sessions(_ visitor: Visitor) async throws -> [JSONValue] {
        try await visitor.get("/api/v1/account/sessions").json["items"]?.list ?? []
      }
      #expect(try await sessions(anna).count == 3)
      let current = try await sessions(first).filter { $0["is_current"]?.flag == true }
      #expect(current.count == 1 && current.first?["user_agent"]?.string == Self.agent)
      let out = try await first.post("/api/v1/logout")
      #expect(out.status == .noContent && out.headers[.setCookie] == nil)
      #expect(try await first.get("/api/v1/session").problem == "not-signed-in")
      let own = try #require(try await sessions(second).first { $0["is_current"]?.flag == true })
      #expect(
        try await anna.delete("/api/v1/account/sessions/\(own["id"]?.string ?? "")").status == .noContent)
      #expect(try await second.get("/api/v1/session").problem == "not-signed-in")
      #expect(try await anna.get("/api/v1/session").status == .ok)
    }
  }

  @Test func `it ends a month after its last use, and by a new password`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let app = try await Self.signed(Self.app(stranger))
      server.clock.pass(.hours(24 * 29))
      #expect(try await app.get("/api/v1/session").status == .ok)
      server.clock.pass(.hours(24 * 29))
      #expect(try await app.get("/api/v1/session").status == .ok)
      let again = try await Self.signed(Self.app(stranger))
      let browser = try stranger.signed(
        by: try await stranger.post(
          "/api/v1/login", [("login", .string("anna")), ("password", .string("correct horse"))]))
      #expect(try await anna.get("/api/v1/session").status == .unauthorized)
      #expect(
        try await again.put(
          "/api/v1/account/password",
          [("current", .string("correct horse")), ("new", .string("battery staple"))]
        ).status == .noContent)
      #expect(try await again.get("/api/v1/session").status == .ok)
      #expect(try await app.get("/api/v1/session").problem == "not-signed-in")
      #expect(try await browser.get("/api/v1/session").problem == "not-signed-in")
      server.clock.pass(.hours(24 * 31))
      #expect(try await again.get("/api/v1/session").problem == "not-signed-in")
    }
  }

  @Test func `erasing the account ends it, and sets no cookie`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      _ = try await server.visitor(stranger)
      let app = try await Self.signed(Self.app(stranger))
      let erased = try await app.send(
        .delete, "/api/v1/account", .object([("password", .string("correct horse"))]))
      #expect(erased.status == .noContent && erased.headers[.setCookie] == nil)
      #expect(try await app.get("/api/v1/session").problem == "not-signed-in")
    }
  }

  @Test func `it reports for no phone`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      _ = try await server.visitor(stranger)
      let app = try await Self.signed(Self.app(stranger))
      let fix = #"[{"latitude":46,"longitude":14,"accuracy_m":5,"measured_at":1795000000000}]"#
      let answer = try await app.send(
        .post, "/api/v1/fixes?name=phone", bytes: Array(fix.utf8), type: "application/json")
      #expect(answer.status == .unauthorized, "\(answer.text)")
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `an app reads the live events, from the place in the feed that it has reached`() async throws {
    let server = try await TestServer()
    try await server.run(.live) { stranger in
      let anna = try await server.visitor(stranger)
      let token = try Self.secret(try await Self.signIn(Self.app(stranger)))
      func open(_ query: String) async throws -> LiveAnswer {
        let headers: HTTPFields = [.authorization: "Bearer \(token)", .origin: Self.origin]
        let request = HTTPRequest(
          method: .get, scheme: "http", authority: "localhost", path: "/api/v1/events\(query)",
          headerFields: headers)
        let answer = try await LiveAnswer.to(request, nil, port: try #require(anna.client.port))
        #expect(answer.status == .ok && answer.headers[.accessControlAllowOrigin] == Self.origin)
        return answer
      }
      var reader = EventStreamTests.Reader(try await open("").body)
      _ = try await anna.post("/api/v1/zones", JSONValue.zone("one"))
      let first = try #require(try await reader.next())
      #expect(first["event"] == "zone")
      _ = try await anna.post("/api/v1/zones", JSONValue.zone("two"))
      let second = try #require(try await reader.next())
      let place = try #require(first["id"]).split(separator: "-", maxSplits: 1)
      var later = EventStreamTests.Reader(try await open("?epoch=\(place[0])&after=\(place[1])").body)
      #expect(try await later.next()?["id"] == second["id"])
    }
  }
}
