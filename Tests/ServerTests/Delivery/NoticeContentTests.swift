import AlarmEngine
import Foundation
import Store
import Testing

@testable import Delivery
@testable import Server

@Suite("What a zone shows on entry, on each channel")
struct NoticeContentTests {
  /// The content that an endpoint receives.
  private static func sent(_ kind: ChannelKind, _ settings: String) async throws -> [String: Any] {
    // An empty answer of Home Assistant means that it does not know the webhook.
    let request = try await LocalServer.run(answers: [CannedAnswer(body: "{}")]) { endpoint in
      try await withHTTP { http in
        let json = settings.replacing("PORT", with: "\(endpoint.port)")
        let channel = try DeliveryServices(http: http).channel(configuration(kind, json))
        #expect(await channel.deliver(showing).isDelivered)
        return endpoint.requests[0]
      }
    }
    let object = try JSONSerialization.jsonObject(with: Data(request.body))
    return try #require(object as? [String: Any], "\(request.text)")
  }

  @Test func `a webhook gets its members, and is told of no alarm`() async throws {
    let body = try await Self.sent(
      .webhook, #"{"url":"http://127.0.0.1:PORT/","secret":"0123456789abcdef0123456789abcdef"}"#)
    #expect(body["kind"] as? String == "notice" && body["notice"] as? String == "000000000000002f")
    #expect(body["alarm"] == nil && body["latitude"] == nil)
    #expect(body["title"] as? String == "Fresh bread" && body["text"] as? String == "Until noon.\nThen cake.")
    #expect(body["link"] as? String == "https://bakery.example/today")
    #expect(body["image"] as? String == "https://bakery.example/bread.jpg")
    #expect((body["links"] as? [String: String]) == ["open": "https://alarm.example/n/x"])
  }

  @Test func `ntfy shows it with its picture, quietly and without buttons`() async throws {
    let body = try await Self.sent(.ntfy, #"{"server":"http://127.0.0.1:PORT/","topic":"geheim"}"#)
    #expect(body["title"] as? String == "Fresh bread" && body["priority"] as? Int == 3)
    #expect(body["message"] as? String == "Until noon.\nThen cake.\nhttps://bakery.example/today")
    #expect(body["attach"] as? String == "https://bakery.example/bread.jpg" && body["actions"] == nil)
    #expect(body["click"] as? String == "https://alarm.example/n/x")
  }

  @Test func `Home Assistant gets an event of its own`() async throws {
    let body = try await Self.sent(
      .homeAssistant,
      #"{"instance":"http://127.0.0.1:PORT/","webhook_id":"abc","shares_position":false}"#)
    let data = try #require((body["data"] as? [String: Any])?["event_data"] as? [String: Any])
    #expect(data["state"] as? String == "notice" && data["title"] as? String == "Fresh bread")
    #expect(
      (data["message"] as? String)?.hasPrefix("Until noon.") == true && data["urgent"] as? Bool == false)
  }

  @Test func `push messages carry it, cut where it is too long`() throws {
    let short = String(decoding: try WebPushChannel.content(of: showing), as: UTF8.self)
    #expect(
      short.contains(#""type":"notice""#) && short.contains(#""image":"https://bakery.example/bread.jpg""#))
    #expect(short.contains(#""navigate":"https://alarm.example/n/x""#) && !short.contains(#""actions""#))
    let long = AlarmNotice(
      alarm: showing.alarm, sequence: 0,
      .notice(.init(title: "T", text: String(repeating: "brot ", count: 2000)), of: showing.zone),
      device: showing.device, time: someTime, learnedAt: someTime)
    #expect(try WebPushChannel.content(of: long).count <= WebPushEncryption.maximumPlaintext)
    #expect(try APNsChannel.content(of: long, isCritical: false).count <= 4096)
    let apns = String(decoding: try APNsChannel.content(of: showing, isCritical: true), as: UTF8.self)
    #expect(apns.contains(#""category":"NOTICE""#) && apns.contains(#""interruption-level":"active""#))
  }

  @Test func `a mail says it in words and attaches nothing`() throws {
    let address = try MailAddress("bob@example.org")
    let message = MailMessage(showing, to: address)
    #expect(message.subject == "Fresh bread" && message.attachments.isEmpty)
    #expect(
      message.text == """
        Until noon.
        Then cake.
        https://bakery.example/today
        https://bakery.example/bread.jpg

        Open: https://alarm.example/n/x
        """)
  }

  @Test func `without a title the zone's name stands there, and OwnTracks cannot say it`() throws {
    let plain = AlarmNotice(
      alarm: showing.alarm, sequence: 0,
      .notice(.init(title: "", text: "", image: "javascript:x"), of: showing.zone), device: showing.device,
      time: someTime, learnedAt: someTime)
    #expect(NoticeWords(plain).title == "Bakery" && NoticeWords(plain).body.isEmpty)
    #expect(plain.content?.imageURL == nil)
    guard case .ownTracks(let target) = try configuration(.ownTracks, "{}") else { return }
    #expect(throws: DeliveryFailure.self) { try OwnTracksTransition(plain, target: target) }
  }

  @Test func `the page of a notice lets nothing in that a person has typed`() {
    let notice = Notice(
      title: "<script>", text: "a\n\"b\" & c", link: "javascript:alert(1)", image: "https://a.example/\"onx=")
    let page = NoticePage.markup(notice: notice, zone: "Z", isOpened: true)
    #expect(!page.contains("<script>") && !page.contains("href=\"javascript:"))
    #expect(!page.contains("refresh") && page.contains("https://a.example/&quot;onx="))
    #expect(page.contains("<p>&quot;b&quot; &amp; c</p>"))
    let asking = NoticePage.markup(notice: notice, zone: "Z", isOpened: false)
    #expect(asking.contains("<button autofocus>Noted</button>"))
  }
}
