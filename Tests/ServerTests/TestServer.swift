import AlarmEngine
import Formats
import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// A server for one test: memory instead of a disk, and a clock that the test moves.
struct TestServer: Sendable {
  let parts: ServerParts
  let clock: MovableClock

  final class MovableClock: Sendable {
    private let clocks: NIOLockedValueBox<(now: Instant, uptime: TimeSpan)>
    private let countsPauses: Bool
    /// - Parameter countsPauses: true for a server that does no work while time passes, and so notices a
    ///   pause.
    init(_ start: Instant, countsPauses: Bool = false) {
      clocks = NIOLockedValueBox((start, .zero))
      self.countsPauses = countsPauses
    }
    var now: Instant { clocks.withLockedValue { $0.now } }
    func pass(_ span: TimeSpan) {
      clocks.withLockedValue { $0 = ($0.now + span, $0.uptime + span) }
    }
    /// Sets the clock; no time passes.
    func set(by span: TimeSpan) { clocks.withLockedValue { $0.now = $0.now + span } }

    var server: ServerClock {
      let uptime = { @Sendable in self.clocks.withLockedValue { $0.uptime } }
      return ServerClock({ self.now }, uptime: uptime, elapsed: countsPauses ? uptime : nil)
    }
  }

  /// Never shut down: a client may not be released before its shutdown.
  static let http = DeliveryHTTP(policy: TargetPolicy(allowsPrivateNetworks: true))
  static let silent = Logger(label: "test") {
    JSONLogHandler(label: $0, level: .critical, sink: .init { _ in })
  }
  static let start = Instant(millisecondsSince1970: 1_795_000_000_000)

  init(
    _ settings: ServerSettings = ServerSettings(), places: PlaceFinder? = nil,
    queue: IngestQueue = IngestQueue(), deviceBounds: DeviceCache.Bounds = .init(),
    neighbours: Neighbours = .init(), logger: Logger? = nil,
    store: SQLStore? = nil, hub: EventHub? = nil,
    clock: MovableClock? = nil, readinessPatience: Duration = .seconds(60), mail: SMTPClient? = nil,
    http: DeliveryHTTP = Self.http,
    mqtt: (any MQTTOutlet)? = nil
  ) async throws {
    let clock = clock ?? MovableClock(Self.start)
    var settings = settings
    settings.port = 0
    settings.allowsPrivateTargets = true
    self.clock = clock
    var services = DeliveryServices(
      http: http, mail: mail,
      webPush: try VAPIDSigner(privateKey: VAPIDSigner.newPrivateKey(), contact: "mailto:test@example.org"))
    services.mqtt = mqtt
    parts = try await ServerParts(
      settings: settings, store: try store ?? SQLStore.inMemory(), clock: clock.server,
      passwords: PasswordHasher(cost: .least), services: services, hub: hub,
      places: places, queue: queue, deviceBounds: deviceBounds, neighbours: neighbours,
      readinessPatience: readinessPatience, oidcHTTP: http, logger: logger ?? Self.silent)
  }

  /// Runs the application, without a socket unless it is `.live`.
  func run(
    _ setup: TestingSetup = .router, _ body: @escaping @Sendable (Visitor) async throws -> Void
  ) async throws {
    try await ProximityServer(parts: parts).application().test(setup) { client in
      try await body(Visitor(client: client, table: RouteTable.all(parts)))
    }
  }

  var intake: MQTTIntake {
    MQTTIntake(core: parts.core, alarms: parts.alarms, status: parts.operation.mqtt)
  }

  /// A new one, with no memory of what it has published.
  var mirror: MQTTMirror {
    MQTTMirror(parts.core, parts.alarms.services, parts.operation.mqtt, root: "proximity")
  }

  /// A set-up token, as the server prints it at its start.
  func setUpToken(isAdministrator: Bool = true) async throws -> String {
    try await ProximityServer.newSetUpSecret(
      parts.core.store, isAdministrator: isAdministrator, at: clock.now)
  }

  /// A visitor with a new account, signed in.
  func visitor(
    _ stranger: Visitor, _ login: String = "anna", isAdministrator: Bool = false
  ) async throws -> Visitor {
    let answer = try await stranger.post(
      "/api/v1/setup",
      [
        ("token", .string(try await setUpToken(isAdministrator: isAdministrator))), ("login", .string(login)),
        ("password", .string("correct horse")),
      ])
    #expect(answer.status == .created)
    return try stranger.signed(by: answer)
  }
}

/// One client: a browser with its cookie, or a program with its token.
///
/// Every answer is checked against the route table: its status must be documented or a problem, and its
/// content must match the schema.
struct Visitor: Sendable {
  let client: TestClient
  let table: [Route]
  var cookie: String?
  var csrf: String?
  var account = ""
  var extra: HTTPFields = [:]

  struct Answer: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let bytes: [UInt8]
    let json: JSONValue
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var problem: String { json["type"]?.string?.replacing("/problems/", with: "") ?? "" }
    var id: String { json["id"]?.string ?? "" }
    var tag: String { headers[.eTag] ?? "" }
  }

  func signed(by answer: Answer) throws -> Visitor {
    var visitor = self
    let cookie = try #require(answer.headers[.setCookie])
    visitor.cookie = String(cookie.prefix { $0 != ";" })
    visitor.csrf = try #require(answer.json["csrf_token"]?.string)
    visitor.account = answer.json["account"]?["id"]?.string ?? ""
    return visitor
  }

  func with(_ name: HTTPField.Name, _ value: String) -> Visitor {
    var visitor = self
    visitor.extra[name] = value
    return visitor
  }

  func get(_ path: String) async throws -> Answer { try await send(.get, path) }
  func post(_ path: String, _ members: [(String, JSONValue)]) async throws -> Answer {
    try await send(.post, path, .object(members))
  }
  func post(_ path: String) async throws -> Answer { try await send(.post, path) }
  func put(_ path: String, _ members: [(String, JSONValue)]) async throws -> Answer {
    try await send(.put, path, .object(members))
  }
  func delete(_ path: String) async throws -> Answer { try await send(.delete, path) }

  func send(_ method: HTTPRequest.Method, _ path: String, _ json: JSONValue? = nil) async throws -> Answer {
    try await send(
      method, path, bytes: json.map { Array($0.text.utf8) }, type: json == nil ? nil : "application/json")
  }

  func send(
    _ method: HTTPRequest.Method, _ path: String, bytes: [UInt8]?, type: String?
  ) async throws -> Answer {
    var headers = extra
    if let type { headers[.contentType] = type }
    if let cookie { headers[.cookie] = cookie }
    if let csrf, method != .get { headers[.csrfToken] = csrf }
    let response = try await client.executeRequest(
      uri: path, method: method, headers: headers, body: bytes.map { ByteBuffer(bytes: $0) })
    let body = Array(buffer: response.body)
    let type = response.headers[.contentType] ?? ""
    let value = type.hasSuffix("json") ? (try? JSONValue.parse(body)) ?? .null : .null
    let answer = Answer(status: response.status, headers: response.headers, bytes: body, json: value)
    check(answer, method, path, type)
    return answer
  }

  private func check(_ answer: Answer, _ method: HTTPRequest.Method, _ path: String, _ type: String) {
    // Phones' apps have answers of their own.
    if let route = Self.route(method, path, among: table), case .phone = route.handler, !route.isDocumented {
      return
    }
    let place = "\(method) \(path) -> \(answer.status.code) \(answer.text.prefix(300))"
    #expect(answer.headers[.contentSecurityPolicy] != nil, "\(place)")
    #expect(answer.headers[.requestID] != nil, "\(place)")
    let told = Self.route(method, path, among: table)?.answers.first { $0.status == answer.status }
    if case .media(let types)? = told?.content, answer.status.code >= 400 {
      // A page that tells people what a problem tells programs.
      #expect(types.contains { type.hasPrefix($0) }, "\(place)")
      return
    }
    guard answer.status.code < 400 else {
      #expect(type == "application/problem+json", "\(place)")
      #expect(Schema.named(.problem).findings(in: answer.json).isEmpty, "\(place)")
      #expect(answer.status.code != 500, "\(place)")
      return
    }
    guard let route = Self.route(method, path, among: table) else { return }
    guard answer.status != .notModified else { return }
    let documented = route.answers.filter { $0.status == answer.status }
    #expect(!documented.isEmpty, "not documented: \(place)")
    for answered in documented.prefix(1) {
      if answered.hasETag { #expect(answer.headers[.eTag] != nil, "\(place)") }
      switch answered.content {
      case .nothing: #expect(answer.bytes.isEmpty, "\(place)")
      case .media(let types): #expect(types.contains { type.hasPrefix($0) }, "\(place)")
      case .json(let schema, _):
        let findings = schema.findings(in: answer.json)
        #expect(findings.isEmpty, "\(findings) in \(place)")
      }
    }
  }

  static func route(_ method: HTTPRequest.Method, _ path: String, among table: [Route]) -> Route? {
    let parts = path.prefix { $0 != "?" }.split(separator: "/")
    let fitting = table.filter { route in
      guard route.method == method else { return false }
      let pattern = route.path.split(separator: "/")
      return pattern.count == parts.count
        && zip(pattern, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
    // Prefers literal parts to parameters, as the router does.
    return fitting.min { $0.pathParameters.count < $1.pathParameters.count }
  }
}

extension JSONValue {
  static func place(_ latitude: Double, _ longitude: Double) -> JSONValue {
    .object([("latitude", .number(latitude)), ("longitude", .number(longitude))])
  }
  /// A circle in the API's form.
  static func zone(_ name: String, _ latitude: Double = 46.051, _ longitude: Double = 14.505) -> [(
    String, JSONValue
  )] {
    [
      ("name", .string(name)), ("size_m", .number(100)),
      (
        "outline",
        .object([("kind", .string("locations")), ("places", .array([place(latitude, longitude)]))])
      ),
    ]
  }
}
