import AlarmEngine
import NIOConcurrencyHelpers
import NIOHTTP1
import Testing

@testable import Server

@Suite("Delivery over HTTP")
struct DeliveryHTTPTests {
  private static let hasty: DeliveryHTTP.Limits = {
    var limits = DeliveryHTTP.Limits()
    limits.exchange = .milliseconds(400)
    return limits
  }()

  /// What becomes of one attempt at a server of these manners.
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

  @Test func `of an answer only so much is read`() async throws {
    let long = String(repeating: "a", count: 100_000)
    let outcome = try await LocalServer.run(answers: [CannedAnswer(body: long)]) { endpoint in
      try await withHTTP { http in
        try await http.send(.POST, "http://127.0.0.1:\(endpoint.port)/", headers: [], body: []).body.count
      }
    }
    #expect(outcome == 16_384)
  }

  @Test func `an address that turns out private gets no byte, however often it is tried`() async throws {
    let heard = try await ScriptedServer.run([.listen]) { server in
      try await withHTTP(policy: .publicInternet) { http in
        // By address, by name, at once and one after the other: the name is what a hostile resolver would answer.
        for host in ["127.0.0.1", "localhost", "127.0.0.1"] {
          await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
              group.addTask {
                do throws(DeliveryFailure) {
                  _ = try await http.send(.POST, "http://\(host):\(server.port)/x", headers: [], body: [1])
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
        return server.heard.withLockedValue { $0 }
      }
    }
    #expect(heard.isEmpty)
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
