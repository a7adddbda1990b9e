import AlarmEngine
import Formats
import Geometry
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("The SOS button of the page")
struct DistressRoutesTests {
  private static let place: [(String, JSONValue)] = [
    ("latitude", .number(TestPlaces.inside.latitude.degrees)),
    ("longitude", .number(TestPlaces.inside.longitude.degrees)),
  ]

  @Test func `it tells the channels who calls and where, once, and rings no zone there`() async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run { scene in
        _ = try await scene.webhook(hook.port)
        let raised = try await scene.anna.post("/api/v1/sos", Self.place)
        #expect(raised.status == .created)
        #expect(raised.json["subject"]?.string == "sos" && raised.json["state"]?.string == "ringing")
        let again = try await scene.anna.post("/api/v1/sos", Self.place)
        #expect(again.json["id"]?.string == raised.id)
        try await scene.server.parts.alarms.outbox.deliverDue()
        let told = hook.requests.compactMap { try? JSONValue.parse($0.body) }
        #expect(told.compactMap { $0["kind"]?.string } == ["sos"])
        #expect(told.first?["device"]?.string == "anna")
        #expect(try await scene.alarms().count == 1)
        #expect(try await scene.alarms()[0].position == TestPlaces.inside)
        await scene.pass(.seconds(15))
        #expect(try await scene.alarms()[0].rings == 2)
      }
    }
  }

  @Test(arguments: ["acknowledge", "sleep", "today"])
  func `without a place it is told all the same, and after an answer it is raised again`(
    _ answer: String
  ) async throws {
    try await IngestScene.run { scene in
      let first = try await scene.anna.post("/api/v1/sos", [])
      #expect(first.status == .created)
      #expect(try await scene.alarms()[0].position == nil)
      #expect(try await scene.anna.post("/api/v1/alarms/\(first.id)/\(answer)").status == .ok)
      await scene.pass(.seconds(2))
      let second = try await scene.anna.post("/api/v1/sos", [])
      #expect(second.id != first.id && second.json["state"]?.string == "ringing")
    }
  }

  @Test func `half a place, a stranger and a private account are refused`() async throws {
    try await IngestScene.run { scene in
      let half = try await scene.anna.post("/api/v1/sos", [("latitude", .number(46))])
      #expect(half.problem == "invalid-content")
      #expect(half.json["detail"]?.string == "latitude and longitude are given together or not at all")
      let text = try await scene.anna.post("/api/v1/sos", [("latitude", .string("46"))])
      #expect(text.json["detail"]?.string?.hasPrefix("/latitude: \"46\" found, a number") == true)
      #expect(
        try await scene.anna.post("/api/v1/sos", [("latitude", .number(91))]).problem == "invalid-content")
      var stranger = scene.anna
      (stranger.cookie, stranger.csrf) = (nil, nil)
      #expect(try await stranger.post("/api/v1/sos", []).status == .unauthorized)
      let account = try #require(AccountID(scene.anna.account))
      try await scene.store.setPrivate(true, account, at: scene.server.clock.now)
      #expect(try await scene.anna.post("/api/v1/sos", []).problem == "private-account")
      #expect(try await scene.alarms().isEmpty)
    }
  }
}
