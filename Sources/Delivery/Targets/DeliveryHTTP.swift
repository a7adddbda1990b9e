import AlarmEngine
import CurlClient
import Formats
import Foundation
import NIOConcurrencyHelpers
import NIOHTTP1

/// Sends HTTP requests to other servers: limited in time and size, without redirects, and only to hosts that
/// the policy allows.
///
/// Each address is checked when a socket to it is about to be opened, so that a name that resolves to a
/// private address gets no connection, even if it resolved differently before. The host is looked up by
/// `HostResolver`, since libcurl would block every other exchange while a name server does not answer.
public final class DeliveryHTTP: Sendable {
  public struct Limits: Hashable, Sendable {
    public var connect: TimeSpan = .seconds(10)
    /// The limit for the whole exchange.
    public var exchange: TimeSpan = .seconds(30)
    /// The largest body of a request, in bytes; a larger one is refused.
    public var request = 65_536
    /// The most bytes of an answer that are read.
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
  ///   - trustRoots: a PEM file of certificates to trust in place of the system's; for tests and closed
  ///     networks.
  ///   - speaksHTTP2: whether to use HTTP/2 if the server can (APNs). The policy is not applied then, since
  ///     the operator names the host.
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

  /// Ends all running exchanges. Nothing can be sent after that.
  public func shutdown() { client.shutDown() }

  /// Sends one request and returns its answer.
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

/// Checks the addresses of one exchange.
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

  /// The first refusal; nil if one of the addresses was allowed, since then that one could not be connected
  /// to.
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
  /// Returns the time in `Retry-After`, given as seconds or as an HTTP date; nil if it is missing or
  /// unreadable.
  package func retryAfter(now: Instant) -> TimeSpan? {
    guard let text = header("Retry-After")?.trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Int64(text), (0...86_400 * 7).contains(seconds) { return .seconds(Double(seconds)) }
    return Self.date(text).map { max(.zero, $0 - now) }
  }

  /// Reads "Sun, 06 Nov 1994 08:49:37 GMT", the only form that servers may write (RFC 9110, section 5.6.7).
  private static func date(_ text: String) -> Instant? {
    let words = text.split(separator: " ").map(String.init)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: words[2]) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return RFC3339.instant(from: "\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }

  /// Returns the outcome of a status that has no special meaning in the channel's protocol.
  package func outcome(receipt: String, now: Instant) -> DeliveryOutcome {
    let failure = DeliveryFailure.status(status, text)
    return switch status {
    case 200..<300: .delivered(receipt: receipt.excerpt(120))
    case 404, 410: .gone(reason: failure)
    // Request timeout, too early, too many requests, and all errors of the server.
    case 408, 425, 429, 500...: .retry(after: retryAfter(now: now), reason: failure)
    default: .refused(reason: failure)
    }
  }
}

extension DeliveryFailure {
  /// The outcome of a delivery whose exchange has failed.
  package var outcome: DeliveryOutcome {
    switch self {
    case .unreachable, .timedOut, .connectionLost, .insecure, .status, .reply, .garbled, .cancelled:
      .retry(after: nil, reason: self)
    // A refused name may resolve to another address later, but the delivery is not tried again.
    case .target, .tooLarge, .unsuitable, .misconfigured, .unconfirmed, .limited: .refused(reason: self)
    }
  }
}

extension Instant {
  /// The time by this machine's clock.
  package static var now: Self {
    Self(millisecondsSince1970: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }
}
