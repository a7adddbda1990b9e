import AlarmEngine
import Cryptography
import Formats
import Foundation
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Web Push")
struct WebPushTests {
  private static let receiver = """
    {"endpoint":"https://push.example/x","expirationTime":null,"keys":{
      "p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      "auth":"BTBZMqHH6r4Tts7J_aSIgg"}}
    """

  private static func subscription(_ json: String) throws -> WebPushSubscription {
    guard case .webPush(let subscription) = try configuration(.webPush, json) else {
      fatalError("another kind")
    }
    return subscription
  }

  /// RFC 8291, Appendix A.
  @Test func `the example of the RFC comes out byte for byte`() throws {
    let sender = try #require(
      P256.PrivateKey(Base64URL.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")!))
    let body = try WebPushEncryption.encrypt(
      Array("When I grow up, I want to be a watermelon".utf8), for: Self.subscription(Self.receiver),
      sender: sender,
      salt: Base64URL.decode("DGv6ra1nlYgDCS1FRnbzlw")!)
    #expect(
      Base64URL.encode(body)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
  }

  @Test func `the longest text fills 4096 bytes, one more is refused`() throws {
    let subscription = try Self.subscription(Self.receiver)
    let longest = [UInt8](repeating: 65, count: 3993)
    #expect(try WebPushEncryption.encrypt(longest, for: subscription).count == 4096)
    #expect(throws: DeliveryFailure.tooLarge(given: 3994, allowed: 3993)) {
      try WebPushEncryption.encrypt(longest + [65], for: subscription)
    }
  }

  @Test func `each message has a salt and a key of its own`() throws {
    let subscription = try Self.subscription(Self.receiver)
    let bodies = try (0..<20).map { _ in try WebPushEncryption.encrypt([1], for: subscription) }
    #expect(Set(bodies.map { Array($0[..<16]) }).count == 20)
    #expect(Set(bodies.map { Array($0[21..<86]) }).count == 20)
  }

  /// The other side uses http_ece and py-vapid.
  @Test func `a browser decrypts what we push, and our signature is good`() async throws {
    try await Peer.run("web_push_browser.py") { browser in
      let keys = try await browser.ask(["new": true])
      let publicKey = try #require(keys["p256dh"] as? String)
      let authentication = try #require(keys["auth"] as? String)
      let signer = try VAPIDSigner(
        privateKey: VAPIDSigner.newPrivateKey(), contact: "mailto:operator@example.org")
      let requests = try await LocalServer.run(answers: [
        CannedAnswer(status: 201, headers: [("Location", "/m/1")])
      ]) {
        endpoint in
        try await withHTTP { http in
          let subscription = try Self.subscription(
            """
            {"endpoint":"http://127.0.0.1:\(endpoint.port)/push/abc","keys":{"p256dh":"\(publicKey)","auth":"\(authentication)"}}
            """)
          let channel = WebPushChannel(subscription: subscription, signer: signer, http: http)
          let long = notice(
            .repeat, sequence: 3, zone: "Grüner Hügel 🏔", messages: [String(repeating: "ü", count: 3000)])
          #expect(await channel.deliver(notice(zone: "Grüner Hügel 🏔", messages: ["Come home"])).isDelivered)
          #expect(await channel.deliver(long).isDelivered)
          #expect(await channel.withdraw(withdrawal)?.isDelivered == true)
          return endpoint.requests
        }
      }
      try #require(requests.count == 3)
      var messages: [[String: Any]] = []
      for request in requests {
        let answer = try await browser.ask([
          "body": Data(request.body).base64EncodedString(), "p256dh": publicKey,
        ])
        let plain = try #require(
          (answer["plain"] as? String).flatMap { Data(base64Encoded: $0) }, "\(answer)")
        messages.append(try #require(try JSONSerialization.jsonObject(with: plain) as? [String: Any]))
        #expect(request.body.count <= 4096)
        #expect(request["Topic"] == "000000000000001f" && request["TTL"] == "86400")
        #expect(request["Content-Encoding"] == "aes128gcm")
      }
      #expect(requests.map { $0["Urgency"] } == ["high", "high", "normal"])
      #expect(messages[0]["web_push"] as? Int == 8030)
      let shown = try #require(messages[0]["notification"] as? [String: Any])
      #expect(shown["title"] as? String == "Grüner Hügel 🏔")
      #expect((shown["body"] as? String)?.contains("38 m inside") == true)
      #expect((shown["body"] as? String)?.contains("Come home") == true)
      #expect(shown["navigate"] as? String == sampleLinks.open)
      for message in messages.prefix(2) {
        let shown = try #require(message["notification"] as? [String: Any])
        let actions = try #require(shown["actions"] as? [[String: String]])
        #expect(actions.map { $0["title"] } == ["Stop", "Sleep", "Close"])
        let links = try #require((shown["data"] as? [String: Any])?["links"] as? [String: String])
        #expect(actions.map { links[$0["action"] ?? ""] } == actions.map { $0["navigate"] })
      }
      let data = try #require(shown["data"] as? [String: Any])
      #expect(data["alarm"] as? String == "000000000000001f" && data["distance_m"] as? Double == -38.4)
      // Truncated, and still with everything that a person needs to act.
      let cut = try #require(messages[1]["notification"] as? [String: Any])
      let links = try #require((cut["data"] as? [String: Any])?["links"] as? [String: Any])
      #expect(
        links["sleep"] as? String == sampleLinks.sleep && (cut["body"] as? String)?.hasSuffix("…") == true)
      #expect(
        messages[2]["type"] as? String == "close" && messages[2]["tag"] as? String == "000000000000001f")

      let header = try #require(requests[0]["Authorization"])
      let vapid = try await browser.ask(["authorization": header])
      #expect(vapid["verified"] as? Bool == true, "\(vapid)")
      #expect(vapid["public"] as? String == signer.publicKey)
      let claims = try #require(vapid["claims"] as? [String: Any])
      #expect((claims["aud"] as? String)?.hasPrefix("http://127.0.0.1:") == true)
      #expect(claims["sub"] as? String == "mailto:operator@example.org")
      let lifetime = try #require(claims["exp"] as? Double) - Date().timeIntervalSince1970
      #expect(lifetime > 11 * 3600 && lifetime < 24 * 3600)
    }
  }

  @Test func `one signature serves an origin until half its life is over`() throws {
    let signer = try VAPIDSigner(privateKey: VAPIDSigner.newPrivateKey(), contact: "https://example.org")
    let first = signer.authorization(for: "https://a.example", now: someTime)
    #expect(signer.authorization(for: "https://a.example", now: someTime + .hours(5.9)) == first)
    #expect(signer.authorization(for: "https://b.example", now: someTime) != first)
    #expect(signer.authorization(for: "https://a.example", now: someTime + .hours(6)) != first)
    signer.forget("https://a.example")
    #expect(signer.authorization(for: "https://a.example", now: someTime) != first)
  }

  @Test(arguments: [
    (201, "delivered"), (404, "gone"), (410, "gone"), (429, "retry 7000"), (503, "retry 7000"),
    (500, "retry 7000"),
    (400, "refused"), (403, "refused"), (413, "refused"),
  ])
  func `a push service's answer has its meaning`(status: Int, meaning: String) async throws {
    let answer = CannedAnswer(status: status, headers: [("Retry-After", "7")])
    let outcome = try await LocalServer.run(answers: [answer]) { endpoint in
      try await withHTTP { http in
        let json = Self.receiver.replacing(
          "https://push.example/x", with: "http://127.0.0.1:\(endpoint.port)/x")
        let signer = try VAPIDSigner(privateKey: VAPIDSigner.newPrivateKey(), contact: "mailto:a@example.org")
        return try await WebPushChannel(subscription: Self.subscription(json), signer: signer, http: http)
          .deliver(notice())
      }
    }
    #expect(told(outcome) == meaning, "\(outcome)")
  }

  @Test func `nothing shows the endpoint or the keys`() throws {
    let subscription = try Self.subscription(Self.receiver)
    var dumped = ""
    dump(subscription, to: &dumped)
    for text in [
      "\(subscription)", String(reflecting: subscription), dumped,
      ChannelConfiguration.webPush(subscription).summary,
    ] {
      #expect(!text.contains("/x") && !text.contains("BCVx") && !text.contains("BTBZ"), "\(text)")
    }
  }
}

/// The outcome as a word.
func told(_ outcome: DeliveryOutcome?) -> String {
  switch outcome {
  case .delivered: "delivered"
  case .retry(let after, _): after.map { "retry \($0.milliseconds)" } ?? "retry"
  case .gone: "gone"
  case .refused: "refused"
  case nil: "cannot"
  }
}
