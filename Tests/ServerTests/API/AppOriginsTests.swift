import Formats
import HTTPTypes
import Testing

@testable import AlarmService
@testable import Server

@Suite("Origins of the phone apps")
struct AppOriginsTests {
  private static let zones = "/api/v1/zones"

  private static func asking(_ stranger: Visitor, _ method: String, from origin: String) -> Visitor {
    stranger.with(.origin, origin).with(.accessControlRequestMethod, method)
      .with(.accessControlRequestHeaders, "authorization, content-type, if-match")
  }

  private static func tellsNothing(_ headers: HTTPFields) -> Bool {
    !headers.contains { $0.name.canonicalName.hasPrefix("access-control-") }
  }

  /// A token that lets a program read and change an account.
  private static func token(_ person: Visitor) async throws -> String {
    let made = try await person.post(
      "/api/v1/tokens", [("name", .string("app")), ("scope", .string("write"))])
    #expect(made.status == .created, "\(made.text)")
    return try #require(made.json["token"]?.string)
  }

  @Test(arguments: AppOrigins.all.sorted())
  func `a preflight of an app is answered with the methods of the address`(_ origin: String) async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let answer = try await Self.asking(stranger, "POST", from: origin).send(.options, Self.zones)
      #expect(answer.status == .noContent && answer.bytes.isEmpty)
      #expect(answer.headers[.accessControlAllowOrigin] == origin)
      #expect(answer.headers[.accessControlAllowMethods] == "GET, HEAD, POST")
      let allowed = answer.headers[.accessControlAllowHeaders]?.lowercased() ?? ""
      #expect(allowed.contains("authorization") && !allowed.contains("*") && !allowed.contains("csrf"))
      #expect(answer.headers[.accessControlAllowCredentials] == nil)
      #expect(answer.headers[.vary] == "Origin")
    }
  }

  @Test(arguments: AppOrigins.all.sorted())
  func `an app with a token reads and changes zones`(_ origin: String) async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      let app = stranger.with(.origin, origin).with(.authorization, "Bearer \(try await Self.token(anna))")
        .with(.secFetchSite, "cross-site")
      let made = try await app.post(Self.zones, JSONValue.zone("Home"))
      #expect(made.status == .created, "\(made.text)")
      let read = try await app.get(Self.zones)
      #expect(read.status == .ok)
      for answer in [made, read, try await app.get("/api/v1/zones/0000000000000000")] {
        #expect(answer.headers[.accessControlAllowOrigin] == origin)
        #expect(answer.headers[.accessControlAllowCredentials] == nil)
        #expect(answer.headers[.accessControlExposeHeaders]?.contains("ETag") == true)
        #expect(answer.headers[values: .vary].contains("Origin"))
      }
    }
  }

  @Test func `an answer that a cookie opens is read by no app`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      for origin in AppOrigins.all.sorted() {
        let read = try await anna.with(.origin, origin).get(Self.zones)
        #expect(read.status == .ok && Self.tellsNothing(read.headers))
        let made = try await anna.with(.origin, origin).post(Self.zones, JSONValue.zone("Home"))
        #expect(made.problem == "cross-site" && Self.tellsNothing(made.headers))
      }
    }
  }

  @Test(arguments: [
    "https://proximity.invalid:8443", "http://proximity.invalid", "https://proximity.invalid.example",
    "https://a.proximity.invalid", "proximity://other", "proximity://app.example", "null",
    "https://evil.example",
    "", "HTTPS://PROXIMITY.INVALID",
  ])
  func `other origins are told nothing`(_ origin: String) async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let token = try await Self.token(try await server.visitor(stranger))
      let asked = try await Self.asking(stranger, "POST", from: origin).send(.options, Self.zones)
      #expect(asked.status == .methodNotAllowed && Self.tellsNothing(asked.headers))
      let read = try await stranger.with(.origin, origin).with(.authorization, "Bearer \(token)").get(
        Self.zones)
      #expect(read.status == .ok && Self.tellsNothing(read.headers))
    }
  }

  @Test func `beside the API, and without a question, OPTIONS stays what it was`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let origin = AppOrigins.all.sorted()[0]
      let app = Self.asking(stranger, "GET", from: origin)
      for (path, status) in [("/healthz", 405), ("/api/v1/nothing", 404), ("/apix", 404)] {
        let answer = try await app.send(.options, path)
        #expect(answer.status.code == status && Self.tellsNothing(answer.headers), "\(path)")
      }
      let plain = try await stranger.with(.origin, origin).send(.options, Self.zones)
      #expect(plain.status == .methodNotAllowed && Self.tellsNothing(plain.headers))
    }
  }
}
