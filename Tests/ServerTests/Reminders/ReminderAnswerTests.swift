import AlarmEngine
import Formats
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Answers to reminders")
struct ReminderAnswerTests {
  /// The path of a link in the last message.
  private static func path(_ link: String, in shop: ReminderScene) throws -> String {
    let url = try #require(shop.bodies.last?["links"]?[link]?.string)
    return url.replacing("https://alarm.example", with: "")
  }

  private static func stranger(_ shop: ReminderScene) -> Visitor {
    var stranger = shop.scene.anna
    (stranger.cookie, stranger.csrf) = (nil, nil)
    return stranger
  }

  @Test func `a link in the message completes it without signing in, when its button is pressed`()
    async throws
  {
    try await ReminderScene.run { shop in
      try await shop.report()
      let path = try Self.path("done", in: shop)
      let stranger = Self.stranger(shop)
      let page = try await stranger.get(path)
      #expect(page.text.contains("<h1>Groceries</h1>") && page.text.contains("milk"))
      #expect(try await shop.stored()["state"]?["kind"]?.string == "active")
      for _ in 0..<2 { #expect(try await stranger.send(.post, path).status == .ok) }
      #expect(try await shop.stored()["state"]?["kind"]?.string == "completed")
      try await shop.deliver()
      #expect(shop.kinds == ["reminder", "withdrawn"])
    }
  }

  @Test func `a link of a message does not complete a reminder that has begun anew since`() async throws {
    try await ReminderScene.run { shop in
      try await shop.report()
      let path = try Self.path("done", in: shop)
      let stranger = Self.stranger(shop)
      _ = try await shop.answer("done")
      try await shop.pass(.minutes(10))
      _ = try await shop.answer("restart")
      #expect(try await stranger.get(path).text.contains("begun anew"))
      #expect(try await stranger.send(.post, path).text.contains("begun anew"))
      #expect(try await shop.stored()["state"]?["kind"]?.string == "active")
    }
  }

  @Test func `S213: the link that snoozes takes an hour, or what its page offers`() async throws {
    try await ReminderScene.run { shop in
      try await shop.report()
      let path = try Self.path("snooze", in: shop)
      let stranger = Self.stranger(shop)
      let page = try await stranger.get(path).text
      for word in ["30m", "1h", "3h", "tomorrow", "1w"] { #expect(page.contains("?for=\(word)"), "\(word)") }
      let now = shop.clock.now
      func until() async throws -> String? { try await shop.stored()["state"]?["until"]?.string }
      _ = try await stranger.send(.post, path)
      #expect(try await until() == RFC3339.string(from: now + .hours(1)))
      _ = try await stranger.send(.post, path + "?for=3h")
      #expect(try await until() == RFC3339.string(from: now + .hours(3)))
      #expect(try await stranger.send(.post, path + "?for=never").status == .badRequest)
      _ = try await shop.answer("done")
      #expect(try await stranger.send(.post, path).text.contains("It is done."))
      #expect(try await shop.stored()["state"]?["kind"]?.string == "completed")
    }
  }

  @Test func `a link that is forged, of another kind, too old, or of a deleted reminder does nothing`()
    async throws
  {
    try await ReminderScene.run { shop in
      try await shop.report()
      let path = try Self.path("done", in: shop)
      let stranger = Self.stranger(shop)
      for wrong in ["/r/nonsense", "/l/" + path.dropFirst(3), "/n/" + path.dropFirst(3), path + "A"] {
        #expect(try await stranger.get(wrong).problem == "not-found", "\(wrong)")
        #expect(try await stranger.send(.post, wrong).problem == "not-found", "\(wrong)")
      }
      shop.clock.pass(.hours(49))
      #expect(try await stranger.send(.post, path).problem == "gone")
      #expect(try await shop.stored()["state"]?["kind"]?.string == "active")
    }
  }

  @Test func `S213: tomorrow is 9:00 by the account's time zone`() async throws {
    try await ReminderScene.run { shop in
      let answer = try await shop.answer("snooze", [("for", .string("tomorrow"))])
      let until = try #require(answer.json["state"]?["until"]?.string)
      #expect(until.contains("T09:00:00"))
      let end = try #require(RFC3339.instant(from: until))
      #expect(end > shop.clock.now + .hours(9) - .minutes(1) && end <= shop.clock.now + .hours(33))
    }
  }

  @Test func `a snooze needs one end, and one that is to come`() async throws {
    try await ReminderScene.run { shop in
      let now = shop.clock.now
      let bodies: [[(String, JSONValue)]] = [
        [], [("for", .string("2h"))], [("until", .string(RFC3339.string(from: now)))],
        [("for", .string("1h")), ("until", .string(RFC3339.string(from: now + .hours(2))))],
        [("until", .string("soon"))],
      ]
      for body in bodies {
        #expect(try await shop.answer("snooze", body).problem == "invalid-content", "\(body)")
      }
      let until = RFC3339.string(from: now + .hours(2))
      let answer = try await shop.answer("snooze", [("until", .string(until))])
      #expect(answer.json["state"]?["until"]?.string == until)
      for word in ["done", "restart"] {
        let path = "/api/v1/reminders/00000000000000ff/\(word)"
        #expect(try await shop.scene.anna.post(path).problem == "not-found")
      }
    }
  }

  @Test func `what stands in the outbox is read back as it was, and a long list is cut`() throws {
    let items = (0..<500).map { Reminder.Item(Text(String(repeating: "x", count: 500) + "\($0)")) }
    let place = Reminder.Place(name: "Shop", coordinate: TestPlaces.inside)
    let reminder = try Reminder(
      id: ReminderID(rawValue: 0x2a), title: "", items: [.init("eggs", done: true)] + items, places: [place])
    let device = Device(id: DeviceID(rawValue: 3), account: nil, name: "a", createdAt: TestServer.start)
    let payload = OutboxPayload.reminding(of: reminder, at: place, 80.4, on: device, at: TestServer.start)
    #expect(payload.count < 40_000)
    guard case .notice(let notice)? = OutboxMessage(payload) else {
      Issue.record("not read")
      return
    }
    #expect(notice.kind == .reminder && notice.content?.title == "Shop")
    #expect(notice.collapseKey == "reminder-000000000000002a" && notice.isHeard && !notice.isUrgent)
    #expect(notice.messages.count == 51 && notice.messages.last == "and 450 more")
    let end = OutboxPayload.withdrawing(reminder.id, .snoozed(until: TestServer.start), at: TestServer.start)
    guard case .withdrawal(let withdrawal)? = OutboxMessage(end) else {
      Issue.record("not read")
      return
    }
    #expect(withdrawal.isOfReminder && withdrawal.reason == .slept)
    #expect(withdrawal.collapseKey == notice.collapseKey)
    // Every channel says it.
    let push = String(decoding: try WebPushChannel.content(of: notice), as: UTF8.self)
    #expect(push.contains(#""tag":"reminder-000000000000002a""#) && push.contains(#""type":"notice""#))
    let apple = String(decoding: try APNsChannel.content(of: notice, isCritical: true), as: UTF8.self)
    #expect(apple.contains(#""sound":"default""#) && !apple.contains("critical"))
  }
}
