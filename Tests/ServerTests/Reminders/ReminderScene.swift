import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// A phone that walks to a shop, and a webhook that is told.
struct ReminderScene: Sendable {
  let scene: IngestScene
  let hook: LocalServer
  /// The id of the reminder.
  let groceries: String

  var clock: TestServer.MovableClock { scene.server.clock }

  static func reminder(
    at place: Coordinate = TestPlaces.inside, repeats: Bool = false, items: [String] = ["milk", "bread"],
    state: JSONValue? = nil
  ) -> [(String, JSONValue)] {
    [
      ("title", .string("Groceries")),
      ("items", .array(items.map { .object([("text", .string($0))]) })),
      (
        "places",
        .array([
          .object([
            ("name", .string("Corner shop")), ("latitude", .number(place.latitude.degrees)),
            ("longitude", .number(place.longitude.degrees)),
          ])
        ])
      ), ("repeats", .bool(repeats)),
    ] + (state.map { [("state", $0)] } ?? [])
  }

  static func run(
    repeats: Bool = false, store: SQLStore? = nil,
    _ body: @escaping @Sendable (ReminderScene) async throws -> Void
  ) async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run(zones: [], store: store) { scene in
        _ = try await scene.webhook(hook.port)
        scene.server.parts.alarms.outbox.listens(at: "https://alarm.example")
        let made = try await scene.anna.post("/api/v1/reminders", reminder(repeats: repeats))
        #expect(made.status == .created && made.json["told"]?.list?.isEmpty == true)
        try await body(ReminderScene(scene: scene, hook: hook, groceries: made.id))
      }
    }
  }

  /// The kinds of the messages that the webhook has got.
  var kinds: [String] { bodies.compactMap { $0["kind"]?.string } }
  var bodies: [JSONValue] { hook.requests.compactMap { try? JSONValue.parse($0.body) } }

  func deliver() async throws { try await scene.server.parts.alarms.outbox.deliverDue() }

  /// A minute passes, the phone reports, and everything that is due is delivered.
  func report(_ place: Coordinate = TestPlaces.inside, measured age: TimeSpan = .zero) async throws {
    clock.pass(.minutes(1))
    #expect(try await scene.phone.ownTracks(place, at: clock.now - age).status == 200)
    try await deliver()
  }

  func pass(_ span: TimeSpan) async throws {
    await scene.pass(span)
    try await deliver()
  }

  func answer(_ word: String, _ body: [(String, JSONValue)]? = nil) async throws -> Visitor.Answer {
    let path = "/api/v1/reminders/\(groceries)/\(word)"
    let answer =
      if let body { try await scene.anna.post(path, body) } else { try await scene.anna.post(path) }
    try await deliver()
    return answer
  }

  func stored() async throws -> JSONValue {
    try await scene.anna.get("/api/v1/reminders/\(groceries)").json
  }
}
