import AlarmEngine
import Formats
import HTTPTypes
import Store
import TestSupport
import Testing

@testable import AlarmService
@testable import Server

@Suite("Answering somebody else's alarms over HTTP")
struct DeputyRoutesTests {
  /// Anna's alarm rings.
  private struct Scene {
    let ingest: IngestScene
    let ben: Visitor
    let carl: Visitor
    let alarm: String
    var anna: Visitor { ingest.anna }

    static func run(_ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
      try await IngestScene.run { ingest in
        let stranger = Visitor(client: ingest.anna.client, table: ingest.anna.table)
        let ben = try await ingest.server.visitor(stranger, "ben")
        let carl = try await ingest.server.visitor(stranger, "carl")
        let report = TestPhone.location(TestPlaces.inside, at: ingest.server.clock.now)
        #expect(try await ingest.phone.post("/pub?u=anna&d=phone", report).status == 200)
        let alarm = try #require(try await ingest.alarms().first)
        try await body(
          Scene(ingest: ingest, ben: ben, carl: carl, alarm: alarm.id.description))
      }
    }

    func offer(_ login: String) async throws -> Visitor.Answer {
      try await anna.post("/api/v1/deputies", [("login", .string(login))])
    }

    func state() async throws -> [String] {
      let alarm = try await anna.get("/api/v1/alarms/\(alarm)").json
      return [alarm["state"]?.string ?? "", alarm["answered_by"]?.string ?? "nobody"]
    }

    func answer(_ visitor: Visitor, _ word: String = "close") async throws -> Visitor.Answer {
      try await visitor.post("/api/v1/others-alarms/\(alarm)/\(word)")
    }

    func seen(_ visitor: Visitor) async throws -> [JSONValue] {
      try await visitor.get("/api/v1/others-alarms").json["items"]?.list ?? []
    }
  }

  @Test func `who agreed to it closes an alarm, which says who did, and sees no place`() async throws {
    try await Scene.run { scene in
      let offer = try await scene.offer("BEN")
      #expect(offer.status == .created && offer.json["is_accepted"]?.flag == false)
      #expect(try await scene.answer(scene.ben).status == .notFound)
      #expect(try await scene.seen(scene.ben).isEmpty)
      #expect(try await scene.ben.get("/api/v1/deputy-for").json["items"]?.list?.count == 1)
      #expect(try await scene.ben.send(.put, "/api/v1/deputies/\(offer.id)/accept").status == .noContent)
      let seen = try #require(try await scene.seen(scene.ben).first)
      #expect(seen["name"]?.string == "Cliff edge" && seen["owner_login"]?.string == "anna")
      #expect(seen["device_name"]?.string == "phone" && seen["state"]?.string == "ringing")
      let text = try await scene.ben.get("/api/v1/others-alarms").text
      for word in ["latitude", "longitude", "distance", "device_id", "zone_id", "46.05"] {
        #expect(!text.contains(word), "\(text)")
      }
      // It is answered only there: Anna's own routes remain hers.
      #expect(try await scene.ben.post("/api/v1/alarms/\(scene.alarm)/close").status == .notFound)
      #expect(try await scene.ben.get("/api/v1/alarms/\(scene.alarm)").status == .notFound)
      for answer in ["acknowledge", "today"] {
        #expect(try await scene.answer(scene.ben, answer).status == .notFound)
      }
      scene.ingest.server.clock.pass(.seconds(1))
      let slept = try await scene.answer(scene.ben, "sleep")
      #expect(slept.json["state"]?.string == "sleeping" && slept.json["until"]?.string != nil)
      #expect(try await scene.state() == ["sleeping", "account ben"])
      scene.ingest.server.clock.pass(.seconds(1))
      #expect(try await scene.answer(scene.ben).status == .ok)
      let log = try await scene.anna.get("/api/v1/account/audit").json["items"]?.list?.first
      #expect(log?["action"]?.string == "closeOthersAlarm" && log?["by"]?.string == "person")
      #expect(log?["by_name"]?.string == "ben" && log?["subject"]?.string == "Cliff edge")
      let own = try await scene.ben.get("/api/v1/account/audit").json["items"]?.list?.first
      #expect(own?["action"]?.string == "closeOthersAlarm" && own?["by"]?.string == "session")
      #expect(own?["subject"]?.string == "Cliff edge · anna")
    }
  }

  @Test func `strangers, those of before, other groups and programs with less are all refused alike`()
    async throws
  {
    try await Scene.run { scene in
      let offer = try await scene.offer("ben")
      #expect(try await scene.ben.send(.put, "/api/v1/deputies/\(offer.id)/accept").status == .noContent)
      // Carl has a group without Anna, and one of its members, Ben, lets him answer.
      let group = try await scene.carl.post("/api/v1/groups", [("name", .string("Carls"))])
      _ = try await scene.carl.post("/api/v1/groups/\(group.id)/members", [("login", .string("ben"))])
      let place = try #require(
        try await scene.ben.get("/api/v1/memberships").json["items"]?.list?.first?["id"]?.string)
      #expect(try await scene.ben.send(.put, "/api/v1/memberships/\(place)/accept").status == .noContent)
      #expect(
        try await scene.carl.send(.put, "/api/v1/memberships/\(place)/manager-answers").status == .notFound)
      #expect(
        try await scene.ben.send(.put, "/api/v1/memberships/\(place)/manager-answers").status == .noContent)
      // Ben's permission from Anna is not passed on.
      let refused = try await scene.answer(scene.carl)
      let unknown = try await scene.carl.post("/api/v1/others-alarms/00000000000000ff/close")
      #expect(refused.status == .notFound && refused.json["detail"]?.string == unknown.json["detail"]?.string)
      #expect(try await scene.seen(scene.carl).isEmpty)
      for scope in ["report", "read"] {
        let token = try await scene.ben.post("/api/v1/tokens", [("scope", .string(scope))])
        let program = Visitor(client: scene.ben.client, table: scene.ben.table)
          .with(.authorization, "Bearer \(token.json["token"]?.string ?? "")")
        #expect(try await scene.answer(program).status == .forbidden)
        #expect(
          try await program.get("/api/v1/others-alarms").status == (scope == "read" ? .ok : .forbidden))
      }
      let stranger = Visitor(client: scene.ben.client, table: scene.ben.table)
      #expect(try await scene.answer(stranger).status == .unauthorized)
      #expect(try await scene.carl.delete("/api/v1/deputies/\(offer.id)").status == .notFound)
      #expect(try await scene.state() == ["ringing", "nobody"])
      #expect(try await scene.anna.delete("/api/v1/deputies/\(offer.id)").status == .noContent)
      #expect(try await scene.answer(scene.ben).status == .notFound)
      #expect(try await scene.seen(scene.ben).isEmpty)
      #expect(try await scene.state() == ["ringing", "nobody"])
    }
  }

  @Test func `an offer does not tell whether a login exists, and one's own is none`() async throws {
    try await Scene.run { scene in
      let (known, unknown) = (try await scene.offer("ben"), try await scene.offer("nobody"))
      #expect(known.status == .created && unknown.status == .created)
      #expect((known.json.members ?? []).map(\.0) == (unknown.json.members ?? []).map(\.0))
      #expect(known.json["is_accepted"]?.flag == false && unknown.json["is_accepted"]?.flag == false)
      for login in ["Ben", "NOBODY"] { #expect(try await scene.offer(login).problem == "conflict") }
      let own = try await scene.offer("ANNA")
      #expect(own.problem == "invalid-content" && own.text.contains("/login"), "\(own.text)")
    }
  }

  @Test func `the manager of a group answers for who lets them, until either ends it`() async throws {
    try await Scene.run { scene in
      let group = try await scene.carl.post("/api/v1/groups", [("name", .string("Crew"))])
      _ = try await scene.carl.post("/api/v1/groups/\(group.id)/members", [("login", .string("anna"))])
      let place = try #require(
        try await scene.anna.get("/api/v1/memberships").json["items"]?.list?.first?["id"]?.string)
      #expect(try await scene.anna.send(.put, "/api/v1/memberships/\(place)/accept").status == .noContent)
      let path = "/api/v1/memberships/\(place)/manager-answers"
      #expect(try await scene.answer(scene.carl).status == .notFound)
      #expect(try await scene.anna.send(.put, path).status == .noContent)
      #expect(try await scene.answer(scene.carl).json["state"]?.string == "closed")
      #expect(try await scene.state() == ["closed", "account carl"])
      let held = try await scene.carl.get("/api/v1/deputy-for").json["items"]?.list?.first
      #expect(held?["group_name"]?.string == "Crew" && held?["membership_id"]?.string == place)
      #expect(try await scene.carl.delete(path).status == .noContent)
      #expect(try await scene.answer(scene.carl).status == .notFound)
      #expect(
        try await scene.anna.get("/api/v1/memberships").json["items"]?.list?.first?["manager_may_answer"]?
          .flag
          == false)
    }
  }
}
