import AlarmEngine
import Foundation
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

/// A channel with these settings; PORT stands for the endpoint's port.
private func channel(
  _ kind: ChannelKind, _ json: String, at endpoint: LocalServer, _ http: DeliveryHTTP
) throws -> any DeliveryChannel {
  let settings = json.replacing("PORT", with: "\(endpoint.port)")
  return try DeliveryServices(http: http).channel(configuration(kind, settings))
}

private func object(_ request: ReceivedRequest) throws -> [String: Any] {
  try #require(
    try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any], "\(request.text)")
}

@Suite("ntfy")
struct NtfyChannelTests {
  private static let settings = #"{"server":"http://127.0.0.1:PORT/","topic":"geheim_1","token":"tk_x1"}"#

  @Test func `an alarm is one message with three buttons, taken away at the end`() async throws {
    let requests = try await LocalServer.run(answers: [CannedAnswer(body: #"{"id":"Xk12"}"#), CannedAnswer()])
    {
      endpoint in
      try await withHTTP { http in
        let channel = try channel(.ntfy, Self.settings, at: endpoint, http)
        #expect(await channel.deliver(notice()) == .delivered(receipt: "Xk12"))
        #expect(await channel.deliver(notice(.cleared, cause: nil)).isDelivered)
        #expect(await channel.withdraw(withdrawal)?.isDelivered == true)
        #expect(!channel.description.contains("geheim"))
        return endpoint.requests
      }
    }
    let message = try object(requests[0])
    #expect(
      requests[0].method == "POST" && requests[0].path == "/"
        && requests[0]["Authorization"] == "Bearer tk_x1")
    #expect(message["topic"] as? String == "geheim_1" && message["priority"] as? Int == 5)
    #expect(message["title"] as? String == "Cliff edge" && message["click"] as? String == sampleLinks.open)
    #expect(message["sequence_id"] as? String == "000000000000001f")
    let actions = try #require(message["actions"] as? [[String: Any]])
    #expect(actions.map { $0["label"] as? String } == ["Stop", "Sleep", "Close"])
    #expect(
      actions.map { $0["url"] as? String } == [sampleLinks.acknowledge, sampleLinks.sleep, sampleLinks.close])
    #expect(actions.allSatisfy { $0["method"] as? String == "POST" && $0["action"] as? String == "http" })
    let cleared = try object(requests[1])
    #expect(cleared["priority"] as? Int == 3 && cleared["actions"] == nil)
    #expect(requests[2].method == "DELETE" && requests[2].path == "/geheim_1/000000000000001f")
  }

  @Test(arguments: [(401, "refused"), (404, "refused"), (413, "refused"), (429, "retry"), (507, "retry")])
  func `a refusal is final, a full server is not`(status: Int, meaning: String) async throws {
    let outcome = try await LocalServer.run(answers: [CannedAnswer(status: status)]) { endpoint in
      try await withHTTP { http in
        try await channel(.ntfy, Self.settings, at: endpoint, http).deliver(notice())
      }
    }
    #expect(told(outcome) == meaning, "\(outcome)")
  }
}

@Suite("Webhook")
struct WebhookChannelTests {
  private static let secret = "a secret of 16+ bytes"
  private static let settings = #"{"url":"http://127.0.0.1:PORT/hook?x=1","secret":"\#(secret)"}"#

  /// Verifies with the code block of docs/webhooks.md.
  @Test func `the documented receiver accepts what we sent and nothing else`() async throws {
    let requests = try await LocalServer.run { endpoint in
      try await withHTTP { http in
        let channel = try channel(.webhook, Self.settings, at: endpoint, http)
        #expect(await channel.deliver(notice()).isDelivered)
        #expect(await channel.deliver(notice()).isDelivered)
        #expect(await channel.withdraw(withdrawal)?.isDelivered == true)
        return endpoint.requests
      }
    }
    #expect(
      requests[0]["Idempotency-Key"] == "000000000000001f-0"
        && requests[1]["Idempotency-Key"] == "000000000000001f-0")
    #expect(requests[2]["Idempotency-Key"] == "000000000000001f-4-acknowledged")
    let body = try object(requests[0])
    #expect(
      body["kind"] as? String == "ring" && body["zone"] as? String == "Cliff edge"
        && body["cause"] as? String == "inside")
    #expect(body["time"] as? String == "2026-09-21T14:13:20.000Z" && body["latitude"] as? Double == 46.051)
    #expect(try object(requests[2])["kind"] as? String == "withdrawn")

    let page = try String(contentsOf: Peer.root.appending(path: "docs/webhooks.md"), encoding: .utf8)
    let snippet = try #require(
      page.split(separator: "```python\n").dropFirst().first?.split(separator: "```").first)
    let script = FileManager.default.temporaryDirectory.appending(path: "verify-\(UUID().uuidString).py")
    defer { try? FileManager.default.removeItem(at: script) }
    let driver = """
      import base64, json, sys
      for line in sys.stdin:
          q = json.loads(line)
          ok = is_from_proximity_alarm(q["secret"].encode(), q["headers"], base64.b64decode(q["body"]))
          print(json.dumps({"ok": ok}), flush=True)
      """
    try Data("\(snippet)\n\(driver)\n".utf8).write(to: script)
    // Signed by us, but an hour old: a replay.
    let old = Int64(Date().timeIntervalSince1970) - 3600
    let request = requests[0]
    let timestamp = try #require(request["Proximity-Timestamp"])
    let signature = try #require(request["Proximity-Signature"])
    let replayed = WebhookChannel.signature(of: request.body, timestamp: old, secret: Secret(Self.secret))
    let trials:
      [(what: String, secret: String, timestamp: String, signature: String, body: [UInt8], isGood: Bool)] = [
        ("as sent", Self.secret, timestamp, signature, request.body, true),
        ("another secret", "another secret of mine", timestamp, signature, request.body, false),
        ("another body", Self.secret, timestamp, signature, request.body + [32], false),
        ("another time", Self.secret, "\(Int(timestamp)! - 1)", signature, request.body, false),
        ("no signature", Self.secret, timestamp, "v1=", request.body, false),
        ("no time", Self.secret, "soon", signature, request.body, false),
        ("replayed", Self.secret, "\(old)", replayed, request.body, false),
      ]
    let verdicts = try await Peer.run(file: script) { receiver in
      var verdicts: [Bool?] = []
      for trial in trials {
        let answer = try await receiver.ask([
          "secret": trial.secret, "body": Data(trial.body).base64EncodedString(),
          "headers": ["Proximity-Timestamp": trial.timestamp, "Proximity-Signature": trial.signature],
        ])
        verdicts.append(answer["ok"] as? Bool)
      }
      return verdicts
    }
    for (trial, verdict) in zip(trials, verdicts) { #expect(verdict == trial.isGood, "\(trial.what)") }
  }

  @Test func `more than a receiver should have to take is not sent`() async throws {
    let outcome = try await LocalServer.run { endpoint in
      try await withHTTP { http in
        let long = notice(messages: [String(repeating: "x", count: 70_000)])
        let outcome = await (try channel(.webhook, Self.settings, at: endpoint, http)).deliver(long)
        #expect(endpoint.requests.isEmpty)
        return outcome
      }
    }
    guard case .refused(.tooLarge(_, 65_536)) = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test(arguments: [
    (200, "delivered"), (204, "delivered"), (302, "refused"), (400, "refused"), (404, "retry"), (410, "gone"),
    (429, "retry 3000"), (500, "retry 3000"),
  ])
  func `a receiver's answer has its meaning`(status: Int, meaning: String) async throws {
    let answer = CannedAnswer(
      status: status,
      headers: status == 404 ? [] : [("Retry-After", "3"), ("Location", "http://127.0.0.1:1/")])
    let outcome = try await LocalServer.run(answers: [answer]) { endpoint in
      try await withHTTP { http in
        let outcome = try await channel(.webhook, Self.settings, at: endpoint, http).deliver(notice())
        #expect(endpoint.requests.count == 1)
        return outcome
      }
    }
    #expect(told(outcome) == meaning, "\(outcome)")
  }
}

@Suite("OwnTracks")
struct OwnTracksChannelTests {
  private func target() throws -> OwnTracksTarget {
    guard case .ownTracks(let target) = try configuration(.ownTracks, #"{"tid":"AN"}"#) else {
      fatalError("another kind")
    }
    return target
  }

  @Test func `an alarm becomes a transition in whole numbers, without what OwnTracks reads as a command`()
    throws
  {
    let transition = try OwnTracksTransition(notice(zone: "-+Cliff: edge|x"), target: target())
    #expect(
      transition.direction == .enter && transition.trackerID == "AN"
        && transition.description == "Cliff  edge x")
    #expect(transition.seconds == 1_790_000_000 && transition.metres == 12)
    #expect(try OwnTracksTransition(notice(cause: .left), target: target()).direction == .leave)
    #expect(try OwnTracksTransition(notice(.cleared, cause: .inside), target: target()).direction == .leave)
  }

  @Test func `what it cannot say is refused, a queue that fails is tried again`() async throws {
    let queued = OwnTracksChannel(target: try target()) { _, _ in }
    #expect(await queued.deliver(notice()).isDelivered)
    #expect(told(await queued.deliver(notice(isPositionShown: false))) == "refused")
    #expect(told(await queued.deliver(notice(.deviceSilent))) == "refused")
    #expect(told(await queued.withdraw(withdrawal)) == "cannot")
    let broken = OwnTracksChannel(target: try target()) { _, _ in throw CancellationError() }
    #expect(told(await broken.deliver(notice())) == "retry")
  }
}
