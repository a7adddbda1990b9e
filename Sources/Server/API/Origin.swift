import AlarmService
import Delivery
import Foundation
import HTTPTypes
import Hummingbird

/// The origin of a request: the client's address and the address it called, with the forwarded headers of
/// trusted proxies applied.
struct Origin: Equatable, Sendable {
  /// The client's address; "local" without a network.
  let address: String
  let isSecure: Bool
  /// The authority that the client called: host, and port unless it is the scheme's default.
  let authority: String
  /// The login of the person whom a trusted proxy has signed in; nil if no proxy does that, or if it names
  /// nobody.
  let login: String?

  var scheme: String { isSecure ? "https" : "http" }
  /// The origin as in a browser's `Origin` header.
  var text: String { "\(scheme)://\(authority)" }
  var isLoopback: Bool { address == "local" || AddressBlock.loopback.contains { $0.contains(address) } }

  /// True if no stranger can read what is sent: over HTTPS, or without it if both the address that the client
  /// called and the client's own are of this machine or of a private network.
  var isConfidential: Bool {
    if isSecure { return true }
    guard address == "local" || NetworkAddress(literal: address)?.isPublic == false else { return false }
    let host =
      authority.hasPrefix("[")
      ? String(authority.prefix { $0 != "]" }.dropFirst())
      : authority.prefix { $0 != ":" }.lowercased()
    if let literal = NetworkAddress(literal: host) { return !literal.isPublic }
    return host == "localhost" || Self.privateDomains.contains { host.hasSuffix($0) }
  }

  /// Domains that no public name server knows (RFC 6761, 6762, 8375, and ICANN for `.internal`).
  private static let privateDomains = [".localhost", ".local", ".home.arpa", ".internal"]

  /// - Parameter peer: the other end of the connection.
  init(_ request: Request, peer: String?, settings: ServerSettings) {
    var address = peer ?? "local"
    var secure = settings.tls != nil
    var authority = request.head.authority ?? ""
    var login: String?
    if let peer, settings.trustedProxies.contains(where: { $0.contains(peer) }) {
      // From the right: each trusted proxy has appended the address of its client. Text that is no IP address
      // is left out.
      let hops = request.headers[values: .forwardedFor].flatMap { $0.split(separator: ",") }.map {
        Self.bareAddress($0)
      }.filter { AddressBlock($0) != nil && !$0.contains("/") }
      address =
        hops.last { hop in !settings.trustedProxies.contains { $0.contains(hop) } } ?? hops.first ?? peer
      if let scheme = request.headers[.forwardedProto] { secure = scheme.lowercased() == "https" }
      if let host = request.headers[.forwardedHost] { authority = host }
      // Two such headers: the proxy has passed on one that the client sent.
      if let name = settings.loginHeader, let said = request.headers[values: name].first,
        request.headers[values: name].count == 1, !said.isEmpty
      {
        login = said
      }
    }
    self.address = address
    self.login = login
    if let url = settings.publicURL, let host = url.host() {
      isSecure = url.scheme == "https"
      let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
      self.authority = url.port.map { "\(bracketed):\($0)" } ?? bracketed
    } else {
      isSecure = secure
      self.authority = authority
    }
  }

  /// The address without blanks, brackets and port.
  private static func bareAddress(_ hop: Substring) -> String {
    let trimmed = hop.drop { $0 == " " }.prefix { $0 != " " }
    if trimmed.hasPrefix("["), let end = trimmed.firstIndex(of: "]") {
      return String(trimmed[trimmed.index(after: trimmed.startIndex)..<end])
    }
    let parts = trimmed.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : String(trimmed)
  }
}

extension HTTPField.Name {
  static let forwardedFor = Self("X-Forwarded-For")!
  static let forwardedProto = Self("X-Forwarded-Proto")!
  static let forwardedHost = Self("X-Forwarded-Host")!
  static let refusal = Self(HTTP1Manners.field)!
  static let csrfToken = Self("X-CSRF-Token")!
  static let idempotencyKey = Self("Idempotency-Key")!
  static let idempotencyReplayed = Self("Idempotency-Replayed")!
  static let requestID = Self("X-Request-Id")!
  static let secFetchSite = Self("Sec-Fetch-Site")!
}
