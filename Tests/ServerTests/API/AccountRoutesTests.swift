import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Store
import Testing

@testable import AlarmService
@testable import Server

@Suite("Accounts and sessions")
struct AccountRoutesTests {
  private func credentials(_ login: String, _ password: String) -> [(String, JSONValue)] {
    [("login", .string(login)), ("password", .string(password))]
  }

  @Test func `a set-up link makes one account, once, within a day`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let token = try await server.setUpToken()
      let body = credentials("anna", "correct horse") + [("token", .string(token))]
      let made = try await stranger.post("/api/v1/setup", body)
      #expect(made.status == .created)
      #expect(made.json["account"]?["is_administrator"]?.flag == true)
      let cookie = try #require(made.headers[.setCookie])
      #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Path=/"))
      #expect(try await stranger.post("/api/v1/setup", body).problem == "gone")
      let late = try await server.setUpToken()
      server.clock.pass(.hours(25))
      let tooLate = credentials("ben", "correct horse") + [("token", .string(late))]
      #expect(try await stranger.post("/api/v1/setup", tooLate).problem == "gone")
    }
  }

  @Test func `of eight requests with one set-up link one is answered 201, the others 410`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let token = try await server.setUpToken()
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<8 {
          let body = credentials("person\(number)", "correct horse") + [("token", .string(token))]
          group.addTask { try await stranger.post("/api/v1/setup", body).status.code }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [201] + Array(repeating: 410, count: 7))
    }
  }

  @Test func `a server with an account prints no set-up link`() async throws {
    let server = try await TestServer()
    #expect(
      try await ProximityServer.setUpLink(server.parts, listeningOn: "http://h:1")?.hasPrefix(
        "http://h:1/#setup=") == true)
    try await server.run { stranger in _ = try await server.visitor(stranger) }
    #expect(try await ProximityServer.setUpLink(server.parts, listeningOn: "http://h:1") == nil)
  }

  @Test func `only the right password signs in, and a session ends when it is told to`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      _ = try await server.visitor(stranger, "anna")
      #expect(
        try await stranger.post("/api/v1/login", credentials("anna", "wrong horse")).problem
          == "wrong-credentials")
      #expect(
        try await stranger.post("/api/v1/login", credentials("nobody", "correct horse")).problem
          == "wrong-credentials")
      let answer = try await stranger.post("/api/v1/login", credentials("ANNA", "correct horse"))
      let anna = try stranger.signed(by: answer)
      #expect(try await anna.get("/api/v1/session").json["account"]?["login"]?.string == "anna")
      #expect(try await anna.post("/api/v1/logout").status == .noContent)
      #expect(try await anna.get("/api/v1/session").problem == "not-signed-in")
    }
  }

  @Test func `a session ends a month after its last use`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      server.clock.pass(.hours(24 * 29))
      #expect(try await anna.get("/api/v1/session").status == .ok)
      server.clock.pass(.hours(24 * 29))
      #expect(try await anna.get("/api/v1/session").status == .ok)
      server.clock.pass(.hours(24 * 31))
      #expect(try await anna.get("/api/v1/session").problem == "not-signed-in")
    }
  }

  @Test func `guessing one account's password is slowed down, and nobody else is`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      _ = try await server.visitor(stranger, "anna")
      _ = try await server.visitor(stranger, "ben")
      for _ in 0..<RateLimit.loginPerAccount.burst {
        #expect(
          try await stranger.post("/api/v1/login", credentials("anna", "guess")).problem
            == "wrong-credentials")
      }
      let refused = try await stranger.post("/api/v1/login", credentials("Anna", "correct horse"))
      #expect(refused.problem == "too-many-requests")
      #expect(refused.headers[.retryAfter] == "30")
      #expect(try await stranger.post("/api/v1/login", credentials("ben", "correct horse")).status == .ok)
      server.clock.pass(.seconds(30))
      #expect(try await stranger.post("/api/v1/login", credentials("anna", "correct horse")).status == .ok)
    }
  }

  @Test func `a new password ends all other sessions`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      let elsewhere = try stranger.signed(
        by: try await stranger.post("/api/v1/login", credentials("anna", "correct horse")))
      func change(_ current: String, _ new: String) async throws -> HTTPResponse.Status {
        try await anna.put(
          "/api/v1/account/password", [("current", .string(current)), ("new", .string(new))]
        ).status
      }
      #expect(try await change("wrong", "battery staple") == .forbidden)
      #expect(try await change("correct horse", "short") == .unprocessableContent)
      #expect(try await change("correct horse", "battery staple") == .noContent)
      #expect(try await anna.get("/api/v1/session").status == .ok)
      #expect(try await elsewhere.get("/api/v1/session").status == .unauthorized)
      #expect(
        try await stranger.post("/api/v1/login", credentials("anna", "correct horse")).status
          == .unauthorized)
      #expect(
        try await stranger.post("/api/v1/login", credentials("anna", "battery staple")).status == .ok)
    }
  }

  @Test func `the export has all of one's own and no secret; erasing leaves nothing`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger, "anna")
      _ = try await IsolationTests.furnish(anna, server)
      let export = try await anna.get("/api/v1/account/export")
      #expect(export.text.contains("annas-secret"))
      #expect(!export.text.contains("argon2id"))
      for line in export.text.split(separator: "\n") { _ = try JSONValue.parse(Array(line.utf8)) }
      #expect(
        try await anna.send(.delete, "/api/v1/account", .object([("password", .string("wrong"))])).status
          == .forbidden)
      #expect(
        try await anna.send(.delete, "/api/v1/account", .object([("password", .string("correct horse"))]))
          .status == .noContent)
      #expect(try await anna.get("/api/v1/session").status == .unauthorized)
      try await server.parts.operation.housekeeping.tidy()
      #expect(try await server.parts.core.store.accountCount() == 0)
    }
  }

  @Test func `a program's token uses the API without a cookie until it is revoked; a device's does not`()
    async throws
  {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let device = try await anna.post("/api/v1/devices", [("name", .string("phone"))]).id
      let token = try await anna.post("/api/v1/tokens", [("name", .string("script"))])
      let program = stranger.with(.authorization, "Bearer \(token.json["token"]?.string ?? "")")
      #expect(try await program.post("/api/v1/zones", JSONValue.zone("by a program")).status == .created)
      let own = try await anna.post("/api/v1/tokens", [("device_id", .string(device))])
      let phone = stranger.with(.authorization, "Bearer \(own.json["token"]?.string ?? "")")
      #expect(try await phone.get("/api/v1/zones").problem == "forbidden")
      #expect(!(try await anna.get("/api/v1/tokens")).text.contains(token.json["token"]?.string ?? "?"))
      for _ in 0..<30 { _ = try await stranger.with(.authorization, "Bearer guess").get("/api/v1/zones") }
      #expect(
        try await stranger.with(.authorization, "Bearer guess").get("/api/v1/zones").problem
          == "too-many-requests")
      #expect(try await program.get("/api/v1/zones").status == .ok)
      server.clock.pass(.hours(1))
      #expect(try await anna.delete("/api/v1/tokens/\(token.id)").status == .noContent)
      #expect(try await program.get("/api/v1/zones").problem == "wrong-credentials")
    }
  }

  @Test func `over HTTPS the cookie is never sent in the clear`() async throws {
    var settings = ServerSettings()
    settings.publicURL = .init(string: "https://alarm.example.org")
    let server = try await TestServer(settings)
    try await server.run { stranger in
      let token = try await server.setUpToken()
      let answer = try await stranger.with(.origin, "https://alarm.example.org").post(
        "/api/v1/setup", credentials("anna", "correct horse") + [("token", .string(token))])
      #expect(answer.headers[.setCookie]?.contains("; Secure") == true)
      #expect(answer.headers[.strictTransportSecurity] != nil)
    }
  }
}
