import AlarmEngine
import Formats
import HTTPTypes
import NIOConcurrencyHelpers
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Daily tests of channels")
struct DailyTestTests {
  private static func webhook(
    _ scene: IngestScene, _ port: Int, _ name: String, daily: JSONValue
  ) async throws -> Visitor.Answer {
    try await scene.anna.post(
      "/api/v1/channels",
      [
        ("kind", .string("webhook")), ("name", .string(name)), ("daily_test", daily),
        (
          "configuration",
          .object([
            ("url", .string("http://127.0.0.1:\(port)/hook")),
            ("secret", .string("0123456789abcdef0123456789abcdef")),
          ])
        ),
      ])
  }

  /// Lets time pass, and runs everything that is due by then.
  private static func pass(_ span: TimeSpan, _ scene: IngestScene) async throws {
    await scene.pass(span)
    try await scene.server.parts.alarms.dailyTests.sendDue()
    try await scene.server.parts.alarms.outbox.deliverDue()
  }

  private static func lastTest(_ scene: IngestScene, _ id: String) async throws -> JSONValue? {
    try await scene.anna.get("/api/v1/channels/\(id)").json["last_test"]
  }

  @Test func `a test is sent at its time of day, once, and what came of it is told`() async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run { scene in
        // 11:06:40 UTC is 16:36:40 in Kolkata.
        let settings = try await scene.anna.get("/api/v1/settings")
        _ = try await scene.anna.with(.ifMatch, settings.tag).put(
          "/api/v1/settings", [("time_zone", .string("Asia/Kolkata"))])
        let made = try await Self.webhook(scene, hook.port, "hook", daily: .string("16:40"))
        #expect(made.status == .created, "\(made.text)")
        #expect(made.json["daily_test"]?.string == "16:40")
        #expect(made.json["last_test"]?.isNull == true)
        try await Self.pass(.seconds(199), scene)
        #expect(hook.requests.isEmpty)
        try await Self.pass(.seconds(2), scene)
        #expect(hook.requests.count == 1)
        let body = try JSONValue.parse(try #require(hook.requests.first).body)
        #expect(body["kind"]?.string == "test" && body["title"]?.string == "Daily test")
        #expect(body["links"] == nil, "there is no alarm to answer")
        let test = try await Self.lastTest(scene, made.id)
        #expect(test?["at"]?.string != nil && test?["failure"]?.isNull == true)
        try await Self.pass(.hours(23.9), scene)
        #expect(hook.requests.count == 1)
        try await Self.pass(.hours(0.1), scene)
        #expect(hook.requests.count == 2)
        // After days in which no server ran there is one test, not one for each day.
        try await Self.pass(.hours(24 * 5), scene)
        try await Self.pass(.zero, scene)
        #expect(hook.requests.count == 3)
      }
    }
  }

  @Test func `a channel that broke is told to the others within the hour`() async throws {
    let isBroken = NIOLockedValueBox(true)
    try await LocalServer.run { other in
      try await LocalServer.run(answering: { _, _ in
        .init(status: isBroken.withLockedValue { $0 } ? 503 : 200)
      }) {
        hook in
        try await IngestScene.run { scene in
          _ = try await Self.webhook(scene, other.port, "other", daily: .null)
          let made = try await Self.webhook(scene, hook.port, "hook", daily: .string("11:10"))
          for _ in 0..<130 { try await Self.pass(.seconds(30), scene) }
          try await scene.server.parts.alarms.outbox.deliverDue()
          #expect(hook.requests.count > 2, "it was tried again and again")
          #expect(other.requests.count == 1)
          let body = try JSONValue.parse(try #require(other.requests.first).body)
          #expect(body["kind"]?.string == "notice")
          #expect(body["title"]?.string == "hook: the daily test did not arrive")
          #expect(body["text"]?.string?.contains("503") == true, "\(body.text)")
          #expect(try await Self.lastTest(scene, made.id)?["failure"]?.string?.contains("503") == true)
          isBroken.withLockedValue { $0 = false }
          #expect(
            try await scene.anna.post("/api/v1/channels/\(made.id)/test").json["outcome"]?.string
              == "delivered")
          #expect(try await Self.lastTest(scene, made.id)?["failure"]?.isNull == true)
        }
      }
    }
  }

  @Test(arguments: ["24:00", "7:30", "07:60", "07-30", "+7:30", "٠٧:٣٠", ""])
  func `a time that is none is refused`(time: String) async throws {
    try await IngestScene.run { scene in
      let answer = try await Self.webhook(scene, 9, "hook", daily: .string(time))
      #expect(answer.problem == "invalid-content" && answer.text.contains("/daily_test"), "\(answer.text)")
    }
  }

  @Test func `clocks that are put forward or back move a test by no day`() throws {
    let calendar = AccountCalendar(AccountSettings(json: #"{"time_zone":"Europe/Berlin"}"#, revision: .first))
    func next(_ minute: Int, after text: String) throws -> String {
      RFC3339.string(from: calendar.next(minute: minute, after: try #require(RFC3339.instant(from: text))))
    }
    #expect(try next(600, after: "2026-11-25T08:59:59Z").hasPrefix("2026-11-25T09:00:00"))
    #expect(try next(600, after: "2026-11-25T09:00:00Z").hasPrefix("2026-11-26T09:00:00"))
    // On 29 March there is no 02:30; on 25 October there are two.
    #expect(try next(150, after: "2026-03-28T12:00:00Z").hasPrefix("2026-03-29T01:00:00"))
    #expect(try next(150, after: "2026-03-29T01:00:00Z").hasPrefix("2026-03-30T00:30:00"))
    #expect(try next(150, after: "2026-10-24T12:00:00Z").hasPrefix("2026-10-25T00:30:00"))
    #expect(try next(150, after: "2026-10-25T00:30:00Z").hasPrefix("2026-10-26T01:30:00"))
  }
}
