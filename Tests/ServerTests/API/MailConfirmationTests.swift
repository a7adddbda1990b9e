import AlarmEngine
import Formats
import Foundation
import HTTPTypes
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Mail channels")
struct MailConfirmationTests {
  private static func channel(_ visitor: Visitor, _ address: String) async throws -> Visitor.Answer {
    try await visitor.post(
      "/api/v1/channels",
      [
        ("kind", .string("mail")), ("name", .string(address)),
        ("configuration", .object([("address", .string(address))])),
      ])
  }

  private static func settings() -> ServerSettings {
    var settings = ServerSettings()
    settings.publicURL = URL(string: "http://alarm.example.org")
    return settings
  }

  @Test func `no alarm is mailed before somebody who reads the address agrees, and others are told at once`()
    async throws
  {
    try await LocalMailServer.run { mail in
      try await LocalServer.run { hook in
        try await IngestScene.run(settings: Self.settings(), mail: try mail.client()) { scene in
          let made = try await Self.channel(scene.anna, "ben@example.org")
          #expect(made.json["awaits_confirmation"]?.flag == true)
          _ = try await scene.webhook(hook.port, step: 1)
          await scene.server.parts.operation.backgroundTasks.finished()
          #expect(mail.mails.map(\.to) == ["ben@example.org"])
          let tried = try await scene.anna.post("/api/v1/channels/\(made.id)/test")
          #expect(tried.json["outcome"]?.string == "refused" && tried.text.contains("not confirmed"))
          _ = try await scene.phone.ownTracks()
          try await scene.server.parts.alarms.outbox.deliverDue()
          await scene.pass(.seconds(1))
          try await scene.server.parts.alarms.outbox.deliverDue()
          #expect(mail.mails.count == 1)
          // The first channel reaches nobody, so the second does not wait for an answer.
          #expect(hook.requests.count == 1)
          let link = try mail.mails[0].link("http://alarm.example.org/c/")
          let path = String(link.dropFirst("http://alarm.example.org".count))
          var stranger = scene.anna
          (stranger.cookie, stranger.csrf) = (nil, nil)
          #expect(try await stranger.post(path).status == .ok)
          #expect(
            try await scene.anna.get("/api/v1/channels/\(made.id)").json["awaits_confirmation"]?.flag == false
          )
          for place in [TestPlaces.outside, TestPlaces.outside, TestPlaces.outside, TestPlaces.inside] {
            await scene.pass(.seconds(60))
            _ = try await scene.phone.ownTracks(place)
          }
          for _ in 0..<3 { try await scene.server.parts.alarms.outbox.deliverDue() }
          let alarms = mail.mails.filter { $0.text.contains("Subject: Alarm: Cliff edge") }
          #expect(alarms.map(\.to) == ["ben@example.org"])
          // A second channel to an address that agreed is used at once.
          #expect(
            try await Self.channel(scene.anna, "ben@example.org").json["awaits_confirmation"]?.flag == false)
        }
      }
    }
  }

  @Test func `the link is mailed again on request, a few times`() async throws {
    try await LocalMailServer.run { mail in
      let server = try await TestServer(Self.settings(), mail: try mail.client())
      try await server.run { stranger in
        let anna = try await server.visitor(stranger)
        let id = try await Self.channel(anna, "ben@example.org").id
        for status in [HTTPResponse.Status.noContent, .noContent, .tooManyRequests] {
          #expect(try await anna.post("/api/v1/channels/\(id)/confirmation").status == status)
        }
        await server.parts.operation.backgroundTasks.finished()
        #expect(mail.mails.count == 3)
        // Only the last link is valid.
        let paths = try mail.mails.map { String(try $0.link("/c/")) }
        #expect(try await stranger.post(paths[0]).problem == "gone")
        server.clock.pass(.hours(24 * 8))
        #expect(try await stranger.post(paths[2]).problem == "gone")
      }
    }
  }

  @Test func `repeats are mailed so often and no more; the first of an alarm always is`() async throws {
    try await LocalMailServer.run { mail in
      let server = try await TestServer(Self.settings(), mail: try mail.client())
      let store = server.parts.core.store
      let account = Account(login: "anna", name: "", passwordHash: nil, createdAt: server.clock.now)
      try await store.create(account)
      let channel = Channel(
        account: account.id, kind: .mail, name: "", address: "{}",
        secrets: #"{"address":"anna@example.org"}"#, createdAt: server.clock.now)
      try await store.create(channel)
      let gate = server.parts.alarms.ways.mail
      func refusal(_ kind: AlarmNotice.Kind, _ alarm: AlarmID) async throws -> DeliveryFailure? {
        try await gate.refusal(of: kind, alarm, to: channel, at: server.clock.now)
      }
      let (first, second) = (AlarmID(rawValue: 1), AlarmID(rawValue: 2))
      #expect(try await refusal(.ring, first) == .unconfirmed)
      let link = TokenHash([UInt8](repeating: 1, count: 32))
      try await store.askToConfirm(
        "anna@example.org", of: account.id, by: link, until: server.clock.now + .hours(1))
      _ = try await store.confirm(by: link, at: server.clock.now)
      var batch = IngestBatch(at: server.clock.now)
      let device = Device(account: account.id, name: "phone", createdAt: server.clock.now)
      try await store.create(device, identities: [])
      batch.alarms = [first, second].map { id in
        AlarmRecord(
          id: id, account: account.id, device: device.id,
          subject: .zone(ZoneID(rawValue: 5), name: "Cliff", .inside), began: server.clock.now,
          decidedAt: server.clock.now, learnedAt: server.clock.now, lastRangAt: server.clock.now)
      }
      _ = try await store.record(batch)
      for _ in 0..<30 { #expect(try await refusal(.repeat, first) == nil) }
      // Nothing has been sent yet.
      #expect(try await refusal(.repeat, first) == nil)
      try await store.record(
        DeliveryAttempt(
          alarm: first, channel: channel.id, attempt: 1, startedAt: server.clock.now,
          endedAt: server.clock.now, outcome: .delivered, detail: ""))
      #expect(try await refusal(.repeat, first) == .limited(MailGate.limitWords))
      #expect(try await refusal(.cleared, first) == .limited(MailGate.limitWords))
      #expect(try await refusal(.ring, second) == nil)
      server.clock.pass(.minutes(2))
      #expect(try await refusal(.repeat, first) == nil)
      #expect(try await refusal(.repeat, first) != nil)
    }
  }

  @Test(arguments: ["a@localhost", "a@printer.local", "a@127.0.0.1", "a@intranet"])
  func `an address of this machine or its neighbours needs the operator's leave`(text: String) throws {
    #expect(throws: MailAddress.Refusal.self) { try MailAddress(text, policy: .publicInternet) }
    #expect(try MailAddress(text, policy: anywhere).text == text)
    #expect(throws: ConfigurationError.self) {
      try configuration(.mail, #"{"address":"\#(text)"}"#, policy: .publicInternet)
    }
  }
}
