import AlarmEngine
import Formats
import Geometry
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Outbox worker")
struct OutboxWorkerTests {
  private static func attempts(_ scene: IngestScene, _ alarm: AlarmID) async throws -> [DeliveryAttempt
    .Outcome]
  {
    try await scene.store.attempts(of: alarm, account: scene.account).map(\.outcome)
  }

  @Test func `rings, is taken back when answered, and nothing of it stays behind`() async throws {
    try await LocalServer.run { hook in
      try await IngestScene.run { scene in
        _ = try await scene.webhook(hook.port)
        _ = try await scene.phone.ownTracks()
        let alarm = try #require(try await scene.alarms().first).id
        try await scene.server.parts.alarms.outbox.deliverDue()
        await scene.pass(.seconds(10))
        // This message has not been delivered yet, so the next one replaces it.
        await scene.pass(.seconds(10))
        try await scene.server.parts.alarms.outbox.deliverDue()
        #expect(try await Self.attempts(scene, alarm) == [.delivered, .delivered])
        await scene.pass(.seconds(10))
        _ = try await scene.anna.post("/api/v1/alarms/\(alarm)/acknowledge")
        try await scene.server.parts.alarms.outbox.deliverDue()
        #expect(try await Self.attempts(scene, alarm) == [.delivered, .delivered, .withdrawn])
        await scene.pass(.seconds(60))
        try await scene.server.parts.alarms.outbox.deliverDue()
        #expect(try await scene.store.nextDue() == nil)
        let kinds = hook.requests.map { (try? JSONValue.parse($0.body))?["kind"]?.string }
        #expect(kinds == ["ring", "repeat", "withdrawn"])
      }
    }
  }

  @Test func `a failed attempt is tried again, and a channel that is gone is switched off`() async throws {
    try await LocalServer.run(answers: [CannedAnswer(status: 503), CannedAnswer(status: 410)]) { hook in
      try await IngestScene.run { scene in
        let channel = try await scene.webhook(hook.port)
        _ = try await scene.phone.ownTracks()
        let alarm = try #require(try await scene.alarms().first).id
        try await scene.server.parts.alarms.outbox.deliverDue()
        #expect(try await Self.attempts(scene, alarm) == [.failed])
        try await scene.server.parts.alarms.outbox.deliverDue()
        #expect(try await Self.attempts(scene, alarm) == [.failed])
        scene.server.clock.pass(.seconds(3))
        try await scene.server.parts.alarms.outbox.deliverDue()
        #expect(try await Self.attempts(scene, alarm) == [.failed, .rejected])
        let id = ChannelID(rawValue: try #require(parsedID(channel)))
        #expect(try await scene.store.channel(id, of: scene.account).isActive == false)
      }
    }
  }

  @Test func `what nobody answers goes on to the next step`() async throws {
    try await LocalServer.run { first in
      try await LocalServer.run { second in
        try await IngestScene.run { scene in
          _ = try await scene.webhook(first.port)
          _ = try await scene.webhook(second.port, step: 1)
          _ = try await scene.phone.ownTracks()
          try await scene.server.parts.alarms.outbox.deliverDue()
          #expect(first.requests.count == 1)
          #expect(second.requests.isEmpty)
          await scene.pass(.seconds(61))
          try await scene.server.parts.alarms.outbox.deliverDue()
          #expect(second.requests.count == 1)
          #expect(try await scene.alarms().first?.escalationStep.number == 1)
        }
      }
    }
  }

  @Test func `whoever was not reached hears of an alarm that the phone has left`() async throws {
    try await LocalServer.run(answers: [CannedAnswer(status: 503), CannedAnswer()]) { hook in
      try await IngestScene.run { scene in
        _ = try await scene.webhook(hook.port)
        _ = try await scene.phone.ownTracks()
        try await scene.server.parts.alarms.outbox.deliverDue()
        for _ in 0..<3 {
          scene.server.clock.pass(.seconds(60))
          _ = try await scene.phone.ownTracks(TestPlaces.outside)
        }
        let alarm = try #require(try await scene.alarms().first)
        #expect(alarm.clearing == .left)
        for _ in 0..<4 {
          try await scene.server.parts.alarms.outbox.deliverDue()
          scene.server.clock.pass(.seconds(5))
        }
        let outcomes = try await Self.attempts(scene, alarm.id)
        #expect(outcomes.filter { $0 == .delivered }.count == 2, "\(outcomes)")
      }
    }
  }

  @Test func `what stands in the outbox is read back as it was`() throws {
    let id = AlarmID(rawValue: 0xfeed)
    let device = Device(
      id: DeviceID(rawValue: 7), account: nil, name: "p\"ho\nne", createdAt: TestServer.start)
    var record = AlarmRecord(
      id: id, account: AccountID(rawValue: 1), device: device.id,
      subject: .zone(ZoneID(rawValue: 9), name: "Cliff edge", .passed), began: TestServer.start,
      decidedAt: TestServer.start, learnedAt: TestServer.start + .seconds(4), distance: .metres(-3.25),
      position: TestPlaces.inside, lastRangAt: TestServer.start, version: 3)
    guard
      case .notice(let notice)? = OutboxMessage(
        OutboxPayload(record, zone: nil, device: device).notice(record.ring))
    else {
      Issue.record("not read")
      return
    }
    #expect(notice.alarm == id)
    #expect(notice.sequence == 2)
    #expect(notice.kind == .ring)
    #expect(notice.zone?.name == "Cliff edge")
    #expect(notice.cause == .passed)
    #expect(notice.device.id == device.id)
    #expect(notice.time == record.began)
    #expect(notice.learnedAt == record.learnedAt)
    #expect(notice.distance == record.distance)
    #expect(notice.position?.coordinate == record.position)
    for kind in NoticeKind.allCases {
      let sample = ServerTests.notice(kind, links: .init())
      let stored = JSONValue.object(NoticeJSON.members(of: sample)).text
      #expect(OutboxMessage(Array(stored.utf8)) == .notice(sample), "\(kind)")
      // A row that lacks the details of its kind still tells of the alarm.
      let bare =
        #"{"kind":"\#(kind.rawValue)","alarm":"000000000000feed","sequence":1,"device_id":"0000000000000007","#
        + #""time":"2026-06-01T00:00:00Z","learned_at":"2026-06-01T00:00:00Z"}"#
      guard case .notice(let read)? = OutboxMessage(Array(bare.utf8)) else {
        Issue.record("\(kind) is lost")
        continue
      }
      #expect(read.kind == kind && read.alarm == id && !NoticeWords(read).title.isEmpty)
    }
    record.state = .sleeping(until: TestServer.start)
    let withdrawal = OutboxPayload(record, zone: nil, device: device).withdrawal
    #expect(
      OutboxMessage(withdrawal) == .withdrawal(AlarmWithdrawal(alarm: id, sequence: 2, reason: .slept)))
    for broken in ["", "{}", "[]", #"{"kind":"ring"}"#, #"{"kind":"withdrawn","alarm":"1"}"#] {
      #expect(OutboxMessage(Array(broken.utf8)) == nil)
    }
  }
}
