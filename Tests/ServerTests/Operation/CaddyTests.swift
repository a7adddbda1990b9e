import AlarmService
import Foundation
import Logging
import NIOConcurrencyHelpers
import ServiceLifecycle
import Testing

@testable import Server

@Suite("HTTPS by Caddy")
struct CaddyTests {
  private func settings(_ flags: [ServerSettings.Key: String]) throws -> ServerSettings {
    var values = ServerSettings.Values()
    values.add(flags: flags)
    return try ServerSettings(values)
  }

  private func refusal(_ flags: [ServerSettings.Key: String]) -> String {
    do { _ = try settings(flags) } catch { return "\(error)" }
    return "none"
  }

  @Test func `a domain sets the public URL and trusts loopback addresses as proxies`() throws {
    let usual = try settings([.domain: "Alarm.Example.org"])
    #expect(usual.publicURL?.absoluteString == "https://alarm.example.org")
    #expect(usual.trustedProxies == AddressBlock.loopback)
    #expect(usual.isSecure && !usual.takesUnclaimedPhones)
    #expect(usual.caddy == CaddySettings(domain: "alarm.example.org", httpPort: 80, httpsPort: 443))
    let other = try settings([.domain: "alarm.internal", .httpsPort: "8443", .httpPort: "8080"])
    #expect(other.publicURL?.absoluteString == "https://alarm.internal:8443")
    // A router that forwards port 443 to port 8443.
    let routed = try settings([
      .domain: "alarm.example.org", .httpsPort: "8443", .publicURL: "https://alarm.example.org",
    ])
    #expect(routed.publicURL?.absoluteString == "https://alarm.example.org")
  }

  @Test(arguments: [
    ("alarm.example.org", true), ("a.b", true), ("localhost", true), ("xn--alrm-loa.example", true),
    ("1.2.3.4.example", true), ("", false), ("alarm", false), ("https://alarm.example.org", false),
    ("alarm.example.org:443", false), ("alarm.example.org/", false), ("alarm..org", false),
    (".example.org", false), ("example.org.", false), ("-a.example", false), ("a-.example", false),
    ("192.0.2.1", false), ("::1", false), ("*.example.org", false), ("alärm.example", false),
    ("a b.example", false), ("a.example\n}", false), ("a.{env.HOME}", false),
  ])
  func `a domain is a name of the DNS and nothing else`(_ text: String, _ isAllowed: Bool) {
    #expect((CaddySettings.domainName(text) != nil) == isAllowed)
  }

  @Test func `labels have at most 63 bytes and names 253`() {
    let label = String(repeating: "a", count: 63)
    #expect(CaddySettings.domainName("\(label).org") != nil)
    #expect(CaddySettings.domainName("\(label)a.org") == nil)
    let long = Array(repeating: label, count: 4).joined(separator: ".")
    #expect(CaddySettings.domainName(String(long.dropFirst(2))) != nil)
    #expect(CaddySettings.domainName(String(long.dropFirst(1))) == nil)
  }

  @Test func `settings that contradict a domain are refused`() {
    #expect(
      refusal([.domain: "alarm"])
        == "--domain: alarm found, a name such as alarm.example.org, alarm.internal or localhost (other scripts as xn--...) allowed"
    )
    let name = "alarm.example.org"
    for (key, text) in [
      (ServerSettings.Key.trustedProxy, "10.0.0.1"), (.loginHeader, "Remote-User"),
    ] {
      #expect(refusal([.domain: name, key: text]).contains("and --domain are both set"), "\(key)")
    }
    #expect(
      refusal([.domain: name, .listen: "0.0.0.0:8080"]).hasPrefix("--listen: 0.0.0.0:8080 found, a loopback"))
    #expect(refusal([.domain: name, .publicURL: "https://other.example.org"]).hasPrefix("--public-url"))
    #expect(refusal([.domain: name, .publicURL: "http://\(name)"]).hasPrefix("--public-url"))
    #expect(refusal([.domain: name, .httpsPort: "0"]).hasPrefix("--https-port: 0 found"))
    #expect(refusal([.domain: name, .httpsPort: "80"]).hasPrefix("--https-port: 80 found"))
    #expect(refusal([.httpPort: "8080"]).hasPrefix("--http-port is set and domain is not"))
    #expect(refusal([.domain: name, .rateLimits: "off"]).hasPrefix("--rate-limits"))
  }

  @Test func `the configuration of a public name`() {
    let text = CaddyConfiguration.text(
      CaddySettings(domain: "alarm.example.org"), publicURL: "https://alarm.example.org",
      upstream: "127.0.0.1:8080", idleTimeoutSeconds: 30)
    #expect(
      text == """
        # Written by `proximity serve --domain` at each start of Caddy. Changes are lost.
        {
        \tadmin off
        \tauto_https disable_redirects
        \tskip_install_trust
        \tgrace_period 2s
        \thttp_port 80
        \thttps_port 443
        \tservers {
        \t\ttimeouts {
        \t\t\tread_header 30s
        \t\t\tidle 2m
        \t\t}
        \t}
        }

        https://alarm.example.org {
        \treverse_proxy 127.0.0.1:8080 {
        \t\ttransport http {
        \t\t\tdial_timeout 2s
        \t\t\t# The server closes an idle connection after 30 s; Caddy has to close it first.
        \t\t\tkeepalive 20000ms
        \t\t}
        \t\t# No flush_interval is needed: Caddy passes event streams and WebSockets on at once.
        \t}

        \thandle_errors {
        \t\theader Retry-After 5
        \t\trespond "The server does not answer. Please try again." 503
        \t}
        }

        http://alarm.example.org {
        \tredir https://alarm.example.org{uri} 308
        }

        """)
  }

  @Test(arguments: [
    ("localhost", true, true), ("a.localhost", true, true), ("alarm.local", true, false),
    ("alarm.internal", true, false), ("alarm.example.org", false, false), ("internal.example", false, false),
  ])
  func `internal names get a certificate of Caddy's own, and localhost is reached from this machine alone`(
    _ name: String, _ isInternal: Bool, _ isBound: Bool
  ) {
    let caddy = CaddySettings(domain: name)
    let text = CaddyConfiguration.text(
      caddy, publicURL: caddy.publicURL, upstream: "[::1]:1", idleTimeoutSeconds: 30)
    #expect(caddy.isInternal == isInternal)
    #expect(text.contains("\ttls internal\n") == isInternal)
    #expect(text.components(separatedBy: "\tbind 127.0.0.1\n").count == (isBound ? 3 : 1))
  }

  @Test func `waits double from a second to a minute, and begin anew after a minute's run`() {
    var backoff = RestartBackoff()
    let waits = (0..<8).map { _ in backoff.wait(after: .seconds(1)).components.seconds }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(backoff.wait(after: .seconds(60)) == .seconds(1))
    #expect(backoff.wait(after: .seconds(59)) == .seconds(2))
  }

  @Test func `last words are told as what to do`() {
    let start = "Error: loading initial config: loading new config: http app module: start:"
    #expect(
      CaddyFailure(lastLine: "\(start) listen udp :443: bind: address already in use")
        == .portTaken(443, .udp))
    #expect(
      CaddyFailure(lastLine: "\(start) listening on :80: listen tcp 127.0.0.1:80: bind: permission denied")
        == .notAllowed(80))
    #expect(CaddyFailure(lastLine: "killed") == .ended("killed"))
    #expect(CaddyFailure(lastLine: "") == .ended("it said nothing"))
  }

  @Test func `lines of its log keep their message, and only certificates are news`() {
    let obtained = CaddyLogLine(
      #"{"level":"info","ts":1.5,"logger":"tls.obtain","msg":"obtained","identifier":"a.internal"}"#)
    #expect(obtained.level == .info && obtained.message == "obtained")
    #expect(obtained.metadata == ["logger": "tls.obtain", "identifier": "a.internal"])
    #expect(CaddyLogLine(#"{"level":"info","msg":"serving"}"#).level == .debug)
    #expect(CaddyLogLine(#"{"level":"error","msg":"x"}"#).level == .warning)
    #expect(CaddyLogLine("Error: no").message == "Error: no")
  }

  /// A clock that passes every sleep at once, and keeps the lengths slept.
  private final class SkippingClock: Clock {
    struct Instant: InstantProtocol {
      var passed = Duration.zero
      func advanced(by duration: Duration) -> Self { Self(passed: passed + duration) }
      func duration(to other: Self) -> Duration { other.passed - passed }
      static func < (a: Self, b: Self) -> Bool { a.passed < b.passed }
    }
    private let state = NIOLockedValueBox((now: Instant(), slept: [Duration]()))
    var now: Instant { state.withLockedValue { $0.now } }
    var minimumResolution: Duration { .zero }
    var slept: [Duration] { state.withLockedValue { $0.slept } }
    func pass(_ duration: Duration) { state.withLockedValue { $0.now.passed += duration } }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      state.withLockedValue {
        $0.slept.append(deadline.passed - $0.now.passed)
        $0.now = deadline
      }
    }
  }

  @Test func `a Caddy that cannot begin ends the server`() async throws {
    let proxy = CaddyProxy(
      host: "127.0.0.1", publicURL: "https://a.internal", metrics: Metrics(), logger: TestServer.silent,
      clock: SkippingClock(), answers: { false },
      start: { _ throws(CaddyFailure) in throw .portTaken(443, .tcp) })
    proxy.start(upstreamPort: 1)
    await #expect(throws: CaddyFailure.portTaken(443, .tcp)) { try await proxy.run() }
    #expect(proxy.trouble?.contains("port 443") == true)
  }

  @Test func `a Caddy that served and ends is started again after longer and longer waits`() async throws {
    let clock = SkippingClock()
    let starts = NIOLockedValueBox(0)
    let connected = NIOLockedValueBox<AsyncStream<String>.Continuation?>(nil)
    let ended = AsyncStream.makeStream(of: Void.self)
    let metrics = Metrics()
    let proxy = CaddyProxy(
      host: "::1", publicURL: "https://a.internal", metrics: metrics, logger: TestServer.silent, clock: clock,
      answers: {
        // Each of the first four ends as soon as it has served; the fourth had run well for a long time.
        let count = starts.withLockedValue { $0 }
        if count == 4 { clock.pass(.seconds(90)) }
        if count < 5 { connected.withLockedValue { $0.take()?.finish() } } else { ended.continuation.yield() }
        return true
      },
      start: { upstream throws(CaddyFailure) in
        #expect(upstream == "[::1]:8080")
        starts.withLockedValue { $0 += 1 }
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        connected.withLockedValue { $0 = continuation }
        return CaddyProxy.Running(lines: lines, end: { continuation.finish() })
      })
    proxy.start(upstreamPort: 8080)
    let running = Task { try await proxy.run() }
    for await _ in ended.stream { break }
    running.cancel()
    try await running.value
    #expect(clock.slept == [.seconds(1), .seconds(2), .seconds(4), .seconds(1)])
    #expect(starts.withLockedValue { $0 } == 5)
  }

  @Test func `a program ends when its lifeline does, and its lines are told to the last`() async throws {
    let process = try CaddyProcess(
      ["/bin/sh", "-c", "echo $WORD >&2; trap 'echo last >&2; exit' TERM; while :; do sleep 0.05; done"],
      environment: ["WORD": "first", "PATH": "/usr/bin:/bin"])
    var told: [String] = []
    for await line in process.lines {
      told.append(line)
      process.end()
    }
    #expect(told == ["first", "last"])
  }
}
