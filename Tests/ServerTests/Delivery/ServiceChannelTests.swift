import AlarmEngine
import Foundation
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// The requests to each service, compared with its documentation, on a server of ours in its place.
@Suite("Messaging services")
struct ServiceChannelTests {
  private static let settings: [(ChannelKind, String)] = [
    (.gotify, #"{"server":"http://127.0.0.1:PORT/push/","token":"Ag1"}"#),
    (.telegram, #"{"server":"http://127.0.0.1:PORT","token":"123:ab-C","chat":"-1001"}"#),
    (.pushover, #"{"server":"http://127.0.0.1:PORT","token":"at0ken","user":"us3r"}"#),
    (.matrix, #"{"server":"http://127.0.0.1:PORT","token":"syt_1","room":"!a/b:example.org"}"#),
    (.apprise, #"{"server":"http://127.0.0.1:PORT","key":"family","tag":"loud"}"#),
    (
      .gateway,
      #"{"url":"http://127.0.0.1:PORT/Messages.json","to":"+49 170 1234567","format":"form","authorization":"Basic eDp5","fields":{"To":"{to}","From":"+1555","Body":"{text}"}}"#
    ),
  ]

  /// The requests that `act` makes with a channel.
  private static func requests(
    _ kind: ChannelKind, _ settings: String, answers: [CannedAnswer] = [CannedAnswer()],
    _ act: @Sendable (any DeliveryChannel) async throws -> Void
  ) async throws -> [ReceivedRequest] {
    try await LocalServer.run(answers: answers) { endpoint in
      try await withHTTP { http in
        let json = settings.replacing("PORT", with: "\(endpoint.port)")
        try await act(try DeliveryServices(http: http).channel(configuration(kind, json)))
        return endpoint.requests
      }
    }
  }

  private static func told(
    _ kind: ChannelKind, _ notice: AlarmNotice = notice(), answer: CannedAnswer = CannedAnswer(),
    receipt: String = ""
  ) async throws -> ReceivedRequest {
    let json = try #require(settings.first { $0.0 == kind }).1
    let requests = try await requests(kind, json, answers: [answer]) { channel in
      #expect(await channel.deliver(notice) == .delivered(receipt: receipt))
    }
    return try #require(requests.first)
  }

  private static func object(_ request: ReceivedRequest) throws -> [String: Any] {
    #expect(request["Content-Type"] == "application/json")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any], "\(request.text)")
  }

  @Test func `Gotify has title, text, priority and where a tap leads`() async throws {
    let request = try await Self.told(.gotify, answer: CannedAnswer(body: #"{"id":25}"#), receipt: "25")
    #expect(request.method == "POST" && request.path == "/push/message" && request["X-Gotify-Key"] == "Ag1")
    let message = try Self.object(request)
    #expect(message["title"] as? String == "Cliff edge" && message["priority"] as? Int == 10)
    #expect((message["message"] as? String)?.isEmpty == false)
    let extras = try #require(message["extras"] as? [String: [String: [String: String]]])
    #expect(extras["client::notification"]?["click"]?["url"] == sampleLinks.open)
    let quiet = try Self.object(try await Self.told(.gotify, notice(.cleared, cause: nil)))
    #expect(quiet["priority"] as? Int == 4)
  }

  @Test func `Telegram has one text, and buttons whose links lead to the public internet`() async throws {
    let request = try await Self.told(.telegram)
    #expect(request.path == "/bot123:ab-C/sendMessage")
    let message = try Self.object(request)
    #expect(message["chat_id"] as? String == "-1001" && message["disable_notification"] as? Bool == false)
    #expect((message["text"] as? String)?.hasPrefix("Cliff edge\n") == true)
    let markup = try #require(message["reply_markup"] as? [String: [[[String: String]]]])
    #expect(
      markup["inline_keyboard"]?.first?.map { $0["url"] } == [
        sampleLinks.acknowledge, sampleLinks.sleep, sampleLinks.close,
      ])
    #expect(markup["inline_keyboard"]?.first?.map { $0["text"] } == ["Stop", "Sleep", "Close"])
    let quiet = try Self.object(try await Self.told(.telegram, notice(.cleared, cause: nil)))
    #expect(quiet["disable_notification"] as? Bool == true && quiet["reply_markup"] == nil)
  }

  @Test func `Pushover repeats by itself until the alarm is withdrawn`() async throws {
    let json = try #require(Self.settings.first { $0.0 == .pushover }).1
    let requests = try await Self.requests(.pushover, json) { channel in
      #expect(await channel.deliver(notice()).isDelivered)
      #expect(await channel.withdraw(withdrawal)?.isDelivered == true)
      #expect(await channel.deliver(notice(.cleared, cause: nil)).isDelivered)
    }
    let message = try Self.object(requests[0])
    #expect(requests[0].path == "/1/messages.json")
    #expect(message["token"] as? String == "at0ken" && message["user"] as? String == "us3r")
    #expect(
      message["priority"] as? Int == 2 && message["retry"] as? Int == 60 && message["expire"] as? Int == 3600)
    #expect(message["tags"] as? String == withdrawal.collapseKey)
    #expect(requests[1].path == "/1/receipts/cancel_by_tag/\(withdrawal.collapseKey).json")
    #expect(requests[1].text == "token=at0ken")
    let quiet = try Self.object(requests[2])
    #expect(quiet["priority"] as? Int == 0 && quiet["retry"] == nil)
    // An alarm that rings once has nothing to withdraw.
    let once = try await Self.requests(
      .pushover, json.replacing("\"user\"", with: "\"emergency\":false,\"user\"")
    ) { channel in
      #expect(await channel.deliver(notice()).isDelivered)
      #expect(await channel.withdraw(withdrawal) == nil)
    }
    #expect(try Self.object(once[0])["priority"] as? Int == 1 && once.count == 1)
  }

  @Test func `Matrix takes each notice once, by its key`() async throws {
    let request = try await Self.told(
      .matrix, answer: CannedAnswer(body: #"{"event_id":"$e1"}"#), receipt: "$e1")
    #expect(request.method == "PUT" && request["Authorization"] == "Bearer syt_1")
    #expect(
      request.path
        == "/_matrix/client/v3/rooms/%21a%2Fb%3Aexample.org/send/m.room.message/\(notice().idempotencyKey)")
    let message = try Self.object(request)
    #expect(message["msgtype"] as? String == "m.text")
    #expect((message["body"] as? String)?.hasPrefix("Cliff edge\n") == true)
    let quiet = try Self.object(try await Self.told(.matrix, notice(.cleared, cause: nil)))
    #expect(quiet["msgtype"] as? String == "m.notice")
  }

  @Test func `Apprise has the key's tag, and says when there is nobody under a key`() async throws {
    let request = try await Self.told(.apprise)
    #expect(request.path == "/notify/family")
    let message = try Self.object(request)
    #expect(
      message["type"] as? String == "failure" && message["tag"] as? String == "loud"
        && message["title"] as? String == "Cliff edge" && message["format"] as? String == "text")
    let json = try #require(Self.settings.first { $0.0 == .apprise }).1
    _ = try await Self.requests(
      .apprise, json, answers: [CannedAnswer(status: 204), CannedAnswer(status: 424)]
    ) {
      #expect(ServerTests.told(await $0.deliver(notice())) == "refused")
      #expect(ServerTests.told(await $0.deliver(notice())) == "retry")
    }
  }

  @Test func `a gateway has the fields that it is said to want, with nothing of a name taken for a field`()
    async throws
  {
    let request = try await Self.told(.gateway)
    #expect(request.path == "/Messages.json" && request["Authorization"] == "Basic eDp5")
    #expect(request["Idempotency-Key"] == notice().idempotencyKey)
    #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
    var form = URLComponents()
    form.percentEncodedQuery = request.text
    let fields = try #require(form.queryItems)
    #expect(fields.map(\.name) == ["Body", "From", "To"])
    #expect(fields[2].value == "+491701234567" && fields[1].value == "+1555")
    let text = try #require(fields[0].value)
    #expect(text.hasPrefix("Cliff edge. ") && !text.contains("\n") && text.utf8.count <= 600)

    let plain = try await Self.requests(
      .gateway, #"{"url":"http://127.0.0.1:PORT/","to":"+491701234567","kind":"voice"}"#
    ) { #expect(await $0.deliver(notice()).isDelivered) }
    let message = try Self.object(plain[0])
    #expect(Set(message.keys) == ["key", "kind", "text", "to"])
    #expect(message["kind"] as? String == "voice" && message["to"] as? String == "+491701234567")
  }

  @Test(arguments: [
    ("{text}", "a {to} b"), ("{to}{to}", "11"), ("{", "{"), ("{unknown} {text", "{unknown} {text"),
    ("{{to}}", "{1}"), ("", ""),
  ])
  func `templates are filled once`(template: String, filled: String) {
    #expect(MessageGateway.fill(template, ["to": "1", "text": "a {to} b"]) == filled)
  }

  @Test(arguments: ["a-z_~.9", "ä b", "%", "&=+?/#", "日"])
  func `what is percent-encoded reads back`(text: String) {
    #expect(text.percentEncoded.removingPercentEncoding == text)
    #expect(text.percentEncoded.utf8.allSatisfy { !" &=+?/#".utf8.contains($0) && $0 < 128 })
  }

  @Test(arguments: settings.map(\.0), [(401, "refused"), (404, "refused"), (429, "retry"), (500, "retry")])
  func `a refusal is final, and a service that is busy is tried again`(
    kind: ChannelKind, answer: (status: Int, meaning: String)
  ) async throws {
    let json = try #require(Self.settings.first { $0.0 == kind }).1
    _ = try await Self.requests(kind, json, answers: [CannedAnswer(status: answer.status)]) {
      let outcome = await $0.deliver(notice())
      #expect(ServerTests.told(outcome) == answer.meaning, "\(outcome)")
      #expect(!$0.description.contains("us3r") && !$0.description.contains("family"))
    }
  }
}
