import AlarmEngine
import Formats
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("Signing in by a proxy in front")
struct ProxyLoginTests {
  private static let name = HTTPField.Name("Remote-User")!
  private static let path = "/api/v1/login/proxy"

  private static func server(proxy: String = "127.0.0.1", makesAccounts: Bool = false) async throws
    -> TestServer
  {
    var settings = ServerSettings()
    settings.trustedProxies = [AddressBlock(proxy)!]
    settings.loginHeader = name
    settings.makesProxyAccounts = makesAccounts
    return try await TestServer(settings)
  }

  @Test func `whom the proxy has signed in needs no password, and nobody else gets in`() async throws {
    let server = try await Self.server()
    try await server.run(.live) { stranger in
      let anna = try await server.visitor(stranger)
      #expect(try await stranger.post(Self.path).problem == "not-signed-in")
      #expect(try await stranger.get("/api/v1/session").problem == "not-signed-in")
      let vouched = stranger.with(Self.name, "Anna")
      #expect(try await vouched.get("/api/v1/session").problem == "vouched-for")
      let answer = try await vouched.post(Self.path)
      #expect(answer.status == .ok && answer.json["account"]?["id"]?.string == anna.account)
      let browser = try vouched.signed(by: answer)
      #expect(try await browser.get("/api/v1/session").json["account"]?["login"]?.string == "anna")
      #expect(try await browser.post("/api/v1/logout").status == .noContent)
      #expect(try await browser.get("/api/v1/session").problem == "vouched-for")
      let unknown = try await stranger.with(Self.name, "ben").post(Self.path)
      #expect(unknown.status == .forbidden)
      for odd in ["a:b", String(repeating: "a", count: 101)] {
        #expect(try await stranger.with(Self.name, odd).post(Self.path).status != .ok, "\(odd)")
      }
    }
  }

  @Test func `a browser that changes hands has no session of the one before`() async throws {
    let server = try await Self.server()
    try await server.run(.live) { stranger in
      let anna = try await server.visitor(stranger)
      #expect(try await anna.with(Self.name, "anna").get("/api/v1/devices").status == .ok)
      #expect(try await anna.with(Self.name, "ben").get("/api/v1/devices").problem == "vouched-for")
      // A program's token already determines its account.
      let token =
        try await anna.post("/api/v1/tokens", [("scope", .string("read"))]).json["token"]?.string ?? ""
      let program = stranger.with(.authorization, "Bearer \(token)").with(Self.name, "ben")
      #expect(try await program.get("/api/v1/session").json["account"]?["login"]?.string == "anna")
    }
  }

  @Test func `where it is wished, who has no account gets one, once`() async throws {
    let server = try await Self.server(makesAccounts: true)
    try await server.run(.live) { stranger in
      let vouched = stranger.with(Self.name, "ben")
      async let one = vouched.post(Self.path)
      async let other = vouched.post(Self.path)
      let answers = try await [one, other]
      #expect(answers.allSatisfy { $0.status == .ok })
      #expect(Set(answers.map { $0.json["account"]?["id"]?.string }).count == 1)
      #expect(answers[0].json["account"]?["is_administrator"]?.flag == false)
      // No password lets anybody in without the proxy.
      let tried = try await stranger.post(
        "/api/v1/login", [("login", .string("ben")), ("password", .string(""))])
      #expect(tried.problem == "wrong-credentials")
    }
  }

  @Test func `a disabled account stays shut, and a header of a stranger means nothing`() async throws {
    let server = try await Self.server()
    try await server.run(.live) { stranger in
      _ = try await server.visitor(stranger)
      var account = try await server.parts.core.store.account(login: "anna")
      account.isDisabled = true
      try await server.parts.core.store.save(account, over: account.revision, at: server.clock.now)
      #expect(try await stranger.with(Self.name, "anna").post(Self.path).status == .forbidden)
    }
    let elsewhere = try await Self.server(proxy: "10.0.0.1")
    try await elsewhere.run(.live) { stranger in
      _ = try await elsewhere.visitor(stranger)
      #expect(try await stranger.with(Self.name, "anna").post(Self.path).problem == "not-signed-in")
    }
  }
}
