import AlarmEngine
import CurlClient
import Formats
import Foundation
import NIOConcurrencyHelpers
import NIOHTTP1

/// Posts to other servers: bounded in time and size, no redirects, and only to hosts that the policy allows.
///
/// Each address is judged when a socket to it is about to be opened: a name that leads to somewhere private gets no
/// connection, whatever it is resolved to the next time. The host is looked up by `HostResolver`, since libcurl would
/// hold up every other exchange while a name server is silent.
public final class DeliveryHTTP: Sendable {
  public struct Limits: Hashable, Sendable {
    public var connect: TimeSpan = .seconds(10)
    /// For the whole exchange.
    public var exchange: TimeSpan = .seconds(30)
    /// Of what is sent, in bytes; more is refused.
    public var request = 65_536
    /// Of an answer, in bytes; more is not read.
    public var answer = 16_384
    public init() {}
  }

  public struct Answer: Sendable {
    public let status: Int
    package let headers: HTTPHeaders
    public let body: [UInt8]
    public var text: String { String(decoding: body, as: UTF8.self).excerpt() }
    package func header(_ name: String) -> String? { headers.first(name: name) }
  }

  package let policy: TargetPolicy
  private let client = CurlClient()
  private let resolver: HostResolver
  private let limits: Limits
  private let trustRoots: String?
  private let speaksHTTP2: Bool

  /// - Parameters:
  ///   - trustRoots: a PEM file of certificates to trust in place of the system's; for tests and closed networks.
  ///   - speaksHTTP2: where the other side can (APNs); the policy is not applied there, since the operator names the host.
  public convenience init(
    policy: TargetPolicy, limits: Limits = Limits(), trustRoots: String? = nil, speaksHTTP2: Bool = false
  ) {
    self.init(
      policy: policy, limits: limits, trustRoots: trustRoots, speaksHTTP2: speaksHTTP2, resolver: .system)
  }

  package init(
    policy: TargetPolicy, limits: Limits = Limits(), trustRoots: String? = nil, speaksHTTP2: Bool = false,
    resolver: HostResolver
  ) {
    self.policy = policy
    self.limits = limits
    self.resolver = resolver
    self.trustRoots = trustRoots
    self.speaksHTTP2 = speaksHTTP2
  }

  /// Ends what runs; nothing can be sent any more.
  public func shutdown() { client.shutDown() }

  /// One request and its answer.
  package func send(
    _ method: HTTPMethod = .POST, _ url: String, headers: [(String, String)], body: [UInt8]
  ) async throws(DeliveryFailure) -> Answer {
    guard body.count <= limits.request else { throw .tooLarge(given: body.count, allowed: limits.request) }
    let fields = headers.filter { $0.0.lowercased() != "user-agent" } + [("User-Agent", "proximity-alarm")]
    for (name, value) in fields where !CurlRequest.isHeader(name: name, value: value) {
      throw .unsuitable("the field \(name.excerpt(80)) of the request has a control character")
    }
    guard let host = CurlURL(url)?.host else {
      throw .target(TargetRefusal(given: "no plain host", allowed: TargetPolicy.allowedWords))
    }
    var request = CurlRequest(
      url: url,
      content: .http(
        .init(
          method: method.rawValue, headers: fields.map { (name: $0.0, value: $0.1) }, body: body,
          mostOfAnswer: limits.answer, speaksHTTP2: speaksHTTP2)),
      connectLimit: .milliseconds(limits.connect.milliseconds),
      limit: .milliseconds(limits.exchange.milliseconds), trustRoots: trustRoots)
    if NetworkAddress(literal: host) == nil {
      request.addresses = try await resolver.addresses(of: host, within: limits.connect).map(\.description)
      guard !request.addresses.isEmpty else { throw .unreachable("no such host") }
    }
    let judge = AddressJudge(policy)
    if !speaksHTTP2 { request.allows = { judge.allows($0) } }
    do throws(CurlFailure) {
      let answer = try await client.run(request)
      return Answer(
        status: answer.status, headers: HTTPHeaders(answer.headers.map { ($0.name, $0.value) }),
        body: answer.body)
    } catch {
      if case .unreachable = error.reason, let refusal = judge.refusal { throw .target(refusal) }
      throw DeliveryFailure(error)
    }
  }
}

/// Judges the addresses of one exchange.
private final class AddressJudge: Sendable {
  private struct Findings {
    var refusal: TargetRefusal?
    var hasAllowed = false
  }
  private let policy: TargetPolicy
  private let findings = NIOLockedValueBox(Findings())

  init(_ policy: TargetPolicy) { self.policy = policy }

  func allows(_ address: UnsafePointer<sockaddr>) -> Bool {
    findings.withLockedValue { findings in
      do throws(TargetRefusal) {
        try policy.check(NetworkAddress(address))
        findings.hasAllowed = true
        return true
      } catch {
        findings.refusal = findings.refusal ?? error
        return false
      }
    }
  }

  /// Nil where one of the addresses was allowed: then that one could not be connected to.
  var refusal: TargetRefusal? { findings.withLockedValue { $0.hasAllowed ? nil : $0.refusal } }
}

extension DeliveryFailure {
  init(_ failure: CurlFailure) {
    let words = failure.words.excerpt()
    self =
      switch failure.reason {
      case .cancelled, .givenUp: .cancelled
      case .unknownHost: .unreachable("no such host")
      case .unreachable: .unreachable(words)
      case .timedOut(.connecting): .timedOut(during: "connecting")
      case .timedOut(.handshake): .timedOut(during: "the TLS handshake")
      case .timedOut(.exchange): .timedOut(during: "the request")
      case .insecure: .insecure(words)
      case .connectionLost: .connectionLost
      case .garbled, .refused: .garbled(words)
      }
  }
}

extension DeliveryHTTP.Answer {
  /// What `Retry-After` asks for: seconds or an HTTP date; nil where there is none that can be read.
  package func retryAfter(now: Instant) -> TimeSpan? {
    guard let text = header("Retry-After")?.trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Int64(text), (0...86_400 * 7).contains(seconds) { return .seconds(Double(seconds)) }
    return Self.date(text).map { max(.zero, $0 - now) }
  }

  /// "Sun, 06 Nov 1994 08:49:37 GMT": the one form that servers may write (RFC 9110, section 5.6.7).
  private static func date(_ text: String) -> Instant? {
    let words = text.split(separator: " ").map(String.init)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: words[2]) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return RFC3339.instant(from: "\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }

  /// What a status means where the protocol says nothing more of it.
  package func outcome(receipt: String, now: Instant) -> DeliveryOutcome {
    let failure = DeliveryFailure.status(status, text)
    return switch status {
    case 200..<300: .delivered(receipt: receipt.excerpt(120))
    case 404, 410: .gone(reason: failure)
    // Too early, too slow, too many; everything of the other side's own making.
    case 408, 425, 429, 500...: .retry(after: retryAfter(now: now), reason: failure)
    default: .refused(reason: failure)
    }
  }
}

extension DeliveryFailure {
  /// What a failed exchange means for the delivery.
  package var outcome: DeliveryOutcome {
    switch self {
    case .unreachable, .timedOut, .connectionLost, .insecure, .status, .reply, .garbled, .cancelled:
      .retry(after: nil, reason: self)
    // The name may lead elsewhere tomorrow, but it was not meant for us today.
    case .target, .tooLarge, .unsuitable, .misconfigured, .unconfirmed, .limited: .refused(reason: self)
    }
  }
}

extension Instant {
  /// By this machine's clock.
  package static var now: Self {
    Self(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }
}
