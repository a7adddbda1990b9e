import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Hummingbird
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server
@testable import Store

/// A phone that is to be at the zone "School" by 13:00 in Berlin, and a webhook that is told. It is 12:06:40 there,
/// on a Wednesday.
struct ArrivalScene: Sendable {
  let scene: IngestScene
  let hook: LocalServer

  var clock: TestServer.MovableClock { scene.server.clock }
  /// 13:00 in Berlin.
  static let due = TestServer.start + .minutes(53) + .seconds(20)

  static func run(
    store: SQLStore? = nil, _ body: @escaping @Sendable (ArrivalScene) async throws -> Void
  ) async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run(zones: [JSONValue.zone("School")], store: store) { scene in
        _ = try await scene.webhook(hook.port)
        _ = try await scene.phone.ownTracks(TestPlaces.outside)
        try await body(ArrivalScene(scene: scene, hook: hook))
      }
    }
  }

  func zone() async throws -> String {
    try await scene.anna.get("/api/v1/zones").json["items"]?.list?.first?["id"]?.string ?? ""
  }

  func expect(_ further: [(String, JSONValue)] = []) async throws -> Visitor.Answer {
    let given = Set(further.map(\.0))
    let usual: [(String, JSONValue)] = [
      ("zone_id", .string(try await zone())), ("time", .string("13:00")),
      ("weekdays", .array([1, 2, 3, 4, 5].map { .integer($0) })), ("time_zone", .string("Europe/Berlin")),
    ]
    return try await scene.anna.post(
      "/api/v1/expected-arrivals", usual.filter { !given.contains($0.0) } + further)
  }

  func edit(_ id: String, _ change: [(String, JSONValue)]) async throws -> Visitor.Answer {
    let answer = try await scene.anna.send(
      .patch, "/api/v1/expected-arrivals/\(id)", .object(change))
    try await deliver()
    return answer
  }

  /// Lets time pass until a moment.
  func wait(until time: Instant) async throws {
    await scene.pass(time - clock.now)
    try await deliver()
  }

  func report(_ place: Coordinate, at time: Instant? = nil) async throws {
    #expect(try await scene.phone.ownTracks(place, at: time).status == 200)
    try await deliver()
  }

  func deliver() async throws { try await scene.server.parts.alarms.outbox.deliverDue() }

  /// The alarms about arrivals, the latest first.
  func missing() async throws -> [AlarmRecord] { try await scene.alarms().filter { $0.missing != nil } }

  var told: [JSONValue] {
    hook.requests.compactMap { try? JSONValue.parse($0.body) }.filter { $0["zone"]?.string == "School" }
  }
  var kinds: [String] { told.compactMap { $0["kind"]?.string } }
}

extension ArrivalScene {
  /// Leases what waits for delivery, and tells the words for one kind of channel.
  func wordsLeased(_ kind: ChannelKind) async throws -> [NoticeWords] {
    try await scene.leased().filter { $0.channel == kind }.map { NoticeWords($0.notice) }
  }
}
