import AlarmEngine
import AsyncHTTPClient
import Formats
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Posts to other servers: bounded in time and size, no redirects, and only to hosts that the policy allows.
///
/// The host's addresses are looked up and judged first, and only a judged address is connected to: a name that leads to
/// somewhere private gets no connection, whatever it is resolved to the next time.
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
  /// For hosts that need not be judged.
  private let client: HTTPClient
  /// For all others; nil where there are none.
  private let judged: JudgedConnections?
  private let resolver: HostResolver
  private let limits: Limits

  /// Of a host, so many addresses are tried one after the other where there is no connection.
  private static let mostAddresses = 3

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
    var tls = TLSConfiguration.makeClientConfiguration()
    if let trustRoots { tls.trustRoots = .file(trustRoots) }
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow,
      timeout: .init(
        connect: .milliseconds(limits.connect.milliseconds), read: .milliseconds(limits.exchange.milliseconds)
      ),
      decompression: .disabled)
    configuration.httpVersion = speaksHTTP2 ? .automatic : .http1Only
    // What cannot be connected to is tried again by our own schedule, not inside one attempt.
    configuration.connectionPool.retryConnectionEstablishment = false
    if !speaksHTTP2 {
      // A second lock, should the address be another one in spite of all.
      configuration.http1_1ConnectionDebugInitializer = { channel in
        do throws(TargetRefusal) { try policy.check(channel.remoteAddress) } catch {
          // Closed once the client has been told that there is no connection.
          channel.eventLoop.execute { channel.close(promise: nil) }
          return channel.eventLoop.makeFailedFuture(error)
        }
        return channel.eventLoop.makeSucceededVoidFuture()
      }
    }
    self.policy = policy
    self.limits = limits
    self.resolver = resolver
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    judged = speaksHTTP2 || policy.allowsPrivateNetworks ? nil : JudgedConnections(configuration)
  }

  public func shutdown() async throws {
    try await judged?.shutdown()
    try await client.shutdown()
  }

  /// One request and its answer.
  package func send(
    _ method: HTTPMethod = .POST, _ url: String, headers: [(String, String)], body: [UInt8]
  ) async throws(DeliveryFailure) -> Answer {
    guard body.count <= limits.request else { throw .tooLarge(given: body.count, allowed: limits.request) }
    var request = HTTPClientRequest(url: url)
    request.method = method
    request.headers = HTTPHeaders(headers)
    request.headers.replaceOrAdd(name: "User-Agent", value: "proximity-alarm")
    if !body.isEmpty { request.body = .bytes(ByteBuffer(bytes: body)) }
    let deadline = NIODeadline.now() + .milliseconds(limits.exchange.milliseconds)
    guard let judged else { return try await exchange(request, by: client, until: deadline) }
    // The client must take the very same text for the host, or it would look another one up.
    guard let host = URLComponents(string: url)?.host, !host.isEmpty,
      url.lowercased().contains("://\(host.lowercased())")
    else { throw .target(TargetRefusal(given: "no plain host", allowed: TargetPolicy.allowedWords)) }
    var failure = DeliveryFailure.unreachable("no such host")
    for address in try await addresses(of: host).prefix(Self.mostAddresses) {
      do throws(DeliveryFailure) {
        return try await judged.with(host: host, at: address) { client throws(DeliveryFailure) in
          try await self.exchange(request, by: client, until: deadline)
        }
      } catch {
        failure = error
        // Nothing has been sent then: the next address may do.
        switch error {
        case .unreachable, .timedOut(during: Self.connecting): continue
        default: throw error
        }
      }
    }
    throw failure
  }

  private static let connecting = "connecting"

  /// The addresses of a host that may be connected to, in the order that the system prefers.
  private func addresses(of host: String) async throws(DeliveryFailure) -> [NetworkAddress] {
    let all = try await resolver.addresses(of: host, within: limits.connect)
    guard let first = all.first else { throw .unreachable("no such host") }
    let allowed = all.filter(\.isPublic)
    guard !allowed.isEmpty else {
      throw .target(TargetRefusal(given: "\(first)", allowed: TargetPolicy.allowedWords))
    }
    return allowed
  }

  private func exchange(
    _ request: HTTPClientRequest, by client: HTTPClient, until deadline: NIODeadline
  ) async throws(DeliveryFailure) -> Answer {
    do {
      let response = try await client.execute(request, deadline: deadline)
      var bytes: [UInt8] = []
      for try await part in response.body {
        bytes.append(contentsOf: part.readableBytesView.prefix(limits.answer - bytes.count))
        // Leaving the loop closes the connection: what is longer is nothing we asked for.
        if bytes.count >= limits.answer { break }
      }
      return Answer(status: Int(response.status.code), headers: response.headers, body: bytes)
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: any Error) -> DeliveryFailure {
    switch error {
    case let refusal as TargetRefusal: return .target(refusal)
    case is CancellationError: return .cancelled
    case let error as HTTPClientError: return failure(error)
    case let error as NIOConnectionError:
      return .unreachable(error.connectionErrors.first.map { "\($0.error)".excerpt() } ?? "no such host")
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: return .insecure("\(error)".excerpt())
    case is HTTPParserError: return .garbled("not HTTP")
    case let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE:
      return .connectionLost
    default: return .unreachable("\(error)".excerpt())
    }
  }

  private static func failure(_ error: HTTPClientError) -> DeliveryFailure {
    switch error {
    case .cancelled: .cancelled
    case .connectTimeout, .getConnectionFromPoolTimeout: .timedOut(during: connecting)
    case .deadlineExceeded, .readTimeout, .writeTimeout: .timedOut(during: "the request")
    case .tlsHandshakeTimeout: .timedOut(during: "the TLS handshake")
    case .remoteConnectionClosed: .connectionLost
    default: .garbled(error.shortDescription)
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
