import AlarmEngine
import Formats
import Foundation
import Geometry
import HTTPTypes
import Hummingbird
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

enum TestPlaces {
  /// The centre of the 100 m circle of `JSONValue.zone`.
  static let inside = Coordinate(latitude: .degrees(46.051), longitude: .degrees(14.505))
  static let outside = Coordinate(latitude: .degrees(46.071), longitude: .degrees(14.505))
}

/// A phone's app; it posts as the app would.
struct TestPhone: Sendable {
  let client: TestClient
  let clock: TestServer.MovableClock
  var token: String?

  struct Reply {
    let status: Int
    let headers: HTTPFields
    let text: String
  }

  /// - Parameter authorization: nil sends the token as the password of Basic.
  func post(
    _ path: String, _ body: String = "", authorization: String? = nil, method: HTTPRequest.Method = .post,
    headers extra: [String: String] = [:]
  ) async throws -> Reply {
    var headers = HTTPFields()
    headers[.contentType] = "application/json"
    if let authorization {
      headers[.authorization] = authorization.isEmpty ? nil : authorization
    } else if let token {
      headers[.authorization] = "Basic " + Data("anna:\(token)".utf8).base64EncodedString()
    }
    for (name, value) in extra { headers[try #require(HTTPField.Name(name))] = value }
    let response = try await client.executeRequest(
      uri: path, method: method, headers: headers, body: body.isEmpty ? nil : ByteBuffer(string: body))
    return Reply(status: response.status.code, headers: response.headers, text: String(buffer: response.body))
  }

  /// Posts a location in OwnTracks' form, as in protocols.md.
  func ownTracks(
    _ place: Coordinate = TestPlaces.inside, at time: Instant? = nil, device: String = "phone"
  ) async throws -> Reply {
    try await post("/pub?u=anna&d=\(device)", Self.location(place, at: time ?? clock.now))
  }

  static func location(_ place: Coordinate, at time: Instant) -> String {
    """
    {"_type":"location","lat":\(place.latitude.degrees),"lon":\(place.longitude.degrees),\
    "tst":\(time.millisecondsSince1970 / 1000),"acc":12,"alt":298,"vac":4,"vel":0,"cog":181,"batt":63,"bs":1,\
    "conn":"m","m":1,"t":"u","tid":"AN","topic":"owntracks/anna/phone","_id":"a1b2c3d4"}
    """
  }
}

/// A server with a signed-in visitor and a phone of hers.
struct IngestScene: Sendable {
  let server: TestServer
  let anna: Visitor
  let phone: TestPhone
  var store: SQLStore { server.parts.core.store }
  var account: AccountID { AccountID(rawValue: parsedID(anna.account) ?? 0) }

  static func run(
    zones: [[(String, JSONValue)]] = [JSONValue.zone("Cliff edge")], store: SQLStore? = nil,
    deviceBounds: DeviceCache.Bounds = .init(), settings: ServerSettings = ServerSettings(),
    mail: SMTPClient? = nil, neighbours: Neighbours = .init(), clock: TestServer.MovableClock? = nil,
    mqtt: (any MQTTOutlet)? = nil,
    _ body: @escaping @Sendable (IngestScene) async throws -> Void
  ) async throws {
    let server = try await TestServer(
      settings, deviceBounds: deviceBounds, neighbours: neighbours, store: store, clock: clock, mail: mail,
      mqtt: mqtt)
    // Without the services that wait for timers and deliveries: tests let time pass and deliver themselves.
    let application = Application(router: ProximityServer.router(server.parts), logger: TestServer.silent)
    try await application.test(.router) { client in
      let stranger = Visitor(client: client, table: RouteTable.all(server.parts))
      let anna = try await server.visitor(stranger, "anna", isAdministrator: true)
      for zone in zones {
        let made = try await anna.post("/api/v1/zones", zone)
        #expect(made.status == .created)
      }
      let token = try await anna.post("/api/v1/tokens", [("name", .string("phones"))])
      let phone = TestPhone(client: stranger.client, clock: server.clock, token: token.json["token"]?.string)
      try await body(IngestScene(server: server, anna: anna, phone: phone))
    }
  }

  func alarms() async throws -> [AlarmRecord] {
    try await store.alarms(of: account, device: nil, before: nil, limit: 100)
  }

  func theDevice() async throws -> Device { try #require(try await store.devices(of: account).first) }

  /// Lets time pass, and runs what falls due.
  func pass(_ span: TimeSpan) async {
    server.clock.pass(span)
    await server.parts.alarms.ingest.letTimePass()
  }

  func webhook(_ port: Int, step: Int = 0) async throws -> String {
    let made = try await anna.post(
      "/api/v1/channels",
      [
        ("kind", .string("webhook")), ("name", .string("hook \(step)")),
        ("escalation_step", .integer(Int64(step))),
        (
          "configuration",
          .object([
            ("url", .string("http://127.0.0.1:\(port)/hook")),
            ("secret", .string("0123456789abcdef0123456789abcdef")),
          ])
        ),
      ])
    #expect(made.status == .created)
    return made.id
  }
}
