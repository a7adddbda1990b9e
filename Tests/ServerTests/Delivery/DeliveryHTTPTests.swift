import AlarmEngine
import Formats
import Foundation
import NIOConcurrencyHelpers
import NIOHTTP1
import Store
import Testing

@testable import AlarmService
@testable import Delivery
@testable import Server

@Suite("Delivery over HTTP")
struct DeliveryHTTPTests {
  private static let hasty: DeliveryHTTP.Limits = {
    var limits = DeliveryHTTP.Limits()
    limits.exchange = .milliseconds(400)
    return limits
  }()

  /// The outcome of one attempt at a server that runs these steps.
  private func attempt(
    _ steps: [ScriptedServer.Step], policy: TargetPolicy = anywhere, limits: DeliveryHTTP.Limits = hasty
  ) async throws -> (outcome: DeliveryOutcome, heard: String) {
    try await ScriptedServer.run(steps) { server in
      try await withHTTP(policy: policy, limits: limits) { http in
        do throws(DeliveryFailure) {
          let answer = try await http.send(.POST, "http://127.0.0.1:\(server.port)/x", headers: [], body: [1])
          return (
            answer.outcome(receipt: "\(answer.body.count)", now: someTime),
            server.heard.withLockedValue { $0 }
          )
        } catch { return (error.outcome, server.heard.withLockedValue { $0 }) }
      }
    }
  }

  @Test func `a server that never answers costs no more than the time allowed`() async throws {
    let outcome = try await attempt([]).outcome
    guard case .retry(nil, .timedOut) = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func `a server that begins and never ends is cut off too`() async throws {
    let outcome = try await attempt([.listen, .say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")])
      .outcome
    #expect(told(outcome) == "retry", "\(outcome)")
  }

  @Test func `hanging up, garbage and a closed port are failures for now`() async throws {
    for steps: [ScriptedServer.Step] in [
      [.hangUp], [.listen, .hangUp], [.say("220 mail.example ESMTP\r\n")],
      [.listen, .say("\u{0}\u{1}\u{2}\r\n\r\n")],
    ] {
      let outcome = try await attempt(steps).outcome
      #expect(told(outcome) == "retry", "\(steps): \(outcome)")
    }
    let port = try await ScriptedServer.run([]) { $0.port }
    let outcome = try await withHTTP { http in
      do throws(DeliveryFailure) {
        _ = try await http.send(.POST, "http://127.0.0.1:\(port)/", headers: [], body: [])
        return DeliveryOutcome.delivered(receipt: "")
      } catch { return error.outcome }
    }
    guard case .retry(nil, .unreachable) = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func `a kept connection that turns out to be closed is replaced, and the request is sent again`()
    async throws
  {
    // Each connection answers one request and closes at the second.
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    try await ScriptedServer.run([.listen, .say(answer), .hangUp]) { server in
      try await withHTTP { http in
        for _ in 0..<3 {
          let answer = try await http.send(
            .POST, "http://127.0.0.1:\(server.port)/x", headers: [], body: [97, 98])
          #expect(answer.status == 200 && answer.text == "ok")
        }
      }
      #expect(server.connections.withLockedValue { $0 } == 3)
      #expect(server.heard.withLockedValue { $0.components(separatedBy: "\r\n\r\nab").count - 1 } == 5)
    }
  }

  @Test func `of an answer only so much is read`() async throws {
    let long = String(repeating: "a", count: 100_000)
    let outcome = try await LocalServer.run(answers: [CannedAnswer(body: long)]) { endpoint in
      try await withHTTP { http in
        try await http.send(.POST, "http://127.0.0.1:\(endpoint.port)/", headers: [], body: []).body.count
      }
    }
    #expect(outcome == 16_384)
  }

  @Test func `a name that leads to a private address is not even connected to, whatever it says next`()
    async throws
  {
    // A hostile resolver: it answers with a public address first and a private one later, or with both at
    // once.
    let asked = NIOLockedValueBox(0)
    let loopback = try #require(NetworkAddress(literal: "127.0.0.1"))
    let resolver = HostResolver { host in
      asked.withLockedValue { $0 += 1 }
      return host == "nowhere.example.com" ? [] : [loopback]
    }
    try await ScriptedServer.run([.listen]) { server in
      try await withHTTP(policy: .publicInternet, resolver: resolver) { http in
        for host in ["127.0.0.1", "rebind.example.com", "localhost", "rebind.example.com"] {
          await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
              group.addTask {
                for scheme in ["http", "https"] {
                  do throws(DeliveryFailure) {
                    _ = try await http.send(
                      .POST, "\(scheme)://\(host):\(server.port)/x", headers: [], body: [1])
                    Issue.record("was sent")
                  } catch {
                    guard case .target(let refusal) = error else {
                      Issue.record("\(error)")
                      return
                    }
                    #expect(refusal.given == "127.0.0.1")
                    #expect(told(error.outcome) == "refused")
                  }
                }
              }
            }
          }
        }
        do throws(DeliveryFailure) {
          _ = try await http.send(.POST, "http://nowhere.example.com/", headers: [], body: [])
        } catch { #expect(error == .unreachable("no such host")) }
      }
      #expect(server.connections.withLockedValue { $0 } == 0)
      #expect(server.heard.withLockedValue { $0 }.isEmpty)
    }
    #expect(asked.withLockedValue { $0 } > 0)
  }

  @Test func `of several addresses only the public ones are tried`() async throws {
    let resolver = HostResolver { _ in
      ["8.8.4.4", "127.0.0.1", "8.8.8.8"].compactMap { NetworkAddress(literal: $0) }
    }
    var limits = DeliveryHTTP.Limits()
    limits.connect = .milliseconds(50)
    limits.exchange = .milliseconds(400)
    try await ScriptedServer.run([.listen]) { [limits] server in
      try await withHTTP(policy: .publicInternet, limits: limits, resolver: resolver) { http in
        do throws(DeliveryFailure) {
          _ = try await http.send(
            .POST, "http://two.example.com:\(server.port)/", headers: [], body: [])
          Issue.record("was sent")
        } catch { if case .target = error { Issue.record("\(error)") } }
      }
      #expect(server.connections.withLockedValue { $0 } == 0)
    }
  }

  @Test func `a host that is looked up for too long is given up`() async throws {
    // Returns only when it is cancelled.
    let resolver = HostResolver { _ in
      for await _ in AsyncStream<Never>(Never.self, { _ in }) {}
      throw CancellationError()
    }
    var limits = DeliveryHTTP.Limits()
    limits.connect = .milliseconds(20)
    try await withHTTP(policy: .publicInternet, limits: limits, resolver: resolver) { http in
      do throws(DeliveryFailure) {
        _ = try await http.send(.POST, "http://slow.example.com/", headers: [], body: [])
        Issue.record("was sent")
      } catch { #expect(error == .timedOut(during: "looking up the host")) }
    }
  }

  @Test func `the system's resolver finds this machine, and shares one look-up among many`() async throws {
    try await withThrowingTaskGroup(of: [NetworkAddress].self) { group in
      for _ in 0..<20 {
        group.addTask { try await HostResolver.system.addresses(of: "localhost", within: .seconds(10)) }
      }
      for try await found in group {
        #expect(!found.isEmpty && found.allSatisfy { !$0.isPublic }, "\(found)")
      }
    }
  }

  @Test func `every failure of a target reads the same to whoever tries it, and the log keeps the truth`() {
    let refusal = TargetRefusal(given: "10.0.0.1", allowed: "hosts on the public internet")
    let failures: [DeliveryFailure] = [
      .unreachable("connection refused"), .unreachable("no such host"), .timedOut(during: "connecting"),
      .timedOut(during: "the TLS handshake"), .connectionLost, .insecure("self signed"), .target(refusal),
      .garbled("not HTTP"),
    ]
    for kind in [ChannelKind.webhook, .ntfy, .webPush, .homeAssistant] {
      let answers = failures.map { $0.outcome.json(of: kind, .publicInternet).text }
      #expect(Set(answers).count == 1, "\(answers)")
      #expect(!answers[0].contains("10.0.0.1"))
    }
    // Where the operator allows private networks there is nothing to hide, and the message helps people.
    #expect(Set(failures.map { $0.outcome.json(of: .webhook, anywhere).text }).count == failures.count)
    #expect(
      DeliveryFailure.status(401, "no").outcome.json(of: .webhook, .publicInternet).text.contains("401"))
  }

  @Test(
    arguments: [
      ("7", 7_000), ("0", 0), ("Mon, 21 Sep 2026 14:13:50 GMT", 30_000), ("Mon, 21 Sep 2026 14:13:00 GMT", 0),
      ("soon", nil), ("-5", nil), ("99999999999999999999", nil), ("Mon, 99 Sep 2026 14:13:50 GMT", nil),
      ("", nil),
    ] as [(String, Int64?)])
  func `Retry-After is read as seconds or as a date`(text: String, milliseconds: Int64?) {
    let answer = DeliveryHTTP.Answer(status: 503, headers: ["Retry-After": text], body: [])
    #expect(answer.retryAfter(now: someTime)?.milliseconds == milliseconds)
  }
}
