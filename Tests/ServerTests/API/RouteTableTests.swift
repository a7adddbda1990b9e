import Formats
import HTTPTypes
import Hummingbird
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Route table")
struct RouteTableTests {
  /// An address of the route at which nothing exists.
  static func address(_ route: Route) -> String {
    route.path.split(separator: "/").map { part in
      guard part.hasPrefix("{") else { return String(part) }
      switch part {
      case "{format}": return "pad"
      case "{kind}": return "gone"
      case "{app}": return "overland"
      default: return "00000000deadbeef"
      }
    }.reduce("") { $0 + "/" + $1 } + (route.path == "/" ? "/" : "")
  }

  static func needsAccount(_ route: Route) -> Bool {
    if case .account = route.handler { true } else { false }
  }

  /// A body of the right type with invalid content.
  static func body(_ route: Route) -> (bytes: [UInt8], type: String)? {
    switch route.body {
    case .none: nil
    case .json: (Array("{}".utf8), "application/json")
    case .bytes(let types, _): ([1], types[0])
    }
  }

  @Test func `no two routes share method and address, and every name is used once`() async throws {
    let table = RouteTable.all(try await TestServer().parts)
    #expect(Set(table.map { "\($0.method) \($0.path)" }).count == table.count)
    let documented = table.filter(\.isDocumented)
    #expect(Set(documented.map(\.name)).count == documented.count)
    #expect(documented.count > 70)
  }

  @Test func `nothing of an account is told to a stranger`() async throws {
    try await TestServer().run { stranger in
      for route in stranger.table where Self.needsAccount(route) {
        let body = Self.body(route)
        let answer = try await stranger.send(
          route.method, Self.address(route), bytes: body?.bytes, type: body?.type)
        #expect(answer.status == .unauthorized, "\(route.method) \(route.path)")
        #expect(answer.problem == "not-signed-in", "\(route.method) \(route.path)")
        let wrong = try await stranger.with(.authorization, "Bearer nonsense").send(
          route.method, Self.address(route), bytes: body?.bytes, type: body?.type)
        #expect([.unauthorized, .tooManyRequests].contains(wrong.status), "\(route.method) \(route.path)")
      }
    }
  }

  @Test func `no change is made without the session's own token`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      var anna = try await server.visitor(stranger)
      anna.csrf = nil
      for route in anna.table where Self.needsAccount(route) && !route.isSafe {
        let body = Self.body(route)
        for token in [nil, "", "nonsense"] {
          anna.csrf = token
          let answer = try await anna.send(
            route.method, Self.address(route), bytes: body?.bytes, type: body?.type)
          #expect(answer.problem == "cross-site", "\(route.method) \(route.path)")
        }
      }
    }
  }

  @Test func `no change is made for another site`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      for route in anna.table where !route.isSafe && !route.isCapability {
        let body = Self.body(route)
        for visitor in [
          anna.with(.origin, "https://evil.example"), anna.with(.origin, "null"),
          anna.with(.secFetchSite, "cross-site"), anna.with(.secFetchSite, "same-site"),
        ] {
          let answer = try await visitor.send(
            route.method, Self.address(route), bytes: body?.bytes, type: body?.type)
          #expect(answer.problem == "cross-site", "\(route.method) \(route.path)")
        }
      }
    }
  }

  @Test func `a method that an address does not have is refused with those it has`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      for (path, routes) in Dictionary(grouping: stranger.table, by: \.path) {
        var has = Set(routes.map(\.method))
        if has.contains(.get) { has.insert(.head) }
        for method in [HTTPRequest.Method.delete, .trace, .init("QUERY")!, .init("NONSENSE")!]
        where !has.contains(method) {
          let answer = try await stranger.send(method, Self.address(routes[0]))
          #expect(answer.status == .methodNotAllowed, "\(path)")
          let allowed = has.map(\.rawValue).sorted().joined(separator: ", ")
          #expect(answer.headers[.allow] == allowed, "\(path)")
        }
      }
      for path in ["/api/v1/nothing", "/api/v1", "//", "/api/v1/zones/00000000deadbeef/nothing"] {
        #expect(
          try await stranger.send(.delete, path).status == (path == "//" ? .methodNotAllowed : .notFound))
      }
      #expect(try await stranger.get("/api/v1/nothing").problem == "not-found")
      #expect(server.parts.core.metrics.text.contains(#"route="/api/v1/zones",method="DELETE",status="405""#))
    }
  }

  @Test func `of several addresses the one that the router takes is told`() throws {
    func route(_ path: String, _ method: HTTPRequest.Method) -> Route {
      Route(
        method: method, path: path, name: "", summary: "",
        handler: .phone { _, _, _ in Response(status: .ok) },
        answers: [])
    }
    let addresses = Addresses([
      route("/", .get), route("/**", .get), route("/a/{id}", .get), route("/a/{id}", .put),
      route("/a/b", .post),
      route("/a/{id}/c", .delete), route("/{any}/b", .patch),
    ])
    let expected = [
      "/": "/", "/a": "/**", "/a/b": "/a/b", "/a/x": "/a/{id}", "/a/x/c": "/a/{id}/c", "/a/b/c": "/a/{id}/c",
      "/z/b": "/{any}/b", "/a/x/d": "/**", "/a//x/": "/a/{id}", "": "/",
    ]
    for (path, address) in expected { #expect(addresses.address(of: path)?.path == address, "\(path)") }
    #expect(addresses.address(of: "/a/x")?.methods == ["GET", "HEAD", "PUT"])
    #expect(Addresses([route("/a", .get)]).address(of: "/b") == nil)
  }

  @Test func `bodies that cannot be read are refused, each by its reason`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      for route in anna.table {
        guard case .json = route.body, !["setUp", "logIn"].contains(route.name) else { continue }
        func send(_ text: String, _ type: String? = "application/json") async throws -> String {
          try await anna.send(route.method, Self.address(route), bytes: Array(text.utf8), type: type).problem
        }
        let place = "\(route.method) \(route.path)"
        #expect(try await send("{") == "malformed", "\(place)")
        #expect(try await send("") == "malformed", "\(place)")
        #expect(try await send("{}", "text/plain") == "unsupported-media-type", "\(place)")
        #expect(try await send("{}", nil) == "unsupported-media-type", "\(place)")
        #expect(try await send("[]") == "invalid-content", "\(place)")
        #expect(try await send(#"{"nonsense":1}"#) == "invalid-content", "\(place)")
        let deep = String(repeating: "[", count: 10_000)
        #expect(try await send(deep) == "malformed", "\(place)")
        let notUTF8 = try await anna.send(
          route.method, Self.address(route), bytes: [0x22, 0xff, 0x22], type: "application/json")
        #expect(notUTF8.problem == "malformed", "\(place)")
      }
      let large = [UInt8](repeating: 32, count: ServerSettings.maximumJSONBytes + 1)
      let answer = try await anna.send(.post, "/api/v1/zones", bytes: large, type: "application/json")
      #expect(answer.problem == "too-large")
    }
  }

  @Test func `unknown, doubled and wrong parameters are refused`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let anna = try await server.visitor(stranger)
      for path in [
        "/api/v1/zones?nonsense=1", "/api/v1/zones?limit=0", "/api/v1/zones?limit=many",
        "/api/v1/zones?limit=1&limit=2", "/api/v1/zones?cursor=%2F", "/api/v1/zones?cursor=AAAA",
        "/api/v1/alarms?device=1", "/api/v1/devices/00000000deadbeef/explain",
      ] { #expect(try await anna.get(path).problem == "invalid-parameter", "\(path)") }
      #expect(try await anna.get("/api/v1/zones/nonsense").problem == "not-found")
      #expect(try await anna.get("/api/v1/zones/%00").problem == "not-found")
      let long = String(repeating: "a", count: ServerSettings.maximumAddressBytes)
      #expect(try await anna.get("/api/v1/zones?cursor=\(long)").problem == "address-too-long")
      let wide = anna.with(.userAgent, String(repeating: "a", count: ServerSettings.maximumHeaderBytes))
      #expect(try await wide.get("/api/v1/zones").problem == "headers-too-large")
    }
  }

  @Test func `the OpenAPI document has every route, with its parameters and answers`() async throws {
    let server = try await TestServer()
    try await server.run { stranger in
      let document = try await stranger.get("/openapi.json").json
      #expect(document["openapi"]?.string == "3.1.0")
      let health = try await stranger.get("/healthz").json
      #expect(document["info"]?["version"]?.string == health["version"]?.string)
      var operations = 0
      for (path, item) in document["paths"]?.members ?? [] {
        for (method, operation) in item.members ?? [] {
          operations += 1
          let route = try #require(
            stranger.table.first { $0.path == path && $0.method.rawValue.lowercased() == method })
          #expect(operation["operationId"]?.string == route.name)
          let parameters = operation["parameters"]?.list ?? []
          let inPath = parameters.filter { $0["in"]?.string == "path" }.compactMap { $0["name"]?.string }
          #expect(inPath == route.pathParameters, "\(path)")
          #expect(parameters.filter { $0["in"]?.string == "query" }.count == route.query.count, "\(path)")
          let statuses = Set(route.answers.map { String($0.status.code) } + ["default"])
          #expect(Set((operation["responses"]?.members ?? []).map(\.0)) == statuses, "\(path)")
          if case .none = route.body {
            #expect(operation["requestBody"] == nil, "\(path)")
          } else {
            #expect(operation["requestBody"] != nil, "\(path)")
          }
        }
      }
      #expect(operations == stranger.table.filter(\.isDocumented).count)
    }
  }

  @Test func `every problem's type leads to a text`() async throws {
    try await TestServer().run { stranger in
      for kind in Problem.Kind.allCases {
        let answer = try await stranger.get("/problems/\(kind.rawValue)")
        #expect(answer.text.contains(String(kind.status.code)))
      }
    }
  }
}
