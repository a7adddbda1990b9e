import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Passwords and how they are replaced")
struct PasswordRoutesTests {
  static func text(_ members: KeyValuePairs<String, String>) -> [(String, JSONValue)] {
    members.map { ($0.key, .string($0.value)) }
  }

  private static func settings() -> ServerSettings {
    var settings = ServerSettings()
    settings.publicURL = URL(string: "http://alarm.example.org")
    return settings
  }

  /// A visitor with a confirmed mail address.
  static func confirmed(
    _ stranger: Visitor, _ server: TestServer, _ mail: LocalMailServer
  ) async throws -> Visitor {
    let anna = try await server.visitor(stranger, "anna")
    let set = try await anna.put(
      "/api/v1/account/mail", text(["address": "anna@example.org", "password": "correct horse"]))
    #expect(set.json["mail"]?.string == "anna@example.org")
    #expect(set.json["is_mail_confirmed"]?.flag == false)
    await server.parts.operation.backgroundTasks.finished()
    let asked = try #require(mail.mails.last)
    #expect(asked.to == "anna@example.org")
    let link = try asked.link("http://alarm.example.org/c/")
    let path = String(link.dropFirst("http://alarm.example.org".count))
    // Opening the link confirms nothing: mail programs follow links.
    #expect(try await stranger.get(path).status == .ok)
    #expect(try await anna.get("/api/v1/session").json["account"]?["is_mail_confirmed"]?.flag == false)
    #expect(try await stranger.post(path).status == .ok)
    #expect(try await anna.get("/api/v1/session").json["account"]?["is_mail_confirmed"]?.flag == true)
    #expect(try await stranger.post(path).problem == "gone")
    return anna
  }

  @Test func `a forgotten password is replaced once, by a mailed link, within an hour; sessions end`()
    async throws
  {
    try await LocalMailServer.run { mail in
      let server = try await TestServer(Self.settings(), mail: try mail.client())
      try await server.run { stranger in
        let anna = try await Self.confirmed(stranger, server, mail)
        let token = try await anna.post("/api/v1/tokens", [("name", .string("script"))])
        let program = stranger.with(.authorization, "Bearer \(token.json["token"]?.string ?? "")")
        func ask(_ login: String) async throws -> Visitor.Answer {
          let answer = try await stranger.post("/api/v1/password-resets", Self.text(["login": login]))
          await server.parts.operation.backgroundTasks.finished()
          return answer
        }
        func use(_ secret: String, _ password: String) async throws -> Visitor.Answer {
          try await stranger.post(
            "/api/v1/password-resets/use", Self.text(["token": secret, "password": password]))
        }
        // The answer is the same for everybody; only people with a confirmed address get a mail.
        let count = mail.mails.count
        #expect(try await ask("nobody").status == .noContent)
        _ = try await server.visitor(stranger, "ben")
        #expect(try await ask("ben").status == .noContent)
        #expect(mail.mails.count == count)
        #expect(try await ask("ANNA").status == .noContent)
        #expect(mail.mails.count == count + 1)
        let early = try #require(mail.mails.last)
        #expect(early.to == "anna@example.org")
        let first = try #require(try early.link("#reset=").split(separator: "=").last.map(String.init))
        // A second link ends the first.
        _ = try await ask("anna")
        let second = try #require(
          try mail.mails.last?.link("#reset=").split(separator: "=").last.map(String.init))
        #expect(try await use(first, "battery staple").problem == "gone")
        #expect(try await use(second, "short").status == .unprocessableContent)
        #expect(try await use(second, "battery staple").status == .noContent)
        #expect(try await use(second, "another one").problem == "gone")
        #expect(try await anna.get("/api/v1/session").status == .unauthorized)
        let login = Self.text(["login": "anna", "password": "battery staple"])
        #expect(try await stranger.post("/api/v1/login", login).status == .ok)
        // Tokens stay unless their end is asked for: a phone that reports with one would fall silent.
        #expect(try await program.get("/api/v1/zones").status == .ok)
        server.clock.pass(.hours(2))
        _ = try await ask("anna")
        let third = try #require(
          try mail.mails.last?.link("#reset=").split(separator: "=").last.map(String.init))
        server.clock.pass(.minutes(61))
        #expect(try await use(third, "too late now").problem == "gone")
        _ = try await ask("anna")
        let last = try #require(
          try mail.mails.last?.link("#reset=").split(separator: "=").last.map(String.init))
        let revoking =
          Self.text(["token": last, "password": "correct horse"]) + [("revoke_tokens", .bool(true))]
        #expect(try await stranger.post("/api/v1/password-resets/use", revoking).status == .noContent)
        #expect(try await program.get("/api/v1/zones").status == .unauthorized)
      }
    }
  }

  @Test func `links for a new password are limited, and never name the host that a request names`()
    async throws
  {
    try await LocalMailServer.run { mail in
      let server = try await TestServer(Self.settings(), mail: try mail.client())
      try await server.run { stranger in
        _ = try await Self.confirmed(stranger, server, mail)
        let evil = stranger.with(HTTPField.Name("X-Forwarded-Host")!, "evil.example")
        let count = mail.mails.count
        var last = ""
        for _ in 0..<6 {
          last = try await evil.post("/api/v1/password-resets", Self.text(["login": "anna"])).problem
          await server.parts.operation.backgroundTasks.finished()
        }
        #expect(last == "too-many-requests")
        #expect(mail.mails.count == count + 3)
        #expect(!mail.mails.contains { $0.text.contains("evil.example") })
      }
    }
  }

  @Test func `a server without mail says whom to ask`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let answer = try await stranger.post("/api/v1/password-resets", Self.text(["login": "anna"]))
      #expect(answer.problem == "conflict" && answer.text.contains("proximity user password"))
    }
  }

  @Test func `a stranger's tries keep nobody out who has signed in from there before`() async throws {
    var settings = ServerSettings()
    settings.trustedProxies = [try #require(AddressBlock("127.0.0.0/8"))]
    let server = try await TestServer(settings)
    try await server.run(.live) { client in
      let forwarded = HTTPField.Name("X-Forwarded-For")!
      let home = client.with(forwarded, "2001:db8:1:2::7")
      _ = try await server.visitor(home, "anna")
      func login(_ visitor: Visitor, _ password: String) async throws -> HTTPResponse.Status {
        try await visitor.post("/api/v1/login", Self.text(["login": "anna", "password": password])).status
      }
      for number in 0..<30 {
        _ = try await login(client.with(forwarded, "203.0.113.\(number)"), "guess")
      }
      #expect(try await login(client.with(forwarded, "203.0.113.200"), "correct horse") == .tooManyRequests)
      #expect(try await login(home, "correct horse") == .ok)
      // Another address in the same household.
      #expect(try await login(client.with(forwarded, "2001:db8:1:2::99"), "correct horse") == .ok)
      // Guessing is limited from there too.
      for _ in 0..<10 { #expect(try await login(home, "guess") == .unauthorized) }
      #expect(try await login(home, "correct horse") == .tooManyRequests)
    }
  }

  @Test func `somebody signed in changes the password while a stranger guesses it`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      for _ in 0..<20 {
        _ = try await stranger.post("/api/v1/login", Self.text(["login": "anna", "password": "guess"]))
      }
      #expect(
        try await anna.put(
          "/api/v1/account/password", Self.text(["current": "correct horse", "new": "battery staple"])
        ).status == .noContent)
    }
  }

  @Test func `each printed link is good, and the first account ends all of them`()
    async throws
  {
    let server = try await TestServer()
    try await server.run { stranger in
      func printed() async throws -> String {
        let link = try await ProximityServer.setUpLink(server.parts, listeningOn: "http://here")
        return String(try #require(link).drop { $0 != "=" }.dropFirst())
      }
      func use(_ token: String, _ login: String) async throws -> Visitor.Answer {
        try await stranger.post(
          "/api/v1/setup", Self.text(["token": token, "login": login, "password": "correct horse"]))
      }
      let first = try await printed()
      let second = try await printed()
      let invitation = try await ProximityServer.newSetUpSecret(
        server.parts.core.store, isAdministrator: false, at: server.clock.now)
      #expect(try await use(second, "anna").status == .created)
      for link in [first, second] { #expect(try await use(link, "intruder").problem == "gone") }
      // An invitation is still valid.
      #expect(try await use(invitation, "ben").status == .created)
      #expect(try await ProximityServer.setUpLink(server.parts, listeningOn: "http://here") == nil)
    }
  }

  @Test func `an account made by an invitation ends the printed link`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let link = try #require(try await ProximityServer.setUpLink(server.parts, listeningOn: "http://here"))
      _ = try await server.visitor(stranger, "anna")
      let late = Self.text([
        "token": String(link.drop { $0 != "=" }.dropFirst()), "login": "eve", "password": "correct horse",
      ])
      #expect(try await stranger.post("/api/v1/setup", late).problem == "gone")
    }
  }
}
