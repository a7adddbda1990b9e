import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Store
import Testing

@testable import AlarmService
@testable import Server

@Suite("Codes that sign a phone in")
struct SignInCodeTests {
  private static let codes = "/api/v1/account/sign-in-codes"
  private static let door = "/api/v1/login/device-code"

  private static func code(_ visitor: Visitor, password: String? = nil) async throws -> Visitor.Answer {
    try await visitor.post(codes, password.map { [("password", .string($0))] } ?? [])
  }

  private static func secret(_ answer: Visitor.Answer) throws -> String {
    let link = try #require(answer.json["link"]?.string, "\(answer.text)")
    return try #require(link.split(separator: "#phone=").last.map(String.init))
  }

  private static func use(_ visitor: Visitor, _ code: String) async throws -> Visitor.Answer {
    try await visitor.post(door, [("code", .string(code))])
  }

  @Test func `a code signs a phone in once, to a session of its own`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let made = try await Self.code(anna)
      #expect(made.status == .created)
      let link = try #require(made.json["link"]?.string)
      #expect(link.hasPrefix("http://localhost/#phone="))
      let secret = try Self.secret(made)
      #expect(secret.utf8.count >= 40)
      let answer = try await Self.use(stranger.with(.userAgent, "Phone"), secret)
      #expect(answer.status == .ok && answer.json["account"]?["login"]?.string == "anna")
      let phone = try stranger.signed(by: answer)
      #expect(phone.cookie != anna.cookie)
      #expect(try await phone.post("/api/v1/zones", JSONValue.zone("Home")).status == .created)
      #expect(try await anna.get("/api/v1/account/sessions").json["items"]?.list?.count == 2)
      let again = try await Self.use(stranger, secret)
      #expect(again.problem == "gone" && again.headers[.setCookie] == nil)
      let log = try await anna.get("/api/v1/account/audit").json["items"]?.list ?? []
      let actions = log.compactMap { $0["action"]?.string }
      #expect(actions.contains("logInByCode") && actions.contains("createSignInCode"))
      #expect(!log.contains { $0["subject"]?.string?.contains(secret) == true })
    }
  }

  @Test func `a code ends after ten minutes, with its session, and by a new password`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let late = try Self.secret(try await Self.code(anna))
      server.clock.pass(.minutes(10))
      #expect(try await Self.use(stranger, late).problem == "gone")
      let before = try Self.secret(try await Self.code(anna))
      _ = try await anna.put(
        "/api/v1/account/password",
        [("current", .string("correct horse")), ("new", .string("battery staple"))])
      #expect(try await Self.use(stranger, before).problem == "gone")
      let last = try Self.secret(try await Self.code(anna, password: "battery staple"))
      #expect(try await anna.post("/api/v1/logout").status == .noContent)
      #expect(try await Self.use(stranger, last).problem == "gone")
    }
  }

  @Test func `an older session gives the password, and a wrong one makes no code`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      server.clock.pass(.minutes(11))
      let asked = try await Self.code(anna)
      #expect(asked.problem == "forbidden" && asked.text.contains("give the password"))
      #expect(try await Self.code(anna, password: "").problem == "forbidden")
      #expect(try await Self.code(anna, password: "guess").problem == "forbidden")
      let secret = try Self.secret(try await Self.code(anna, password: "correct horse"))
      #expect(try await Self.use(stranger, secret).status == .ok)
      for _ in 0..<20 { _ = try await Self.code(anna, password: "guess") }
      #expect(try await Self.code(anna, password: "correct horse").problem == "too-many-requests")
    }
  }

  @Test func `a token makes no code`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let token = try await anna.post("/api/v1/tokens", [("name", .string("script"))])
      let program = stranger.with(.authorization, "Bearer \(token.json["token"]?.string ?? "")")
      #expect(try await Self.code(program).problem == "forbidden")
    }
  }

  @Test func `codes that are wrong, too long or no text are refused, and tries are limited`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let secret = try Self.secret(try await Self.code(anna))
      for wrong in ["x", "ü", secret + "A", String(secret.dropLast()), secret.lowercased()]
      where wrong != secret {
        #expect(try await Self.use(stranger, wrong).problem == "gone", "\(wrong)")
      }
      for body in [
        [], [("code", .string(""))], [("code", .string("\u{0}"))], [("code", .integer(7))], [("code", .null)],
        [("code", .string(String(repeating: "a", count: 201)))],
      ] as [[(String, JSONValue)]] {
        #expect(try await stranger.post(Self.door, body).status == .unprocessableContent)
      }
      for _ in 0..<20 { _ = try await Self.use(stranger, "guess") }
      #expect(try await Self.use(stranger, secret).problem == "too-many-requests")
      server.clock.pass(.minutes(1))
      #expect(try await Self.use(stranger, secret).status == .ok)
    }
  }

  @Test func `of two servers on one store one takes a code`() async throws {
    let store = try SQLStore.inMemory()
    let server = try await TestServer(store: store)
    try await server.run { stranger in
      let other = try await TestServer(store: store, clock: server.clock)
      let anna = try await server.visitor(stranger)
      let secret = try Self.secret(try await Self.code(anna))
      try await Application(router: ProximityServer.router(other.parts), logger: TestServer.silent).test(
        .router
      ) { client in
        let there = Visitor(client: client, table: stranger.table)
        async let first = Self.use(stranger, secret).status
        async let second = Self.use(there, secret).status
        #expect(try await [first, second].count { $0 == .ok } == 1)
        let next = try Self.secret(try await Self.code(anna))
        #expect(try await Self.use(there, next).status == .ok)
        #expect(try await Self.use(stranger, next).problem == "gone")
      }
    }
  }

  @Test func `over an open network without HTTPS no code is made or taken`() async throws {
    var settings = ServerSettings()
    settings.publicURL = URL(string: "http://alarm.example.org")
    let server = try await TestServer(settings)
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let answer = try await Self.code(anna)
      #expect(answer.problem == "conflict" && answer.text.contains("HTTPS"))
      #expect(try await Self.use(stranger, "guess").problem == "conflict")
    }
    settings.publicURL = URL(string: "https://alarm.example.org")
    let secure = try await TestServer(settings)
    try await secure.run { stranger in
      let anna = try await secure.visitor(stranger)
      let made = try await Self.code(anna)
      #expect(made.json["link"]?.string?.hasPrefix("https://alarm.example.org/#phone=") == true)
      let answer = try await Self.use(stranger, try Self.secret(made))
      #expect(answer.headers[.setCookie]?.contains("; Secure") == true)
    }
  }

  @Test(arguments: [
    ("localhost:8080", "127.0.0.1", true), ("192.168.1.7:8080", "192.168.1.20", true),
    ("[fd00::7]:8080", "fd00::20", true), ("alarm.local", "10.0.0.3", true),
    ("192.168.1.7", "203.0.113.5", true), ("192.168.1.7", "8.8.8.8", false),
    ("alarm.example.org", "192.168.1.20", false), ("8.8.8.8:8080", "192.168.1.20", false),
    ("[2a00::1]:80", "127.0.0.1", false), ("notlocal", "127.0.0.1", false), ("", "127.0.0.1", false),
    ("[", "127.0.0.1", false), ("local", "127.0.0.1", false), ("192.168.1.7.evil.org", "10.0.0.3", false),
  ])
  func `a network is private if both ends are`(authority: String, peer: String, isPrivate: Bool) {
    let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/", headerFields: [:])
    let request = Request(head: head, body: .init(buffer: .init()))
    let origin = Origin(request, peer: peer, settings: ServerSettings())
    #expect(origin.isConfidential == isPrivate)
  }
}
