import AlarmEngine
import Cryptography
import Formats
import Foundation
import Store
import Testing

@testable import Delivery
@testable import Server

@Suite("APNs")
struct APNsChannelTests {
  private static let key = P256.PrivateKey()
  private static let settings =
    #"{"token":"00FFaa00ff00aa00ff","topic":"org.example.alarm","critical":CRITICAL}"#

  private func withChannel<Value: Sendable>(
    _ answers: [CannedAnswer], isCritical: Bool = true,
    trust: KeyPath<Certificates, String> & Sendable = \.authority,
    _ body: @Sendable (APNsChannel, LocalServer) async throws -> Value
  ) async throws -> Value {
    let certificates = try await Certificates.made.value
    return try await LocalServer.run(.http2(certificates), answers: answers) { server in
      try await withHTTP(trustRoots: certificates[keyPath: trust], speaksHTTP2: true) { http in
        let tokens = try APNsTokenSource(
          pem: Secret(Self.key.pem), keyID: "ABC123DEFG", teamID: "TEAM567890")
        let services = DeliveryServices(
          http: http,
          apns: .init(
            account: APNsAccount(tokens: tokens, host: "https://localhost:\(server.port)"), http: http))
        let settings = Self.settings.replacing("CRITICAL", with: "\(isCritical)")
        let channel = try #require(try services.channel(configuration(.apns, settings)) as? APNsChannel)
        return try await body(channel, server)
      }
    }
  }

  @Test func `an alarm goes over HTTP/2 with all that Apple wants to know`() async throws {
    let requests = try await withChannel([CannedAnswer(headers: [("apns-id", "EC1BF194")]), CannedAnswer()]) {
      channel, server in
      #expect(await channel.deliver(notice(sound: "Foghorn")) == .delivered(receipt: "EC1BF194"))
      #expect(await channel.deliver(notice(sound: "Foghorn")).isDelivered)
      #expect(await channel.deliver(notice(.repeat, sequence: 1, priority: -1)).isDelivered)
      #expect(await channel.deliver(notice(messages: [String(repeating: "ß", count: 5000)])).isDelivered)
      #expect(await channel.withdraw(withdrawal)?.isDelivered == true)
      return server.requests
    }
    try #require(requests.count == 5)
    #expect(
      requests.allSatisfy { $0.isHTTP2 && $0.path == "/3/device/00ffaa00ff00aa00ff" && $0.body.count <= 4096 }
    )
    let first = requests[0]
    #expect(
      first["apns-topic"] == "org.example.alarm" && first["apns-push-type"] == "alert"
        && first["apns-priority"] == "10")
    #expect(first["apns-collapse-id"] == "000000000000001f")
    let expiration = try #require(first["apns-expiration"].flatMap { Double($0) })
    #expect(abs(expiration - Date().timeIntervalSince1970 - 86_400) < 60)
    let ids = requests.map { $0["apns-id"]! }
    // The first, second and fourth are the same notice; the repeat and the withdrawal have other ids.
    #expect(ids[0] == ids[1] && ids[0] == ids[3] && Set(ids).count == 3, "\(ids)")
    #expect(UUID(uuidString: ids[0]) != nil)

    let aps = try content(requests[0])
    #expect(aps["interruption-level"] as? String == "critical")
    let sound = try #require(aps["sound"] as? [String: Any])
    #expect(sound["critical"] as? Int == 1 && sound["name"] as? String == "Foghorn.caf")
    let quiet = try content(requests[2])
    #expect(
      quiet["interruption-level"] as? String == "time-sensitive" && quiet["sound"] as? String == "default")
    #expect(requests[4]["apns-push-type"] == "background" && requests[4]["apns-priority"] == "5")
    #expect(try content(requests[4])["content-available"] as? Int == 1)

    // Checks the provider token with the public key alone.
    let parts = try #require(first["authorization"]).dropFirst("bearer ".count).split(separator: ".").map(
      String.init)
    let signature = try #require(Base64URL.decode(parts[2]))
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    #expect(P256.isSignature(raw: signature, of: signed, by: Self.key.publicKey))
    #expect(String(decoding: Base64URL.decode(parts[0])!, as: UTF8.self).contains(#""kid":"ABC123DEFG""#))
    #expect(String(decoding: Base64URL.decode(parts[1])!, as: UTF8.self).contains(#""iss":"TEAM567890""#))
    #expect(Set(requests.map { $0["authorization"] }).count == 1)
  }

  private func content(_ request: ReceivedRequest) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    return try #require(object?["aps"] as? [String: Any])
  }

  @Test func `Apple's reasons have their meaning`() async throws {
    let cases = [
      (410, "Unregistered", "gone"), (400, "BadDeviceToken", "gone"), (400, "DeviceTokenNotForTopic", "gone"),
      (429, "TooManyRequests", "retry 10000"), (429, "TooManyProviderTokenUpdates", "retry 300000"),
      (403, "ExpiredProviderToken", "retry"), (500, "InternalServerError", "retry"),
      (503, "Shutdown", "retry"),
      (403, "InvalidProviderToken", "refused"), (413, "PayloadTooLarge", "refused"),
      (404, "BadPath", "refused"),
      (400, "", "refused"), (410, "", "gone"),
    ]
    let answers = cases.map {
      CannedAnswer(status: $0.0, body: $0.1.isEmpty ? "<html>" : #"{"reason":"\#($0.1)"}"#)
    }
    let outcomes = try await withChannel(answers) { channel, _ in
      var outcomes: [DeliveryOutcome] = []
      for _ in cases { outcomes.append(await channel.deliver(notice())) }
      return outcomes
    }
    for (outcome, expected) in zip(outcomes, cases) {
      #expect(told(outcome) == expected.2, "\(expected.1): \(outcome)")
      if case .retry(_, .status(let code, let reason)) = outcome {
        #expect(code == expected.0 && reason == expected.1)
      }
    }
  }

  @Test func `a server whose certificate is not trusted is told nothing`() async throws {
    let (outcome, requests) = try await withChannel([CannedAnswer()], trust: \.stranger) { channel, server in
      (await channel.deliver(notice()), server.requests)
    }
    guard case .retry(_, .insecure) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(requests.isEmpty)
  }

  @Test func `the provider token is renewed between 20 and 60 minutes`() throws {
    let source = try APNsTokenSource(
      pem: Secret(Self.key.pem), keyID: "ABC123DEFG", teamID: "TEAM567890")
    let first = source.token(now: someTime)
    #expect(source.token(now: someTime + .minutes(39)) == first)
    source.renew(now: someTime + .minutes(19))
    #expect(source.token(now: someTime + .minutes(19)) == first, "no sooner than every 20 minutes")
    source.renew(now: someTime + .minutes(20))
    let second = source.token(now: someTime + .minutes(20))
    #expect(second != first)
    #expect(source.token(now: someTime + .minutes(60)) != second)
  }

  @Test func `keys that are none are refused`() {
    #expect(throws: ConfigurationError.self) {
      try APNsTokenSource(pem: Secret("-----BEGIN"), keyID: "ABC123DEFG", teamID: "TEAM567890")
    }
    #expect(throws: ConfigurationError.self) {
      try APNsTokenSource(pem: Secret(Self.key.pem), keyID: "abc", teamID: "TEAM567890")
    }
  }
}
